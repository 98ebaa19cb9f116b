#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shapes, label counts and checksums of the named datasets, read by a second program that shares no code with the library.

Usage: make_checksums.py DATA_FOLDER [NAME...]. Prints one line a set: name, rows, features, checksum, label counts. The
registry's figures (src/fedstein/data/registry*.cc) are these. Standard library only, so the whole takes a minute.
"""
import array
import bz2
import gzip
import struct
import sys
import zlib
from collections import Counter

import heart_disease

OFFSET, PRIME, MASK = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1


def words(numbers):
    """The single-precision bits of each number."""
    return array.array("I", array.array("f", list(numbers)).tobytes())


def checksum(rows, labels):
    value = OFFSET
    for row in rows:
        for word in words(row):
            value = ((value ^ word) * PRIME) & MASK
    for word in words(labels):
        value = ((value ^ word) * PRIME) & MASK
    return value


def open_any(path):
    if path.endswith(".gz"):
        return gzip.open(path, "rt")
    return bz2.open(path, "rt") if path.endswith(".bz2") else open(path)


def table(paths, label, separator=",", drop=(), map_label=float):
    rows, labels = [], []
    for path in paths:
        with open_any(path) as lines:
            for line in lines:
                fields = line.split(separator) if separator else line.split()
                if not line.strip():
                    continue
                at = label % len(fields)
                labels.append(float(map_label(fields[at])))
                out = {at, *drop}
                rows.append([float(f) for i, f in enumerate(fields) if i not in out])
    return rows, labels


def idx(paths):
    rows, labels = [], []
    for images, digits in (paths[:2], paths[2:]):
        raw = gzip.open(images).read()
        count, height, width = struct.unpack(">3I", raw[4:16])
        size = height * width
        rows += [raw[16 + i * size:16 + (i + 1) * size] for i in range(count)]
        labels += list(gzip.open(digits).read()[8:])
    return rows, labels


def elements(raw):
    """The (type, bytes) elements of a little-endian MATLAB 5 stream."""
    at = 0
    while at < len(raw):
        kind, size = struct.unpack_from("<2I", raw, at)
        if kind >> 16:  # small element: size and type share a word
            yield kind & 0xFFFF, raw[at + 4:at + 4 + (kind >> 16)]
            at += 8
            continue
        yield kind, raw[at + 8:at + 8 + size]
        at += 8 + size
        if kind != 15:
            at += -at % 8


def matlab(path):
    formats = {1: "b", 2: "B", 3: "h", 4: "H", 5: "i", 6: "I", 7: "f", 9: "d"}
    out = {}
    for kind, raw in elements(open(path, "rb").read()[128:]):
        if kind == 15:
            kind, raw = next(elements(zlib.decompress(raw)))
        _, shape, name, (values_kind, values) = list(elements(raw))[:4]
        height, width = struct.unpack("<2i", shape[1])
        code = formats[values_kind]
        flat = struct.unpack(f"<{height * width}{code}", values)
        out[name[1].decode()] = [[float(flat[c * height + r]) for c in range(width)] for r in range(height)]
    return out["data"], [row[0] for row in out["target"]]


def load(name, folder):
    raetsch = {"image": "image.csv", "breast-cancer": "breast_cancer.csv", "diabetis": "diabetis.csv",
               "german": "german.csv", "heart": "heart.csv", "thyroid": "thyroid.csv", "twonorm": "twonorm.csv.gz",
               "ringnorm": "ringnorm.csv.gz", "waveform": "waveform.csv.gz"}
    uci = {"kin8nm": ("kin8nm", ".gz"), "naval": ("naval-propulsion-plant", ".gz"), "power-plant": ("power-plant", ""),
           "boston": ("bostonHousing", ""), "energy": ("energy", ""), "protein": ("protein-tertiary-structure", ".gz"),
           "wine-red": ("wine-quality-red", "")}
    if name in raetsch:
        return table([f"{folder}/raetsch/csv/{raetsch[name]}"], -1)
    if name in uci:
        directory, suffix = uci[name]
        target, drop = (16, (17,)) if name == "naval" else (-1, ())
        return table([f"{folder}/uci_regression/{directory}/data.txt{suffix}"], target, None, drop)
    if name in ("mnist", "fashion-mnist"):
        directory = f"{folder}/{name.replace('-', '_')}"
        return idx([f"{directory}/{part}-{what}-ubyte.gz" for part in ("train", "t10k") for what in ("images-idx3", "labels-idx1")])
    if name in ("flare-solar", "titanic"):
        return matlab(f"{folder}/raetsch/mat/{name.replace('-', '_')}.mat")
    if name == "covertype":
        return table([f"{folder}/covertype/covtype.data.gz"], -1, map_label=lambda f: -1 if int(f) == 2 else 1)
    if name == "vehicle":
        return table([f"{folder}/vehicle/vehicle_subset.csv.gz"], 1, drop=(0,))
    if name == "year":
        return table([f"{folder}/year_msd/YearPredictionMSD_first1176.csv.gz"], 0)
    if name == "ecg":
        return table([f"{folder}/ecg/mitbih_beats.csv.gz"], 1, drop=(0, 2, 3, 4, 5), map_label=lambda f: -1 if int(f) == 0 else 1)
    if name == "ecg5000":
        return table([f"{folder}/ecg/ecg5000_5digits.csv.gz"], 1, drop=(0,), map_label=lambda f: int(f) - 1)
    if name == "ecg200":
        return table([f"{folder}/ecg/ECG200_{part}.tsv" for part in ("TRAIN", "TEST")], 0, "\t")
    if name in ("fed-heart", "fed-heart-all"):
        return (heart_disease.fed_heart if name == "fed-heart" else heart_disease.fed_heart_all)(folder)[:2]
    raise SystemExit(f"make_checksums.py: no dataset '{name}'")


REGRESSION = "kin8nm naval power-plant year boston energy protein wine-red".split()
NAMES = ("twonorm ringnorm waveform image breast-cancer diabetis german heart flare-solar thyroid titanic vehicle ecg200 "
         "ecg5000 ecg covertype mnist fashion-mnist fed-heart fed-heart-all").split() + REGRESSION


def main():
    for name in sys.argv[2:] or NAMES:
        rows, labels = load(name, sys.argv[1])
        assert {len(row) for row in rows} == {len(rows[0])} and len(labels) == len(rows)
        counts = "" if name in REGRESSION else " ".join(f"{k:g}:{v}" for k, v in sorted(Counter(labels).items()))
        print(f"{name} {len(rows)} x {len(rows[0])} {checksum(rows, labels):#018x} {counts}", flush=True)


main()
