"""Grids whose longitudes begin at -180 degrees, as those of climate files do, are those that begin at 180 degrees."""
import h5py
import numpy as np
import pytest

from conftest import Workplace

NLAT, NPHI = 24, 48
GAUSS = f"{{gauss: {{nlat: {NLAT}}}}}"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return Workplace(tmp_path_factory.mktemp("longitudes"))


@pytest.fixture(scope="module")
def sky(place):
    """A map whose longitudes begin at 0, in east.h5; its values [ring][pixel]."""
    run(place, "steps:\n  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T], lmax: 20, out: truth}\n"
        f"  - synthesis: {{alm: truth, grid: {GAUSS}, out: m}}\n"
        "outputs:\n  m: {file: east.h5}\n  truth: {file: truth.h5}\n")
    with h5py.File(place.folder / "east.h5") as file:
        return file["map"][:].reshape(NLAT, NPHI)


def run(place, text):
    place.job(text)
    result = place.armilla("run", "job.yaml")
    assert result.code == 0, result.error


def read(place, name, kind="map"):
    with h5py.File(place.folder / name) as file:
        return file[kind][:]


def shifted(place, values, name, kind, phi0=-np.pi):
    """The same sky in a file whose rings begin at phi0, half a turn from 0."""
    with h5py.File(place.folder / "east.h5") as east, h5py.File(place.folder / name, "w") as file:
        east.copy("map", file)
        file["map"][0] = np.roll(values, NPHI // 2, axis=1).ravel()
        east.copy("grid", file)
        grid = file["grid"]
        grid.attrs["kind"] = kind
        grid["phi0"][:] = phi0
        if kind == "gauss":
            grid.attrs["phi0"] = phi0


def files(names):
    return "outputs:\n" + "".join(f"  {name}: {{file: {name}.out.h5}}\n" for name in names)


FORMS = {"plus": np.pi, "minus": -np.pi}


def test_maps_in_files(place, sky):
    names = ["east"]
    for kind in ("gauss", "rings"):
        for form, phi0 in FORMS.items():
            shifted(place, sky, f"{kind}_{form}.h5", kind, phi0)
            names.append(f"{kind}_{form}")
    run(place, "inputs:\n" + "".join(f"  {name}: {{map: {name}.h5}}\n" for name in names) + "steps:\n" + "".join(
        f"  - analysis: {{map: {name}, lmax: 20, out: a_{name}}}\n" for name in names) + files([f"a_{name}" for name in names]))
    expected = read(place, "a_east.out.h5", "alm")
    for name in names:
        assert np.max(np.abs(read(place, f"a_{name}.out.h5", "alm") - expected)) < 1e-13 * np.max(np.abs(expected)), name


def test_grids_of_a_job(place, sky):
    shifted(place, sky, "rings.h5", "rings")
    grids = {f"{kind}_{form}": f"{{{kind}: {{nlat: 24{', rule: f1' if kind == 'equiangular' else ''}, phi0: {phi0!r}}}}}"
             for kind in ("gauss", "equiangular", "reduced_gauss") for form, phi0 in FORMS.items()}
    grids["rings"] = "{rings: {file: rings.h5}}"
    run(place, "inputs:\n  truth: {alm: truth.h5}\nsteps:\n" + "".join(
        f"  - synthesis: {{alm: truth, grid: {grid}, out: {name}}}\n" for name, grid in grids.items()) + files(grids))
    for kind in ("gauss", "equiangular", "reduced_gauss"):
        assert np.array_equal(*(read(place, f"{kind}_{form}.out.h5") for form in FORMS)), kind
    for name in ("gauss_plus", "rings"):
        values = read(place, f"{name}.out.h5").reshape(NLAT, NPHI)
        assert np.allclose(values, np.roll(sky, NPHI // 2, axis=1), rtol=0, atol=1e-13 * np.abs(sky).max())


def test_map_and_mask_may_write_the_same_longitude_differently(place, sky):
    pairs = [("minus", "plus"), ("plus", "minus"), ("minus", "minus")]
    for form, phi0 in FORMS.items():
        shifted(place, sky, f"sky_{form}.h5", "rings", phi0)
        shifted(place, np.ones_like(sky), f"mask_{form}.h5", "rings", phi0)
    run(place, "inputs:\n" + "".join(f"  {kind}_{form}: {{map: {kind}_{form}.h5}}\n" for kind in ("sky", "mask") for form in FORMS)
        + "steps:\n" + "".join(f"  - mask: {{map: sky_{one}, mask: mask_{other}, out: {one}_{other}}}\n" for one, other in pairs)
        + files([f"{one}_{other}" for one, other in pairs]))
    for one, other in pairs:
        values = read(place, f"{one}_{other}.out.h5").reshape(NLAT, NPHI)
        assert np.array_equal(values, np.roll(sky, NPHI // 2, axis=1))


def test_a_picture(place, sky):
    shifted(place, sky, "west.h5", "gauss")
    for name in ("east", "west"):
        result = place.armilla("view", f"{name}.h5", "-o", f"{name}.png", "--width", "300", "--min", "-1", "--max", "1")
        assert result.code == 0, result.error
    assert (place.folder / "east.png").read_bytes() == (place.folder / "west.png").read_bytes()
