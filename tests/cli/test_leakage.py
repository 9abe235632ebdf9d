"""Masks, chosen components, E-to-B leakage and mode coupling as a user sees them: results and ranks."""
import h5py
import numpy as np
import pytest

from conftest import DATA
from tiers import RANKS, SWEEP, sweep

NSIDE = 8
NPIX = 12 * NSIDE * NSIDE
INPUTS = "inputs:\n  sky: {map: sky.h5}\n  qu: {map: sky.h5, fields: [Q, U]}\n  cut: {map: cut.h5}\n"


@pytest.fixture
def place(place):
    place.sky = read(place, "sky.h5")
    place.cut = np.where(np.arange(NPIX) % 500 < 350, 1.0, 0.0)
    write(place, "cut.h5", place.cut, ["MASK"])
    return place


def write(place, name, values, fields, nside=NSIDE):
    with h5py.File(place.folder / name, "w") as file:
        data = file.create_dataset("map", data=np.atleast_2d(values).astype(float))
        data.attrs.update({"NSIDE": nside, "ORDERING": "RING", "FIELDS": fields})


def read(place, name, kind="map"):
    with h5py.File(place.folder / name) as file:
        return file[kind][:]


def job(place, steps, outputs, inputs=INPUTS, more=""):
    lines = ["steps:"] + [f"  - {step}" for step in steps]
    lines += (["outputs:"] if outputs else []) + [f"  {name}: {{file: {name}.h5}}" for name in outputs]
    place.job(inputs + "\n".join(lines) + "\n" + more)


def run(place, steps, outputs, ranks=0, **more):
    job(place, steps, outputs, **more)
    result = place.armilla("run", "job.yaml", "--restart", "--report", "report.json", ranks=ranks)
    assert result.code == 0, result.error
    return result


def run_one(place, steps, outputs, inputs):
    """A campaign of one map, of a pattern that matches one file: outputs go to one_NAME_LABEL.h5."""
    job(place, steps, [], inputs=inputs, more="outputs:\n" + "".join(f"  {name}: {{file: 'one_{name}_{{}}.h5'}}\n" for name in outputs))
    result = place.armilla("run", "job.yaml", "--restart", "--report", "report.json")
    assert result.code == 0, result.error


LEAKAGE = ("leakage: {map: qu, mask: cut, lmax: 16, method: {jacobi: {iterations: 2}}, b_map: raw, template: leaked, "
           "alm: clean_alm, out: clean}")
LEAKAGE_OUTPUTS = ["raw", "leaked", "clean_alm", "clean"]


class TestMask:
    # claims: step mask
    @pytest.mark.parametrize("ranks", RANKS)
    def test_one_component_for_all_or_one_for_each(self, place, ranks):
        each = np.random.default_rng(3).uniform(size=(3, NPIX)) * (np.arange(NPIX) % 3 > 0)
        write(place, "each.h5", each, ["T", "Q", "U"])
        run(place, ["mask: {map: sky, mask: cut, out: one}", "mask: {map: sky, mask: each, out: three}",
                    "mask: {map: one, mask: cut, out: twice}"], ["one", "three", "twice"],
            inputs=INPUTS + "  each: {map: each.h5}\n", ranks=ranks)
        assert np.array_equal(read(place, "one.h5"), place.sky * place.cut)
        assert np.array_equal(read(place, "three.h5"), place.sky * each)
        assert np.array_equal(read(place, "twice.h5"), read(place, "one.h5"))


