"""Cases of compare.py: a HEALPix map convolved with a Gaussian of the angle, by rings and by spherical harmonics."""
import json
import pathlib
import re
import statistics
import subprocess
import sys
import time

PATTERN = r"radial(\d+)_f([\d.]+)_l(\d+)"
# Relative rms of the coefficients up to lmax / 2, by rings and by harmonics: the cutoff of the kernel is for 1e-6.
AGREE = 1e-5


def gaussian_window(np, fwhm_arcmin, lmax):
    """K_l of a Gaussian of the angle by quadrature, l = 0 .. lmax."""
    sigma = np.radians(fwhm_arcmin / 60) / np.sqrt(8 * np.log(2))
    end = min(9 * sigma, np.pi)
    x, w = np.polynomial.legendre.leggauss(int(100 + lmax * end))
    angle = (x + 1) * end / 2
    factor = w * end / 2 * np.sin(angle) * np.exp(-angle ** 2 / (2 * sigma ** 2)) / sigma ** 2
    before, now, window = np.zeros_like(angle), np.ones_like(angle), []
    for l in range(lmax + 1):
        window.append(factor @ now)
        before, now = now, ((2 * l + 1) * np.cos(angle) * now - l * before) / (l + 1)
    return np.array(window)


class Convolved:
    """A convolution, from its name."""

    def __init__(self, name):
        found = re.fullmatch(PATTERN, name)
        self.name, self.spin, self.maps, self.components = name, 0, 1, 1
        self.nside, self.fwhm, self.lmax = int(found[1]), float(found[2]), int(found[3])
        self.npix = 12 * self.nside ** 2

    def make_map(self, armilla):
        """A map of random coefficients, whose power falls with l."""
        rows = [f"{l} {(l + 1) ** -3.0}" for l in range(self.lmax + 1)]
        (armilla.folder / "cl.dat").write_text("# L TT\n" + "\n".join(rows) + "\n")
        self.run(armilla, [{"random_alm": {"spectrum": "cl.dat", "spectrum_kind": "cl", "fields": ["T"], "lmax": self.lmax, "seed": 1,
                                  "out": "a"}},
                           {"synthesis": {"alm": "a", "grid": {"healpix": {"nside": self.nside}}, "out": "m"}}],
                 {"m": {"file": "m.h5"}}, {})

    def run(self, armilla, steps, outputs, inputs={"m": {"map": "m.h5"}}):
        """Runs the steps; the report."""
        job = {"version": 1, "inputs": inputs, "steps": steps, "outputs": outputs}
        (armilla.folder / "job.yaml").write_text(json.dumps(job))  # JSON is YAML
        armilla.call("run", "job.yaml", "--quiet", "--report", "report.json")
        return json.loads((armilla.folder / "report.json").read_text())

    def by_rings(self, k, method="rings"):
        return [{"convolve": {"map": "m", "kernel": {"gaussian": {"fwhm_arcmin": self.fwhm}}, "method": method,
                              "out": f"r{k}"}}]

    def by_harmonics(self, k):
        return [{"adjoint_synthesis": {"map": "m", "lmax": self.lmax, "out": f"a{k}"}},
                {"multiply": {"alm": f"a{k}", "by": {"window": "window.dat"}, "out": f"b{k}"}},
                {"synthesis": {"alm": f"b{k}", "grid": {"healpix": {"nside": self.nside}}, "out": f"h{k}"}}]

    def results(self, armilla):
        """The smoothed map by harmonics, and the coefficients up to lmax / 2 of it and of that by rings."""
        steps = self.by_rings(0) + self.by_harmonics(0)
        steps += [{"adjoint_synthesis": {"map": x, "lmax": self.lmax // 2, "out": f"alm_{x}"}} for x in ("r0", "h0")]
        self.run(armilla, steps, {x: {"file": f"{x}.h5"} for x in ("h0", "alm_r0", "alm_h0")})

    def time(self, armilla, rounds):
        """Median seconds of a convolution by rings and of one by harmonics, with outputs that are there before, and of
        a step `convolve` with `method: auto`, the first of a job left out."""
        program = pathlib.Path(armilla.binary).parents[1] / "perf" / "perf_radial"
        if not program.is_file():
            sys.exit(f"compare.py: {program} does not exist: configure with -DARMILLA_PERF=ON, or omit {self.name}")
        done = subprocess.run([program, "--nside", str(self.nside), "--fwhm-arcmin", str(self.fwhm), "--lmax",
                               str(self.lmax), "--turns", str(rounds)], text=True, capture_output=True, check=True)
        rings, harmonic = done.stdout.splitlines()[-1].split()[3:5]
        steps = [step for k in range(rounds + 1) for step in self.by_rings(k, "auto")]
        report = self.run(armilla, steps, {f"r{rounds}": {"file": "last.h5"}})
        return {"rings": float(rings), "harmonic": float(harmonic),
                "auto": statistics.median(step["max"] for step in report["steps"][1:])}


def ducc0_smoothing(case, ducc0, window, np, threads):
    """A function that smooths a map, as a user of ducc0 would write it; outputs are allocated before."""
    geometry = ducc0.healpix.Healpix_Base(case.nside, "RING").sht_info()
    common = dict(spin=0, lmax=case.lmax, mmax=case.lmax, nthreads=threads, **geometry)
    alm = np.empty((1, (case.lmax + 1) * (case.lmax + 2) // 2), dtype=complex)
    out = np.empty((1, case.npix))
    factors = np.concatenate([window[m:] for m in range(case.lmax + 1)])

    def smooth(maps):
        ducc0.sht.adjoint_synthesis(map=maps, alm=alm, **common)
        np.multiply(alm, factors, out=alm)
        ducc0.sht.synthesis(alm=alm, map=out, **common)
        return out
    return smooth


def compare_convolved(case, armilla, peers, alternations, rounds, tools):
    """Rows of a case: by rings, by what `auto` takes, and by harmonics."""
    np, h5py, threads, relative_rms, band = tools
    case.make_map(armilla)
    window = gaussian_window(np, case.fwhm, case.lmax) * (4 * np.pi / case.npix)  # with the area of a pixel
    rows = [f"{l} {value!r}" for l, value in enumerate(map(float, window))]
    (armilla.folder / "window.dat").write_text("# L TT\n" + "\n".join(rows) + "\n")
    case.results(armilla)
    data = {}
    for name, dataset in (("m", "map"), ("h0", "map"), ("alm_r0", "alm"), ("alm_h0", "alm")):
        with h5py.File(armilla.folder / f"{name}.h5") as file:
            data[name] = file[dataset][:]
    names = ["rings", "auto", "harmonic"]
    seconds = {name: [] for name in names}
    ducc0 = next((peer for peer in peers if peer.name == "ducc0"), None)
    agreement = relative_rms(data["alm_r0"], data["alm_h0"])
    if ducc0:
        smooth = ducc0_smoothing(case, ducc0, window, np, threads)
        difference, seconds["ducc0"] = relative_rms(smooth(data["m"]), data["h0"]), []
    for alternation in range(alternations):
        for who in ["armilla", "ducc0"][:: -1 if alternation % 2 else 1]:
            if who == "armilla":
                for name, value in case.time(armilla, rounds).items():
                    seconds[name].append(value)
            elif ducc0:
                times = []
                for _ in range(rounds):
                    start = time.perf_counter()
                    smooth(data["m"])
                    times.append(time.perf_counter() - start)
                seconds["ducc0"].append(statistics.median(times))
    rows = []
    for name in names:
        others = [other for other in ("ducc0", "harmonic") if other in seconds and other != name]
        ratios = {other: band([theirs / own for theirs, own in zip(seconds[other], seconds[name])]) for other in others}
        rows.append({"case": case.name, "direction": name, "armilla": {}, "ratios": ratios,
                     "seconds": {"armilla": seconds[name], **{other: seconds[other] for other in others}},
                     "agreement": {other: difference if other == "ducc0" and name == "harmonic" else agreement
                                   for other in others},
                     "agree": 1e-9 if name == "harmonic" else AGREE})
    return rows
