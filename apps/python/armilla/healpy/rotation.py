"""Rotations of coefficients, maps and directions."""
import numpy as np

from .._armilla import coordinate_matrix, rotate_by_angles, rotate_by_matrix
from ..errors import InputError
from .layout import is_sequence_of_arrays, layout_of
from .maps import read_maps
from .transforms import alm2map, map2alm


def rotate_alm(alm, psi=0, theta=0, phi=0, matrix=None, lmax=None, mmax=None):
    """Rotates coefficients in place: by psi about z, theta about y and phi about z [rad], with fixed axes and
    right-handed, or by a matrix.

    alm: an array of complex128, or a sequence of them, as components of scalars, or of gradients and curls
    matrix: maps the vector of a point to that of its image; precedes the angles
    lmax, mmax: of alm; by default found from its size; mmax must be lmax
    """
    if hasattr(alm, "__array__"):
        alm = np.asarray(alm)  # the values of an object
    parts = [alm]
    if is_sequence_of_arrays(alm) and not (isinstance(alm, np.ndarray) and alm.flags.c_contiguous):
        parts = list(alm)
    limits = []
    for part in parts:
        if not isinstance(part, np.ndarray) or part.dtype != np.complex128 or part.ndim not in (1, 2):
            raise InputError(f"alm is {getattr(part, 'dtype', type(part).__name__)} with the shape {np.shape(part)}: "
                             "pass arrays of complex128, [coefficient] or [component][coefficient]")
        found, orders = layout_of(part.shape[-1], lmax, mmax)
        if orders < found:
            raise InputError(f"alm has mmax = {orders} below lmax = {found}, but rotated coefficients have all m: pass "
                             "alm with mmax = lmax, see resize_alm()")
        limits.append(found)
    for part, limit in zip(parts, limits):
        contiguous = np.ascontiguousarray(part)
        if matrix is None:
            rotate_by_angles(contiguous, limit, psi, theta, phi)
        else:
            rotate_by_matrix(contiguous, limit, np.asarray(matrix, np.float64).tolist())
        if contiguous is not part:
            part[...] = contiguous


def _about(axis, angle):
    """The matrix of an active right-handed rotation about the axis 0, 1 or 2."""
    matrix = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix[i, i] = matrix[j, j] = np.cos(angle)
    matrix[j, i], matrix[i, j] = np.sin(angle), -np.sin(angle)
    return matrix


_AXES = {"ZYX": (0, 1, 2), "X": (2, 0, 2), "Y": (2, 1, 2)}  # from the last rotation to the first
_LETTERS = {"G": "G", "GALACTIC": "G", "E": "E", "ECLIPTIC": "E", "C": "C", "CELESTIAL": "C", "EQUATORIAL": "C",
            "Q": "C"}
_NAMES = {"G": "Galactic", "E": "Ecliptic", "C": "Equatorial"}


def _angles(rot, deg):
    """The three angles of an element of the argument rot [rad]."""
    given = np.zeros(3)
    values = np.atleast_1d(np.asarray(0.0 if rot is None else rot, np.float64))
    if values.ndim != 1 or len(values) > 3:
        raise InputError(f"rot = {rot!r}: use one to three angles")
    given[:len(values)] = values
    return np.radians(given) if deg else given


def _letters(coord):
    """The letters (from, to) of an element of the argument coord; (None, None) without coordinates."""
    if coord is None or all(letter is None for letter in coord):
        return None, None
    letters = [_LETTERS.get(str(letter).upper()) for letter in coord]
    if isinstance(coord, str) and coord.upper() in _LETTERS:
        letters = [_LETTERS[coord.upper()]]
    if None in letters or len(letters) > 2:
        raise InputError(f"coord = {coord!r}: use one or two of 'G', 'E' and 'C', such as 'GC' or ['G', 'C']")
    return letters[0], letters[-1]


