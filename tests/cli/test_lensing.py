"""Steps of lensing from files to files: reference values, ranks, campaigns, and warnings."""
import h5py
import numpy as np
import pytest

from conftest import DATA, Workplace
from tiers import RANKS, sweep

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


@pytest.fixture(scope="module")
def sky(tmp_path_factory):
    """tqu.h5, potential.h5 and deflection.h5 of the reference; m.h5 and small.h5, maps of noise."""
    place = Workplace(tmp_path_factory.mktemp("lensing"))
    with h5py.File(DATA / "reference" / "lensing.h5") as file:
        group = file["lensing"]
        potential = group["potential_alm"][:] @ [1, 1j]
        place.pointing, place.unturned = group["pointing"][:], group["tqu_without_rotation"][:]
    write_alm(place.folder / "tqu.h5", closed_form(3), ["T", "E", "B"])
    write_alm(place.folder / "potential.h5", potential, ["P"])
    l = np.concatenate([np.arange(m, LMAX + 1) for m in range(LMAX + 1)])
    place.deflection = np.stack([np.sqrt(l * (l + 1)) * potential[0], 0 * potential[0]])
    write_alm(place.folder / "deflection.h5", place.deflection, ["E_D", "B_D"])
    place.map("m.h5", 32, 3)
    place.map("small.h5", 8, 3)
    place.potential = potential
    return place


INPUTS = ("inputs:\n  tqu: {alm: tqu.h5}\n  phi: {alm: potential.h5}\n  d: {alm: deflection.h5, spin: 1}\n"
          "  m: {map: MAP}\nsteps:\n")
LARGE, SMALL = INPUTS.replace("MAP", "m.h5"), INPUTS.replace("MAP", "small.h5")
WHOLE, PART, OTHER = ("{healpix: {nside: 32}}", "{healpix: {nside: 32, theta_deg: [30, 80]}}", "{gauss: {nlat: 97}}")


def run(place, text, ranks=0, threads=1):
    place.job(text)
    result = place.armilla("run", "job.yaml", "--restart", "--report", "report.json", ranks=ranks, threads=threads, timeout=600)
    assert result.code == 0, result.error
    return result


def files(*names):
    return "outputs:\n" + "".join(f"  {name}: {{file: {name}.h5}}\n" for name in names)


TRANSFORMED = LARGE + f"""  - lens: {{alm: tqu, potential: phi, grid: {WHOLE}, accuracy: 1.0e-12, out: y}}
  - lens: {{alm: tqu, deflection: d, grid: {WHOLE}, accuracy: 1.0e-12, out: z}}
  - gradient: {{alm: phi, grid: {WHOLE}, out: g}}
  - pointing: {{map: g, out: p}}
  - lens: {{alm: tqu, potential: phi, grid: {WHOLE}, accuracy: 1.0e-9, out: rough}}
  - lens_adjoint: {{map: m, potential: phi, lmax: 95, accuracy: 1.0e-9, out: b}}
  - lens_adjoint: {{map: m, deflection: d, lmax: 95, accuracy: 1.0e-9, out: c}}
  - lens_adjoint: {{map: m, deflection: d, lmax: 95, weights: grid, accuracy: 1.0e-9, out: w}}
  - lens: {{alm: tqu, potential: phi, grid: {OTHER}, accuracy: 1.0e-12, out: other}}
  - lens: {{alm: tqu, potential: phi, grid: {OTHER}, out: other_default}}
  - lens: {{alm: tqu, potential: phi, grid: {PART}, accuracy: 1.0e-12, out: part}}
  - lens: {{alm: tqu, potential: phi, grid: {PART}, out: part_default}}
  - lens_adjoint: {{map: part, potential: phi, lmax: 95, accuracy: 1.0e-12, out: part_b}}
""" + files("y", "z", "p", "rough", "b", "c", "w", "other", "other_default", "part", "part_default", "part_b")


@pytest.fixture(scope="module")
def transformed(sky):
    run(sky, TRANSFORMED, threads=2)
    return sky


