"""Cases of the second tier, which `scripts/test.sh --all` runs."""
import pytest

SWEEP = pytest.mark.sweep


def sweep(*cases):
    """These parameters, in the second tier; a tuple is one value for each argument."""
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=SWEEP) for case in cases]


# Numbers of ranks of tests of messages: without mpirun, and in the second tier on three ranks.
RANKS = [0, *sweep(3)]
