"""Jobs of trials in which one call fails: each reads and writes some formats, and starts from a folder that was prepared
once. What an undisturbed run leaves and prints is their reference."""
import os
import pathlib
import shutil
import subprocess

import numpy as np
from runs import digest, environment, write_map

SKY = "  sky: {map: sky.h5}\n"
ANALYSIS = "  - analysis: {map: sky, lmax: 24, method: {jacobi: {iterations: 1}}, out: alm}\n"


# A random draw of the spectra in a file, and a sum of coefficients.
DRAWN = "  - random_alm: {{spectrum: {file}, spectrum_kind: cl, fields: [T, E, B], lmax: 24, seed: 3, out: drawn}}\n"
SUM = "  - add: {{alm: {first}, with: {second}, out: {out}}}\n"


def job(inputs, steps, outputs, execution=""):
    return f"version: 1\ninputs:\n{inputs}steps:\n{steps}outputs:\n{outputs}" + \
        (f"execution: {{{execution}}}\n" if execution else "")


# Every kind of output of a single map but points.
MAPS = ["map.h5", "map.fits", "half.h5, precision: single", "nested.fits, ordering: nested"]
OUTPUTS = job(SKY, ANALYSIS + "".join(f"  - synthesis: {{alm: alm, grid: {{healpix: {{nside: 16}}}}, out: map_{i}}}\n"
                                      for i, _ in enumerate(MAPS))
              + "  - scale: {alm: alm, factor: 1, out: same_alm}\n"
              + "".join(f"  - spectra: {{alm: alm, out: cl_{i}}}\n" for i in range(3)),
              "".join(f"  map_{i}: {{file: {file}}}\n" for i, file in enumerate(MAPS))
              + "  alm: {file: alm.h5}\n  same_alm: {file: alm.fits}\n"
              "  cl_0: {file: cl.h5}\n  cl_1: {file: cl.fits}\n  cl_2: {file: cl.dat}\n")


def reading(ending, spectrum):
    """Reads a map, coefficients and spectra, and writes one small file."""
    return job(f"  sky: {{map: map.{ending}}}\n  given: {{alm: alm.{ending}}}\n",
               ANALYSIS + DRAWN.format(file=spectrum) + SUM.format(first="alm", second="given", out="sum")
               + SUM.format(first="sum", second="drawn", out="whole") + "  - spectra: {alm: whole, out: cl_9}\n",
               "  cl_9: {file: read.dat}\n")


# Text: spectra, points, a table of a kernel.
TEXT = job(SKY + "  places: {points: points.csv}\n  values: {values: at.csv}\n",
           DRAWN.format(file="cl.dat") + "  - synthesis_at: {alm: drawn, points: places, out: there}\n"
           "  - adjoint_synthesis_at: {values: values, lmax: 12, out: gathered}\n"
           "  - select: {map: sky, fields: [T], out: temperature}\n"
           "  - convolve: {map: temperature, kernel: {table: {file: kernel.txt}}, out: smooth}\n",
           "  there: {file: there.csv}\n  gathered: {file: gathered.fits}\n  smooth: {file: smooth.fits}\n")
POINTS = job("  given: {alm: alm.h5}\n  places: {points: points.csv}\n",
             "".join(f"  - synthesis_at: {{alm: given, points: places, out: at_{i}}}\n" for i in range(3)),
             "  at_0: {file: at.h5}\n  at_1: {file: at.fits}\n  at_2: {file: at.csv}\n")
READ_POINTS = job("  one: {values: at.h5}\n  two: {values: at.fits}\n",
                  "  - adjoint_synthesis_at: {values: one, lmax: 12, out: a}\n"
                  "  - adjoint_synthesis_at: {values: two, lmax: 12, out: b}\n"
                  + SUM.format(first="a", second="b", out="sum"),
                  "  sum: {file: sum.fits}\n")
CHECKPOINTS = job(SKY, "  - analysis: {map: sky, lmax: 24, method: {jacobi: {iterations: 12, scheme: pixel}}, out: alm}\n",
                  "  alm: {file: a.h5}\n", "checkpoint_minutes: 1.0e-9")
CAMPAIGN = job('  sky: {map: "sim_{0..3}.h5"}\n',
               ANALYSIS + "  - synthesis: {alm: alm, grid: {healpix: {nside: 8}}, out: map}\n"
               "  - spectra: {alm: alm, out: cl}\n  - statistics: {spectra: cl, out: stats}\n",
               '  alm: {file: a.h5}\n  map: {file: "map_{}.fits"}\n  cl: {file: "cl_{}.dat"}\n  stats: {file: stats.h5}\n',
               "batch: 1")
