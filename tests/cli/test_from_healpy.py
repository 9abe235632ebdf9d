"""docs/from_healpy.md: for each line of its tables, the expression of healpy and the commands of Armilla (or the
job that it links to) are run as written, and the numbers are compared."""
import re
import shlex

import numpy as np
import pytest

healpy = pytest.importorskip("healpy")
import h5py

from conftest import SOURCE, Workplace
from tiers import sweep

PAGE = SOURCE / "docs" / "from_healpy.md"
NSIDE, LMAX = 32, 48

# Largest difference over largest value.
# Two double-precision sums of 49^2 terms, at most four times one after the other: rms 1e-16 sqrt(4 * 49^2) = 1e-14, and
# the extreme of 37000 numbers is some times that.
ROUNDING = 1e-12
# HEALPix's files of ring weights are another solution of the same equations, in double precision; their condition
# number is about 100.
RING_WEIGHTS = 1e-10
# The matrices of both sides agree to 4e-15 per angle [rad], which a_lm see times lmax = 48.
ROTATION = 1e-12
# Fits stop at 1e-10 in rms of all coefficients; the largest of 1225 differences is some times that.
FIT = 1e-9


def rows():
    """(healpy, [commands] or anchor) of the tables with these two columns."""
    found, inside = [], False
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        inside = cells[:2] == ["healpy", "Armilla"] or inside and bool(cells)
        if inside and cells[0] not in ("healpy", "---"):
            assert len(cells) == 2, line
            link = re.fullmatch(r"\[job\]\(#([a-z-]+)\)", cells[1])
            commands = re.findall(r"`([^`]+)`", cells[1])
            assert link or all(command.startswith("armilla ") for command in commands) and commands, line
            found.append((cells[0].strip("`"), link.group(1) if link else commands))
    return found


def job_under(anchor):
    """The first job below the heading of that anchor."""
    for section in re.split(r"^#+ ", PAGE.read_text(), flags=re.M)[1:]:
        if section.splitlines()[0].lower().replace(" ", "-") == anchor:
            return re.search(r"```yaml\n(.*?)```", section, flags=re.S).group(1)
    raise AssertionError(f"the page has no heading for #{anchor}")


def spectra_of_a_sky():
    l = np.arange(LMAX + 1)
    cl = np.zeros((6, LMAX + 1))
    cl[:, 2:] = np.array([[1], [0.1], [0.01], [0.15], [0.002], [0.01]]) / l[2:] ** 2.0
    return cl


def band_limited(cl, state):
    np.random.seed(state)
    return np.array(healpy.synalm(list(cl), lmax=LMAX, new=True))


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """The files of the page, and the names that its expressions know."""
    folder = tmp_path_factory.mktemp("files")
    cl = spectra_of_a_sky()
    alm, alm2 = band_limited(cl, 1), band_limited(cl, 2)
    alm[0, [0, 1, LMAX + 1]] = 0.7, 0.4, -0.3 + 0.2j  # a monopole and a dipole
    m, n = np.array(healpy.alm2map(alm, NSIDE)), np.array(healpy.alm2map(alm2, NSIDE))
    theta, phi = np.arccos(np.linspace(0.97, -0.95, 200)), np.linspace(0, 31, 200) % (2 * np.pi)
    l = np.arange(3 * NSIDE)
    b = healpy.gauss_beam(np.radians(4), lmax=3 * NSIDE - 1)
    mask = (np.abs(np.array(healpy.pix2vec(NSIDE, np.arange(m.shape[1])))[2]) > 0.2).astype(float)
    cut = np.where(mask > 0, m, healpy.UNSEEN)
    names = {"hp": healpy, "np": np, "m": m, "n": n, "t": m[0], "alm": alm, "alm2": alm2, "cl": cl,
             "nested": healpy.reorder(m, r2n=True), "theta": theta, "phi": phi, "l": np.arange(LMAX + 1), "b": b, "mask": mask, "cut": cut}
    for name, values in {"map": m, "sky_0": m, "other": n, "sky_1": n, "mask": mask, "cut": cut,
                         "shear": m[1:]}.items():
        healpy.write_map(folder / f"{name}.fits", values, dtype=np.float64)
    healpy.write_map(folder / "nested.fits", names["nested"], nest=True, dtype=np.float64)
    healpy.write_alm(folder / "alm.fits", alm, out_dtype=np.float64)
    healpy.write_alm(folder / "other_alm.fits", alm2, out_dtype=np.float64)
    healpy.write_cl(folder / "cl_in.fits", cl[:4], dtype=np.float64)
    np.savetxt(folder / "cl_in.txt", np.c_[np.arange(LMAX + 1), cl.T], header="L TT EE BB TE EB TB")
    np.savetxt(folder / "beam.txt", np.c_[l, b], header="L B_l")
    healpy.write_cl(folder / "beam.fits", b, dtype=np.float64)
    pt, pp = healpy.pixwin(NSIDE, pol=True)
    np.savetxt(folder / "pixwin.txt", np.c_[np.arange(len(pt)), pt, pp, pp], header="L T E B")
    np.savetxt(folder / "points.txt", np.c_[theta, phi], header="theta phi")
    return folder, names


