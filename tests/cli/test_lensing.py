"""Steps of lensing from files to files: reference values, ranks, campaigns, and bad input."""
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
    result = place.armilla("run", "job.yaml", "--restart", ranks=ranks)
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
               "  - lens: {alm: a, potential: phi, grid: {healpix: {nside: 1}}, out: y}\n"
               "  - lens_adjoint: {map: y, potential: phi, lmax: 2, weights: grid, magnify: true, out: b}\n"
               "  - inverse_deflection: {potential: phi, lmax: 2, grid: {healpix: {nside: 1}}, out: back}\n"
               "outputs:\n  y: {file: y.h5}\n  b: {file: b.h5}\n  back: {file: back.h5}\n")
        run(sky, job, ranks=1)
        alone, adjoint, inverse = read(sky, "y.h5"), read_alm(sky, "b.h5")[0], read_alm(sky, "back.h5")[0]
        run(sky, job, ranks=ranks)
        assert np.array_equal(alone, read(sky, "y.h5"))
        assert distance(read_alm(sky, "b.h5")[0], adjoint) < 1e-14
        assert np.array_equal(inverse, read_alm(sky, "back.h5")[0])


def read_alm(place, name):
    with h5py.File(place.folder / name) as file:
        return file["alm"][:], file["alm"].attrs["LMAX"]


def dot(a, b, lmax):
    """Over m of both signs."""
    weight = np.concatenate([np.full(lmax + 1 - m, 1 if m == 0 else 2) for m in range(lmax + 1)])
    return np.sum(weight * (a * b.conj()).real)


def write_map(path, values, **attributes):
    with h5py.File(path, "w") as file:
        data = file.create_dataset("map", data=values)
        for key, value in attributes.items():
            data.attrs[key] = value


GAUSS = "{gauss: {nlat: 192}}"
# A draw of T, E, B and a potential whose displacements have an rms of 0.001 rad, and magnifications 0.9 to 1.1.
DRAWN = ("  - random_alm: {spectrum: drawn.dat, spectrum_kind: dl, fields: [T, E, B, P], lmax: 60, seed: 2, out: drawn}\n"
         "  - select: {alm: drawn, fields: [T, E, B], out: a}\n  - select: {alm: drawn, fields: [P], out: phi}\n")


@pytest.fixture
def drawn(place):
    l = np.arange(1, 61)
    table = np.stack([l, 1e3 / l, 30 / l, 1 / l, 20 / l, 2e-8 * l, 0 * l, 0 * l], axis=1)
    np.savetxt(place.folder / "drawn.dat", table, header="L TT EE BB TE PP TP EP")
    return place


def test_adjoint_is_the_transpose_on_any_ranks(sky):
    sky.map("m.h5", 32, 3)
    with h5py.File(sky.folder / "m.h5") as file:
        m = file["map"][:]
    found = []
    for ranks in (1, 2, 3, 7):
        run(sky, INPUTS.replace("steps:", "  m: {map: m.h5}\nsteps:")
            + "  - lens: {alm: tqu, potential: phi, grid: {healpix: {nside: 32}}, accuracy: 1.0e-9, out: y}\n"
            "  - lens_adjoint: {map: m, potential: phi, lmax: 95, accuracy: 1.0e-9, out: b}\n"
            "  - lens_adjoint: {map: m, deflection: d, lmax: 95, accuracy: 1.0e-9, out: c}\n"
            "  - lens_adjoint: {map: m, deflection: d, lmax: 95, weights: grid, accuracy: 1.0e-9, out: w}\n"
            "outputs:\n  y: {file: y.h5}\n  b: {file: b.h5}\n  c: {file: c.h5}\n  w: {file: w.h5}\n", ranks=ranks)
        y, b = read(sky, "y.h5"), read_alm(sky, "b.h5")[0]
        found.append(b)
        assert abs(np.sum(y * m) - sum(dot(x, z, LMAX) for x, z in zip(closed_form(3), b))) < \
            1e-13 * np.linalg.norm(y) * np.linalg.norm(m)
        assert distance(b, found[0]) < 1e-14
        assert distance(read_alm(sky, "c.h5")[0], b) < 1e-14
        assert distance(read_alm(sky, "w.h5")[0], b * 4 * np.pi / m.shape[1]) < 1e-14