# Tables that are kept for later runs.
CACHES = job(SKY, "  - analysis: {map: sky, lmax: 24, method: {pixel_weights: {degree: 24}}, out: alm}\n"
             "  - synthesis: {alm: alm, grid: {gauss: {nlat: 26, nphi: 512}}, out: map}\n"
             "  - analysis: {map: map, lmax: 24, out: back}\n  - compare: {alm: back, reference: alm}\n"
             "  - spectra: {alm: alm, out: cl}\n",
             "  cl: {file: cl.fits}\n")


# Steps whose threads allocate.
REGIONS = job(SKY + "  places: {points: points.csv}\n",
              "".join(f"  - analysis: {{map: sky, lmax: 24, method: {method}, out: by_{i}}}\n" for i, method in enumerate((
                  "{jacobi: {iterations: 1, scheme: pixel}}", "{jacobi: {iterations: 1, scheme: ring}}", "ring_weights",
                  "{immediate: {iterations: 1}}", "{jacobi: {iterations: 1, scheme: normal_matrix}}",
                  "{cg: {tolerance: 1.0e-3}}")))
              + DRAWN.format(file="cl.dat")
              + "".join(SUM.format(first=f"sum_{i - 1}" if i else "drawn", second=f"by_{i}", out=f"sum_{i}")
                        for i in range(6))
              + "  - rotate: {alm: sum_5, from: galactic, to: equatorial, out: turned}\n"
              "  - synthesis_at: {alm: turned, points: places, out: there}\n"
              "  - adjoint_synthesis_at: {values: there, lmax: 12, out: gathered}\n"
              "  - select: {map: sky, fields: [T], out: temperature}\n"
              "  - convolve: {map: temperature, kernel: {gaussian: {fwhm_arcmin: 600}}, method: rings, out: smooth}\n"
              "  - spectra: {alm: gathered, out: pseudo_cl}\n"
              "  - decouple: {spectra: pseudo_cl, mask: temperature, bin: 4, out: cl}\n",
              "  cl: {file: regions.dat}\n  smooth: {file: smooth.fits}\n")


class CallJob:
    """`text`: of job.yaml. `stock`: files that it needs. `before`: arguments of a run that prepares the folder. `again`:
    whether the same command completes it after a failure. `prints`: its output is its result. `code`: its exit code."""

    def __init__(self, name, arguments, text="", stock=(), before=(), ranks=0, again=False, prints=False, code=0, threads=1):
        self.name = name
        self.arguments = arguments
        self.text = text
        self.stock = stock
        self.before = before
        self.ranks = ranks
        self.again = again
        self.prints = prints
        self.code = code
        self.threads = threads


RUN = ["run", "job.yaml", "--quiet"]
SIMS = [f"sim_{i}.h5" for i in range(4)]
FILES = ["map.h5", "map.fits", "alm.h5", "alm.fits", "cl.h5", "cl.fits", "cl.dat", "at.h5", "at.fits", "at.csv"]
TEXTS = ["sky.h5", "cl.dat", "points.csv", "at.csv", "kernel.txt"]
# A run of this part leaves half of the campaign.
PART = [*RUN, "--part", "1/2"]
JOBS = [
    CallJob("outputs", [*RUN, "--report", "report.json"], OUTPUTS, ["sky.h5"]),
    CallJob("outputs_3", RUN, OUTPUTS, ["sky.h5"], ranks=3),
    CallJob("read_hdf5", RUN, reading("h5", "cl.h5"), ["map.h5", "alm.h5", "cl.h5"]),
    CallJob("read_fits", RUN, reading("fits", "cl.fits"), ["map.fits", "alm.fits", "cl.fits"]),
    CallJob("read_fits_2", RUN, reading("fits", "cl.fits"), ["map.fits", "alm.fits", "cl.fits"], ranks=2),
    CallJob("text", RUN, TEXT, TEXTS),
    CallJob("points", RUN, POINTS, ["alm.h5", "points.csv"]),
    CallJob("points_2", RUN, POINTS, ["alm.h5", "points.csv"], ranks=2),
    CallJob("read_points", RUN, READ_POINTS, ["at.h5", "at.fits"]),
    CallJob("caches", RUN, CACHES, ["sky.h5"]),
    CallJob("kept_caches", RUN, CACHES, ["sky.h5"], before=RUN),
    CallJob("checkpoints", RUN, CHECKPOINTS, ["sky.h5"], again=True),
    CallJob("campaign", RUN, CAMPAIGN, SIMS, again=True),
    CallJob("campaign_2", [*RUN, "--set", "execution.map_groups=2"], CAMPAIGN, SIMS, ranks=2, again=True),
    CallJob("resumed", RUN, CAMPAIGN, SIMS, before=PART, again=True),
    CallJob("regions", RUN, REGIONS, ["sky.h5", "cl.dat", "points.csv"], threads=2),
    CallJob("regions_2", RUN, REGIONS, ["sky.h5", "cl.dat", "points.csv"], ranks=2),
    CallJob("status", ["status", "job.yaml"], CAMPAIGN, SIMS, before=PART, prints=True),
    CallJob("verify_campaign", ["verify", "job.yaml"], CAMPAIGN, SIMS, before=RUN, prints=True),
    CallJob("verify_report", ["verify", "report.json"], OUTPUTS, ["sky.h5"],
            before=[*RUN, "--report", "report.json"], prints=True),
    CallJob("failure_report", [*RUN, "--report", "report.json"], OUTPUTS.replace("lmax: 24", "lmax: 24000"), ["sky.h5"],
            code=2),
    CallJob("inspect", ["inspect", *FILES], stock=FILES, prints=True),
    CallJob("convert", ["convert", "map.fits", "converted.h5"], stock=["map.fits"]),
    CallJob("view", ["view", "map.fits", "-o", "map.png", "--width", "200"], stock=["map.fits"]),
]
JOBS = {job.name: job for job in JOBS}
# The report has a time and the durations of steps; call_trials.reported() looks at the rest.
NO_REFERENCE = {"report.json", "job.yaml"}


