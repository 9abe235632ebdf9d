"""Cases of compare.py: iterated analysis of many maps, time per map with `armilla run` and with healpy's map2alm."""
import json
import re
import statistics
import time

ITERATIONS = 3
PEER_MAPS = 4  # that a peer analyses per alternation
CHECKED = 2  # number of maps whose coefficients are compared
PATTERN = r"jacobi(\d+)_l(\d+)_k(\d+)_(t|tqu)"


class Iterated:
    """Jacobi iterations on HEALPix, parsed from the case name."""

    def __init__(self, name):
        found = re.fullmatch(PATTERN, name)
        self.name = name
        self.nside, self.lmax, self.maps = (int(text) for text in found.groups()[:3])
        self.polarised = found[4] == "tqu"

    def job(self, maps, outputs):
        fields = ["T", "E", "B"] if self.polarised else ["T"]
        return {"version": 1,
                "steps": [{"random_alm": {"spectrum": "cl.dat", "spectrum_kind": "cl", "fields": fields,
                                          "lmax": self.lmax, "maps": maps, "out": "a"}},
                          {"synthesis": {"alm": "a", "grid": {"healpix": {"nside": self.nside}}, "out": "m"}},
                          {"analysis": {"map": "m", "lmax": self.lmax,
                                        "method": {"jacobi": {"iterations": ITERATIONS}}, "out": "found"}},
                          {"spectra": {"alm": "found", "out": "cl"}},
                          {"statistics": {"spectra": "cl", "out": "mean"}}],
                "outputs": {"mean": {"file": "mean.h5"}, **outputs}}

    def run(self, armilla, maps, outputs):
        """Returns the seconds of the analysis of all maps."""
        rows = [f"{l} {1 / (l + 1) ** 2} {0.1 / (l + 1) ** 2} {0.01 / (l + 1) ** 2} 0" for l in range(self.lmax + 1)]
        (armilla.folder / "cl.dat").write_text("# L TT EE BB TE\n" + "\n".join(rows) + "\n")
        (armilla.folder / "job.yaml").write_text(json.dumps(self.job(maps, outputs)))  # JSON is YAML
        armilla.call("run", "job.yaml", "--quiet", "--report", "report.json")
        report = json.loads((armilla.folder / "report.json").read_text())
        return next(step["max"] for step in report["steps"] if "analysis" in step["name"])


def compare_iterated(case, armilla, peers, alternations, h5py, relative_rms, band):
    """Returns the row of a case, in seconds per map."""
    healpy = next((peer.healpy for peer in peers if peer.name == "healpy"), None)
    case.run(armilla, CHECKED, {"m": {"file": "m.h5"}, "found": {"file": "found.h5"}})
    with h5py.File(armilla.folder / "m.h5") as file:
        maps = file["map"][:]
    with h5py.File(armilla.folder / "found.h5") as file:
        found = file["alm"][:]

    def analyse(map_):
        return healpy.map2alm(map_ if case.polarised else map_[0], lmax=case.lmax, iter=ITERATIONS, pol=True)

    agreement = {}
    if healpy:
        agreement["healpy"] = max(relative_rms(analyse(maps[k]), found[k]) for k in range(CHECKED))
    seconds = {"armilla": [], **({"healpy": []} if healpy else {})}
    for alternation in range(alternations):
        for name in sorted(seconds, reverse=alternation % 2 == 1):
            if name == "armilla":
                seconds[name].append(case.run(armilla, case.maps, {}) / case.maps)
                continue
            times = []
            for number in range(PEER_MAPS):
                start = time.perf_counter()
                analyse(maps[number % CHECKED])
                times.append(time.perf_counter() - start)
            seconds[name].append(statistics.mean(times))
    ratios = {name: band([peer / own for peer, own in zip(seconds[name], seconds["armilla"])]) for name in agreement}
    return [{"case": case.name, "direction": "per map", "seconds": seconds, "ratios": ratios, "agreement": agreement,
             "armilla": {}}]
