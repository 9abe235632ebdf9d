"""Points and values from files to files: reference values, ranks, campaigns, catalogues of all formats, and bad input."""
import h5py
import numpy as np
import pytest

from conftest import DATA
from test_bad_input import refused as refused_job
from test_lensing import distance, index, write_alm

LMAX = 150
EVERY_M = np.concatenate([np.full(LMAX + 1 - m, m) for m in range(LMAX + 1)])


def closed_form(spin):
    """[component][index], as the README of the reference files says."""
    components = 1 if spin == 0 else 2
    alm = np.zeros((components, (LMAX + 1) * (LMAX + 2) // 2), dtype=complex)
    for c in range(components):
        for m in range(LMAX + 1):
            l = np.arange(max(m, spin), LMAX + 1)
            imaginary = np.sin(1.1 * l - 0.4 * m + 0.9 * c) if m > 0 else 0
            alm[c, index(LMAX, l, m)] = (np.cos(0.7 * l + 1.3 * m + 0.5 * c) + 1j * imaginary) / (l + 1)
    return alm


def write_points(path, theta, phi, values=None, **attributes):
    with h5py.File(path, "w") as file:
        file["theta"], file["phi"] = theta, phi
        if values is not None:
            data = file.create_dataset("values", data=values)
            data.attrs.update(attributes)


def read_values(place, name):
    with h5py.File(place.folder / name) as file:
        return file["values"][:]


def read_alm(place, name):
    with h5py.File(place.folder / name) as file:
        return file["alm"][:]


def run(place, text, ranks=2, threads=1):
    place.job(text)
    result = place.armilla("run", "job.yaml", "--restart", "--report", "report.json", ranks=ranks, threads=threads)
    assert result.code == 0, result.error
    return result


@pytest.fixture
def catalogues(place):
    """alm{s}.h5, points{s}.h5 and values{s}.h5 of each spin s of the reference."""
    place.reference = {}
    with h5py.File(DATA / "reference" / "nonuniform.h5") as file:
        for spin in range(4):
            group = {key: data[:] for key, data in file[f"nonuniform/spin{spin}"].items()}
            place.reference[spin] = group
            names = ["T"] if spin == 0 else ["E", "B"]
            write_alm(place.folder / f"alm{spin}.h5", closed_form(spin), names, LMAX)
            write_points(place.folder / f"points{spin}.h5", group["theta"], group["phi"])
            write_points(place.folder / f"values{spin}.h5", group["theta"], group["phi"], group["adjoint_in"])
    return place


def inputs(spin):
    said = "" if spin == 0 else f", spin: {spin}"
    return (f"inputs:\n  a: {{alm: alm{spin}.h5{said}}}\n  p: {{points: points{spin}.h5}}\n"
            f"  x: {{values: values{spin}.h5{said}}}\nsteps:\n")


@pytest.mark.parametrize("spin", range(4))
def test_reference_values_on_any_ranks(catalogues, spin):
    reference = catalogues.reference[spin]
    first = None
    for ranks, threads in ((1, 2), (2, 1), (3, 1), (7, 1)):
        run(catalogues, inputs(spin) + "  - synthesis_at: {alm: a, points: p, accuracy: 1.0e-12, out: v}\n"
            f"  - adjoint_synthesis_at: {{values: x, lmax: {LMAX}, accuracy: 1.0e-12, out: b}}\n"
            "outputs:\n  v: {file: v.h5}\n  b: {file: b.h5}\n", ranks, threads)
        values, alm = read_values(catalogues, "v.h5"), read_alm(catalogues, "b.h5")
        assert distance(values, reference["values"]) < 1e-12
        assert distance(alm, reference["adjoint_alm"] @ [1, 1j]) < 1e-12
        if first is None:
            first = values, alm
        assert np.array_equal(first[0], values)
        assert distance(alm, first[1]) < 1e-14


def test_the_default_accuracy(catalogues):
    for precision, limit in (("double", 1e-10), ("single", 1e-6)):
        run(catalogues, inputs(2) + "  - synthesis_at: {alm: a, points: p, out: v}\n"
            f"  - adjoint_synthesis_at: {{values: x, lmax: {LMAX}, out: b}}\n"
            f"outputs:\n  v: {{file: v.h5}}\n  b: {{file: b.h5}}\nexecution: {{precision: {precision}}}\n")
        error = distance(read_values(catalogues, "v.h5"), catalogues.reference[2]["values"])
        assert 1e-15 < error < limit
        assert distance(read_alm(catalogues, "b.h5"), catalogues.reference[2]["adjoint_alm"] @ [1, 1j]) < limit


def test_a_gradient_is_that_of_the_grid(catalogues):
    """At the pixels of a grid, where the step gradient gives the same by another transform."""
    healpy = pytest.importorskip("healpy")
    theta, phi = healpy.pix2ang(16, np.arange(12 * 16 * 16))
    write_points(catalogues.folder / "pixels.h5", theta, phi)
    for axes in ("theta_phi", "east_north"):
        said = f"axes: {axes}, radius_m: 6371000"
        run(catalogues, "inputs:\n  a: {alm: alm0.h5}\n  p: {points: pixels.h5}\nsteps:\n"
            f"  - gradient_at: {{alm: a, points: p, {said}, accuracy: 1.0e-12, out: v}}\n"
            f"  - gradient: {{alm: a, grid: {{healpix: {{nside: 16}}}}, {said}, out: m}}\n"
            "outputs:\n  v: {file: v.h5}\n  m: {file: m.h5}\n", ranks=3)
        with h5py.File(catalogues.folder / "m.h5") as file:
            expected, named = file["map"][:], file["map"].attrs["FIELDS"]
        with h5py.File(catalogues.folder / "v.h5") as file:
            assert list(file["values"].attrs["FIELDS"]) == list(named)
        assert distance(read_values(catalogues, "v.h5"), expected) < 1e-11


def test_few_points_many_ranks_and_equal_points(catalogues):
    for theta, phi in (([0.3], [1.0]), ([1.0, 2.0], [0.0, 4.0]), ([0.7] * 50, [-9.5] * 50), ([0.0, np.pi], [3.0, 3.0])):
        write_points(catalogues.folder / "few.h5", theta, phi, np.ones((2, len(theta))))
        found = []
        for ranks in (1, 3, 7):
            run(catalogues, "inputs:\n  a: {alm: alm2.h5}\n  x: {values: few.h5, spin: 2}\nsteps:\n"
                "  - synthesis_at: {alm: a, points: x, out: v}\n"
                "  - adjoint_synthesis_at: {values: x, lmax: 40, mmax: 30, out: b}\n"
                "outputs:\n  v: {file: v.h5}\n  b: {file: b.h5}\n", ranks)
            found.append((read_values(catalogues, "v.h5"), read_alm(catalogues, "b.h5")))
            assert np.all(np.isfinite(found[-1][0])) and np.ptp(found[-1][0], axis=1).max() < 1e3
            if len(set(theta)) == 1:
                assert np.allclose(found[-1][0], found[-1][0][:, :1], rtol=0, atol=1e-12)
        for values, alm in found[1:]:
            assert np.array_equal(values, found[0][0])
            assert distance(alm, found[0][1]) < 1e-14


def test_the_adjoint_is_the_transpose(catalogues):
    run(catalogues, inputs(2) + "  - synthesis_at: {alm: a, points: x, out: v}\n"
        f"  - adjoint_synthesis_at: {{values: x, lmax: {LMAX}, out: b}}\noutputs:\n  v: {{file: v.h5}}\n  b: {{file: b.h5}}\n")
    values, given = read_values(catalogues, "v.h5"), catalogues.reference[2]["adjoint_in"]
    weight = np.where(EVERY_M == 0, 1, 2)
    a, b = closed_form(2), read_alm(catalogues, "b.h5")
    difference = np.sum(values * given) - np.sum(weight * (a * b.conj()).real)
    assert abs(difference) < 1e-13 * np.linalg.norm(values) * np.linalg.norm(given)


def test_catalogues_of_all_formats(catalogues):
    """The same points in degrees, as text and FITS, with other names: the same values, and IAU has the other sign of U."""
    Table = pytest.importorskip("astropy.table").Table
    reference = catalogues.reference[2]
    ra, dec = np.degrees(reference["phi"]), 90 - np.degrees(reference["theta"])
    q, u = reference["adjoint_in"]
    table = Table({"name": [f"s{i}" for i in range(len(ra))], "x": ra, "y": dec, "e1": q, "e2": -u})
    table.write(catalogues.folder / "iau.fits")
    table["name", "x", "y", "e1", "e2"].write(catalogues.folder / "iau.csv")
    run(catalogues, inputs(2) + f"  - adjoint_synthesis_at: {{values: x, lmax: {LMAX}, out: b}}\noutputs:\n  b: {{file: b.h5}}\n")
    expected = read_alm(catalogues, "b.h5")
    said = "coordinates: ra_dec, columns: [x, y], value_columns: [e1, e2], polcconv: IAU"
    for name in ("iau.fits", "iau.csv"):
        for field in ("spin: 2", "fields: [Q, U]"):
            run(catalogues, f"inputs:\n  x: {{values: {name}, {said}, {field}}}\nsteps:\n"
                f"  - adjoint_synthesis_at: {{values: x, lmax: {LMAX}, out: b}}\noutputs:\n  b: {{file: b.h5}}\n")
            assert distance(read_alm(catalogues, "b.h5"), expected) < 1e-11
            with h5py.File(catalogues.folder / "b.h5") as file:
                coordsys = file["alm"].attrs["COORDSYS"]
            assert (coordsys.decode() if isinstance(coordsys, bytes) else coordsys) == "C"


@pytest.mark.parametrize("precision, limit", [("double", 1e-15), ("single", 1e-6)])
@pytest.mark.parametrize("name", ["v.h5", "v.fits", "v.csv", "v.txt"])
def test_outputs_come_back_as_inputs(catalogues, name, precision, limit):
    head = inputs(2) + "  - synthesis_at: {alm: a, points: p, out: v}\n"
    run(catalogues, head + f"outputs:\n  v: {{file: {name}, precision: {precision}}}\n", ranks=1)
    first = (catalogues.folder / name).read_bytes()
    run(catalogues, head + f"outputs:\n  v: {{file: {name}, precision: {precision}}}\n", ranks=3)
    assert (catalogues.folder / name).read_bytes() == first
    run(catalogues, head.replace("x: {values: values2.h5", f"x: {{values: {name}") +
        "  - compare: {values: v, reference: x}\n", ranks=3)
    found, = catalogues.report("report.json")["comparisons"]
    assert found["values"] == "v" and set(found["relative_rms"]) == {"Q", "U"}
    assert max(found["relative_rms"].values()) <= limit
    assert max(found["largest_difference"].values()) <= 10 * limit


def test_compare_says_how_far_values_are_apart(catalogues):
    reference = catalogues.reference[0]
    values = reference["adjoint_in"]
    write_points(catalogues.folder / "other.h5", reference["theta"], reference["phi"] + 2 * np.pi, values + 0.25)
    for ranks in (1, 3):
        result = run(catalogues, "inputs:\n  x: {values: values0.h5}\n  y: {values: other.h5}\nsteps:\n"
                     "  - compare: {values: x, reference: y}\n", ranks)
        found, = catalogues.report("report.json")["comparisons"]
        assert found["largest_difference"]["T"] == pytest.approx(0.25, rel=1e-12)
        assert found["relative_rms"]["T"] == pytest.approx(0.25 / np.sqrt(np.mean((values + 0.25) ** 2)), rel=1e-12)
        assert "largest difference:  T 2.50e-01" in result.out


def test_campaigns_share_a_catalogue(catalogues):
    job = ("inputs:\n  p: {points: points2.h5}\nsteps:\n"
           "  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 40, seed: 2, maps: 5, out: a}\n"
           "  - select: {alm: a, fields: [T], out: t}\n"
           "  - synthesis_at: {alm: a, points: p, out: v}\n  - gradient_at: {alm: t, points: p, out: g}\n"
           "  - adjoint_synthesis_at: {values: v, lmax: 20, out: b}\n"
           "outputs:\n  v: {file: \"v_{}.h5\"}\n  g: {file: \"g_{}.fits\"}\n  b: {file: \"b_{}.h5\"}\n")
    names = [f"{kind}_{k}" for kind in ("v", "g") for k in range(5)]
    ending = {"v": ".h5", "g": ".fits"}
    found = []
    for ranks, groups, batch in ((1, 1, 5), (2, 1, 2), (3, 3, 1)):
        run(catalogues, job + f"execution: {{map_groups: {groups}, batch: {batch}}}\n", ranks)
        found.append([(catalogues.folder / (name + ending[name[0]])).read_bytes() for name in names])
        found[-1].append(read_alm(catalogues, "b_3.h5"))
    for other in found[1:]:
        assert other[:-1] == found[0][:-1]
        assert distance(other[-1], found[0][-1]) < 1e-13
    assert found[0][0] != found[0][1]
    catalogues.job(job.replace("v_{}.h5", "v.h5"))
    refused_job(catalogues, 0, "v.h5", "add the placeholder '{}' to its name")


def test_campaigns_of_values_have_one_catalogue(catalogues):
    reference = catalogues.reference[2]
    for k in range(3):
        write_points(catalogues.folder / f"x_{k}.h5", reference["theta"], reference["phi"] + 1e-12 * k,
                     np.roll(reference["adjoint_in"], k, axis=1))
    job = ("inputs:\n  x: {values: \"x_{0..2}.h5\", spin: 2}\n  one: {values: x_0.h5, spin: 2}\n  p: {points: x_0.h5}\n"
           "steps:\n  - adjoint_synthesis_at: {values: x, lmax: 30, out: b}\n"
           "  - synthesis_at: {alm: b, points: p, out: v}\n  - compare: {values: x, reference: one}\n"
           "outputs:\n  b: {file: b.h5}\n  v: {file: \"v_{}.h5\"}\n")
    found = []
    for ranks, groups, batch in ((1, 1, 3), (3, 1, 2), (2, 2, 1)):
        run(catalogues, job + f"execution: {{map_groups: {groups}, batch: {batch}}}\n", ranks)
        found.append((read_alm(catalogues, "b.h5"), read_values(catalogues, "v_2.h5")))
        for one, other in zip(found[-1], found[0]):
            assert distance(one, other) < 1e-13
        comparison, = catalogues.report("report.json")["comparisons"]
        assert comparison["maps"] == 3 and comparison["relative_rms"]["Q"] > 0.1
    for k in range(3):
        run(catalogues, f"inputs:\n  x: {{values: x_{k}.h5, spin: 2}}\nsteps:\n"
            "  - adjoint_synthesis_at: {values: x, lmax: 30, out: b}\noutputs:\n  b: {file: b.h5}\n", ranks=1)
        # As points are those of the first file, up to lmax times 2e-12.
        assert distance(found[0][0][k], read_alm(catalogues, "b.h5")) < 1e-10
    write_points(catalogues.folder / "x_1.h5", reference["theta"], reference["phi"] + 0.1, reference["adjoint_in"])
    catalogues.job(job)
    result = catalogues.armilla("run", "job.yaml", "--restart", ranks=3)
    assert result.code == 2
    for words in ("x_1.h5' does not match", "x_0.h5', the first", "map 1 cannot be used", "use values of the same catalogue",
                  "one of the two does not belong to the campaign"):
        assert words in result.errors()[0]
    catalogues.job(job.replace("points: p,", "points: x,"))
    refused_job(catalogues, 0, "points = x", "use the positions of an input 'points'")


@pytest.fixture
def sample(catalogues):
    """3000 points, the values at them of random T, E, B to lmax 20 (alm.h5), and weights of which every tenth is 0."""
    random = np.random.default_rng(3)
    theta, phi = np.arccos(random.uniform(-1, 1, 3000)), random.uniform(0, 2 * np.pi, 3000)
    weights = random.uniform(0.5, 2, (1, 3000))
    weights[0, ::10] = 0
    write_points(catalogues.folder / "p.h5", theta, phi)
    write_points(catalogues.folder / "w.h5", theta, phi, weights)
    run(catalogues, "inputs:\n  p: {points: p.h5}\nsteps:\n"
        "  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 20, seed: 3, out: a}\n"
        "  - synthesis_at: {alm: a, points: p, accuracy: 1.0e-12, out: v}\n"
        "outputs:\n  a: {file: a.h5}\n  v: {file: v.h5}\n")
    catalogues.places = theta, phi
    return catalogues


FIT = "inputs:\n  v: {values: v.h5}\n  w: {values: w.h5}\n  p: {points: p.h5}\nsteps:\n"


def test_a_fit_finds_the_coefficients(sample):
    expected = read_alm(sample, "a.h5")
    for ranks, method in ((1, "cg"), (3, "lsmr"), (7, "{cg: {tolerance: 1.0e-9}}")):
        result = run(sample, FIT + f"  - analysis_at: {{values: v, lmax: 20, method: {method}, accuracy: 1.0e-12, out: b}}\n"
                     "outputs:\n  b: {file: b.h5}\n", ranks)
        assert distance(read_alm(sample, "b.h5"), expected) < 1e-8
        found, = sample.report("report.json")["analyses"]
        assert found["method"] == ("method.lsmr" if method == "lsmr" else "method.cg") and found["unconverged"] == 0
        assert 1.5 < found["condition"]["max"] < 100
        assert ", condition" in result.out


def test_points_of_weight_zero_do_not_count(sample):
    values = read_values(sample, "v.h5")
    values[:, ::10] = 1e3
    write_points(sample.folder / "v.h5", *sample.places, values)
    expected = read_alm(sample, "a.h5")
    for weights, close in (("weights: w, ", True), ("", False)):
        run(sample, FIT + f"  - analysis_at: {{values: v, lmax: 20, {weights}out: b}}\noutputs:\n  b: {{file: b.h5}}\n", 3)
        assert (distance(read_alm(sample, "b.h5"), expected) < 1e-7) == close


def test_fits_of_a_campaign(sample):
    values = read_values(sample, "v.h5")
    for k in range(3):
        write_points(sample.folder / f"v_{k}.h5", *sample.places, (k + 1) * values)
    expected = read_alm(sample, "a.h5")
    for ranks, batch in ((1, 3), (3, 2)):
        run(sample, FIT.replace("v.h5", "\"v_{0..2}.h5\"") + "  - analysis_at: {values: v, lmax: 20, weights: w, out: b}\n"
            f"outputs:\n  b: {{file: b.h5}}\nexecution: {{batch: {batch}}}\n", ranks)
        for k, alm in enumerate(read_alm(sample, "b.h5")):
            assert distance(alm, (k + 1) * expected) < 1e-7


@pytest.mark.parametrize("step, words", [
    ("lmax: 60, method: {cg: {max_iterations: 3}}", ["method.cg", "did not converge", "3 iterations", "condition", "lower lmax"]),
    ("lmax: 20, method: jacobi", ["method = jacobi", "use cg or lsmr"]),
    ("lmax: 20, method: {cg: {mask: w}}", ["method", "the key 'weights'"]),
    ("lmax: 20, method: {cg: {tolerance: 1.0e-15}}", ["method.cg.tolerance", "below the limit of double precision"]),
    ("lmax: 20, weights: v", ["weights = v", "one component"]),
    ("lmax: 20, weights: p", ["weights = p", "'values' is needed"]),
    ("lmax: 20, weights: few", ["weights = few", "1 points, but 'v' has 3000"]),
    ("lmax: 20, weights: minus", ["weights", "the weight of point 17 is -1"]),
    ("lmax: 20, weights: nothing", ["weights", "all weights are 0"]),
    ("lmax: 20, weights: other", ["weights", "point 2900", "the same catalogue"]),
    ("lmax: 1", ["lmax = 1", "below the spin = 2"]),
])
def test_fits_that_are_refused(sample, step, words):
    theta, phi = sample.places
    weights = np.ones((1, 3000))
    write_points(sample.folder / "few.h5", [1.0], [1.0], np.ones((1, 1)))
    write_points(sample.folder / "nothing.h5", theta, phi, 0 * weights)
    write_points(sample.folder / "other.h5", theta, np.where(np.arange(3000) < 2900, phi, phi + 0.1), weights)
    weights[0, 17] = -1
    write_points(sample.folder / "minus.h5", theta, phi, weights)
    more = "".join(f"  {name}: {{values: {name}.h5}}\n" for name in ("few", "nothing", "other", "minus"))
    sample.job(FIT.replace("steps:\n", more + "steps:\n") + f"  - analysis_at: {{values: v, {step}, out: b}}\n"
               "outputs:\n  b: {file: b.h5}\n")
    for ranks in (0, 3):
        refused_job(sample, ranks, *words)


def test_a_dry_run_says_what_is_done(catalogues):
    catalogues.job(inputs(2) + "  - synthesis_at: {alm: a, points: p, out: v}\noutputs:\n  v: {file: v.csv}\n")
    result = catalogues.armilla("run", "job.yaml", "--dry-run", ranks=3)
    assert result.code == 0, result.error
    for words in ("read 'p' 800 points from", "'a' 'p' -> 'v' Q,U at 800 points", "points evenly distributed over the sphere",
                  "write 'v' to"):
        assert words in result.out


@pytest.mark.parametrize("change, words", [
    (lambda theta, phi: theta.__setitem__(700, 3.2), ["inputs.p", "point 700 ", "3.2"]),
    (lambda theta, phi: (theta.__setitem__(3, -0.1), theta.__setitem__(500, 4)), ["inputs.p", "point 3 ", "-0.1"]),
    (lambda theta, phi: phi.__setitem__(12, np.nan), ["inputs.p", "point 12 ", "nan"]),
])
def test_bad_places(catalogues, change, words):
    theta, phi = (catalogues.reference[2][key].copy() for key in ("theta", "phi"))
    change(theta, phi)
    write_points(catalogues.folder / "points2.h5", theta, phi)
    catalogues.job(inputs(2) + "  - synthesis_at: {alm: a, points: p, out: v}\noutputs:\n  v: {file: v.h5}\n")
    for ranks in (0, 3):
        refused_job(catalogues, ranks, *words)


def test_bad_values(catalogues):
    reference = catalogues.reference[2]
    values = reference["adjoint_in"].copy()
    values[1, 640] = np.nan
    write_points(catalogues.folder / "values2.h5", reference["theta"], reference["phi"], values)
    catalogues.job(inputs(2) + "  - adjoint_synthesis_at: {values: x, lmax: 9, out: b}\noutputs:\n  b: {file: b.h5}\n")
    for ranks in (0, 3):
        refused_job(catalogues, ranks, "inputs.x", "values2.h5", "point 640 ", "nan")


def test_empty_and_incomplete_catalogues(catalogues):
    write_points(catalogues.folder / "empty.h5", np.zeros(0), np.zeros(0))
    (catalogues.folder / "stars.csv").write_text("name,RA,DEC\na,1,2\n")
    (catalogues.folder / "empty.csv").write_text("RA,DEC\n")
    job = "inputs:\n  a: {{alm: alm0.h5}}\n  p: {{points: {}}}\nsteps:\n  - synthesis_at: {{alm: a, points: p, out: v}}\n"
    for what, words in (("empty.h5", ["empty.h5", "empty catalogue"]), ("empty.csv", ["empty.csv", "empty catalogue"]),
                        ("'stars.csv', columns: [lon, lat], coordinates: lon_lat", ["stars.csv", "lon"]),
                        ("none.h5", ["none.h5"])):
        catalogues.job(job.format(what) + "outputs:\n  v: {file: v.h5}\n")
        for ranks in (0, 3):
            refused_job(catalogues, ranks, "inputs.p", *words)


@pytest.mark.parametrize("step, words", [
    ("synthesis_at: {alm: a, points: p, accuracy: 1.0e-14, out: y}", ["accuracy", "1e-14", "the best for lmax 150", "2e-13"]),
    ("synthesis_at: {alm: a, points: p, accuracy: 0.9, out: y}", ["accuracy", "0.9 exceeds the largest supported value 0.5"]),
    ("synthesis_at: {alm: low, points: p, out: y}", ["synthesis_at.alm = low", "lmax = 1", "below the spin = 2"]),
    ("adjoint_synthesis_at: {values: x, lmax: 1, out: y}", ["lmax = 1", "below the spin = 2"]),
    ("adjoint_synthesis_at: {values: p, lmax: 9, out: y}", ["values = p", "'points'", "'values' is needed"]),
    ("synthesis_at: {alm: a, points: a, out: y}", ["points = a", "'alm'", "'points' is needed"]),
    ("gradient_at: {alm: a, points: p, out: y}", ["gradient_at.alm = a", "only scalars have a gradient"]),
    ("analysis: {map: x, lmax: 9, out: y}", ["map = x", "'values'", "'map' is needed"]),
    ("synthesis_at: {alm: a, points: c, out: y}", ["points = c", "coordinates C", "in G", "rotate with to: equatorial"]),
    ("compare: {values: x, reference: few}", ["reference = few", "has 1 points, but 'x' has 800"]),
    ("compare: {values: x, reference: scalar}",
     ["reference = scalar has the fields T, but 'x' has Q, U: use values with the same fields"]),
    ("gradient_at: {alm: g, points: c, out: y}", ["points = c", "coordinates C", "'g' is in G", "rotate 'g' first"]),
    ("compare: {alm: a, values: x, reference: a}", ["one of the keys 'alm' and 'values'"]),
])
def test_refused(catalogues, step, words):
    write_alm(catalogues.folder / "low.h5", np.ones((2, 3), dtype=complex), ["E", "B"], 1)
    write_points(catalogues.folder / "few.h5", [1.0], [1.0], np.ones((2, 1)))
    (catalogues.folder / "stars.csv").write_text("RA,DEC\n1,2\n")
    for name in ("alm2.h5", "alm0.h5"):
        with h5py.File(catalogues.folder / name, "a") as file:
            file["alm"].attrs["COORDSYS"] = "G"
    catalogues.job(inputs(2).replace("steps:\n", "  low: {alm: low.h5}\n  few: {values: few.h5, spin: 2}\n"
                                     "  c: {points: stars.csv}\n  g: {alm: alm0.h5}\n  scalar: {values: values0.h5}\nsteps:\n")
                   + f"  - {step}\noutputs:\n  y: {{file: y.h5}}\n")
    for ranks in (0, 3):
        refused_job(catalogues, ranks, *words)


@pytest.mark.parametrize("text, words", [
    ("p: {points: points2.h5, spin: 2}", ["inputs.p.spin", "does not apply to points"]),
    ("p: {points: points2.h5, polcconv: IAU}", ["inputs.p.polcconv", "applies to values only"]),
    ("p: {points: points2.h5, bad_data: zero}", ["inputs.p.bad_data", "applies to maps only"]),
    ("p: {points: points2.h5, columns: [theta]}", ["inputs.p.columns", "two columns"]),
    ("p: {points: points2.h5, lmax: 9}", ["inputs.p.lmax", "applies to alm files only"]),
    ("p: {points: points2.h5, map: points2.h5}", ["inputs.p has the keys 'map' and 'points'", "keep only one"]),
    ("p: {points: \"points{0..3}.h5\"}", ["inputs.p.points", "single file for all maps", "'values'"]),
    ("p: {points: alm2.h5}", ["inputs.p", "alm2.h5"]),
    ("p: {values: points2.h5}", ["inputs.p", "has points but no values"]),
    ("p: {values: values2.h5, fields: [T, Q, U]}", ["inputs.p", "fields T, Q, U from values2.h5", "set 'fields'"]),
    ("p: {map: sky.h5, columns: [RA, DEC]}", ["inputs.p.columns", "applies to points and values only"]),
])
def test_refused_inputs(catalogues, text, words):
    catalogues.job(f"inputs:\n  a: {{alm: alm2.h5}}\n  {text}\nsteps:\n  - synthesis_at: {{alm: a, points: p, out: v}}\n"
                   "outputs:\n  v: {file: v.h5}\n")
    refused_job(catalogues, 0, *words)


def test_values_of_other_points_are_not_compared(catalogues):
    reference = catalogues.reference[0]
    phi = reference["phi"].copy()
    phi[17] += 1e-3
    write_points(catalogues.folder / "other.h5", reference["theta"], phi, reference["adjoint_in"])
    catalogues.job("inputs:\n  x: {values: values0.h5}\n  y: {values: other.h5}\nsteps:\n"
                   "  - compare: {values: x, reference: y}\n")
    for ranks in (0, 3):
        refused_job(catalogues, ranks, "compare", "point 17", "use values of the same catalogue")


def test_coordinates_that_are_unspecified_are_warned_of(catalogues):
    (catalogues.folder / "stars.csv").write_text("RA,DEC\n1,2\n")
    head = "inputs:\n  a: {alm: alm0.h5}\n  p: {points: points0.h5}\n  c: {points: stars.csv}\nsteps:\n"
    for step in ("synthesis_at", "gradient_at"):
        for points, count in (("p", 0), ("c", 1)):
            catalogues.job(head + f"  - {step}: {{alm: a, points: {points}, out: v}}\noutputs:\n  v: {{file: v.csv}}\n")
            text = f"steps[0].{step}: the coordinates of 'a' are unspecified and assumed to be C, like those of the points 'c'"
            dry = catalogues.armilla("run", "job.yaml", "--dry-run")
            assert dry.code == 0, dry.error
            assert (dry.out + dry.error).count(text) == count
            result = catalogues.armilla("run", "job.yaml", "--restart", "--report", "report.json", ranks=2)
            assert result.code == 0, result.error
            assert result.error.count(text) == count
            assert sum(text in warning for warning in catalogues.report("report.json")["warnings"]) == count


@pytest.mark.parametrize("fault", ["places", "values", "none"])
def test_a_first_file_that_is_left_out_is_no_reference(catalogues, fault):
    reference = catalogues.reference[2]
    theta, phi = reference["theta"], reference["phi"]
    for k in range(4):
        write_points(catalogues.folder / f"x_{k}.h5", theta, phi, np.roll(reference["adjoint_in"], k, axis=1))
    if fault == "values":
        write_points(catalogues.folder / "x_0.h5", theta, phi + 0.1, np.nan * reference["adjoint_in"])
    elif fault == "places":
        write_points(catalogues.folder / "x_0.h5", theta + 4 * (np.arange(theta.size) == 7), phi, reference["adjoint_in"])
    write_points(catalogues.folder / "x_2.h5", theta, phi + 0.1, reference["adjoint_in"])
    job = ("inputs:\n  x: {values: \"x_{0..3}.h5\", spin: 2}\nsteps:\n"
           "  - adjoint_synthesis_at: {values: x, lmax: 30, out: b}\noutputs:\n  b: {file: \"b_{}.h5\"}\n")
    left_out = ["2"] if fault == "none" else ["0", "2"]
    for ranks, groups, batch in ((1, 1, 4), (3, 1, 2), (2, 2, 1)):
        run(catalogues, job + f"execution: {{map_groups: {groups}, batch: {batch}, on_bad_map: skip}}\n", ranks)
        skipped = sorted(catalogues.report("report.json")["campaign"]["skipped"], key=lambda one: one["map"])
        assert [one["map"] for one in skipped] == left_out
        assert "x_2.h5' does not match" in skipped[-1]["reason"]
        assert ("x_0.h5" if fault == "none" else "x_1.h5") in skipped[-1]["reason"]
        assert "one of the two does not belong to the campaign" in skipped[-1]["reason"]
