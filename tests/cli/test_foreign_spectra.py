"""Spectra and windows as other programs write them, in jobs and on the command line."""
import shutil

import h5py
import numpy as np
import pytest

from conftest import DATA

LMAX = 20
ALM = ("steps:\n- random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: %d, seed: 7, out: a}\n" % LMAX)


def degrees():
    """l of each coefficient, m-major."""
    return np.concatenate([np.arange(m, LMAX + 1) for m in range(LMAX + 1)])


def alm(path):
    with h5py.File(path) as file:
        return file["alm"][:]


def product(place, by):
    """Coefficients, and their product with a window."""
    place.job(ALM + f"- multiply: {{alm: a, by: {by}, out: b}}\n"
              "outputs: {a: {file: a.h5}, b: {file: b.h5}}\n")
    result = place.armilla("run", "job.yaml")
    assert result.code == 0, result.error
    return alm(place.folder / "a.h5"), alm(place.folder / "b.h5")


@pytest.mark.parametrize("file, columns", [("beam_teb.fits", [0, 1, 2]), ("beamwf_cmb.fits", [0, 1, 1])])
def test_windows_of_planck_multiply_their_components(place, file, columns):
    shutil.copy(DATA / "foreign" / file, place.folder / file)
    data = (DATA / "foreign" / file).read_bytes()[2 * 2880:]
    windows = np.frombuffer(data, ">f4", 61 * (1 + max(columns))).reshape(61, -1).astype(float)
    before, after = product(place, f"{{window: {file}}}")
    for component, column in enumerate(columns):
        assert np.array_equal(after[component], before[component] * windows[degrees(), column])


def test_windows_without_names_are_named_by_the_job(place):
    lines = [f"{l}, {1 / (1 + l)}, {1 / (2 + l)}, 0.25D0" for l in range(LMAX + 1)]
    (place.folder / "w.csv").write_text("\r\n".join(lines) + "\r\n")
    before, after = product(place, "{window: w.csv, columns: [l, T, E, B]}")
    for component, window in enumerate((1 / (1 + degrees()), 1 / (2 + degrees()), 0.25)):
        assert np.array_equal(after[component], before[component] * window)
    place.job(ALM + "- multiply: {alm: a, by: {window: w.csv}, out: b}\noutputs: {b: {file: b.h5}}\n")
    error = place.armilla("run", "job.yaml").error
    assert "no line names the columns" in error and "columns: [L, TT, EE]" in error
    place.job(ALM + "- multiply: {alm: a, by: {l_range: [2, 9], columns: [l, T]}, out: b}\noutputs: {b: {file: b.h5}}\n")
    assert "applies to the file of a window only" in place.armilla("run", "job.yaml").error


def test_spectra_of_class_are_those_of_camb(place):
    """The file has D_l of C_l = 1000 / l^2; a text file of CAMB with the same numbers gives the same coefficients."""
    text = (DATA / "foreign" / "class_cl.dat").read_text()
    rows = [line.split()[:2] for line in text.splitlines() if not line.startswith("#")]
    (place.folder / "class.dat").write_text(text)
    (place.folder / "camb.dat").write_text("\n".join(["# L TT"] + [" ".join(row) for row in rows]) + "\n")
    (place.folder / "bare.dat").write_text("\n".join(" ".join(row) for row in rows) + "\n")
    found = []
    for file, more in (("class.dat", ""), ("camb.dat", ""), ("bare.dat", ", columns: [l, TT]")):
        place.job(f"inputs: {{cl: {{spectra: {file}, spectrum_kind: dl{more}}}}}\n"
                  "steps:\n- random_alm: {spectrum: cl, fields: [T], lmax: 20, seed: 7, out: a}\n"
                  "outputs: {a: {file: a.h5}}\n")
        result = place.armilla("run", "job.yaml")
        assert result.code == 0, result.error
        found.append(alm(place.folder / "a.h5"))
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0], found[2])


def test_columns_are_named_on_the_command_line(place):
    (place.folder / "cl.txt").write_text("0,0,0\n1,0,0\n2,5.5,1D-3\n")
    command = ["convert", "cl.txt", "cl.h5", "--columns", "l,TT,EE"]
    result = place.armilla(*command)
    assert result.code == 2 and "--spectrum-kind dl" in result.errors()[0] and "--spectrum-kind cl" in result.errors()[0]
    assert place.armilla(*command[:2], "dl.h5", *command[3:], "--spectrum-kind", "dl").code == 0
    with h5py.File(place.folder / "dl.h5") as file:
        assert file["cl"][0, 2] == pytest.approx(5.5 * 2 * np.pi / 6, rel=1e-15)
    result = place.armilla(*command, "--spectrum-kind", "cl")
    assert result.code == 0, result.error
    with h5py.File(place.folder / "cl.h5") as file:
        assert np.array_equal(file["cl"][:], [[0, 0, 5.5], [0, 0, 1e-3]])
    assert "EE" in place.armilla("inspect", "cl.txt", "--columns", "l,TT,EE").out
    assert "no line names the columns" in place.armilla("inspect", "cl.txt").error
