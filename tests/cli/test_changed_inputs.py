"""An input that is replaced while a job runs never reaches its results: the run ends with exit code 2 and names the file,
even if the new file has the size and the time of the old one."""
import os
import shutil
import subprocess
import time

import pytest

from conftest import BINARY, environment
from tiers import sweep

# The first output shows that the job is planned; then the second step keeps it busy until the input is replaced.
ONE = """inputs:
  sky:  {map: sky.h5}
  late: {map: late.NAME}
steps:
  - analysis: {map: sky, lmax: 8, out: a}
  - analysis: {map: sky, lmax: 16, method: {immediate: {iterations: 20000}}, out: b}
  - analysis: {map: late, lmax: 8, out: c}
outputs:
  a: {file: a.h5}
  b: {file: b.h5}
  c: {file: c.h5}
"""


# claims: guarantee changed_inputs
@pytest.mark.parametrize("ending, ranks", [("h5", 0), *sweep(("fits", 0), ("h5", 2), ("fits", 3))])
def test_an_input_that_is_replaced_during_the_run_is_refused(place, ending, ranks):
    place.map("sky.h5", 16, 1)
    for name in ("late", "other"):
        place.map(f"{name}.h5", 16, 1)
        if ending == "fits":
            assert place.armilla("convert", f"{name}.h5", f"{name}.fits").code == 0
    place.job(ONE.replace("NAME", ending))
    late, other = (place.folder / f"{name}.{ending}" for name in ("late", "other"))
    shutil.copystat(late, other)
    launch = ["mpirun", "-n", str(ranks)] if ranks else []
    process = subprocess.Popen([*launch, BINARY, "run", "job.yaml"], cwd=place.folder, env=environment(), text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not (place.folder / "a.h5").exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)
    os.replace(other, late)
    _, error = process.communicate(timeout=120)
    assert process.returncode == 2, error
    assert f"'late.{ending}' has changed" in error and "run again" in error, error
    assert not (place.folder / "c.h5").exists()