def test_adjoint_of_part_of_the_sky_and_in_single_precision(sky):
    run(sky, INPUTS + "  - lens: {alm: tqu, potential: phi, grid: {healpix: {nside: 32, theta_deg: [30, 80]}}, "
        "accuracy: 1.0e-6, out: y}\n  - lens_adjoint: {map: y, potential: phi, lmax: 95, accuracy: 1.0e-6, out: b}\n"
        "outputs:\n  y: {file: y.h5}\n  b: {file: b.h5}\n")
    y, b = read(sky, "y.h5"), read_alm(sky, "b.h5")[0]
    assert abs(np.sum(y * y) / sum(dot(x, z, LMAX) for x, z in zip(closed_form(3), b)) - 1) < 1e-13
    run(sky, "inputs:\n  y: {map: y.h5}\n  d: {alm: deflection.h5, spin: 1}\nsteps:\n"
        "  - lens_adjoint: {map: y, deflection: d, lmax: 95, out: b}\noutputs:\n  b: {file: single.h5}\n"
        "execution: {precision: single}\n")
    assert distance(read_alm(sky, "single.h5")[0], b) < 2e-6


def test_delensing_finds_the_coefficients(drawn):
    run(drawn, "steps:\n" + DRAWN + f"  - lens: {{alm: a, potential: phi, grid: {GAUSS}, accuracy: 1.0e-12, out: y}}\n"
        "  - lens_adjoint: {map: y, potential: phi, lmax: 60, weights: grid, magnify: true, accuracy: 1.0e-12, out: b}\n"
        "  - lens_adjoint: {map: y, potential: phi, lmax: 60, weights: grid, accuracy: 1.0e-12, out: unmagnified}\n"
        "outputs:\n  a: {file: a.h5}\n  b: {file: b.h5}\n  unmagnified: {file: u.h5}\n")
    a = read_alm(drawn, "a.h5")[0]
    # What the integrand has above the degree 2 nlat - 1 = 383 is left.
    assert distance(read_alm(drawn, "b.h5")[0], a) < 1e-10
    assert distance(read_alm(drawn, "u.h5")[0], a) > 1e-3


def test_the_inverse_deflection_undoes_lensing(drawn):
    job = ("steps:\n" + DRAWN + f"  - lens: {{alm: a, potential: phi, grid: {GAUSS}, accuracy: 1.0e-12, out: y}}\n"
           "  - inverse_deflection: {potential: phi, lmax: 191, accuracy: 1.0e-11, out: back}\n"
           "  - analysis: {map: y, lmax: 191, out: l}\n"
           f"  - lens: {{alm: l, deflection: back, grid: {GAUSS}, accuracy: 1.0e-12, out: z}}\n"
           "  - analysis: {map: z, lmax: 60, out: b}\n"
           "outputs:\n  a: {file: a.h5}\n  b: {file: b.h5}\n  back: {file: back.h5}\n")
    drawn.job(job)
    inverses = []
    for ranks in (1, 2, 3, 7):
        result = drawn.armilla("run", "job.yaml", "--restart", "--report", "report.json", ranks=ranks)
        assert result.code == 0, result.error
        a, b = read_alm(drawn, "a.h5")[0], read_alm(drawn, "b.h5")[0]
        assert distance(b, a) < 1e-6
        back, lmax = read_alm(drawn, "back.h5")
        assert lmax == 191
        inverses.append(back)
        assert np.array_equal(inverses[0], back)
    solved, = drawn.report("report.json")["analyses"]
    assert solved["method"] == "newton" and solved["unconverged"] == 0
    assert 3 <= solved["iterations"]["max"] <= 8
    assert 0 < solved["displacement_residual_rad"]["max"] < 1e-12
    assert "displaced points within" in result.out

    # The inverse has degrees above lmax, which a coarse grid takes for others; the default and a finer one agree.
    fine = []
    for grid in ("gauss: {nlat: 257}", "equiangular: {rule: cc, nlat: 257}"):
        run(drawn, job.replace("lmax: 191, accuracy: 1.0e-11", f"grid: {{{grid}}}, lmax: 191"))
        fine.append(read_alm(drawn, "back.h5")[0])
    assert distance(fine[0], inverses[0]) < 3e-5
    assert distance(fine[1], fine[0]) < 3e-6
    run(drawn, job.replace("accuracy: 1.0e-12, ", "").replace("accuracy: 1.0e-11, ", "")
        + "execution: {precision: single}\n")
    assert distance(read_alm(drawn, "back.h5")[0], inverses[0]) < 3e-5


