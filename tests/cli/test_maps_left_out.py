"""Maps of a campaign that a step cannot work on, one alone: reported and left out as a damaged file is, the rest as if
nothing had been, whoever transformed what; or the run stops and names the map."""
import io

import h5py
import numpy as np
import pytest

from conftest import Workplace
from test_campaigns import contents, run, settings
from tiers import RANKS, sweep

MAPS = 7
NPIX = 768
# Coefficients, spectra and statistics are handed on for writing before the masks are looked at.
CAMPAIGN = """inputs:
  sky: {map: "sims/map_{0..6}.h5", bad_data: mask, good_pixels: good}
  cut: {map: "sims/mask_{0..6}.h5"}
steps:
  - analysis:   {map: sky, lmax: 6, method: {jacobi: {iterations: 1}}, out: quick}
  - spectra:    {alm: quick, out: cl}
  - statistics: {spectra: cl, out: stats}
  - STEP
  - smooth:     {alm: a, fwhm_arcmin: 600, out: b}
outputs:
  quick: {file: "quick_{}.h5"}
  cl:    {file: cl.h5}
  stats: {file: stats.h5}
  a:     {file: "a_{}.fits"}
  b:     {file: b.h5}
execution: {on_bad_map: POLICY}
"""
FIT = "analysis: {map: sky, lmax: 6, out: a, method: {cg: {mask: cut, tolerance: 1e-9, max_iterations: 60}}}"
LSMR = FIT.replace("cg:", "lsmr:")
MASK = "mask: {map: sky, mask: cut, out: masked}\n  - analysis: {map: masked, lmax: 6, out: a}"
LEAKAGE = "select: {map: sky, fields: [Q, U], out: qu}\n  - leakage: {map: qu, mask: cut, lmax: 6, out: clean, alm: a}"
DECOUPLE = "select: {alm: quick, fields: [T], out: a}\n  - decouple: {spectra: cl, mask: cut, out: decoupled}"


def nothing(values):
    values[:] = 0


def few_pixels(values):
    """Too few for 49 coefficients to be told apart in 60 iterations."""
    values[:] = 0
    values[:, :60] = 1


def too_few_pixels(values):
    """Fewer than the 49 coefficients of T."""
    values[:] = 0
    values[:, :30] = 1


def no_pixel(values):
    values[:] = np.nan


# What is wrong with which file, with what steps, and what is said about it.
CASES = {
    "unconverged cg": (FIT, "mask", few_pixels, ["steps[3].analysis.method.cg", "the analysis did not converge"]),
    "unconverged lsmr": (LSMR, "mask", few_pixels, ["steps[3].analysis.method.lsmr", "the analysis did not converge"]),
    "underdetermined": (FIT, "mask", too_few_pixels, ["steps[3].analysis.method.cg", "30 data"]),
    "masked in a fit": (FIT, "mask", nothing, ["steps[3].analysis.method.cg", "all pixels are masked"]),
    "masked": (MASK, "mask", nothing, ["steps[3].mask", "its mask 'cut' is 0 everywhere"]),
    "masked in leakage": (LEAKAGE, "mask", nothing, ["steps[4].leakage", "its mask 'cut' is 0 everywhere"]),
    "masked in decouple": (DECOUPLE, "mask", nothing, ["steps[4].decouple", "its mask 'cut' is 0 everywhere"]),
    "mixed in decouple": (DECOUPLE, "mask", few_pixels, ["steps[4].decouple", "its mask 'cut' cannot be used"]),
    "no good pixel": (FIT, "map", no_pixel, ["inputs.sky", "no good pixels"]),
}
# (case, ranks, groups, batch); in batches of 2, maps 2 and 3 are one of their own.
SHARED_OUT = [(case, 0, 1, 2 if case == "masked" else 3) for case in CASES]
SHARED_OUT += [("unconverged cg", 2, 1, 7), ("masked", 3, 3, 1)]
SHARED_OUT += sweep(*[(case, *way) for case in CASES for way in [(3, 1, 2), (3, 3, 1)] if (case, *way) not in SHARED_OUT],
                    *[(case, *way) for case in ("unconverged cg", "masked")
                      for way in [(1, 1, 7), (2, 1, 3), (7, 3, 2), (7, "auto", "auto")]])


