"""Grids whose longitudes begin at -180 degrees, as those of climate files do, are those that begin at 180 degrees."""
import h5py
import numpy as np
import pytest

NLAT, NPHI = 24, 48
GAUSS = f"{{gauss: {{nlat: {NLAT}}}}}"
ANALYSIS = """inputs:
  sky: {map: FILE}
steps:
  - analysis: {map: sky, lmax: 20, out: a}
outputs:
  a: {file: a_FILE}
"""


@pytest.fixture
def sky(place):
    """A map whose longitudes begin at 0, in east.h5; its values [ring][pixel]."""
    place.job("steps:\n  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T], lmax: 20, out: truth}\n"
              f"  - synthesis: {{alm: truth, grid: {GAUSS}, out: m}}\n"
              "outputs:\n  m: {file: east.h5}\n  truth: {file: truth.h5}\n", "sky.yaml")
    assert place.armilla("run", "sky.yaml").code == 0
    with h5py.File(place.folder / "east.h5") as file:
        return file["map"][:].reshape(NLAT, NPHI)


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


def alm_of(place, name):
    place.job(ANALYSIS.replace("FILE", name))
    result = place.armilla("run", "job.yaml")
    assert result.code == 0, result.error
    with h5py.File(place.folder / f"a_{name}") as file:
        data = file["alm"][:]
        return data


@pytest.mark.parametrize("kind", ["gauss", "rings"])
@pytest.mark.parametrize("phi0", [-np.pi, np.pi])
def test_maps_in_files(place, sky, kind, phi0):
    shifted(place, sky, "west.h5", kind, phi0)
    expected, found = alm_of(place, "east.h5"), alm_of(place, "west.h5")
    assert np.max(np.abs(found - expected)) < 1e-13 * np.max(np.abs(expected))


@pytest.mark.parametrize("kind", ["gauss", "equiangular", "reduced_gauss"])
def test_grids_of_a_job(place, sky, kind):
    rule = ", rule: f1" if kind == "equiangular" else ""
    maps = []
    for number, phi0 in enumerate([-np.pi, np.pi]):
        grid = f"{{{kind}: {{nlat: 24{rule}, phi0: {phi0!r}}}}}"
        place.job("inputs:\n  truth: {alm: truth.h5}\nsteps:\n"
                  f"  - synthesis: {{alm: truth, grid: {grid}, out: m}}\noutputs:\n  m: {{file: m{number}.h5}}\n")
        result = place.armilla("run", "job.yaml")
        assert result.code == 0, result.error
        with h5py.File(place.folder / f"m{number}.h5") as file:
            maps.append(file["map"][:])
    assert np.array_equal(*maps)
    if kind == "gauss":
        assert np.allclose(maps[0].reshape(NLAT, NPHI), np.roll(sky, NPHI // 2, axis=1), rtol=0, atol=1e-13 * np.abs(sky).max())


def test_a_grid_of_rings(place, sky):
    shifted(place, sky, "rings.h5", "rings")
    place.job("inputs:\n  truth: {alm: truth.h5}\nsteps:\n"
              "  - synthesis: {alm: truth, grid: {rings: {file: rings.h5}}, out: m}\noutputs:\n  m: {file: m.h5}\n")
    assert place.armilla("run", "job.yaml").code == 0
    with h5py.File(place.folder / "m.h5") as file:
        values = file["map"][:].reshape(NLAT, NPHI)
    assert np.allclose(values, np.roll(sky, NPHI // 2, axis=1), rtol=0, atol=1e-13 * np.abs(sky).max())


@pytest.mark.parametrize("map_phi0, mask_phi0", [(-np.pi, np.pi), (np.pi, -np.pi), (-np.pi, -np.pi)])
def test_map_and_mask_may_write_the_same_longitude_differently(place, sky, map_phi0, mask_phi0):
    shifted(place, sky, "west.h5", "rings", map_phi0)
    shifted(place, np.ones_like(sky), "mask.h5", "rings", mask_phi0)
    place.job("""inputs:
  sky: {map: west.h5}
  mask: {map: mask.h5}
steps:
  - mask: {map: sky, mask: mask, out: masked}
outputs:
  masked: {file: masked.h5}
""")
    result = place.armilla("run", "job.yaml")
    assert result.code == 0, result.error
    with h5py.File(place.folder / "masked.h5") as file:
        assert np.array_equal(file["map"][:].reshape(NLAT, NPHI), np.roll(sky, NPHI // 2, axis=1))


def test_a_picture(place, sky):
    shifted(place, sky, "west.h5", "gauss")
    for name in ("east", "west"):
        result = place.armilla("view", f"{name}.h5", "-o", f"{name}.png", "--width", "300", "--min", "-1", "--max", "1")
        assert result.code == 0, result.error
    assert (place.folder / "east.png").read_bytes() == (place.folder / "west.png").read_bytes()
