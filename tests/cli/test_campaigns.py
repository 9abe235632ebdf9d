"""Jobs of many maps: patterns, a batch axis, groups of ranks, damaged maps, statistics. What is written must not depend on
how the maps were shared out, bit for bit."""
import ctypes
import io
import os
import struct

import h5py
import numpy as np
import pytest
from conftest import Workplace, listed
from tiers import sweep

MAPS = 7
OUTPUTS = ["found.h5", "smooth.h5", "cl.h5", "stats.h5", "stats.dat"] + [f"map_{i:03}.fits" for i in range(MAPS)] + \
    [f"sum_{i:03}.h5" for i in range(MAPS)]
CAMPAIGN = """inputs:
  sky:   {map: "sims/map_{000..006}.h5"}
  other: {alm: other.h5}
steps:
  - analysis:   {map: sky, lmax: 15, method: {jacobi: {iterations: 2}}, out: found}
  - smooth:     {alm: other, fwhm_arcmin: 100, out: smooth_other}
  - add:        {alm: found, with: smooth_other, out: sum}
  - smooth:     {alm: found, fwhm_arcmin: 600, out: smooth}
  - synthesis:  {alm: smooth, grid: {healpix: {nside: 8}}, out: map}
  - spectra:    {alm: found, with: sum, out: cl}
  - statistics: {spectra: cl, out: stats}
outputs:
  found:  {file: found.h5, convention: {norm: 4pi, basis: real}}
  smooth: {file: smooth.h5, precision: single}
  map:    {file: "map_{}.fits", ordering: nested}
  sum:    {file: "sum_{}.h5"}
  cl:     {file: cl.h5}
  stats:  {file: stats.h5}
"""
# (scheme, ranks, groups, batch), and without the scheme in OTHERS. 7 ranks are more than there are m's or ring pairs for
# in places.
SHARED_OUT = [("auto", 0, 1, 3), ("auto", 3, 2, 2), ("ring", 2, 1, 4), ("pixel", 2, 1, 3)]
OTHERS = [(1, "auto", 8), (1, "auto", "auto"), (2, 1, 4), (2, 2, 4), (2, "auto", "auto"), (3, 1, 5), (7, 1, 8), (7, 2, 3),
          (7, 3, 2), (7, 7, 1), (7, "auto", "auto")]
SHARED_OUT += sweep(*[("auto", *way) for way in OTHERS], *[("ring", *way) for way in OTHERS[1::2]],
                    *[("pixel", *way) for way in OTHERS[2::4]])


def write_alm(place, name, lmax):
    size = (lmax + 1) * (lmax + 2) // 2
    numbers = np.random.default_rng(3).normal(size=(3, size, 2)) @ np.array([1, 1j])
    numbers[:, :lmax + 1] = numbers[:, :lmax + 1].real
    numbers[1:, [0, 1, lmax + 1]] = 0
    with h5py.File(place.folder / name, "w") as file:
        data = file.create_dataset("alm", data=numbers)
        data.attrs.update({"LMAX": lmax, "MMAX": lmax, "FIELDS": ["T", "E", "B"]})


def make_maps(place, folder="sims", nside=8):
    """MAPS maps of their own numbers, in single files and in one with a batch axis."""
    (place.folder / folder).mkdir()
    for i in range(MAPS):
        seed = np.random.default_rng(100 + i)
        place.map(f"{folder}/map_{i:03}.h5", nside, 3,
                  change=lambda values: values.__setitem__(slice(None), seed.normal(size=values.shape)))


@pytest.fixture
def campaign(place):
    make_maps(place)
    write_alm(place, "other.h5", 15)
    place.job(CAMPAIGN)
    place.remember()
    return place


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """Function that returns the outputs of the campaign, map by map."""
    found = {}

    def files(scheme="auto"):
        if scheme not in found:
            place = Workplace(tmp_path_factory.mktemp(scheme))
            make_maps(place)
            write_alm(place, "other.h5", 15)
            place.job(CAMPAIGN)
            place.remember()
            run(place, *settings("auto", 1), "--set", f"steps.0.analysis.method.jacobi.scheme={scheme}")
            found[scheme] = contents(place)
        return found[scheme]

    return files


