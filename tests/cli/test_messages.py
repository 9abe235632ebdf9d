"""Messages that lead a new user from what was written to what Armilla has for it."""
import h5py
import numpy as np
import pytest
from test_bad_input import ANALYSIS
from tiers import SWEEP, sweep


def message(place, *arguments, code=2):
    """The one error that the program reports."""
    result = place.armilla(*arguments)
    assert result.code == code, result.error
    assert len(result.errors()) == 1, result.error
    return result.errors()[0]


@SWEEP
def test_what_is_said_of_iter_works(place):
    place.job(ANALYSIS.replace("lmax: 16", "lmax: 16, method: {jacobi: {iterations: 3}}"))
    assert place.armilla("run", "job.yaml").code == 0


@pytest.mark.parametrize("arguments, part", [
    (["anafast", "map.fits"],
     "unknown verb 'anafast': this is a HEALPix name; the equivalent in Armilla is `armilla spectra MAP --lmax 1000 -o CL`"),
    (["job.yaml"], "unknown verb 'job.yaml': to run a job, use 'armilla run job.yaml'"),
    (["statstics", "a.h5"], "unknown verb 'statstics': did you mean the step 'statistics'? It is available only in "
                            "job files: see 'armilla help step statistics'"),
    ([], "missing verb: expected one of run, plan"),
    (["doctor", "--nside", "8"],
     "armilla doctor has no option --nside: this is a HEALPix name; the equivalent in Armilla is `--grid healpix:64`"),
    *sweep(
        (["plna", "x"], "unknown verb 'plna': did you mean 'plan'? Verbs: run, plan"),
        (["anlysis", "sky.h5"], "unknown verb 'anlysis': did you mean 'analysis'? Verbs: run, plan"),
        (["frobnicate", "x"], "unknown verb 'frobnicate': use run, plan"),
        (["frobnicate", "x"], ", smooth, "),
        (["statistics", "cl.fits"], "error: 'statistics' is available only in job files: see 'armilla help step statistics'")),
])
def test_unknown_verbs(place, arguments, part):
    result = place.armilla(*arguments)
    assert result.code == 2
    assert part in result.errors()[0]
    assert "armilla --help" in result.error


def test_no_verb_is_suggested_for_an_unrelated_word(place):
    assert "did you mean" not in message(place, "frobnicate", "x")


@pytest.mark.parametrize("arguments, part", [
    (["decouple", "--help"], "error: 'decouple' is available only in job files: see 'armilla help step decouple'"),
    *sweep((["--help", "statistics"], "error: 'statistics' is available only in job files"),
           (["statistics", "cl.h5", "-h"], "error: 'statistics' is available only in job files"),
           (["frobnicate", "--help"], "unknown verb 'frobnicate': use run, plan")),
])
def test_help_of_unknown_verbs_is_an_error(place, arguments, part):
    result = place.armilla(*arguments)
    assert result.code == 2 and result.out == ""
    assert len(result.errors()) == 1 and part in result.errors()[0]


def test_half_of_a_pair_as_a_scalar(place):
    values = place.map("sky.h5", 8, 3)
    place.job("inputs:\n  q: {map: sky.h5, fields: [{name: Q}]}\noutputs:\n  q: {file: q.h5}\n")
    result = place.armilla("run", "job.yaml")
    assert result.code == 0, result.error
    with h5py.File(place.folder / "q.h5") as file:
        assert np.array_equal(file["map"][:].reshape(-1), values[1])
        assert list(file["map"].attrs["SPINS"]) == [0]


@pytest.mark.parametrize("names, taken", [(["T", "Q", "U"], "T"), *sweep((["DENSITY"], "DENSITY"), (["Q"], "Q"))])
def test_spin_0_is_a_scalar(place, names, taken):
    values = place.map("sky.h5", 8, len(names), FIELDS=names)
    place.job("inputs:\n  t: {map: sky.h5, spin: 0}\noutputs:\n  t: {file: t.h5}\n")
    result = place.armilla("run", "job.yaml")
    assert result.code == 0, result.error
    with h5py.File(place.folder / "t.h5") as file:
        assert np.array_equal(file["map"][:].reshape(-1), values[0])
        assert list(file["map"].attrs["FIELDS"]) == [taken]
        assert list(file["map"].attrs["SPINS"]) == [0]


def test_spin_0_of_random_coefficients_and_of_named_fields(place):
    place.map("sky.h5", 8, 3)
    place.job("""inputs:
  qu: {map: sky.h5, fields: [{names: [Q, U], spin: 0}]}
steps:
  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, spin: 0, lmax: 8, out: a}
outputs:
  a: {file: a.h5}
  qu: {file: qu.h5}
""")
    result = place.armilla("run", "job.yaml")
    assert result.code == 0, result.error
    with h5py.File(place.folder / "a.h5") as file:
        assert list(file["alm"].attrs["FIELDS"]) == ["T"]
    with h5py.File(place.folder / "qu.h5") as file:
        assert list(file["map"].attrs["SPINS"]) == [0, 0]
