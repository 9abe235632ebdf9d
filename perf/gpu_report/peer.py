"""Times the transforms of another code on the first GPU, with data on the device. Run by the Python that has it.

    peer.py CODE                 prints its version; exit code 3, with a reason, if it cannot be used
    peer.py CODE --nlat N ...    times synthesis and analysis on a Gauss grid

CODE is shtns (with CUDA) or torch_harmonics. Both require torch, which allocates the arrays."""

import argparse
import functools
import importlib
import statistics
import sys
import time

WARM_UP, FILL, SAMPLES = 0.3, 0.05, 9  # as perf_device: seconds, seconds of a sample
MOST_ERROR = {"double": 1e-8, "single": 1e-3}  # of a round trip, relative rms


class Unusable(Exception):
    """Why a code cannot be used here."""


def load(name):
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        raise Unusable(str(error)) from error
    return module, getattr(module, "__version__", "of unknown version")


def load_torch():
    torch, version = load("torch")
    if not torch.cuda.is_available():
        raise Unusable("torch %s sees no GPU" % version)
    return torch


class Shtns:
    """Two components of a vector (spin 1) or one scalar field, in double precision."""

    def __init__(self):
        self.torch = load_torch()
        self.shtns, version = load("shtns")
        if not hasattr(self.shtns, "SHT_ALLOW_GPU") or not hasattr(self.shtns.sht, "cu_SH_to_spat"):
            raise Unusable("shtns %s is built without CUDA" % version)
        self.version = "shtns " + version

    def prepare(self, case):
        if case.maps > 1 or case.precision != "double" or case.spin > 1:
            raise Unusable("shtns is timed for one map of spin 0 or 1 in double precision")
        torch, shtns = self.torch, self.shtns
        plan = shtns.sht(case.lmax, case.lmax)
        plan.set_grid(case.nlat, case.nphi, flags=shtns.sht_gauss + shtns.SHT_ALLOW_GPU + shtns.SHT_THETA_CONTIGUOUS)
        fields = 1 + case.spin
        alm = torch.randn(fields, plan.nlm, dtype=torch.complex128, device="cuda")
        alm[:, : case.lmax + 1].imag.zero_()  # m = 0
        if case.spin:
            alm[:, 0] = 0  # l = 0
        back = torch.zeros_like(alm)
        maps = torch.zeros(fields, case.nlat * case.nphi, dtype=torch.float64, device="cuda")
        coefficients, result, pixels = ([one.data_ptr() for one in some] for some in (alm, back, maps))
        if case.spin:
            to_map, from_map = plan.cu_SHsphtor_to_spat, plan.cu_spat_to_SHsphtor
        else:
            to_map, from_map = plan.cu_SH_to_spat, plan.cu_spat_to_SH
        self.keep = maps  # of which the calls have the address alone
        synthesis = functools.partial(to_map, *coefficients, *pixels)
        return synthesis, functools.partial(from_map, *pixels, *result), lambda: (alm, back)


class TorchHarmonics:
    """Batches of scalar fields."""

    def __init__(self):
        self.torch = load_torch()
        self.module, version = load("torch_harmonics")
        self.version = "torch_harmonics %s, torch %s" % (version, self.torch.__version__)

    def prepare(self, case):
        if case.spin or case.lmax != case.nlat - 1:
            raise Unusable("torch_harmonics is timed for scalar fields with lmax = nlat - 1")
        torch = self.torch
        real, values = {"double": (torch.float64, torch.complex128), "single": (torch.float32, torch.complex64)}[
            case.precision]
        forward, inverse = (
            kind(case.nlat, case.nphi, lmax=case.nlat, mmax=case.nlat, grid="legendre-gauss").to("cuda", real)
            for kind in (self.module.RealSHT, self.module.InverseRealSHT))
        alm = torch.randn(case.maps, case.nlat, case.nlat, dtype=values, device="cuda").tril()
        alm[..., 0].imag.zero_()
        arrays = {"alm": alm}

        def synthesis():
            arrays["map"] = inverse(alm)

        def analysis():
            arrays["back"] = forward(arrays["map"])

        return synthesis, analysis, lambda: (alm, arrays["back"])


CODES = {"shtns": Shtns, "torch_harmonics": TorchHarmonics}


def sample(synchronize, call):
    """(median, least) seconds of a call."""
    def run(count):
        synchronize()
        start = time.perf_counter()
        for _ in range(count):
            call()
        synchronize()
        return time.perf_counter() - start

    count, start = 1, time.perf_counter()
    run(count)
    while True:
        seconds = run(count)
        if seconds >= FILL and time.perf_counter() - start >= WARM_UP:
            break
        if seconds < FILL:
            count = max(count + 1, int(1.1 * count * FILL / max(seconds, 1e-6)) + 1)
    some = [run(count) / count for _ in range(SAMPLES)]
    return statistics.median(some), min(some)


def measure(code, case):
    torch = code.torch
    with torch.no_grad():
        synthesis, analysis, arrays = code.prepare(case)

        def both():
            synthesis()
            analysis()

        both()
        alm, back = arrays()
        error = float(torch.linalg.vector_norm(back - alm) / torch.linalg.vector_norm(alm))
        down = sample(torch.cuda.synchronize, synthesis)
        # An analysis may overwrite its map, so that it is timed after a synthesis.
        pair = sample(torch.cuda.synchronize, both)
    print("synthesis %.4f %.4f" % (1e3 * down[0], 1e3 * down[1]))
    print("analysis %.4f %.4f" % (1e3 * (pair[0] - down[0]), 1e3 * (pair[1] - down[1])))
    good = error <= MOST_ERROR[case.precision]
    print("round trip: relative error %.1e%s" % (error, "" if good else "  TOO LARGE"))
    return 0 if good else 1


def main(words):
    parser = argparse.ArgumentParser(description="Times the transforms of another code on the first GPU.")
    parser.add_argument("code", choices=CODES)
    for name, default in (("nlat", 0), ("nphi", 0), ("lmax", 0), ("spin", 0), ("maps", 1)):
        parser.add_argument("--" + name, type=int, default=default)
    parser.add_argument("--precision", choices=MOST_ERROR, default="double")
    case = parser.parse_args(words)
    case.nphi = case.nphi or 2 * case.nlat
    try:
        code = CODES[case.code]()
        print("version: " + code.version, flush=True)
        return measure(code, case) if case.nlat else 0
    except Unusable as reason:
        print("unusable: %s" % reason)
        return 3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
