#!/usr/bin/env python3
"""Times Armilla against ducc0, healpy and SHTns on the same transforms and checks that all results agree."""
import argparse
import importlib
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time

import at_points
import convolved
import iterated

DEFAULT = ["gauss255_s0", "gauss1023_s0", "gauss2047_s0", "gauss4095_s0", "gauss4095_s2", "healpix2048_l4095_s0",
           "healpix2048_l4095_s2", "healpix2048_l6143_s0", "healpix2048_l6143_s2", "healpix128_l383_s0_k64",
           "cc2047_s0", "cc2047_s2", "f1_2047_s0", "f1_2047_s2", "mw2047_s0", "mw2047_s2", "rotation255",
           "rotation1023", "rotation4095", "jacobi128_l383_k256_t", "jacobi128_l383_k256_tqu",
           "radial2048_f4.7_l4095", "radial512_f60_l1000",
           *(f"points2047_n1024_s{spin}_e{digits}{order}" for spin in (0, 2) for digits in (4, 7, 10)
             for order in ("", "_shuffled")), "lens2048_l4095"]
QUICK = ["gauss255_s0", "gauss255_s2", "healpix64_l127_s0", "healpix64_l127_s2", "healpix32_l64_s0_k4", "cc127_s0",
         "f1_127_s2", "mw127_s0", "rotation255", "jacobi32_l95_k16_t", "jacobi32_l64_k16_tqu", "radial64_f240_l191",
         "points127_n64_s0_e7", "points127_n64_s2_e7_shuffled"]
# Rings that each grid needs beyond lmax + 1, and what ducc0 calls it.
LATITUDES = {"gauss": (0, "GL"), "cc": (1, "CC"), "f1": (0, "F1"), "mw": (0, "MW")}
ANGLES = [17, 63, -40]  # psi, theta, phi of rotations, degrees
DIRECTIONS = ["synthesis", "analysis"]
THREADS = int(os.environ.get("OMP_NUM_THREADS", "0")) or len(os.sched_getaffinity(0))
SEED = 2024
# Relative rms at which two codes still agree: each is exact to some 1e-13 times a slow growth with lmax; SHTns leaves
# out what is below 1e-10 next to the poles.
AGREE = 1e-9

EPILOG = f"""
cases: gaussLMAX_sSPIN, f1_LMAX_sSPIN, mwLMAX_sSPIN (LMAX + 1 rings of 2 LMAX + 2 pixels), ccLMAX_sSPIN (one more ring),
healpixNSIDE_lLMAX_sSPIN; suffix _kMAPS for a batch;
rotationLMAX: coefficients of one scalar field rotated by Euler angles;
jacobiNSIDE_lLMAX_kMAPS_t, .._tqu: many HEALPix maps of T, or T, Q, U, analysed with {iterated.ITERATIONS} iterations; time per map;
radialNSIDE_fFWHM_lLMAX: a HEALPix map convolved with a Gaussian of FWHM arc minutes by rings, against smoothing in
harmonic space up to LMAX;
pointsLMAX_nNSIDE_sSPIN_eDIGITS, .._shuffled: values at the pixels of a HEALPix map displaced by lensing, and the
adjoint, to a relative error of 10^-DIGITS, without and with planning ("+ plan"; ducc0 plans in each call); "asked" is
Armilla at the same accuracy, "equal error" at the largest accuracy whose error is at most that of ducc0;
lensNSIDE_lLMAX: lensed T, Q, U on HEALPix from alm of the sky and the potential, against lenspyx;
{textwrap.fill(' '.join(DEFAULT), 118, initial_indent='  default: ', subsequent_indent='    ')}
{textwrap.fill(' '.join(QUICK), 118, initial_indent='  --quick: ', subsequent_indent='    ')}
analysis is one application of the quadrature weights, without iterations; on equiangular grids it is exact.

Needs the packages numpy and h5py; compares with ducc0, healpy and shtns if installed (best built for
this machine: pip install --no-binary ducc0,shtns ducc0 shtns). points... needs ducc0 and perf_points, lens... needs
lenspyx. All run on OMP_NUM_THREADS threads ({THREADS} now).

Example: OMP_NUM_THREADS=2 perf/compare.py --armilla build/bin/armilla --quick --markdown table.md
"""


