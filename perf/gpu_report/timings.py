"""Benchmarks, and the rows of the table in docs/performance.md that they fill."""

import json
import os
import re
import time

LIMIT_SECONDS = 90
LEAST_SECONDS = 3

SIZES = ("nside", "nlat", "nphi", "lmax", "spin", "maps")
QUICK_SIZES = {"nside": 8, "nlat": 32, "nphi": 64, "lmax": 15, "spin": 2, "maps": 4}


def case(name, program="perf_device", **options):
    return {"name": name, "program": program, "options": options}


# Those with rows first.
CASES = [
    case("gauss_4095", nlat=4096, lmax=4095),
    case("healpix_2048", nside=2048, lmax=4095),
    case("healpix_2048_spin2", nside=2048, lmax=4095, spin=2),
    case("gauss_4095_8maps", nlat=4096, lmax=4095, maps=8),
    case("healpix_128_64maps", nside=128, lmax=383, maps=64),
    case("gauss_8191", nlat=8192, lmax=8191),
    case("iteration_128_256maps", "perf_device_iteration", nside=128, lmax=383, maps=256),
    case("radial_2048", "perf_radial", nside=2048, lmax=4095, **{"backend": "cuda", "fwhm-arcmin": 4.7}),
    case("points_4095_1e-6", "perf_device_points", nside=2048, lmax=4095, accuracy=1e-6),
    case("points_4095_1e-10", "perf_device_points", nside=2048, lmax=4095, accuracy=1e-10),
    case("points_4095_1e-4", "perf_device_points", nside=2048, lmax=4095, accuracy=1e-4),
    case("points_4095_1e-6_spin2", "perf_device_points", nside=2048, lmax=4095, accuracy=1e-6, spin=2),
    case("points_4095_1e-6_shuffled", "perf_device_points", nside=2048, lmax=4095, accuracy=1e-6, shuffled=True),
    case("points_4095_1e-4_single", "perf_device_points", nside=2048, lmax=4095, accuracy=1e-4, precision="single"),
    case("rates", "perf_rates"),
    case("gauss_4095_single", nlat=4096, lmax=4095, precision="single"),
    case("gauss_4095_8maps_cuda", nlat=4096, lmax=4095, maps=8, variant="cuda_cores"),
    case("gauss_4095_4maps_cuda", nlat=4096, lmax=4095, maps=4, variant="cuda_cores"),
    case("gauss_4095_4maps_tensor", nlat=4096, lmax=4095, maps=4, variant="tensor_cores"),
    case("gauss_4095_8maps_single", nlat=4096, lmax=4095, maps=8, precision="single"),
    case("healpix_128_64maps_cuda", nside=128, lmax=383, maps=64, variant="cuda_cores"),
    case("iteration_128_64maps", "perf_device_iteration", nside=128, lmax=383, maps=64),
    case("iteration_128_512maps_single", "perf_device_iteration", nside=128, lmax=383, maps=512, precision="single"),
    case("iteration_128_256maps_spin2", "perf_device_iteration", nside=128, lmax=383, maps=256, spin=2),
    case("iteration_256_64maps_spin2", "perf_device_iteration", nside=256, lmax=512, maps=64, spin=2),
    case("gauss_255", nlat=256, lmax=255),
    case("gauss_511", nlat=512, lmax=511),
    case("gauss_1023", nlat=1024, lmax=1023),
    # The sizes of other codes (part "peers").
    case("gauss_179_8maps", nlat=180, nphi=360, lmax=179, maps=8),
    case("gauss_179_8maps_single", nlat=180, nphi=360, lmax=179, maps=8, precision="single"),
    case("gauss_359", nlat=360, nphi=720, lmax=359),
    case("gauss_359_single", nlat=360, nphi=720, lmax=359, precision="single"),
    case("gauss_1023_spin1", nlat=1024, lmax=1023, spin=1),
    case("gauss_4095_spin1", nlat=4096, lmax=4095, spin=1),
    case("gauss_8191_spin1", nlat=8192, lmax=8191, spin=1),
]