def test_campaigns_of_the_adjoint_and_the_inverse(drawn):
    head = "steps:\n" + DRAWN.replace("out: drawn", "maps: 3, out: drawn")
    one = "  - random_alm: {spectrum: drawn.dat, spectrum_kind: dl, fields: [P], lmax: 40, seed: 5, out: phi}\n"
    tail = ("  - lens: {alm: a, potential: phi, grid: {healpix: {nside: 16}}, out: y}\n"
            "  - lens_adjoint: {map: y, potential: phi, lmax: 40, weights: grid, magnify: true, out: b}\n"
            "  - inverse_deflection: {potential: phi, lmax: 20, grid: {healpix: {nside: 16}}, out: back}\n")
    own = head + tail + "outputs:\n  b: {file: \"b_{}.h5\"}\n  back: {file: \"back_{}.h5\"}\n"
    shared = head.split("  - select: {alm: drawn, fields: [P]")[0] + one + tail + \
        "outputs:\n  b: {file: \"b_{}.h5\"}\n  back: {file: back.h5}\n"
    for job, inverse in ((own, "back_0.h5"), (shared, "back.h5")):
        found = []
        for ranks, groups, batch in ((1, 1, 3), (2, 1, 2), (3, 3, 1)):
            drawn.job(job + f"execution: {{map_groups: {groups}, batch: {batch}}}\n")
            result = drawn.armilla("run", "job.yaml", "--restart", "--report", "report.json", ranks=ranks)
            assert result.code == 0, result.error
            found.append([read_alm(drawn, f"b_{k}.h5")[0] for k in range(3)] + [read_alm(drawn, inverse)[0]])
        for other in found[1:]:
            assert all(distance(x, y) < 1e-14 for x, y in zip(found[0][:3], other))
            assert np.array_equal(found[0][3], other[3])
        assert distance(found[0][0], found[0][1]) > 0.1


def test_maps_of_a_campaign_without_an_inverse_are_left_out(sky):
    l = np.concatenate([np.arange(m, LMAX + 1) for m in range(LMAX + 1)])
    with h5py.File(sky.folder / "potential.h5") as file:
        potential = file["alm"][:]
    for k, factor in enumerate((0.1, 300, 0.05)):
        write_alm(sky.folder / f"p_{k}.h5", factor * potential, ["P"])
    job = ("inputs:\n  p: {alm: \"p_{0..2}.h5\"}\nsteps:\n  - inverse_deflection: {potential: p, lmax: 95, out: back}\n"
           "outputs:\n  back: {file: \"back_{}.h5\"}\nexecution: {on_bad_map: skip, batch: 2}\n")
    for ranks in (1, 3):
        sky.job(job)
        result = sky.armilla("run", "job.yaml", "--restart", "--report", "report.json", ranks=ranks)
        assert result.code == 0, result.error
        report = sky.report("report.json")
        skipped, = report["campaign"]["skipped"]
        assert skipped["map"] == "1" and "no inverse of the deflection was found at" in skipped["reason"]
        assert report["analyses"][0]["maps"] == 3 and report["analyses"][0]["unconverged"] == 1
        assert "NOT CONVERGED: 1 of 3 maps" in result.out
        assert not (sky.folder / "back_1.h5").exists()
        # To first order the inverse is minus the deflection.
        for k, factor in ((0, 0.1), (2, 0.05)):
            assert distance(read_alm(sky, f"back_{k}.h5")[0][0], -factor * np.sqrt(l * (l + 1)) * potential[0]) < factor


def test_different_lmax_are_allowed_and_noted(sky):
    sky.job(INPUTS + "  - resize: {alm: phi, lmax: 60, out: p}\n"
            "  - lens: {alm: tqu, potential: p, grid: {healpix: {nside: 16}}, out: y}\n"
            "  - lens_adjoint: {map: y, potential: p, lmax: 30, weights: grid, magnify: true, out: b}\n"
            "outputs:\n  b: {file: b.h5}\n")
    dry = sky.armilla("run", "job.yaml", "--dry-run")
    assert dry.code == 0, dry.error
    for field in (95, 30):
        assert f"the field has lmax {field}, the deflection lmax 60; each is evaluated up to its own lmax" in dry.out
    result = sky.armilla("run", "job.yaml", "--report", "report.json", ranks=2)
    assert result.code == 0, result.error
    assert sum("the deflection lmax 60" in note for note in sky.report("report.json")["notes"]) == 2


