"""Limit of the time for which idle threads spin: set outside batch jobs, unless the user has chosen one. GNU OpenMP
prints the settings that it has read."""
import re

import pytest


@pytest.mark.parametrize("environment, spins", [
    ({}, "300"),
    ({"OMP_NUM_THREADS": "1"}, None),
    ({"GOMP_SPINCOUNT": "7000"}, "7000"),
    ({"OMP_WAIT_POLICY": "passive"}, "0"),
    ({"SLURM_JOB_ID": "1"}, None),
    ({"PBS_JOBID": "1"}, None),
])
def test_spin_count(place, environment, spins):
    unset = ("env", "-u", "OMP_WAIT_POLICY", "-u", "SLURM_JOB_ID", "-u", "PBS_JOBID")
    settings = [f"{name}={value}" for name, value in environment.items()]
    result = place.armilla("list", "steps", threads=2, prefix=(*unset, *settings),
                           variables={"OMP_DISPLAY_ENV": "verbose"})
    assert result.code == 0 and "synthesis" in result.out
    (found,) = re.findall(r"GOMP_SPINCOUNT = '(\w+)'", result.error.split("OPENMP DISPLAY ENVIRONMENT BEGIN")[-1])
    assert found == spins if spins else found != "300"
