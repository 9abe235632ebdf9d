"""Without a launcher, Open MPI gets settings for a single rank, unless the user has chosen others. Open MPI prints the
settings that it has read from the environment."""
import re
import shutil
import subprocess

import pytest

def is_open_mpi():
    return shutil.which("mpirun") and "Open MPI" in subprocess.run(["mpirun", "--version"], capture_output=True,
                                                                   text=True).stdout


pytestmark = pytest.mark.skipif(not is_open_mpi(), reason="for Open MPI only")

UNSET = ("env", "-u", "OMPI_MCA_ess_singleton_isolated", "-u", "OMPI_MCA_pml", "-u", "OMPI_MCA_btl")


def settings(place, *variables, ranks=0):
    place.job("inputs:\n  sky: {map: sky.h5}\nsteps:\n  - analysis: {map: sky, lmax: 8, out: a}\noutputs:\n  a: {file: a.h5}\n")
    result = place.armilla("run", "job.yaml", "--dry-run", ranks=ranks,
                           prefix=(*UNSET, *variables, "OMPI_MCA_mpi_show_mca_params=enviro"))
    assert result.code == 0, result.out + result.error
    return dict(re.findall(r"\] (\w+)=(\S+) \(environment\)", result.out + result.error))


def test_without_a_launcher(place):
    found = settings(place)
    assert found["ess_singleton_isolated"] == "true" and found["pml"] == "ob1" and found["btl"] == "self"


def test_settings_of_the_user_are_kept(place):
    found = settings(place, "OMPI_MCA_btl=self,tcp")
    assert found["btl"] == "self,tcp" and found["pml"] == "ob1"


def test_with_a_launcher(place):
    found = settings(place, ranks=1)
    assert "btl" not in found and found.get("ess_singleton_isolated") is None
