"""Results of iterated calls."""
import typing


class ToleranceResult(typing.NamedTuple):
    """Result of Transform.analysis_to_tolerance() for one map: the worst of its fields (T; Q with U)."""

    converged: bool  #: whether the tolerance was reached
    iterations: int  #: number of iterations
    alm_error: float  #: estimated rms error of the coefficients divided by their rms
    map_residual: float  #: rms of map - Y alm divided by that of the map


class PointAnalysisResult(typing.NamedTuple):
    """Result of PointTransform.analysis() for one map: the worst of its fields (T; Q with U)."""

    converged: bool  #: whether the tolerance was reached
    iterations: int  #: number of iterations
    residual: float  #: rms of values - Y alm divided by that of the values, with the weights of the fit
    condition: float  #: lower bound on the condition number of the normal equations


def for_maps(made, rows):
    """The results of the rows, one for each map; without the list for a single map."""
    results = [made(*row) for row in rows]
    return results[0] if len(results) == 1 else results