# claims: step lens, step pointing
def test_reference_values(transformed):
    there = transformed.unturned[1] + 1j * transformed.unturned[2]
    here = there * np.exp(2j * transformed.pointing[:, 2])
    y = read(transformed, "y.h5")
    assert distance(y, np.stack([transformed.unturned[0], here.real, here.imag])) < 1e-11
    assert distance(read(transformed, "z.h5"), y) < 1e-13
    theta, phi, gamma = read(transformed, "p.h5")
    assert np.max(np.abs(theta - transformed.pointing[:, 0])) < 1e-12
    assert np.max(np.abs(np.sin(theta) * (np.exp(1j * phi) - np.exp(1j * transformed.pointing[:, 1])))) < 1e-12
    assert np.max(np.abs(np.sin(theta) * (gamma - transformed.pointing[:, 2]))) < 1e-12


# claims: step lens_adjoint
def test_the_adjoint_is_the_transpose(transformed):
    m, y, b = read(transformed, "m.h5"), read(transformed, "rough.h5"), read_alm(transformed, "b.h5")[0]
    assert abs(np.sum(y * m) - sum(dot(x, z, LMAX) for x, z in zip(closed_form(3), b))) < \
        1e-13 * np.linalg.norm(y) * np.linalg.norm(m)
    assert distance(read_alm(transformed, "c.h5")[0], b) < 1e-14
    assert distance(read_alm(transformed, "w.h5")[0], b * 4 * np.pi / m.shape[1]) < 1e-14


@pytest.mark.parametrize("ranks", sweep(1, 2, 3, 7))
def test_results_do_not_depend_on_ranks(transformed, ranks):
    """In the first tier tests/ops has this claim."""
    y, b = read(transformed, "y.h5"), read_alm(transformed, "b.h5")[0]
    run(transformed, TRANSFORMED, ranks)
    assert np.array_equal(read(transformed, "y.h5"), y)
    assert distance(read_alm(transformed, "b.h5")[0], b) < 1e-14


def test_other_grids_and_single_precision(transformed):
    """The adjoint of part of the sky too: <y, y> = <a, Y^T y>."""
    part, back = read(transformed, "part.h5"), read_alm(transformed, "part_b.h5")[0]
    assert abs(np.sum(part * part) / sum(dot(x, z, LMAX) for x, z in zip(closed_form(3), back)) - 1) < 1e-13
    for name in ("other", "part"):
        assert distance(read(transformed, f"{name}_default.h5"), read(transformed, f"{name}.h5")) < 1e-7
    run(transformed, LARGE.replace("m.h5", "part.h5") + "".join(
        f"  - lens: {{alm: tqu, potential: phi, grid: {grid}, out: {name}_single}}\n" for name, grid in
        (("other", OTHER), ("part", PART))) + "  - lens_adjoint: {map: m, deflection: d, lmax: 95, out: back_single}\n"
        + files("other_single", "part_single", "back_single") + "execution: {precision: single}\n")
    for name in ("other", "part"):
        assert distance(read(transformed, f"{name}_single.h5"), read(transformed, f"{name}.h5")) < 3e-6
    assert distance(read_alm(transformed, "back_single.h5")[0], back) < 2e-6


def test_spectra_of_a_potential_have_the_scales_of_camb(place):
    l = np.arange(1, 201)
    flat = 1.0 * l * (l + 1) / (2 * np.pi)
    table = np.stack([l, flat, flat * l * (l + 1), 0.5 * flat * np.sqrt(l * (l + 1.0))], axis=1)
    np.savetxt(place.folder / "potential.dat", table, header="L TT PP TP")
    run(place, "steps:\n  - random_alm: {spectrum: potential.dat, spectrum_kind: dl, fields: [T, P], lmax: 200, seed: 3, out: a}\n"
        + files("a"))
    with h5py.File(place.folder / "a.h5") as file:
        t, p = file["alm"][:][:, 1:]
    weight = np.concatenate([np.arange(m, 201) * 0 + (1 if m == 0 else 2) for m in range(201)])[1:]
    for x, y, expected in ((t, t, 1), (p, p, 1), (t, p, 0.5)):
        assert abs(np.sum(weight * (x * y.conj()).real) / 201 ** 2 - expected) < 0.03


