"""What a dry run announces, and what the run then does."""
import h5py
import numpy as np
import pytest

TRANSFORM = ("steps:\n  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, lmax: 40, fields: [T, E, B], seed: 3, out: a}\n"
             "  - synthesis: {alm: a, grid: {gauss: {nlat: 300}}, out: m}\noutputs:\n  m: {file: m.h5}\n"
             "execution: {backend: cpu}\n")


def test_order_of_spectra_and_sizes_of_text_files_are_those_of_the_run(place):
    random = np.random.default_rng(1)
    with h5py.File(place.folder / "p.h5", "w") as file:
        file["theta"] = np.arccos(random.uniform(-1, 1, 500))
        file["phi"] = random.uniform(0, 6, 500)
    place.job("inputs:\n  points: {points: p.h5}\nsteps:\n"
              "  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, lmax: 40, fields: [T, E, B], seed: 3, out: a}\n"
              "  - spectra: {alm: a, out: cl}\n  - synthesis_at: {alm: a, points: points, out: v}\n"
              "outputs:\n  cl: {file: cl.dat}\n  v: {file: v.csv}\nexecution: {backend: cpu}\n")
    dry = place.armilla("run", "job.yaml", "--dry-run", "--report", "dry.json")
    assert "-> 'cl' TT,EE,BB,TE,EB,TB to lmax 40" in dry.out
    assert place.armilla("run", "job.yaml", "--report", "r.json").code == 0
    assert (place.folder / "cl.dat").read_text().startswith("# L TT EE BB TE EB TB\n")
    announced = {output["name"]: output["bytes"] for output in place.report("dry.json")["outputs"]}
    written = {file["name"]: file["bytes"] for file in place.report("r.json")["files"]}
    assert announced["cl"] == pytest.approx(written["cl"], rel=0.02)  # signs
    assert announced["v"] == pytest.approx(written["v"], rel=0.1)  # leading zeros and exponents


def test_set_up_is_in_a_phase_of_the_report(place):
    place.job(TRANSFORM)
    assert place.armilla("run", "job.yaml", "--report", "r.json").code == 0
    report = place.report("r.json")
    phases = {phase["name"]: phase["max"] for phase in report["phases"]}
    assert 0 < phases["start"] < report["seconds"]
    assert report["phases"][0]["name"] == "start" and "wait for locks" not in phases
