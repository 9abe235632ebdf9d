"""Samples that no sky has: imaginary parts of a_l0, a last longitude that repeats the first, values at a pole that
depend on longitude, and pixel numbers that occur twice. Right values: closed forms of fields of low degree."""
import h5py
import numpy as np
import pytest

from tiers import RANKS, sweep

LMAX = 6
INDEX = [(l, m) for m in range(LMAX + 1) for l in range(m, LMAX + 1)]
NLAT, NPHI = 9, 16
DEGREE_1 = -np.sqrt(2 * np.pi / 3)  # a_11 of sin(theta) cos(phi)


def write_alm(path, alm, kind=complex):
    with h5py.File(path, "w") as file:
        data = file.create_dataset("alm", data=np.atleast_2d(alm).astype(kind))
        data.attrs["LMAX"], data.attrs["MMAX"], data.attrs["FIELDS"] = LMAX, LMAX, "T"


def read_alm(path):
    with h5py.File(path) as file:
        return file["alm"][()], int(file["alm"].attrs["LMAX"])


def spectrum(path):
    with h5py.File(path) as file:
        return file["cl"][0]


@pytest.fixture
def m0(place):
    """Coefficients as they should be, and those of a file with imaginary parts at m = 0."""
    rng = np.random.default_rng(1)
    alm = np.array([complex(rng.normal(), rng.normal() if m > 0 else 0) for l, m in INDEX])
    write_alm(place.folder / "sound.h5", alm)
    odd = alm.copy()
    odd[3] += 0.7j
    write_alm(place.folder / "odd.h5", odd)
    return alm


@pytest.mark.parametrize("ranks", RANKS)
def test_imaginary_parts_at_m_0_are_ignored_with_one_warning(place, m0, ranks):
    for step, option in (("spectra", []), ("scale", ["--factor", "1"]), ("synthesis", ["--grid", "healpix:4"])):
        results = [place.armilla(step, f"{name}.h5", *option, "-o", f"{name}_out.h5", ranks=ranks)
                   for name in ("sound", "odd")]
        assert [result.code for result in results] == [0, 0], results[1].error
        assert [result.error.count("imaginary parts, up to 0.7 in T") for result in results] == [0, 1]
        with h5py.File(place.folder / "sound_out.h5") as right, h5py.File(place.folder / "odd_out.h5") as found:
            (name,) = {"cl", "alm", "map"} & set(right)
            assert np.array_equal(found[name][()], right[name][()])
    right = [sum((1 if m == 0 else 2) * abs(a)**2 for (n, m), a in zip(INDEX, m0) if n == l) / (2 * l + 1)
             for l in range(LMAX + 1)]
    place.armilla("spectra", "odd.h5", "-o", "cl.h5", ranks=ranks)
    assert np.allclose(spectrum(place.folder / "cl.h5"), right, rtol=1e-14)


@pytest.mark.parametrize("kind,size,warns", [(np.complex64, 1e-6, False), (np.complex64, 1e-4, True),
                                             (complex, 1e-11, False), (complex, 1e-9, True)])
def test_rounding_errors_are_no_reason_for_a_warning(place, m0, kind, size, warns):
    odd = m0 / np.abs(m0).max()
    odd[2] += size * 1j
    write_alm(place.folder / "rounded.h5", odd, kind)
    result = place.armilla("spectra", "rounded.h5", "-o", "cl.h5")
    assert result.code == 0, result.error
    assert ("imaginary" in result.error) == warns


def test_a_campaign_warns_once_about_an_input(place, m0):
    for number in range(4):
        (place.folder / f"odd_{number}.h5").write_bytes((place.folder / "odd.h5").read_bytes())
    result = place.armilla("spectra", "odd_?.h5", "-o", "cl_{}.h5")
    assert result.code == 0, result.error
    assert result.error.count("imaginary") == 1
    place.armilla("spectra", "sound.h5", "-o", "right.h5")
    for number in range(4):
        assert np.array_equal(spectrum(place.folder / f"cl_{number}.h5"), spectrum(place.folder / "right.h5"))