@pytest.mark.parametrize("lmax, ranks", [(2, 5), *sweep((2, 20), (3, 17))])
def test_more_ranks_than_rows(place, lmax, ranks):
    """Three values of m and three pairs of rings."""
    job = (f"steps:\n  - random_alm: {{spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: {lmax}, seed: 3, out: a}}\n"
           f"  - random_alm: {{spectrum: dl.dat, spectrum_kind: dl, fields: [T], lmax: {lmax}, seed: 4, out: p}}\n"
           "  - scale: {alm: p, factor: 1.0e-5, out: phi}\n"
           "  - lens: {alm: a, potential: phi, grid: {healpix: {nside: 1}}, out: y}\n"
           "  - lens_adjoint: {map: y, potential: phi, lmax: 2, weights: grid, magnify: true, out: b}\n"
           "  - inverse_deflection: {potential: phi, lmax: 2, grid: {healpix: {nside: 1}}, out: back}\n"
           + files("y", "b", "back"))
    run(place, job)
    alone, adjoint, inverse = read(place, "y.h5"), read_alm(place, "b.h5")[0], read_alm(place, "back.h5")[0]
    run(place, job, ranks=ranks)
    assert np.array_equal(alone, read(place, "y.h5"))
    assert distance(read_alm(place, "b.h5")[0], adjoint) < 1e-14
    assert np.array_equal(inverse, read_alm(place, "back.h5")[0])


def read_alm(place, name):
    with h5py.File(place.folder / name) as file:
        return file["alm"][:], file["alm"].attrs["LMAX"]


def dot(a, b, lmax):
    """Over m of both signs."""
    weight = np.concatenate([np.full(lmax + 1 - m, 1 if m == 0 else 2) for m in range(lmax + 1)])
    return np.sum(weight * (a * b.conj()).real)


GAUSS = "{gauss: {nlat: 192}}"
# A draw of T, E, B and a potential whose displacements have an rms of 0.001 rad, and magnifications 0.9 to 1.1.
DRAWN = ("  - random_alm: {spectrum: drawn.dat, spectrum_kind: dl, fields: [T, E, B, P], lmax: 60, seed: 2, out: drawn}\n"
         "  - select: {alm: drawn, fields: [T, E, B], out: a}\n  - select: {alm: drawn, fields: [P], out: phi}\n")


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    place = Workplace(tmp_path_factory.mktemp("drawn"))
    l = np.arange(1, 61)
    table = np.stack([l, 1e3 / l, 30 / l, 1 / l, 20 / l, 2e-8 * l, 0 * l, 0 * l], axis=1)
    np.savetxt(place.folder / "drawn.dat", table, header="L TT EE BB TE PP TP EP")
    return place


UNDONE = "steps:\n" + DRAWN + f"""  - lens: {{alm: a, potential: phi, grid: {GAUSS}, accuracy: 1.0e-12, out: y}}
  - lens_adjoint: {{map: y, potential: phi, lmax: 60, weights: grid, magnify: true, accuracy: 1.0e-12, out: b}}
  - lens_adjoint: {{map: y, potential: phi, lmax: 60, weights: grid, accuracy: 1.0e-12, out: unmagnified}}
  - inverse_deflection: {{potential: phi, lmax: 191, accuracy: 1.0e-11, out: back}}
  - analysis: {{map: y, lmax: 191, out: l}}
  - lens: {{alm: l, deflection: back, grid: {GAUSS}, accuracy: 1.0e-12, out: z}}
  - analysis: {{map: z, lmax: 60, out: undone}}
  - inverse_deflection: {{potential: phi, grid: {{gauss: {{nlat: 257}}}}, lmax: 191, out: fine}}
  - inverse_deflection: {{potential: phi, grid: {{equiangular: {{rule: cc, nlat: 257}}}}, lmax: 191, out: finest}}
""" + files("a", "b", "unmagnified", "back", "undone", "fine", "finest")


@pytest.fixture(scope="module")
def undone(drawn):
    drawn.said = run(drawn, UNDONE).out
    drawn.solved = drawn.report("report.json")["analyses"][0]
    return drawn


def test_delensing_finds_the_coefficients(undone):
    a = read_alm(undone, "a.h5")[0]
    # What the integrand has above the degree 2 nlat - 1 = 383 is left.
    assert distance(read_alm(undone, "b.h5")[0], a) < 1e-10
    assert distance(read_alm(undone, "unmagnified.h5")[0], a) > 1e-3


