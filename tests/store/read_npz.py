# SPDX-License-Identifier: Apache-2.0
# Reads an .npz archive as NumPy does, with Python's own zipfile, and prints it as JSON for the test that wrote it.
# With NumPy there, every array is also compared with what NumPy itself reads. Usage: read_npz.py FILE [count]
import ast
import json
import struct
import sys
import zipfile


def array(raw):
    assert raw[:8] == b"\x93NUMPY\x01\x00", raw[:8]
    length = struct.unpack("<H", raw[8:10])[0]
    header = ast.literal_eval(raw[10 : 10 + length].decode("latin1"))
    body = raw[10 + length :]
    assert (10 + length) % 64 == 0 and not header["fortran_order"]
    count = 1
    for size in header["shape"]:
        count *= size
    kind = header["descr"]
    if kind.startswith("<U"):
        width = 4 * int(kind[2:])
        values = [body[i * width : (i + 1) * width].decode("utf-32-le").rstrip("\0") for i in range(count)]
        assert len(body) == count * width
    else:
        code = {"<f4": "f", "<f8": "d", "<i8": "q"}[kind]
        values = list(struct.unpack("<%d%s" % (count, code), body))
    return {"type": kind, "shape": list(header["shape"]), "values": values}


def main():
    out = {}
    with zipfile.ZipFile(sys.argv[1]) as archive:
        bad = archive.testzip()
        assert bad is None, bad
        if sys.argv[2:] == ["count"]:
            print(len(archive.namelist()))
            return
        for name in archive.namelist():
            out[name[: -len(".npy")]] = array(archive.read(name))
    try:
        import numpy
    except ImportError:
        numpy = None
    if numpy is not None:
        with numpy.load(sys.argv[1]) as archive:
            assert sorted(archive.files) == sorted(out)
            for name, mine in out.items():
                assert list(archive[name].shape) == mine["shape"], name
                assert repr(archive[name].ravel().tolist()) == repr(mine["values"]), name
    for mine in out.values():
        mine["values"] = [repr(v) if isinstance(v, float) and v - v != 0 else v for v in mine["values"]]
    print(json.dumps(out))


main()