# (case, line of the program's table, name of the row, wanted milliseconds or None, per map)
ROWS = [
    ("gauss_4095", "legendre synthesis", "gauss_4095_legendre_synthesis", 3.5, False),
    ("gauss_4095", "legendre adjoint", "gauss_4095_legendre_adjoint", 3.5, False),
    ("gauss_4095", "synthesis", "gauss_4095_synthesis", 5.0, False),
    ("gauss_4095", "analysis", "gauss_4095_analysis", 5.0, False),
    ("healpix_2048", "synthesis", "healpix_2048_synthesis", 8.0, False),
    ("healpix_2048", "analysis", "healpix_2048_analysis", 8.0, False),
    ("healpix_2048_spin2", "synthesis", "healpix_2048_spin2_synthesis", 14.0, False),
    ("healpix_2048_spin2", "analysis", "healpix_2048_spin2_analysis", 14.0, False),
    ("gauss_4095_8maps", "legendre synthesis", "gauss_4095_8maps_legendre_synthesis", 1.3, True),
    ("gauss_4095_8maps", "legendre adjoint", "gauss_4095_8maps_legendre_adjoint", 1.3, True),
    ("gauss_4095_8maps_cuda", "legendre synthesis", "gauss_4095_8maps_cuda_legendre_synthesis", None, True),
    ("gauss_4095_8maps_cuda", "legendre adjoint", "gauss_4095_8maps_cuda_legendre_adjoint", None, True),
    ("healpix_128_64maps", "synthesis", "healpix_128_64maps_synthesis", 0.025, True),
    ("healpix_128_64maps", "analysis", "healpix_128_64maps_analysis", 0.025, True),
    ("gauss_8191", "synthesis", "gauss_8191_synthesis", 30.0, False),
    ("gauss_8191", "analysis", "gauss_8191_analysis", 30.0, False),
    # Small sizes, bound by launches; those of lmax 179 and 359 are compared with torch-harmonics.
    ("gauss_255", "synthesis", "gauss_255_synthesis", None, False),
    ("gauss_255", "analysis", "gauss_255_analysis", None, False),
    ("gauss_1023", "synthesis", "gauss_1023_synthesis", None, False),
    ("gauss_1023", "analysis", "gauss_1023_analysis", None, False),
    ("gauss_179_8maps", "synthesis", "gauss_179_8maps_synthesis", 0.06, False),
    ("gauss_179_8maps", "analysis", "gauss_179_8maps_analysis", 0.06, False),
    ("gauss_179_8maps_single", "synthesis", "gauss_179_8maps_single_synthesis", 0.06, False),
    ("gauss_179_8maps_single", "analysis", "gauss_179_8maps_single_analysis", 0.06, False),
    ("gauss_359", "synthesis", "gauss_359_synthesis", 0.06, False),
    ("gauss_359", "analysis", "gauss_359_analysis", 0.06, False),
    ("gauss_359_single", "synthesis", "gauss_359_single_synthesis", 0.06, False),
    ("gauss_359_single", "analysis", "gauss_359_single_analysis", 0.06, False),
    # What the program prints is per map and round.
    ("iteration_128_256maps", "jacobi, rings", "iteration_128_256maps_jacobi", 0.050, False),
    ("iteration_128_256maps", "immediate", "iteration_128_256maps_immediate", 0.050, False),
    ("radial_2048", "rings", "radial_2048_rings", 8.0, False),
    ("radial_2048", "harmonic", "radial_2048_harmonic", None, False),
    ("points_4095_1e-6", "at points", "points_4095_1e-6_synthesis", 30.0, False),
    ("points_4095_1e-6", "from points", "points_4095_1e-6_adjoint", 45.0, False),
    ("points_4095_1e-10", "at points", "points_4095_1e-10_synthesis", 45.0, False),
    ("points_4095_1e-10", "from points", "points_4095_1e-10_adjoint", 70.0, False),
    ("points_4095_1e-4", "at points", "points_4095_1e-4_synthesis", None, False),
    ("points_4095_1e-4", "from points", "points_4095_1e-4_adjoint", None, False),
    ("points_4095_1e-6_spin2", "at points", "points_4095_1e-6_spin2_synthesis", None, False),
    ("points_4095_1e-6_spin2", "from points", "points_4095_1e-6_spin2_adjoint", None, False),
    ("points_4095_1e-6_shuffled", "at points", "points_4095_1e-6_shuffled_synthesis", None, False),
    ("points_4095_1e-6_shuffled", "from points", "points_4095_1e-6_shuffled_adjoint", None, False),
    ("points_4095_1e-4_single", "at points", "points_4095_1e-4_single_synthesis", None, False),
    ("points_4095_1e-4_single", "from points", "points_4095_1e-4_single_adjoint", None, False),
    ("gauss_1023_spin1", "synthesis", "gauss_1023_spin1_synthesis", None, False),
    ("gauss_1023_spin1", "analysis", "gauss_1023_spin1_analysis", None, False),
    ("gauss_4095_spin1", "synthesis", "gauss_4095_spin1_synthesis", None, False),
    ("gauss_4095_spin1", "analysis", "gauss_4095_spin1_analysis", None, False),
    ("gauss_8191_spin1", "synthesis", "gauss_8191_spin1_synthesis", None, False),
    ("gauss_8191_spin1", "analysis", "gauss_8191_spin1_analysis", None, False),
]