@pytest.mark.parametrize("ranks", (0, 3))
def test_what_no_lens_does_is_warned_of(sky, ranks):
    def warnings(step):
        sky.job(INPUTS + step + "outputs:\n  y: {file: y.h5}\n")
        result = sky.armilla("run", "job.yaml", "--restart", "--report", "report.json", ranks=ranks)
        assert result.code == 0, result.error
        said = sky.report("report.json")["warnings"]
        assert all(text in result.error for text in said)
        return [text for text in said if "is neither used" not in text]

    lens = "  - lens: {alm: tqu, deflection: %s, grid: {healpix: {nside: 8}}, out: y}\n"
    assert warnings(lens % "d") == []
    # Degrees in place of radian, or worse.
    said, = warnings("  - scale: {alm: d, factor: 3000, out: e}\n" + lens % "e")
    assert "of 768 pixels are displaced by more than pi" in said and "steps[1].lens" in said
    said, = warnings("  - scale: {alm: d, factor: 3000, out: e}\n  - synthesis: {alm: e, grid: {healpix: {nside: 8}}, out: v}\n"
                     "  - pointing: {map: v, out: y}\n")
    assert "displaced by more than pi" in said and "steps[2].pointing" in said


@pytest.mark.parametrize("step", [
    "lens: {alm: tqu, deflection: d, grid: {healpix: {nside: 8}}, out: y}",
    "lens: {alm: tqu, potential: phi, grid: {healpix: {nside: 8}}, out: y}",
    "lens_adjoint: {map: m, deflection: d, lmax: 20, out: y}",
    "lens_adjoint: {map: m, potential: phi, lmax: 20, magnify: true, out: y}",
    "inverse_deflection: {potential: phi, lmax: 20, out: y}",
])
def test_other_units_than_radian_are_warned_of(sky, step):
    sky.map("m.h5", 8, 3)
    for name in ("potential.h5", "deflection.h5"):
        with h5py.File(sky.folder / name, "a") as file:
            file["alm"].attrs["UNITS"] = "arcmin"
            file["alm"][...] *= 0.1
    sky.job(INPUTS.replace("steps:", "  m: {map: m.h5}\nsteps:") + f"  - {step}\noutputs:\n  y: {{file: y.h5}}\n")
    for ranks in (0, 3):
        result = sky.armilla("run", "job.yaml", "--restart", ranks=ranks)
        assert result.code == 0, result.error
        assert result.error.count("displacements must be in rad, but the unit of the input is 'arcmin'") == 1, result.error


@pytest.mark.parametrize("ranks", (0, 3))
def test_crossing_pixels_are_warned_of_and_have_no_inverse(sky, ranks):
    sky.map("m.h5", 8, 3)
    head = INPUTS.replace("steps:", "  m: {map: m.h5}\nsteps:") + "  - scale: {alm: d, factor: 300, out: e}\n"
    sky.job(head + "  - lens_adjoint: {map: m, deflection: e, lmax: 25, weights: grid, magnify: true, out: y}\n"
            "outputs:\n  y: {file: y.h5}\n")
    result = sky.armilla("run", "job.yaml", "--restart", "--report", "report.json", ranks=ranks)
    assert result.code == 0, result.error
    aliased, too_far, crossing = [text for text in sky.report("report.json")["warnings"] if "lens_adjoint" in text]
    assert "lens_adjoint.lmax = 25 exceeds the limit of healpix nside 8 of 'm', lmax 23" in aliased
    assert "are displaced by more than pi" in too_far
    assert "the magnification det(dn'/dn) is 0 or negative at" in crossing and "of 768 pixels" in crossing
    (sky.folder / "y.h5").unlink()
    (sky.folder / "report.json").unlink()
    sky.job(head + "  - inverse_deflection: {deflection: e, lmax: 20, accuracy: 1.0e-6, out: y}\n"
            "outputs:\n  y: {file: y.h5}\n")
    refused_job(sky, ranks, "steps[1].inverse_deflection: no inverse of the deflection was found at", "pixels; at the first of "
                "them, pixel ", "determinant", "smooth the deflection, or lower its lmax")


HEALPIX = "grid: {healpix: {nside: 8}}"


