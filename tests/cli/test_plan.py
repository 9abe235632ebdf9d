"""armilla plan: what it announces for any number of ranks, and that it needs no MPI. No time decides a test."""
import json
import re

import h5py
import numpy as np
import pytest
from tiers import sweep

CAMPAIGN = ("inputs:\n  sky: {map: \"sky_{0..5}.h5\"}\nsteps:\n  - analysis: {map: sky, lmax: 12, out: a}\n"
            "outputs:\n  a: {file: \"a_{}.h5\"}\nexecution: {backend: cpu, batch: 2, map_groups: 2}\n")
POINTS = ("inputs:\n  alm: {alm: alm.h5}\n  p: {points: p.h5}\nsteps:\n"
          "  - synthesis_at: {alm: alm, points: p, out: v}\noutputs:\n  v: {file: v.h5}\nexecution: {backend: cpu}\n")
TRANSFORM = ("inputs:\n  sky: {map: sky.h5}\nsteps:\n  - analysis: {map: sky, lmax: 14, %s out: a}\n"
             "outputs:\n  a: {file: a.h5}\nexecution: {backend: cpu}\n")
CONVOLVE = ("inputs:\n  sky: {map: sky.h5, fields: [T]}\nsteps:\n  - convolve: {map: sky, kernel: {gaussian: {fwhm_arcmin:"
            " 1800}}, method: rings, out: b}\noutputs:\n  b: {file: b.h5}\nexecution: {backend: cpu}\n")
SYNTHESIS = ("steps:\n  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, lmax: 40, fields: [T, E, B], seed: 3, out: a}\n"
             "  - synthesis: {alm: a, grid: {gauss: {nlat: 48}}, out: m}\noutputs:\n  m: {file: m.h5}\n"
             "execution: {backend: cpu}\n")
# One job with the kinds of steps of the jobs below.
EVERYTHING = """inputs:
  sky:    {map: sky.h5}
  alm:    {alm: alm.h5}
  points: {points: p.h5}
steps:
  - random_alm:   {spectrum: dl.dat, spectrum_kind: dl, lmax: 40, fields: [T, E, B], seed: 3, out: drawn}
  - synthesis:    {alm: drawn, grid: {gauss: {nlat: 48}}, out: synthesis}
  - analysis:     {map: sky, lmax: 14, out: quadrature}
  - analysis:     {map: sky, lmax: 14, method: {jacobi: {iterations: 2}}, out: iterated}
  - analysis:     {map: sky, lmax: 14, method: {jacobi: {iterations: 2, scheme: pixel}}, out: by_pixels}
  - analysis:     {map: sky, lmax: 14, method: {cg: {max_iterations: 3, allow_unconverged: true}}, out: fit}
  - select:       {map: sky, fields: [T], out: t}
  - convolve:     {map: t, kernel: {gaussian: {fwhm_arcmin: 1800}}, method: rings, out: convolve}
  - synthesis_at: {alm: alm, points: points, out: at_points}
outputs:
""" + "".join(f"  {name}: {{file: {name}.h5}}\n" for name in ("synthesis", "quadrature", "iterated", "by_pixels", "fit",
                                                              "convolve", "at_points")) + "execution: {backend: cpu}\n"
JOBS = {
    "everything": EVERYTHING,
    "synthesis": SYNTHESIS,
    "quadrature": TRANSFORM % "",
    "iterated": TRANSFORM % "method: {jacobi: {iterations: 2}},",
    "by_pixels": TRANSFORM % "method: {jacobi: {iterations: 2, scheme: pixel}},",
    "fit": TRANSFORM % "method: {cg: {max_iterations: 3, allow_unconverged: true}},",
    "convolve": CONVOLVE,
    "points": POINTS,
    "campaign": CAMPAIGN,
    "normal_matrix": TRANSFORM % "method: {jacobi: {iterations: 2, scheme: normal_matrix}},",
    "immediate": TRANSFORM % "method: {immediate: {iterations: 1}},",
}
WHOLE_MAPS = ("normal_matrix", "immediate")  # exchanged instead of Delta


