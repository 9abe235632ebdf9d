"""Steps as verbs on the command line: options, operands, several results, maps that are analysed first, the job that a
command is, ranks, and what is said of mistakes."""
import shutil
import subprocess

import h5py
import numpy as np
import pytest

from conftest import BINARY, Workplace, environment
from tiers import RANKS, SWEEP, sweep



def run(place, *arguments, code=0, **more):
    result = place.armilla(*arguments, **more)
    assert result.code == code, result.error
    return result


def error(place, *arguments, **more):
    """The one error of a command with exit code 2, which leaves no file."""
    before = {path.name for path in place.folder.iterdir()} - {".armilla"}
    result = run(place, *arguments, code=2, **more)
    assert {path.name for path in place.folder.iterdir()} - {".armilla"} == before
    assert len(result.errors()) == 1, result.error
    return result.errors()[0]


def numbers(place, name, dataset):
    with h5py.File(place.folder / name) as file:
        return file[dataset][:]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Map T, Q, U of nside 8; alm of it; another map; a mask; a map of T."""
    place = Workplace(tmp_path_factory.mktemp("files"))
    place.map("other.h5", 8, 3, lambda values: values.__imul__(2.0).__iadd__(np.cos(np.arange(values.size)).reshape(values.shape)))
    place.map("mask.h5", 8, 1, lambda values: values.__setitem__(slice(None), np.arange(768) > 300))
    place.map("t.h5", 8, 1)
    run(place, "analysis", "sky.h5", "--lmax", 16, "-o", "alm.h5", "--quiet")
    return place.folder


@pytest.fixture
def sky(files, place):
    """The files in a folder of their own."""
    shutil.copytree(files, place.folder, dirs_exist_ok=True)
    place.remember()
    return place


class TestOptions:
    def test_keys_of_the_step_the_input_the_output_and_the_execution(self, sky):
        options = ["--lmax", 12, "--mmax", 10, "--method", "jacobi=2", "--fields", "T", "--remove-monopole",
                   "--precision", "single", "--threads", 1, "--convention", "{norm: 4pi}"]
        result = run(sky, "analysis", "sky.h5", *options, "-o", "a.h5", "--print-job")
        assert result.out == """version: 1
inputs:
  map: {map: sky.h5, fields: [T], remove_monopole: true}
steps:
  - analysis: {map: map, lmax: 12, mmax: 10, method: {jacobi: 2}, out: result}
outputs:
  result: {file: a.h5, convention: {norm: 4pi}}
execution:
  precision: single
  threads: 1
