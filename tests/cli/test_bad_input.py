"""Each bad input has a message that says what is wrong, where, and what to do, and the exit code 2 or 3; once, and without a
hang (every run has a time limit). The first tier runs on one rank, and once on three; the second tier adds three ranks
everywhere, and cases whose check has a case of the first tier here, in tests/io or in tests/job."""
import os
import subprocess

import h5py
import numpy as np
import pytest

from tiers import RANKS, SWEEP, sweep

ANALYSIS = """inputs:
  sky: {map: sky.h5}
steps:
  - analysis: {map: sky, lmax: 16, out: a}
outputs:
  a: {file: a.h5}
"""
SYNTHESIS = """inputs:
  a: {alm: alm.h5}
steps:
  - synthesis: {alm: a, grid: {healpix: {nside: 8}}, out: m}
outputs:
  m: {file: m.h5}
"""


def write_alm(place, name="alm.h5", lmax=8, mmax=8, size=None, **attributes):
    size = size or (mmax + 1) * (2 * lmax + 2 - mmax) // 2
    with h5py.File(place.folder / name, "w") as file:
        data = file.create_dataset("alm", data=np.ones((1, size), dtype=complex))
        data.attrs.update({"LMAX": lmax, "MMAX": mmax, "FIELDS": ["T"], **attributes})


def refused(place, ranks, *parts, code=2, arguments=(), prefix=()):
    """The job ends with that code and one message that holds all parts, and leaves no file behind."""
    place.remember()
    result = place.armilla("run", "job.yaml", *arguments, ranks=ranks, prefix=prefix)
    assert result.code == code, result.error
    assert len(result.errors()) == 1, result.error
    for part in parts:
        assert part in result.errors()[0]
    assert place.leftovers() == []


def test_three_ranks_report_an_error_once(place):
    """Of the job, of the header of a file, and of its values, which each rank reads for itself."""
    place.job(ANALYSIS.replace("lmax", "lmx"))
    refused(place, 3, "job.yaml:5: steps[0].analysis: unknown key 'lmx': did you mean 'lmax'?")
    place.map("sky.h5", 8, 1, NSIDE=16)
    place.job(ANALYSIS)
    refused(place, 3, "sky.h5", "768", "16")
    place.map("sky.h5", 8, 1, lambda values: values.__setitem__((0, 700), np.nan))
    refused(place, 3, "inputs.sky", "has 1 NaN or infinite and 0 bad or missing pixels", "bad_data: zero")


