"""The steps lens and pointing from files to files: reference values, ranks, campaigns, and bad input."""
import h5py
import numpy as np
import pytest

from conftest import DATA
from test_bad_input import refused as refused_job

LMAX = 95


def index(lmax, l, m):
    return m * (2 * lmax + 1 - m) // 2 + l


def closed_form(components):
    """[component][index], as the README of the reference files says."""
    alm = np.zeros((components, (LMAX + 1) * (LMAX + 2) // 2), dtype=complex)
    for c in range(components):
        for m in range(LMAX + 1):
            l = np.arange(max(m, 2 if c > 0 else 0), LMAX + 1)
            imaginary = np.sin(1.1 * l - 0.4 * m + 0.9 * c) if m > 0 else 0
            alm[c, index(LMAX, l, m)] = (np.cos(0.7 * l + 1.3 * m + 0.5 * c) + 1j * imaginary) / (l + 1)
    return alm


def write_alm(path, alm, fields, lmax=LMAX):
    with h5py.File(path, "w") as file:
        data = file.create_dataset("alm", data=alm)
        data.attrs["LMAX"], data.attrs["MMAX"], data.attrs["FIELDS"] = lmax, lmax, fields


def read(place, name):
    with h5py.File(place.folder / name) as file:
        return file["map"][:]


def distance(a, b):
    return np.sqrt(np.mean(np.abs(a - b) ** 2) / np.mean(np.abs(b) ** 2))


@pytest.fixture
def sky(place):
    """tqu.h5, potential.h5 and deflection.h5 of the reference."""
    with h5py.File(DATA / "reference" / "lensing.h5") as file:
        group = file["lensing"]
        potential = group["potential_alm"][:] @ [1, 1j]
        place.pointing, place.unturned = group["pointing"][:], group["tqu_without_rotation"][:]
    write_alm(place.folder / "tqu.h5", closed_form(3), ["T", "E", "B"])
    write_alm(place.folder / "potential.h5", potential, ["P"])
    l = np.concatenate([np.arange(m, LMAX + 1) for m in range(LMAX + 1)])
    write_alm(place.folder / "deflection.h5", np.stack([np.sqrt(l * (l + 1)) * potential[0], 0 * potential[0]]),
              ["E_D", "B_D"])
    return place


INPUTS = ("inputs:\n  tqu: {alm: tqu.h5}\n  phi: {alm: potential.h5}\n  d: {alm: deflection.h5, spin: 1}\nsteps:\n")


def run(place, text, ranks=2):
    place.job(text)
    result = place.armilla("run", "job.yaml", ranks=ranks)
    assert result.code == 0, result.error
    return result


def test_reference_values_on_any_ranks(sky):
    maps = []
    for ranks in (1, 2, 3, 7):
        run(sky, INPUTS + "  - lens: {alm: tqu, potential: phi, grid: {healpix: {nside: 32}}, accuracy: 1.0e-12, out: y}\n"
            "  - lens: {alm: tqu, deflection: d, grid: {healpix: {nside: 32}}, accuracy: 1.0e-12, out: z}\n"
            "  - gradient: {alm: phi, grid: {healpix: {nside: 32}}, out: g}\n  - pointing: {map: g, out: p}\n"
            "outputs:\n  y: {file: y.h5}\n  z: {file: z.h5}\n  p: {file: p.h5}\n", ranks=ranks)
        maps.append(read(sky, "y.h5"))
        assert np.array_equal(maps[0], maps[-1])
    there = sky.unturned[1] + 1j * sky.unturned[2]
    here = there * np.exp(2j * sky.pointing[:, 2])
    assert distance(maps[0], np.stack([sky.unturned[0], here.real, here.imag])) < 1e-11
    assert distance(read(sky, "z.h5"), maps[0]) < 1e-13
    theta, phi, gamma = read(sky, "p.h5")
    assert np.max(np.abs(theta - sky.pointing[:, 0])) < 1e-12
    assert np.max(np.abs(np.sin(theta) * (np.exp(1j * phi) - np.exp(1j * sky.pointing[:, 1])))) < 1e-12
    assert np.max(np.abs(np.sin(theta) * (gamma - sky.pointing[:, 2]))) < 1e-12


def test_single_precision_and_other_grids(sky):
    for precision, limit in (("double", 1e-7), ("single", 3e-6)):
        for grid in ("gauss: {nlat: 97}", "healpix: {nside: 32, theta_deg: [30, 80]}"):
            run(sky, INPUTS + f"  - lens: {{alm: tqu, potential: phi, grid: {{{grid}}}, out: y}}\n"
                f"  - lens: {{alm: tqu, potential: phi, grid: {{{grid}}}, accuracy: {1e-12 if precision == 'double' else 1e-6}, "
                "out: z}\noutputs:\n  y: {file: y.h5}\n  z: {file: z.h5}\n"
                f"execution: {{precision: {precision}}}\n")
            assert distance(read(sky, "y.h5"), read(sky, "z.h5")) < limit


def test_campaigns_share_a_potential_or_have_their_own(sky):
    head = ("steps:\n  - random_alm: {spectrum: potential.dat, spectrum_kind: dl, fields: [T, E, B, P], lmax: 40, seed: 2, "
            "maps: 3, out: drawn}\n  - select: {alm: drawn, fields: [T, E, B], out: a}\n")
    l = np.arange(1, 61)
    table = np.stack([l, 1e3 / l, 30 / l, 1 / l, 20 / l, 2e-6 * l, 1e-4 * l ** 0.5, 1e-6 * l], axis=1)
    np.savetxt(sky.folder / "potential.dat", table, header="L TT EE BB TE PP TP EP")
    own = "  - select: {alm: drawn, fields: [P], out: p}\n"
    one = "  - random_alm: {spectrum: potential.dat, spectrum_kind: dl, fields: [P], lmax: 40, seed: 5, out: p}\n"
    lens = "  - lens: {alm: a, potential: p, grid: {healpix: {nside: 16}}, out: y}\noutputs:\n  y: {file: \"y_{}.h5\"}\n"
    for potential in (own, one):
        found = []
        for ranks, groups, batch in ((1, 1, 3), (2, 1, 2), (3, 3, 1)):
            run(sky, head + potential + lens + f"execution: {{map_groups: {groups}, batch: {batch}}}\n", ranks=ranks)
            found.append([read(sky, f"y_{k}.h5") for k in range(3)])
        for other in found[1:]:
            assert all(np.array_equal(x, y) for x, y in zip(found[0], other))
        assert not np.array_equal(found[0][0], found[0][1])


def test_spectra_of_a_potential_have_the_scales_of_camb(sky):
    l = np.arange(1, 201)
    flat = 1.0 * l * (l + 1) / (2 * np.pi)
    table = np.stack([l, flat, flat * l * (l + 1), 0.5 * flat * np.sqrt(l * (l + 1.0))], axis=1)
    np.savetxt(sky.folder / "potential.dat", table, header="L TT PP TP")
    run(sky, "steps:\n  - random_alm: {spectrum: potential.dat, spectrum_kind: dl, fields: [T, P], lmax: 200, seed: 3, out: a}\n"
        "outputs:\n  a: {file: a.h5}\n")
    with h5py.File(sky.folder / "a.h5") as file:
        t, p = file["alm"][:][:, 1:]
    weight = np.concatenate([np.arange(m, 201) * 0 + (1 if m == 0 else 2) for m in range(201)])[1:]
    for x, y, expected in ((t, t, 1), (p, p, 1), (t, p, 0.5)):
        assert abs(np.sum(weight * (x * y.conj()).real) / 201 ** 2 - expected) < 0.03


def test_more_ranks_than_rows(sky):
    for lmax, ranks in ((2, 20), (3, 17)):
        job = (f"steps:\n  - random_alm: {{spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: {lmax}, seed: 3, out: a}}\n"
               f"  - random_alm: {{spectrum: dl.dat, spectrum_kind: dl, fields: [T], lmax: {lmax}, seed: 4, out: p}}\n"
               "  - scale: {alm: p, factor: 1.0e-5, out: phi}\n"
               "  - lens: {alm: a, potential: phi, grid: {healpix: {nside: 1}}, out: y}\noutputs:\n  y: {file: y.h5}\n")
        run(sky, job, ranks=1)
        alone = read(sky, "y.h5")
        run(sky, job, ranks=ranks)
        assert np.array_equal(alone, read(sky, "y.h5"))


@pytest.mark.parametrize("step, words", [
    ("lens: {alm: tqu, potential: phi, deflection: d, grid: {healpix: {nside: 8}}, out: y}", ["both potential and deflection"]),
    ("lens: {alm: tqu, grid: {healpix: {nside: 8}}, out: y}", ["neither potential nor deflection"]),
    ("lens: {alm: tqu, potential: phi, grid: {healpix: {nside: 8}}, accuracy: 1.0e-16, out: y}", ["accuracy", "the best for lmax 95"]),
    ("lens: {alm: tqu, potential: tqu, grid: {healpix: {nside: 8}}, out: y}", ["lens.potential = tqu", "a gradient is of scalars"]),
    ("lens: {alm: tqu, deflection: tqu, grid: {healpix: {nside: 8}}, out: y}", ["one field of spin 1"]),
    ("lens: {alm: tqu, potential: phi, grid: {healpix: {nside: 8}}, accuracy: fine, out: y}", ["accuracy", "fine"]),
])
def test_refused(sky, step, words):
    sky.job(INPUTS + f"  - {step}\noutputs:\n  y: {{file: y.h5}}\n")
    for ranks in (0, 3):
        refused_job(sky, ranks, *words)
