"""Points and values from files to files: reference values, ranks, campaigns, catalogues of all formats, and bad input."""
import h5py
import numpy as np
import pytest

from conftest import DATA, Workplace
from test_bad_input import refused as refused_job
from test_lensing import distance, index, write_alm
from tiers import sweep

LMAX = 150
EVERY_M = np.concatenate([np.full(LMAX + 1 - m, m) for m in range(LMAX + 1)])
SPINS = range(4)
# Ranks, groups of maps and maps of a batch.
LAYOUTS = pytest.mark.parametrize("layouts", [((0, 1, 5), (2, 2, 1)), *sweep((((1, 1, 5), (2, 1, 2), (3, 3, 1)),))])


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


def run(place, text, ranks=0, threads=1):
    place.job(text)
    result = place.armilla("run", "job.yaml", "--restart", "--report", "report.json", ranks=ranks, threads=threads, timeout=600)
    assert result.code == 0, result.error
    return result


@pytest.fixture(scope="module")
def catalogues(tmp_path_factory):
    """alm{s}.h5, points{s}.h5 and values{s}.h5 of each spin s of the reference."""
    place = Workplace(tmp_path_factory.mktemp("points"))
    place.reference = {}
    with h5py.File(DATA / "reference" / "nonuniform.h5") as file:
        for spin in SPINS:
            group = {key: data[:] for key, data in file[f"nonuniform/spin{spin}"].items()}
            place.reference[spin] = group
            names = ["T"] if spin == 0 else ["E", "B"]
            write_alm(place.folder / f"alm{spin}.h5", closed_form(spin), names, LMAX)
            write_points(place.folder / f"points{spin}.h5", group["theta"], group["phi"])
            write_points(place.folder / f"values{spin}.h5", group["theta"], group["phi"], group["adjoint_in"])
    return place


def inputs(spin, label=""):
    said = "" if spin == 0 else f", spin: {spin}"
    return (f"  a{label}: {{alm: alm{spin}.h5{said}}}\n  p{label}: {{points: points{spin}.h5}}\n"
            f"  x{label}: {{values: values{spin}.h5{said}}}\n")


def job(spin, steps):
    return f"inputs:\n{inputs(spin)}steps:\n{steps}"


# Of every spin to the best accuracy; of spin 2 to the default, in each format.
FORMATS = ["h5", "fits", "csv", "txt"]
TRANSFORMED = "inputs:\n" + "".join(inputs(spin, spin) for spin in SPINS) + "steps:\n" + "".join(
    f"  - synthesis_at: {{alm: a{s}, points: p{s}, accuracy: 1.0e-12, out: v{s}}}\n"
    f"  - adjoint_synthesis_at: {{values: x{s}, lmax: {LMAX}, accuracy: 1.0e-12, out: b{s}}}\n" for s in SPINS) + "".join(
    f"  - synthesis_at: {{alm: a2, points: p2, out: {name}}}\n" for name in (*FORMATS, "single")) + \
    f"  - adjoint_synthesis_at: {{values: x2, lmax: {LMAX}, out: b}}\noutputs:\n" + "".join(
    f"  v{s}: {{file: t/v{s}.h5}}\n  b{s}: {{file: t/b{s}.h5}}\n" for s in SPINS) + "".join(
    f"  {name}: {{file: t/v.{name}}}\n" for name in FORMATS) + \
    "  single: {file: t/single.h5, precision: single}\n  b: {file: t/b.h5}\n"


@pytest.fixture(scope="module")
def transformed(catalogues):
    (catalogues.folder / "t").mkdir()
    run(catalogues, TRANSFORMED, threads=2)
    return catalogues


# claims: step synthesis_at, step adjoint_synthesis_at
@pytest.mark.parametrize("spin", SPINS)
def test_reference_values(transformed, spin):
    reference = transformed.reference[spin]
    assert distance(read_values(transformed, f"t/v{spin}.h5"), reference["values"]) < 1e-12
    assert distance(read_alm(transformed, f"t/b{spin}.h5"), reference["adjoint_alm"] @ [1, 1j]) < 1e-12