class TestGoodPixels:
    def bad_map(self, place, name="bad.h5", seed=7):
        """A map with bad pixels in Q and in U; where they are."""
        values = np.random.default_rng(seed).normal(size=(2, NPIX))
        values[0, 10:20 + seed] = np.nan
        values[1, 15:30] = -1.6375e30
        write(place, name, values, ["Q", "U"])
        bad = ~np.isfinite(values) | (np.abs(values) > 1e30)
        return np.where(bad, 0, values), ~bad.any(axis=0)

    @pytest.mark.parametrize("ranks", RANKS)
    def test_become_a_mask(self, place, ranks):
        values, good = self.bad_map(place)
        inputs = "inputs:\n  qu: {map: bad.h5, bad_data: mask, good_pixels: good}\n"
        run(place, ["mask: {map: qu, mask: good, out: m}",
                    "leakage: {map: qu, mask: good, lmax: 16, method: {jacobi: {iterations: 1}}, out: clean}"],
            ["qu", "good", "m", "clean"], inputs=inputs, ranks=ranks)
        assert np.array_equal(read(place, "qu.h5"), values)
        assert np.array_equal(read(place, "good.h5")[0], good)
        assert np.array_equal(read(place, "m.h5"), values * good)
        assert np.array_equal(read(place, "clean.h5")[0] == 0, ~good)
        zeroed, = place.report("report.json")["zeroed_pixels"]
        assert zeroed["nan"] == 17 and zeroed["bad_data"] == 15

    def test_can_be_all_that_is_wanted(self, place):
        """Written, though no step takes the map or the mask."""
        _, good = self.bad_map(place)
        run(place, ["mask: {map: cut, mask: good, out: both}"], ["both", "good"],
            inputs="inputs:\n  qu: {map: bad.h5, bad_data: mask, good_pixels: good}\n  cut: {map: cut.h5}\n")
        assert np.array_equal(read(place, "both.h5")[0], place.cut * good)
        assert np.array_equal(read(place, "good.h5")[0], good)

    @pytest.mark.parametrize("ranks, some", [(2, (3,)), *sweep((1, range(5)), (3, range(5)))])
    def test_of_each_map_of_a_campaign(self, place, ranks, some):
        known = [self.bad_map(place, f"bad_{i}.h5", seed=i) for i in range(5)]
        inputs = "inputs:\n  qu: {map: 'bad_{0..4}.h5', bad_data: mask, good_pixels: good}\n"
        job(place, [LEAKAGE.replace("mask: cut", "mask: good")], [], inputs=inputs,
            more="outputs:\n  clean: {file: 'clean_{}.h5'}\n  good: {file: 'good_{}.h5'}\n"
                 "execution: {batch: 2}\n")
        result = place.armilla("run", "job.yaml", "--restart", "--report", "many.json", ranks=ranks)
        assert result.code == 0, result.error
        fits, = place.report("many.json")["leakage"]
        for i, (_, good) in enumerate(known):
            assert np.array_equal(read(place, f"good_{i}.h5")[0], good), i
            if i not in some:
                continue
            run_one(place, [LEAKAGE.replace("mask: cut", "mask: good")], LEAKAGE_OUTPUTS,
                    inputs=f"inputs:\n  qu: {{map: 'bad_{{{i}..{i}}}.h5', bad_data: mask, good_pixels: good}}\n")
            assert np.array_equal(read(place, f"clean_{i}.h5"), read(place, f"one_clean_{i}.h5")), i
            alone, = place.report("report.json")["leakage"]
            assert fits["slope"][i] == alone["slope"][0] and fits["intercept"][i] == alone["intercept"][0]