class Row:
    """One line, run on the side of Armilla in a folder of its own; healpy's value where it is asked for."""

    def __init__(self, world, folder, healpy_side, armilla_side):
        files, self.names = world
        self.expression = healpy_side
        self.place = Workplace(folder)
        for path in files.iterdir():
            (folder / path.name).symlink_to(path)
        if isinstance(armilla_side, str):
            (folder / "job.yaml").write_text(job_under(armilla_side))
            armilla_side = ["armilla run job.yaml"]
        for command in armilla_side:
            self.result = self.place.armilla(*shlex.split(command)[1:])
            assert self.result.code == 0, f"{command}: {self.result.error}"
        words = shlex.split(armilla_side[-1])
        self.command = words
        self.output = words[words.index("-o") + 1] if "-o" in words else "out.fits"

    def healpy(self):
        return np.array(eval(self.expression, dict(self.names)))

    def path(self):
        return self.place.folder / self.output

    def map(self, nest=False):
        return np.array(healpy.read_map(self.path(), field=None, dtype=None, nest=nest))

    def alm(self, name=None):
        return read_alm(self.place.folder / name if name else self.path())

    def cl(self):
        return np.array(healpy.read_cl(self.path()))


def read_alm(path):
    from astropy.io import fits
    with fits.open(path) as file:
        return np.array([healpy.read_alm(path, hdu=i) for i in range(1, len(file))])


def agree(ours, theirs, tolerance):
    """All components, each by its own largest value, and none of zeros."""
    ours, theirs = np.atleast_2d(np.squeeze(ours)), np.atleast_2d(np.squeeze(theirs))
    assert ours.shape == theirs.shape
    for i, (one, other) in enumerate(zip(ours, theirs)):
        largest = np.max(np.abs(other))
        assert largest > 0
        assert np.max(np.abs(one - other)) <= tolerance * largest, (i, np.max(np.abs(one - other)) / largest)


def alm(tolerance):
    return lambda row: agree(row.alm(), row.healpy(), tolerance)


def map_(tolerance):
    return lambda row: agree(row.map(), row.healpy(), tolerance)


def auto_spectra(row):
    """TT EE BB TE EB TB; of T alone TT."""
    agree(row.cl(), row.healpy(), ROUNDING)


def many_spectra(row):
    for i, theirs in enumerate(row.healpy()):
        agree(healpy.read_cl(row.place.folder / f"cl_{i}.fits"), theirs, ROUNDING)


def cross_spectra(row):
    """TE, EB and TB of two fields are the means of healpy's two products."""
    theirs = row.healpy()
    swapped = np.array(eval(row.expression, {**row.names, "m": row.names["n"], "n": row.names["m"],
                                            "alm": row.names["alm2"], "alm2": row.names["alm"]}))
    agree(row.cl(), (theirs + swapped) / 2, ROUNDING)
    agree(row.cl()[:3], theirs[:3], ROUNDING)


def pixel_weights(row):
    """healpy's own weights are a download. What they are for is exact: the coefficients of a map up to 1.5 nside."""
    # The weights solve their equations to about 1e-13 of the area of a pixel, in sums over 12288 pixels.
    agree(row.alm(), row.names["alm"], 1e-10)


def least_squares(row):
    agree(row.alm(), row.healpy(), FIT)


def derivatives(row):
    agree(row.map(), row.healpy(), ROUNDING)


def interpolation(row):
    with h5py.File(row.path()) as file:
        ours = file["values"][:].reshape(-1)
    exact = values_at(row.names["alm"][0], row.names["theta"], row.names["phi"])
    agree(ours, exact, 1e-9)  # synthesis_at is accurate to 1e-10 in rms
    # Linear interpolation between pixels h = 1.8 degrees apart has an error of h^2 lmax^2 / 8 = 28% of the smallest
    # scales, which have a few per cent of the rms.
    rms = np.sqrt(np.mean((ours - row.healpy()) ** 2) / np.mean(ours ** 2))
    assert 1e-6 < rms < 0.1