@pytest.mark.parametrize("ranks, threads", sweep((1, 1), (1, 2), (2, 1), (3, 1), (7, 1)))
def test_values_do_not_depend_on_ranks_and_threads(transformed, ranks, threads):
    names = [f"t/v{spin}.h5" for spin in SPINS]
    expected = {name: read_values(transformed, name) for name in names}
    alm = {spin: read_alm(transformed, f"t/b{spin}.h5") for spin in SPINS}
    run(transformed, TRANSFORMED, ranks, threads)
    for name in names:
        assert np.array_equal(read_values(transformed, name), expected[name])
    for spin in SPINS:
        assert distance(read_alm(transformed, f"t/b{spin}.h5"), alm[spin]) < 1e-14


def test_the_default_accuracy(transformed):
    values, alm = transformed.reference[2]["values"], transformed.reference[2]["adjoint_alm"] @ [1, 1j]
    assert 1e-15 < distance(read_values(transformed, "t/v.h5"), values) < 1e-10
    assert distance(read_alm(transformed, "t/b.h5"), alm) < 1e-10
    run(transformed, job(2, "  - synthesis_at: {alm: a, points: p, out: v}\n"
                            f"  - adjoint_synthesis_at: {{values: x, lmax: {LMAX}, out: b}}\n")
        + "outputs:\n  v: {file: v_single.h5}\n  b: {file: b_single.h5}\nexecution: {precision: single}\n")
    assert 1e-15 < distance(read_values(transformed, "v_single.h5"), values) < 1e-6
    assert distance(read_alm(transformed, "b_single.h5"), alm) < 1e-6


def test_the_adjoint_is_the_transpose(transformed):
    values, given = read_values(transformed, "t/v.h5"), transformed.reference[2]["adjoint_in"]
    weight = np.where(EVERY_M == 0, 1, 2)
    a, b = closed_form(2), read_alm(transformed, "t/b.h5")
    difference = np.sum(values * given) - np.sum(weight * (a * b.conj()).real)
    assert abs(difference) < 1e-13 * np.linalg.norm(values) * np.linalg.norm(given)


def test_outputs_come_back_as_inputs(transformed):
    """In every format; what is read may be rounded to 17 digits."""
    names = {name: (f"t/v.{name}", 1e-15) for name in FORMATS} | {"single": ("t/single.h5", 1e-6)}
    run(transformed, "inputs:\n  a: {alm: alm2.h5, spin: 2}\n  p: {points: points2.h5}\n" + "".join(
        f"  {name}: {{values: {file}, spin: 2}}\n" for name, (file, _) in names.items())
        + "steps:\n  - synthesis_at: {alm: a, points: p, out: v}\n" + "".join(
            f"  - compare: {{values: v, reference: {name}}}\n" for name in names))
    comparisons = transformed.report("report.json")["comparisons"]
    for found, (name, (_, limit)) in zip(comparisons, names.items(), strict=True):
        assert found["values"] == "v" and set(found["relative_rms"]) == {"Q", "U"}
        assert max(found["relative_rms"].values()) <= limit, name
        assert max(found["largest_difference"].values()) <= 10 * limit, name


# claims: step gradient_at
def test_a_gradient_is_that_of_the_grid(catalogues):
    """At the pixels of a grid, where the step gradient gives the same by another transform."""
    theta = np.arccos(np.polynomial.legendre.leggauss(20)[0][::-1])
    write_points(catalogues.folder / "pixels.h5", np.repeat(theta, 40), np.tile(np.arange(40) * 2 * np.pi / 40, 20))
    both = {axes: f"axes: {axes}, radius_m: 6371000" for axes in ("theta_phi", "east_north")}
    run(catalogues, "inputs:\n  a: {alm: alm0.h5}\n  p: {points: pixels.h5}\nsteps:\n" + "".join(
        f"  - gradient_at: {{alm: a, points: p, {said}, accuracy: 1.0e-12, out: at_{axes}}}\n"
        f"  - gradient: {{alm: a, grid: {{gauss: {{nlat: 20}}}}, {said}, out: on_{axes}}}\n" for axes, said in both.items())
        + "outputs:\n" + "".join(f"  {way}_{axes}: {{file: {way}_{axes}.h5}}\n" for axes in both for way in ("at", "on")))
    for axes in both:
        with h5py.File(catalogues.folder / f"on_{axes}.h5") as file:
            expected, named = file["map"][:], file["map"].attrs["FIELDS"]
        with h5py.File(catalogues.folder / f"at_{axes}.h5") as file:
            assert list(file["values"].attrs["FIELDS"]) == list(named)
        assert distance(read_values(catalogues, f"at_{axes}.h5"), expected) < 1e-11