# claims: step inverse_deflection
def test_the_inverse_deflection_undoes_lensing(undone):
    assert distance(read_alm(undone, "undone.h5")[0], read_alm(undone, "a.h5")[0]) < 1e-6
    back, lmax = read_alm(undone, "back.h5")
    assert lmax == 191
    assert undone.solved["method"] == "newton" and undone.solved["unconverged"] == 0
    assert 3 <= undone.solved["iterations"]["max"] <= 8
    assert 0 < undone.solved["displacement_residual_rad"]["max"] < 1e-12
    assert "displaced points within" in undone.said
    # The inverse has degrees above lmax, which a coarse grid takes for others; the default and a finer one agree.
    fine, finest = (read_alm(undone, f"{name}.h5")[0] for name in ("fine", "finest"))
    assert distance(fine, back) < 3e-5
    assert distance(finest, fine) < 3e-6
    run(undone, "steps:\n" + DRAWN + "  - inverse_deflection: {potential: phi, lmax: 191, out: single}\n"
        + files("single") + "execution: {precision: single}\n")
    assert distance(read_alm(undone, "single.h5")[0], back) < 3e-5


@pytest.mark.parametrize("ranks", sweep(1, 2, 3, 7))
def test_the_inverse_does_not_depend_on_ranks(undone, ranks):
    """In the first tier tests/ops has this claim."""
    back = read_alm(undone, "back.h5")[0]
    run(undone, UNDONE, ranks)
    assert np.array_equal(read_alm(undone, "back.h5")[0], back)


@pytest.mark.parametrize("layouts", [((0, 1, 3), (2, 2, 1)), *sweep((((1, 1, 3), (2, 1, 2), (3, 3, 1)),))])
def test_campaigns_have_a_potential_for_all_maps_or_for_each(drawn, layouts):
    """Of lens, its adjoint and the inverse."""
    text = "steps:\n" + DRAWN.replace("out: drawn", "maps: 3, out: drawn") + \
        "  - random_alm: {spectrum: drawn.dat, spectrum_kind: dl, fields: [P], lmax: 40, seed: 5, out: one}\n" + "".join(
            f"  - lens: {{alm: a, potential: {potential}, grid: {{healpix: {{nside: 16}}}}, out: y_{name}}}\n"
            f"  - lens_adjoint: {{map: y_{name}, potential: {potential}, lmax: 40, weights: grid, magnify: true, out: b_{name}}}\n"
            f"  - inverse_deflection: {{potential: {potential}, lmax: 20, grid: {{healpix: {{nside: 16}}}}, out: i_{name}}}\n"
            for name, potential in (("own", "phi"), ("shared", "one"))) + \
        "outputs:\n  i_shared: {file: i_shared.h5}\n" + "".join(
            f"  {name}: {{file: \"{name}_{{}}.h5\"}}\n" for name in ("y_own", "b_own", "i_own", "y_shared", "b_shared"))
    found = []
    for ranks, groups, batch in layouts:
        run(drawn, text + f"execution: {{map_groups: {groups}, batch: {batch}}}\n", ranks)
        found.append({name: [read(drawn, f"{name}_{k}.h5") for k in range(3)] for name in ("y_own", "y_shared")}
                     | {name: [read_alm(drawn, f"{name}_{k}.h5")[0] for k in range(3)] for name in ("b_own", "b_shared", "i_own")}
                     | {"i_shared": [read_alm(drawn, "i_shared.h5")[0]]})
    for other in found[1:]:
        for name, values in found[0].items():
            for one, same in zip(values, other[name], strict=True):
                assert distance(one, same) < 1e-14 if name.startswith("b_") else np.array_equal(one, same), name
    for name in ("y_own", "y_shared", "b_own", "b_shared", "i_own"):
        assert distance(found[0][name][0], found[0][name][1]) > 0.1, name


@pytest.mark.parametrize("ranks", RANKS)
def test_maps_of_a_campaign_without_an_inverse_are_left_out(sky, ranks):
    lmax = 40
    l, m = np.array([(l, m) for m in range(lmax + 1) for l in range(m, lmax + 1)]).T
    potential = sky.potential[0, index(LMAX, l, m)]
    for k, factor in enumerate((0.1, 3000, 0.05)):
        write_alm(sky.folder / f"p_{k}.h5", factor * potential[None], ["P"], lmax)
    result = run(sky, f"inputs:\n  p: {{alm: \"p_{{0..2}}.h5\"}}\nsteps:\n"
                 f"  - inverse_deflection: {{potential: p, lmax: {lmax}, out: back}}\n"
                 "outputs:\n  back: {file: \"back_{}.h5\"}\nexecution: {on_bad_map: skip, batch: 2}\n", ranks)
    report = sky.report("report.json")
    skipped, = report["campaign"]["skipped"]
    assert skipped["map"] == "1" and "no inverse of the deflection was found at" in skipped["reason"]
    assert report["analyses"][0]["maps"] == 3 and report["analyses"][0]["unconverged"] == 1
    assert "NOT CONVERGED: 1 of 3 maps" in result.out
    assert not (sky.folder / "back_1.h5").exists()
    # To first order the inverse is minus the deflection.
    for k, factor in ((0, 0.1), (2, 0.05)):
        assert distance(read_alm(sky, f"back_{k}.h5")[0][0], -factor * np.sqrt(l * (l + 1)) * potential) < factor