@pytest.mark.parametrize("ranks", RANKS)
class TestBadInput:
    def test_good_input_is_taken(self, place, ranks):
        place.job(ANALYSIS)
        result = place.armilla("run", "job.yaml", ranks=ranks)
        assert result.code == 0, result.error
        assert (place.folder / "a.h5").exists()

    def test_a_gpu_that_is_not_there(self, place, ranks):
        said = place.armilla("--version").out
        if "visible: " in said:
            pytest.skip("there is a GPU")
        place.job(ANALYSIS + "execution: {backend: cuda}\n")
        reason = "built without CUDA" if "built without CUDA" in said else "no GPU is visible"
        refused(place, ranks, "backend = cuda", reason, "set backend to cpu or auto", code=3)

    @SWEEP
    def test_missing_job(self, place, ranks):
        refused(place, ranks, "job.yaml' cannot be opened for reading (No such file")

    def test_missing_file(self, place, ranks):
        place.job(ANALYSIS.replace("sky.h5", "sly.h5"))
        refused(place, ranks, "job.yaml:3: inputs.sky", "sly.h5")

    def test_truncated_hdf5(self, place, ranks):
        path = place.folder / "sky.h5"
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        place.job(ANALYSIS)
        refused(place, ranks, "sky.h5")

    @SWEEP
    def test_truncated_fits(self, place, ranks):
        assert place.armilla("convert", "sky.h5", "sky.fits").code == 0
        path = place.folder / "sky.fits"
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        place.job(ANALYSIS.replace("sky.h5", "sky.fits"))
        refused(place, ranks, "sky.fits")

    @SWEEP
    def test_nside_of_a_file_is_not_a_power_of_two(self, place, ranks):
        place.map("sky.h5", 6, 1, ORDERING="NESTED")
        place.job(ANALYSIS)
        refused(place, ranks, "sky.h5", "6", "power of two")

    @SWEEP
    def test_nside_of_a_job_is_out_of_range(self, place, ranks):
        write_alm(place)
        place.job(SYNTHESIS.replace("nside: 8", "nside: 600000000"))
        refused(place, ranks, "job.yaml:5: steps[0].synthesis.grid.healpix", "nside = 600000000 is out of range")

    @SWEEP
    def test_nside_and_pixels_do_not_fit(self, place, ranks):
        place.map("sky.h5", 8, 1, NSIDE=16)
        place.job(ANALYSIS)
        refused(place, ranks, "sky.h5", "768", "16")

    @SWEEP
    def test_lmax_beyond_the_grid(self, place, ranks):
        place.job(ANALYSIS.replace("lmax: 16", "lmax: 24"))
        refused(place, ranks,
                "steps[0].analysis.lmax = 24 exceeds 3 nside - 1 = 23 of map 'sky' (aliased): lower lmax, or set "
                "allow_aliasing: true")

    @SWEEP
    def test_mmax_above_lmax(self, place, ranks):
        place.job(ANALYSIS.replace("lmax: 16", "lmax: 16, mmax: 17"))
        refused(place, ranks, "job.yaml:5: steps[0].analysis.mmax = 17 exceeds lmax = 16")

    @SWEEP
    def test_alm_and_lmax_of_a_file_do_not_fit(self, place, ranks):
        write_alm(place, size=44)
        place.job(SYNTHESIS)
        refused(place, ranks, "alm.h5", "44", "45")

    def test_lmax_asked_for_is_not_in_the_file(self, place, ranks):
        write_alm(place)
        place.job(SYNTHESIS.replace("alm.h5", "alm.h5, lmax: 9"))
        refused(place, ranks, "inputs.a.lmax = 9 exceeds lmax = 8 of", "alm.h5")

    def test_unknown_key(self, place, ranks):
        place.job(ANALYSIS.replace("lmax", "lmx"))
        refused(place, ranks, "job.yaml:5: steps[0].analysis: unknown key 'lmx': did you mean 'lmax'? Known: map, only, lmax")

    def test_unknown_key_in_an_override(self, place, ranks):
        place.job(ANALYSIS)
        refused(place, ranks, "--set steps.0.analysis.iter=3: steps[0].analysis: unknown key 'iter'",
                arguments=("--set", "steps.0.analysis.iter=3"))

    @SWEEP
    def test_wrong_type(self, place, ranks):
        place.job(ANALYSIS.replace("16", "sixteen"))
        refused(place, ranks, "job.yaml:5: steps[0].analysis.lmax = sixteen is not an integer")

    @pytest.mark.parametrize("method, parts", [
        ("{ring_wights: {}}", ["analysis.method: unknown key 'ring_wights': did you mean 'ring_weights'?"]),
        ("{jacobi: {iterations: 1, weights: {pixel: {degree: 40}}}}", ["degree = 40 is out of range"]),
        ("{ring_weights: {degree: 29}}", ["analysis.method: degree = 29 is out of range: ring weights of nside 8 can be "
                                          "exact up to degree 28"]),
        ("{jacobi: {iterations: 1}, ring_weights: {}}", ["analysis.method", "has 2 of"]),
        *sweep(
            ("ring_wights", ["analysis.method = ring_wights is not valid: expected one of quadrature, ring_weights"]),
            ("{pixel_weights: {degree: 25}}", ["analysis.method: degree = 25 is out of range: pixel weights of nside 8 can "
                                               "be exact up to degree 24"]),
            ("{pixel_weights: {degree: many}}", ["pixel_weights.degree = many is not an integer"]),
            ("{ring_weights: {degree: -1}}", ["ring_weights.degree = -1"]),
            ("{ring_weights: {iterations: 1}}", ["unknown key 'iterations'"]),
            ("{jacobi: {weights: ring}}", ["analysis.method.jacobi lacks the key 'iterations'"]),
            ("{jacobi: {iterations: 1, weights: rings}}", ["jacobi.weights = rings is not valid: expected one of grid, ring"])),
    ])
    def test_methods_that_are_none(self, place, ranks, method, parts):
        place.job(ANALYSIS.replace("lmax: 16", f"lmax: 16, method: {method}"))
        refused(place, ranks, "job.yaml:5: steps[0].", *parts)

    @pytest.mark.parametrize("method,kinds", [
        ("ring_weights", "HEALPix or equiangular map"),
        *sweep(("pixel_weights", "HEALPix map"), ("{jacobi: {iterations: 1, weights: ring}}", "HEALPix or equiangular map")),
    ])
    def test_weights_of_a_grid_that_has_none(self, place, ranks, method, kinds):
        write_alm(place)
        place.job(SYNTHESIS.replace("healpix: {nside: 8}", "gauss: {nlat: 10}").replace(
            "outputs:", f"  - analysis: {{map: m, lmax: 8, method: {method}, out: b}}\noutputs:"))
        refused(place, ranks, "job.yaml:6: steps[1].analysis.method: ", f"weights require a full-sky {kinds}, but this "
                "one is on gauss 10 x 20: use the weights of the grid")

    def test_ring_weights_above_half_of_an_equiangular_grid(self, place, ranks):
        write_alm(place)
        place.job(SYNTHESIS.replace("healpix: {nside: 8}", "equiangular: {rule: cc, nlat: 33}").replace(
            "outputs:", "  - analysis: {map: m, lmax: 20, method: ring_weights, out: b}\noutputs:"))
        refused(place, ranks, "job.yaml:6: steps[1].analysis.method: ", "only up to lmax = 16, not 20: use quadrature")

    @SWEEP
    def test_not_yaml(self, place, ranks):
        place.job("steps: [\n")
        refused(place, ranks, "job.yaml:3: not YAML")

    @SWEEP
    @pytest.mark.parametrize("ending", ["h5", "fits"])
    def test_nan_and_bad_pixels(self, place, ranks, ending):
        def spoil(values):
            values[0, [3, 700]] = np.nan
            values[0, [1, 2, 400]] = -1.6375e30
        place.map("holes.h5", 8, 1, spoil)
        if ending == "fits":
            assert place.armilla("convert", "holes.h5", "holes.fits").code == 0
        place.job(ANALYSIS.replace("sky.h5", "holes." + ending))
        refused(place, ranks, "inputs.sky", "has 2 NaN or infinite and 3 bad or missing pixels", "bad_data: zero")
        result = place.armilla("run", "job.yaml", "--set", "inputs.sky.bad_data=zero", "--report", "r.json", ranks=ranks)
        assert result.code == 0, result.error
        zeroed = place.report("r.json")["zeroed_pixels"]
        assert [(z["input"], z["nan"], z["bad_data"]) for z in zeroed] == [("sky", 2, 3)]

    @SWEEP
    def test_unknown_polarisation_convention(self, place, ranks):
        place.map("sky.h5", 8, 3, POLCCONV="OTHER")
        place.job(ANALYSIS)
        refused(place, ranks, "sky.h5", "POLCCONV", "OTHER")

    def test_output_folder_is_missing(self, place, ranks):
        place.job(ANALYSIS.replace("a.h5", "nowhere/a.h5"))
        refused(place, ranks, "job.yaml:7: outputs.a: 'nowhere/a.h5' cannot be written", "the folder 'nowhere' does not exist: create it")

    @SWEEP
    def test_output_folder_is_not_writable(self, place, ranks):
        place.job(ANALYSIS.replace("a.h5", "/proc/a.h5"))
        refused(place, ranks, "outputs.a: '/proc/a.h5' cannot be written: the folder '/proc' is not writable")

    @SWEEP
    def test_output_would_overwrite_an_input(self, place, ranks):
        place.job(ANALYSIS.replace("a: {file: a.h5}", "a: {file: ./sky.h5}"))
        refused(place, ranks, "is also read by inputs.sky")

    def test_disk_fills_up_while_writing(self, place, ranks):
        """A limit on the length of files, for the ranks alone, simulates a full disk. It leaves MPI room for the files
        that several ranks share: 20 MiB, and a map of 25 MB."""
        nside, blocks = (512, 20480) if ranks else (128, 1024)
        place.map("sky.h5", nside, 1)
        for name in ("copy.h5", "copy.fits"):
            place.job(f"inputs:\n  sky: {{map: sky.h5}}\noutputs:\n  sky: {{file: {name}}}\n")
            refused(place, ranks, name, code=3, prefix=("bash", "-c", f'ulimit -f {blocks}; exec "$@"', "-"))

    def test_disk_is_full_before_the_run(self, place, ranks):
        disk = place.folder / "disk"
        disk.mkdir()
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk],
                                               capture_output=True).returncode != 0:
            pytest.skip("a small tmpfs cannot be mounted here")
        try:
            place.job(ANALYSIS.replace("a.h5", "disk/a.h5").replace("lmax: 16", "lmax: 300, allow_aliasing: true"))
            refused(place, ranks, "outputs.a: the file system of folder", "61440 bytes free (",
                    ", but all outputs on it need ", code=3)  # the lock has 4 KiB
            assert list(disk.iterdir()) == []
        finally:
            subprocess.run(["umount", disk], check=True)


