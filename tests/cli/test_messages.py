"""Messages that lead a new user from what was written to what Armilla has for it."""
import pytest

ANALYSIS = """inputs:
  sky: {map: sky.h5}
steps:
  - analysis: {map: sky, lmax: 16, out: a}
outputs:
  a: {file: a.h5}
"""


def message(place, *arguments, code=2):
    """The one error that the program reports."""
    result = place.armilla(*arguments)
    assert result.code == code, result.error
    assert len(result.errors()) == 1, result.error
    return result.errors()[0]


@pytest.mark.parametrize("change, part", [
    (("lmax: 16", "lmax: 16, iter: 3"),
     "job.yaml:5: steps[0].analysis: unknown key 'iter', 'iter' of healpy is `method: {jacobi: {iterations: 3}}` of an "
     "analysis here. Known: map, only, lmax"),
    (("analysis:", "map2alm:"),
     "job.yaml:5: steps[0]: unknown key 'map2alm', 'map2alm' of healpy is the step `analysis` here. Known: "),
    (("sky.h5}", "sky.h5, pol: true}"), "inputs.sky: unknown key 'pol', 'pol' of healpy is `fields: [T, Q, U]`"),
])
def test_words_of_healpy_in_a_job(place, change, part):
    place.job(ANALYSIS.replace(*change))
    assert part in message(place, "run", "job.yaml")


def test_what_is_said_of_iter_works(place):
    place.job(ANALYSIS.replace("lmax: 16", "lmax: 16, method: {jacobi: {iterations: 3}}"))
    assert place.armilla("run", "job.yaml").code == 0


@pytest.mark.parametrize("arguments, part", [
    (["plna", "x"], "unknown verb 'plna': did you mean 'plan'? Known: run, plan"),
    (["anafast", "map.fits"], "unknown verb 'anafast': 'anafast' of HEALPix is the step `analysis`, then"),
    (["job.yaml"], "unknown verb 'job.yaml': a job runs by 'armilla run job.yaml'"),
    (["anlysis", "sky.h5"], "unknown verb 'anlysis': did you mean 'analysis'? Other verbs: run, plan"),
    (["statstics", "a.h5"], "unknown verb 'statstics': did you mean a step? 'statistics' is a step of a job"),
    ([], "no verb is given: expected one of run, plan"),
    (["statistics", "cl.fits"], "unknown verb 'statistics': 'statistics' is a step of a job"),
    (["inspect", "sky.h5", "--nside", "8"], "--nside: 'nside' of HEALPix is `grid: {healpix: {nside: 64}}`"),
])
def test_unknown_verbs(place, arguments, part):
    result = place.armilla(*arguments)
    assert result.code == 2
    assert part in result.errors()[0]
    assert "armilla --help" in result.error
