"""The harmonic functions of healpy, with its names, arguments, defaults and results, computed by Armilla.

    import armilla.healpy as hp
    alm = hp.map2alm(map)

healpy is not needed, except for pixel windows. docs/from_healpy.md lists the differences.
"""
from .layout import Alm, almxfl, resize_alm
from .maps import UNSEEN
from .plans import clear_plans
from .rotation import Rotator, rotate_alm
from .smoothing import smoothalm, smoothing
from .spectra import alm2cl, anafast, synalm, synfast
from .transforms import alm2map, alm2map_der1, alm2map_spin, map2alm, map2alm_lsq, map2alm_spin
from .windows import gauss_beam, pixwin

__all__ = ["Alm", "Rotator", "UNSEEN", "alm2cl", "alm2map", "alm2map_der1", "alm2map_spin", "almxfl", "anafast",
           "clear_plans", "gauss_beam", "map2alm", "map2alm_lsq", "map2alm_spin", "pixwin", "resize_alm", "rotate_alm",
           "smoothalm", "smoothing", "synalm", "synfast"]


def __getattr__(name):
    raise AttributeError(f"armilla.healpy has no {name!r}, but only the functions of healpy that transform maps: use "
                         f"healpy.{name}, or armilla.read() and .write() for files")