class Stock:
    """Inputs of all jobs, made once, and the prepared folder of each job with its reference."""

    def __init__(self, binary, library, root):
        self.binary = binary
        self.library = library
        self.root = root / "calls"
        self.root.mkdir()
        self.files = self.root / "stock"
        self.files.mkdir()
        self.sessions = self.root / "mpi"  # where MPI keeps folders of processes, which runs beside would remove
        self.sessions.mkdir()
        self.prepared = {}
        write_map(self.files / "sky.h5", 0)
        for i, name in enumerate(SIMS):
            write_map(self.files / name, 1 + i)
        draw = np.random.default_rng(3)
        rows = "".join(f"{theta!r},{phi!r}\n" for theta, phi in draw.uniform(0.1, 3, (700, 2)).tolist())
        (self.files / "points.csv").write_text("theta,phi\n" + rows)
        distances = np.linspace(0, 0.5, 400)
        (self.files / "kernel.txt").write_text(
            "".join(f"{x!r} {y!r}\n" for x, y in zip(distances.tolist(), np.exp(-20 * distances**2).tolist())))
        for text in (OUTPUTS, POINTS):
            (self.files / "job.yaml").write_text(text)
            self.run(self.files, RUN)

    def environment(self, folder, threads=1):
        """Of runs in a folder, whose cache is in it."""
        return {**environment(), "OMP_NUM_THREADS": str(threads), "ARMILLA_CACHE_DIR": str(folder / "cache"), "OMPI_MCA_pml": "ob1",
                "OMPI_MCA_btl": "^openib,ofi,uct,usnic", "OMPI_MCA_ess_singleton_isolated": "1",
                "OMPI_MCA_orte_tmpdir_base": str(self.sessions)}

    def run(self, folder, arguments):
        done = subprocess.run([self.binary, *arguments], cwd=folder, env=self.environment(folder), capture_output=True,
                              text=True, timeout=120)
        if done.returncode != 0:
            raise RuntimeError(f"{arguments} fails undisturbed, exit code {done.returncode}: {done.stderr}")

    def prepare(self, job, folder):
        """A folder in which the job can run."""
        if job.name not in self.prepared:
            made = self.root / job.name
            made.mkdir()
            for name in job.stock:
                os.link(self.files / name, made / name)
            if job.text:
                (made / "job.yaml").write_text(job.text)
            if job.before:
                self.run(made, job.before)
            self.prepared[job.name] = made
        # With their times, by which journals and checkpoints know their inputs.
        shutil.copytree(self.prepared[job.name], folder, dirs_exist_ok=True, copy_function=shutil.copy2)
        report = folder / "report.json"  # has absolute paths
        if report.exists():
            report.write_text(report.read_text().replace(str(self.prepared[job.name]), str(folder)))


def results(folder):
    """Hashes of the files that count as results, by name."""
    return {path.name: digest(path) for path in pathlib.Path(folder).iterdir()
            if path.is_file() and path.name not in NO_REFERENCE and not path.name.startswith(".")}