class TestComponents:
    # claims: step select
    def test_select(self, place):
        run(place, ["analysis: {map: sky, lmax: 12, out: a}", "select: {map: sky, fields: [U, T], out: tu}",
                    "select: {map: sky, fields: [Q, U], out: qu_only}", "select: {alm: a, fields: [B], out: b}",
                    "synthesis: {alm: b, grid: {healpix: {nside: 8}}, out: b_map}"],
            ["a", "tu", "qu_only", "b", "b_map"])
        assert np.array_equal(read(place, "tu.h5"), place.sky[[0, 2]])
        assert np.array_equal(read(place, "qu_only.h5"), place.sky[1:])
        assert np.array_equal(read(place, "b.h5", "alm")[0], read(place, "a.h5", "alm")[2])
        with h5py.File(place.folder / "b_map.h5") as file:
            assert [name.decode() if isinstance(name, bytes) else name for name in file["map"].attrs["FIELDS"]] == ["B"]

    @pytest.mark.parametrize("ranks", RANKS)
    def test_synthesis_of_e_or_b_only(self, place, ranks):
        grid = "grid: {healpix: {nside: 8}}"
        run(place, ["analysis: {map: qu, lmax: 12, out: a}", f"synthesis: {{alm: a, only: [E], {grid}, out: e}}",
                    f"synthesis: {{alm: a, {grid}, out: both}}", f"synthesis: {{alm: a, only: [B], {grid}, out: b}}",
                    "analysis: {map: e, lmax: 12, method: {jacobi: {iterations: 30}}, out: e_alm}"],
            ["a", "e", "b", "both", "e_alm"], ranks=ranks)
        e, b, both = (read(place, f"{name}.h5") for name in ("e", "b", "both"))
        assert np.allclose(e + b, both, rtol=0, atol=1e-13)
        assert np.abs(e).max() > 0.1 and np.abs(b).max() > 0.1
        e_alm, a = read(place, "e_alm.h5", "alm"), read(place, "a.h5", "alm")
        assert np.allclose(e_alm[0], a[0], rtol=0, atol=1e-9)  # 30 iterations reach rounding at lmax = 1.5 nside
        assert np.abs(e_alm[1]).max() < 1e-9

    @pytest.mark.parametrize("ranks", RANKS)
    def test_analysis_of_some_components(self, place, ranks):
        method = "method: {jacobi: {iterations: 1}}"
        run(place, [f"analysis: {{map: sky, lmax: 12, {method}, out: all}}"] +
            [f"analysis: {{map: sky, only: [{names}], lmax: 12, {method}, out: {out}}}"
             for names, out in (("T", "t"), ("B", "b"), ("E, B", "eb"), ("T, E", "te"))],
            ["all", "t", "b", "eb", "te"], ranks=ranks)
        every = read(place, "all.h5", "alm")
        for out, rows in (("t", [0]), ("b", [2]), ("eb", [1, 2]), ("te", [0, 1])):
            assert np.array_equal(read(place, f"{out}.h5", "alm"), every[rows]), out


