"""Spherical harmonic transforms on clusters of CPUs and GPUs."""
from ._armilla import FieldKind, Grid, __version__
from .errors import ArmillaWarning, Error, InputError, InternalError, ResourceError, Stopped
from .files import read
from .jobs import Results, run
from .objects import Alm, Map
from .point_transform import PointTransform
from .redistribution import AlmRedistribution, PixelRedistribution
from .results import PointAnalysisResult, ToleranceResult
from .steps import *  # noqa: F403
from .steps import __all__ as _steps
from .tables import Kernel, Points, Spectra, Statistics, Values
from .transform import Transform

_classes = ["Alm", "AlmRedistribution", "ArmillaWarning", "Error", "FieldKind", "Grid", "InputError", "InternalError",
            "Kernel", "Map", "PixelRedistribution", "PointAnalysisResult", "PointTransform", "Points", "ResourceError",
            "Results", "Spectra", "Statistics", "Stopped", "ToleranceResult", "Transform", "Values"]
__all__ = [*_classes, "read", "run", *_steps, "__version__"]

for _name in _classes:
    globals()[_name].__module__ = "armilla"
del _name


def __getattr__(name):
    """armilla.healpy and armilla.jax are imported when they are first used."""
    if name in ("healpy", "jax"):
        import importlib
        try:
            return importlib.import_module(f"{__name__}.{name}")
        except ModuleNotFoundError as error:
            raise AttributeError(f"armilla.{name} cannot be imported: {error}") from error
    raise AttributeError(f"module 'armilla' has no attribute {name!r}")
