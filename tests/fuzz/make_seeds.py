"""Makes the well-formed files of the corpus and the inputs of its jobs: /usr/bin/python3 tests/fuzz/make_seeds.py build/bin/armilla

What is there under a name that begins with good_ is replaced; other files of the corpus are finds and stay."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import h5py
import healpy
import numpy as np
from astropy.io import fits
from astropy.table import Table

ROOT = pathlib.Path(__file__).resolve().parent
JOBS = ROOT.parent.parent / "config" / "jobs"
LMAX = 6
GRIDS = {
    "healpix": "healpix: {nside: 2}",
    "healpix_any": "healpix: {nside: 3}",
    "gauss": "gauss: {nlat: 8}",
    "cc": "equiangular: {rule: cc, nlat: 8, nphi: 16}",
    "mw": "equiangular: {rule: mw, nlat: 7, nphi: 14}",
    "octahedral": "octahedral: {nlat: 8}",
    "reduced": "reduced_gauss: {nlat: 8}",
}


def run(binary, folder, job):
    (folder / "job.yaml").write_text("version: 1\n" + job)
    subprocess.run([binary, "run", "job.yaml", "--quiet"], cwd=folder, check=True)


def make_inputs(binary, folder):
    l = np.arange(101)
    rows = np.stack([l, *([size] / (1 + l) for size in (1e3, 10.0, 1.0, 5.0, 1.0, 2.0))], axis=1)
    np.savetxt(folder / "cl.dat", rows, fmt=["%d"] + 6 * ["%.4g"], header="L TT EE BB TE {0}x{0} {1}x{1}".format(
        "VORTICITY", "DIVERGENCE"))
    np.savetxt(folder / "window.dat", rows[:, :4] / rows[0, :4].clip(1), fmt=["%d"] + 3 * ["%.4g"], header="L T E B")
    draw = "  - random_alm: {spectrum: cl.dat, spectrum_kind: cl, fields: [%s], lmax: %d, seed: 1, out: a}\n"
    steps = "steps:\n" + draw % ("T, E, B", LMAX)
    outputs = "outputs:\n  a: {file: alm.h5}\n"
    for name, grid in GRIDS.items():
        steps += f"  - synthesis: {{alm: a, grid: {{{grid}}}, out: {name}}}\n"
        outputs += f"  {name}: {{file: {name}.h5}}\n"
    run(binary, folder, steps + "  - spectra: {alm: a, out: cl}\n" + outputs + "  cl: {file: cl.h5}\n")
    for out in ("{file: sky.fits}", "{file: nested.fits, ordering: nested}", "{file: nested.h5, ordering: nested}",
                "{file: single.fits, precision: single}"):
        run(binary, folder, "steps:\n" + draw % ("T, E, B", LMAX)
            + f"  - synthesis: {{alm: a, grid: {{healpix: {{nside: 2}}}}, out: m}}\noutputs:\n  m: {out}\n")
    run(binary, folder, "steps:\n" + draw % ("T", LMAX)
        + "  - synthesis: {alm: a, grid: {healpix: {nside: 2}}, out: m}\n  - spectra: {alm: a, out: c}\n"
        + "outputs:\n  m: {file: sky.h5}\n  a: {file: alm.fits}\n  c: {file: cl.fits}\n")
    run(binary, folder, "steps:\n  - random_alm: {spectrum: cl.dat, spectrum_kind: cl, fields: [T], lmax: 4, seed: 1, maps: 3, out: a}\n"
        "  - synthesis: {alm: a, grid: {healpix: {nside: 1}}, out: m}\n  - spectra: {alm: a, out: c}\n"
        "  - statistics: {spectra: c, out: s}\n"
        "outputs:\n  m: {file: maps.h5}\n  a: {file: alms.h5}\n  c: {file: cls.h5}\n  s: {file: statistics.h5}\n")
    run(binary, folder, "steps:\n  - random_alm: {spectrum: cl.dat, spectrum_kind: cl, fields: [T], lmax: 4, seed: 1, out: a}\n"
        "outputs:\n  a: {file: geodesy.h5, convention: {norm: 4pi, phase: none, basis: real}}\n")
    shutil.copy(folder / "sky.h5", folder / "mask.h5")
    with h5py.File(folder / "mask.h5", "r+") as file:
        file["map"][...] = 1.0
    for i in range(3):
        shutil.copy(folder / "sky.h5", folder / f"map_{i}.h5")
    with h5py.File(folder / "rings.h5", "w") as file:
        theta = np.pi * (np.arange(6) + 0.5) / 6
        grid = file.create_group("grid")
        grid["theta"], grid["phi0"] = theta, np.zeros(6)
        grid["nphi"], grid["weight"] = np.array([4, 8, 12, 12, 8, 4]), np.sin(theta) / 10


def make_foreign(folder):
    """Files of other programs: healpy's, and HDF5 in other layouts."""
    sky = np.arange(48.0)
    south = np.where(np.arange(192) > 180, np.arange(192.0), healpy.UNSEEN)
    healpy.write_map(folder / "healpy_partial.fits", south, partial=True, dtype=np.float32)
    healpy.write_map(folder / "healpy_nested.fits", [sky, sky, sky], nest=True, coord="G", dtype=np.float64)
    healpy.write_alm(folder / "healpy_alm.fits", np.arange(15) + 1j * (np.arange(15) >= 5), overwrite=True)
    healpy.write_cl(folder / "healpy_cl.fits", [np.arange(6.0) for _ in range(6)])
    healpy.write_cl(folder / "healpy_tt.fits", np.arange(6.0))
    with h5py.File(folder / "chunked.h5", "w") as file:
        data = file.create_dataset("map", (2, 48), ">f4", chunks=(1, 16), compression="gzip", shuffle=True)
        data.attrs["NSIDE"], data.attrs["ORDERING"] = 2, "NESTED"
        data.attrs["FIELDS"] = ["Q", "U"]
    with h5py.File(folder / "flat.h5", "w") as file:
        file["map"] = sky
        file["map"].attrs["NSIDE"] = 2
    theta, phi = np.linspace(0, np.pi, 12), np.linspace(-1, 7, 12)
    with h5py.File(folder / "points.h5", "w") as file:
        file["theta"], file["phi"] = theta, phi
        values = file.create_dataset("values", data=np.arange(24.0).reshape(2, 12))
        values.attrs["FIELDS"], values.attrs["SPINS"], values.attrs["POLCCONV"] = "Q,U", [2, 2], "IAU"
    with h5py.File(folder / "radec.h5", "w") as file:
        file.create_dataset("RA", data=np.degrees(phi), dtype=">f4", chunks=(5,), compression="gzip")
        file["Dec"] = 90 - np.degrees(theta).astype("f4")
        file["RA"].attrs["UNITS"], file["Dec"].attrs["UNITS"] = "deg", "degree"
    columns = {"RA": np.degrees(phi), "DEC": 90 - np.degrees(theta), "NAME": np.array(["x"] * 12), "ID": np.arange(12),
               "I_STOKES": np.arange(12, dtype="f4"), "FLAG": np.arange(12) % 2 == 0, "PAIR": np.ones((12, 2))}
    fits.BinTableHDU(Table(columns), header=fits.Header({"SPINS": "0,0,0"})).writeto(folder / "radec.fits")
    columns = {"THETA": theta.reshape(3, 4), "PHI": phi.reshape(3, 4), "U": np.ones((3, 4))}
    fits.BinTableHDU(Table(columns), header=fits.Header({"POLCCONV": "IAU"})).writeto(folder / "points.fits")