class TestLeakage:
    @SWEEP  # tests/ops has this claim
    def test_files_are_equal_on_any_number_of_ranks(self, place):
        expected = {}
        for ranks in (1, 2, 3, 7):
            run(place, [LEAKAGE], LEAKAGE_OUTPUTS, ranks=ranks)
            for name in LEAKAGE_OUTPUTS:
                content = (place.folder / f"{name}.h5").read_bytes()
                assert expected.setdefault(name, content) == content, f"{name} on {ranks} ranks"

    @pytest.mark.parametrize("layouts, some", [
        (((0, 2, 1), (2, 2, 2)), (0, 3)), *sweep((((1, 2, 1), (2, 5, 1), (3, 2, 3), (7, 2, 2)), range(5)))])
    def test_of_a_campaign_is_that_of_each_map(self, place, layouts, some):
        """With a mask for all maps; files and slopes are those of maps alone, in any batches, ranks and groups."""
        maps = np.random.default_rng(5).normal(size=(5, 2, NPIX))
        for i, values in enumerate(maps):
            write(place, f"qu_{i}.h5", values, ["Q", "U"])
        alone, slopes = {}, {}
        for i in some:
            run_one(place, [LEAKAGE], LEAKAGE_OUTPUTS, f"inputs:\n  qu: {{map: 'qu_{{{i}..{i}}}.h5'}}\n  cut: {{map: cut.h5}}\n")
            alone[i] = {name: (place.folder / f"one_{name}_{i}.h5").read_bytes() for name in LEAKAGE_OUTPUTS}
            slopes[i] = place.report("report.json")["leakage"][0]["slope"][0]
        for ranks, batch, groups in layouts:
            job(place, [LEAKAGE], [], inputs="inputs:\n  qu: {map: 'qu_{0..4}.h5'}\n  cut: {map: cut.h5}\n",
                more="outputs:\n" + "".join(f"  {name}: {{file: '{name}_{{}}.h5'}}\n" for name in LEAKAGE_OUTPUTS) +
                     f"execution: {{batch: {batch}, map_groups: {groups}}}\n")
            result = place.armilla("run", "job.yaml", "--restart", "--report", "many.json", ranks=ranks)
            assert result.code == 0, result.error
            found, = place.report("many.json")["leakage"]
            assert len(found["slope"]) == 5 and len(found["labels"]) == 5
            for i in some:
                assert found["slope"][i] == slopes[i]
                for name in LEAKAGE_OUTPUTS:
                    assert (place.folder / f"{name}_{i}.h5").read_bytes() == alone[i][name], f"{name} {i}, {ranks} ranks"

    def test_is_what_its_steps_are(self, place):
        """The steps of Liu et al. 2019 one by one, and a fit by numpy."""
        steps = ["mask: {map: qu, mask: cut, out: m}",
                 "analysis: {map: m, lmax: 16, method: {jacobi: {iterations: 2}}, out: a}",
                 "select: {alm: a, fields: [B], out: b}", "synthesis: {alm: b, grid: {healpix: {nside: 8}}, out: raw}",
                 "synthesis: {alm: a, only: [E], grid: {healpix: {nside: 8}}, out: e}", "mask: {map: e, mask: cut, out: n}",
                 "analysis: {map: n, only: [B], lmax: 16, method: {jacobi: {iterations: 2}}, out: c}",
                 "synthesis: {alm: c, grid: {healpix: {nside: 8}}, out: leaked}"]
        run(place, steps, ["raw", "leaked"])
        raw, leaked = read(place, "raw.h5")[0], read(place, "leaked.h5")[0]
        good = place.cut > 0
        slope, intercept = np.polyfit(leaked[good], raw[good], 1)
        run(place, [LEAKAGE], LEAKAGE_OUTPUTS)
        assert np.array_equal(read(place, "raw.h5")[0], raw) and np.array_equal(read(place, "leaked.h5")[0], leaked)
        found, = place.report("report.json")["leakage"]
        assert found["map"] == "clean" and found["step"] == "steps[0].leakage"
        assert np.isclose(found["slope"][0], slope, rtol=1e-12, atol=0)
        assert np.isclose(found["intercept"][0], intercept, rtol=1e-9, atol=1e-14)
        clean = np.where(good, raw - slope * leaked - intercept, 0)
        assert np.allclose(read(place, "clean.h5")[0], clean, rtol=0, atol=1e-13)
        assert np.std(clean[good]) < np.std(raw[good])

    # claims: step leakage
    def test_agrees_with_the_reference(self, place):
        with h5py.File(DATA / "reference" / "eb_leakage.h5") as file:
            known = file["eb_leakage"]
            values, said = {name: known[name][:] for name in known}, dict(known.attrs)
        nside, lmax = int(said["nside"]), int(said["lmax"])
        write(place, "qu.h5", np.stack([values["q"], values["u"]]), ["Q", "U"], nside)
        write(place, "cut.h5", values["mask"], ["MASK"], nside)
        method = f"method: {{jacobi: {{iterations: {int(said['iterations'])}}}}}"
        run(place, [f"leakage: {{map: qu, mask: cut, lmax: {lmax}, {method}, b_map: raw, template: leaked, out: clean}}"],
            ["raw", "leaked", "clean"], inputs="inputs:\n  qu: {map: qu.h5}\n  cut: {map: cut.h5}\n", ranks=2)
        for name, reference in (("raw", "b_map"), ("leaked", "template"), ("clean", "cleaned")):
            assert np.allclose(read(place, f"{name}.h5")[0], values[reference], rtol=0, atol=1e-11), name
        found, = place.report("report.json")["leakage"]
        assert abs(found["slope"][0] - said["slope"]) < 1e-8
        assert abs(found["intercept"][0] - said["intercept"]) < 1e-10

    def test_memory_is_announced(self, place):
        """What a dry run adds for the step covers what it takes, at a size that shows."""
        nside = 128
        sky = np.random.default_rng(1).normal(size=(2, 12 * nside * nside))
        write(place, "big.h5", sky, ["Q", "U"], nside)
        write(place, "cut.h5", np.arange(12 * nside * nside) % 5 > 1, ["MASK"], nside)
        run(place, ["leakage: {map: qu, mask: cut, lmax: 256, method: {jacobi: {iterations: 1}}, out: clean}"], ["clean"],
            inputs="inputs:\n  qu: {map: big.h5}\n  cut: {map: cut.h5}\n")
        memory = place.report("report.json")["memory"]
        assert memory["measured"]["max"] < memory["announced"]["max"] * 1.15 + (8 << 20)


