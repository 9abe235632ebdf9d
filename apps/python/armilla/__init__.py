"""Spherical harmonic transforms on clusters of CPUs and GPUs."""
from ._armilla import FieldKind, Grid, __version__
from .errors import Error, InputError, InternalError, ResourceError, Stopped
from .point_transform import PointTransform
from .redistribution import AlmRedistribution, PixelRedistribution
from .results import PointAnalysisResult, ToleranceResult
from .transform import Transform

__all__ = ["AlmRedistribution", "Error", "FieldKind", "Grid", "InputError", "InternalError", "PixelRedistribution",
           "PointAnalysisResult", "PointTransform", "ResourceError", "Stopped", "ToleranceResult", "Transform",
           "__version__"]

for _name in __all__[:-1]:
    globals()[_name].__module__ = "armilla"
del _name