FITS = ["sky", "nested", "single", "alm", "cl", "healpy_partial", "healpy_nested", "healpy_alm", "healpy_cl", "healpy_tt",
        "points", "radec"]
HDF5 = [*GRIDS, "nested", "sky", "alm", "cl", "maps", "alms", "cls", "statistics", "geodesy", "rings", "chunked", "flat",
        "points", "radec"]
INPUTS = ["sky.h5", "sky.fits", "alm.h5", "alm.fits", "cl.dat", "cl.fits", "window.dat", "rings.h5", "maps.h5", "mask.h5",
          "map_0.h5", "map_1.h5", "map_2.h5", "gauss.h5"]
TEXTS = {
    "dl": "# unit: uK^2\n# L TT EE BB TE\n0 0 0 0 0\n1 0 0 0 0\n2 1016.7 0.03 1e-6 2.6\n3 963.7 0.04 2e-6 2.9\n",
    "tt": "# L TT\n" + "".join(f"{l} {1 / (l + 1):.3g}\n" for l in range(20)),
    "from_2": "# L TT PP TP\n2 1 2 3\n3 1 2 3\n4 1d-3 2E+1 3.\n",
    "window": "# L T E B\n0 1 1 1\n1 .5 .5 .5\n",
    "six": "# L TT EE BB TE EB TB\n0 1 1 1 .1 0 0\n1 1 1 1 .1 0 0\n",
}


