"""docs/from_healpy.md, section Python: the cells of each row are evaluated as written, and the numbers compared."""
import pathlib

import numpy as np
import pytest

import armilla
import armilla.healpy

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "from_healpy.md"
NSIDE, LMAX = 32, 48
TOLERANCE = {"map2alm_lsq": 1e-9, "use_weights": 1e-10}  # as in test_healpy.py
ROUNDING = 1e-12


def tables():
    """The cells of the tables of the section, without backticks, by their first heading."""
    found, heading = {}, None
    for line in PAGE.read_text().split("## Python\n")[1].split("\n## ")[0].splitlines():
        cells = [cell.strip().strip("`") for cell in line.split("|")[1:-1]]
        if heading and cells and not cells[0].startswith("---"):
            found[heading].append(cells)
        elif cells and not heading:
            heading = cells[0]
            found[heading] = []
        elif not cells:
            heading = None
    return found


@pytest.fixture(scope="module")
def names():
    healpy = pytest.importorskip("healpy")
    l = np.arange(LMAX + 1)
    cl = np.array([[1], [0.1], [0.01], [0.15], [0.002], [0.01]]) / (l + 1.0)**2
    np.random.seed(1)
    alm, alm2 = healpy.synalm(list(cl), new=True), healpy.synalm(list(cl), new=True)
    m = healpy.alm2map(alm, NSIDE)
    known = {"hp": healpy, "np": np, "armilla": armilla, "ah": armilla.healpy, "m": m, "t": m[0], "alm": alm,
             "alm2": alm2, "cl": cl, "b": np.linspace(1, 0, LMAX + 1)}
    for name, value in tables()["name in this table"]:
        known[name] = eval(value, known)
    return known


def test_every_function_has_a_row():
    text = " ".join(row[1] for row in tables()["healpy"])
    others = {"Alm", "UNSEEN", "clear_plans", "resize_alm"}  # below the table
    assert [name for name in armilla.healpy.__all__ if name not in others and f"ah.{name}(" not in text] == []


@pytest.mark.parametrize("row", tables()["healpy"], ids=lambda row: row[0])
def test_row(names, row):
    tolerance = next((value for key, value in TOLERANCE.items() if key in row[0]), ROUNDING)
    values = []
    for cell in filter(None, row):
        known = {**names, "alm": names["alm"].copy()}
        np.random.seed(3)
        try:
            value = eval(cell, known)
        except (ImportError, OSError) as error:  # healpy of PyPI has optional packages, and downloads pixel windows
            pytest.skip(f"healpy cannot compute this here: {error}")
        values.append(np.asarray(known["alm"] if value is None else value))
    assert len(values) >= 2
    for value in values[1:]:
        assert value.shape == values[0].shape
        for part, right in zip(np.atleast_2d(value), np.atleast_2d(values[0])):
            assert float(np.abs(part - right).max()) <= tolerance * float(np.abs(right).max())