@pytest.mark.parametrize("step, words", [
    ("lens: {alm: tqu, potential: phi, deflection: d, grid: {healpix: {nside: 8}}, out: y}", ["both potential and deflection"]),
    ("lens: {alm: tqu, grid: {healpix: {nside: 8}}, out: y}", ["neither potential nor deflection"]),
    ("lens: {alm: tqu, potential: phi, grid: {healpix: {nside: 8}}, accuracy: 1.0e-16, out: y}", ["accuracy", "the best for lmax 95"]),
    ("lens: {alm: tqu, potential: tqu, grid: {healpix: {nside: 8}}, out: y}", ["lens.potential = tqu", "only scalars have a gradient"]),
    ("lens: {alm: tqu, deflection: tqu, grid: {healpix: {nside: 8}}, out: y}", ["single field of spin 1"]),
    ("lens: {alm: tqu, potential: phi, grid: {healpix: {nside: 8}}, accuracy: fine, out: y}", ["accuracy", "fine"]),
    (f"lens: {{alm: short, potential: phi, {HEALPIX}, out: y}}", ["lens.alm = short", "below the spin = 2"]),
    (f"lens: {{alm: tqu, deflection: phi, {HEALPIX}, out: y}}", ["lens.deflection = phi", "single field of spin 1"]),
    (f"lens: {{alm: tqu, potential: none, {HEALPIX}, out: y}}", ["lens.potential = none", "is not defined"]),
    ("lens_adjoint: {map: m, lmax: 20, out: y}", ["lens_adjoint", "neither potential nor deflection"]),
    ("lens_adjoint: {map: m, potential: phi, deflection: d, lmax: 20, out: y}", ["both potential and deflection"]),
    ("lens_adjoint: {map: m, potential: tqu, lmax: 20, out: y}", ["lens_adjoint.potential = tqu", "a single scalar"]),
    ("lens_adjoint: {map: m, deflection: phi, lmax: 20, out: y}", ["lens_adjoint.deflection = phi", "single field of spin 1"]),
    ("lens_adjoint: {map: m, deflection: wind, lmax: 20, out: y}", ["lens_adjoint.deflection = wind", "eastward"]),
    ("lens_adjoint: {map: none, deflection: d, lmax: 20, out: y}", ["lens_adjoint.map = none", "is not defined"]),
    ("lens_adjoint: {map: m, deflection: d, lmax: 1, out: y}", ["lens_adjoint.lmax = 1", "below the spin = 2", "raise lmax"]),
    ("lens_adjoint: {map: m, deflection: d, lmax: 95, accuracy: 1.0e-16, out: y}", ["accuracy", "the best for lmax 95"]),
    ("lens_adjoint: {map: m, deflection: d, lmax: 20, accuracy: 0.6, out: y}", ["accuracy"]),
    ("lens_adjoint: {map: m, deflection: d, lmax: 20, weights: ring, out: y}", ["weights", "ring"]),
    ("lens_adjoint: {map: m, deflection: d, lmax: 20, magnify: grid, out: y}", ["magnify", "grid"]),
    ("lens_adjoint: {map: cap, deflection: d, lmax: 20, weights: grid, out: y}",
     ["lens_adjoint.weights = grid", "requires quadrature weights", "weights: none"]),
    ("lens_adjoint: {map: m, deflection: dipole, lmax: 20, magnify: true, out: y}",
     ["lens_adjoint.deflection = dipole", "lmax = 1", "resize it to lmax = 2"]),
    ("inverse_deflection: {lmax: 20, out: y}", ["inverse_deflection", "neither potential nor deflection"]),
    ("inverse_deflection: {potential: phi, deflection: d, lmax: 20, out: y}", ["both potential and deflection"]),
    ("inverse_deflection: {deflection: tqu, lmax: 20, out: y}", ["inverse_deflection.deflection = tqu", "spin 1"]),
    ("inverse_deflection: {deflection: d, lmax: 0, out: y}", ["lmax = 0", "spin"]),
    ("inverse_deflection: {deflection: d, lmax: 20, accuracy: 1.0e-17, out: y}", ["accuracy", "the best for lmax 95"]),
    (f"inverse_deflection: {{deflection: d, lmax: 40, {HEALPIX}, out: y}}",
     ["inverse_deflection.lmax = 40 exceeds 3 nside - 1 = 23", "finer grid"]),
    ("inverse_deflection: {deflection: d, lmax: 20, grid: {healpix: {nside: 8, theta_deg: [30, 80]}}, out: y}",
     ["inverse_deflection.grid = ", "a full-sky grid with quadrature weights"]),
])
def test_refused(sky, step, words):
    write_map(sky.folder / "m.h5", np.ones((3, 768)), NSIDE=8, ORDERING="RING", FIELDS=["T", "Q", "U"])
    sky.job(INPUTS.replace("steps:", "  m: {map: m.h5}\nsteps:")
            + "  - resize: {alm: tqu, lmax: 1, out: short}\n  - resize: {alm: d, lmax: 1, out: dipole}\n"
            "  - convert_vector: {alm: d, from: theta_phi, to: wind, out: wind}\n"
            "  - synthesis: {alm: tqu, grid: {healpix: {nside: 8, theta_deg: [30, 80]}}, out: cap}\n"
            f"  - {step}\noutputs:\n  y: {{file: y.h5}}\n")
    for ranks in (0, 3):
        refused_job(sky, ranks, *words)


