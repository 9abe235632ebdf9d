"""What the program says of itself: lists, help, completion, the schema of jobs."""
import json
import subprocess

import pytest

from conftest import SOURCE, Workplace
from tiers import sweep

jsonschema = pytest.importorskip("jsonschema")
yaml = pytest.importorskip("yaml")

SCHEMA = json.loads((SOURCE / "config/job.schema.json").read_text())
EXAMPLES = sorted((SOURCE / "config/jobs").glob("*.yaml"))


def names(place, what):
    result = place.armilla("list", what)
    assert result.code == 0, result.error
    return [line.split()[0] for line in result.out.splitlines()]


@pytest.fixture(scope="module")
def steps(tmp_path_factory):
    """The help of each step, by its name."""
    place = Workplace(tmp_path_factory.mktemp("help"))
    return {step: helped(place, "step", step) for step in names(place, "steps")}


def helped(place, *words):
    result = place.armilla("help", *words)
    assert result.code == 0, result.error
    return result.out


def test_steps_and_methods_have_help(place, steps):
    assert {"analysis", "synthesis", "smooth", "lens", "statistics"} <= set(steps)
    methods = {f"method {name}": helped(place, "method", name) for name in names(place, "methods")}
    for head, text in (steps | methods).items():
        assert text.startswith(head + ": ")
        assert "Keys:" in text or "No keys." in text
        assert "](" not in text and "`" not in text
        assert "default: exactly" not in text and "default: required" not in text
    assert helped(place, "smooth") == steps["smooth"]
    assert "fwhm_arcmin: number in" in steps["smooth"]
    assert "potential: name of an alm; exactly one of potential and deflection is required\n" in steps["lens"]
    assert "lmax: integer in 0 .. 1048576; required" in steps["analysis"]


def test_examples_of_commands_have_known_options(place, steps):
    """Each command of `help step`, as a shell takes it, gets as far as its first file, which is not there."""
    for name in ("dl.dat", "sky.h5"):
        (place.folder / name).unlink()
    lines = [line.split(":", 1)[1].strip() for text in steps.values() for line in text.splitlines() if "As a command" in line]
    assert len(lines) > 20
    script = "".join(f"printf '%s\\n' {line}; echo\n" for line in lines)
    output = subprocess.run(["sh", "-c", script], text=True, capture_output=True, check=True).stdout
    for words in output.strip().split("\n\n"):
        result = place.armilla(*words.split("\n")[1:])
        assert result.code == 2, (words, result.error)
        assert "No such file" in result.error or "does not exist" in result.error, (words, result.error)


def test_grids_that_are_listed_exist(place):
    forms = [form for form in names(place, "grids") if not form.startswith("{")]
    assert "healpix:NSIDE" in forms and "gauss:NLAT[:NPHI[:PHI0]]" in forms and "cc:NLAT[:NPHI[:PHI0]]" in forms
    kinds = [form.split(":")[0] for form in forms]
    place.job("steps:\n  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T], lmax: 7, out: a}\n" + "".join(
        f"  - synthesis: {{alm: a, grid: '{kind}:16', out: {kind}}}\n" for kind in kinds) + "outputs:\n" + "".join(
            f"  {kind}: {{file: {kind}.h5}}\n" for kind in kinds))
    result = place.armilla("run", "job.yaml", "--quiet")
    assert result.code == 0, result.error
    assert all((place.folder / f"{kind}.h5").exists() for kind in kinds)


def test_formats_are_listed(place):
    out = place.armilla("list", "formats").out
    for words in ("HDF5 (.h5 .hdf5)", "FITS (.fits .fit)", "text (.csv .txt .dat)", ".dat and .txt also for spectra"):
        assert words in out


@pytest.mark.parametrize("words, said", [
    (["list", "stepz"], "list stepz: specify one of"), (["help", "step", "analisis"], "'analysis'"),
    *sweep((["list"], "specify one of steps, methods, grids, formats"), (["help", "nothing"], "step NAME"),
           (["help", "method", "jacobbi"], "'jacobi'"), (["completion", "fish"], "bash"))])
def test_unknown_words_are_named_with_what_there_is(place, words, said):
    result = place.armilla(*words)
    assert result.code == 2 and said in result.errors()[0]


def test_help_of_verbs_and_sections(place):
    assert place.armilla("help").out == place.armilla("--help").out
    assert place.armilla("help", "run").out == place.armilla("run", "--help").out
    assert "on_bad_map" in place.armilla("help", "execution").out
    assert "norm: one of orthonormal" in place.armilla("help", "convention").out


