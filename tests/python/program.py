"""Runs the command-line program beside the package."""
import os
import pathlib
import subprocess

SOURCE = pathlib.Path(os.environ.get("ARMILLA_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
DATA = SOURCE / "tests" / "data"
BINARY = os.environ.get("ARMILLA_BINARY", str(SOURCE / "build" / "bin" / "armilla"))


def armilla(folder, *arguments):
    """Runs the program in a folder. Returns its standard output."""
    of_ranks = ("PMIX_", "OMPI_COMM_", "OMPI_MCA_orte_")  # under mpirun, the program is not one of its ranks
    environment = {**{name: value for name, value in os.environ.items() if not name.startswith(of_ranks)},
                   "OMPI_MCA_ess_singleton_isolated": "1", "OMPI_MCA_pml": "ob1",
                   "OMPI_MCA_btl": "^openib,ofi,uct,usnic", "OMP_NUM_THREADS": "1"}
    done = subprocess.run([BINARY, *map(str, arguments)], cwd=folder, env=environment, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, f"{arguments}\n{done.stderr}"
    return done.stdout
