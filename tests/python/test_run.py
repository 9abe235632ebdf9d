"""Jobs with values in memory."""
import json
import threading

import armilla
import numpy as np
import pytest
from armilla import progress
from program import SOURCE
from program import armilla as program

healpy = pytest.importorskip("healpy")

SKY = np.random.default_rng(7).standard_normal((3, 12 * 16**2))
STEPS = [{"analysis": {"map": "sky", "lmax": 20, "method": {"jacobi": 3}, "out": "alm"}},
         {"spectra": {"alm": "alm", "out": "cl"}}]


def test_a_dict_a_text_and_a_path_are_the_same_job(tmp_path):
    text = json.dumps({"version": 1, "steps": STEPS}, indent=1)
    (tmp_path / "job.yaml").write_text(text)
    results = [armilla.run(job, {"sky": SKY}, keep="alm") for job in ({"steps": STEPS}, text, tmp_path / "job.yaml")]
    for result in results:
        assert list(result) == ["alm", "cl"]
        np.testing.assert_array_equal(result["cl"].values, results[0]["cl"].values)
    # Rounding of three Jacobi iterations with sums of 3072 pixels.
    expected = healpy.map2alm(SKY, 20, iter=3)
    np.testing.assert_allclose(results[0]["alm"].values, expected, atol=1e-13)
    np.testing.assert_allclose(results[0]["cl"]["TE"], healpy.alm2cl(expected)[3], atol=1e-13)


def test_a_job_file_has_the_results_of_the_program(tmp_path):
    job = tmp_path / "job.yaml"
    job.write_text("version: 1\ninputs: {sky: {map: sky.h5}}\nsteps:\n"
                   "- synthesis: {alm: a, grid: healpix:8, out: b}\noutputs: {b: {file: b.h5}}\n"
                   .replace("steps:\n", "steps:\n- analysis: {map: sky, lmax: 8, out: a}\n"))
    armilla.Map(SKY).write(tmp_path / "sky.h5")
    program(tmp_path, "run", "job.yaml")
    expected = armilla.read(tmp_path / "b.h5").values
    (tmp_path / "b.h5").unlink()
    found = armilla.run(job, keep=["b"])  # its files are those beside it
    np.testing.assert_array_equal(found["b"].values, expected)
    np.testing.assert_array_equal(armilla.read(tmp_path / "b.h5").values, expected)


def test_several_maps_are_a_campaign():
    maps = np.stack([SKY[:1], SKY[1:2], SKY[2:]])
    found = armilla.run({"steps": STEPS}, {"sky": armilla.Map(maps)})["cl"]
    for one, values in zip(found, maps):
        expected = armilla.run({"steps": STEPS}, {"sky": armilla.Map(values)})["cl"]
        # Campaigns may use another scheme of iteration, whose coefficients agree to 1e-13 in rms.
        np.testing.assert_allclose(one.values, expected.values, rtol=1e-11)


def test_maps_that_cannot_be_used_are_left_out():
    maps = np.stack([SKY[:1], SKY[1:2]])
    maps[1, 0, 5] = np.nan
    found = armilla.run({"steps": STEPS, "execution": {"on_bad_map": "skip"}}, {"sky": armilla.Map(maps)})
    assert len(found.left_out) == 1 and found.left_out[0].startswith("map 1: ")
    assert np.isnan(found["cl"].values[1]).all() and np.isfinite(found["cl"].values[0]).all()


def test_the_report_is_that_of_the_program(tmp_path):
    armilla.Map(SKY).write(tmp_path / "sky.h5")
    program(tmp_path, "analysis", "sky.h5", "--lmax", "12", "--tolerance", "1e-8", "-o", "a.h5", "--report", "report.json")
    expected = json.loads((tmp_path / "report.json").read_text())["analyses"]
    job = {"steps": [{"analysis": {"map": "sky", "lmax": 12, "tolerance": 1e-8, "out": "alm"}}]}
    found = armilla.run(job, {"sky": SKY}).report["analyses"]
    assert len(expected) == 1 and found[0].keys() == expected[0].keys()
    assert found[0]["iterations"] == expected[0]["iterations"]


def test_inputs_are_not_changed_and_may_be_read_only():
    sky = SKY.copy()
    sky.flags.writeable = False
    armilla.run({"steps": STEPS}, {"sky": sky})
    np.testing.assert_array_equal(sky, SKY)


def test_arrays_in_any_order_are_read():
    for sky in (np.asfortranarray(SKY), SKY.astype(">f8"), SKY[:, ::-1][:, ::-1]):
        found = armilla.run({"steps": STEPS}, {"sky": sky})["cl"]
        np.testing.assert_array_equal(found.values, armilla.run({"steps": STEPS}, {"sky": SKY})["cl"].values)


def test_threads_run_jobs_side_by_side():
    expected = armilla.run({"steps": STEPS}, {"sky": SKY})["cl"].values
    found = []
    threads = [threading.Thread(target=lambda: found.append(armilla.run({"steps": STEPS}, {"sky": SKY})["cl"].values))
               for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and all(np.array_equal(values, expected) for values in found)


def test_progress_is_silent_for_two_seconds(monkeypatch, capsys):
    clock = iter([0.0, 1.9, 2.1, 70.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    display = progress.Display()
    for fraction in (0.1, 0.2, 0.5):
        display(fraction, "steps[0].analysis")
    assert capsys.readouterr().err == "armilla: 50% done, now steps[0].analysis\n"


def test_a_closed_terminal_does_not_stop_a_job(monkeypatch):
    class Closed:
        def isatty(self):
            return True

        def write(self, text):
            raise OSError("Input/output error")

    monkeypatch.setattr(progress, "SILENT_SECONDS", -1)
    monkeypatch.setattr(progress.sys, "stderr", Closed())
    assert armilla.run({"steps": STEPS}, {"sky": SKY})["cl"].lmax == 20


@pytest.mark.parametrize("job,inputs,words", [
    ({"steps": [{"analysis": {"map": "sky", "lmax": 500, "out": "a"}}]}, {"sky": SKY}, "steps[0].analysis.lmax = 500"),
    ({"steps": [{"analyse": {}}]}, {}, "analysis"),
    ("version: 1\nsteps: []\n", {}, "nothing to do"),
    ("none.yaml", {}, "none.yaml"),
    (3, {}, "pass a dict, the text of a job, or a path"),
    ({"steps": [{"synthesis": {"alm": "a", "grid": lambda: 3, "out": "m"}}]}, {}, "cannot be the value of a key"),
    ({"steps": STEPS}, {"sky": SKY[:, :100]}, "inputs: sky: Map: 100 pixels"),
])
def test_errors_are_about_the_job(job, inputs, words):
    with pytest.raises(armilla.InputError) as caught:
        armilla.run(job, inputs)
    assert words in str(caught.value)


def test_relative_paths_start_from_the_current_folder(tmp_path, monkeypatch):
    folder = tmp_path / "jobs"
    folder.mkdir()
    monkeypatch.chdir(folder)
    tmp_path.joinpath("spectra").symlink_to(SOURCE / "config" / "spectra")
    text = (SOURCE / "config" / "jobs" / "gauss_round_trip.yaml").read_text()
    assert armilla.run(text).report["comparisons"][0]["relative_rms"]["T"] < 1e-13
    assert (folder / "gauss_map.h5").exists()
