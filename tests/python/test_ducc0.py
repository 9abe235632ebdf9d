"""The table of calls of ducc0.sht in docs/python.md, beside ducc0."""
import armilla
import numpy as np
import pytest
from conftest import random_alm

ducc0 = pytest.importorskip("ducc0", reason="ducc0 is not installed: pip install ducc0")

LMAX, RINGS, PHI = 12, 14, 27
COMMON = {"lmax": LMAX, "nthreads": 1}


@pytest.mark.parametrize("geometry, grid", [("GL", "gauss"), ("CC", "cc"), ("F1", "f1"), ("MW", "mw")])
@pytest.mark.parametrize("spin", [0, 2])
def test_grids(geometry, grid, spin):
    rings = RINGS if geometry == "GL" else 2 * LMAX + 3
    plan = armilla.Transform(f"{grid}:{rings}:{PHI}", LMAX, fields=spin)
    alm = random_alm(LMAX, (spin,) * (1 if spin == 0 else 2))
    where = {"spin": spin, "geometry": geometry, **COMMON}
    sky = ducc0.sht.synthesis_2d(alm=alm, ntheta=rings, nphi=PHI, **where)
    flat = sky.reshape(len(alm), -1)
    np.testing.assert_allclose(plan.synthesis(alm), flat, atol=1e-12)
    np.testing.assert_allclose(plan.analysis(flat), ducc0.sht.analysis_2d(map=sky, **where), atol=1e-12)
    np.testing.assert_allclose(plan.adjoint_synthesis(flat), ducc0.sht.adjoint_synthesis_2d(map=sky, **where), atol=1e-10)
    if geometry == "GL":  # on the other grids, several analyses are exact for maps up to lmax
        np.testing.assert_allclose(plan.adjoint_analysis(alm).reshape(sky.shape),
                                   ducc0.sht.adjoint_analysis_2d(alm=alm, ntheta=rings, nphi=PHI, **where), atol=1e-12)


def test_rings_derivatives_points_and_rotations():
    theta, phi0, nphi = np.array([0.3, 1.1, 2.0]), np.array([0.0, 0.2, 0.1]), np.array([26, 28, 30])
    alm = random_alm(LMAX)
    start = np.cumsum(nphi) - nphi
    rings = {"theta": theta, "phi0": phi0, "nphi": nphi.astype(np.uint64), "ringstart": start.astype(np.uint64), **COMMON}
    grid = armilla.Grid.from_rings(theta, phi0, nphi)
    np.testing.assert_allclose(armilla.Transform(grid, LMAX).synthesis(alm),
                               ducc0.sht.synthesis(alm=alm, spin=0, **rings), atol=1e-12)
    vectors = armilla.Transform(grid, LMAX, fields=["V_THETA", "V_PHI"])
    np.testing.assert_allclose(vectors.gradient(alm, axes="south_east"), ducc0.sht.synthesis_deriv1(alm=alm, **rings),
                               atol=1e-11)
    where = np.random.default_rng(1).uniform((0, 0), (np.pi, 2 * np.pi), (9, 2))
    points = armilla.PointTransform(*where.T, LMAX, accuracy=1e-11)
    np.testing.assert_allclose(points.synthesis(alm),
                               ducc0.sht.synthesis_general(alm=alm, spin=0, loc=where, epsilon=1e-11, **COMMON), atol=1e-9)
    angles = (0.4, 1.0, -0.7)
    np.testing.assert_allclose(armilla.rotate(alm, euler_deg=list(np.degrees(angles))),
                               [ducc0.sht.rotate_alm(alm[0], LMAX, *angles)], atol=1e-12)
    np.testing.assert_allclose(armilla.Grid("gauss:14:27").weight, ducc0.sht.experimental.get_gridweights("GL", 14),
                               rtol=1e-12)
