"""Fits with a penalty against dense solutions from closed-form harmonics; fits that the data do not determine."""
import math

import h5py
import healpy
import numpy as np
import pytest

from test_bad_input import refused
from test_lensing import distance, index
from test_points import write_points
from tiers import RANKS, sweep

LMAX = 5
PRIOR = {"TT": 3.0 / (1 + np.arange(LMAX + 1.0)), "EE": 0.4 + 0 * np.arange(LMAX + 1.0), "BB": 0.02 * np.arange(LMAX + 1.0)}
PRIOR["TT"][3] = 0


def harmonic(s, l, m, theta, phi):
    """The spin-weighted harmonic, from Goldberg's sum (J. Math. Phys. 8, 2155)."""
    total = np.zeros_like(theta)
    for r in range(l - s + 1):
        if 0 <= r + s - m <= l + s:
            power = 2 * r + s - m
            total += (-1.0) ** (l - r - s) * math.comb(l - s, r) * math.comb(l + s, r + s - m) * \
                np.sin(theta / 2) ** (2 * l - power) * np.cos(theta / 2) ** power
    factor = math.factorial(l + m) * math.factorial(l - m) * (2 * l + 1) / (4 * np.pi * math.factorial(l + s) * math.factorial(l - s))
    return (-1.0) ** m * math.sqrt(factor) * total * np.exp(1j * m * phi)


