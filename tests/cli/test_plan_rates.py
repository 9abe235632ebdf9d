"""armilla plan for machines that are not here: rates and their sources, and advice that follows from them."""
import json

import pytest

CAMPAIGN = ("inputs:\n  sky: {map: \"sky_{0..5}.h5\"}\nsteps:\n  - analysis: {map: sky, lmax: 12, out: a}\n"
            "outputs:\n  a: {file: \"a_{}.%s\"}\nexecution: {backend: cpu, batch: %d, map_groups: %d}\n")
SUFFICIENT = " sufficient"


@pytest.fixture
def campaign(place):
    for number in range(6):
        place.map(f"sky_{number}.h5", 8, 1)

    def job(ending="h5", batch=3, groups=1):
        place.job(CAMPAIGN % (ending, batch, groups))
        return place
    return job


def plan(place, *arguments, form="--json"):
    result = place.armilla("plan", "job.yaml", *arguments, *([form] if form else []), variables={"ARMILLA_CACHE_DIR": "cache"})
    assert result.code == 0, result.error
    return json.loads(result.out) if form == "--json" else result.out


def used(found, kernel):
    (one,) = [one for one in found["rates"]["used"] if one["kernel"] == kernel]
    return one


def advice(found, part):
    return [text for text in found["advice"] if part in text]


def calibrated(place):
    """A rates file as bench --calibrate writes it, of two ranks on one node."""
    rates = {"scalar_adjoint": [{"batch": False, "rate": 1e9, "size": 256.0}]}
    one = {"ranks": 2, "ranks_per_node": 2, "threads": 1, "cores": 2, "latency": 1e-6, "bandwidth": 7e9, "peer_bytes": 0,
           "process_bytes": 30000000, "rates": rates}
    (place.folder / "rates.json").write_text(json.dumps({"machine": "one", "instruction_set": "one", "sets": [one]}))


def test_every_rate_has_a_source(campaign):
    found = plan(campaign(), "--ranks", "4", "--ranks-per-node", "2", "--file-rate", "3M", "--fma-rate", "40G")
    rates = found["rates"]
    assert {one["kernel"] for one in rates["used"]} == {"scalar_adjoint", "mixed_rings_adjoint", "tables", "memory", "files",
                                                        "read_hdf5", "write_hdf5"}
    assert used(found, "scalar_adjoint")["source"] == "given: 40 GFMA/s of peak per core"
    assert used(found, "scalar_adjoint")["unit"].startswith("FMA")
    assert used(found, "memory")["source"] == "built in: cores with AVX2 at 2.5 GHz"
    assert used(found, "read_hdf5") == {"kernel": "read_hdf5", "unit": "bytes", "rate": 3e6, "source": "file system, given"}
    assert rates["file_system"] == {"rate": 3e6, "source": "given"}
    assert rates["node_network"]["source"] == rates["exchange"]["source"] == "assumed"
    assert rates["exchange"]["latency"] > 0
    assert rates["exchange"]["bandwidth"] == rates["node_network"]["rate"] / 2
    times = found["campaign"]["batch_seconds"]
    assert times["read"] == pytest.approx(sum((campaign().folder / f"sky_{i}.h5").stat().st_size for i in range(3)) / 3e6,
                                          rel=0.2)


def test_every_rate_is_printed_with_its_source(campaign):
    text = plan(campaign(), "--ranks", "4", "--ranks-per-node", "2", "--threads", "2", "--fma-rate", "40G", form=None)
    found = plan(campaign(), "--ranks", "4", "--ranks-per-node", "2", "--threads", "2", "--fma-rate", "40G")
    for one in found["rates"]["used"]:
        line = f"{one['rate']:14.3g}  {one['unit']} ("
        (row,) = [row for row in text.splitlines() if row.startswith(line) and f", {one['kernel']})" in row]
        headings = [row for row in text[:text.index(row)].splitlines() if row.startswith("rates per second of ")]
        assert one["source"] in headings[-1]
    for heading in ("a rank of 2 threads (given: 40 GFMA/s of peak per core)", "a rank in exchanges (assumed)",
                    "the file system for all ranks together (assumed)", "the network of a node (assumed)"):
        assert f"rates per second of {heading}:\n" in text
    assert "time of a batch in a group of ranks: " in text


def test_given_rates_change_the_forecast(campaign):
    place = campaign()
    slow, fast = (plan(place, "--ranks", "4", "--fma-rate", rate) for rate in ("1k", "2k"))
    assert slow["phases"]["legendre"] == pytest.approx(2 * fast["phases"]["legendre"], rel=1e-9)
    assert slow["phases"]["rings"] == fast["phases"]["rings"]
    slow, fast = (plan(place, "--ranks", "4", "--file-rate", rate) for rate in ("1k", "2k"))
    assert slow["phases"]["read"] == pytest.approx(2 * fast["phases"]["read"], rel=1e-9)
    assert slow["phases"]["legendre"] == fast["phases"]["legendre"]