@pytest.fixture
def prepared(place):
    for number in range(6):
        place.map(f"sky_{number}.h5", 8, 1)
    random = np.random.default_rng(1)
    with h5py.File(place.folder / "p.h5", "w") as file:
        file["theta"] = np.arccos(random.uniform(-1, 1, 500))
        file["phi"] = random.uniform(0, 6, 500)
    with h5py.File(place.folder / "alm.h5", "w") as file:
        size = 21 * 22 // 2
        data = file.create_dataset("alm", data=random.normal(size=(1, size)) + 0j)
        data.attrs["LMAX"] = data.attrs["MMAX"] = 20
        data.attrs["FIELDS"] = ["T"]
    return place


def plan(place, *arguments, **more):
    result = place.armilla("plan", "job.yaml", *arguments, "--json", variables={"ARMILLA_CACHE_DIR": "cache"}, **more)
    assert result.code == 0, result.error
    return json.loads(result.out)


@pytest.mark.parametrize("name, ranks", [("everything", 3), ("campaign", 3), ("normal_matrix", 2),
                                         *sweep(*[(name, ranks) for name in sorted(JOBS) for ranks in (1, 2, 5)])])
def test_bytes_are_those_that_a_run_exchanges(prepared, name, ranks):
    prepared.job(JOBS[name])
    announced = plan(prepared, "--ranks", ranks)
    assert sorted(path.name for path in prepared.folder.iterdir() if path.name.startswith(".armilla")) == []
    result = prepared.armilla("run", "job.yaml", "--quiet", "--report", "r.json", ranks=ranks)
    assert result.code == 0, result.error
    report = prepared.report("r.json")
    # The total of a report is the mean times the ranks, which is rounded.
    assert announced["exchange_bytes"]["total"] == round(report["exchange_bytes"]["total"])
    assert announced["ranks"] == report["ranks"] == ranks
    assert (announced["exchange_bytes"]["total"] > 0) == (ranks > 1 and name not in ("convolve", "campaign", *WHOLE_MAPS)
                                                         or ranks > 2 and name == "campaign")
    if name in WHOLE_MAPS:
        assert (announced["exchange_bytes"]["other"] > 0) == (ranks > 1)


@pytest.mark.parametrize("ranks", [0, *sweep(5)])
def test_a_dry_run_predicts_time_and_exchange(prepared, ranks):
    prepared.job(JOBS["iterated"])
    dry = prepared.armilla("run", "job.yaml", "--dry-run", ranks=ranks)
    assert "predicted time: " in dry.out and "exchange between ranks: " in dry.out


def test_a_plan_calls_no_mpi_function(prepared):
    """Nothing of MPI is started: no library of its components is loaded, and it runs where MPI_Init cannot."""
    prepared.job(SYNTHESIS)
    broken = {"OMPI_MCA_pml": "nothing_of_that_name", "OMPI_MCA_btl": "nothing_of_that_name"}
    failing = prepared.armilla("run", "job.yaml", "--dry-run", variables=broken)
    assert failing.code != 0
    result = prepared.armilla("plan", "job.yaml", "--ranks", "64", variables=broken)
    assert result.code == 0, result.error
    assert "plan of job.yaml: 64 ranks" in result.out


@pytest.mark.parametrize("name, output, what", [("quadrature", "./sky.h5", "is also read by inputs.sky"),
                                                *sweep(("campaign", "sky_{}.h5", "is also read by inputs.sky"))])
def test_outputs_over_inputs_are_refused_as_by_run(prepared, name, output, what):
    prepared.job(JOBS[name])
    change = ("--set", f"outputs.a.file={output}")
    results = [prepared.armilla("plan", "job.yaml", "--ranks", "2", *change),
               prepared.armilla("run", "job.yaml", *change)]
    assert [result.code for result in results] == [2, 2]
    assert what in results[0].errors()[0] and results[0].errors() == results[1].errors()


def test_a_page_has_all_sections(prepared):
    prepared.job(JOBS["iterated"])
    result = prepared.armilla("plan", "job.yaml", "--ranks", "4", "--ranks-per-node", "2", "--threads", "3",
                              "--memory-per-node", "64G", variables={"ARMILLA_CACHE_DIR": "cache"})
    assert result.code == 0, result.error
    for part in ("plan of job.yaml: 4 ranks, 3 threads each", "predicted peak memory per rank: ", "of 64.0 GiB",
                 "exchange between ranks: ", "from one rank to another", "operations: ", "balance of steps[0].analysis: ",
                 "predicted time: ", "4 ranks of 3 threads, 2 per node", " legendre\n", " exchange\n", " rings\n",
                 "warning: predicted times are not calibrated"):
        assert part in result.out, part
    assert "dry run" not in result.out


