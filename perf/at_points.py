"""Cases of compare.py: transforms at points against ducc0, and lensed maps against lenspyx."""
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

try:
    import numpy as np
except ImportError:  # compare.py reports this, except for --help
    np = None

POINTS = r"points(\d+)_n(\d+)_s(\d+)_e(\d+)(_shuffled)?"
LENS = r"lens(\d+)_l(\d+)"
SPECTRUM = pathlib.Path(__file__).resolve().parents[1] / "config" / "spectra" / "ffp10_lensing_dl.dat"
SPECTRUM_LMAX = 3500
LENS_ACCURACY = 1e-7
# Accuracies requested from Armilla, relative to that of ducc0. The largest one with an error of at most ducc0's is also
# timed.
LOOSER = [30, 10, 5, 3, 2, 1, 0.5, 0.3, 0.1]
DIRECTIONS = ["synthesis", "adjoint"]


class AtPoints:
    """Transforms at the pixels of a HEALPix map displaced by lensing, parsed from the case name."""

    def __init__(self, name):
        found = re.fullmatch(POINTS, name)
        self.name, self.maps = name, 1
        self.lmax, self.nside, self.spin, digits = (int(text) for text in found.groups()[:4])
        self.accuracy, self.shuffled, self.components = 10.0**-digits, found[5] is not None, 2 if self.spin else 1


class Lensed:
    """A lensed map of T, Q, U on HEALPix, parsed from the case name."""

    def __init__(self, name):
        found = re.fullmatch(LENS, name)
        self.name, self.nside, self.lmax, self.spin, self.maps, self.components = name, int(found[1]), int(found[2]), 0, 1, 3


def case_of(name):
    return AtPoints(name) if re.fullmatch(POINTS, name) else Lensed(name) if re.fullmatch(LENS, name) else None


def run_job(armilla, steps, outputs, inputs={}):
    """Runs the steps and returns the report."""
    job = {"version": 1, "inputs": inputs, "steps": steps, "outputs": {name: {"file": f"{name}.h5"} for name in outputs}}
    (armilla.folder / "job.yaml").write_text(json.dumps(job))  # JSON is YAML
    armilla.call("run", "job.yaml", "--quiet", "--report", "report.json")
    return json.loads((armilla.folder / "report.json").read_text())


def drawn(fields, lmax):
    """Steps that draw coefficients up to lmax."""
    return [{"random_alm": {"spectrum": str(SPECTRUM), "spectrum_kind": "dl", "fields": fields,
                            "lmax": min(lmax, SPECTRUM_LMAX), "seed": 1, "out": "drawn"}},
            {"resize": {"alm": "drawn", "lmax": lmax, "out": "sky"}}]


def dataset(armilla, name, h5py, key):
    with h5py.File(armilla.folder / f"{name}.h5") as file:
        return file[key][:]


def lensed_points(case, armilla, h5py):
    """Pixels displaced by a realisation of the lensing potential, [point][theta, phi]."""
    run_job(armilla, drawn(["P"], case.lmax) + [
        {"gradient": {"alm": "sky", "grid": {"healpix": {"nside": case.nside}}, "out": "vectors"}},
        {"pointing": {"map": "vectors", "out": "moved"}}], ["moved"])
    loc = np.ascontiguousarray(dataset(armilla, "moved", h5py, "map")[:2].T)
    return np.random.default_rng(3).permutation(loc) if case.shuffled else loc


