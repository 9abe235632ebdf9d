"""Notebooks of docs/notebooks run from top to bottom; their assertions are part of their text."""
import pathlib
import re
import shutil

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs" / "notebooks"
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```", re.M | re.S)


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.glob("*.md")))
def test_notebook(name, tmp_path, monkeypatch):
    data = tmp_path / "config" / "data"
    shutil.copytree(FOLDER.parents[1] / "config" / "data", data)
    (tmp_path / "docs" / "notebooks").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "docs" / "notebooks")
    cells = CELL.findall((FOLDER / name).read_text())
    assert cells
    names = {}
    for number, cell in enumerate(cells, 1):
        exec(compile(cell, f"{name}, cell {number}", "exec"), names)