def write_grid_map(path, components, kind, names, spins, theta, nphi):
    """`components`: [component][ring][longitude]."""
    with h5py.File(path, "w") as file:
        data = file.create_dataset("map", data=np.reshape(components, (len(components), -1)).astype(kind))
        data.attrs["FIELDS"], data.attrs["SPINS"] = names, spins
        grid = file.create_group("grid")
        grid.attrs["kind"], grid.attrs["rule"] = "equiangular", "cc"
        grid.attrs["nlat"], grid.attrs["nphi"], grid.attrs["phi0"] = len(theta), nphi, 0.0
        grid["theta"], grid["phi0"] = theta, np.zeros(len(theta))
        grid["nphi"] = np.full(len(theta), nphi)


def sampled(nphi=NPHI, columns=None):
    """theta, phi of a cc grid; `columns`: of which there are this many."""
    theta = np.arange(NLAT) * np.pi / (NLAT - 1)
    phi = np.arange(columns or nphi) % nphi * 2 * np.pi / nphi
    return np.meshgrid(theta, phi, indexing="ij")


def repeated(path, change=None, kind=float, rounded=False):
    """sin(theta) cos(phi - 0.3) with its first longitude again at the end."""
    theta, phi = sampled(columns=NPHI + 1)
    if rounded:
        phi[:, -1] = 2 * np.pi
    values = np.sin(theta) * np.cos(phi - 0.3) + 2 * np.cos(theta)
    if change:
        change(values)
    write_grid_map(path, [values], kind, "T", [0], theta[:, 0], NPHI + 1)


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize("kind, rounded", [(float, False), (float, True), (np.float32, True)])
def test_a_last_longitude_that_repeats_the_first(place, ranks, kind, rounded):
    repeated(place.folder / "map.h5", kind=kind, rounded=rounded)
    place.remember()
    command = ["analysis", "map.h5", "--lmax", 3, "-o", "alm.h5"]
    result = place.armilla(*command, ranks=ranks)
    assert result.code == 2
    (error,) = result.errors()
    assert "map.h5 has the same values at the first and the last longitude of each ring" in error
    assert "--repeated-longitude drop" in error and "--repeated-longitude keep" in error
    assert place.leftovers() == []
    result = place.armilla(*command, "--repeated-longitude", "drop", ranks=ranks)
    assert result.code == 0, result.error
    alm, lmax = read_alm(place.folder / "alm.h5")
    right = np.zeros(alm.shape, complex)
    right[0, lmax + 1] = DEGREE_1 * np.exp(-0.3j)
    right[0, 1] = 2 * np.sqrt(4 * np.pi / 3)
    assert np.abs(alm - right).max() < (1e-14 if kind is float else 1e-6)
    result = place.armilla(*command, "--repeated-longitude", "keep", ranks=ranks)
    assert result.code == 0, result.error
    assert np.abs(read_alm(place.folder / "alm.h5")[0] - right).max() > 0.01


def test_bad_pixels_of_a_dropped_longitude_are_not_counted(place):
    def change(values):
        values[2, 0] = values[2, -1] = np.nan
        values[3, 4] = -1.6375e30
    repeated(place.folder / "map.h5", change)
    result = place.armilla("analysis", "map.h5", "--lmax", 3, "--repeated-longitude", "drop", "-o", "alm.h5")
    assert result.code == 2
    assert "1 NaN or infinite and 1 bad or missing" in result.errors()[0]


def test_only_equal_ends_can_be_dropped(place):
    repeated(place.folder / "map.h5", lambda values: values.__setitem__((4, -1), 7))
    options = ["--repeated-longitude", "drop"]
    result = place.armilla("analysis", "map.h5", "--lmax", 3, *options, "-o", "alm.h5")
    assert result.code == 2
    assert "the last pixel of ring 4 is 7, but the first is" in result.errors()[0]
    assert place.armilla("analysis", "map.h5", "--lmax", 3, "-o", "alm.h5").code == 0
    result = place.armilla("analysis", "sky.h5", "--lmax", 3, *options, "-o", "alm.h5")
    assert result.code == 2
    assert "--repeated-longitude = drop does not apply to sky.h5" in result.errors()[0]


@pytest.mark.parametrize("field", [
    lambda theta, phi: np.where(np.cos(phi) > 0.5, 1.0, 0.0),           # a mask, with other equal neighbours
    lambda theta, phi: np.cos(theta),                                     # no longitudes at all
    lambda theta, phi: np.sin(theta) * np.abs(phi - phi[0, -1] / 2)])     # symmetric about the meridian of both ends
