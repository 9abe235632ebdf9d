"""Spherical harmonic transforms on clusters of CPUs and GPUs."""
from ._armilla import Grid, __version__
from .errors import Error, InputError, InternalError, ResourceError, Stopped

__all__ = ["Error", "Grid", "InputError", "InternalError", "ResourceError", "Stopped", "__version__"]

for _class in (Grid,):
    _class.__module__ = "armilla"
del _class