def set_coordinates(place, name, letter):
    with h5py.File(place.folder / name, "a") as file:
        file["alm" if "alm" in file else "map"].attrs["COORDSYS"] = letter


@pytest.mark.parametrize("key, name", [("potential", "phi"), ("deflection", "d")])
def test_coordinates_that_differ_are_refused(sky, key, name):
    sky.map("m.h5", 8, 3)
    head = INPUTS.replace("steps:", "  m: {map: m.h5}\nsteps:")
    for step, first in ((f"lens: {{alm: tqu, {key}: {name}, {HEALPIX}, out: y}}", "tqu"),
                        (f"lens_adjoint: {{map: m, {key}: {name}, lmax: 20, magnify: true, out: y}}", "m")):
        job = head + f"  - {step}\noutputs:\n  y: {{file: y.h5}}\n"
        for other, own in ((sky.folder / "potential.h5", "C"), (sky.folder / "deflection.h5", "C")):
            set_coordinates(sky, other, own)
        for file in ("tqu.h5", "m.h5"):
            set_coordinates(sky, file, "G")
        sky.job(job)
        for ranks in (0, 3):
            refused_job(sky, ranks, f"{key} = {name} is in coordinates C, but '{first}' is in G",
                        f"rotate '{name}' first (step rotate with to: galactic)")
        # Where one does not say, the other holds.
        for file in ("tqu.h5", "m.h5"):
            with h5py.File(sky.folder / file, "a") as data:
                del data["alm" if "alm" in data else "map"].attrs["COORDSYS"]
        run(sky, job)
        with h5py.File(sky.folder / "y.h5") as data:
            assert data["alm" if "alm" in data else "map"].attrs["COORDSYS"] in ("C", b"C")
        (sky.folder / "y.h5").unlink()


def test_the_grid_of_an_inverse_is_that_of_the_deflection(drawn):
    def inverse(lmax, grid=""):
        drawn.job("steps:\n" + DRAWN + f"  - inverse_deflection: {{potential: phi, lmax: {lmax}{grid}, out: back}}\n"
                  "outputs:\n  back: {file: back.h5}\n")
        result = drawn.armilla("run", "job.yaml", "--restart", "--report", "report.json", ranks=2)
        assert result.code == 0, result.error
        return read_alm(drawn, "back.h5")[0], [w for w in drawn.report("report.json")["warnings"] if "coarse" in w]

    for lmax, aliased in ((59, 1e-2), (20, 0.5)):
        fine, said = inverse(lmax, ", grid: {gauss: {nlat: 300}}")
        assert said == []
        found, said = inverse(lmax)
        assert said == []
        # Terms of fifth order are left, each order is 1/20 of the one before.
        assert distance(found, fine) < 3e-6
        coarse, (said,) = inverse(lmax, f", grid: {{gauss: {{nlat: {lmax + 1}}}}}")
        assert "inverse_deflection.grid = gauss" in said and "is too coarse for a deflection with lmax 60" in said
        assert distance(coarse, fine) > aliased


def test_gradients_along_metres_are_no_displacements(sky):
    for unit in (None, "rad", "m"):
        if unit:
            with h5py.File(sky.folder / "potential.h5", "a") as file:
                file["alm"].attrs["UNITS"] = unit
        for radius, warnings in (("", 1 if unit == "m" else 0), ("radius_m: 2.0, ", 1)):
            sky.job(INPUTS + f"  - gradient: {{alm: phi, {HEALPIX}, {radius}out: g}}\n  - pointing: {{map: g, out: y}}\n"
                    "outputs:\n  y: {file: y.h5}\n")
            result = sky.armilla("run", "job.yaml")
            assert result.code == 0, result.error
            assert result.error.count("steps[1].pointing: displacements must be in rad") == warnings, (unit, radius)
