"""healpy's own tests of its harmonic functions, with armilla.healpy in their place. They are read from the installed
healpy (Debian's python3-healpy contains them, the wheel of PyPI does not)."""
import ast
import functools
import importlib.util
import pathlib
import types

import pytest

import armilla.healpy

# healpy is not imported here, because runs of other tests of this folder also read this file.
FOUND = importlib.util.find_spec("healpy")
FOLDER = pathlib.Path(FOUND.origin).parent / "test" if FOUND else pathlib.Path("healpy/test")

# Tests that do not run, and why.
NOT_TRANSFORMS = "pixels or data of healpy, not a transform"
LEFT_OUT = {
    "test_sphtfunc": {
        "test_beam2bl": "no transform of beam profiles in the facade; armilla.convolve takes profiles",
        "test_bl2beam": "no transform of beam profiles in the facade; armilla.convolve takes profiles",
        "test_blm_gauss": "coefficients of a beam, which no step of Armilla needs",
        "test_max_nside_check": "a limit of healpy, which Armilla does not have",
        "test_map2alm_pol_gal_cut": "expects that of the two rings at exactly 30 degrees only the northern one is cut, "
                                    "by rounding; Armilla keeps both",
        "test_rotate_alm": "compares coefficients of 1e-20 to 1e-5 of themselves, beside others of 1e-6 of the same l; "
                           "errors are 2e-15 of the norm of each l (of healpy 1e-14), see test_healpy_differences.py",
        "test_getlm_overflow": "asserts AssertionError; Armilla raises InputError, a ValueError",
    },
    "test_spinfunc": {},
    "test_rotator": {
        "test_rotate_map_polarization": NOT_TRANSFORMS,
        "test_rotate_map_polarization_with_spectrum": NOT_TRANSFORMS,
        "test_rotate_dipole_and_back": NOT_TRANSFORMS,
        "test_euler": NOT_TRANSFORMS,
        "test_euler_matrix_new": NOT_TRANSFORMS,
        "test_rotate_map_polarization_alms": "skipped by Debian: healpy downloads pixel weights, see test_healpy.py",
    },
}


class Substituted(types.ModuleType):
    """healpy with the functions of armilla.healpy."""

    def __getattr__(self, name):
        import healpy
        return getattr(armilla.healpy if name in armilla.healpy.__all__ else healpy, name)


@functools.cache
def loaded(name):
    spec = importlib.util.spec_from_file_location(f"healpy_{name}", FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.hp = Substituted("healpy")
    if hasattr(module, "Rotator"):
        module.Rotator = armilla.healpy.Rotator
    return module


def cases():
    """(file, class or None, test) of all tests that are not left out."""
    for name, left_out in LEFT_OUT.items():
        path = FOLDER / f"{name}.py"
        if not path.is_file():
            skip = pytest.mark.skip(reason=f"no {path}: healpy is not installed, or without its tests")
            yield pytest.param(name, None, None, id=name, marks=skip)
            continue
        tree = ast.parse(path.read_text())
        holders = [(None, tree)] + [(node.name, node) for node in tree.body if isinstance(node, ast.ClassDef)]
        for holder, node in holders:
            for test in (part.name for part in node.body if isinstance(part, ast.FunctionDef)):
                if test.startswith("test_") and test not in left_out:
                    yield pytest.param(name, holder, test, id=f"{name}-{test}")


@pytest.mark.filterwarnings("ignore:the spectra of l = 2 are not")  # of a set whose order is wrong, which the tests use
@pytest.mark.parametrize("name, holder, test", cases())
def test_own(name, holder, test):
    module = loaded(name)
    if holder is None:
        getattr(module, test)()
    else:
        getattr(module, holder)(test).debug()


def test_left_out_tests_exist():
    for name, left_out in LEFT_OUT.items():
        path = FOLDER / f"{name}.py"
        if path.is_file():
            text = path.read_text()
            assert [test for test in left_out if f"def {test}(" not in text] == [], name
