"""Each bad input has a message that says what is wrong, where, and what to do, and the exit code 2 or 3; on one rank and on
three, once, and without a hang (every run has a time limit)."""
import os
import subprocess

import h5py
import numpy as np
import pytest

RANKS = [1, 3]
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


@pytest.mark.parametrize("ranks", RANKS)
class TestBadInput:
    def test_good_input_is_taken(self, place, ranks):
        place.job(ANALYSIS)
        result = place.armilla("run", "job.yaml", ranks=ranks)
        assert result.code == 0, result.error
        assert (place.folder / "a.h5").exists()

    def test_missing_job(self, place, ranks):
        refused(place, ranks, "job.yaml cannot be read: No such file")

    def test_missing_file(self, place, ranks):
        place.job(ANALYSIS.replace("sky.h5", "sly.h5"))
        refused(place, ranks, "job.yaml:3: inputs.sky", "sly.h5")

    def test_truncated_hdf5(self, place, ranks):
        path = place.folder / "sky.h5"
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        place.job(ANALYSIS)
        refused(place, ranks, "sky.h5")

    def test_truncated_fits(self, place, ranks):
        assert place.armilla("convert", "sky.h5", "sky.fits").code == 0
        path = place.folder / "sky.fits"
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        place.job(ANALYSIS.replace("sky.h5", "sky.fits"))
        refused(place, ranks, "sky.fits")

    def test_nside_of_a_file_is_not_a_power_of_two(self, place, ranks):
        place.map("sky.h5", 6, 1, ORDERING="NESTED")
        place.job(ANALYSIS)
        refused(place, ranks, "sky.h5", "6", "power of two")

    def test_nside_of_a_job_is_out_of_range(self, place, ranks):
        write_alm(place)
        place.job(SYNTHESIS.replace("nside: 8", "nside: 600000000"))
        refused(place, ranks, "job.yaml:5: steps[0].synthesis.grid.healpix", "nside = 600000000 is out of range")

    def test_nside_and_pixels_do_not_fit(self, place, ranks):
        place.map("sky.h5", 8, 1, NSIDE=16)
        place.job(ANALYSIS)
        refused(place, ranks, "sky.h5", "768", "16")

    def test_lmax_beyond_the_grid(self, place, ranks):
        place.job(ANALYSIS.replace("lmax: 16", "lmax: 24"))
        refused(place, ranks,
                "steps[0].analysis.lmax = 24 exceeds 3 nside - 1 = 23 of map 'sky' (aliased): lower lmax, or set "
                "allow_aliasing: true")

    def test_mmax_above_lmax(self, place, ranks):
        place.job(ANALYSIS.replace("lmax: 16", "lmax: 16, mmax: 17"))
        refused(place, ranks, "job.yaml:5: steps[0].analysis.mmax = 17 exceeds lmax = 16")

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
        refused(place, ranks, "job.yaml:5: steps[0].analysis: unknown key 'lmx', did you mean 'lmax'? Known: map, lmax")

    def test_unknown_key_in_an_override(self, place, ranks):
        place.job(ANALYSIS)
        refused(place, ranks, "--set steps.0.analysis.iter=3: steps[0].analysis: unknown key 'iter'",
                arguments=("--set", "steps.0.analysis.iter=3"))

    def test_wrong_type(self, place, ranks):
        place.job(ANALYSIS.replace("16", "sixteen"))
        refused(place, ranks, "job.yaml:5: steps[0].analysis.lmax = sixteen is not a whole number")

    def test_not_yaml(self, place, ranks):
        place.job("steps: [\n")
        refused(place, ranks, "job.yaml:3: not YAML")

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

    def test_unknown_polarisation_convention(self, place, ranks):
        place.map("sky.h5", 8, 3, POLCCONV="OTHER")
        place.job(ANALYSIS)
        refused(place, ranks, "sky.h5", "POLCCONV", "OTHER")

    def test_output_folder_is_missing(self, place, ranks):
        place.job(ANALYSIS.replace("a.h5", "nowhere/a.h5"))
        refused(place, ranks, "job.yaml:7: outputs.a: folder", "nowhere", "make it")

    def test_output_folder_is_not_writable(self, place, ranks):
        place.job(ANALYSIS.replace("a.h5", "/proc/a.h5"))
        refused(place, ranks, "outputs.a: folder /proc is not writable")

    def test_output_would_overwrite_an_input(self, place, ranks):
        place.job(ANALYSIS.replace("a: {file: a.h5}", "a: {file: ./sky.h5}"))
        refused(place, ranks, "is read by inputs.sky as well")

    def test_disk_fills_up_while_writing(self, place, ranks):
        """A limit on the length of files, for the ranks alone, stands for a full disk: 20 MiB, and a map of 25 MB."""
        place.map("sky.h5", 512, 1)
        for name in ("copy.h5", "copy.fits"):
            place.job(f"inputs:\n  sky: {{map: sky.h5}}\noutputs:\n  sky: {{file: {name}}}\n")
            refused(place, ranks, name, code=3, prefix=("bash", "-c", 'ulimit -f 20480; exec "$@"', "-"))

    def test_disk_is_full_before_the_run(self, place, ranks):
        disk = place.folder / "disk"
        disk.mkdir()
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk],
                                               capture_output=True).returncode != 0:
            pytest.skip("a small tmpfs cannot be mounted here")
        try:
            place.job(ANALYSIS.replace("a.h5", "disk/a.h5").replace("lmax: 16", "lmax: 300, allow_aliasing: true"))
            refused(place, ranks, "outputs.a: folder", "65536 bytes free", code=3)
            assert list(disk.iterdir()) == []
        finally:
            subprocess.run(["umount", disk], check=True)


def test_iau_polarisation_is_converted(place):
    """U changes its sign on read; what is written is COSMO."""
    values = place.map("iau.h5", 8, 3, POLCCONV="IAU")
    place.job("inputs:\n  sky: {map: iau.h5}\noutputs:\n  sky: {file: cosmo.h5}\n")
    assert place.armilla("run", "job.yaml", ranks=1).code == 0
    with h5py.File(place.folder / "cosmo.h5") as file:
        written = file["map"]
        assert written.attrs["POLCCONV"] in ("COSMO", b"COSMO")
        assert np.array_equal(written[:], values * np.array([[1], [1], [-1]]))


@pytest.mark.parametrize("arguments, part", [
    (["run"], "job is required"),
    (["run", "job.yaml", "--sett", "a=b"], "--sett"),
    (["transform"], "subcommand"),
    (["view", "sky.h5"], "--output is required"),
    (["convert", "sky.h5", "a.h5", "--ordering", "sideways"], "sideways"),
])
def test_mistakes_on_the_command_line(place, arguments, part):
    result = place.armilla(*arguments, ranks=3)
    assert result.code == 2
    assert len(result.errors()) == 1
    assert part in result.errors()[0]


def test_errors_of_files_come_from_all_verbs(place):
    for arguments in (["inspect", "none.h5"], ["convert", "none.h5", "b.h5"], ["view", "none.h5", "-o", "a.png"]):
        result = place.armilla(*arguments)
        assert result.code == 2
        assert "none.h5" in result.errors()[0]
