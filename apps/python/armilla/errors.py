"""Exceptions of Armilla. Their messages state what is wrong, where, and what to do."""


class Error(Exception):
    """Base of the exceptions of Armilla.

    Errors about a key of a job or an argument of a step have the parts of their message as attributes; others have None.
    """

    where = None  #: file and line
    section = None  #: path of a section of the job, such as "steps[0].analysis"
    key = None  #: path of a key in the section, such as "method.cg.mask"
    value = None  #: value of the key, as text
    text = None  #: what is wrong and what to do


class InputError(Error, ValueError):
    """An argument, a job or a file is not valid."""


class ResourceError(Error, MemoryError):
    """Memory, disk, a device or a file system is exhausted or failed."""


class InternalError(Error, RuntimeError):
    """A bug in Armilla."""


class Stopped(Error, RuntimeError):
    """Stopped by a signal."""


class ArmillaWarning(UserWarning):
    """A warning about a job, an argument or a file."""