def make_maps(place):
    (place.folder / "sims").mkdir()
    for i in range(MAPS):
        seed = np.random.default_rng(70 + i)
        place.map(f"sims/map_{i}.h5", 8, 3, lambda values: values.__setitem__(slice(None), seed.normal(size=values.shape)))

        def hole(values):
            values[:] = 1
            values[:, 300:310 + 4 * i] = 0

        place.map(f"sims/mask_{i}.h5", 8, 1, hole)


def damage(place, what, number, change):
    with h5py.File(place.folder / f"sims/{what}_{number}.h5", "r+") as file:
        values = file["map"][:]
        change(values)
        file["map"][:] = values


def job(place, step, policy):
    text = CAMPAIGN.replace("STEP", step).replace("POLICY", policy)
    if step is DECOUPLE:
        text = text.replace("  a:  ", "  decoupled: {file: \"decoupled_{}.dat\"}\n  a:  ")
    place.job(text)


def is_of_a_map(name):
    return "_" in name


def number_of(name):
    return int(name.split("_")[1].split(".")[0])


@pytest.fixture
def campaign(place):
    make_maps(place)
    place.remember()
    place.known.add("job.yaml")
    return place


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """Function that returns the outputs of undamaged maps."""
    found = {}

    def files(step):
        if step not in found:
            place = Workplace(tmp_path_factory.mktemp("whole"))
            make_maps(place)
            place.remember()
            place.known.add("job.yaml")
            job(place, step, "stop")
            run(place)
            found[step] = contents(place)
        return found[step]

    return files


@pytest.mark.parametrize("case, ranks, groups, batch", SHARED_OUT)
def test_a_map_that_a_step_cannot_work_on_is_left_out(campaign, reference, case, ranks, groups, batch):
    step, what, change, said = CASES[case]
    whole = reference(step)
    bad = [2, 3, 6]
    for number in bad:
        damage(campaign, what, number, change)
    job(campaign, step, "skip")
    result = run(campaign, *settings(groups, batch), "--report", "report.json", ranks=ranks)
    found = contents(campaign)
    assert sorted(found) == sorted(name for name in whole if not is_of_a_map(name) or number_of(name) not in bad)
    assert all(content == whole[name] for name, content in found.items() if is_of_a_map(name))
    report = campaign.report("report.json")["campaign"]
    assert report["maps"] == MAPS
    assert sorted(skipped["map"] for skipped in report["skipped"]) == [str(number) for number in bad]
    for skipped in report["skipped"]:
        assert said[0] == skipped.get("step", "inputs." + skipped.get("input", "")), skipped
        assert said[1] in skipped["reason"]
    assert result.out.count("left out map") == 3
    assert ranks > 1 or result.error.count("is left out") == 3
    others = [i for i in range(MAPS) if i not in bad]
    for name, dataset in (("cl.h5", "cl"), ("b.h5", "alm")):
        with h5py.File(campaign.folder / name) as file, h5py.File(io.BytesIO(whole[name])) as undamaged:
            assert file["present"][:].tolist() == [i not in bad for i in range(MAPS)]
            assert np.isnan(file[dataset][:][bad]).all()
            assert np.array_equal(file[dataset][:][others], undamaged[dataset][:][others])
            if name == "cl.h5":
                spectra = undamaged["cl"][:]
    with h5py.File(campaign.folder / "stats.h5") as file:
        assert file["count"][0] == MAPS - len(bad)
        # Sums of 4 numbers: a few roundings of the largest term.
        np.testing.assert_allclose(file["mean"][:], spectra[others].mean(axis=0), rtol=0, atol=20 * 2**-52 * abs(spectra).max())