def test_what_does_not_fit_is_said_with_what_would(prepared):
    prepared.job("steps:\n  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, lmax: 60, fields: [T, E, B], seed: 1, out: a}\n"
                 "  - synthesis: {alm: a, grid: {gauss: {nlat: 128, nphi: 262144}}, out: m}\noutputs:\n  m: {file: m.h5}\n"
                 "execution: {backend: cpu}\n")
    found = plan(prepared, "--ranks", "4", "--ranks-per-node", "4", "--memory-per-node", "500M")
    assert any(re.match("the job does not fit: a node needs .* for 4 ranks, but has ", text) for text in found["warnings"])
    (text,) = [text for text in found["advice"] if "have enough memory" in text]
    nodes = int(text.split()[0])
    assert nodes > 1
    enough = plan(prepared, "--ranks", 4 * nodes, "--ranks-per-node", "4", "--memory-per-node", "500M")
    assert not any(text.startswith("the job does not fit") for text in enough["warnings"])
    assert enough["memory"]["node"] <= 500 << 20 < found["memory"]["node"]


def test_surplus_ranks_are_warned_of(prepared):
    prepared.job(JOBS["quadrature"])
    assert any("that share a map are idle" in text for text in plan(prepared, "--ranks", "100")["warnings"])
    assert not any("that share a map are idle" in text for text in plan(prepared, "--ranks", "4")["warnings"])


def test_more_ranks_take_less_memory_each_and_exchange_more(prepared):
    prepared.job(SYNTHESIS.replace("lmax: 40", "lmax: 60").replace("nlat: 48", "nlat: 2048"))
    few, many = plan(prepared, "--ranks", "2"), plan(prepared, "--ranks", "16")
    assert many["memory"]["host"] < few["memory"]["host"]
    assert many["exchange_bytes"]["total"] > few["exchange_bytes"]["total"]
    assert many["exchange_bytes"]["largest_pair"] < few["exchange_bytes"]["largest_pair"]
    assert many["legendre_fma"] == few["legendre_fma"]


def test_a_campaign_says_its_groups_and_batches(prepared):
    prepared.job(CAMPAIGN)
    found = plan(prepared, "--ranks", "4")
    times = found["campaign"].pop("batch_seconds")
    assert found["campaign"] == {"maps": 6, "batch": 2, "groups": 2, "batches_of_a_group": 2}
    assert times.pop("core") == 0  # cores are free
    assert set(times) == {"work", "read", "write"} and all(time > 0 for time in times.values())
    prepared.job(CAMPAIGN.replace(", batch: 2, map_groups: 2", ""))
    assert plan(prepared, "--ranks", "4")["campaign"]["groups"] == 4


def test_maps_are_counted_not_places_in_batches(prepared):
    """Six maps in batches of four, two groups: eight places in the last round."""
    prepared.job(CAMPAIGN.replace("batch: 2", "batch: 4"))
    found = plan(prepared, "--ranks", "4")
    prepared.job(CAMPAIGN.replace("batch: 2, map_groups: 2", "batch: 6, map_groups: 1"))
    assert found["legendre_fma"] == pytest.approx(plan(prepared, "--ranks", "4")["legendre_fma"], rel=0.2)  # recurrences


def test_the_source_of_rates_names_those_that_are_given(prepared):
    prepared.job(SYNTHESIS)
    result = prepared.armilla("plan", "job.yaml", "--ranks", "2", "--fma-rate", "40G", "--file-rate", "20G",
                              variables={"ARMILLA_CACHE_DIR": "cache"})
    assert "(given: 40 GFMA/s of peak per core and 20 GB/s of the file system; for the rest, built-in rates" in result.out


def test_half_the_ranks_for_the_same_time_are_said_without_two_equal_times(prepared):
    prepared.job(SYNTHESIS)
    advice = plan(prepared, "--ranks", "64", "--ranks-per-node", "32", "--file-rate", "1k")["advice"]
    assert not any(re.search(r"takes (\S+) s instead of \1 s", text) for text in advice)


