"""What the program says of itself: lists, help, completion, the schema of jobs."""
import json
import subprocess

import pytest

from conftest import SOURCE

jsonschema = pytest.importorskip("jsonschema")
yaml = pytest.importorskip("yaml")

SCHEMA = json.loads((SOURCE / "config/job.schema.json").read_text())
EXAMPLES = sorted((SOURCE / "config/jobs").glob("*.yaml"))


def names(place, what):
    result = place.armilla("list", what)
    assert result.code == 0, result.error
    return [line.split()[0] for line in result.out.splitlines()]


def test_steps_and_methods_have_help(place):
    steps = names(place, "steps")
    assert {"analysis", "synthesis", "smooth", "lens", "statistics"} <= set(steps)
    for words in [["step", step] for step in steps] + [["method", name] for name in names(place, "methods")]:
        result = place.armilla("help", *words)
        assert result.code == 0, result.error
        assert result.out.startswith(" ".join(words[words[0] == "step":]) + ": ")
        assert "Keys:" in result.out or "No keys." in result.out
        assert "](" not in result.out and "`" not in result.out
        assert "default: exactly" not in result.out and "default: required" not in result.out
    assert place.armilla("help", "smooth").out == place.armilla("help", "step", "smooth").out
    assert "fwhm_arcmin: number in" in place.armilla("help", "smooth").out
    assert "potential: name of an alm; exactly one of potential and deflection is required\n" in \
        place.armilla("help", "lens").out
    assert "lmax: integer in 0 .. 1048576; required" in place.armilla("help", "analysis").out


def test_examples_of_commands_have_known_options(place):
    """Each command of `help step` gets as far as its first file, which is not there."""
    for name in ("dl.dat", "sky.h5"):
        (place.folder / name).unlink()
    commands = 0
    for step in names(place, "steps"):
        (line,) = [line for line in place.armilla("help", "step", step).out.splitlines() if "As a command" in line] or [""]
        if not line:
            continue
        words = subprocess.run(["sh", "-c", f"printf '%s\\n' {line.split(':', 1)[1].strip()}"], text=True,
                               capture_output=True, check=True).stdout.splitlines()
        result = place.armilla(*words[1:])
        assert result.code == 2, (words, result.error)
        assert "No such file" in result.error or "does not exist" in result.error, (words, result.error)
        commands += 1
    assert commands > 20


def test_grids_that_are_listed_exist(place):
    forms = [form for form in names(place, "grids") if not form.startswith("{")]
    assert "healpix:NSIDE" in forms and "gauss:NLAT[:NPHI[:PHI0]]" in forms and "cc:NLAT[:NPHI[:PHI0]]" in forms
    place.job("steps:\n  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T], lmax: 7, out: a}\n"
              "outputs:\n  a: {file: a.h5}\n")
    assert place.armilla("run", "job.yaml", "--quiet").code == 0
    for form in forms:
        kind = form.split(":")[0]
        result = place.armilla("synthesis", "a.h5", "--grid", f"{kind}:16", "-o", f"{kind}.h5", "--quiet")
        assert result.code == 0, (form, result.error)


def test_formats_are_listed(place):
    out = place.armilla("list", "formats").out
    for words in ("HDF5 (.h5 .hdf5)", "FITS (.fits .fit)", "text (.csv .txt .dat)", ".dat and .txt also for spectra"):
        assert words in out


@pytest.mark.parametrize("words, said", [
    (["list"], "specify one of steps, methods, grids, formats"), (["list", "stepz"], "list stepz: specify one of"),
    (["help", "step", "analisis"], "'analysis'"),
    (["help", "nothing"], "step NAME"), (["help", "method", "jacobbi"], "'jacobi'"), (["completion", "fish"], "bash")])
def test_unknown_words_are_named_with_what_there_is(place, words, said):
    result = place.armilla(*words)
    assert result.code == 2 and said in result.errors()[0]


def test_help_of_verbs_and_sections(place):
    assert place.armilla("help").out == place.armilla("--help").out
    assert place.armilla("help", "run").out == place.armilla("run", "--help").out
    assert "on_bad_map" in place.armilla("help", "execution").out
    assert "norm: one of orthonormal" in place.armilla("help", "convention").out


def completed(place, *words):
    script = place.armilla("completion", "bash").out
    code = script + f"COMP_WORDS=({' '.join(repr(word) for word in words)}); COMP_CWORD={len(words) - 1}\n" \
        "_armilla; printf '%s\\n' \"${COMPREPLY[@]}\"\n"
    done = subprocess.run(["bash", "-c", code], cwd=place.folder, text=True, capture_output=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


def test_bash_completes_verbs_options_words_and_files(place):
    assert {"run", "analysis", "smooth", "list"} <= set(completed(place, "armilla", ""))
    assert completed(place, "armilla", "synthesis_") == ["synthesis_at"]
    assert "check-device" not in completed(place, "armilla", "c")
    assert completed(place, "armilla", "smooth", "--fwhm") == ["--fwhm-arcmin"]
    assert "--output-dir" in completed(place, "armilla", "run", "--out")
    assert completed(place, "armilla", "list", "g") == ["grids"]
    assert "analysis" in completed(place, "armilla", "help", "step", "an")
    assert "jacobi" in completed(place, "armilla", "help", "method", "j")
    assert completed(place, "armilla", "inspect", "sk") == ["sky.h5"]
    zsh = place.armilla("completion", "zsh").out
    assert zsh.startswith("#compdef armilla") and "bashcompinit" in zsh


@pytest.mark.parametrize("job", EXAMPLES, ids=lambda path: path.stem)
def test_the_schema_accepts_every_example(job):
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    jsonschema.validate(yaml.safe_load(job.read_text()), SCHEMA)


@pytest.mark.parametrize("change", [
    lambda job: job.update(version=2),
    lambda job: job.update(stepz=[]),
    lambda job: job["inputs"]["sky"].update(alm="both.h5"),
    lambda job: job["inputs"]["sky"].pop("map"),
    lambda job: job["steps"].append({"analisis": {}}),
    lambda job: job["steps"][0]["analysis"].pop("lmax"),
    lambda job: job["steps"][0]["analysis"].update(lmax=-1),
    lambda job: job["steps"][0]["analysis"].update(lmax="many"),
    lambda job: job["steps"][0]["analysis"].update(method="jacobbi"),
    lambda job: job["steps"][0]["analysis"].update(method={"jacobi": {"iterationz": 3}}),
    lambda job: job["steps"][2]["synthesis"].update(grid={"healpix": {"nlat": 3}}),
    lambda job: job["steps"][2]["synthesis"].update(grid="healpixx:3"),
    lambda job: job["outputs"]["sky_alm"].pop("file"),
    lambda job: job.update(execution={"backend": "tpu"}),
])
def test_the_schema_refuses_what_the_program_refuses(place, change):
    job = yaml.safe_load((SOURCE / "config/jobs/wmap.yaml").read_text())
    jsonschema.validate(job, SCHEMA)
    change(job)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(job, SCHEMA)
    (place.folder / "job.yaml").write_text(yaml.safe_dump(job))
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
