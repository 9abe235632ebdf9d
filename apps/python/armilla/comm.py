"""Communicators: of this process alone, or of mpi4py."""
import sys

from ._armilla import Communicator
from .errors import InputError


def communicator_of(comm):
    """The Communicator of the argument `comm` of a call: None for this process alone, or a communicator of mpi4py, whose
    first use is collective. Raises InputError for others."""
    if comm is None:
        return Communicator.self()
    if isinstance(comm, Communicator):
        return comm
    module = sys.modules.get("mpi4py.MPI")  # whose import initialised MPI, if comm is one of its objects
    if module is None or not isinstance(comm, module.Intracomm):
        raise InputError(f"comm is a {type(comm).__name__}: pass a communicator of mpi4py within one group, such as "
                         "MPI.COMM_WORLD, or None for this process alone")
    return Communicator.from_mpi4py(module._addressof(comm), module.Get_library_version())


class together:
    """Collective. On exit, all ranks raise InputError or ResourceError if one raised an exception, with the text of the
    lowest such rank."""

    def __init__(self, comm):
        self.comm = comm  # a Communicator

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if self.comm.size > 1 and (error is None or isinstance(error, Exception)):
            self.comm.agree(None if error is None else str(error) or kind.__name__, "" if error is None else kind.__name__)
        return False