STAGES = re.compile(r"^((?:legendre |rings )?(?:synthesis|adjoint)|analysis) +([\d.]+) +([\d.]+)$")
ITERATION = re.compile(r"^(jacobi, pixels|jacobi, rings|immediate) +[\d.]+ ms, +([\d.]+) us per map and round$")
# Width, cutoff, lmax, seconds by rings and by harmonics.
RADIAL = re.compile(r"^ +[\d.]+ +[\d.]+ +\d+ +([\d.]+) +([\d.]+) ")
# Accuracy, width, fine grid, seconds of planning, synthesis and adjoint.
POINTS = re.compile(r"^ *[\d.]+e[-+]\d+ +\d+ +\d+ +[\d.]+ +([\d.]+) +([\d.]+) ")
# Of the transpose, and at some points.
ERRORS = re.compile(r"^relative errors: transpose (\S+), at \d+ points against the CPU (\S+)")
TOO_LARGE = "TOO LARGE"
RATE = re.compile(r"^(\S.*?) +([\d.]+) ms +plain +([\d.]+) +tiles +([\d.]+) TFMA/s$")
CYCLES = re.compile(r"^cycles: (\S.*?) +([\d.]+) of a (?:scheduler|multiprocessor)$")


def arguments(options, quick):
    """Options of the command line; on the emulated device of a case that takes milliseconds."""
    words = []
    for key, value in options.items():
        if quick and key in SIZES:
            value = min(value, QUICK_SIZES[key])
        words += ["--" + key] if value is True else ["--" + key, str(value)]
    return words


def values_of(text):
    """{name: value} in milliseconds, but rates in TFMA/s, cycles and relative errors."""
    values = {}
    for line in text.split("\n"):
        stages, iteration, rate = STAGES.match(line), ITERATION.match(line), RATE.match(line)
        radial, points, errors = RADIAL.match(line), POINTS.match(line), ERRORS.match(line)
        cycles = CYCLES.match(line)
        if stages:
            values[stages.group(1)] = float(stages.group(2))
        elif iteration:
            values[iteration.group(1)] = 1e-3 * float(iteration.group(2))
        elif radial:
            values["rings"] = 1e3 * float(radial.group(1))
            values["harmonic"] = 1e3 * float(radial.group(2))
        elif points:
            values["at points"] = 1e3 * float(points.group(1))
            values["from points"] = 1e3 * float(points.group(2))
        elif errors:
            values["transpose [relative error]"] = float(errors.group(1))
            values["values [relative error]"] = float(errors.group(2))
        elif rate:
            values[rate.group(1) + " [TFMA/s]"] = float(rate.group(3)) + float(rate.group(4))
        elif cycles:
            values[cycles.group(1) + " [cycles]"] = float(cycles.group(2))
    return values


def make_rows(home, cases=None):
    """Rows of all cases, or of these, without measurements; predictions come from gpu_counts.json,
    {row: {"predicted_ms": number}}."""
    path = os.path.join(home, "gpu_counts.json")
    counts = {}
    if os.path.exists(path):
        with open(path) as file:
            counts = json.load(file)
    rows = []
    for of_case, _, row, wanted, _ in ROWS:
        if cases is not None and of_case not in cases:
            continue
        predicted = counts.get(row, {}).get("predicted_ms")
        rows.append({"row": row, "measured_ms": None, "wanted_ms": wanted, "predicted_ms": predicted})
    return rows


def fill_rows(rows, name, options, quick, values):
    of_name = {row["row"]: row for row in rows}
    for of_case, line, row_name, _, per_map in ROWS:
        row = of_name.get(row_name)
        if of_case != name or line not in values or row is None:
            continue
        maps = min(options["maps"], QUICK_SIZES["maps"]) if per_map and quick else options.get("maps", 1)
        row["measured_ms"] = values[line] / (maps if per_map else 1)


def run_cases(context, clocks):
    """Runs all benchmarks."""
    for one in CASES:
        if one["program"] == "perf_rates" and context.device == "emulated":
            if context.is_wanted(one["name"]):
                context.report.note("%s: the emulated device has none to measure" % one["name"])
        else:
            run_case(context, clocks, one)


def run_case(context, clocks, one):
    """Runs one benchmark within its time limit, and fills its rows; returns what it printed."""
    report = context.report
    name, options = one["name"], one["options"]
    log = report.log_path(name)
    if not context.is_wanted(name):
        return {}
    program = context.program(one["program"])
    if not program:
        report.benchmark(name, "failed", one["program"] + " not found", log, 0.0, {}, {})
        return {}
    if context.budget.left() < LEAST_SECONDS:
        report.benchmark(name, "not run", context.budget.reason(), log, 0.0, {}, {})
        return {}
    start = time.time()
    end = context.run([program] + arguments(options, context.quick), log, LIMIT_SECONDS)
    values = values_of(end.text)
    status, reason = "ok", ""
    if end.why == "budget":
        status, reason = "not run", end.reason()
    elif end.why == "limit":
        status, reason = "hung", end.reason()
    elif end.code != 0:
        status, reason = "failed", "errors are too large" if TOO_LARGE in end.text else end.reason()
    elif not values:
        status, reason = "failed", "its output has no times"
    elif one["program"] == "perf_device_points" and "values [relative error]" not in values:
        status, reason = "failed", "its output has no errors"
    report.benchmark(name, status, reason, log, end.seconds, values, clocks.between(start, time.time()))
    fill_rows(report.rows, name, options, context.quick, values)
    return values