def values_at(alm_t, theta, phi):
    """The series itself, from SciPy's harmonics."""
    from scipy.special import sph_harm
    l, m = healpy.Alm.getlm(LMAX)
    y = sph_harm(m[:, None], l[:, None], phi[None, :], theta[None, :])
    return np.real(np.einsum("i,ij->j", np.where(m == 0, 1, 2) * alm_t, y))


def draws(found, cl):
    """Each C_l of one sky scatters about the input with a relative variance 2 / (2 l + 1), so that chi^2 over l has
    LMAX - 1 degrees of freedom: within 5 standard deviations."""
    l = np.arange(2, LMAX + 1)
    for i in range(3):
        chi2 = np.sum((2 * l + 1) / 2 * (found[i, 2:] / cl[i, 2:] - 1) ** 2)
        assert abs(chi2 - len(l)) < 5 * np.sqrt(2 * len(l)), i
    # TE scatters by (TE^2 + TT EE) / (2 l + 1); the weighted mean over l has the standard deviation 1 here.
    te, scatter = found[3, 2:] / cl[3, 2:], np.sqrt((1 + cl[0, 2:] * cl[1, 2:] / cl[3, 2:] ** 2) / (2 * l + 1))
    assert abs(np.sum((te - 1) / scatter ** 2) / np.sqrt(np.sum(1 / scatter ** 2))) < 5


def random_alm(row):
    draws(np.array(healpy.alm2cl(row.alm())), row.names["cl"])
    np.random.seed(3)
    draws(np.array(healpy.alm2cl(row.healpy())), row.names["cl"])


def random_map(row):
    agree(row.map(), healpy.alm2map(row.alm("random.fits"), NSIDE), ROUNDING)
    draws(np.array(healpy.alm2cl(row.alm("random.fits"))), row.names["cl"])
    assert row.healpy().shape == row.map().shape


def resize(row):
    """Some versions of healpy have no resize_alm."""
    l, m = healpy.Alm.getlm(LMAX)
    kept = row.names["alm"][0][(l <= 30) & (m <= 20)]
    agree(row.alm(), kept, 0)
    if hasattr(healpy, "resize_alm"):
        agree(row.alm(), row.healpy(), 0)


def rotate_in_place(row):
    rotated = row.names["alm"].copy()
    eval(row.expression, {**row.names, "alm": rotated})
    agree(row.alm(), rotated, ROTATION)


def remove_dipole(row):
    """On a band-limited map, the same map: what Armilla removes is healpy's fit."""
    agree(row.map(), row.healpy(), FIT)


def fit_dipole(row):
    monopole, (x, y, z) = eval(row.expression, dict(row.names))
    a00, a10, a11 = row.alm().reshape(-1)
    factor = np.sqrt(3 / (4 * np.pi))
    ours = [a00.real / np.sqrt(4 * np.pi), -np.sqrt(2) * factor * a11.real, np.sqrt(2) * factor * a11.imag, factor * a10.real]
    agree(ours, [monopole, x, y, z], FIT)


def ud_grade(row):
    """regrid is analysis and synthesis; ud_grade is that with the ratio of windows, apart from what it aliases."""
    harmonic = healpy.alm2map(healpy.map2alm(row.names["m"], lmax=47), 16)
    agree(row.map(), harmonic, ROUNDING)
    smooth = healpy.smoothing(row.names["m"], fwhm=np.radians(20))
    ours = healpy.alm2map(healpy.map2alm(smooth, lmax=47), 16)
    theirs = eval(row.expression, {**row.names, "m": smooth})
    # Both agree for a smooth map: a pixel of h = 3.7 degrees averages away l^2 h^2 / 24 = 4% at l = 15, where a beam of
    # 20 degrees leaves 8% of the field.
    assert np.max(np.abs(ours - theirs)) < 0.05 * np.max(np.abs(theirs))
    assert row.healpy().shape == row.map().shape


def pixwin(row):
    pt, pp = row.healpy()
    agree(row.alm(), [healpy.almxfl(a, f) for a, f in zip(row.names["alm"], (pt, pp, pp))], ROUNDING)