def test_groups_share_the_file_system(campaign):
    one, three = (plan(campaign(groups=groups, batch=1), "--ranks", "6", "--file-rate", "30k") for groups in (1, 3))
    assert used(one, "read_hdf5")["rate"] == 3e4
    assert used(three, "read_hdf5")["rate"] == 1e4


def test_where_files_dominate_the_advice_is_on_files(campaign):
    found = plan(campaign(), "--ranks", "8", "--ranks-per-node", "2", "--file-rate", "1k")
    (text,) = advice(found, "files take 100% of the time")
    assert "single precision" in text and "lfs setstripe" in text
    assert "FITS" not in text and "text" not in text and "assumed" not in text
    assert not advice(found, SUFFICIENT)
    (text,) = advice(plan(campaign("fits"), "--ranks", "8", "--ranks-per-node", "2", "--file-rate", "1k"), "files take ")
    assert "write HDF5 instead of FITS" in text
    # Nothing of that where files take no time; half the ranks of a tiny transform are enough.
    found = plan(campaign(), "--ranks", "8", "--ranks-per-node", "2", "--fma-rate", "10", "--file-rate", "1G")
    assert not advice(found, "files take ")


def test_an_assumed_file_system_is_named_in_the_advice(campaign):
    found = plan(campaign(), "--ranks", "4")
    (text,) = advice(found, "files take ")
    assert "assumed to transfer 10 GB/s for all ranks together: set --file-rate" in text


def test_smaller_batches_are_advised_where_they_are_faster(campaign):
    rates = ("--ranks", "4", "--fma-rate", "100", "--file-rate", "600")
    found = plan(campaign(batch=6), *rates)
    (text,) = advice(found, "set execution.batch: 1")
    assert text.startswith("with batches of 1 map instead of 6, ")
    seconds = float(text.split("the run takes ")[1].split()[0])
    assert plan(campaign(batch=1), *rates)["seconds"] == pytest.approx(seconds, rel=0.006)  # printed to 3 digits
    assert not advice(plan(campaign(batch=1), *rates), "set execution.batch")
    assert not advice(plan(campaign(batch=6), "--ranks", "4", "--fma-rate", "100"), "set execution.batch")


def test_files_take_a_core_only_while_a_process_works_on_them(campaign):
    """Not while it waits for the file system. Nodes are assumed to have 64 cores."""
    slow, fast = (plan(campaign(), "--ranks", "4", "--threads", "16", "--file-rate", rate) for rate in ("1k", "1T"))
    core = fast["campaign"]["batch_seconds"]["core"]
    assert 0 < core == slow["campaign"]["batch_seconds"]["core"]
    assert slow["campaign"]["batch_seconds"]["read"] > 1e3 * core
    text = plan(campaign(), "--ranks", "4", "--threads", "16", form=None)
    assert "files take a core from the work for " in text and \
        "because the ranks use the 64 cores of a node (assumed; set --cores-per-node if it has more)\n" in text
    assert plan(campaign(), "--ranks", "4", "--threads", "15")["campaign"]["batch_seconds"]["core"] == 0
    given = ("--ranks", "4", "--ranks-per-node", "2", "--threads", "16")
    assert plan(campaign(), *given)["campaign"]["batch_seconds"]["core"] > 0
    assert plan(campaign(), *given, "--cores-per-node", "34")["campaign"]["batch_seconds"]["core"] == 0


def test_more_threads_than_cores_are_warned_of(campaign):
    found = plan(campaign(), "--ranks", "8", "--threads", "33")
    (text,) = [text for text in found["warnings"] if "--ranks-per-node" in text]
    assert text.startswith("8 ranks of 33 threads on one node need 264 cores, but a node has 64 (assumed)")
    assert not advice(found, "on the same cores") and not advice(found, SUFFICIENT)
    for fitting in (("--threads", "8"), ("--threads", "33", "--ranks-per-node", "4"),
                    ("--threads", "33", "--cores-per-node", "264")):
        assert not any("--ranks-per-node" in text for text in plan(campaign(), "--ranks", "8", *fitting)["warnings"])


def test_a_forecast_far_from_the_calibration_says_so(campaign):
    place = campaign()
    calibrated(place)
    far = plan(place, "--ranks", "32", "--ranks-per-node", "4", "--threads", "32", "--rates", "rates.json")
    (text,) = [text for text in far["warnings"] if "extrapolated" in text]
    assert text.startswith("the rates were measured with 2 threads on 1 node and are extrapolated to 1024 threads on 8 nodes")
    # The exchange of two ranks on one node is not that of a network.
    assert far["rates"]["exchange"]["source"] == "assumed"
    near = plan(place, "--ranks", "2", "--rates", "rates.json")
    assert not any("extrapolated" in text for text in near["warnings"])
    assert near["rates"]["exchange"] == {"latency": 1e-6, "bandwidth": 7e9, "source": "measured on one with 2 ranks of 1 thread"}