def compare_points(case, armilla, peers, alternations, rounds, tools):
    """Rows of a case: both directions, with and without planning, at the requested accuracy and at ducc0's error."""
    h5py, threads, relative_rms, band = tools
    ducc0 = next((peer for peer in peers if peer.name == "ducc0"), None)
    if not ducc0:
        print(f"{case.name} is skipped: it requires ducc0")
        return []
    program = pathlib.Path(armilla.binary).parents[1] / "perf" / "perf_points"
    if not program.is_file():
        sys.exit(f"compare.py: {program} does not exist: configure with -DARMILLA_PERF=ON, or omit {case.name}")
    loc = lensed_points(case, armilla, h5py)
    alm = case_alm(case)
    values = np.random.default_rng(4).normal(size=(case.components, loc.shape[0]))
    folder = armilla.folder
    for name, numbers in (("theta", loc[:, 0]), ("phi", loc[:, 1]), ("alm", alm), ("values", values)):
        np.ascontiguousarray(numbers).tofile(folder / f"{name}.f64")
    values_out, alm_out = np.empty_like(values), np.empty_like(alm)
    common = dict(lmax=case.lmax, mmax=case.lmax, spin=case.spin, loc=loc, nthreads=threads)
    works = {"synthesis": lambda eps: ducc0.sht.synthesis_general(alm=alm, map=values_out, epsilon=eps, **common),
             "adjoint": lambda eps: ducc0.sht.adjoint_synthesis_general(map=values, alm=alm_out, epsilon=eps, **common)}
    best = max(2e-13, 1e-15 * case.lmax)  # of Armilla; ducc0 supports the same
    truth = {direction: work(best).copy() for direction, work in works.items()}
    error = {direction: relative_rms(work(case.accuracy), truth[direction]) for direction, work in works.items()}

    def time_armilla(accuracies, turns):
        """Records of perf_points, with the error of each direction."""
        subprocess.run([program, "--lmax", str(case.lmax), "--spin", str(case.spin), "--turns", str(turns), "--data",
                        folder, "--json", folder / "points.json", "--accuracy", *map(str, accuracies)],
                       check=True, stdout=subprocess.DEVNULL)
        records = json.loads((folder / "points.json").read_text())
        for k, record in enumerate(records):
            found = {"synthesis": np.fromfile(folder / f"values_{k}.f64").reshape(values.shape),
                     "adjoint": np.fromfile(folder / f"alm_{k}.f64").view(complex).reshape(alm.shape)}
            record["error"] = {direction: relative_rms(found[direction], truth[direction]) for direction in DIRECTIONS}
        return records

    candidates = [factor * case.accuracy for factor in LOOSER if best <= factor * case.accuracy <= 0.5]
    tried = time_armilla(candidates, 1)
    enough = [record["accuracy"] for record in tried
              if all(record["error"][direction] <= error[direction] for direction in DIRECTIONS)]
    asked = {"asked": case.accuracy, "equal error": enough[0] if enough else candidates[-1]}
    if asked["equal error"] == case.accuracy:
        del asked["asked"]
    seconds = {(kind, direction): {"armilla": [], "planned": [], "ducc0": []} for kind in asked for direction in DIRECTIONS}
    errors = {}
    for alternation in range(alternations):
        for who in ["armilla", "ducc0"][:: -1 if alternation % 2 else 1]:
            if who == "armilla":
                for kind, record in zip(asked, time_armilla(asked.values(), rounds)):
                    plan = statistics.median(record["seconds"]["plan"])
                    for direction in DIRECTIONS:
                        found = statistics.median(record["seconds"][direction])
                        seconds[kind, direction]["armilla"].append(found)
                        seconds[kind, direction]["planned"].append(found + plan)
                        errors[kind, direction] = record["error"][direction]
                continue
            for direction in DIRECTIONS:
                times = []
                for _ in range(rounds):
                    start = time.perf_counter()
                    works[direction](case.accuracy)
                    times.append(time.perf_counter() - start)
                for kind in asked:
                    seconds[kind, direction]["ducc0"].append(statistics.median(times))
    rows = []
    for (kind, direction), times in seconds.items():
        for own in ("armilla", "planned"):
            rows.append({"case": f"{case.name}, {kind}", "direction": direction + (" + plan" if own == "planned" else ""),
                         "seconds": {"armilla": times[own], "ducc0": times["ducc0"]}, "armilla": {},
                         "ratios": {"ducc0": band([theirs / ours for theirs, ours in zip(times["ducc0"], times[own])])},
                         "agreement": {"ducc0": errors[kind, direction]}, "agree": case.accuracy,
                         "note": f", at accuracy {asked[kind]:.0e}; error of ducc0 {error[direction]:.1e}"})
    return rows


