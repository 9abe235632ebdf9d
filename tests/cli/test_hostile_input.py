"""Inputs whose headers announce more than the file holds, grids that no memory holds, files that are no files."""
import json
import os
import subprocess
import time

import h5py
import numpy as np
import pytest
from conftest import BINARY, SANITIZER_MEMORY, environment
from tiers import sweep

JOB = ("inputs:\n  sky: {map: sky.h5}\nsteps:\n  - analysis: {map: sky, lmax: 12, out: a}\n"
       "  - synthesis: {alm: a, grid: %s, out: b}\noutputs:\n  b: {file: b.h5}\n")
BLOCK = 2880


def measured(place, *arguments):
    """Exit code, standard error and peak memory in MiB of a run."""
    with open(place.folder / "stderr.txt", "w+") as error:
        process = subprocess.Popen([BINARY, *arguments], cwd=place.folder, env=environment(), stdout=subprocess.DEVNULL,
                                   stderr=error)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        error.seek(0)
        return process.returncode, error.read(), usage.ru_maxrss / 1024


def refused_cheaply(place, *arguments, parts=()):
    code, error, memory = measured(place, *arguments)
    assert code == 2, error
    for part in parts:
        assert part in error
    assert "memory" not in error
    assert memory < 200 + SANITIZER_MEMORY, f"{memory} MiB"


def card(key, value):
    return f"{key:8}= {value:>20}".ljust(80).encode()


