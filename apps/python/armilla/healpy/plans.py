"""Transforms that calls share. The last used ones are kept, as their preparation takes as long as a transform."""
import contextlib
import threading

from ..errors import ResourceError
from ..transform import Transform

KEPT_PLANS = 4
KEPT_BYTES = 2 << 30  # of the workspace of all kept transforms but the last used

_kept = {}  # least recently used first
_lock = threading.Lock()


def clear_plans():
    """Releases the memory of the transforms that are kept between calls."""
    with _lock:
        released = list(_kept.values())
        _kept.clear()
    del released


def _forget_old():
    """The transforms beyond the limits, removed from the kept ones."""
    old = []
    while len(_kept) > 1 and (len(_kept) > KEPT_PLANS
                              or sum(plan.workspace_bytes for plan in list(_kept.values())[:-1]) > KEPT_BYTES):
        old.append(_kept.pop(next(iter(_kept))))
    return old


def _make(nside, lmax, mmax, fields, maps):
    return Transform(f"healpix:{nside}", lmax, mmax, fields, maps, check_finite=True)


@contextlib.contextmanager
def plan(nside, lmax, mmax, fields, maps=1):
    """A transform for one call; no other thread has it meanwhile."""
    key = (int(nside), int(lmax), int(mmax), fields, maps)
    with _lock:
        found = _kept.pop(key, None)
    if found is None:
        try:
            found = _make(*key)
        except ResourceError:
            if not _kept:
                raise
            clear_plans()
            found = _make(*key)
    try:
        yield found
    finally:
        with _lock:
            _kept[key] = found
            old = _forget_old()
        del old