def settings(groups, batch):
    return ["--set", f"execution.map_groups={groups}", "--set", f"execution.batch={batch}"]


def contents(place):
    return {name: (place.folder / name).read_bytes() for name in place.leftovers() if name != "report.json"}


def clear(place):
    for name in place.leftovers():
        (place.folder / name).unlink()


def run(place, *arguments, ranks=0, code=0):
    result = place.armilla("run", "job.yaml", *arguments, ranks=ranks)
    assert result.code == code, result.error
    return result


# claims: guarantee reproducible
@pytest.mark.parametrize("scheme, ranks, groups, batch", SHARED_OUT)
def test_any_sharing_out_gives_the_same_files(campaign, reference, scheme, ranks, groups, batch):
    first = reference(scheme)
    assert sorted(first) == sorted(name for name in OUTPUTS if name != "stats.dat")
    run(campaign, *settings(groups, batch), "--set", f"steps.0.analysis.method.jacobi.scheme={scheme}", ranks=ranks)
    found = contents(campaign)
    assert sorted(found) == sorted(first)
    for name, content in first.items():
        assert found[name] == content, name


def test_each_map_gets_what_it_gets_alone(campaign):
    """Against campaigns of one map, and jobs of one file: all but found.h5, cl.h5 and smooth.h5 are bitwise identical."""
    run(campaign, *settings("auto", 4))
    with h5py.File(campaign.folder / "found.h5") as file:
        found = file["alm"][:]
        assert file["alm"].attrs["NORM"] == "4pi" and file["present"][:].tolist() == [1] * MAPS
        assert [label.decode() for label in file["label"][:]] == [f"{i:03}" for i in range(MAPS)]
    with h5py.File(campaign.folder / "cl.h5") as file:
        spectra = file["cl"][:]
        assert spectra.shape == (MAPS, 6, 16)
    with h5py.File(campaign.folder / "smooth.h5") as file:
        smooth = file["alm"][:]
        assert file["alm"].dtype == np.complex64
    written = {i: (campaign.folder / f"map_{i:03}.fits").read_bytes() for i in range(MAPS)}
    sums = {i: (campaign.folder / f"sum_{i:03}.h5").read_bytes() for i in range(MAPS)}
    batches = [("found.h5", "alm", found), ("smooth.h5", "alm", smooth), ("cl.h5", "cl", spectra)]
    for i in (0, MAPS - 1):
        clear(campaign)
        without = CAMPAIGN.replace("  - statistics: {spectra: cl, out: stats}\n", "").replace("  stats:  {file: stats.h5}\n", "")
        campaign.job(without.replace("{000..006}", f"{{{i:03}..{i:03}}}"))
        run(campaign)
        assert (campaign.folder / f"map_{i:03}.fits").read_bytes() == written[i]
        assert (campaign.folder / f"sum_{i:03}.h5").read_bytes() == sums[i]
        for name, dataset, numbers in batches:
            with h5py.File(campaign.folder / name) as file:
                assert np.array_equal(file[dataset][:], numbers[i:i + 1]), f"{name} of map {i}"
        campaign.job(without.replace("{000..006}", f"{i:03}").replace("map_{}.fits", "map.fits").replace("sum_{}.h5", "sum.h5"))
        run(campaign)
        with h5py.File(campaign.folder / "found.h5") as file:
            difference = np.linalg.norm(file["alm"][:] - found[i]) / np.linalg.norm(found[i])
            assert 0 < difference < 1e-13
        # With the scheme of the campaign, bitwise identical again.
        run(campaign, "--set", "steps.0.analysis.method.jacobi.scheme=normal_matrix")
        assert (campaign.folder / "map.fits").read_bytes() == written[i]
    assert not np.array_equal(found[0], found[1])


