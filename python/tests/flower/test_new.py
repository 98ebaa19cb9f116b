# SPDX-License-Identifier: Apache-2.0
"""``python -m fedstein.flower new``: the same bytes, sentences and exit codes as ``fedstein flower new``; models of one's own."""

import os
import subprocess
import sys
from pathlib import Path

import crank
import pytest

from fedstein.flower.__main__ import main

PARTS = Path(__file__).with_name("own_parts.py")


@pytest.fixture
def experiment(tmp_path):
    path = tmp_path / "experiment.toml"
    path.write_text(crank.text("c-dsvgd", {"particles": 4, "local_steps": 5}, agents=2))
    return path


def files_below(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture
def program():
    """The C++ program with the arguments of the command."""
    path = os.environ.get("FEDSTEIN_PROGRAM", "")
    if not path:
        pytest.skip("FEDSTEIN_PROGRAM names no program to compare with; scripts/python-test does")

    def run(*arguments, cwd):
        done = subprocess.run([path, "flower", "new", *arguments], cwd=cwd, check=False, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    return run


def in_python(capsys, monkeypatch, *arguments, cwd):
    monkeypatch.chdir(cwd)
    try:
        code = main(["new", *arguments])
    except SystemExit as ended:
        code = ended.code
    told = capsys.readouterr()
    return code, told.out, told.err


def test_both_commands_write_the_same_bytes(experiment, program, tmp_path, capsys, monkeypatch):
    arguments = ["My Hospitals", "../experiment.toml", "--state", 'a "state"', "--publisher", "some-hospitals"]
    found = {}
    for name, run in [("program", program), ("python", lambda *given, cwd: in_python(capsys, monkeypatch, *given, cwd=cwd))]:
        (tmp_path / name).mkdir()
        assert run(*arguments, cwd=tmp_path / name) == (0, "wrote My Hospitals\nflwr run My Hospitals\n", "")
        found[name] = files_below(tmp_path / name / "My Hospitals")
        found[name] = {path: text.replace(str(tmp_path / name).encode(), b"HERE") for path, text in found[name].items()}
    assert found["program"] == found["python"]
    assert set(found["python"]) == {
        "pyproject.toml", "app_my_hospitals/__init__.py", "app_my_hospitals/app.py", "app_my_hospitals/experiment.toml",
    }  # fmt: skip


def test_both_commands_refuse_with_the_same_words(experiment, program, tmp_path, capsys, monkeypatch):
    (tmp_path / "broken.toml").write_text(experiment.read_text().replace("c-dsvgd", "c-dsvdg"))
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    (tmp_path / "full").mkdir()
    (tmp_path / "full/file").touch()
    for arguments in [
        ["app", "broken.toml"],
        ["app", "bytes.toml"],
        ["app", "absent.toml"],
        ["app", "."],
        ["full", "experiment.toml"],
        ["full/file", "experiment.toml"],
        ["full/file/app", "experiment.toml"],
        ["app", "experiment.toml", "--publisher", "A B"],
        ["app", "experiment.toml", "--state", "a\nstate"],
    ]:
        code, out, words = program(*arguments, cwd=tmp_path)
        assert code >= 64, arguments
        assert words.startswith("fedstein: ")
        assert in_python(capsys, monkeypatch, *arguments, cwd=tmp_path) == (code, out, words)
        assert not (tmp_path / "app").exists()
    assert program("app", cwd=tmp_path)[0] == in_python(capsys, monkeypatch, "app", cwd=tmp_path)[0] == 64


def test_new_writes_an_app_once(experiment, tmp_path, capsys):
    folder = tmp_path / "My Hospitals"
    assert main(["new", str(folder), str(experiment)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"flwr run {folder}"
    assert (folder / "app_my_hospitals/experiment.toml").read_text() == experiment.read_text()
    assert main(["new", str(folder), str(experiment)]) == 73
    assert "is there already" in capsys.readouterr().err
    broken = tmp_path / "broken.toml"
    broken.write_text(experiment.read_text().replace("c-dsvgd", "c-dsvdg"))
    assert main(["new", str(tmp_path / "other"), str(broken)]) == 78
    assert "did you mean" in capsys.readouterr().err
    assert not (tmp_path / "other").exists()
    assert main(["new", str(tmp_path / "other"), str(tmp_path / "absent.toml")]) == 66
    assert main(["new", str(tmp_path / "other"), str(experiment), "--publisher", "A B"]) == 64


def own_experiment(folder, method="averaging"):
    path = folder / "own.toml"
    document = crank.text(method, {}, agents=2, model='[model]\ntype = "my-line"\n')
    path.write_text(document.replace("[server]", '[data]\nlabels = "regression"\n[server]'))
    return str(path)


def test_models_and_methods_of_ones_own_go_into_the_app(tmp_path, capsys):
    own = ["--model", f"{PARTS}:make_line", "--method", f"{PARTS}:averaging"]
    assert main(["new", str(tmp_path / "app"), own_experiment(tmp_path), *own]) == 0, capsys.readouterr().err
    package = tmp_path / "app/app_app"
    assert (package / "own_parts.py").read_text() == PARTS.read_text()
    app = (package / "app.py").read_text()
    assert "from .own_parts import make_line as own_model\nfrom .own_parts import averaging as own_method\n" in app
    assert "server = server_app(experiment, model=own_model, method=own_method)\n" in app
    # It is a package that can be imported from where Flower puts it.
    pytest.importorskip("flwr")
    program = "import app_app.app as app; print(type(app.server).__name__, type(app.client).__name__)"
    paths = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tmp_path / "app", env=paths, capture_output=True, text=True, check=True)
    assert done.stdout == "ServerApp ClientApp\n"


@pytest.mark.parametrize(
    ("text", "given", "words"),
    [
        ("", "parts.py", "model is 'parts.py'; allowed: FILE.py:NAME, such as models.py:make_model"),
        ("", "parts.py:make", "parts.py has no make; model is FILE.py:NAME"),
        ("", "absent.py:make", "absent.py', which is no Python file"),
        ("make = 3", "parts.py:make", "model is 3; allowed: a fedstein.Model of your own, or a function of the precision"),
        ("def make(", "parts.py:make", "parts.py cannot be imported: SyntaxError"),
        ("from .other import make", "parts.py:make", "parts.py cannot be imported: ImportError"),
        ("def make(dtype):\n    return dtype", "parts.py:make", "make('float32') gave str; it must give a fedstein.Model"),
        (
            "import fedstein\nmake = fedstein.Model('logistic-regression', features=2)",
            "parts.py:make",
            "model is fedstein's own 'logistic-regression'; name it in the configuration",
        ),
        (
            "import fedstein\nmake = fedstein.Model.own(lambda t, x, y: -t, 2, features=2, name='another')",
            "parts.py:make",
            "model.type is 'my-line'; allowed: ",
        ),
    ],
)
def test_mistakes_in_ones_own_model_have_a_sentence(text, given, words, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("parts.py").write_text(text)
    code = main(["new", "app", own_experiment(tmp_path, "dsvgd"), "--model", given])
    told = capsys.readouterr().err
    assert code in (64, 78)
    assert told.startswith("fedstein: ")
    assert words in told
    assert not Path("app").exists()


def test_a_configuration_that_names_a_model_of_ones_own_needs_it(tmp_path, capsys):
    assert main(["new", str(tmp_path / "app"), own_experiment(tmp_path, "dsvgd")]) == 78
    assert "model.type is 'my-line'; allowed: " in capsys.readouterr().err