def test_maps_that_may_have_equal_ends(place, field):
    theta, phi = sampled()
    write_grid_map(place.folder / "map.h5", [field(theta, phi)], float, "T", [0], theta[:, 0], NPHI)
    assert place.armilla("analysis", "map.h5", "--lmax", 3, "-o", "alm.h5").code == 0


def constant_vector(theta, phi):
    """Eastward and northward components of a constant vector along x."""
    return [-np.sin(phi), -np.cos(theta) * np.cos(phi)]


POLARISED = [lambda theta, phi: (1 + np.cos(theta)**2) / 2 * np.cos(2 * phi),
             lambda theta, phi: np.cos(theta) * np.sin(2 * phi)]  # real part of spin-2 functions of degree 2, to a sign


@pytest.mark.parametrize("ranks", RANKS)
def test_a_scalar_has_one_value_at_a_pole(place, ranks):
    theta, phi = sampled()
    values = 3 + np.sin(theta) * np.cos(phi)
    values[-1, 5] += 0.1
    write_grid_map(place.folder / "map.h5", [values], float, "T", [0], theta[:, 0], NPHI)
    result = place.armilla("analysis", "map.h5", "--lmax", 3, "-o", "alm.h5", ranks=ranks)
    assert result.code == 0, result.error
    (warning,) = [line for line in result.error.splitlines() if "pole" in line]
    assert "T on ring 8 (south pole) by 0.033 of its rms" in warning and "ring 0" not in warning
    values[-1, 5] = 3 + 2e-4
    write_grid_map(place.folder / "map.h5", [values], float, "T", [0], theta[:, 0], NPHI)
    assert "pole" not in place.armilla("analysis", "map.h5", "--lmax", 3, "-o", "alm.h5", ranks=ranks).error


@pytest.mark.parametrize("ranks", RANKS)
def test_a_vector_turns_with_longitude_at_a_pole(place, ranks):
    theta, phi = sampled()
    values = np.array(constant_vector(theta, phi))
    command = ["analysis", "map.h5", "--lmax", 3, "-o", "alm.h5"]
    write_grid_map(place.folder / "map.h5", values, float, "U,V", [1, 1], theta[:, 0], NPHI)
    result = place.armilla(*command, ranks=ranks)
    assert result.code == 0 and "pole" not in result.error
    for ring in (0, -1):
        values[:, ring] = [[1], [0.5]]
    write_grid_map(place.folder / "map.h5", values, float, "U,V", [1, 1], theta[:, 0], NPHI)
    result = place.armilla(*command, ranks=ranks)
    assert result.code == 0, result.error
    (warning,) = [line for line in result.error.splitlines() if "pole" in line]
    assert "U, V on ring 0 (north pole)" in warning and "U, V on ring 8 (south pole)" in warning


@pytest.mark.parametrize("sign", [1, -1])
def test_polarisation_turns_twice_at_a_pole(place, sign):
    """Q, U of a dipole seen by its scattered light, (1 + mu^2) / 2 exp(2 i phi) at the north; its mirror image in U
    turns in the other sense."""
    theta, phi = sampled()
    values = [POLARISED[0](theta, phi), sign * POLARISED[1](theta, phi)]
    write_grid_map(place.folder / "map.h5", values, float, "Q,U", [2, 2], theta[:, 0], NPHI)
    result = place.armilla("analysis", "map.h5", "--lmax", 3, "-o", "alm.h5")
    assert result.code == 0
    assert ("pole" in result.error) == (sign == 1)


@pytest.mark.parametrize("ranks", [*RANKS, *sweep(7)])
def test_pixel_numbers_that_occur_twice(place, ranks):
    healpy = pytest.importorskip("healpy")
    from astropy.table import Table
    pixels = np.random.default_rng(2).permutation(12 * 16**2)[:700]
    pixels[[400, 600]] = pixels[[20, 10]]
    table = Table({"PIXEL": pixels, "SIGNAL": np.arange(700.0)})
    table.meta.update(PIXTYPE="HEALPIX", ORDERING="NESTED", NSIDE=16, INDXSCHM="EXPLICIT", OBJECT="PARTIAL")
    table.write(place.folder / "map.fits")
    result = place.armilla("analysis", "map.fits", "--bad-data", "zero", "--lmax", 8, "-o", "alm.h5", ranks=ranks)
    assert result.code == 2
    (error,) = result.errors()
    assert f"column 'PIXEL' contains pixel {pixels[400]} twice (again in row 401)" in error