@pytest.mark.sweep
def test_a_campaign_of_200_maps_has_the_same_bits_whole_in_halves_and_alone(place):
    (place.folder / "sims").mkdir()
    for i in range(200):
        seed = np.random.default_rng(500 + i)
        place.map(f"sims/map_{i:03}.h5", 4, 1, change=lambda values: values.__setitem__(slice(None), seed.normal(size=values.shape)))
    job = ("inputs:\n  sky: {map: \"sims/map_{FIRST..LAST}.h5\"}\n"
           "steps:\n  - analysis: {map: sky, lmax: 10, method: {jacobi: {iterations: 3}}, out: found}\n"
           "outputs:\n  found: {file: \"found_{}.h5\"}\n")
    place.remember()

    def found(first, last, ranks):
        clear(place)
        place.job(job.replace("FIRST", f"{first:03}").replace("LAST", f"{last:03}"))
        run(place, ranks=ranks)
        files = {name: content for name, content in contents(place).items() if name.startswith("found")}
        assert len(files) == last - first + 1
        return files

    whole = found(0, 199, 2)
    halves = found(0, 99, 1) | found(100, 199, 3)
    assert halves == whole
    for i in (0, 57, 199):
        name = f"found_{i:03}.h5"
        assert found(i, i, 1) == {name: whole[name]}


def test_a_batch_axis_is_read_as_files_are(campaign, reference):
    first = reference()
    maps = []
    for i in range(MAPS):
        with h5py.File(campaign.folder / f"sims/map_{i:03}.h5") as file:
            maps.append(file["map"][:])
            said = dict(file["map"].attrs)
    with h5py.File(campaign.folder / "sims/all.h5", "w") as file:
        file.create_dataset("map", data=np.array(maps)).attrs.update(said)
    campaign.job(CAMPAIGN.replace("sims/map_{000..006}.h5", "sims/all.h5"))
    run(campaign, *settings(2, 3), ranks=3)
    found = contents(campaign)
    for name in first:  # the label is the number here
        if name.startswith(("map_", "sum_")):
            assert found[f"{name[:4]}{int(name[4:7])}{name[7:]}"] == first[name]
    assert found["stats.h5"] == first["stats.h5"]
    # and what a campaign writes, the next one reads
    campaign.job("inputs:\n  a: {alm: found.h5}\nsteps:\n  - spectra: {alm: a, out: cl}\noutputs:\n  cl: {file: \"cl_{}.dat\"}\n")
    run(campaign)
    with h5py.File(campaign.folder / "found.h5") as file:
        alm = file["alm"][4, 0]
    # 4 pi normalised, real: the power is the sum of squares over 4 pi
    index = lambda l, m: m * (2 * 15 + 1 - m) // 2 + l
    power = sum(abs(alm[index(3, m)]) ** 2 for m in range(4)) * 4 * np.pi / 7
    written = np.loadtxt(campaign.folder / "cl_4.dat")
    assert written[3][1] == pytest.approx(power, rel=1e-12)


def test_a_glob_is_sorted_and_its_star_is_the_label(campaign, reference):
    campaign.job(CAMPAIGN.replace("map_{000..006}.h5", "map_*.h5"))
    run(campaign)
    assert contents(campaign) == reference()


# claims: step statistics
def test_statistics_are_those_of_the_spectra(campaign):
    run(campaign)
    with h5py.File(campaign.folder / "cl.h5") as file:
        spectra = file["cl"][:]
    with h5py.File(campaign.folder / "stats.h5") as file:
        assert listed(file["cl"].attrs["FIELDS"]) == "TT,EE,BB,TE,EB,TB"
        assert file["count"][:].tolist() == [MAPS]
        # Sums of 7 numbers: a few roundings of the largest term.
        np.testing.assert_allclose(file["mean"][:], spectra.mean(axis=0), rtol=0, atol=20 * 2**-52 * abs(spectra).max())
        for k in range(6):
            expected = np.cov(spectra[:, k], rowvar=False)
            np.testing.assert_allclose(file["covariance"][k], expected, rtol=0, atol=50 * 2**-52 * abs(expected).max())
            assert abs(expected).max() > 0
    clear(campaign)
    campaign.job(CAMPAIGN.replace("stats.h5", "stats.dat"))
    run(campaign)
    written = np.loadtxt(campaign.folder / "stats.dat")
    np.testing.assert_allclose(written[:, 1], spectra.mean(axis=0)[0], rtol=1e-12, atol=1e-14)