def fits(path, columns="1", rows="768", nside=8, data=768 * 8):
    """A FITS map of one column of doubles, with any numbers in its header."""
    head = [card("SIMPLE", "T"), card("BITPIX", "8"), card("NAXIS", "0"), card("EXTEND", "T"), b"END".ljust(80)]
    table = [b"XTENSION= 'BINTABLE'".ljust(80), card("BITPIX", "8"), card("NAXIS", "2"), card("NAXIS1", "8"),
             card("NAXIS2", rows), card("PCOUNT", "0"), card("GCOUNT", "1"), card("TFIELDS", columns),
             b"TTYPE1  = 'TEMPERATURE'".ljust(80), b"TFORM1  = '1D'".ljust(80), b"PIXTYPE = 'HEALPIX'".ljust(80),
             b"ORDERING= 'RING'".ljust(80), card("NSIDE", str(nside)), b"END".ljust(80)]
    blocks = [b"".join(part).ljust(-(-len(part) * 80 // BLOCK) * BLOCK) for part in (head, table)]
    path.write_bytes(b"".join(blocks) + bytes(-(-data // BLOCK) * BLOCK))


def hdf5_grid(path, change):
    """A map on a Gauss grid of 4 rings whose group `grid` is changed."""
    with h5py.File(path, "w") as file:
        file.create_dataset("map", data=np.ones((1, 32)))
        group = file.create_group("grid")
        group.attrs["kind"] = "rings"
        group["theta"] = np.array([0.5, 1.2, 1.9, 2.6])
        group["phi0"] = np.zeros(4)
        group["nphi"] = np.full(4, 8, dtype=np.int64)
        change(group)


def replace(group, name, values):
    del group[name]
    group[name] = values


@pytest.mark.parametrize("verb", [["inspect"], *sweep((["convert"],), (["view"],))])
def test_headers_that_announce_more_than_the_file_holds(place, verb):
    place.map("nside.h5", 8, 1, NSIDE=2**24)
    fits(place.folder / "columns.fits", columns=str(2**24))
    fits(place.folder / "rows.fits", rows=str(2**40))
    fits(place.folder / "overflow.fits", rows=str(2**62))
    fits(place.folder / "nside.fits", nside=2**24)
    with h5py.File(place.folder / "lmax.h5", "w") as file:
        data = file.create_dataset("alm", data=np.zeros((1, 10), dtype=complex))
        data.attrs.update({"LMAX": 3 * 10**9, "MMAX": 3 * 10**9})
    with h5py.File(place.folder / "maps.h5", "w") as file:
        data = file.create_dataset("map", shape=(2**40, 1, 12), chunks=(1, 1, 12), dtype="f4")
        data.attrs.update({"NSIDE": 1, "ORDERING": "RING"})
    for name, parts in (("nside.h5", ["healpix nside 16777216", "values"]), ("columns.fits", ["TFIELDS = 16777216"]),
                        ("rows.fits", ["is truncated"]), ("overflow.fits", ["is truncated"]),
                        ("nside.fits", ["NSIDE requires"]), ("lmax.h5", ["LMAX"]), ("maps.h5", ["declares"])):
        out = {"inspect": [], "convert": ["out.h5"], "view": ["-o", "out.png"]}[verb[0]]
        refused_cheaply(place, *verb, name, *out, parts=[name, *parts])


def test_grids_are_sized_before_they_are_made(place):
    """tests/job asks for the other grids."""
    place.job(JOB % "{gauss: {nlat: 4000000}}")
    refused_cheaply(place, "run", "job.yaml", parts=["steps[1].synthesis.grid", "gauss.nlat = 4000000", "rings"])


# tests/job has other damages.
@pytest.mark.parametrize("change, part", [
    (lambda group: replace(group, "nphi", np.array([8, 2**31 - 1, 2**31 - 1, 8])), "pixels"),
    (lambda group: group.attrs.update({"kind": "gauss", "nlat": 4000000}), "lists 4 rings")])
def test_a_damaged_grid_is_bad_input(place, change, part):
    hdf5_grid(place.folder / "rings.h5", change)
    refused_cheaply(place, "inspect", "rings.h5", parts=["rings.h5", part])
    place.job("inputs:\n  sky: {map: rings.h5}\noutputs:\n  sky: {file: out.h5}\n")
    refused_cheaply(place, "run", "job.yaml", parts=["rings.h5", part])


def test_inputs_that_are_no_regular_files_are_refused_at_once(place):
    os.mkfifo(place.folder / "special.h5")
    place.job("inputs:\n  sky: {map: special.h5}\noutputs:\n  sky: {file: out.h5}\n")
    for arguments in (["inspect", "special.h5"], ["convert", "special.h5", "out.h5"],
                      ["view", "special.h5", "-o", "out.png"], ["run", "job.yaml"], ["run", "special.h5"]):
        result = place.armilla(*arguments, timeout=30)
        assert result.code == 2
        assert "'special.h5' cannot be read: it is a FIFO" in result.errors()[0], arguments


def test_the_reason_of_cfitsio_is_shown(place):
    fits(place.folder / "bad.fits")
    content = (place.folder / "bad.fits").read_bytes()
    (place.folder / "bad.fits").write_bytes(content.replace(b"TFORM1  = '1D'", b"TFORM1  = '1?'"))
    result = place.armilla("inspect", "bad.fits")
    assert result.code == 2
    line, = result.errors()
    assert "(FITS: " in line and "TFORM" in line and ";" in line


@pytest.mark.parametrize("grid", ["{gauss: {nlat: 300000}}", *sweep("{equiangular: {rule: cc, nlat: 1000000}}",
                                  "{equiangular: {rule: f2, nlat: 1000000}}", "{gauss: {nlat: 1000000}}",
                                  "{reduced_gauss: {nlat: 1000000}}", "{octahedral: {nlat: 1000000}}")])
def test_large_grids_are_planned_in_seconds(place, grid):
    """Nodes and weights of n rings once took n^2 operations: minutes before the refusal."""
    place.job((JOB % grid).replace("outputs:\n  b: {file: b.h5}", "  - analysis: {map: b, lmax: 12, out: c}\n"
                                   "outputs:\n  c: {file: c.h5}"))
    start = time.monotonic()
    planned = place.armilla("run", "job.yaml", "--dry-run")
    refused = place.armilla("run", "job.yaml")
    assert time.monotonic() - start < 90
    assert "a run here would be rejected for lack of memory" in planned.out
    assert refused.code == 3
    assert "job.yaml needs " in refused.error and "; available: " in refused.error


def test_links_to_other_files_are_not_followed(place):
    """HDF5 opens the target of a link whatever it is, and a FIFO blocks."""
    os.mkfifo(place.folder / "fifo")
    with h5py.File(place.folder / "link.h5", "w") as file:
        file["map"] = h5py.ExternalLink("fifo", "/map")
    place.job("inputs:\n  sky: {map: link.h5}\noutputs:\n  sky: {file: out.h5}\n")
    for arguments in (["inspect", "link.h5"], ["convert", "link.h5", "out.h5"], ["view", "link.h5", "-o", "out.png"],
                      ["run", "job.yaml"]):
        result = place.armilla(*arguments, timeout=30)
        assert result.code == 2
        assert "link.h5': 'map' is a link to another file" in result.errors()[0], arguments


@pytest.mark.parametrize("verb", ["verify", *sweep("status", "run")])
def test_records_and_jobs_are_regular_files(place, verb):
    os.mkfifo(place.folder / "fifo")
    (place.folder / "zero").symlink_to("/dev/zero")
    for name, kind in (("fifo", "a FIFO"), ("zero", "a device")):
        result = place.armilla(verb, name, timeout=30)
        assert result.code == 2
        assert f"'{name}' cannot be read: it is {kind}" in result.errors()[0]


def test_standard_input_without_end_is_not_a_job(place):
    with open("/dev/zero") as zero, open(place.folder / "stderr.txt", "w+") as error:
        process = subprocess.Popen([BINARY, "run", "-"], cwd=place.folder, env=environment(), stdin=zero,
                                   stdout=subprocess.DEVNULL, stderr=error)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        error.seek(0)
        assert "standard input has more than 16 MiB, so it is not a job" in error.read()
    assert process.returncode == 2
    assert usage.ru_maxrss < (200 + SANITIZER_MEMORY) * 1024


CONTROLS = "\x1b[31mred\x07\x9b1m\x7f\u202e"


def controls_in(text):
    return [c for c in text if (ord(c) < 32 and c not in "\n\t") or 127 <= ord(c) < 160 or c == "\u202e"]


# claims: guarantee printed_texts
def test_texts_from_files_do_not_control_the_terminal(place):
    place.map("unit.h5", 8, 1, UNITS=CONTROLS + "\nforged: yes")
    result = place.armilla("inspect", "unit.h5")
    assert result.code == 0
    assert controls_in(result.out) == []
    assert "?[31mred??1m???forged: yes" in result.out
    assert "\nforged" not in result.out
    found = place.armilla("inspect", "--json", "unit.h5")
    assert [c for c in controls_in(found.out) if c != "\u202e"] == []
    assert json.loads(found.out)["files"][0]["fields"][0]["unit"] == CONTROLS + "\nforged: yes"
    place.map("ordering.h5", 8, 1, ORDERING=CONTROLS)
    result = place.armilla("inspect", "ordering.h5")
    assert result.code == 2
    assert "ORDERING = '?[31MRED" in result.error
    assert controls_in(result.error) == []


def test_names_of_files_do_not_control_the_terminal(place):
    name = "no\x1b[2Jsuch.h5"
    place.job(f'inputs:\n  sky: {{map: "no\\x1b[2Jsuch.h5"}}\noutputs:\n  sky: {{file: out.h5}}\n')
    for arguments in (["inspect", name], ["run", "job.yaml"], ["verify", name]):
        result = place.armilla(*arguments)
        assert result.code == 2
        assert "no?[2Jsuch.h5" in result.error
        assert controls_in(result.error) == []


@pytest.mark.parametrize("maps", [1, *sweep(3)])
def test_the_working_folder_may_be_gone(place, maps):
    """Absolute paths need none."""
    home = place.folder
    steps = f"{{spectrum: {home}/dl.dat, spectrum_kind: dl, fields: [T], lmax: 8, seed: 1, out: a}}"
    if maps > 1:
        steps = steps.replace("seed: 1", f"seed: 1, maps: {maps}")
    name = "a_{}.h5" if maps > 1 else "a.h5"
    place.job(f'steps:\n  - random_alm: {steps}\noutputs:\n  a: {{file: "{home}/{name}"}}\n')
    gone = home / "gone"
    gone.mkdir()
    script = f"cd {gone}; rmdir {gone}; exec {BINARY} "
    for command in (f"run {home}/job.yaml --report {home}/report.json", f"verify {home}/report.json",
                    f"status {home}/job.yaml", f"inspect {home}/{name.replace('{}', '0')}"):
        gone.mkdir(exist_ok=True)
        done = subprocess.run(["bash", "-c", script + command], env=environment(), text=True, capture_output=True,
                              timeout=60)
        assert done.returncode == 0, (command, done.stderr)
