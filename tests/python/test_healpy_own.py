"""healpy's own tests of its harmonic functions, with armilla.healpy in their place. They are read from the installed
healpy (Debian's python3-healpy contains them, the wheel of PyPI does not)."""
import importlib.util
import pathlib
import types
import warnings

import pytest

healpy = pytest.importorskip("healpy")
import armilla.healpy

FOLDER = pathlib.Path(healpy.__file__).parent / "test"

# Tests that do not run, and why.
NOT_TRANSFORMS = "pixels or data of healpy, not a transform"
LEFT_OUT = {
    "test_sphtfunc": {
        "test_beam2bl": "no transform of beam profiles in the facade; armilla.convolve takes profiles",
        "test_bl2beam": "no transform of beam profiles in the facade; armilla.convolve takes profiles",
        "test_blm_gauss": "coefficients of a beam, which no step of Armilla needs",
        "test_max_nside_check": "a limit of healpy, which Armilla does not have",
        "test_map2alm_pol_gal_cut": "expects that of the two rings at exactly 30 degrees only the northern one is cut, by "
                                    "rounding; Armilla keeps both",
        "test_rotate_alm": "compares coefficients of 1e-20 with 1e-5 of themselves, beside others of 1e-6 of the same l; "
                           "Armilla's errors are 2e-15 of the rms of each l (healpy's 1e-14), see test_healpy.py",
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
        return getattr(armilla.healpy if name in armilla.healpy.__all__ else healpy, name)


def loaded(name):
    path = FOLDER / f"{name}.py"
    if not path.is_file():
        return None
    spec = importlib.util.spec_from_file_location(f"healpy_{name}", path)
    module = importlib.util.module_from_spec(spec)
    with warnings.catch_warnings():
        spec.loader.exec_module(module)
    module.hp = Substituted("healpy")
    if hasattr(module, "Rotator"):
        module.Rotator = armilla.healpy.Rotator
    return module


def cases():
    for name, left_out in LEFT_OUT.items():
        module = loaded(name)
        if module is None:
            reason = f"the installed healpy {healpy.__version__} has no {FOLDER / name}.py"
            yield pytest.param(None, id=name, marks=pytest.mark.skip(reason=reason))
            continue
        holders = [held for held in vars(module).values() if isinstance(held, type) and held.__module__ == module.__name__]
        for holder in [module, *holders]:
            for test in sorted(vars(holder)):
                if test.startswith("test_") and test not in left_out:
                    run = getattr(module, test) if holder is module else lambda made=holder, test=test: made(test).debug()
                    yield pytest.param(run, id=f"{name}-{test}")


@pytest.mark.filterwarnings("ignore:the spectra of l = 2 are not")  # of a set whose order is wrong, which the tests use
@pytest.mark.parametrize("run", cases())
def test_own(run):
    run()


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the installed healpy contains no tests")
def test_left_out_tests_exist():
    for name, left_out in LEFT_OUT.items():
        text = (FOLDER / f"{name}.py").read_text()
        assert [test for test in left_out if f"def {test}(" not in text] == [], name