def test_gpus_need_not_be_there(prepared):
    prepared.job(SYNTHESIS.replace("\nexecution: {backend: cpu}", ""))
    found = plan(prepared, "--ranks", "2", "--gpus-per-node", "2", "--memory-per-gpu", "16G")
    assert found["backend"] == "cuda" and found["memory"]["device"] > 0
    assert plan(prepared, "--ranks", "2")["backend"] == "cpu"
    refused = prepared.armilla("plan", "job.yaml", "--ranks", "2", "--gpus-per-node", "2", "--memory-per-gpu", "1K")
    assert refused.code == 3
    assert "of GPU memory per rank" in refused.error


@pytest.mark.parametrize("arguments, parts", [
    ([], ["--ranks is required"]),
    (["--ranks", "0"], ["--ranks", "'0' is not a whole number from 1 to 16777216"]),
    (["--ranks", "0x10"], ["--ranks", "'0x10' is not a whole number"]),
    (["--ranks", "2", "--rates", ""], ["--rates", "the value is empty"]),
    (["--ranks", "2", "--memory-per-node", "lots"], ["--memory-per-node", "'lots' is not a valid memory size"]),
    (["--ranks", "2", "--rates", "nowhere.json"], ["nowhere.json", "cannot be read"]),
    (["--ranks", "2", "--rates", "job.yaml"], ["job.yaml is damaged"]),
    (["--ranks", "2", "--set", "steps.0.analysis.lmax=1000"], ["steps[0].analysis.lmax = 1000"]),
    (["--ranks", "2", "--json", "--sbatch"], ["--json"]),
    (["--ranks", "2", "--file-rate", "10GB"], ["--file-rate", "'10GB' is not a rate", "20G"]),
    (["--ranks", "2", "--fma-rate", "0"], ["--fma-rate", "'0' is not a rate"]),
    (["--ranks", "2", "--sbatch", "--time-limit", "soon"], ["--time-limit", "'soon' is not a valid time"]),
    (["--ranks", "2", "--time-limit", "3h"], ["--time-limit requires --sbatch"]),
])
def test_mistakes_are_bad_input(prepared, arguments, parts):
    prepared.job(JOBS["quadrature"])
    result = prepared.armilla("plan", "job.yaml", *arguments)
    assert result.code == 2, result.error
    for part in parts:
        assert part in result.error


class TestCalibration:
    def test_rates_of_a_file_are_used(self, prepared):
        """Those of bench --calibrate, shortened."""
        prepared.job(JOBS["quadrature"])
        rates = {"scalar_adjoint": [{"batch": False, "rate": 1e9, "size": 256.0}]}
        one = {"ranks": 2, "ranks_per_node": 2, "threads": 1, "cores": 2, "latency": 1e-6, "bandwidth": 1e9, "peer_bytes": 0,
               "process_bytes": 30000000, "rates": rates}
        (prepared.folder / "rates.json").write_text(json.dumps({"machine": "one", "instruction_set": "one", "sets": [one]}))
        self.check(plan(prepared, "--ranks", "2", "--rates", "rates.json"))

    def check(self, found):
        assert found["rates"]["calibrated"] is True and found["rates"]["source"] == "rates.json"
        (legendre,) = [used for used in found["rates"]["used"] if used["kernel"] == "scalar_adjoint"]
        assert legendre["source"].startswith("measured on ") and legendre["source"].endswith("with 2 ranks of 1 thread")
        assert not any("not calibrated" in text for text in found["warnings"])
        assert found["seconds"] == pytest.approx(sum(found["phases"].values()), rel=1e-12)  # another order of the sum

    @pytest.mark.sweep
    def test_rates_are_kept_and_used(self, prepared):
        prepared.job(JOBS["quadrature"])
        for ranks in (0, 2):
            result = prepared.armilla("bench", "--calibrate", "--rates", "rates.json", ranks=ranks, timeout=600)
            assert result.code == 0, result.error
        assert "rates written to rates.json" in result.out
        sets = json.loads((prepared.folder / "rates.json").read_text())["sets"]
        assert [(one["ranks"], one["threads"]) for one in sets] == [(1, 1), (2, 1)]
        assert sets[0]["bandwidth"] == 0 < sets[1]["bandwidth"] and sets[1]["latency"] > 0
        for one in sets:
            assert {"scalar_synthesis", "spin_adjoint", "mixed_rings", "resampling", "interpolation", "radial", "memory",
                    "read_hdf5", "write_fits"} <= set(one["rates"])
            assert all(sample["rate"] > 0 for samples in one["rates"].values() for sample in samples)
        self.check(plan(prepared, "--ranks", "2", "--rates", "rates.json"))
        assert not list(prepared.folder.glob("armilla-calibration-*"))

    def test_a_folder_that_cannot_be_written_is_refused(self, prepared):
        result = prepared.armilla("bench", "--calibrate", "--rates", "rates.json", "--folder", "nowhere")
        assert result.code == 2
        assert "nowhere" in result.error
        assert not (prepared.folder / "rates.json").exists()