class Case:
    """One transform, from its name."""
    is_rotation = False

    def __init__(self, name):
        found = re.fullmatch(r"(?:(gauss|cc|f1_|mw)(\d+)|healpix(\d+)_l(\d+))_s(\d+)(?:_k(\d+))?", name)
        if not found:
            sys.exit(f"compare.py: there is no case '{name}': see --help for the names")
        rule = (found[1] or "").rstrip("_")
        rings, nside, lmax, spin, maps = (int(text) if text else 0 for text in found.groups()[1:])
        self.name, self.spin, self.maps = name, spin, maps or 1
        self.components = 1 if spin == 0 else 2
        self.lmax = rings or lmax
        self.nside, self.rule = nside, rule
        more, self.geometry = LATITUDES.get(rule, (0, None))
        self.nlat, self.nphi = (0, 0) if nside else (rings + 1 + more, 2 * rings + 2)
        self.npix = 12 * nside * nside if nside else self.nlat * self.nphi
        self.grid = f"healpix:{nside}" if nside else f"{rule}:{self.nlat}:{self.nphi}"
        size = {"nlat": self.nlat, "nphi": self.nphi}
        self.job_grid = ({"healpix": {"nside": nside}} if nside else {"gauss": size} if rule == "gauss"
                         else {"equiangular": {"rule": rule, **size}})

    def empty_alm(self):
        return np.zeros((self.components, (self.lmax + 1) * (self.lmax + 2) // 2), dtype=complex)

    def empty_map(self):
        return np.zeros((self.components, self.npix))

    def random_alm(self):
        """[component][index], m-major, m = 0 real, no degree below the spin."""
        size = (self.lmax + 1) * (self.lmax + 2) // 2
        random = np.random.default_rng(SEED)
        alm = random.normal(size=(self.components, size)) + 1j * random.normal(size=(self.components, size))
        alm[:, : self.lmax + 1].imag = 0
        start = 0
        for m in range(min(self.spin, self.lmax + 1)):
            alm[:, start : start + max(self.spin - m, 0)] = 0
            start += self.lmax + 1 - m
        return alm


class Rotation(Case):
    """The rotation of a scalar field, from its name."""
    is_rotation = True

    def __init__(self, name):
        self.name, self.lmax, self.spin, self.maps, self.components = name, int(name.removeprefix("rotation")), 0, 1, 1


def case_of(name):
    if re.fullmatch(iterated.PATTERN, name):
        return iterated.Iterated(name)
    if re.fullmatch(convolved.PATTERN, name):
        return convolved.Convolved(name)
    return at_points.case_of(name) or rotation_or_transform(name)


def rotation_or_transform(name):
    return Rotation(name) if re.fullmatch(r"rotation\d+", name) else Case(name)


# Each peer writes into arrays that it has had before, as armilla bench does, where its interface lets it. prepare()
# gives its transforms of a case, or None for a case that it does not have.


class Ducc0:
    name = "ducc0"

    def __init__(self, module):
        self.sht = module.sht
        self.healpix = module.healpix

    def prepare(self, case):
        if case.nside:
            geometry = self.healpix.Healpix_Base(case.nside, "RING").sht_info()
            common = dict(spin=case.spin, lmax=case.lmax, mmax=case.lmax, nthreads=THREADS, **geometry)
            alm_out, map_out = case.empty_alm(), case.empty_map()

            def analysis(maps):
                self.sht.adjoint_synthesis(map=maps, alm=alm_out, **common)
                return np.multiply(alm_out, 4 * np.pi / case.npix, out=alm_out)
            return {"synthesis": lambda alm: self.sht.synthesis(alm=alm, map=map_out, **common), "analysis": analysis}
        common = dict(spin=case.spin, lmax=case.lmax, mmax=case.lmax, geometry=case.geometry, nthreads=THREADS)
        shape = (case.components, case.nlat, case.nphi)
        alm_out, map_out = case.empty_alm(), case.empty_map().reshape(shape)
        return {"synthesis": lambda alm: self.sht.synthesis_2d(alm=alm, map=map_out, **common),
                "analysis": lambda maps: self.sht.analysis_2d(map=maps.reshape(shape), alm=alm_out, **common)}

    def rotation(self, case):
        alm_out = case.empty_alm()[0]
        return lambda alm: self.sht.rotate_alm(alm[0], case.lmax, *np.radians(ANGLES), nthreads=THREADS, out=alm_out)


class Healpy:
    name = "healpy"

    def __init__(self, module):
        self.healpy = module

    def prepare(self, case):
        if not case.nside or case.spin not in (0, 2):
            return None
        size = dict(lmax=case.lmax, mmax=case.lmax)
        if case.spin:
            return {"synthesis": lambda alm: self.healpy.alm2map_spin(list(alm), case.nside, 2, **size),
                    "analysis": lambda maps: self.healpy.map2alm_spin(list(maps), 2, **size)}
        return {"synthesis": lambda alm: self.healpy.alm2map(alm[0], case.nside, pixwin=False, **size),
                "analysis": lambda maps: self.healpy.map2alm(maps[0], iter=0, pol=False, **size)}

    def rotation(self, case):
        if case.lmax > 2047:
            return None  # minutes

        def rotate(alm):
            rotated = alm[0].copy()
            self.healpy.rotate_alm(rotated, *np.radians(ANGLES), lmax=case.lmax)
            return rotated
        return rotate


class Shtns:
    name = "shtns"

    def __init__(self, module):
        self.shtns = module

    def prepare(self, case):
        if case.rule != "gauss" or case.spin != 0:
            return None
        sht = self.shtns.sht(case.lmax, case.lmax, nthreads=THREADS)
        sht.set_grid(case.nlat, case.nphi, flags=self.shtns.sht_gauss | self.shtns.SHT_PHI_CONTIGUOUS)
        alm_out, map_out = case.empty_alm()[0], case.empty_map().reshape(case.nlat, case.nphi)

        def synthesis(alm):
            sht.SH_to_spat(alm[0], map_out)
            return map_out

        def analysis(maps):
            sht.spat_to_SH(maps, alm_out)
            return alm_out
        # spat_to_SH() overwrites its input, so each call has a copy, made while no clock runs.
        analysis.copy_input = lambda maps: maps.reshape(case.nlat, case.nphi).copy()
        return {"synthesis": synthesis, "analysis": analysis}


class Armilla:
    name = "armilla"

    def __init__(self, binary, engine, folder):
        self.binary, self.engine, self.folder = str(binary), engine, pathlib.Path(folder)

    def call(self, *arguments):
        done = subprocess.run([self.binary, *map(str, arguments)], cwd=self.folder, text=True, capture_output=True,
                              env={**os.environ, "OMP_NUM_THREADS": str(THREADS)})
        if done.returncode != 0:
            sys.exit(f"compare.py: {' '.join(map(str, arguments))} failed:\n{done.stderr}")

    def time(self, case, directions, rounds):
        """The records of armilla bench, by direction."""
        self.call("bench", "--grid", case.grid, "--lmax", case.lmax, "--spin", case.spin, "--maps", case.maps,
                  "--direction", ",".join(directions), "--engine", self.engine, "--rounds", rounds, "--json", "b.json")
        return {record["direction"]: record for record in json.loads((self.folder / "b.json").read_text())}

    def write_alm(self, case, alm, names):
        with h5py.File(self.folder / "alm.h5", "w") as file:
            data = file.create_dataset("alm", data=alm)
            data.attrs.update({"LMAX": case.lmax, "MMAX": case.lmax, "FIELDS": names})

    def rotate(self, case, alm, rounds):
        """Coefficients rotated once, and seconds of as many steps as there are rounds, each on what came before."""
        self.write_alm(case, alm, ["T"])
        steps = [{"rotate": {"alm": f"a{i}", "euler_deg": ANGLES, "out": f"a{i + 1}"}} for i in range(rounds + 1)]
        job = {"version": 1, "inputs": {"a0": {"alm": "alm.h5"}}, "steps": steps, "outputs": {"a1": {"file": "a1.h5"}}}
        (self.folder / "job.yaml").write_text(json.dumps(job))  # JSON is YAML
        self.call("run", "job.yaml", "--quiet", "--report", "report.json")
        with h5py.File(self.folder / "a1.h5") as file:
            rotated = file["alm"][:]
        report = json.loads((self.folder / "report.json").read_text())
        return rotated, [step["max"] for step in report["steps"]][1:]

    def results(self, case, alm):
        """Map of the coefficients, and the coefficients of that map, by a job."""
        self.write_alm(case, alm, ["T"] if case.spin == 0 else ["E", "B"])
        kind = {"fields": ["T"]} if case.spin == 0 else {"spin": case.spin}
        job = {"version": 1, "inputs": {"a": {"alm": "alm.h5", **kind}},
               "steps": [{"synthesis": {"alm": "a", "grid": case.job_grid, "out": "m"}},
                         {"analysis": {"map": "m", "lmax": case.lmax, "method": "quadrature", "out": "back"}}],
               "outputs": {"m": {"file": "map.h5"}, "back": {"file": "back.h5"}}}
        (self.folder / "job.yaml").write_text(json.dumps(job))  # JSON is YAML
        self.call("run", "job.yaml", "--quiet")
        with h5py.File(self.folder / "map.h5") as file:
            maps = file["map"][:]
        with h5py.File(self.folder / "back.h5") as file:
            back = file["alm"][:]
        return maps, back


PEERS = [("ducc0", Ducc0), ("healpy", Healpy), ("shtns", Shtns)]


def find_peers():
    peers = []
    for module, adapter in PEERS:
        try:
            peers.append(adapter(importlib.import_module(module)))
        except ImportError as error:
            print(f"{module} is not available, comparing without it ({error})")
    return peers


def call_once(work, data):
    """Result and seconds of one transform."""
    prepared = work.copy_input(data) if hasattr(work, "copy_input") else data
    start = time.perf_counter()
    result = work(prepared)
    return result, time.perf_counter() - start


def time_peer(work, data, case, rounds):
    """Median seconds of `rounds` transforms of all maps; a batch is a loop, for none of the peers takes one."""
    return statistics.median(sum(call_once(work, data)[1] for _ in range(case.maps)) for _ in range(rounds))


def relative_rms(found, truth):
    return float(np.linalg.norm(np.ravel(found) - np.ravel(truth)) / np.linalg.norm(np.ravel(truth)))


def band(ratios):
    return {"median": statistics.median(ratios), "min": min(ratios), "max": max(ratios)}


def summary(records):
    """Armilla's own account of its time: medians over the alternations."""
    return {**{phase: statistics.median(r["phases"][phase] for r in records) for phase in ("legendre", "rings")},
            "fma": records[0]["fma"], "fma_fraction": statistics.median(r["fma_fraction"] for r in records),
            "error": max(r["error"] for r in records)}


def compare(case, armilla, peers, alternations, rounds):
    """One row for each direction."""
    alm = case.random_alm()
    maps, back = armilla.results(case, alm)
    data, truth = {"synthesis": alm, "analysis": maps}, {"synthesis": maps, "analysis": back}
    works = {peer.name: work for peer in peers if (work := peer.prepare(case))}
    agreement = {direction: {name: relative_rms(call_once(work[direction], data[direction])[0], truth[direction])
                             for name, work in works.items()} for direction in DIRECTIONS}
    seconds = {direction: {name: [] for name in ["armilla", *works]} for direction in DIRECTIONS}
    records = {direction: [] for direction in DIRECTIONS}
    for alternation in range(alternations):
        order = ["armilla", *works]
        shift = alternation % len(order)
        for name in order[shift:] + order[:shift]:
            if name == "armilla":
                for direction, record in armilla.time(case, DIRECTIONS, rounds).items():
                    records[direction].append(record)
                    seconds[direction][name].append(statistics.median(record["seconds"]))
                continue
            for direction in DIRECTIONS:
                seconds[direction][name].append(time_peer(works[name][direction], data[direction], case, rounds))
    rows = []
    for direction in DIRECTIONS:
        own = seconds[direction]["armilla"]
        ratios = {name: band([peer / mine for peer, mine in zip(times, own)])
                  for name, times in seconds[direction].items() if name != "armilla"}
        rows.append({"case": case.name, "direction": direction, "seconds": seconds[direction], "ratios": ratios,
                     "agreement": agreement[direction], "armilla": summary(records[direction])})
    return rows


def compare_rotation(case, armilla, peers, alternations, rounds):
    """The row of a rotation."""
    alm = case.random_alm()
    truth, _ = armilla.rotate(case, alm, 0)
    works = {peer.name: work for peer in peers if hasattr(peer, "rotation") and (work := peer.rotation(case))}
    agreement = {name: relative_rms(call_once(work, alm)[0], truth) for name, work in works.items()}
    seconds = {name: [] for name in ["armilla", *works]}
    for alternation in range(alternations):
        order = list(seconds)
        shift = alternation % len(order)
        for name in order[shift:] + order[:shift]:
            seconds[name].append(statistics.median(armilla.rotate(case, alm, rounds)[1]) if name == "armilla"
                                 else time_peer(works[name], alm, case, rounds))
    ratios = {name: band([peer / mine for peer, mine in zip(seconds[name], seconds["armilla"])]) for name in works}
    return [{"case": case.name, "direction": "rotation", "seconds": seconds, "ratios": ratios, "agreement": agreement,
             "armilla": {}}]


def print_row(row):
    own = statistics.median(row["seconds"]["armilla"])
    record = row["armilla"]
    phases = (f" (legendre {1e3 * record['legendre']:.3f}, rings {1e3 * record['rings']:.3f}, "
              f"{100 * record['fma_fraction']:.0f}% of the FMA peak)") if record else ""
    print(f"{row['case']:<26} {row['direction']:<9} armilla {1e3 * own:10.3f} ms{phases}")
    for name, ratio in row["ratios"].items():
        difference = row["agreement"][name]
        verdict = "agrees" if difference <= row.get("agree", AGREE) else "DIFFERS"
        print(f"{'':<36} {name:<7} {1e3 * statistics.median(row['seconds'][name]):10.3f} ms, "
              f"{ratio['median']:6.2f}x [{ratio['min']:.2f} .. {ratio['max']:.2f}], {verdict} to {difference:.1e}"
              f"{row.get('note', '')}")
    sys.stdout.flush()


def markdown(rows):
    names = list(dict.fromkeys([name for name, _ in PEERS] + [name for row in rows for name in row["ratios"]]))
    lines = ["| case | direction | armilla [ms] | legendre [ms] | of the FMA peak | rings [ms] | "
             + " | ".join(f"{name}/armilla" for name in names) + " |",
             "|---|---|---|---|---|---|" + "---|" * len(names)]
    for row in rows:
        record = row["armilla"]
        cells = [row["case"], row["direction"], f"{1e3 * statistics.median(row['seconds']['armilla']):.4g}"]
        cells += [f"{1e3 * record['legendre']:.4g}", f"{100 * record['fma_fraction']:.0f}%",
                  f"{1e3 * record['rings']:.4g}"] if record else [""] * 3
        for name in names:
            ratio = row["ratios"].get(name)
            cells.append(f"{ratio['median']:.2f} ({ratio['min']:.2f} .. {ratio['max']:.2f})" if ratio else "")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def machine():
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def arguments():
    root = pathlib.Path(__file__).resolve().parents[1]
    parser = argparse.ArgumentParser(description=__doc__, epilog=EPILOG,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--armilla", default=root / "build" / "bin" / "armilla", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--engine", default="auto", metavar="NAME", help="Armilla's engine of the Legendre stage")
    parser.add_argument("--case", nargs="+", metavar="NAME", help="cases to run instead of the default set")
    parser.add_argument("--quick", action="store_true", help="small cases only, about a minute")
    parser.add_argument("--alternations", type=int, default=7, metavar="N",
                        help="alternations: runs of each code (default 7)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N",
                        help="transforms per run, of which the median is used (default 3)")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write all times and ratios")
    parser.add_argument("--markdown", type=pathlib.Path, metavar="FILE", help="write a table")
    return parser.parse_args()


def main():
    options = arguments()
    if not options.armilla.is_file():
        sys.exit(f"compare.py: {options.armilla} does not exist: build it, or specify its path with --armilla")
    cases = [case_of(name) for name in options.case or (QUICK if options.quick else DEFAULT)]
    peers = find_peers()
    print(f"{machine()}, {THREADS} threads, {options.alternations} alternations of {options.rounds} rounds; "
          "ratios are peer/armilla: median [min .. max] over the alternations")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        armilla = Armilla(options.armilla.resolve(), options.engine, folder)
        for case in cases:
            if isinstance(case, iterated.Iterated):
                found = iterated.compare_iterated(case, armilla, peers, options.alternations, h5py, relative_rms, band)
            elif isinstance(case, convolved.Convolved):
                found = convolved.compare_convolved(case, armilla, peers, options.alternations, options.rounds,
                                                    (np, h5py, THREADS, relative_rms, band))
            elif isinstance(case, at_points.AtPoints):
                found = at_points.compare_points(case, armilla, peers, options.alternations, options.rounds,
                                                 (h5py, THREADS, relative_rms, band))
            elif isinstance(case, at_points.Lensed):
                found = at_points.compare_lens(case, armilla, options.alternations, (h5py, THREADS, relative_rms, band))
            else:
                run = compare_rotation if case.is_rotation else compare
                found = run(case, armilla, peers, options.alternations, options.rounds)
            for row in found:
                print_row(row)
                rows.append(row)
    if options.json:
        document = {"machine": machine(), "threads": THREADS, "alternations": options.alternations,
                    "rounds": options.rounds, "rows": rows}
        options.json.write_text(json.dumps(document, indent=2) + "\n")
    if options.markdown:
        options.markdown.write_text(markdown(rows))
    return 0 if all(d <= row.get("agree", AGREE) for row in rows for d in row["agreement"].values()) else 1


if __name__ == "__main__":
    if "-h" not in sys.argv and "--help" not in sys.argv:
        try:
            import h5py
            import numpy as np
        except ImportError as missing:
            sys.exit(f"compare.py: {missing}: install numpy and h5py, or see --help")
    sys.exit(main())