def test_different_lmax_are_allowed_and_noted(sky):
    sky.job(SMALL + "  - resize: {alm: phi, lmax: 60, out: p}\n"
            "  - lens: {alm: tqu, potential: p, grid: {healpix: {nside: 8}}, out: y}\n"
            "  - lens_adjoint: {map: y, potential: p, lmax: 15, weights: grid, magnify: true, out: noted}\n" + files("noted"))
    dry = sky.armilla("run", "job.yaml", "--dry-run")
    assert dry.code == 0, dry.error
    for field in (95, 15):
        assert f"the field has lmax {field}, the deflection lmax 60; each is evaluated up to its own lmax" in dry.out
    result = sky.armilla("run", "job.yaml", "--report", "report.json")
    assert result.code == 0, result.error
    assert sum("the deflection lmax 60" in note for note in sky.report("report.json")["notes"]) == 2


@pytest.mark.parametrize("ranks", RANKS)
def test_what_no_lens_does_is_warned_of(sky, ranks):
    """Degrees in place of radian, or worse."""
    result = run(sky, SMALL + "  - lens: {alm: tqu, deflection: d, grid: {healpix: {nside: 8}}, out: usual}\n"
                 "  - scale: {alm: d, factor: 3000, out: e}\n"
                 "  - lens: {alm: tqu, deflection: e, grid: {healpix: {nside: 8}}, out: far}\n"
                 "  - synthesis: {alm: e, grid: {healpix: {nside: 8}}, out: v}\n  - pointing: {map: v, out: farther}\n"
                 + files("usual", "far", "farther"), ranks)
    said = [text for text in sky.report("report.json")["warnings"] if "is neither used" not in text]
    assert len(said) == 2 and all(text in result.error for text in said)
    assert "of 768 pixels are displaced by more than pi" in said[0] and "steps[2].lens" in said[0]
    assert "displaced by more than pi" in said[1] and "steps[4].pointing" in said[1]


@pytest.mark.parametrize("ranks", RANKS)
def test_other_units_than_radian_are_warned_of(sky, ranks):
    for name, alm, fields in (("phi", sky.potential, ["P"]), ("d", sky.deflection, ["E_D", "B_D"])):
        write_alm(sky.folder / f"{name}_arcmin.h5", 0.1 * alm, fields)
        with h5py.File(sky.folder / f"{name}_arcmin.h5", "a") as file:
            file["alm"].attrs["UNITS"] = "arcmin"
    steps = ["lens: {alm: tqu, deflection: d, grid: {healpix: {nside: 8}}, out: y0}",
             "lens: {alm: tqu, potential: phi, grid: {healpix: {nside: 8}}, out: y1}",
             "lens_adjoint: {map: m, deflection: d, lmax: 20, out: y2}",
             "lens_adjoint: {map: m, potential: phi, lmax: 20, magnify: true, out: y3}",
             "inverse_deflection: {potential: phi, lmax: 20, out: y4}"]
    result = run(sky, SMALL.replace("potential.h5", "phi_arcmin.h5").replace("deflection.h5", "d_arcmin.h5")
                 + "".join(f"  - {step}\n" for step in steps) + files(*(f"y{k}" for k in range(5))), ranks)
    said = "displacements must be in rad, but the unit of the input is 'arcmin'"
    assert result.error.count(said) == 5
    for k, step in enumerate(steps):
        assert f"steps[{k}].{step.split(':')[0]}: {said}" in result.error


