"""Numbers that are not finite in what a job writes: an error by default, counted and with the step named, or a warning.
Numbers so small or large that their squares leave the range of doubles are fitted as all others."""
import h5py
import numpy as np
import pytest

from tiers import RANKS, sweep

SCALED = ("inputs:\n  sky: {map: sky.h5}\nsteps:\n  - analysis: {map: sky, lmax: 8, out: a}\n"
          "  - scale: {alm: a, factor: 1.0e+308, out: b}\n  - scale: {alm: b, factor: 1.0e+10, out: c}\n"
          "  - synthesis: {alm: c, grid: {healpix: {nside: 8}}, out: d}\noutputs:\n  c: {file: c.h5}\n")
WARN = "execution: {on_nonfinite: warn}\n"


def refused(place, result, *parts, code=2):
    assert result.code == code, result.error
    (error,) = result.errors()
    for part in parts:
        assert part in error
    assert place.leftovers() == []


@pytest.mark.parametrize("ranks", RANKS)
class TestOneMap:
    def test_an_overflow_is_refused_and_its_step_named(self, place, ranks):
        place.job(SCALED)
        place.remember()
        refused(place, place.armilla("run", "job.yaml", ranks=ranks), "job.yaml:7: steps[2].scale", "'c' has ",
                " non-finite values out of 270 (0 NaN, ", "on_nonfinite: warn")

    def test_or_written_with_a_warning(self, place, ranks):
        place.job(SCALED + WARN)
        result = place.armilla("run", "job.yaml", "--report", "report.json", ranks=ranks)
        assert result.code == 0, result.error
        with h5py.File(place.folder / "c.h5") as file:
            bad = np.count_nonzero(~np.isfinite(file["alm"][()].view(float)))
        assert bad > 0
        (warning,) = [text for text in place.report("report.json")["warnings"] if "non-finite" in text]
        assert f"steps[2].scale: 'c' has {bad} non-finite values out of 270" in warning
        assert result.error.count(warning) == 1


CAMPAIGN = ("inputs:\n  sky: {map: \"sims/map_{0..6}.h5\"}\nsteps:\n  - analysis: {map: sky, lmax: 6, out: a}\n"
            "  - scale: {alm: a, factor: 1.0e+150, out: b}\n  - spectra: {alm: a, out: cl}\n"
            "  - statistics: {spectra: cl, out: stats}\noutputs:\n  b: {file: \"b_{}.h5\"}\n  cl: {file: cl.h5}\n"
            "  stats: {file: stats.h5}\n")


def make_campaign(place, largest):
    """Seven maps, of which number 4 is `largest` times as large."""
    (place.folder / "sims").mkdir()
    for i in range(7):
        place.map(f"sims/map_{i}.h5", 8, 1, lambda values, i=i: values.__imul__(largest if i == 4 else 1 + i))


@pytest.mark.parametrize("ranks,groups,batch", [(0, 1, 3), *sweep((3, 1, 2), (3, 3, 1))])
class TestCampaign:
    def settings(self, groups, batch, **more):
        said = {"map_groups": groups, "batch": batch, **more}
        return [word for key, value in said.items() for word in ("--set", f"execution.{key}={value}")]

    def test_such_a_map_stops_it(self, place, ranks, groups, batch):
        make_campaign(place, 1e165)
        place.job(CAMPAIGN)
        result = place.armilla("run", "job.yaml", *self.settings(groups, batch), ranks=ranks)
        assert result.code == 2
        (error,) = result.errors()
        assert "map 4 cannot be used" in error and "steps[1].scale" in error and "'b' has " in error and "non-finite" in error
        assert "on_bad_map: skip" in error
        assert not (place.folder / "b_4.h5").exists() and not (place.folder / "stats.h5").exists()

    def test_or_is_left_out(self, place, ranks, groups, batch):
        make_campaign(place, 1e165)
        place.job(CAMPAIGN)
        result = place.armilla("run", "job.yaml", *self.settings(groups, batch, on_bad_map="skip"), "--report",
                               "report.json", ranks=ranks)
        assert result.code == 0, result.error
        assert sorted(path.name for path in place.folder.glob("b_*.h5")) == [f"b_{i}.h5" for i in (0, 1, 2, 3, 5, 6)]
        (left_out,) = place.report("report.json")["campaign"]["skipped"]
        assert left_out["map"] == "4" and "non-finite" in left_out["reason"]
        with h5py.File(place.folder / "stats.h5") as file:
            assert all(np.isfinite(file[name][()]).all() for name in file if file[name].dtype.kind == "f")

    def test_or_is_written_with_a_warning(self, place, ranks, groups, batch):
        make_campaign(place, 1e165)
        place.job(CAMPAIGN.replace("  stats: {file: stats.h5}\n", ""))
        result = place.armilla("run", "job.yaml", *self.settings(groups, batch, on_nonfinite="warn"), "--report",
                               "report.json", ranks=ranks)
        assert result.code == 0, result.error
        assert len(list(place.folder.glob("b_*.h5"))) == 7
        warnings = [text for text in place.report("report.json")["warnings"] if "non-finite" in text]
        assert [text for text in warnings if "steps[1].scale" in text and "'b'" in text]


CG, LSMR, TOLERANCE = "method: {cg: {tolerance: 1e-10}}", "method: {lsmr: {tolerance: 1e-10}}", "tolerance: 1e-8"
EXTREME = [(CG, 1e-170), (LSMR, 1e160), (TOLERANCE, 1e160)]


@pytest.mark.parametrize("method, magnitude", EXTREME + sweep(*[
    (method, magnitude) for method in (CG, LSMR, TOLERANCE) for magnitude in (1e-170, 1e-30, 1e30, 1e160)
    if (method, magnitude) not in EXTREME]))
def test_fits_of_any_magnitude_are_those_of_ordinary_maps(place, method, magnitude):
    place.map("ordinary.h5", 8, 1)
    place.map("scaled.h5", 8, 1, lambda values: values.__imul__(magnitude))
    found = []
    for name in ("ordinary", "scaled"):
        place.job(f"inputs:\n  sky: {{map: {name}.h5}}\nsteps:\n"
                  f"  - analysis: {{map: sky, lmax: 16, out: a, {method}}}\noutputs:\n  a: {{file: a.h5}}\n")
        result = place.armilla("run", "job.yaml", "--report", "report.json")
        assert result.code == 0, result.error
        with h5py.File(place.folder / "a.h5") as file:
            found.append(file["alm"][()].view(float))
    assert abs(found[0]).max() > 0.01
    np.testing.assert_allclose(found[1] / magnitude, found[0], rtol=0, atol=1e-7 * abs(found[0]).max())