"""
        run(sky, "analysis", "sky.h5", *options, "-o", "a.h5", "--quiet")
        with h5py.File(sky.folder / "a.h5") as file:
            attributes = dict(file["alm"].attrs)
            assert file["alm"].shape == (1, 11 * 12 // 2 + 2 * 11) and file["alm"].dtype.itemsize == 8
        assert attributes["LMAX"] == 12 and attributes["MMAX"] == 10 and attributes["NORM"] == "4pi"

    def test_a_method_as_yaml_with_a_file_under_a_name(self, sky):
        run(sky, "analysis", "t.h5", "--lmax", 4, "--method", "{cg: {mask: good}}", "--input", "good=mask.h5", "-o", "a.h5")
        values, good = numbers(sky, "t.h5", "map")[0], numbers(sky, "mask.h5", "map")[0] > 0
        columns = unit_maps(sky, 4)
        fitted = np.linalg.lstsq(np.array(columns).T[good], values[good], rcond=None)[0]
        parts = numbers(sky, "a.h5", "alm")[0]
        expected = [part for l_m, z in zip(orders(4), parts) for part in ([z.real] if l_m[1] == 0 else [z.real, z.imag])]
        # Both solve the same equations; cg to 1e-10.
        assert np.allclose(expected, fitted, rtol=0, atol=1e-8 * np.max(np.abs(fitted)))

    def test_flags_have_a_negation(self, sky):
        assert "remove_monopole: false" in run(sky, "analysis", "t.h5", "--lmax", 4, "--no-remove-monopole", "-o", "a.h5",
                                               "--print-job").out

    @pytest.mark.parametrize("fields", ["Q,U", "[Q, U]", *sweep("[Q,U]")])
    def test_lists_with_commas_or_as_yaml(self, sky, fields):
        assert "fields: [Q, U]" in run(sky, "analysis", "sky.h5", "--fields", fields, "--lmax", 4, "-o", "a.h5",
                                       "--print-job").out

    @pytest.mark.parametrize("text, pixels", [
        ("cc:9", 9 * 16), ("{healpix: {nside: 4, theta_deg: [0, 90]}}", 104),
        *sweep(("healpix:4", 192), ("healpix:6", 432), ("gauss:9", 9 * 18), ("gauss:9:20", 180),
               ("{gauss: {nlat: 9, nphi: 20}}", 180))])
    def test_grids_as_text(self, sky, text, pixels):
        run(sky, "synthesis", "alm.h5", "--grid", text, "-o", "m.h5", "--quiet")
        assert numbers(sky, "m.h5", "map").shape == (3, pixels)

    def test_options_of_run(self, sky):
        result = run(sky, "smooth", "sky.h5", "--fwhm-arcmin", 300, "-o", "s.h5", "--dry-run", "--report", "r.json")
        report = sky.report("r.json")
        assert report["dry_run"] and report["exit_code"] == 0 and "predicted time" in result.out
        assert [output["path"] for output in report["outputs"]] == ["s.h5"] and not (sky.folder / "s.h5").exists()
        run(sky, "smooth", "sky.h5", "--fwhm-arcmin", 300, "-o", "s.h5", "--output-dir", "far", "--quiet", "--report", "r.json")
        assert (sky.folder / "far/s.h5").exists() and sky.report("r.json")["exit_code"] == 0
        assert run(sky, "verify", "r.json").code == 0
        run(sky, "synthesis", "alm.h5", "--grid", "healpix:4", "--set", "steps.0.synthesis.grid=healpix:2", "-o", "m.h5")
        assert numbers(sky, "m.h5", "map").shape == (3, 48)

    @pytest.mark.parametrize("verb", [
        "lens", *sweep("random_alm", "synthesis", "analysis", "adjoint_synthesis", "gradient", "synthesis_at", "convert_vector",
                       "regrid", "smooth", "multiply", "convolve", "scale", "add", "resize", "rotate", "mask", "select", "leakage",
                       "spectra", "compare")])
    def test_help_has_the_options(self, place, verb):
        result = run(place, verb, "--help")
        assert "--print-job" in result.out and "docs/job_keys.md" in result.out
        assert "default: exactly" not in result.out and "bad_data: mask" not in result.out
        assert verb in [line.split()[0] for line in run(place, "list", "steps").out.splitlines()]


def orders(lmax):
    return [(l, m) for m in range(lmax + 1) for l in range(m, lmax + 1)]


def unit_maps(place, lmax):
    """The map of each real degree of freedom of a_lm."""
    index = orders(lmax)
    units = [(i, part) for i, (l, m) in enumerate(index) for part in ((1, 1j) if m else (1,))]
    values = np.zeros((len(units), 1, len(index)), complex)
    for number, (i, part) in enumerate(units):
        values[number, 0, i] = part
    with h5py.File(place.folder / "units.h5", "w") as file:
        file.create_dataset("alm", data=values).attrs.update({"LMAX": lmax, "MMAX": lmax, "FIELDS": ["T"]})
    run(place, "synthesis", "units.h5", "--grid", "healpix:8", "-o", "maps.h5", "--quiet")
    return numbers(place, "maps.h5", "map")[:, 0]


class TestOperands:
    def test_with(self, sky):
        run(sky, "scale", "alm.h5", "--factor", 3, "-o", "b.h5", "--quiet")
        run(sky, "add", "alm.h5", "--with", "b.h5", "--factors", "2,-1", "-o", "c.h5", "--quiet")
        a = numbers(sky, "alm.h5", "alm")
        # Two products and a sum, each rounded once.
        assert np.allclose(numbers(sky, "c.h5", "alm"), -a, rtol=4e-16 * 4, atol=0)
        run(sky, "spectra", "alm.h5", "--with", "b.h5", "-o", "cl.h5", "--quiet")
        run(sky, "spectra", "alm.h5", "-o", "auto.h5", "--quiet")
        auto = numbers(sky, "auto.h5", "cl")
        # A sum of at most 33 terms.
        assert np.allclose(numbers(sky, "cl.h5", "cl"), 3 * auto, rtol=0, atol=33 * 2.3e-16 * 3 * np.max(np.abs(auto)))

    def test_with_a_map_is_analysed_too(self, sky):
        result = run(sky, "spectra", "sky.h5", "--with", "other.h5", "--lmax", 10, "-o", "cl.h5")
        for name in ("sky.h5", "other.h5"):
            assert f"{name} is a map and is analysed first, with lmax 10 and method jacobi=3" in result.error
            run(sky, "analysis", name, "--lmax", 10, "--method", "jacobi=3", "-o", f"alm_{name}", "--quiet")
        run(sky, "spectra", "alm_sky.h5", "--with", "alm_other.h5", "-o", "cl_alm.h5", "--quiet")
        assert (sky.folder / "cl.h5").read_bytes() == (sky.folder / "cl_alm.h5").read_bytes()

    def test_mask(self, sky):
        run(sky, "mask", "sky.h5", "--mask", "mask.h5", "-o", "m.h5", "--quiet")
        assert np.array_equal(numbers(sky, "m.h5", "map"), numbers(sky, "sky.h5", "map") * numbers(sky, "mask.h5", "map"))

    # claims: step compare
    def test_reference(self, sky):
        run(sky, "scale", "alm.h5", "--factor", 1.5, "-o", "b.h5", "--quiet")
        result = run(sky, "compare", "b.h5", "--reference", "alm.h5", "--report", "r.json")
        assert "relative rms error of 'alm' against 'reference':  T 5.00e-01  E 5.00e-01  B 5.00e-01" in result.out
        comparison = sky.report("r.json")["comparisons"][0]["relative_rms"]
        assert comparison == pytest.approx({"T": 0.5, "E": 0.5, "B": 0.5}, rel=1e-12)

    def test_several_results(self, sky):
        run(sky, "select", "sky.h5", "--fields", "Q,U", "-o", "qu.h5", "--quiet")
        named = {"out": "a.h5", "b_map": "b.h5", "template": "c.h5", "alm": "d.h5"}
        command = ["leakage", "qu.h5", "--mask", "mask.h5", "--lmax", 16]
        run(sky, *command, *[word for name, file in named.items() for word in ("-o", f"{name}={file}")], "--quiet",
            "--report", "r.json")
        b, template, alone = (numbers(sky, named[name], "map") for name in ("b_map", "template", "out"))
        assert np.max(np.abs(b)) > 0 and np.max(np.abs(template)) > 0
        # out is b_map minus the line in the template that the report has, where the mask is not 0.
        fit, good = sky.report("r.json")["leakage"][0], numbers(sky, "mask.h5", "map")[0] > 0
        assert np.allclose(alone[0][good], (b - fit["slope"][0] * template - fit["intercept"][0])[0][good], rtol=0,
                           atol=1e-13 * np.max(np.abs(b)))
        assert numbers(sky, "d.h5", "alm").shape[1] == 17 * 18 // 2
        # The last -o without a name is out.
        run(sky, *command, "-o", "b_map=b2.h5", "-o", "a2.h5", "--quiet")
        assert (sky.folder / "a2.h5").read_bytes() == (sky.folder / "a.h5").read_bytes()
        assert (sky.folder / "b2.h5").read_bytes() == (sky.folder / "b.h5").read_bytes()

    def test_select_takes_maps_and_alm(self, sky):
        run(sky, "select", "sky.h5", "--fields", "T", "-o", "t2.h5", "--quiet")
        assert np.array_equal(numbers(sky, "t2.h5", "map"), numbers(sky, "sky.h5", "map")[:1])
        run(sky, "select", "alm.h5", "--fields", "B", "-o", "b2.h5", "--quiet")
        assert np.array_equal(numbers(sky, "b2.h5", "alm"), numbers(sky, "alm.h5", "alm")[2:])


class TestMapsWhereCoefficientsAreWanted:
    def test_on_healpix(self, sky):
        result = run(sky, "smooth", "sky.h5", "--fwhm-arcmin", 900, "-o", "s.h5")
        assert "sky.h5 is a map and is analysed first, with lmax 23 and method jacobi=3" in result.error
        assert "the result is a map on the same grid, healpix:8" in result.error
        run(sky, "analysis", "sky.h5", "--lmax", 23, "--method", "jacobi=3", "-o", "a.h5", "--quiet")
        run(sky, "smooth", "a.h5", "--fwhm-arcmin", 900, "-o", "b.h5", "--quiet")
        run(sky, "synthesis", "b.h5", "--grid", "healpix:8", "-o", "c.h5", "--quiet")
        assert (sky.folder / "c.h5").read_bytes() == (sky.folder / "s.h5").read_bytes()

    def test_on_gauss(self, sky):
        run(sky, "synthesis", "alm.h5", "--grid", "gauss:17:40", "-o", "g.h5", "--quiet")
        result = run(sky, "multiply", "g.h5", "--by-l-range", "0,16", "-o", "s.h5")
        assert "g.h5 is a map and is analysed first, with lmax 16 and method quadrature" in result.error
        assert "the result is a map on the same grid, gauss:17:40" in result.error
        before, after = numbers(sky, "g.h5", "map"), numbers(sky, "s.h5", "map")
        # Gauss quadrature is exact there: analysis and synthesis of 17^2 terms, each of rounding 1e-16.
        assert np.max(np.abs(after - before)) < 1e-13 * np.max(np.abs(before))

    def test_quiet_says_nothing(self, sky):
        result = run(sky, "smooth", "sky.h5", "--fwhm-arcmin", 900, "-o", "s.h5", "--quiet")
        assert result.out == "" and result.error == ""

    def test_lmax_and_method_are_those_of_the_analysis(self, sky):
        result = run(sky, "rotate", "sky.h5", "--euler-deg", "10,20,30", "--lmax", 9, "--method", "quadrature", "-o", "r.h5",
                     "--print-job")
        assert "- analysis: {map: map, lmax: 9, method: quadrature, out: map_alm}" in result.out
        assert "- rotate: {alm: map_alm, euler_deg: [10, 20, 30], out: result_alm}" in result.out
        assert "- synthesis: {alm: result_alm, grid: healpix:8, out: result}" in result.out

    def test_lmax_of_coefficients_is_that_of_the_input(self, sky):
        assert "alm: {alm: alm.h5, lmax: 9}" in run(sky, "spectra", "alm.h5", "--lmax", 9, "-o", "cl.h5", "--print-job").out

    def test_spectra_stay_spectra(self, sky):
        result = run(sky, "spectra", "t.h5", "-o", "cl.h5")
        assert "the result is a map" not in result.error
        assert numbers(sky, "cl.h5", "cl").shape == (1, 24)

    def test_many_maps(self, sky):
        for i in range(4):
            sky.map(f"m_{i}.h5", 4, 1, lambda values: values.__iadd__(i))
        run(sky, "smooth", "m_{0..3}.h5", "--fwhm-arcmin", 900, "-o", "s_{}.h5", "--quiet")
        run(sky, "smooth", "m_2.h5", "--fwhm-arcmin", 900, "-o", "one.h5", "--quiet")
        one, same = numbers(sky, "one.h5", "map"), numbers(sky, "s_2.h5", "map")
        # A campaign may iterate by another scheme, which agrees to 1e-13 in rms.
        assert np.max(np.abs(one - same)) < 1e-12 * np.max(np.abs(one))
        assert sorted(path.name for path in sky.folder.glob("s_*.h5")) == [f"s_{i}.h5" for i in range(4)]


COMMANDS = {
    "analysis": ["analysis", "sky.h5", "--lmax", 16, "--method", "jacobi=2", "-o", "out.h5"],
    "smooth": ["smooth", "sky.h5", "--fwhm-arcmin", 600, "-o", "out.fits"],
    "spectra": ["spectra", "sky.h5", "--with", "other.h5", "-o", "out.h5"],
    "synthesis": ["synthesis", "alm.h5", "--grid", "gauss:20:48", "-o", "out.h5"],
    "random_alm": ["random_alm", "--spectrum", "dl.dat", "--spectrum-kind", "dl", "--fields", "T,E,B", "--lmax", 30,
                   "--seed", 5, "-o", "out.fits"],
    "rotate": ["rotate", "alm.h5", "--from", "galactic", "--to", "equatorial", "-o", "out.h5"],
    "convolve": ["convolve", "t.h5", "--kernel-top-hat-radius-deg", 12, "--grid", "healpix:4", "-o", "out.h5"],
}


@pytest.mark.parametrize("name", sorted(COMMANDS))
class TestTheJobOfACommand:
    def test_it_makes_the_same_file(self, sky, name):
        command, out = COMMANDS[name], sky.folder / COMMANDS[name][-1]
        job = run(sky, *command, "--print-job").out
        assert not out.exists()
        run(sky, *command, "--quiet")
        expected = out.read_bytes()
        out.unlink()
        self.run_job(sky, job)
        assert out.read_bytes() == expected

    @pytest.mark.parametrize("ranks", sweep(1, 3))
    def test_it_makes_the_same_file_on_any_ranks(self, sky, name, ranks):
        command, out = COMMANDS[name], sky.folder / COMMANDS[name][-1]
        job = run(sky, *command, "--print-job").out
        run(sky, *command, "--quiet")
        expected = out.read_bytes()
        for again in (lambda: run(sky, *command, "--quiet", ranks=ranks), lambda: self.run_job(sky, job, ranks)):
            out.unlink()
            again()
            assert out.read_bytes() == expected

    @SWEEP
    def test_on_three_ranks_it_is_printed_once(self, sky, name):
        job = run(sky, *COMMANDS[name], "--print-job").out
        assert run(sky, *COMMANDS[name], "--print-job", ranks=3).out == job and job.count("version: 1") == 1

    def run_job(self, place, job, ranks=0):
        """From standard input."""
        launch = ["mpirun", "-n", str(ranks)] if ranks else []
        done = subprocess.run([*launch, BINARY, "run", "-", "--quiet"], cwd=place.folder, input=job, text=True,
                              capture_output=True, timeout=120, env=environment())
        assert done.returncode == 0, done.stderr


def test_three_ranks_make_one_file_and_say_everything_once(sky):
    """A command, its job from standard input, and a mistake."""
    command = ["spectra", "sky.h5", "--with", "other.h5", "-o", "cl.h5"]
    job = run(sky, *command, "--print-job", ranks=3).out
    assert job.count("version: 1") == 1
    assert run(sky, *command, ranks=3).error.count("sky.h5 is a map") == 1
    expected = (sky.folder / "cl.h5").read_bytes()
    (sky.folder / "cl.h5").unlink()
    TestTheJobOfACommand().run_job(sky, job, 3)
    assert (sky.folder / "cl.h5").read_bytes() == expected
    assert "outside the range 0 .. 10800" in error(sky, "smooth", "sky.h5", "--fwhm-arcmin", -1, "-o", "t2.h5", ranks=3)


class TestOutputs:
    def test_an_existing_file_is_replaced(self, sky):
        (sky.folder / "m.h5").write_text("something else")
        run(sky, "synthesis", "alm.h5", "--grid", "healpix:4", "-o", "m.h5", "--quiet")
        assert numbers(sky, "m.h5", "map").shape == (3, 192)

    def test_an_existing_file_stays_when_the_command_fails(self, sky):
        (sky.folder / "m.h5").write_text("something else")
        error(sky, "analysis", "sky.h5", "--lmax", 100, "-o", "m.h5")
        assert (sky.folder / "m.h5").read_text() == "something else"

    def test_the_ending_is_missing(self, sky):
        said = error(sky, "analysis", "sky.h5", "--lmax", 8, "-o", "result")
        assert "'result': the extension '' is not supported: use .h5, .hdf5, .fits, .fit" in said

    @pytest.mark.parametrize("out, part", [("a.png", "'a.png': the extension '.png' is not supported"),
                                           ("/proc/a.h5", "'/proc/a.h5' cannot be written: the folder '/proc' is not")])
    def test_files_that_cannot_be_written(self, sky, out, part):
        assert part in error(sky, "analysis", "sky.h5", "--lmax", 8, "-o", out)

    def test_no_result(self, sky):
        assert "smooth needs an output file: use -o FILE" in error(sky, "smooth", "alm.h5", "--fwhm-arcmin", 3)

    def test_the_input_as_output_is_refused(self, sky):
        before = (sky.folder / "alm.h5").read_bytes()
        assert "-o: alm.h5 is also read by input alm: write to another file" in \
            error(sky, "scale", "alm.h5", "--factor", 2, "-o", "alm.h5")
        assert (sky.folder / "alm.h5").read_bytes() == before


class TestMistakes:
    @pytest.mark.parametrize("arguments, parts", [
        # files
        (["smooth", "nope.h5", "--fwhm-arcmin", 3, "-o", "a.h5"], ["'nope.h5' cannot be opened", "No such file"]),
        (["analysis", "alm.h5", "--lmax", 3, "-o", "a.h5"], ["alm.h5 contains an alm", "but analysis expects a map as 'map'"]),
        # options
        (["smooth", "alm.h5", "--fwhm-arcmin", -3, "-o", "a.h5"], ["--fwhm-arcmin = -3 is outside the range 0 .. 10800"]),
        (["synthesis", "alm.h5", "--grid", "helpix:4", "-o", "a.h5"], ["there is no grid 'helpix'", "healpix:NSIDE"]),
        (["mask", "sky.h5", "-o", "a.h5"], ["--mask is required"]),
        (["smooth", "--fwhm-arcmin", 3, "-o", "a.h5"], ["file is required"]),
        (["analysis", "sky.h5", "--lmax", 8, "--method", "cg", "--input", "mask.h5", "-o", "a.h5"],
         ["--input", "'mask.h5' is not NAME=FILE"]),
        # results
        (["leakage", "sky.h5", "--mask", "mask.h5", "--lmax", 8, "-o", "b=a.h5"],
         ["-o b=a.h5: leakage has the results b_map, template, alm, out: use KEY=FILE"]),
        *sweep(
            (["mask", "sky.h5", "--mask", "nope.h5", "-o", "a.h5"], ["'nope.h5' cannot be opened"]),
            (["spectra", "dl.dat", "-o", "a.h5"], ["dl.dat contains spectra"]),
            (["compare", "alm.h5", "--reference", "nope.h5"], ["'nope.h5' cannot be opened"]),
            (["smooth", "alm.h5", "--fwhm-arcmin", "wide", "-o", "a.h5"], ["--fwhm-arcmin = wide is not a number"]),
            (["analysis", "sky.h5", "--lmax", 40, "-o", "a.h5"], ["lmax = 40 exceeds 3 nside - 1 = 23", "lower --lmax"]),
            (["analysis", "sky.h5", "--lmax", 8, "--method", "iterate=3", "-o", "a.h5"], ["iterate", "jacobi"]),
            (["synthesis", "alm.h5", "--grid", "healpix", "-o", "a.h5"],
             ["a healpix grid takes 1 parameter, but 0 were specified", "healpix:NSIDE"]),
            (["synthesis", "alm.h5", "--grid", "healpix:0", "-o", "a.h5"],
             ["grid healpix:0: nside = 0 is out of range: use an integer from 1 to 536870912"]),
            (["synthesis", "alm.h5", "--grid", "{healpix: 4", "-o", "a.h5"], ["--grid {healpix: 4: is not YAML"]),
            (["compare", "alm.h5"], ["--reference is required"]),
            (["analysis", "sky.h5", "--lmax", 8, "-o", "a.h5", "-o", "b.h5"], ["-o b.h5: out already has a file"]),
            (["compare", "alm.h5", "--reference", "alm.h5", "-o", "a.h5"], ["-o a.h5: compare has no results: remove it"])),
    ], ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else str(value))
    def test_what_is_said(self, sky, arguments, parts):
        said = error(sky, *arguments)
        for part in parts:
            assert part in said

    @SWEEP
    @pytest.mark.parametrize("arguments, part", [
        (["smooth", "nope.h5", "--fwhm-arcmin", 3, "-o", "a.h5"], "'nope.h5' cannot be opened"),
        (["mask", "sky.h5", "-o", "a.h5"], "--mask is required")])
    def test_is_said_once_by_three_ranks(self, sky, arguments, part):
        assert part in error(sky, *arguments, ranks=3)

    @pytest.mark.parametrize("arguments, parts", [
        (["smoth", "sky.h5"], ["unknown verb 'smoth': did you mean 'smooth'?"]),
        (["compare", "alm.h5", "--refrence", "alm.h5"], ["no option --refrence: did you mean '--reference'?"]),
        *sweep((["spectrum", "sky.h5"], ["unknown verb 'spectrum': did you mean 'spectra'?"]),
               (["synthesise", "alm.h5"], ["unknown verb 'synthesise': did you mean 'synthesis'?"]),
               (["analysis", "sky.h5", "--lmax", 8, "--wrong", 3, "-o", "a.h5"], ["armilla analysis has no option --wrong"])),
    ], ids=lambda value: " ".join(map(str, value)))
    def test_misspelt_words(self, sky, arguments, parts):
        said = error(sky, *arguments)
        for part in parts:
            assert part in said

    # tests/job has the words.
    @pytest.mark.parametrize("word, here", [
        ("alm2map", "`armilla synthesis ALM"),
        *sweep(("map2alm", "`armilla analysis MAP --lmax 1000 --method jacobi=3 -o ALM`"), ("alm2cl", "`armilla spectra ALM"),
               ("anafast", "`armilla spectra MAP --lmax 1000"), ("synfast", "`armilla random_alm --spectrum CL"),
               ("synalm", "`armilla random_alm --spectrum CL"), ("smoothing", "`armilla smooth MAP --fwhm-arcmin 60"),
               ("smoothalm", "`armilla smooth ALM"), ("almxfl", "`armilla multiply ALM --by-window FILE"),
               ("ud_grade", "`armilla regrid MAP --grid healpix:64"), ("rotate_alm", "`armilla rotate ALM --euler-deg"),
               ("alm2map_der1", "`armilla gradient ALM --grid"), ("mollview", "`armilla view MAP -o picture.png`"),
               ("remove_dipole", "`armilla multiply MAP --by-l-range 2,1000"), ("map2alm_lsq", "--tolerance 1e-10"),
               ("pixwin", "--by-window pixel_window_n0512.fits"))])
    def test_verbs_of_healpy(self, sky, word, here):
        said = error(sky, word, "sky.h5", "-o", "a.h5")
        assert f"unknown verb '{word}': this is a " in said and here in said

    @pytest.mark.parametrize("option, here", [
        (["--iter", 3], "armilla analysis has no option --iter: this is a healpy name; the equivalent in Armilla is `--method jacobi=3`"),
        *sweep((["--niter", 3], "this is a HEALPix name; the equivalent in Armilla is `--method jacobi=3`"),
               (["--use_weights"], "`--method ring_weights`"), (["--use-weights"], "`--method ring_weights`"),
               (["--use_pixel_weights"], "`--method pixel_weights`"),
               (["--nlmax", 8], "this is a HEALPix name; the equivalent in Armilla is `--lmax`"),
               (["--nest"], "this is a healpy name; the equivalent in Armilla is `--ordering nested`"),
               (["--pol"], "`--fields T,Q,U`"))])
    def test_options_of_healpy(self, sky, option, here):
        assert here in error(sky, "analysis", "sky.h5", "--lmax", 8, *option, "-o", "a.h5")

    @SWEEP
    def test_fwhm_of_healpy(self, sky):
        assert "this is a healpy name; the equivalent in Armilla is `--fwhm-arcmin`, in arc minutes" in error(
            sky, "smooth", "sky.h5", "--fwhm", 0.1, "-o", "a.h5")

    @pytest.mark.parametrize("option", ["--fwhm_arcmin", *sweep("--fwhm-arcmi", "--fwhm-arcmin-deg")])
    def test_a_misspelt_option_comes_before_what_is_missing(self, sky, option):
        said = error(sky, "smooth", "alm.h5", option, 60, "-o", "a.h5")
        assert said.endswith(f"armilla smooth has no option {option}: did you mean '--fwhm-arcmin'?")

    @pytest.mark.parametrize("arguments, begin", [
        (["smooth", "sky.h5", "--fwhm-arcmin", 60, "--lmax", "many"], "--lmax = many is no"),
        (["multiply", "alm.h5", "--by-l-range", "9,3"], "--by-l-range (a list) contains no l"),
        (["analysis", "sky.h5", "--lmax", 16, "--method", "{cg: {tolerance: 2}}"],
         "--method: cg.tolerance = 2 is not a valid tolerance"),
        (["analysis", "sky.h5", "--lmax", 16, "--precision", "single", "--method", "{cg: {tolerance: 1e-9}}"],
         "--method: cg.tolerance = 1e-09 is below the limit of single precision"),
        *sweep((["smooth", "alm.h5", "--fwhm-arcmin", -3], "--fwhm-arcmin = -3 is outside"),
               (["analysis", "sky.h5", "--lmax", 16, "--bad-data", "zeros"], "--bad-data = zeros is not valid"),
               (["analysis", "sky.h5", "--lmax", 16, "--precision", "half"], "--precision = half is not valid")),
    ], ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else "")
    def test_values_are_named_by_their_options(self, sky, arguments, begin):
        said = error(sky, *arguments, "-o", "a.h5")
        assert said.startswith(f"armilla: error: {begin}"), said

    def test_keys_in_advice_are_named_by_their_options(self, sky):
        said = error(sky, "analysis", "t.h5", "--lmax", 16, "--precision", "single", "--method", "{cg: {tolerance: 1e-9}}",
                     "-o", "a.h5")
        assert said.endswith(", or set --precision double"), said

    def test_values_of_set_keep_their_option(self, sky):
        said = error(sky, "smooth", "alm.h5", "--fwhm-arcmin", 3, "--set", "steps.0.smooth.fwhm_arcmin=-3", "-o", "a.h5")
        assert said.startswith("armilla: error: --set steps.0.smooth.fwhm_arcmin=-3: --fwhm-arcmin = -3 is outside"), said

    @pytest.mark.parametrize("name", ["$HOME.h5", *sweep("a$b.h5", "~c.h5", "./seed=1.h5")])
    def test_names_of_files_are_taken_literally(self, sky, name):
        run(sky, "synthesis", "alm.h5", "--grid", "healpix:8", "-o", name, "--quiet")
        assert (sky.folder / name).exists()
        run(sky, "smooth", f"./{name}", "--fwhm-arcmin", 60, "-o", "smooth.h5", "--quiet")

    def test_fits_files_may_begin_with_a_tilde(self, sky):
        run(sky, "synthesis", "alm.h5", "--grid", "healpix:8", "-o", "~d.fits", "--quiet")
        run(sky, "analysis", "~d.fits", "--lmax", 8, "-o", "d.h5", "--quiet")

    def test_a_pattern_may_lack_its_first_file(self, sky):
        for number in (1, 2):
            run(sky, "synthesis", "alm.h5", "--grid", "healpix:8", "-o", f"sim_{number}.h5", "--quiet")
        run(sky, "analysis", "sim_{0..2}.h5", "--lmax", 8, "-o", "found_{}.h5", "--on-bad-map", "skip")
        assert sorted(path.name for path in sky.folder.glob("found_*")) == ["found_1.h5", "found_2.h5"]

    def test_lists_of_sections_are_one_option(self, sky):
        kernels = "[{name: coarse, gaussian: {fwhm_arcmin: 900}}, {name: fine, gaussian: {fwhm_arcmin: 600}}]"
        run(sky, "convolve", "t.h5", "--kernels", kernels, "-o", "coarse=coarse.h5", "-o", "fine=fine.h5", "--quiet")
        run(sky, "convolve", "t.h5", "--kernel-gaussian-fwhm-arcmin", 600, "-o", "one.h5", "--quiet")
        assert np.array_equal(numbers(sky, "one.h5", "map"), numbers(sky, "fine.h5", "map"))
        assert np.std(numbers(sky, "coarse.h5", "map")) < np.std(numbers(sky, "fine.h5", "map"))
        assert "expected NAME=FILE with one of the results coarse, fine" in \
            error(sky, "convolve", "t.h5", "--kernels", kernels, "-o", "rough=rough.h5")

    def test_inputs_of_lists_have_names(self, sky):
        kernels = "[{map: a, gaussian: {fwhm_arcmin: 600}}, {map: b, gaussian: {fwhm_arcmin: 600}}]"
        run(sky, "reconstruct", "--kernels", kernels, "--input", "a=t.h5", "--input", "b=t.h5",
            "--grid", "healpix:8", "-o", "sum.h5", "--quiet")
        run(sky, "convolve", "t.h5", "--kernel-gaussian-fwhm-arcmin", 600, "-o", "one.h5", "--quiet")
        assert np.allclose(numbers(sky, "sum.h5", "map"), 2 * numbers(sky, "one.h5", "map"), rtol=0, atol=1e-12)

    def test_pixels_that_are_good_are_a_mask_of_the_command(self, sky):
        sky.map("holes.h5", 8, 1, lambda values: values.__setitem__((0, slice(0, 90)), np.nan))
        run(sky, "analysis", "holes.h5", "--lmax", 4, "--bad-data", "mask", "--good-pixels", "good",
            "--method", "{cg: {mask: good, max_iterations: 200, tolerance: 1.0e-8}}", "-o", "a.h5", "--quiet")
        sky.map("good.h5", 8, 1, lambda values: values.__setitem__((0, slice(None)), np.arange(768) >= 90))
        run(sky, "analysis", "holes.h5", "--lmax", 4, "--bad-data", "zero", "--input", "m=good.h5",
            "--method", "{cg: {mask: m, max_iterations: 200, tolerance: 1.0e-8}}", "-o", "b.h5", "--quiet")
        assert np.array_equal(numbers(sky, "a.h5", "alm"), numbers(sky, "b.h5", "alm"))

    @pytest.mark.parametrize("arguments", [["smooth"], *sweep(["smoth"], ["analysis", "sky.h5"], ["smooth", "sky.h5", "--wrong"])])
    def test_mistakes_of_usage_point_to_the_help(self, sky, arguments):
        assert "See: armilla --help, or armilla VERB --help" in run(sky, *arguments, code=2).error


@pytest.fixture(scope="module")
def pair(files, tmp_path_factory):
    """alm.h5 and sky.h5 up to lmax 16, a potential, its gradient, and a catalogue of points with values of T, Q, U."""
    sky = Workplace(tmp_path_factory.mktemp("pairs"))
    shutil.copytree(files, sky.folder, dirs_exist_ok=True)
    run(sky, "random_alm", "--spectrum", "dl.dat", "--spectrum-kind", "dl", "--fields", "T", "--lmax", 16, "-o", "one.h5")
    run(sky, "scale", "one.h5", "--factor", 1e-5, "-o", "phi.h5")
    run(sky, "gradient", "phi.h5", "--grid", "healpix:8", "-o", "vectors.h5")
    rng = np.random.default_rng(11)
    with h5py.File(sky.folder / "values.h5", "w") as file:
        file["theta"], file["phi"] = np.arccos(rng.uniform(-1, 1, 700)), rng.uniform(0, 2 * np.pi, 700)
        file.create_dataset("values", data=rng.normal(size=(3, 700))).attrs.update({"FIELDS": "T,Q,U", "SPINS": [0, 2, 2]})
    return sky


def product(place, one, other, dataset):
    """Of real fields: sums over pixels; of a_lm those of m > 0 count twice, for m and -m."""
    a, b = numbers(place, one, dataset), numbers(place, other, dataset)
    assert a.shape == b.shape
    if dataset != "alm":
        return np.sum(a * b)
    weight = np.array([1 if m == 0 else 2 for _, m in orders(16)])
    return np.sum(weight * np.real(a * np.conj(b)))


class TestPairsOfVerbs:
    """<Y a, y> = <a, Y^T y> of each step and its adjoint, and what undoes a step."""

    # claims: step adjoint_synthesis, step adjoint_gradient
    @pytest.mark.parametrize("ranks", RANKS)
    @pytest.mark.parametrize("forward, backward, alm, field, dataset, tolerance", [
        # Sums of 289 terms times 2304 numbers: rounding 1e-16 times the square root of both, and a factor of 10.
        (["synthesis", "--grid", "healpix:8"], ["adjoint_synthesis"], "alm.h5", "sky.h5", "map", 1e-12),
        (["adjoint_analysis", "--grid", "healpix:8"], ["analysis"], "alm.h5", "sky.h5", "map", 1e-12),
        (["gradient", "--grid", "healpix:8"], ["adjoint_gradient"], "one.h5", "vectors.h5", "map", 1e-12),
        # These are as accurate as their `accuracy`.
        (["lens", "--potential", "phi.h5", "--grid", "healpix:8", "--accuracy", 1e-11],
         ["lens_adjoint", "--potential", "phi.h5", "--accuracy", 1e-11], "alm.h5", "sky.h5", "map", 1e-9),
        (["synthesis_at", "--points", "values.h5"], ["adjoint_synthesis_at"], "alm.h5", "values.h5", "values", 1e-8),
    ], ids=lambda value: value[0] if isinstance(value, list) else "")
    def test_adjoint(self, pair, forward, backward, alm, field, dataset, tolerance, ranks):
        run(pair, forward[0], alm, *forward[1:], "-o", "forward.h5", ranks=ranks)
        run(pair, backward[0], field, *backward[1:], "--lmax", 16, "-o", "backward.h5", ranks=ranks)
        one, other = product(pair, "forward.h5", field, dataset), product(pair, alm, "backward.h5", "alm")
        size = np.sqrt(product(pair, "forward.h5", "forward.h5", dataset) * product(pair, field, field, dataset))
        assert size > 0 and abs(one - other) < tolerance * size

    def test_values_at_points_and_the_fit_of_them(self, pair):
        run(pair, "resize", "alm.h5", "--lmax", 8, "-o", "low.h5")
        run(pair, "synthesis_at", "low.h5", "--points", "values.h5", "-o", "v.h5")
        run(pair, "analysis_at", "v.h5", "--lmax", 8, "-o", "found.h5")
        low = numbers(pair, "low.h5", "alm")
        # The fit stops at 1e-10 of its normal equations, whose condition number is below 10 for 700 points.
        assert np.max(np.abs(numbers(pair, "found.h5", "alm") - low)) < 1e-8 * np.max(np.abs(low))

    def test_gradient_at_points_is_that_on_a_grid(self, pair):
        run(pair, "gradient", "one.h5", "--grid", "gauss:20", "-o", "v.h5")
        with h5py.File(pair.folder / "v.h5") as grid, h5py.File(pair.folder / "p.h5", "w") as points:
            theta, nphi = grid["grid/theta"][:], int(grid["grid/nphi"][0])
            points["theta"] = np.repeat(theta, nphi)
            points["phi"] = np.tile(np.arange(nphi) * 2 * np.pi / nphi, len(theta))
        run(pair, "gradient_at", "one.h5", "--points", "p.h5", "-o", "at.h5")
        on_grid, at = numbers(pair, "v.h5", "map"), numbers(pair, "at.h5", "values")
        assert np.max(np.abs(on_grid - at)) < 1e-8 * np.max(np.abs(on_grid))  # the accuracy is 1e-10 in rms

    def test_wind_and_its_stream_function(self, pair):
        with h5py.File(pair.folder / "wind.h5", "w") as file:
            values = numbers(pair, "sky.h5", "map")[1:]
            file.create_dataset("map", data=values).attrs.update({"NSIDE": 8, "ORDERING": "RING", "FIELDS": "U,V", "SPINS": [1, 1]})
        run(pair, "analysis", "wind.h5", "--lmax", 16, "-o", "w.h5")
        run(pair, "convert_vector", "w.h5", "--to", "stream_potential", "-o", "s.h5")
        run(pair, "convert_vector", "s.h5", "--to", "wind", "-o", "back.h5")
        wind = numbers(pair, "w.h5", "alm")
        # A product and a quotient, each rounded.
        assert np.max(np.abs(numbers(pair, "back.h5", "alm") - wind)) < 1e-15 * np.max(np.abs(wind))

    def test_inverse_deflection(self, pair):
        """To first order the potential with the other sign; the next order is smaller by the deflection times lmax."""
        run(pair, "inverse_deflection", "--potential", "phi.h5", "--lmax", 16, "-o", "inverse.h5")
        phi = numbers(pair, "phi.h5", "alm")[0]
        e = np.array([np.sqrt(l * (l + 1)) for l, _ in orders(16)]) * phi
        inverse = numbers(pair, "inverse.h5", "alm")
        largest = np.max(np.abs(e))
        assert np.max(np.abs(inverse[0] + e)) < 0.1 * largest and np.max(np.abs(inverse[1])) < 0.1 * largest

    def test_pointing_of_no_displacement(self, pair):
        pair.map("still.h5", 8, 2, lambda values: values.fill(0), FIELDS=["V_THETA", "V_PHI"], SPINS=[1, 1])
        run(pair, "pointing", "still.h5", "-o", "p.h5")
        theta, phi, gamma = numbers(pair, "p.h5", "map")
        z = np.cos(theta)
        ring = np.r_[0, np.flatnonzero(np.diff(z)) + 1]
        assert len(ring) == 31 and np.allclose(z[:4], 1 - 1 / (3 * 64), rtol=0, atol=1e-15)
        assert np.allclose(phi[:4], np.pi / 4 + np.arange(4) * np.pi / 2, rtol=0, atol=4e-15) and not gamma.any()


class TestFiles:
    @pytest.mark.parametrize("name", ["a: b", "#x", *sweep("it's", "a,b", "x[1]", "a b", "a{1}", "u\u0308", '"q"', "a=b", "a?", "null")])
    def test_names_that_mean_something_to_yaml(self, sky, name):
        (sky.folder / name).write_bytes((sky.folder / "alm.h5").read_bytes())
        run(sky, "synthesis", name, "--grid", "healpix:4", "-o", "m.h5", "--quiet")
        run(sky, "synthesis", "alm.h5", "--grid", "healpix:4", "-o", "same.h5", "--quiet")
        assert (sky.folder / "m.h5").read_bytes() == (sky.folder / "same.h5").read_bytes()

    @pytest.mark.parametrize("name", ["p: b.h5", *sweep("it's.h5", "#x.h5", "a,b.h5", "x[1].h5", "a b.h5", '"q".h5')])
    def test_names_of_results(self, sky, name):
        run(sky, "synthesis", "alm.h5", "--grid", "healpix:4", "-o", name, "--quiet")
        assert numbers(sky, name, "map").shape == (3, 192)

    def test_paths_start_from_the_current_folder(self, sky):
        (sky.folder / "deep").mkdir()
        done = subprocess.run([BINARY, "smooth", "../sky.h5", "--fwhm-arcmin", "900", "-o", "s.h5", "--quiet"],
                              cwd=sky.folder / "deep", env=environment(), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert numbers(sky, "deep/s.h5", "map").shape == (3, 768)

    def test_a_batch_axis(self, sky):
        with h5py.File(sky.folder / "maps.h5", "w") as file:
            values = np.random.default_rng(3).normal(size=(4, 1, 768))
            file.create_dataset("map", data=values).attrs.update({"NSIDE": 8, "ORDERING": "RING", "FIELDS": ["T"]})
        run(sky, "spectra", "maps.h5", "--lmax", 10, "-o", "cl.h5", "--quiet")
        assert numbers(sky, "cl.h5", "cl").shape == (4, 1, 11)
        assert "add the placeholder '{}' to its name, or write .h5" in error(sky, "spectra", "maps.h5", "-o", "cl.fits")

    def test_the_job_of_a_command_goes_to_plan(self, sky):
        job = run(sky, "smooth", "sky.h5", "--fwhm-arcmin", 900, "-o", "s.h5", "--print-job").out
        done = subprocess.run([BINARY, "plan", "-", "--ranks", "64"], cwd=sky.folder, env=environment(), input=job,
                              capture_output=True, text=True)
        assert done.returncode == 0 and "predicted time" in done.stdout, done.stderr

    @pytest.mark.parametrize("ranks", RANKS)
    def test_notes_are_said_once(self, sky, ranks):
        result = run(sky, "smooth", "sky.h5", "--fwhm-arcmin", 900, "-o", "s.h5", ranks=ranks)
        assert result.error.count("sky.h5 is a map") == 1 and result.error.count("the result is a map") == 1


class TestPoints:
    """Options of the second file, whose columns are positions."""

    def test_columns_of_points(self, sky):
        (sky.folder / "l_b.csv").write_text("l,b,flux\n10,20,1\n350,-40,2\n")
        (sky.folder / "named.csv").write_text("LON,LAT\n10,20\n350,-40\n")
        run(sky, "synthesis_at", "alm.h5", "--points", "l_b.csv", "--columns", "l,b", "--coordinates", "lon_lat", "-o", "a.h5",
            "--quiet")
        run(sky, "synthesis_at", "alm.h5", "--points", "named.csv", "-o", "b.h5", "--quiet")
        assert np.array_equal(numbers(sky, "a.h5", "values"), numbers(sky, "b.h5", "values"))

    def test_coordinates_of_points(self, sky):
        (sky.folder / "radec.csv").write_text("RA,DEC\n10,20\n350,-40\n")
        text = run(sky, "synthesis_at", "alm.h5", "--points", "radec.csv", "--coordsys", "C", "-o", "a.h5", "--print-job").out
        assert "points: {points: radec.csv, coordsys: C}" in text
        # Warnings are not hidden.
        quiet = run(sky, "synthesis_at", "alm.h5", "--points", "radec.csv", "-o", "a.h5", "--quiet")
        assert "warning" in quiet.error