POINTS = {
    "csv": "theta,phi,T\n" + "".join(f"{0.2 * i:.4g},{i},{i * i}\n" for i in range(14)),
    "radec": "# unit: mK\n# spins: 2,2\n# polcconv: IAU\n# coordsys: C\nRA DEC Q U\n10.5 90 1 2\n-20 -90 3e-3 +4\n",
    "savetxt": "# lon lat\n1.0e+01 4.5e+01\n2.0e+02 -4.5e+01\n",
    "named": "name,a,b,c\nM31,10.7,41.3,1\nM33,23.5,30.7,2\n",
}


def short_jobs():
    """The example jobs without comments, on files of the inputs, and jobs on many files."""
    yield "pattern", ("version: 1\ninputs:\n  sky: {map: \"map_{0..2}.h5\", bad_data: zero}\n  mask: {map: mask.h5}\n"
                      "steps:\n  - analysis: {map: sky, lmax: 4, method: {cg: {mask: mask, tolerance: 1e-8}}, out: a}\n"
                      "  - spectra: {alm: a, out: c}\noutputs:\n  c: {file: \"c_{}.dat\"}\n"
                      "execution: {on_bad_map: skip, batch: 2, on_nonfinite: warn}\n")
    yield "batch", ("version: 1\ninputs:\n  sky: {map: maps.h5}\n  a: {alm: alm.fits, fields: [T]}\nsteps:\n"
                    "  - multiply: {alm: a, by: {window: window.dat}, out: b}\n"
                    "  - analysis: {map: sky, lmax: 2, out: c}\n  - add: {alm: c, with: c, factors: [1, 2], out: d}\n"
                    "outputs:\n  b: {file: b.h5}\n  d: {file: d.h5, precision: single}\n")
    for path in sorted(JOBS.glob("*.yaml")):
        text = re.sub(r"(?m)^\s*#.*\n", "", path.read_text())
        text = re.sub(r"\.\./spectra/[a-z_]*\.dat", "cl.dat", text)
        text = re.sub(r"\.\./grids/[a-z_]*\.h5", "rings.h5", text)
        text = re.sub(r"lmax: \d{3,}", "lmax: 96", text)
        text = re.sub(r"\.\./masks/[a-z0-9_]*\.h5", "mask.h5", text)
        text = re.sub(r"\.\./data/[A-Za-z0-9_./]*\.fits", "sky.fits", text)
        if "inputs:" in text:
            text = re.sub(r"lmax: \d+", "lmax: 5", text)
            text = text.replace("nside: 32", "nside: 2")
        yield path.stem, text


def main():
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_inputs(binary, folder)
        make_foreign(folder)
        for target, ending, names in (("fits", ".fits", FITS), ("hdf5", ".h5", HDF5)):
            corpus = ROOT / "corpus" / target
            corpus.mkdir(parents=True, exist_ok=True)
            for seed in names:
                shutil.copy(folder / (seed + ending), corpus / f"good_{seed}{ending}")
        (ROOT / "inputs").mkdir(exist_ok=True)
        for path in INPUTS:
            shutil.copy(folder / path, ROOT / "inputs" / path)
    for target, ending, texts in (("text_spectra", ".dat", TEXTS.items()), ("text_points", ".csv", POINTS.items()),
                                  ("job", ".yaml", short_jobs())):
        corpus = ROOT / "corpus" / target
        corpus.mkdir(parents=True, exist_ok=True)
        for seed, text in texts:
            (corpus / f"good_{seed}{ending}").write_text(text)


if __name__ == "__main__":
    main()