FEW = {"one": ([0.3], [1.0]), "two": ([1.0, 2.0], [0.0, 4.0]), "equal": ([0.7] * 50, [-9.5] * 50),
       "poles": ([0.0, np.pi], [3.0, 3.0])}


@pytest.mark.parametrize("many", [(3,), *sweep(((1, 7),))])
def test_few_points_many_ranks_and_equal_points(catalogues, many):
    for name, (theta, phi) in FEW.items():
        write_points(catalogues.folder / f"{name}.h5", theta, phi, np.ones((2, len(theta))))
    found = []
    for ranks in (0, *many):
        run(catalogues, "inputs:\n  a: {alm: alm2.h5}\n" + "".join(f"  {n}: {{values: {n}.h5, spin: 2}}\n" for n in FEW)
            + "steps:\n" + "".join(
                f"  - synthesis_at: {{alm: a, points: {n}, out: v_{n}}}\n"
                f"  - adjoint_synthesis_at: {{values: {n}, lmax: 40, mmax: 30, out: b_{n}}}\n" for n in FEW)
            + "outputs:\n" + "".join(f"  v_{n}: {{file: v_{n}.h5}}\n  b_{n}: {{file: b_{n}.h5}}\n" for n in FEW), ranks)
        found.append({n: (read_values(catalogues, f"v_{n}.h5"), read_alm(catalogues, f"b_{n}.h5")) for n in FEW})
        for name, (theta, _) in FEW.items():
            values, alm = found[-1][name]
            assert np.all(np.isfinite(values)) and np.ptp(values, axis=1).max() < 1e3
            if len(set(theta)) == 1:
                assert np.allclose(values, values[:, :1], rtol=0, atol=1e-12)
            assert np.array_equal(values, found[0][name][0])
            assert distance(alm, found[0][name][1]) < 1e-14


def test_catalogues_of_all_formats(catalogues):
    """The same points in degrees, as text and FITS, with other names: the same values, and IAU has the other sign of U."""
    Table = pytest.importorskip("astropy.table").Table
    reference = catalogues.reference[2]
    ra, dec = np.degrees(reference["phi"]), 90 - np.degrees(reference["theta"])
    q, u = reference["adjoint_in"]
    table = Table({"name": [f"s{i}" for i in range(len(ra))], "x": ra, "y": dec, "e1": q, "e2": -u})
    table.write(catalogues.folder / "iau.fits", overwrite=True)
    table["name", "x", "y", "e1", "e2"].write(catalogues.folder / "iau.csv", overwrite=True)
    said = "coordinates: ra_dec, columns: [x, y], value_columns: [e1, e2], polcconv: IAU"
    known = {f"{form}_{way}": f"iau.{form}, {said}, {field}" for form in ("fits", "csv")
             for way, field in (("spin", "spin: 2"), ("names", "fields: [Q, U]"))}
    known["here"] = "values2.h5, spin: 2"
    run(catalogues, "inputs:\n" + "".join(f"  {name}: {{values: {text}}}\n" for name, text in known.items()) + "steps:\n"
        + "".join(f"  - adjoint_synthesis_at: {{values: {name}, lmax: 30, out: b_{name}}}\n" for name in known)
        + "outputs:\n" + "".join(f"  b_{name}: {{file: b_{name}.h5}}\n" for name in known))
    for name in known:
        assert distance(read_alm(catalogues, f"b_{name}.h5"), read_alm(catalogues, "b_here.h5")) < 1e-11
        with h5py.File(catalogues.folder / f"b_{name}.h5") as file:
            assert name == "here" or file["alm"].attrs["COORDSYS"] in ("C", b"C")