def write_rings(place, name="rings.h5", drop=(), **columns):
    """A file of four rings; `columns` replace its datasets, `drop` leaves some out."""
    full = {"theta": [0.5, 1.0, 1.5, 2.0], "phi0": [0.0, 0.1, 0.2, 0.3], "nphi": [4, 8, 16, 8],
            "weight": [1.0, 2.0, 3.0, 4.0], **columns}
    with h5py.File(place.folder / name, "w") as file:
        group = file.create_group("grid")
        for key, values in full.items():
            if key not in drop:
                group[key] = values


ON_RINGS = SYNTHESIS.replace("{healpix: {nside: 8}}", "{rings: {file: rings.h5}}")
ROUND_TRIP = SYNTHESIS.replace("outputs", "  - analysis: {map: m, lmax: 3, out: b}\noutputs")
WHERE = "job.yaml:5: steps[0].synthesis.grid.rings: "


@pytest.mark.parametrize("ranks", RANKS)
class TestBadGrids:
    def test_good_rings_are_taken(self, place, ranks):
        write_alm(place)
        write_rings(place)
        place.job(ON_RINGS)
        result = place.armilla("run", "job.yaml", ranks=ranks)
        assert result.code == 0, result.error

    @pytest.mark.parametrize("columns, parts", [
        ({"theta": [0.5, 1.0, 1.0, 2.0]}, ["grid/theta[2] = 1 equals that of row 1: rings must not coincide"]),
        *sweep(
            ({"theta": [0.5, 1.5, 1.0, 2.0]},
             ["grid/theta[2] = 1 does not exceed grid/theta[1] = 1.5: sort the rings by theta"]),
            ({"theta": [-0.1, 1.0, 1.5, 2.0]}, ["grid/theta[0] = -0.1 is outside [0, pi]: use colatitudes in radians"]),
            ({"theta": [0.5, 1.0, 1.5, 20.0]}, ["grid/theta[3] = 20 is outside [0, pi]"]),
            ({"theta": [0.5, np.nan, 1.5, 2.0]}, ["grid/theta[1] = nan is outside [0, pi]"]),
            ({"nphi": [4, 8, 0, 8]}, ["grid/nphi[2] = 0 must be at least 1: remove rings without pixels"]),
            ({"nphi": [4, -8, 16, 8]}, ["grid/nphi[1] = -8 must be at least 1"]),
            ({"nphi": [4, 8.5, 16, 8]}, ["grid/nphi[1] = 8.5 is not an integer"]),
            ({"nphi": [4, 8, 1 << 40, 8]}, ["grid/nphi[2] = 1099511627776 exceeds the FFT limit"]),
            ({"phi0": [0.0, np.inf, 0.2, 0.3]}, ["grid/phi0[1] = inf is not a finite number"]),
            ({"phi0": [0.0, 0.2]},
             ["theta, phi0, nphi and weight have 4, 2, 4 and 4 rows: write one row per ring for each"]),
            ({"weight": [1.0, 2.0, 3.0]}, ["have 4, 4, 4 and 3 rows: write one row per ring for each, or omit weight"]),
            ({"weight": [1.0, 2.0, np.nan, 4.0]}, ["grid/weight[2] = nan is not a finite number: use steradians"]),
            ({"theta": [], "phi0": [], "nphi": [], "weight": []}, ["has no rings"]),
            ({"drop": ["nphi"]}, ["'nphi'"])),
    ])
    def test_rings_that_make_no_grid(self, place, ranks, columns, parts):
        write_alm(place)
        write_rings(place, **columns)
        place.job(ON_RINGS)
        refused(place, ranks, WHERE, "rings.h5", *parts)

    def test_rings_without_weights_take_no_analysis(self, place, ranks):
        write_alm(place)
        write_rings(place, drop=["weight"])
        place.job(ROUND_TRIP.replace("{healpix: {nside: 8}}", "{rings: {file: rings.h5}}"))
        refused(place, ranks, "job.yaml:6: steps[1].analysis.map = m is on rings of", "rings.h5",
                "has no quadrature weights: add the dataset 'weight' to its file, or use adjoint_synthesis or the method cg")

    @pytest.mark.parametrize("grid, lmax, rule", [
        ("{rings: {file: rings.h5}}", 4, "the number of rings - 1 = 3"),
        *sweep(("{gauss: {nlat: 4}}", 4, "nlat - 1 = 3"),
               ("{gauss: {nlat: 8, nphi: 5}}", 3, "mmax = 3 exceeds (nphi - 1) / 2 = 2"),
               ("{reduced_gauss: {nlat: 4}}", 4, "nlat - 1 = 3"),
               ("{octahedral: {nlat: 4}}", 4, "nlat - 1 = 3")),
    ])
    def test_grids_that_cannot_carry_the_lmax(self, place, ranks, grid, lmax, rule):
        write_alm(place)
        write_rings(place)
        place.job(ROUND_TRIP.replace("{healpix: {nside: 8}}", grid).replace("lmax: 3", f"lmax: {lmax}"))
        refused(place, ranks, "job.yaml:6: steps[1].analysis.", rule, "of map 'm' (aliased): lower")

    @pytest.mark.parametrize("grid, part", [
        ("{healpix: {nside: 8, rings: [[3, 31]]}}", "ring 31 does not exist on healpix nside 8: its rings are 0 .. 30"),
        ("{rings: {file: rings.h5, theta_deg: [150, 180]}}", "no ring of rings of"),
        *sweep(
            ("{healpix: {nside: 8, rings: [[5, 3]]}}", "rings = [5, 3]: the first ring of a range must not exceed the last"),
            ("{healpix: {nside: 8, theta_deg: [60, 30]}}", "colatitude 60 .. 30 degrees is not a valid range"),
            ("{gauss: {nlat: 9, theta_deg: [0, 2]}}", "no ring of gauss 9 x 18 is at colatitude 0 .. 2 degrees"),
            ("{gauss: {nlat: 0}}", "nlat = 0 is not an integer in 1"),
            ("{gauss: {nlat: 8, nphi: 0}}", "nphi = 0 is not an integer in 1"),
            ("{healpix: {nside: 8}, gauss: {nlat: 9}}", "has 2 grids")),
    ])
    def test_parts_of_the_sky_without_rings(self, place, ranks, grid, part):
        write_alm(place)
        write_rings(place)
        place.job(SYNTHESIS.replace("{healpix: {nside: 8}}", grid))
        refused(place, ranks, "job.yaml:5: steps[0].synthesis.grid", part)

    @SWEEP
    def test_a_part_of_the_sky_takes_no_analysis(self, place, ranks):
        write_alm(place)
        place.job(ROUND_TRIP.replace("nside: 8", "nside: 8, theta_deg: [0, 90]"))
        refused(place, ranks, "job.yaml:6: steps[1].analysis.map = m covers only part of the sky (healpix nside 8, rings "
                "0-15)", "use adjoint_synthesis, or supply your own weights in a rings file")

    @SWEEP
    def test_only_healpix_goes_to_fits(self, place, ranks):
        write_alm(place)
        place.job(SYNTHESIS.replace("{healpix: {nside: 8}}", "{gauss: {nlat: 9, rings: [[0, 4]]}}")
                  .replace("file: m.h5", "file: m.fits"))
        refused(place, ranks, "outputs.m.file =", "FITS maps must be HEALPix: write .h5")

    def test_a_part_of_the_sky_has_no_nested_order(self, place, ranks):
        write_alm(place)
        place.job(SYNTHESIS.replace("nside: 8", "nside: 8, theta_deg: [0, 90]")
                  .replace("file: m.h5", "file: m.fits, ordering: nested"))
        refused(place, ranks, "outputs.m.ordering = nested applies to full-sky HEALPix maps only")

    def test_healpix_too_large_to_list(self, place, ranks):
        write_alm(place)
        place.job(SYNTHESIS.replace("nside: 8", "nside: 536870912"))
        refused(place, ranks, "nside = 536870912 results in 2147483647 rings, but at most 1048576 are supported")
        place.job(SYNTHESIS.replace("nside: 8", "nside: 536870912, rings: [1073741823]"))
        refused(place, ranks, "a ring of 2147483648 pixels is too long for FFTW", code=3)