def completed(place, script, *words):
    code = script + f"COMP_WORDS=({' '.join(repr(word) for word in words)}); COMP_CWORD={len(words) - 1}\n" \
        "_armilla; printf '%s\\n' \"${COMPREPLY[@]}\"\n"
    done = subprocess.run(["bash", "-c", code], cwd=place.folder, text=True, capture_output=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


def test_bash_completes_verbs_options_words_and_files(place):
    script = place.armilla("completion", "bash").out
    assert {"run", "analysis", "smooth", "list"} <= set(completed(place, script, "armilla", ""))
    for words, found in ((("synthesis_",), ["synthesis_at"]), (("smooth", "--fwhm"), ["--fwhm-arcmin"]),
                         (("list", "g"), ["grids"]), (("inspect", "sk"), ["sky.h5"])):
        assert completed(place, script, "armilla", *words) == found
    assert "--output-dir" in completed(place, script, "armilla", "run", "--out")
    assert "analysis" in completed(place, script, "armilla", "help", "step", "an")
    assert "jacobi" in completed(place, script, "armilla", "help", "method", "j")
    zsh = place.armilla("completion", "zsh").out
    assert zsh.startswith("#compdef armilla") and "bashcompinit" in zsh


@pytest.mark.parametrize("job", EXAMPLES, ids=lambda path: path.stem)
def test_the_schema_accepts_every_example(job):
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    jsonschema.validate(yaml.safe_load(job.read_text()), SCHEMA)


REFUSED = {
    "version": lambda job: job.update(version=2),
    "section": lambda job: job.update(stepz=[]),
    "two files": lambda job: job["inputs"]["sky"].update(alm="both.h5"),
    "no file": lambda job: job["inputs"]["sky"].pop("map"),
    "step": lambda job: job["steps"].append({"analisis": {}}),
    "no lmax": lambda job: job["steps"][0]["analysis"].pop("lmax"),
    "lmax": lambda job: job["steps"][0]["analysis"].update(lmax=-1),
    "type": lambda job: job["steps"][0]["analysis"].update(lmax="many"),
    "method": lambda job: job["steps"][0]["analysis"].update(method="jacobbi"),
    "key of method": lambda job: job["steps"][0]["analysis"].update(method={"jacobi": {"iterationz": 3}}),
    "key of grid": lambda job: job["steps"][2]["synthesis"].update(grid={"healpix": {"nlat": 3}}),
    "grid": lambda job: job["steps"][2]["synthesis"].update(grid="healpixx:3"),
    "no output": lambda job: job["outputs"]["sky_alm"].pop("file"),
    "backend": lambda job: job.update(execution={"backend": "tpu"}),
}


def changed(change):
    """The job of the README with that change."""
    job = yaml.safe_load((SOURCE / "config/jobs/wmap.yaml").read_text())
    jsonschema.validate(job, SCHEMA)
    change(job)
    return job


@pytest.mark.parametrize("change", REFUSED.values(), ids=REFUSED)
def test_the_schema_refuses(change):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(changed(change), SCHEMA)


# tests/job/test_refusals_parse.cpp has the others (WhatTheSchemaRefuses).
def test_the_program_refuses_what_the_schema_refuses(place):
    (place.folder / "job.yaml").write_text(yaml.safe_dump(changed(REFUSED["grid"])))
    assert place.armilla("run", "job.yaml", "--dry-run").code == 2


@pytest.mark.parametrize("text", [
    "execution: {on_bad_map: {skip: {at_most: 1%}}, batch: auto, map_groups: 3}",
    "steps: [{analysis: {map: m, lmax: 8, method: {jacobi: 3}, out: a}}]",
    "steps: [{analysis: {map: m, lmax: 8, method: {jacobi: {iterations: 3, weights: {ring: {degree: 9}}}}, out: a}}]",
    "steps: [{synthesis: {alm: a, grid: 'gauss:64:128', out: m}}]",
    "steps: [{synthesis: {alm: a, grid: {equiangular: {rule: cc, nlat: 9, theta_deg: [0, 90]}}, out: m}}]",
    "inputs: {x: {values: x.fits, fields: [{names: [a, b], spin: 2}, T, {name: B}]}}",
])
def test_the_schema_accepts_short_and_long_forms(text):
    jsonschema.validate(yaml.safe_load("version: 1\n" + text), SCHEMA)