@pytest.mark.parametrize("ranks", RANKS)
def test_crossing_pixels_are_warned_of(sky, ranks):
    head = SMALL + "  - scale: {alm: d, factor: 300, out: e}\n"
    run(sky, head + "  - lens_adjoint: {map: m, deflection: e, lmax: 25, weights: grid, magnify: true, out: crossed}\n"
        + files("crossed"), ranks)
    aliased, too_far, crossing = [text for text in sky.report("report.json")["warnings"] if "lens_adjoint" in text]
    assert "lens_adjoint.lmax = 25 exceeds the limit of healpix nside 8 of 'm', lmax 23" in aliased
    assert "are displaced by more than pi" in too_far
    assert "the magnification det(dn'/dn) is 0 or negative at" in crossing and "of 768 pixels" in crossing


HEALPIX = "grid: {healpix: {nside: 8}}"


def in_coordinates(place, name, letter):
    """A copy of the file with that letter; its name."""
    copy = f"{letter}_{name}"
    (place.folder / copy).write_bytes((place.folder / name).read_bytes())
    with h5py.File(place.folder / copy, "a") as file:
        file["alm" if "alm" in file else "map"].attrs["COORDSYS"] = letter
    return copy


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize("key, name", [("potential", "phi"), ("deflection", "d")])
def test_coordinates_that_one_field_does_not_specify(sky, ranks, key, name):
    mine = SMALL
    for file in ("potential.h5", "deflection.h5"):
        mine = mine.replace(file, in_coordinates(sky, file, "C"))
    run(sky, mine + f"  - lens: {{alm: tqu, {key}: {name}, {HEALPIX}, out: lensed}}\n"
        f"  - lens_adjoint: {{map: m, {key}: {name}, lmax: 20, magnify: true, out: back}}\n" + files("lensed", "back"), ranks)
    for out in ("lensed", "back"):
        with h5py.File(sky.folder / f"{out}.h5") as data:
            assert data["alm" if "alm" in data else "map"].attrs["COORDSYS"] in ("C", b"C")


def test_the_grid_of_an_inverse_is_that_of_the_deflection(drawn):
    cases = {f"{grid}_{lmax}": f"lmax: {lmax}{keys}" for lmax in (59, 20) for grid, keys in (
        ("fine", ", grid: {gauss: {nlat: 300}}"), ("default", ""), ("coarse", f", grid: {{gauss: {{nlat: {lmax + 1}}}}}"))}
    run(drawn, "steps:\n" + DRAWN + "".join(
        f"  - inverse_deflection: {{potential: phi, {keys}, out: {name}}}\n" for name, keys in cases.items()) + files(*cases))
    found = {name: read_alm(drawn, f"{name}.h5")[0] for name in cases}
    said = [text for text in drawn.report("report.json")["warnings"] if "coarse" in text]
    for lmax, aliased, step, text in zip((59, 20), (1e-2, 0.5), (5, 8), said, strict=True):
        # Terms of fifth order are left, each order is 1/20 of the one before.
        assert distance(found[f"default_{lmax}"], found[f"fine_{lmax}"]) < 3e-6
        assert f"steps[{step}].inverse_deflection.grid = gauss" in text and "is too coarse for a deflection with lmax 60" in text
        assert distance(found[f"coarse_{lmax}"], found[f"fine_{lmax}"]) > aliased


def test_gradients_along_metres_are_no_displacements(sky):
    cases = [(unit, radius) for unit in (None, "rad", "m") for radius in ("", "radius_m: 2.0, ")]
    for unit in (None, "rad", "m"):
        write_alm(sky.folder / f"phi_{unit}.h5", sky.potential, ["P"])
        if unit:
            with h5py.File(sky.folder / f"phi_{unit}.h5", "a") as file:
                file["alm"].attrs["UNITS"] = unit
    result = run(sky, "inputs:\n" + "".join(f"  phi_{unit}: {{alm: phi_{unit}.h5}}\n" for unit in (None, "rad", "m")) + "steps:\n"
                 + "".join(f"  - gradient: {{alm: phi_{unit}, {HEALPIX}, {radius}out: g{k}}}\n  - pointing: {{map: g{k}, out: p{k}}}\n"
                           for k, (unit, radius) in enumerate(cases)) + files(*(f"p{k}" for k in range(len(cases)))))
    for k, (unit, radius) in enumerate(cases):
        warned = f"steps[{2 * k + 1}].pointing: displacements must be in rad" in result.error
        assert warned == (unit == "m" or radius != ""), (unit, radius)