class TestDecouple:
    STEPS = ["mask: {map: sky, mask: cut, out: m}", "analysis: {map: m, lmax: 10, out: a}", "spectra: {alm: a, out: cl}"]

    @SWEEP  # tests/ops has this claim
    def test_files_are_equal_on_any_number_of_ranks(self, place):
        expected = {}
        for ranks in (1, 2, 7):
            run(place, self.STEPS + ["decouple: {spectra: cl, mask: cut, bin: 2, out: full}"], ["full"], ranks=ranks)
            content = (place.folder / "full.h5").read_bytes()
            assert expected.setdefault("full", content) == content, f"on {ranks} ranks"

    @pytest.mark.parametrize("ranks, masks, some", [
        (0, "cut.h5", (2,)), (2, "cut_{0..2}.h5", (1,)), *sweep((2, "cut.h5", range(3)), (2, "cut_{0..2}.h5", range(3)))])
    def test_of_a_campaign_is_that_of_each_map(self, place, ranks, masks, some):
        """Spectra of every map, with one mask for all and with one for each."""
        rng = np.random.default_rng(5)
        for i in range(3):
            write(place, f"sky_{i}.h5", rng.normal(size=(3, NPIX)), ["T", "Q", "U"])
            write(place, f"cut_{i}.h5", np.where(np.arange(NPIX) % 500 < 300 + 50 * i, 1.0, 0.0), ["MASK"])
        steps = self.STEPS + ["decouple: {spectra: cl, mask: cut, bin: 2, out: full}"]
        job(place, steps, [], inputs=f"inputs:\n  sky: {{map: 'sky_{{0..2}}.h5'}}\n  cut: {{map: '{masks}'}}\n",
            more="outputs:\n  full: {file: 'full_{}.h5'}\nexecution: {batch: 2}\n")
        result = place.armilla("run", "job.yaml", "--restart", ranks=ranks)
        assert result.code == 0, result.error
        assert (place.folder / "full_0.h5").read_bytes() != (place.folder / "full_1.h5").read_bytes()
        for i in some:
            mask = masks.replace("{0..2}", f"{{{i}..{i}}}")
            run_one(place, steps, ["full"], f"inputs:\n  sky: {{map: 'sky_{{{i}..{i}}}.h5'}}\n  cut: {{map: '{mask}'}}\n")
            assert (place.folder / f"full_{i}.h5").read_bytes() == (place.folder / f"one_full_{i}.h5").read_bytes(), i

    def test_of_a_mask_of_ones_changes_nothing(self, place):
        write(place, "cut.h5", np.ones(NPIX), ["MASK"])
        run(place, self.STEPS + ["decouple: {spectra: cl, mask: cut, out: full}"], ["cl", "full"])
        with h5py.File(place.folder / "cl.h5") as before, h5py.File(place.folder / "full.h5") as after:
            def columns(file):
                found = {}
                file.visititems(lambda name, item: found.update({name: item[:]}) if isinstance(item, h5py.Dataset) else None)
                return found
            assert list(columns(before)) == list(columns(after))
            for name, values in columns(before).items():
                # The analysis of the mask is good to 1e-4 after three iterations.
                assert np.allclose(columns(after)[name], values, rtol=1e-3, atol=1e-6), name