# claims: step compare
def test_compare_says_how_far_values_are_apart(catalogues):
    reference = catalogues.reference[0]
    values = reference["adjoint_in"]
    write_points(catalogues.folder / "other.h5", reference["theta"], reference["phi"] + 2 * np.pi, values + 0.25)
    result = run(catalogues, "inputs:\n  x: {values: values0.h5}\n  y: {values: other.h5}\nsteps:\n"
                 "  - compare: {values: x, reference: y}\n", ranks=2)
    found, = catalogues.report("report.json")["comparisons"]
    assert found["largest_difference"]["T"] == pytest.approx(0.25, rel=1e-12)
    assert found["relative_rms"]["T"] == pytest.approx(0.25 / np.sqrt(np.mean((values + 0.25) ** 2)), rel=1e-12)
    assert "largest difference:  T 2.50e-01" in result.out


@LAYOUTS
def test_campaigns_share_a_catalogue(catalogues, layouts):
    text = ("inputs:\n  p: {points: points2.h5}\nsteps:\n"
            "  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 40, seed: 2, maps: 5, out: a}\n"
            "  - select: {alm: a, fields: [T], out: t}\n"
            "  - synthesis_at: {alm: a, points: p, out: v}\n  - gradient_at: {alm: t, points: p, out: g}\n"
            "  - adjoint_synthesis_at: {values: v, lmax: 20, out: b}\n"
            "outputs:\n  v: {file: \"v_{}.h5\"}\n  g: {file: \"g_{}.fits\"}\n  b: {file: \"b_{}.h5\"}\n")
    names = [f"{kind}_{k}" for kind in ("v", "g") for k in range(5)]
    ending = {"v": ".h5", "g": ".fits"}
    found = []
    for ranks, groups, batch in layouts:
        run(catalogues, text + f"execution: {{map_groups: {groups}, batch: {batch}}}\n", ranks)
        found.append([(catalogues.folder / (name + ending[name[0]])).read_bytes() for name in names])
        found[-1].append(read_alm(catalogues, "b_3.h5"))
    for other in found[1:]:
        assert other[:-1] == found[0][:-1]
        assert distance(other[-1], found[0][-1]) < 1e-13
    assert found[0][0] != found[0][1]


@LAYOUTS
def test_campaigns_of_values_have_one_catalogue(catalogues, layouts):
    reference = catalogues.reference[2]
    for k in range(3):
        write_points(catalogues.folder / f"x_{k}.h5", reference["theta"], reference["phi"] + 1e-12 * k,
                     np.roll(reference["adjoint_in"], k, axis=1))
    one = ("  - adjoint_synthesis_at: {values: x, lmax: 30, out: b}\n"
           "  - synthesis_at: {alm: b, points: p, out: v}\n  - compare: {values: x, reference: one}\n")
    text = ("inputs:\n  x: {values: \"x_{0..2}.h5\", spin: 2}\n  one: {values: x_0.h5, spin: 2}\n  p: {points: x_0.h5}\n"
            f"steps:\n{one}outputs:\n  b: {{file: many.h5}}\n  v: {{file: \"w_{{}}.h5\"}}\n")
    found = []
    for ranks, groups, batch in layouts:
        run(catalogues, text + f"execution: {{map_groups: {groups}, batch: {batch}}}\n", ranks)
        found.append((read_alm(catalogues, "many.h5"), read_values(catalogues, "w_2.h5")))
        for one, other in zip(found[-1], found[0]):
            assert distance(one, other) < 1e-13
        comparison, = catalogues.report("report.json")["comparisons"]
        assert comparison["maps"] == 3 and comparison["relative_rms"]["Q"] > 0.1
    run(catalogues, "inputs:\n" + "".join(f"  x{k}: {{values: x_{k}.h5, spin: 2}}\n" for k in range(3)) + "steps:\n"
        + "".join(f"  - adjoint_synthesis_at: {{values: x{k}, lmax: 30, out: b{k}}}\n" for k in range(3)) + "outputs:\n"
        + "".join(f"  b{k}: {{file: alone_{k}.h5}}\n" for k in range(3)))
    for k in range(3):
        # As points are those of the first file, up to lmax times 2e-12.
        assert distance(found[0][0][k], read_alm(catalogues, f"alone_{k}.h5")) < 1e-10
    write_points(catalogues.folder / "x_1.h5", reference["theta"], reference["phi"] + 0.1, reference["adjoint_in"])
    catalogues.job(text)
    result = catalogues.armilla("run", "job.yaml", "--restart", ranks=2)
    assert result.code == 2
    for words in ("x_1.h5' does not match", "x_0.h5', the first", "map 1 cannot be used", "use values of the same catalogue",
                  "one of the two does not belong to the campaign"):
        assert words in result.errors()[0]