def damage(place, how, number=5):
    path = place.folder / f"sims/map_{number:03}.h5"
    if how == "truncated":
        with open(path, "r+b") as file:
            file.truncate(path.stat().st_size // 2)
    elif how == "missing":
        path.unlink()
    elif how == "nside":
        place.map(f"sims/map_{number:03}.h5", 4, 3)
    elif how == "nan":
        with h5py.File(path, "r+") as file:
            file["map"][1, 7] = np.nan
    elif how == "units":
        with h5py.File(path, "r+") as file:
            file["map"].attrs["UNITS"] = "K"


DAMAGES = {"truncated": "map_005.h5", "missing": "map_005.h5", "nside": "nside 4", "nan": "1 NaN", "units": "the units K"}


# (how, ranks, groups, batch)
BAD = [(how, 0, 1, 8) for how in DAMAGES] + [("truncated", 3, 3, 1)]
BAD += sweep(*[(how, 0, 1, 1) for how in DAMAGES], *[(how, *way) for how in DAMAGES for way in [(2, 1, 8), (3, 3, 1), (7, 3, 2)]
                                                     if (how, *way) not in BAD])


@pytest.mark.parametrize("how, ranks, groups, batch", BAD)
def test_a_bad_map_stops_the_run_or_is_left_out(campaign, reference, how, ranks, groups, batch):
    whole = reference()
    damage(campaign, how)
    result = run(campaign, *settings(groups, batch), ranks=ranks, code=2)
    assert len(result.errors()) == 1
    assert "map_005.h5" in result.errors()[0] and DAMAGES[how] in result.errors()[0]
    assert "on_bad_map: skip" in result.errors()[0]
    for name, content in contents(campaign).items():  # those that were complete
        assert whole[name] == content and name.startswith(("map_", "sum_")) and "005" not in name
    if (groups, batch) == (1, 1):
        assert [f"map_{i:03}.fits" for i in range(5)] + [f"sum_{i:03}.h5" for i in range(5)] == campaign.leftovers()

    clear(campaign)
    run(campaign, *settings(groups, batch), "--set", "execution.on_bad_map=skip", "--report", "report.json", ranks=ranks)
    report = campaign.report("report.json")["campaign"]
    assert report["maps"] == MAPS and report["maps_per_second"] > 0
    (skipped,) = report["skipped"]
    assert skipped["map"] == "005" and skipped["file"].endswith("map_005.h5") and DAMAGES[how] in skipped["reason"]
    found = contents(campaign)
    for name in whole:
        if name.startswith(("map_", "sum_")):
            assert (name in found) == ("005" not in name)
            assert "005" in name or found[name] == whole[name]
    others = [i for i in range(MAPS) if i != 5]
    for name, dataset in (("found.h5", "alm"), ("smooth.h5", "alm"), ("cl.h5", "cl")):
        with h5py.File(campaign.folder / name) as file, h5py.File(io.BytesIO(whole[name])) as undamaged:
            assert file["present"][:].tolist() == [i != 5 for i in range(MAPS)]
            assert np.isnan(file[dataset][5]).all()
            assert np.array_equal(file[dataset][:][others], undamaged[dataset][:][others])
            if name == "cl.h5":
                spectra = undamaged["cl"][:][others]
    with h5py.File(campaign.folder / "stats.h5") as file:
        assert file["count"][0] == MAPS - 1
        np.testing.assert_allclose(file["mean"][:], spectra.mean(axis=0), rtol=0, atol=20 * 2**-52 * abs(spectra).max())


def test_the_first_map_may_be_the_bad_one_and_all_of_a_batch(campaign):
    for number in (0, 1, 2, 3):
        damage(campaign, "missing", number)
    run(campaign, code=2)
    first = {}
    for ranks, groups, batch in [(0, 1, 2), (0, 1, 7), (2, 2, 1)]:
        clear(campaign)
        run(campaign, *settings(groups, batch), "--set", "execution.on_bad_map=skip", ranks=ranks)
        assert all(first.setdefault(name, content) == content for name, content in contents(campaign).items())
    assert "map_003.fits" not in first and "map_004.fits" in first
    for number in range(4, MAPS):
        damage(campaign, "missing", number)
    result = run(campaign, "--set", "execution.on_bad_map=skip", code=2)
    assert "none of the 7 files can be used" in result.errors()[0]


def test_absent_maps_of_a_batch_axis_are_absent_in_the_next_campaign(campaign):
    damage(campaign, "truncated")
    run(campaign, "--set", "execution.on_bad_map=skip")
    campaign.job("inputs:\n  a: {alm: found.h5}\nsteps:\n  - scale: {alm: a, factor: 2, out: b}\noutputs:\n  b: {file: b.h5}\n")
    result = run(campaign, code=2)
    assert "map 5 is absent" in result.errors()[0]
    run(campaign, "--set", "execution.on_bad_map=skip")
    with h5py.File(campaign.folder / "b.h5") as file:
        assert file["present"][:].tolist() == [i != 5 for i in range(MAPS)]


def test_what_is_one_for_all_maps_is_reported_once(campaign):
    """All groups compute it, one speaks of it."""
    campaign.job(CAMPAIGN.replace("  - add:", "  - compare:    {alm: smooth_other, reference: other}\n"
                                              "  - compare:    {alm: found, reference: other}\n  - add:"))
    run(campaign, "--report", "report.json", *settings(3, 2), ranks=3)
    once, each = campaign.report("report.json")["comparisons"]
    assert once["maps"] == 1 and each["maps"] == MAPS


def test_a_pattern_in_bad_places_is_refused(campaign):
    with h5py.File(campaign.folder / "sims/all.h5", "w") as file:
        file.create_dataset("map", data=np.zeros((2, 1, 768))).attrs.update({"NSIDE": 8, "ORDERING": "RING"})
    result = campaign.armilla("convert", "sims/all.h5", "one.fits")
    assert result.code == 2 and "contains 2 maps" in result.errors()[0]


def test_inspect_tells_how_many_maps_there_are(campaign):
    damage(campaign, "missing", 0)
    run(campaign, "--set", "execution.on_bad_map=skip")
    result = campaign.armilla("inspect", "found.h5")
    assert result.code == 0, result.error
    assert f"batch axis: {MAPS} maps, {MAPS - 1} present" in result.out


@pytest.mark.skipif("ASAN_OPTIONS" in os.environ, reason="AddressSanitizer keeps released memory")
@pytest.mark.parametrize("method, numbers", [("immediate", (MAPS, 398)), *sweep(("jacobi", (143, 530)))])
def test_memory_does_not_grow_with_the_number_of_maps(place, method, numbers):
    """And is as announced, in a dry run too. So many corrections of Jacobi go by the normal matrix."""
    make_maps(place, nside=64)
    paths = sorted((place.folder / "sims").iterdir())
    for i in range(MAPS, numbers[1]):  # links to the same maps
        os.link(paths[i % MAPS], place.folder / f"sims/map_{i:03}.h5")
    measured = []
    for number in numbers:
        place.job('inputs:\n  sky: {map: "sims/map_{000..' + f"{number - 1:03}" + '}.h5"}\n'
                  "steps:\n  - analysis: {map: sky, lmax: 96, method: {" + method + ": {iterations: 1}}, out: a}\n"
                  "  - spectra: {alm: a, out: cl}\n  - statistics: {spectra: cl, out: stats}\n"
                  "outputs:\n  a: {file: a.h5}\n  stats: {file: stats.h5}\nexecution: {batch: 4}\n")
        run(place, "--report", "report.json")
        memory = place.report("report.json")["memory"]
        measured.append(memory["measured"]["max"])
        assert memory["measured"]["max"] <= memory["announced"]["max"]
        (place.folder / "a.h5").unlink()
    # How much of a few batches is there at a time is chance, as is in what arenas of the C library they are: up to 10 MB.
    # All the other maps would be 152 MB; one of each batch, 38 MB.
    more = (numbers[1] - numbers[0]) * 8 * 12 * 64**2
    assert measured[1] - measured[0] <= 0.12 * more, measured
    told = run(place, "--dry-run").out
    assert f"{numbers[1]} maps in {-(-numbers[1] // 4)} batches of 4, with 1 group of ranks" in told


@pytest.mark.parametrize("nside, batches, batch", [(8, 4, 32), (256, 8, 16)])
def test_batches_are_as_large_as_maps_gain_from_it(place, nside, batches, batch):
    """Four for each group, so that files are read and written meanwhile; eight, where maps are large."""
    (place.folder / "sims").mkdir()
    with h5py.File(place.folder / "sims/map_000.h5", "w") as file:
        file.create_dataset("map", data=np.ones((1, 12 * nside**2))).attrs.update({"NSIDE": nside, "ORDERING": "RING", "FIELDS": ["T"]})
    for i in range(1, 128):
        os.link(place.folder / "sims/map_000.h5", place.folder / f"sims/map_{i:03}.h5")
    place.job('inputs:\n  sky: {map: "sims/map_{000..127}.h5"}\n'
              f"steps:\n  - analysis: {{map: sky, lmax: {nside}, out: a}}\noutputs:\n  a: {{file: a.h5}}\n")
    told = run(place, "--dry-run").out
    assert f"128 maps in {batches} batches of {batch}, with 1 group of ranks" in told, told


def test_random_maps_are_a_campaign_of_their_own(place):
    """Each has numbers of its own, whatever the batch; so they make inputs for others."""
    place.job("steps:\n  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T], lmax: 8, seed: 3, maps: 5, out: a}\n"
              "outputs:\n  a: {file: \"a_{}.fits\"}\n")
    place.remember()
    run(place, *settings(1, 1))
    first = contents(place)
    assert len(set(first.values())) == 5
    for ranks, groups, batch in [(0, 1, 3), (3, 2, 2)]:
        clear(place)
        run(place, *settings(groups, batch), ranks=ranks)
        assert contents(place) == first


class WatchedFolder:
    """Names of files that were made in a folder, in order (inotify(7))."""
    CREATE = 0x100

    def __init__(self, folder):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.handle = self.libc.inotify_init1(os.O_NONBLOCK)
        if self.handle < 0 or self.libc.inotify_add_watch(self.handle, str(folder).encode(), self.CREATE) < 0:
            pytest.skip("this system does not tell what happens in a folder")

    def made(self):
        try:
            events = os.read(self.handle, 1 << 20)
        except BlockingIOError:
            return []
        finally:
            os.close(self.handle)
        names = []
        while events:
            length, = struct.unpack_from("I", events, 12)
            names.append(events[16:16 + length].rstrip(b"\0").decode())
            events = events[16 + length:]
        return names


@pytest.mark.parametrize("ranks,groups,nside", [(2, 2, 16), *sweep((0, 1, 64), (2, 2, 64), (3, 3, 64), (3, 1, 64))])
def test_weights_that_are_kept_are_found_once_for_all_groups(place, monkeypatch, ranks, groups, nside):
    """And one file is written, by all ranks together. With many pixels, groups would be at it at the same time."""
    make_maps(place, nside=nside)
    (place.folder / "cache").mkdir()
    monkeypatch.setenv("ARMILLA_CACHE_DIR", str(place.folder / "cache"))
    place.job('inputs:\n  sky: {map: "sims/map_{000..005}.h5"}\n'
              "steps:\n  - analysis: {map: sky, lmax: 8, method: pixel_weights, out: a}\noutputs:\n  a: {file: a.h5}\n")
    watched = WatchedFolder(place.folder / "cache")
    run(place, *settings(groups, 2), ranks=ranks)
    assert len([name for name in watched.made() if name.endswith(".partial")]) == 1  # before it got its name
    (kept,) = (place.folder / "cache").iterdir()
    assert kept.name.startswith(f"pixel-weights-1-nside-{nside}-degree-{3 * nside}")
    with h5py.File(place.folder / "a.h5") as file:
        assert file["present"][:].all() and abs(file["alm"][:]).max() > 0