class Rotator:
    """A rotation of directions, coefficients and maps, also between celestial coordinates.

    rot: Euler angles (longitude, latitude, rotation about the new x axis), or a sequence of them
    coord: coordinates, such as 'GC' or ['G', 'C'], of G, E, C; they are transformed first. With a sequence of angles, a
        sequence of pairs
    inv: whether the rotation is inverted; one for each element of a sequence
    deg: whether angles are degrees, else radians
    eulertype: axes of the angles: 'ZYX', 'X' or 'Y'
    """

    def __init__(self, rot=None, coord=None, inv=None, deg=True, eulertype="ZYX"):
        if eulertype not in _AXES:
            raise InputError(f"eulertype = {eulertype!r}: use 'ZYX', 'X' or 'Y'")
        are_rots = rot is not None and np.ndim(rot) > 0 and any(np.ndim(element) > 0 for element in rot)
        are_coords = isinstance(coord, (list, tuple)) and len(coord) > 0 and isinstance(coord[0], (list, tuple))
        are_both = rot is not None and coord is not None
        if are_both and (are_rots != are_coords or are_rots and len(rot) != len(coord)):
            raise InputError("rot and coord: pass one element each, or sequences of the same length")
        count = len(rot) if are_rots else len(coord) if are_coords else 1
        inverted = list(inv) if isinstance(inv, (list, tuple, np.ndarray)) else [inv] * count
        if len(inverted) != count:
            raise InputError(f"inv has {len(inverted)} elements: pass one for each of the {count} rotations")
        self._eulertype = eulertype
        self._rots = [_angles(element, deg) for element in (rot if are_rots else [rot] * count)]
        self._coords = [_letters(element) for element in (coord if are_coords else [coord] * count)]
        self._invs = [bool(element) for element in inverted]
        self._matrix = np.eye(3)
        for angles, (start, end), is_inverted in zip(self._rots, self._coords, self._invs):
            last, middle, first = (_about(axis, angle) for axis, angle in
                                   zip(_AXES[eulertype], (-angles[2], angles[1], -angles[0])))
            matrix = last @ middle @ first
            if start != end:
                matrix = matrix @ np.array(coordinate_matrix(start, end))
            self._matrix = self._matrix @ (matrix.T if is_inverted else matrix)

    @property
    def mat(self):
        """The matrix, which maps vectors to their images."""
        return self._matrix.copy()

    @property
    def rots(self):
        """The angles of all elements [rad]."""
        return self._rots

    @property
    def coords(self):
        """The coordinates (from, to) of all elements, as letters."""
        return self._coords

    @property
    def consistent(self):
        """Whether each element starts from the coordinates in which the one that is applied before it ends."""
        ends = [coords[::-1] if is_inverted else coords for coords, is_inverted in zip(self._coords, self._invs)]
        return all(after[0] == before[1] for after, before in zip(ends, ends[1:]))

    @property
    def coordin(self):
        """Letter of the coordinates that are transformed; None if unspecified or not consistent."""
        return self._coords[-1][self._invs[-1]] if self.consistent else None

    @property
    def coordout(self):
        """Letter of the coordinates of results; None if unspecified or not consistent."""
        return self._coords[0][not self._invs[0]] if self.consistent else None

    @property
    def coordinstr(self):
        """Name of coordin; empty for None."""
        return _NAMES.get(self.coordin, "")

    @property
    def coordoutstr(self):
        """Name of coordout; empty for None."""
        return _NAMES.get(self.coordout, "")

    def get_inverse(self):
        """The inverse rotation."""
        return self._like(self._rots[::-1], self._coords[::-1], [not is_inverted for is_inverted in self._invs[::-1]])

    def __mul__(self, other):
        """The rotation `other`, then this one."""
        if not isinstance(other, Rotator):
            return NotImplemented
        if other._eulertype != self._eulertype:
            raise InputError(f"rotators with eulertype {self._eulertype} and {other._eulertype}: use the same type")
        return self._like(self._rots + other._rots, self._coords + other._coords, self._invs + other._invs)

    def _like(self, rots, coords, invs):
        return Rotator(rots, coords, invs, deg=False, eulertype=self._eulertype)

    def __eq__(self, other):
        return (isinstance(other, Rotator) and len(self._rots) == len(other._rots) and self._coords == other._coords
                and self._invs == other._invs and self._eulertype == other._eulertype
                and all(np.allclose(a, b, rtol=0, atol=1e-15) for a, b in zip(self._rots, other._rots)))

    __hash__ = None

    def __call__(self, *args, lonlat=False, inv=False):
        """Images of directions or vectors: (theta, phi) [rad], (longitude, latitude) [degrees] with lonlat=True, or
        (x, y, z), as arguments or as one array with these rows. inv: whether the inverse is applied."""
        parts = args[0] if len(args) == 1 else args
        if np.ndim(parts) == 0 or len(parts) not in (2, 3):
            raise InputError(f"{len(args)} arguments: pass theta and phi, or x, y and z")
        matrix = self._matrix.T if inv else self._matrix
        rotated = np.tensordot(matrix, _vector(parts, lonlat), axes=(1, 0))
        return rotated if len(parts) == 3 else _direction(rotated, lonlat)

    def I(self, *args, lonlat=False):
        """Images by the inverse rotation, see __call__()."""
        return self(*args, lonlat=lonlat, inv=True)

    def angle_ref(self, *args, lonlat=False, inv=False):
        """The angle [rad] that the rotation adds to polarisation angles at directions or vectors, see __call__()."""
        parts = args[0] if len(args) == 1 else args
        vector = _vector(parts, lonlat)
        image, pole = self(vector, inv=inv), self(np.array([0.0, 0.0, 1.0]), inv=inv)
        return np.arctan2(pole[0] * image[1] - pole[1] * image[0],
                          pole[2] - image[2] * np.tensordot(pole, image, axes=(0, 0)))

    def rotate_alm(self, alm, lmax=None, mmax=None, inplace=False):
        """Rotated coefficients, see rotate_alm(); with inplace=True alm itself is changed and nothing returned."""
        rotated = alm if inplace else np.array(alm, np.complex128)
        rotate_alm(rotated, matrix=self._matrix, lmax=lmax, mmax=mmax)
        return None if inplace else rotated

    def rotate_map_alms(self, m, use_pixel_weights=True, lmax=None, mmax=None, datapath=None, verbose=None):
        """A rotated map, T or [T, Q, U], by rotation of its coefficients. Arguments: see map2alm()."""
        alm = map2alm(m, lmax=lmax, mmax=mmax, use_pixel_weights=use_pixel_weights)
        self.rotate_alm(alm, lmax, mmax, inplace=True)
        return alm2map(alm, read_maps(m).nside, lmax=lmax, mmax=mmax)

    def __repr__(self):
        return f"<armilla.healpy.Rotator: angles {self._rots}, coordinates {self._coords}, inverted {self._invs}>"


def _vector(parts, lonlat):
    """The vectors of directions, or the vectors themselves, as an array with three rows."""
    parts = np.asarray(parts, np.float64)
    if len(parts) == 3:
        return parts
    theta, phi = (np.radians(90 - parts[1]), np.radians(parts[0])) if lonlat else parts
    return np.array([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)])


def _direction(vector, lonlat):
    """The directions of vectors, as an array with two rows."""
    theta = np.arctan2(np.hypot(vector[0], vector[1]), vector[2])
    phi = np.arctan2(vector[1], vector[0])
    return np.array([np.degrees(phi), 90 - np.degrees(theta)] if lonlat else [theta, phi])