def test_iau_polarisation_is_converted(place):
    """U changes its sign on read; what is written is COSMO."""
    values = place.map("iau.h5", 8, 3, POLCCONV="IAU")
    place.job("inputs:\n  sky: {map: iau.h5}\noutputs:\n  sky: {file: cosmo.h5}\n")
    assert place.armilla("run", "job.yaml").code == 0
    with h5py.File(place.folder / "cosmo.h5") as file:
        written = file["map"]
        assert written.attrs["POLCCONV"] in ("COSMO", b"COSMO")
        assert np.array_equal(written[:], values * np.array([[1], [1], [-1]]))


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize("arguments, part", [
    (["run", "job.yaml", "--sett", "a=b"], "--sett"),
    (["convert", "sky.h5", "a.h5", "--ordering", "sideways"], "sideways"),
    *sweep((["run"], "job is required"), (["transform"], "unknown verb 'transform'"), (["view", "sky.h5"], "--output is required")),
])
def test_mistakes_on_the_command_line(place, ranks, arguments, part):
    result = place.armilla(*arguments, ranks=ranks)
    assert result.code == 2
    assert len(result.errors()) == 1
    assert part in result.errors()[0]


@pytest.mark.parametrize("arguments", [["inspect", "none.h5"], ["convert", "none.h5", "b.h5"], ["view", "none.h5", "-o", "a.png"]])
def test_errors_of_files_come_from_all_verbs(place, arguments):
    result = place.armilla(*arguments)
    assert result.code == 2
    assert "none.h5" in result.errors()[0]
