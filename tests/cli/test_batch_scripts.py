"""The batch scripts in scripts/slurm without Slurm: what they ask armilla to do, and whether they requeue their job. The
commands of Slurm and mpirun, and armilla, are stand-ins. tests/slurm runs the scripts in a virtual cluster."""
import os
import subprocess
import time

import pytest
from conftest import SOURCE

SCRIPTS = SOURCE / "scripts" / "slurm"
# Each stand-in writes its name and arguments to calls.txt.
STAND_INS = {
    # The token is the number of lines of progress.txt.
    "armilla": """if [ "$1" = status ]; then wc -l <progress.txt; else eval "$TRIAL_WORK"; fi""",
    "mpirun": """[ "$1" != --version ] || exit 0
shift 2
while [ "$1" != bash ]; do shift; done
exec "$@" """,
    "scontrol": """[ "$1" != show ] || printf '   StartTime=x EndTime=%s Deadline=N/A\\n' "$TRIAL_END" """,
}


@pytest.fixture
def cluster(tmp_path):
    """A function that runs a script as a job with these variables and arguments; it returns the exit code, the log and
    the calls of the stand-ins."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "progress.txt").touch()
    (tmp_path / "job.yaml").touch()
    for name, text in STAND_INS.items():
        path = tmp_path / "bin" / name
        path.write_text(f'#!/usr/bin/env bash\necho "{name} $*" >>calls.txt\n{text}\n')
        path.chmod(0o755)

    def submit(script, *arguments, work="true", end="Unknown", **variables):
        calls = tmp_path / "calls.txt"
        calls.write_text("")
        done = subprocess.run([SCRIPTS / script, *arguments], cwd=tmp_path, text=True, capture_output=True, timeout=60, env={
            **{name: value for name, value in os.environ.items() if not name.startswith(("SLURM_", "ARMILLA_"))},
            "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "ARMILLA": "armilla", "ARMILLA_LAUNCHER": "mpirun",
            "ARMILLA_SCRIPTS": str(SCRIPTS), "SLURM_JOB_ID": "7", "SLURM_NTASKS": "2", "TRIAL_WORK": work, "TRIAL_END": end,
            **variables})
        return done.returncode, done.stdout + done.stderr, calls.read_text().splitlines()

    return submit


def run_of(calls):
    (line,) = [line for line in calls if line.startswith("armilla run")]
    return line.split()[1:]


def max_time(calls):
    """The value of --max-time [s]; None without one."""
    options = run_of(calls)
    return float(options[options.index("--max-time") + 1].rstrip("s")) if "--max-time" in options else None


def after(seconds, text=True):
    at = time.time() + seconds
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(at)) if text else str(int(at))


def test_a_campaign_gets_the_time_to_its_limit(cluster):
    # The last minute, or a tenth, is left; starting the script may take some seconds.
    assert 3500 <= max_time(cluster("campaign.sbatch", "job.yaml", end=after(3600))[2]) <= 3540
    assert 80 <= max_time(cluster("campaign.sbatch", "job.yaml", end=after(100))[2]) <= 90
    found = cluster("campaign.sbatch", "job.yaml", SLURM_JOB_END_TIME=after(3600, text=False), end=after(60))
    assert 3500 <= max_time(found[2]) <= 3540
    for end in ("Unknown", "", after(-5)):
        code, log, calls = cluster("campaign.sbatch", "job.yaml", end=end)
        assert code == 0 and max_time(calls) is None, log
    options = run_of(cluster("campaign.sbatch", "job.yaml", "--max-time=90m", end=after(3600))[2])
    assert "--max-time=90m" in options and "--max-time" not in options


def test_an_array_task_asks_for_its_own_limit(cluster):
    array = {"SLURM_ARRAY_JOB_ID": "7", "SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "3",
             "SLURM_ARRAY_TASK_COUNT": "3"}
    code, log, calls = cluster("campaign.sbatch", "job.yaml", end=after(600), **array)
    assert code == 0, log
    assert "scontrol show job 7_3" in calls
    options = run_of(calls)
    assert options[options.index("--part") + 1] == "3/3" and max_time(calls) > 500


@pytest.mark.parametrize("code, what", [(5, "stopped"), (137, "a rank was killed"), (1, "the launcher or a rank failed"),
                                        (16, "the launcher or a rank failed"), (139, "the launcher or a rank failed")])
def test_a_job_is_requeued_if_maps_were_completed(cluster, code, what):
    more = f"echo map >>progress.txt; exit {code}"
    found, log, calls = cluster("campaign.sbatch", "job.yaml", work=more)
    assert found == code and "scontrol requeue 7" in calls and f"job 7: {what}" in log and ", requeued" in log
    found, log, calls = cluster("campaign.sbatch", "job.yaml", work=f"exit {code}")
    assert found == code and "scontrol requeue 7" not in calls
    assert f"job 7: {what}" in log and "without progress, not requeued: " in log
    assert ("request more" in log) == (code in (5, 137)) and ("lack of memory" in log) == (code == 137)
    # After scancel.
    found, log, calls = cluster("campaign.sbatch", "job.yaml", work=f"echo map >>progress.txt; kill -TERM $PPID; exit {code}")
    assert "scontrol requeue 7" not in calls, log


@pytest.mark.parametrize("code", [0, 2, 3, 4, 126, 127])
def test_other_ends_are_not_requeued(cluster, code):
    found, log, calls = cluster("campaign.sbatch", "job.yaml", work=f"echo map >>progress.txt; exit {code}")
    assert found == code and "scontrol requeue 7" not in calls
    assert (f"the launcher failed (exit code {code}): see its message above" in log) == (code > 5)


def test_any_verb_runs_through_launch_sh(cluster):
    code, log, calls = cluster("launch.sh", "doctor", "--folder", "/scratch", work="exit 1", ARMILLA_SCRIPTS="")
    assert code == 1, log
    assert calls[-1] == "armilla doctor --folder /scratch"
    assert [call for call in calls if call.startswith("mpirun -n 2 ")]
    code, log, calls = cluster("launch.sh")
    assert code == 2 and "launch.sh: usage: " in log
    code, log, calls = cluster("launch.sh", "doctor", SLURM_JOB_ID="")
    assert code == 2 and "not in a Slurm allocation" in log