class TestScaling:
    CASE = ("--grid", "gauss:48", "--lmax", "47", "--rounds", "2", "--backend", "cpu")

    def point(self, place, study, ranks, *more):
        result = place.armilla("bench", "--scaling", study, *self.CASE, "--report", "s.json", *more, ranks=ranks,
                               variables={"ARMILLA_CACHE_DIR": "cache"})
        assert result.code == 0, result.error
        (point,) = place.report("s.json")
        return point

    def test_a_point_says_where_and_how_it_ran(self, prepared):
        point = self.point(prepared, "strong", 3)
        assert point["study"] == "strong" and point["measured"] is True
        assert (point["ranks"], point["nodes"], point["threads"], len(point["hosts"])) == (3, 1, 1, 1)
        assert point["lmax"] == 47
        assert point["exchange_bytes"] == point["exchange"]["total_bytes"] > 0
        for phase in ("legendre", "exchange", "rings"):
            times = point["ranks_phases"][phase]
            assert 0 < times["min"] <= times["median"] <= times["max"]
        assert point["predicted"]["seconds"] > 0 and point["predicted"]["calibrated"] is False
        assert point["imbalance"]["legendre"] >= 1 and point["imbalance"]["rings"] >= 1

    def test_a_weak_study_grows_with_the_cube_root_of_the_ranks(self, prepared):
        result = prepared.armilla("bench", "--scaling", "weak", *self.CASE, "--predict", "7",
                                  variables={"ARMILLA_CACHE_DIR": "cache"})
        assert result.code == 0, result.error
        (point,) = json.loads(result.out)  # cube root 1.913
        assert (point["grid"], point["lmax"]) == ("gauss:92", 91)

    @pytest.mark.sweep
    def test_a_weak_study_is_measured_so(self, prepared):
        point = self.point(prepared, "weak", 7)
        assert (point["grid"], point["lmax"]) == ("gauss:92", 91)

    def test_points_are_computed_for_any_ranks_without_mpi(self, prepared):
        broken = {"OMPI_MCA_pml": "nothing_of_that_name", "ARMILLA_CACHE_DIR": "cache"}
        result = prepared.armilla("bench", "--scaling", "strong", *self.CASE, "--predict", "1,3,4096", "--ranks-per-node",
                                  "2", variables=broken)
        assert result.code == 0, result.error
        points = json.loads(result.out)
        assert [(one["ranks"], one["nodes"], one["measured"]) for one in points] == [
            (1, 1, False), (3, 2, False), (4096, 2048, False)]
        measured = self.point(prepared, "strong", 3)
        for key in ("imbalance", "exchange", "legendre_fma"):
            assert points[1][key] == measured[key]

    @pytest.mark.parametrize("arguments, part", [
        (["--scaling", "strong"], "--grid is missing"),
        *sweep((["--scaling", "sideways", "--grid", "gauss:8"], "--scaling"),
               (["--grid", "gauss:8", "--predict", "4"], "add --scaling strong"),
               (["--calibrate", "--grid", "gauss:8"], "remove --scaling and --grid"),
               (["--scaling", "strong", "--grid", "gauss:8", "--json", "b.json"], "use --report")),
    ])
    def test_mistakes_are_bad_input(self, prepared, arguments, part):
        result = prepared.armilla("bench", *arguments)
        assert result.code == 2, result.error
        assert part in result.error