def case_alm(case):
    """White noise, [component][index], m-major, real for m = 0, zero for degrees below the spin."""
    size = (case.lmax + 1) * (case.lmax + 2) // 2
    random = np.random.default_rng(2)
    alm = random.normal(size=(case.components, size)) + 1j * random.normal(size=(case.components, size))
    alm[:, :case.lmax + 1].imag = 0
    start = 0
    for m in range(min(case.spin, case.lmax + 1)):
        alm[:, start:start + case.spin - m] = 0
        start += case.lmax + 1 - m
    return alm


def compare_lens(case, armilla, alternations, tools):
    """Rows of a lensed map: with file input and output, and in memory."""
    h5py, threads, relative_rms, band = tools
    try:
        import lenspyx
    except ImportError:
        print(f"{case.name} is skipped: it requires lenspyx (pip install lenspyx)")
        return []
    folder = armilla.folder
    run_job(armilla, drawn(["T", "E", "B", "P"], case.lmax) + [
        {"select": {"alm": "sky", "fields": ["T", "E", "B"], "out": "unlensed"}},
        {"select": {"alm": "sky", "fields": ["P"], "out": "potential"}}], ["unlensed", "potential"])
    grid = {"healpix": {"nside": case.nside}}
    steps = [{"lens": {"alm": "unlensed", "potential": "potential", "grid": grid, "accuracy": LENS_ACCURACY,
                       "out": "lensed"}}]
    inputs = {"unlensed": {"alm": "unlensed.h5", "fields": ["T", "E", "B"]},
              "potential": {"alm": "potential.h5", "fields": ["P"]}}
    degrees = np.concatenate([np.arange(m, case.lmax + 1) for m in range(case.lmax + 1)])

    def peer():
        """Seconds with file input and output, and seconds of lenspyx alone."""
        start = time.perf_counter()
        alm, potential = dataset(armilla, "unlensed", h5py, "alm"), dataset(armilla, "potential", h5py, "alm")[0]
        begin = time.perf_counter()
        lensed = lenspyx.alm2lenmap(list(alm), potential * np.sqrt(degrees * (degrees + 1.0)), nthreads=threads,
                                    geometry=("healpix", {"nside": case.nside}), epsilon=LENS_ACCURACY)
        middle = time.perf_counter()
        with h5py.File(folder / "peer.h5", "w") as file:
            maps = file.create_dataset("map", (3, lensed[0].size), dtype=float)
            for k in range(3):
                maps[k] = lensed[k]
        with open(folder / "peer.h5", "rb") as file:
            os.fsync(file.fileno())  # as Armilla does before it renames a file
        return time.perf_counter() - start, middle - begin

    names = ["from files to a file", "in memory"]
    seconds = {name: {"armilla": [], "lenspyx": []} for name in names}
    for alternation in range(alternations + 1):  # the first is a warm-up
        for who in ["armilla", "lenspyx"][:: -1 if alternation % 2 else 1]:
            if who == "armilla":
                start = time.perf_counter()
                report = run_job(armilla, steps, ["lensed"], inputs)
                times = time.perf_counter() - start, sum(step["max"] for step in report["steps"])
            else:
                times = peer()
            if alternation > 0:
                for name, value in zip(names, times):
                    seconds[name][who].append(value)
    agreement = relative_rms(dataset(armilla, "lensed", h5py, "map"), dataset(armilla, "peer", h5py, "map"))
    return [{"case": case.name, "direction": name, "seconds": seconds[name], "armilla": {}, "agree": LENS_ACCURACY,
             "ratios": {"lenspyx": band([theirs / own for theirs, own in zip(times["lenspyx"], times["armilla"])])},
             "agreement": {"lenspyx": agreement}} for name, times in seconds.items()]