class Dense:
    """Columns of Y for T, or for T, E, B: one for each unknown, scaled so that the sum of their squares is the sum of
    |a_lm|^2 over both signs of m. Values are those of T, or of T, Q and U."""

    def __init__(self, theta, phi, fields):
        self.fields, self.unknowns, columns = fields, [], []
        for c, name in enumerate(fields):
            spin = 0 if name == "T" else 2
            for l in range(spin, LMAX + 1):
                for m in range(l + 1):
                    for part in (1,) if m == 0 else (1, 1j):
                        a = part * (1 if m == 0 else math.sqrt(0.5))
                        value = a * harmonic(spin, l, m, theta, phi)
                        if m > 0:
                            value = value + (-1) ** m * np.conj(a) * harmonic(spin, l, -m, theta, phi)
                        if spin:
                            value = -value * (1 if name == "E" else 1j)
                        rows = np.zeros((len(fields), len(theta)))
                        rows[0 if spin == 0 else 1] = value.real
                        if spin:
                            rows[2] = value.imag
                        columns.append(rows.ravel())
                        self.unknowns.append((c, l, m, a))
        self.columns = np.array(columns).T

    def fit(self, values, weights, penalty):
        """Minimises sum w (value - Y a)^2 + sum penalty |a|^2; `penalty` (field, l), infinite where a is 0."""
        r = np.array([penalty(self.fields[c], l) for c, l, m, a in self.unknowns])
        free = np.isfinite(r)
        y, w = self.columns[:, free], np.broadcast_to(weights, values.shape).ravel()
        found = np.zeros(len(r))
        found[free] = np.linalg.solve(y.T @ (w[:, None] * y) + np.diag(r[free]), y.T @ (w * values.ravel()))
        alm = np.zeros((len(self.fields), (LMAX + 1) * (LMAX + 2) // 2), dtype=complex)
        for (c, l, m, a), x in zip(self.unknowns, found):
            alm[c, index(LMAX, l, m)] += x * a
        return alm


def wiener(name, l):
    return 1 / PRIOR[name * 2][l] if PRIOR[name * 2][l] > 0 else np.inf


def write_prior(folder):
    (folder / "cl.dat").write_text("# L TT EE BB\n" + "".join(
        f"{l} {PRIOR['TT'][l]!r} {PRIOR['EE'][l]!r} {PRIOR['BB'][l]!r}\n" for l in range(LMAX + 1)))
    dl = np.arange(LMAX + 1.0) * np.arange(1, LMAX + 2.0) / (2 * np.pi)
    (folder / "dl.dat").write_text("# L TT EE BB\n" + "".join(
        f"{l} {PRIOR['TT'][l] * dl[l]!r} {PRIOR['EE'][l] * dl[l]!r} {PRIOR['BB'][l] * dl[l]!r}\n" for l in range(1, LMAX + 1)))


def read_alm(place, name):
    with h5py.File(place.folder / name) as file:
        alm = file["alm"][:]
    return alm


def run(place, job, ranks=0):
    place.job(job)
    result = place.armilla("run", "job.yaml", "--restart", "--report", "report.json", ranks=ranks)
    assert result.code == 0, result.error
    return result


def stations(place, count=6, components=1):
    """Values at a few points, as many as stations of a small network."""
    random = np.random.default_rng(8)
    theta, phi = np.arccos(random.uniform(-1, 1, count)), random.uniform(0, 2 * np.pi, count)
    values = random.normal(size=(components, count))
    write_points(place.folder / "v.h5", theta, phi, values, FIELDS=["T", "Q", "U"][:components])
    weights = random.uniform(0.2, 3, (1, count))
    weights[0, ::5] = 0
    write_points(place.folder / "w.h5", theta, phi, weights)
    return theta, phi, values, weights[0]


AT = "inputs:\n  v: {values: v.h5}\n  w: {values: w.h5}\nsteps:\n"


@pytest.mark.parametrize("ranks", RANKS)
def test_few_stations(place, ranks):
    """Refused by the count of those with weight, and otherwise Tikhonov's solution."""
    theta, phi, values, weights = stations(place)
    step = "  - analysis_at: {values: v, lmax: 5, out: a, WHAT}\noutputs:\n  a: {file: a.h5}\n"
    place.job(AT + step.replace("WHAT", "weights: w").replace("lmax: 5", "lmax: 1, accuracy: 1.0e-12") + "\n")
    result = place.armilla("run", "job.yaml", ranks=ranks)
    assert result.code == 0, result.error  # four points with weight and four unknowns
    (place.folder / "a.h5").unlink()
    write_points(place.folder / "w.h5", theta, phi, np.array([[0, 1, 1, 0, 0, 1.0]]))
    place.job(AT + step.replace("WHAT", "weights: w").replace("lmax: 5", "lmax: 1"))
    refused(place, ranks, "steps[0].analysis_at.method.cg: 3 data", "4 unknowns")
    write_points(place.folder / "w.h5", theta, phi, weights[None])
    keys = "lmax: 5, accuracy: 1.0e-12, method: {METHOD: {regularise: 0.02, tolerance: 1.0e-13}}"
    run(place, AT + "".join(f"  - analysis_at: {{values: v, {keys.replace('METHOD', method)}, {more}out: {method}_{name}}}\n"
                            for method in ("cg", "lsmr") for name, more in (("equal", ""), ("weighted", "weights: w, ")))
        + "outputs:\n" + "".join(f"  {method}_{name}: {{file: {method}_{name}.h5}}\n"
                                 for method in ("cg", "lsmr") for name in ("equal", "weighted")), ranks)
    dense = Dense(theta, phi, ["T"])
    for name, w in (("equal", np.ones(6)), ("weighted", weights)):
        expected = dense.fit(values, w, lambda field, l: 0.02)
        for method in ("cg", "lsmr"):
            assert distance(read_alm(place, f"{method}_{name}.h5"), expected) < 1e-10, (method, name)


@pytest.mark.parametrize("ranks", RANKS)
def test_wiener_filter_of_points(place, ranks):
    """T, E, B at 30 points with inverse variances; TT is 0 at l = 3, and C_l comes as C_l and as D_l."""
    theta, phi, values, weights = stations(place, 30, 3)
    write_prior(place.folder)
    fits = {f"{method}_{kind}": f"{method}: {{regularise: {{spectrum: {kind}.dat, spectrum_kind: {kind}}}, tolerance: 1.0e-13}}"
            for method in ("cg", "lsmr") for kind in ("cl", "dl")}
    run(place, AT + "".join(
        f"  - analysis_at: {{values: v, lmax: 5, weights: w, accuracy: 1.0e-12, method: {{{keys}}}, out: {name}}}\n"
        for name, keys in fits.items()) + "outputs:\n" + "".join(f"  {name}: {{file: {name}.h5}}\n" for name in fits), ranks)
    dense = Dense(theta, phi, ["T", "E", "B"])
    expected = dense.fit(values, weights, wiener)
    # Dl have no monopole.
    no_monopole = dense.fit(values, weights, lambda field, l: wiener(field, l) if l > 0 else np.inf)
    for name in fits:
        found = read_alm(place, f"{name}.h5")
        assert distance(found, expected if name.endswith("cl") else no_monopole) < 1e-10, name
        assert np.all(found[0, [index(LMAX, 3, m) for m in range(4)]] == 0)
        assert np.abs(found[2, index(LMAX, 4, 2)]) > 0
    for analysis in place.report("report.json")["analyses"]:
        assert analysis["condition"]["max"] < 1e4 and 0 < analysis["map_residual"]["max"] < 1


MAPS = "inputs:\n  sky: {map: sky.h5}\n  mask: {map: mask.h5}\n  depth: {map: depth.h5}\nsteps:\n"


def cut_sky(place):
    """T, Q, U of nside 4 where 30 pixels are left, with inverse variances that differ by a factor of 2000."""
    nside = 4
    sky = place.map("sky.h5", nside, 3)
    mask = np.zeros(12 * nside ** 2)
    mask[40:70] = 1
    mask[60:70] = 0.5
    depth = 2.0 ** (np.arange(12 * nside ** 2) % 12)
    place.map("mask.h5", nside, 1, lambda values: values.__setitem__(slice(None), mask))
    place.map("depth.h5", nside, 1, lambda values: values.__setitem__(slice(None), depth))
    theta, phi = healpy.pix2ang(nside, np.arange(12 * nside ** 2))
    return theta, phi, sky, mask, depth


@pytest.mark.parametrize("ranks", RANKS)
def test_maps(place, ranks):
    """Masks and inverse variances, weights of rings, and pixels by area, with a number and with C_l."""
    theta, phi, sky, mask, depth = cut_sky(place)
    write_prior(place.folder)
    prior = "regularise: {spectrum: cl.dat, spectrum_kind: cl}"
    rings = [2.5 if ring in (3, 4, 11) else 0 for ring in range(15)]
    north = np.concatenate([[0], np.cumsum([4 * min(ring + 1, 4, 15 - ring) for ring in range(15)])])
    of_rings = np.concatenate([np.full(north[ring + 1] - north[ring], float(rings[ring])) for ring in range(15)])
    cases = {"number": ("regularise: 3.0, mask: mask, inverse_variance: depth", mask ** 2 * depth, lambda field, l: 3.0),
             "prior": (f"{prior}, mask: mask, inverse_variance: depth", mask ** 2 * depth, wiener),
             "rings": (f"{prior}, inverse_variance: {rings}", of_rings, wiener),
             "area": ("regularise: 0.1, weights: area", np.full(192, 4 * np.pi / 192), lambda field, l: 0.1)}
    fits = {f"{method}_{name}": f"{method}: {{tolerance: 1.0e-13, {keys}}}"
            for method in ("cg", "lsmr") for name, (keys, _, _) in cases.items()}
    run(place, MAPS + "".join(f"  - analysis: {{map: sky, lmax: 5, method: {{{keys}}}, out: {name}}}\n" for name, keys in fits.items())
        + "outputs:\n" + "".join(f"  {name}: {{file: {name}.h5}}\n" for name in fits), ranks)
    dense = Dense(theta, phi, ["T", "E", "B"])
    for name, (_, weights, penalty) in cases.items():
        expected = dense.fit(sky, weights, penalty)
        for method in ("cg", "lsmr"):
            assert distance(read_alm(place, f"{method}_{name}.h5"), expected) < 1e-10, (method, name)
    for analysis in place.report("report.json")["analyses"]:
        assert analysis["unconverged"] == 0 and 0 < analysis["iterations"]["max"] < 400


@pytest.mark.parametrize("precision", ["double", *sweep("single")])
def test_files_are_identical_on_one_and_three_ranks(place, precision):
    cut_sky(place)
    write_prior(place.folder)
    prior = "mask: mask, inverse_variance: depth, regularise: {spectrum: cl.dat, spectrum_kind: cl}"
    first = None
    for ranks, threads in ((0, 2), (3, 1)):
        place.job(MAPS + f"  - analysis: {{map: sky, lmax: 5, method: {{cg: {{{prior}}}}}, out: a}}\n"
                  f"  - analysis: {{map: sky, lmax: 5, method: {{lsmr: {{{prior}}}}}, out: b}}\n"
                  f"outputs:\n  a: {{file: a.h5}}\n  b: {{file: b.h5}}\nexecution: {{precision: {precision}}}\n")
        result = place.armilla("run", "job.yaml", "--restart", ranks=ranks, threads=threads)
        assert result.code == 0, result.error
        content = [(place.folder / f"{name}.h5").read_bytes() for name in "ab"]
        first = first or content
        assert content == first


@pytest.mark.parametrize("method", ["cg", *sweep("lsmr")])
def test_a_band_is_warned_of(place, method):
    """30 degrees around the equator: exit code 0, the condition number in the report, a warning of it and its remedy."""
    nside = 16
    theta, _ = healpy.pix2ang(nside, np.arange(12 * nside ** 2))
    band = np.abs(np.degrees(theta) - 90) < 15
    place.map("sky.h5", nside, 1)
    place.map("mask.h5", nside, 1, lambda values: values.__setitem__(slice(None), band))
    job = ("inputs:\n  sky: {map: sky.h5}\n  mask: {map: mask.h5}\nsteps:\n  - analysis: {map: sky, lmax: 14, out: a, "
           "method: {METHOD: {mask: mask, WHAT}}}\noutputs:\n  a: {file: a.h5}\n").replace("METHOD", method)
    result = run(place, job.replace("WHAT", "max_iterations: 5000, tolerance: 1.0e-6"))
    analysis, = place.report("report.json")["analyses"]
    assert 1e8 <= analysis["condition"]["max"] < 1e19
    assert analysis["condition_iterations"] == analysis["iterations"]["max"]
    warning, = (text for text in place.report("report.json")["warnings"] if "condition" in text)
    for words in (f"steps[0].analysis: method.{method}: ", f"at least {analysis['condition']['max']:.1e}",
                  f"after {analysis['condition_iterations']} iterations", f"method.{method}.regularise"):
        assert words in warning
    assert warning in result.error
    assert f"condition at least {analysis['condition']['max']:.2g} after {analysis['condition_iterations']} iterations" in result.out
    result = run(place, job.replace("WHAT", "regularise: 0.05"))
    analysis, = place.report("report.json")["analyses"]
    assert 10 < analysis["condition"]["max"] < 1e5 and "condition" not in result.error


def test_each_field_has_its_column(place):
    """Two steps with equal transforms and methods, for scalars with other names."""
    theta, phi, _, _, _ = cut_sky(place)
    (place.folder / "cl.dat").write_text("# L XX YY\n" + "".join(f"{l} 0.01 {0.02 * (l + 1)}\n" for l in range(6)))
    maps = {name: place.map(f"{name}.h5", 4, 1, FIELDS=[name.upper()]) for name in "xy"}
    run(place, "inputs:\n  x: {map: x.h5}\n  y: {map: y.h5}\nsteps:\n" + "".join(
        f"  - analysis: {{map: {name}, lmax: 5, out: of_{name}, method: {{cg: {{tolerance: 1.0e-13, regularise: "
        "{spectrum: cl.dat, spectrum_kind: cl}}}}\n" for name in "xy")
        + "outputs:\n  of_x: {file: of_x.h5}\n  of_y: {file: of_y.h5}\n")
    dense = Dense(theta, phi, ["T"])
    for name, penalty in (("x", lambda field, l: 100), ("y", lambda field, l: 50 / (l + 1))):
        assert distance(read_alm(place, f"of_{name}.h5"), dense.fit(maps[name], 1, penalty)) < 1e-10, name


def test_a_changed_prior_is_another_job(place):
    """The file of C_l is part of what results of a campaign depend on."""
    cut_sky(place)
    for k in range(2):
        place.map(f"sky_{k}.h5", 4, 3)
    place.job("inputs:\n  sky: {map: \"sky_{0..1}.h5\"}\nsteps:\n  - analysis: {map: sky, lmax: 5, method: {cg: "
              "{regularise: {spectrum: cl.dat, spectrum_kind: cl}}}, out: a}\noutputs:\n  a: {file: \"a_{}.h5\"}\n")
    found = []
    for size, *arguments in ((0.001,), (0.03, "--restart")):
        (place.folder / "cl.dat").write_text("# L TT EE BB\n" + "".join(f"{l} {size} 1 1\n" for l in range(6)))
        if arguments:
            result = place.armilla("run", "job.yaml")
            assert result.code == 2 and "files.cl.dat.size was" in result.error
        result = place.armilla("run", "job.yaml", *arguments)
        assert result.code == 0, result.error
        found.append(read_alm(place, "a_1.h5"))
    assert distance(found[0], found[1]) > 0.01