COUNT = 3000


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """3000 points, the values at them of random T, E, B to lmax 20 (a.h5), weights of which every tenth is 0, and values
    that are wrong there (bad.h5)."""
    place = Workplace(tmp_path_factory.mktemp("fits"))
    random = np.random.default_rng(3)
    theta, phi = np.arccos(random.uniform(-1, 1, COUNT)), random.uniform(0, 2 * np.pi, COUNT)
    weights = random.uniform(0.5, 2, (1, COUNT))
    weights[0, ::10] = 0
    write_points(place.folder / "p.h5", theta, phi)
    write_points(place.folder / "w.h5", theta, phi, weights)
    run(place, "inputs:\n  p: {points: p.h5}\nsteps:\n"
        "  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 20, seed: 3, out: a}\n"
        "  - synthesis_at: {alm: a, points: p, accuracy: 1.0e-12, out: v}\n"
        "outputs:\n  a: {file: a.h5}\n  v: {file: v.h5}\n")
    values = read_values(place, "v.h5")
    for k in range(3):
        write_points(place.folder / f"v_{k}.h5", theta, phi, (k + 1) * values)
    values[:, ::10] = 1e3
    write_points(place.folder / "bad.h5", theta, phi, values)
    place.places = theta, phi
    return place


FIT = "inputs:\n  v: {values: v.h5}\n  bad: {values: bad.h5}\n  w: {values: w.h5}\n  p: {points: p.h5}\nsteps:\n"


# claims: step analysis_at
@pytest.mark.parametrize("ranks", [0, *sweep(1, 3, 7)])
def test_a_fit_finds_the_coefficients(sample, ranks):
    """By each method; and where points of weight 0 are wrong, which spoil a fit without weights."""
    fits = {"by_cg": "values: v, method: cg, accuracy: 1.0e-12", "by_lsmr": "values: v, method: lsmr, accuracy: 1.0e-12",
            "to_1e9": "values: v, method: {cg: {tolerance: 1.0e-9}}, accuracy: 1.0e-12",
            "weighted": "values: bad, weights: w", "spoilt": "values: bad"}
    result = run(sample, FIT + "".join(f"  - analysis_at: {{{keys}, lmax: 20, out: {name}}}\n" for name, keys in fits.items())
                 + "outputs:\n" + "".join(f"  {name}: {{file: {name}.h5}}\n" for name in fits), ranks)
    expected = read_alm(sample, "a.h5")
    error = {name: distance(read_alm(sample, f"{name}.h5"), expected) for name in fits}
    assert max(error["by_cg"], error["by_lsmr"], error["to_1e9"]) < 1e-8
    assert error["weighted"] < 1e-7 < error["spoilt"]
    assert result.out.count(", condition") == len(fits)
    for (name, keys), found in zip(fits.items(), sample.report("report.json")["analyses"], strict=True):
        assert found["method"] == ("method.lsmr" if "lsmr" in keys else "method.cg") and found["unconverged"] == 0, name
        assert 1.5 < found["condition"]["max"] < 100


@pytest.mark.parametrize("ranks, batch", [(2, 2), *sweep((1, 3), (3, 2))])
def test_fits_of_a_campaign(sample, ranks, batch):
    run(sample, FIT.replace("v.h5", "\"v_{0..2}.h5\"") + "  - analysis_at: {values: v, lmax: 20, weights: w, out: b}\n"
        f"outputs:\n  b: {{file: b.h5}}\nexecution: {{batch: {batch}}}\n", ranks)
    expected = read_alm(sample, "a.h5")
    for k, alm in enumerate(read_alm(sample, "b.h5")):
        assert distance(alm, (k + 1) * expected) < 1e-7