def inspect(row):
    values = row.healpy()
    for name, one in zip("TQU", values):
        line = next(line for line in row.result.out.splitlines() if line.split()[:1] == [name]).split()
        numbers = [float(word) for word in line[1:5]]
        # It prints six digits.
        assert np.allclose(numbers[:3], [one.min(), one.max(), np.sqrt(np.mean(one ** 2))], rtol=1e-5)
        assert abs(numbers[3] - one.mean()) <= 1e-5 * abs(one.mean()) + 1e-15


def equal_map(nest):
    return lambda row: np.testing.assert_array_equal(row.map(nest=nest), row.healpy())


def files(read, tolerance=0):
    """What either side has written; healpy's file is named in its call."""
    def check(row):
        row.healpy()
        theirs = row.place.folder / re.search(r'"(\w+\.fits)"', row.expression).group(1)
        ours, theirs = read(row.path()), read(theirs)
        assert ours.dtype == theirs.dtype
        agree(ours, theirs, tolerance)
    return check


def read_map(path):
    return healpy.read_map(path, field=None, dtype=None)


def picture(row):
    """Where a map of 1 and -1 is positive, in the picture and in healpy's projection of it."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib.image import imread
    assert imread(row.path()).shape[1] == 1000  # the width that the help promises
    options = row.command[row.command.index("--field"):row.command.index("-o")] + ["--width", "400"]
    if "--min" not in options:
        options += ["--min", "-1", "--max", "1"]
    sign = np.where(healpy.smoothing(row.names["t"], fwhm=np.radians(20)) > 0, 1.0, -1.0)
    images = {}
    for name, values in {"sign": sign, "low": -np.ones_like(sign), "high": np.ones_like(sign)}.items():
        healpy.write_map(row.place.folder / f"{name}.fits", values, dtype=np.float64)
        result = row.place.armilla("view", f"{name}.fits", *options, "-o", f"{name}.png")
        assert result.code == 0, result.error
        images[name] = imread(row.place.folder / f"{name}.png")[:, :, :3]
    distance = lambda name: np.abs(images["sign"] - images[name]).sum(axis=2)
    inside = np.abs(images["high"] - images["low"]).sum(axis=2) > 0.5
    y, x = (np.flatnonzero(inside.any(axis=axis)) for axis in (1, 0))
    theirs = eval(row.expression[:-1] + ", return_projected_map=True)", {**row.names, "t": sign})
    matplotlib.pyplot.close("all")
    theirs = np.ma.filled(theirs, np.nan)[::-1]  # from its lowest row on
    known = np.isfinite(theirs)
    v, u = (np.flatnonzero(known.any(axis=axis)) for axis in (1, 0))
    # Pixels of our picture between the edges of the map, as a part of its width and height.
    ours_y, ours_x = np.nonzero(inside)
    there_y = v[0] + ((ours_y - y[0] + 0.5) / (y[-1] - y[0] + 1) * (v[-1] - v[0] + 1)).astype(int)
    there_x = u[0] + ((ours_x - x[0] + 0.5) / (x[-1] - x[0] + 1) * (u[-1] - u[0] + 1)).astype(int)
    both = np.isfinite(theirs[there_y, there_x])
    equal = (distance("high") < distance("low"))[inside] == (theirs[there_y, there_x] > 0)
    # Both differ at edges: of 400 pixels in a row, one or two at each change of sign and at the rim.
    assert both.mean() > 0.97 and equal[both].mean() > 0.95
    assert 0.2 < (theirs[known] > 0).mean() < 0.8


# By healpy's side of the table.
COMPARISONS = {
    "hp.map2alm(m, lmax=48)": alm(ROUNDING),
    "hp.map2alm(m, lmax=48, iter=0)": alm(ROUNDING),
    "hp.map2alm(m, lmax=48, mmax=20)": alm(ROUNDING),
    "hp.map2alm(t, lmax=48)": alm(ROUNDING),
    "hp.map2alm(m, lmax=48, pol=False)": alm(ROUNDING),
    "hp.map2alm(m, lmax=48, iter=0, use_weights=True)": alm(RING_WEIGHTS),
    "hp.map2alm(m, lmax=48, use_weights=True)": alm(RING_WEIGHTS),
    "hp.map2alm(m, lmax=48, iter=0, use_pixel_weights=True)": pixel_weights,
    "hp.map2alm_lsq(m, 48, 48)[0]": least_squares,
    "hp.map2alm_spin(m[1:], 2, lmax=48)": alm(ROUNDING),
    "hp.map2alm_spin(m[1:], 1, lmax=48)": alm(ROUNDING),
    "hp.alm2map(alm, 32)": map_(ROUNDING),
    "hp.alm2map(alm[0], 32)": map_(ROUNDING),
    "hp.alm2map(alm, 32, fwhm=np.radians(5))": map_(ROUNDING),
    "hp.alm2map(alm, 32, pixwin=True)": map_(ROUNDING),
    "hp.alm2map_spin(alm[1:], 32, 2, 48)": map_(ROUNDING),
    "hp.alm2map_der1(alm[0], 32)[1:]": derivatives,
    "hp.get_interp_val(t, theta, phi)": interpolation,
    "hp.anafast(m)": auto_spectra,
    "hp.anafast(m, lmax=48)": auto_spectra,
    "hp.anafast(m, lmax=48, iter=0)": auto_spectra,
    "hp.anafast(t, lmax=48)": auto_spectra,
    "hp.anafast(m, n, lmax=48)": cross_spectra,
    "hp.anafast(hp.ma(cut), lmax=48)": auto_spectra,
    "hp.anafast(m * mask, lmax=48)": auto_spectra,
    "[hp.anafast(x, lmax=48) for x in (m, n)]": many_spectra,
    "hp.alm2cl(alm)": auto_spectra,
    "hp.alm2cl(alm, alm2)": cross_spectra,
    "hp.synalm(cl, lmax=48, new=True)": random_alm,
    "hp.synfast(cl, 32, lmax=48, new=True)": random_map,
    "hp.smoothing(m, fwhm=np.radians(5))": map_(ROUNDING),
    "hp.smoothing(m, fwhm=np.radians(5), lmax=48, iter=0)": map_(ROUNDING),
    "hp.smoothing(t, beam_window=b)": map_(ROUNDING),
    "hp.smoothalm(alm, fwhm=np.radians(5), inplace=False)": alm(ROUNDING),
    "[hp.almxfl(a, b) for a in alm]": alm(ROUNDING),
    "hp.almxfl(alm[0], l >= 2)": alm(ROUNDING),
    "hp.resize_alm(alm[0], 48, 48, 30, 20)": resize,
    'hp.Rotator(coord=["G", "C"]).rotate_alm(alm)': alm(ROTATION),
    'hp.Rotator(coord=["G", "C"]).rotate_map_alms(m, use_pixel_weights=False)': map_(ROTATION),
    "hp.rotate_alm(alm, *np.radians([10, 20, 30]))": rotate_in_place,
    "hp.remove_monopole(t)": map_(ROUNDING),
    "hp.remove_dipole(t)": remove_dipole,
    "hp.fit_dipole(t)": fit_dipole,
    "hp.fit_dipole(cut[0])": fit_dipole,
    "hp.ud_grade(m, 16)": ud_grade,
    "hp.pixwin(32, pol=True)": pixwin,
    'hp.read_map("map.fits", field=(0, 1, 2))': inspect,
    "hp.reorder(m, r2n=True)": equal_map(nest=True),
    "hp.reorder(nested, n2r=True)": equal_map(nest=False),
    'hp.write_map("single.fits", m, dtype=np.float32)': files(read_map),
    'hp.write_alm("theirs.fits", alm)': files(read_alm),
    # Texts of 19 digits.
    'hp.write_cl("theirs.fits", cl)': files(lambda path: np.array(healpy.read_cl(path)), 1e-15),
    "hp.mollview(t)": picture,
    "hp.mollview(t, rot=(40, 20), min=-1, max=1)": picture,
    "hp.cartview(t)": picture,
    "hp.orthview(t, rot=(40, 20))": picture,
}


# One line of each kind of step, input and output; the second tier runs the others.
FIRST = {
    "hp.map2alm(m, lmax=48, iter=0, use_weights=True)", "hp.map2alm(m, lmax=48, iter=0, use_pixel_weights=True)",
    "hp.map2alm(m, lmax=48, pol=False)", "hp.map2alm_spin(m[1:], 1, lmax=48)", "hp.alm2map(alm, 32, pixwin=True)",
    "hp.alm2map_spin(alm[1:], 32, 2, 48)", "hp.alm2map_der1(alm[0], 32)[1:]", "hp.get_interp_val(t, theta, phi)",
    "hp.anafast(m, n, lmax=48)", "hp.anafast(hp.ma(cut), lmax=48)", "[hp.anafast(x, lmax=48) for x in (m, n)]",
    "hp.synfast(cl, 32, lmax=48, new=True)", "hp.smoothing(t, beam_window=b)", "hp.almxfl(alm[0], l >= 2)",
    'hp.Rotator(coord=["G", "C"]).rotate_map_alms(m, use_pixel_weights=False)', "hp.rotate_alm(alm, *np.radians([10, 20, 30]))",
    "hp.remove_dipole(t)", "hp.fit_dipole(cut[0])", "hp.ud_grade(m, 16)", 'hp.read_map("map.fits", field=(0, 1, 2))',
    "hp.reorder(nested, n2r=True)", 'hp.write_map("single.fits", m, dtype=np.float32)', 'hp.write_alm("theirs.fits", alm)',
    'hp.write_cl("theirs.fits", cl)', "hp.mollview(t, rot=(40, 20), min=-1, max=1)",
}
LINES = [row for row in rows() if row[0] in FIRST] + sweep(*(row for row in rows() if row[0] not in FIRST))


def test_the_first_tier_has_lines_of_the_page():
    assert FIRST <= {row[0] for row in rows()}


@pytest.mark.parametrize("healpy_side, armilla_side", LINES, ids=lambda value: value if isinstance(value, str) and "(" in value else "")
def test_line(world, tmp_path, monkeypatch, healpy_side, armilla_side):
    row = Row(world, tmp_path, healpy_side, armilla_side)
    assert healpy_side in COMPARISONS, "the line has no comparison here"
    monkeypatch.chdir(tmp_path)  # expressions that name files
    COMPARISONS[healpy_side](row)


def test_each_comparison_has_its_line():
    assert sorted(COMPARISONS) == sorted(row[0] for row in rows())


def known_verbs(place):
    verbs = place.armilla("--help").out.split("Subcommands:")[1].split("\n\n")[0] + place.armilla("list", "steps").out
    return {line.split()[0] for line in verbs.splitlines() if line}


def test_facilities_of_healpix_are_what_the_page_says(place):
    """Verbs have a help, steps are among the keys of a job."""
    table = PAGE.read_text().split("## HEALPix facilities")[1]
    verbs = set(re.findall(r"`(\w+)`", " ".join(re.findall(r"verbs? ((?:`\w+`(?:, )?)+)", table))))
    steps = set(re.findall(r"`(\w+)`", " ".join(re.findall(r"steps ((?:`\w+`(?:, )?)+)", table))))
    assert verbs == {"spectra", "smooth", "rotate", "multiply", "regrid", "convert", "view"}
    assert verbs <= known_verbs(place)
    keys = (SOURCE / "docs" / "job_keys.md").read_text()
    assert steps == {"random_alm", "synthesis"} and all(f"### {step}\n" in keys for step in steps)


def test_what_has_no_equivalent_is_no_verb(place):
    section = PAGE.read_text().split("## Without an equivalent")[1].split("## ")[0]
    words = re.findall(r"`((?:query|ang2|pix2|get_all|rotate_map|hotspots|dist2|line_|gnom|azeq)\w*)`", section)
    assert len(words) >= 10
    assert not known_verbs(place) & set(words)
    result = place.armilla(words[0], "map.fits")
    assert result.code == 2 and f"unknown verb '{words[0]}'" in result.error


def test_defaults_that_differ(world, tmp_path):
    """The list of conventions: bad pixels, IAU, and no iterations of the verb analysis."""
    files, names = world
    place = Workplace(tmp_path)
    result = place.armilla("spectra", files / "cut.fits", "-o", "cl.fits")
    assert result.code == 2 and "bad" in result.error
    healpy.write_map(tmp_path / "iau.fits", names["m"], dtype=np.float64, extra_header=[("POLCCONV", "IAU")])
    result = place.armilla("convert", "iau.fits", "cosmo.fits")
    assert result.code == 0, result.error
    ours = healpy.read_map(tmp_path / "cosmo.fits", field=None, dtype=None)
    assert np.array_equal(healpy.read_map(tmp_path / "iau.fits", field=None, dtype=None), names["m"])
    assert np.array_equal(ours, names["m"] * np.array([[1], [1], [-1]]))
    for options, iterations in (([], 0), (["--method", "jacobi=3"], 3)):
        result = place.armilla("analysis", files / "map.fits", "--lmax", LMAX, *options, "-o", "a.fits")
        assert result.code == 0, result.error
        agree(read_alm(tmp_path / "a.fits"), healpy.map2alm(names["m"], lmax=LMAX, iter=iterations), ROUNDING)