STOPPED = [(case, 0, 1, 3) for case in CASES] + [("unconverged cg", 3, 1, 7), ("masked", 3, 3, 1)]


@pytest.mark.parametrize("case, ranks, groups, batch", STOPPED + sweep(*[
    (case, *way) for case in CASES for way in [(3, 1, 7), (3, 3, 1)] if (case, *way) not in STOPPED]))
def test_or_stops_the_run_and_is_named(campaign, case, ranks, groups, batch):
    step, what, change, said = CASES[case]
    damage(campaign, what, 3, change)
    job(campaign, step, "stop")
    result = run(campaign, *settings(groups, batch), ranks=ranks, code=2)
    (error,) = result.errors()
    for text in ["job.yaml:", *said, "map 3 cannot be used", "execution.on_bad_map: skip"]:
        assert text in error
    found = contents(campaign)
    assert all(map(is_of_a_map, found)) and "a_3.fits" not in found  # what was complete stays
    assert not [name for name in (path.name for path in campaign.folder.iterdir()) if name.endswith(".partial")]


@pytest.mark.parametrize("ranks,groups,batch", [(0, 1, 3), *sweep((3, 3, 1), (3, 1, 7))])
def test_of_which_nothing_is_left_is_an_error(campaign, ranks, groups, batch):
    for number in range(MAPS):
        damage(campaign, "mask", number, nothing)
    job(campaign, FIT, "skip")
    result = run(campaign, *settings(groups, batch), ranks=ranks, code=2)
    assert "all 7 maps were left out" in result.errors()[0]
    assert campaign.leftovers() == []


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize("step,said", [(FIT, "steps[3].analysis.method.cg: all pixels are masked"),
                                       (MASK, "steps[3].mask.mask = cut is 0 everywhere")])
def test_what_is_one_for_all_maps_stops_the_run_whatever_the_policy(campaign, step, said, ranks):
    campaign.map("one.h5", 8, 1, nothing)
    campaign.job(CAMPAIGN.replace("STEP", step).replace("POLICY", "skip").replace("sims/mask_{0..6}.h5", "one.h5"))
    result = run(campaign, *settings("auto", 2), ranks=ranks, code=2)
    (error,) = result.errors()
    assert said in error and "to leave out such maps" not in error


@pytest.mark.parametrize("case, ranks, groups, batch", [
    ("missing", 0, 1, 3), ("masked", 0, 1, 3), ("masked", 2, 2, 1),
    *sweep(*[(case, *way) for case in ("missing", "masked") for way in [(3, 1, 2), (3, 3, 1)]])])
def test_a_file_of_an_earlier_run_does_not_stand_for_a_map_that_is_left_out(campaign, case, ranks, groups, batch):
    job(campaign, FIT, "skip")
    run(campaign)
    whole = contents(campaign)
    (campaign.folder / "a_9.fits").write_bytes(b"not of this campaign")
    if case == "missing":
        (campaign.folder / "sims/map_2.h5").unlink()
    else:
        damage(campaign, "mask", 2, nothing)
    result = run(campaign, *settings(groups, batch), ranks=ranks)
    found = contents(campaign)
    assert set(whole) - set(found) == {"a_2.fits", "quick_2.h5"}
    assert found["a_9.fits"] == b"not of this campaign"
    assert all(found[name] == content for name, content in whole.items() if is_of_a_map(name) and name in found)
    # quick_2.h5 is this run's where the mask is looked at after it was written; other groups' warnings are not shown.
    if groups == 1:
        assert "a_2.fits' of an earlier run, because its map was left out" in result.error
        assert ("quick_2.h5' of an earlier run" in result.error) == (case == "missing")
    # One that cannot be removed is not passed over in silence.
    (campaign.folder / "a_2.fits").mkdir()
    (campaign.folder / "a_2.fits" / "file").touch()
    result = run(campaign, *settings(groups, batch), ranks=ranks, code=3)
    assert "a_2.fits" in result.errors()[0] and "cannot be removed" in result.errors()[0]