def test_a_dry_run_says_what_is_done(catalogues):
    catalogues.job(job(2, "  - synthesis_at: {alm: a, points: p, out: v}\n") + "outputs:\n  v: {file: v.csv}\n")
    result = catalogues.armilla("run", "job.yaml", "--dry-run")
    assert result.code == 0, result.error
    for words in ("read 'p' 800 points from", "'a' 'p' -> 'v' Q,U at 800 points", "points evenly distributed over the sphere",
                  "write 'v' to"):
        assert words in result.out


@pytest.mark.parametrize("ranks", [2, *sweep(3)])
def test_bad_places(catalogues, ranks):
    """The first of them, wherever the ranks find them; tests/job has what is refused on one rank."""
    theta, phi = (catalogues.reference[2][key].copy() for key in ("theta", "phi"))
    theta[[3, 700]] = -0.1, 3.2
    write_points(catalogues.folder / "wrong.h5", theta, phi)
    text = job(2, "  - synthesis_at: {alm: a, points: p, out: refused}\n").replace("points2.h5", "wrong.h5")
    catalogues.job(text + "outputs:\n  refused: {file: refused.h5}\n")
    refused_job(catalogues, ranks, "inputs.p", "point 3 ", "-0.1")


def test_coordinates_that_are_unspecified_are_warned_of(catalogues):
    (catalogues.folder / "stars.csv").write_text("RA,DEC\n1,2\n")
    catalogues.job("inputs:\n  a: {alm: alm0.h5}\n  p: {points: points0.h5}\n  c: {points: stars.csv}\nsteps:\n" + "".join(
        f"  - {step}: {{alm: a, points: {points}, out: {step}_{points}}}\n"
        for step in ("synthesis_at", "gradient_at") for points in "pc"))
    said = [f"steps[{number}].{step}: the coordinates of 'a' are unspecified and assumed to be C, like those of the points 'c'"
            for number, step in ((1, "synthesis_at"), (3, "gradient_at"))]
    for result in (catalogues.armilla("run", "job.yaml", "--dry-run"),
                   catalogues.armilla("run", "job.yaml", "--restart", "--report", "report.json")):
        assert result.code == 0, result.error
        assert (result.out + result.error).count("the coordinates of 'a' are unspecified") == 2
        for text in said:
            assert (result.out + result.error).count(text) == 1
    warnings = [text for text in catalogues.report("report.json")["warnings"] if "the coordinates of" in text]
    assert len(warnings) == 2 and all(text in warning for text, warning in zip(said, warnings))


@pytest.mark.parametrize("layouts", [((0, 1, 4),), *sweep((((3, 1, 2), (2, 2, 1)),))])
@pytest.mark.parametrize("fault", ["places", "values", "none"])
def test_a_first_file_that_is_left_out_is_no_reference(catalogues, fault, layouts):
    reference = catalogues.reference[2]
    theta, phi = reference["theta"], reference["phi"]
    for k in range(4):
        write_points(catalogues.folder / f"y_{k}.h5", theta, phi, np.roll(reference["adjoint_in"], k, axis=1))
    if fault == "values":
        write_points(catalogues.folder / "y_0.h5", theta, phi + 0.1, np.nan * reference["adjoint_in"])
    elif fault == "places":
        write_points(catalogues.folder / "y_0.h5", theta + 4 * (np.arange(theta.size) == 7), phi, reference["adjoint_in"])
    write_points(catalogues.folder / "y_2.h5", theta, phi + 0.1, reference["adjoint_in"])
    text = ("inputs:\n  x: {values: \"y_{0..3}.h5\", spin: 2}\nsteps:\n"
            "  - adjoint_synthesis_at: {values: x, lmax: 30, out: b}\noutputs:\n  b: {file: \"b_{}.h5\"}\n")
    left_out = ["2"] if fault == "none" else ["0", "2"]
    for ranks, groups, batch in layouts:
        run(catalogues, text + f"execution: {{map_groups: {groups}, batch: {batch}, on_bad_map: skip}}\n", ranks)
        skipped = sorted(catalogues.report("report.json")["campaign"]["skipped"], key=lambda one: one["map"])
        assert [one["map"] for one in skipped] == left_out
        assert "y_2.h5' does not match" in skipped[-1]["reason"]
        assert ("y_0.h5" if fault == "none" else "y_1.h5") in skipped[-1]["reason"]
        assert "one of the two does not belong to the campaign" in skipped[-1]["reason"]
