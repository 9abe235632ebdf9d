"""Whole tasks of a user of healpy, and of a user of a cluster, each by one line or a few, compared with healpy or with a
closed form."""
import json
import os
import shlex
import shutil
import signal
import subprocess
import time

import h5py
import numpy as np
import pytest

healpy = pytest.importorskip("healpy")
from scipy.special import eval_legendre

from conftest import BINARY, environment, ranks_in
from tiers import sweep

NSIDE, LMAX = 32, 48
# Largest difference over largest value of a few double-precision transforms of 49^2 terms, each of rms 1e-16 sqrt(49^2).
ROUNDING = 1e-12


def do(place, command, code=0, ranks=0, **more):
    """The command, as it is typed after `armilla`."""
    result = place.armilla(*shlex.split(command), ranks=ranks, **more)
    assert result.code == code, f"{command}: {result.error}"
    return result


def agree(ours, theirs, tolerance=ROUNDING):
    ours, theirs = np.squeeze(ours), np.squeeze(theirs)
    assert ours.shape == theirs.shape
    largest = np.max(np.abs(theirs))
    assert largest > 0 and np.max(np.abs(ours - theirs)) <= tolerance * largest, np.max(np.abs(ours - theirs)) / largest


def read_map(place, name):
    return np.array(healpy.read_map(place.folder / name, field=None, dtype=None))


def read_alm(place, name, components=1):
    return np.array([healpy.read_alm(place.folder / name, hdu=i + 1) for i in range(components)])


def write_map(place, name, values, **options):
    healpy.write_map(place.folder / name, values, **{"dtype": np.float64, "overwrite": True, **options})


def random_sky(seed, lmax=LMAX):
    """T, E, B of C_l = 1, 0.1, 0.01 / l^2, with TE, from l = 2 on."""
    l = np.arange(lmax + 1)
    cl = np.zeros((4, lmax + 1))
    cl[:, 2:] = np.array([[1], [0.1], [0.01], [0.15]]) / l[2:] ** 2.0
    np.random.seed(seed)
    return np.array(healpy.synalm(list(cl), lmax=lmax, new=True))


@pytest.fixture
def sky(place):
    """map.fits of T, Q, U, band-limited, and alm.fits of it."""
    place.alm = random_sky(1)
    place.values = np.array(healpy.alm2map(place.alm, NSIDE))
    write_map(place, "map.fits", place.values)
    healpy.write_alm(place.folder / "alm.fits", place.alm, out_dtype=np.float64)
    return place


class TestHealpyUser:
    def test_spectrum_of_white_noise(self, place):
        """C_l of pixel noise is sigma^2 4 pi / npix for each l."""
        sigma, pixels = 3.0, 12 * NSIDE ** 2
        write_map(place, "noise.fits", np.random.default_rng(5).normal(scale=sigma, size=pixels))
        do(place, "spectra noise.fits --lmax 64 --method quadrature -o cl.txt")
        l, cl = np.loadtxt(place.folder / "cl.txt", unpack=True)
        # The mean over all a_lm has a relative standard deviation of sqrt(2) / (lmax + 1); five of them.
        mean = np.average(cl, weights=2 * l + 1) / (sigma ** 2 * 4 * np.pi / pixels)
        assert len(l) == 65 and abs(mean - 1) < 5 * np.sqrt(2) / 65

    def test_bring_a_map_from_one_beam_to_a_wider_one(self, sky):
        """3 and 4 degrees are 5 degrees."""
        beam = lambda degrees: healpy.smoothalm(sky.alm, fwhm=np.radians(degrees), inplace=False)
        write_map(sky, "seen.fits", healpy.alm2map(beam(3), NSIDE))
        do(sky, f"smooth seen.fits --lmax {LMAX} --fwhm-arcmin 240 --method '{{jacobi: {{iterations: 8, weights: pixel}}}}' "
                "-o common.fits")
        agree(read_map(sky, "common.fits"), healpy.alm2map(beam(5), NSIDE))

    def test_deconvolve_a_beam(self, sky):
        b = healpy.gauss_beam(np.radians(2), lmax=LMAX, pol=True)[:, :3]
        np.savetxt(sky.folder / "inverse.txt", np.c_[np.arange(LMAX + 1), 1 / b], header="L T E B")
        do(sky, "smooth alm.fits --fwhm-arcmin 120 -o seen.fits")
        do(sky, "multiply seen.fits --by-window inverse.txt -o found.fits")
        agree(read_alm(sky, "found.fits", 3), sky.alm)

    def test_difference_of_two_maps(self, sky):
        other = random_sky(2)
        write_map(sky, "other.fits", healpy.alm2map(other, NSIDE))
        do(sky, "add map.fits --with other.fits --factors 1,-1 -o difference.fits")
        agree(read_map(sky, "difference.fits"), healpy.alm2map(sky.alm - other, NSIDE))

    @pytest.mark.parametrize("nside", [16, 64])
    def test_change_nside(self, sky, nside):
        """For a map without structure beyond lmax, the values at the centres of the other pixels."""
        do(sky, "resize alm.fits --lmax 24 -o low.fits")
        do(sky, f"synthesis low.fits --grid healpix:{NSIDE} -o smooth.fits")
        do(sky, f"regrid smooth.fits --lmax 24 --method pixel_weights --grid healpix:{nside} -o other.fits")
        l, _ = healpy.Alm.getlm(LMAX)
        agree(read_map(sky, "other.fits"), healpy.alm2map(sky.alm * (l <= 24), nside))

    def test_to_equatorial_coordinates_and_back(self, sky):
        do(sky, "rotate alm.fits --from galactic --to equatorial -o c.fits")
        do(sky, "rotate c.fits --to galactic -o g.fits")  # the file says where it is
        agree(read_alm(sky, "g.fits", 3), sky.alm)

    def test_a_source_is_where_it_should_be_after_a_rotation(self, place):
        lon, lat = 209.0, -19.4  # galactic, of Orion; equatorial 83.8, -5.4
        direction = healpy.ang2vec(lon, lat, lonlat=True)
        distance2 = 2 - 2 * direction @ np.array(healpy.pix2vec(NSIDE, np.arange(12 * NSIDE ** 2)))
        write_map(place, "source.fits", np.exp(-distance2 / 2 / np.radians(6) ** 2), coord="G")
        do(place, f"rotate source.fits --to equatorial --lmax {LMAX} -o turned.fits")
        turned = read_map(place, "turned.fits")
        found = healpy.pix2ang(NSIDE, np.argmax(turned), lonlat=True)
        expected = healpy.Rotator(coord=["G", "C"])(lon, lat, lonlat=True)
        # Within half a diagonal of a pixel of 1.8 degrees.
        assert np.degrees(healpy.rotator.angdist(found, expected, lonlat=True)) < 1.3
        assert dict(healpy.read_map(place.folder / "turned.fits", h=True)[1])["COORDSYS"] == "C"

    def test_maps_of_e_and_b(self, sky):
        for i, name in ((1, "E"), (2, "B")):
            do(sky, f"select alm.fits --fields {name} -o {name}.fits")
            do(sky, f"synthesis {name}.fits --grid healpix:{NSIDE} -o {name}_map.fits")
            agree(read_map(sky, f"{name}_map.fits"), healpy.alm2map(sky.alm[i], NSIDE))

    def test_polarisation_of_e_alone(self, sky):
        do(sky, f"synthesis alm.fits --fields E,B --only E --grid healpix:{NSIDE} -o e.fits")
        agree(read_map(sky, "e.fits"), healpy.alm2map([0 * sky.alm[0], sky.alm[1], 0 * sky.alm[2]], NSIDE)[1:])

    def test_minus_the_laplacian_of_a_harmonic(self, place):
        """It is l (l + 1) times the harmonic."""
        alm = np.zeros(healpy.Alm.getsize(LMAX), complex)
        alm[healpy.Alm.getidx(LMAX, 7, 3)] = 1
        write_map(place, "y.fits", healpy.alm2map(alm, NSIDE))
        do(place, f"multiply y.fits --by-laplacian-power 1 --lmax {LMAX} --method pixel_weights -o minus_laplacian.fits")
        # l (l + 1) up to 48 * 49 amplifies the rounding of other degrees, against 7 * 8.
        agree(read_map(place, "minus_laplacian.fits"), 7 * 8 * read_map(place, "y.fits"), 48 * 49 / (7 * 8) * ROUNDING)

    def test_band_of_degrees(self, sky):
        do(sky, f"multiply map.fits --by-l-range 10,20 --lmax {LMAX} --method pixel_weights -o band.fits")
        l, _ = healpy.Alm.getlm(LMAX)
        agree(read_map(sky, "band.fits"), healpy.alm2map(sky.alm * ((l >= 10) & (l <= 20)), NSIDE))

    def test_a_nested_file_in_single_precision_keeps_its_header(self, sky):
        nested = healpy.reorder(sky.values, r2n=True)
        write_map(sky, "nested.fits", nested, nest=True, dtype=np.float32, coord="G", column_units="uK")
        do(sky, "smooth nested.fits --fwhm-arcmin 300 -o smooth.fits --ordering nested")
        ours, header = healpy.read_map(sky.folder / "smooth.fits", field=None, dtype=None, nest=True, h=True)
        header = dict(header)
        assert (header["ORDERING"], header["COORDSYS"], header["TUNIT1"], header["POLCCONV"]) == ("NESTED", "G", "uK", "COSMO")
        read = healpy.read_map(sky.folder / "nested.fits", field=None, dtype=np.float64)
        agree(ours, healpy.reorder(healpy.smoothing(read, fwhm=np.radians(5)), r2n=True))

    def test_values_at_the_places_of_a_catalogue(self, sky):
        """Of a zonal field the Legendre series."""
        lat, lon = np.linspace(-80, 85, 30), np.linspace(0, 350, 30)
        np.savetxt(sky.folder / "catalogue.csv", np.c_[lon, lat], delimiter=",", header="lon,lat", comments="")
        l, m = healpy.Alm.getlm(LMAX)
        zonal = sky.alm[0] * (m == 0)
        healpy.write_alm(sky.folder / "zonal.fits", zonal, out_dtype=np.float64)
        do(sky, "synthesis_at zonal.fits --points catalogue.csv -o values.csv")
        values = np.loadtxt(sky.folder / "values.csv", delimiter=",", skiprows=2)[:, 2]
        a = zonal[m == 0].real
        series = sum(a[k] * np.sqrt((2 * k + 1) / (4 * np.pi)) * eval_legendre(k, np.sin(np.radians(lat)))
                     for k in range(LMAX + 1))
        agree(values, series, 1e-9)  # synthesis_at is accurate to 1e-10 in rms

    def test_cross_spectrum_of_two_halves_with_noise(self, sky):
        rng = np.random.default_rng(8)
        halves = [sky.values + rng.normal(scale=0.3, size=sky.values.shape) for _ in range(2)]
        for name, values in zip("ab", halves):
            write_map(sky, f"{name}.fits", values)
        do(sky, "spectra a.fits --with b.fits --lmax 40 -o cross.fits")
        both = [np.array(healpy.anafast(*pair, lmax=40)) for pair in (halves, halves[::-1])]
        agree(healpy.read_cl(sky.folder / "cross.fits"), np.mean(both, axis=0))

    def test_the_same_random_sky_again(self, place):
        line = "random_alm --spectrum dl.dat --spectrum-kind dl --fields T,E,B --lmax {} --seed {} -o {}"
        for lmax, seed, name in ((40, 3, "a.fits"), (40, 3, "b.fits"), (40, 4, "c.fits"), (20, 3, "d.fits")):
            do(place, line.format(lmax, seed, name))
        a, b, c, d = (read_alm(place, f"{name}.fits", 3) for name in "abcd")
        l, _ = healpy.Alm.getlm(40)
        assert np.array_equal(a, b) and not np.any((a == c)[:, l >= 2])
        assert np.array_equal(a[:, l <= 20], d)

    def test_a_cut_sky_file(self, sky):
        bad = np.abs(healpy.pix2ang(NSIDE, np.arange(12 * NSIDE ** 2), lonlat=True)[1]) < 15
        values = np.where(bad, healpy.UNSEEN, sky.values[0])
        write_map(sky, "cut.fits", values, partial=True)
        (values_said,) = json.loads(do(sky, "inspect cut.fits --json").out)["files"][0]["maps"][0]["values"]
        assert values_said["bad"] == bad.sum() and values_said["f_sky"] == pytest.approx(1 - bad.mean(), rel=1e-12)
        do(sky, "spectra cut.fits --bad-data zero -o cl.fits")
        agree(healpy.read_cl(sky.folder / "cl.fits"), healpy.anafast(values))
        do(sky, "view cut.fits -o cut.png --width 400")
        assert (sky.folder / "cut.png").stat().st_size > 1000

    def test_sums_over_discs(self, sky):
        """As by query_disc: the pixels within, times their area, over the area of the disc."""
        radius = np.radians(8)
        do(sky, "convolve map.fits --fields T --kernel-top-hat-radius-deg 8 --method direct -o disc.fits")
        ours = read_map(sky, "disc.fits").reshape(-1)
        some = np.arange(0, len(ours), 17)
        within = [healpy.query_disc(NSIDE, healpy.pix2vec(NSIDE, pixel), radius) for pixel in some]
        area = healpy.nside2pixarea(NSIDE) / (2 * np.pi * (1 - np.cos(radius)))
        agree(ours[some], [area * sky.values[0][pixels].sum() for pixels in within])

    def test_masked_map_by_least_squares(self, sky):
        """A hole of 10 degrees costs a band-limited map nothing."""
        distance = healpy.rotator.angdist((60, 20), healpy.pix2ang(NSIDE, np.arange(12 * NSIDE ** 2), lonlat=True), lonlat=True)
        write_map(sky, "mask.fits", (distance > np.radians(10)).astype(float))
        do(sky, "resize alm.fits --fields T --lmax 20 -o low.fits")
        do(sky, f"synthesis low.fits --grid healpix:{NSIDE} -o smooth.fits")
        hidden = np.where(distance > np.radians(10), read_map(sky, "smooth.fits"), 1e3)
        write_map(sky, "holed.fits", hidden)
        do(sky, "analysis holed.fits --lmax 20 --method '{cg: {tolerance: 1e-12, mask: good}}' --input good=mask.fits -o found.fits")
        l, _ = healpy.Alm.getlm(LMAX)
        # 1e-12 of the normal equations, whose condition number is about 100 for a hole of radius 3.5 / lmax.
        agree(read_alm(sky, "found.fits"), sky.alm[0][l <= 20], 1e-8)


MAPS = 12
PATTERN = "sims/map_{000..011}.fits"
CAMPAIGN = """inputs:
  sky: {map: "sims/map_{000..011}.fits"}
steps:
  - analysis:   {map: sky, lmax: 12, method: {jacobi: {iterations: 3}}, out: alm}
  - spectra:    {alm: alm, out: cl}
  - statistics: {spectra: cl, out: stats}
outputs:
  alm:   {file: "alm/alm_{}.fits"}
  cl:    {file: cl.h5}
  stats: {file: stats.h5}
execution: {batch: 2}
"""


@pytest.fixture
def sims(place):
    """Twelve maps of T, nside 8."""
    (place.folder / "sims").mkdir()
    (place.folder / "alm").mkdir()
    rng = np.random.default_rng(9)
    place.maps = rng.normal(size=(MAPS, 768))
    for i in range(MAPS):
        write_map(place, f"sims/map_{i:03}.fits", place.maps[i])
    place.job(CAMPAIGN)
    return place


def spectra_of(maps, lmax=12):
    return np.array([healpy.anafast(values, lmax=lmax) for values in maps])


def products(place):
    """Bytes of all files that the campaign made."""
    found = [*place.folder.glob("alm/*.fits"), place.folder / "cl.h5", place.folder / "stats.h5"]
    return {path.name: path.read_bytes() for path in found if path.exists()}


def start_over(place):
    """Without outputs and their journal, which is beside the first of them."""
    for name in ("cl.h5", "stats.h5"):
        (place.folder / name).unlink()
    shutil.rmtree(place.folder / "alm")
    (place.folder / "alm").mkdir()


def start_and_kill(place, command, ranks):
    """SIGKILL to all ranks when the first file of coefficients is there; whether that ended the run."""
    launch = ["mpirun", "-n", str(ranks)] if ranks else []
    process = subprocess.Popen([*launch, BINARY, *shlex.split(command)], cwd=place.folder, env=environment(),
                               stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while process.poll() is None and not list(place.folder.glob("alm/alm_*.fits")) and time.monotonic() < end:
        time.sleep(0.005)
    for pid in ranks_in(place.folder):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.communicate(timeout=60)
    return process.returncode != 0


@pytest.mark.parametrize("ranks", [0, *sweep(3)])
class TestClusterUser:
    def test_spectra_of_many_maps_in_one_line(self, sims, ranks):
        do(sims, f'spectra "{PATTERN}" --lmax 12 -o "cl_{{}}.fits"', ranks=ranks)
        do(sims, f'spectra "{PATTERN}" --lmax 12 -o cl.h5', ranks=ranks)
        expected = spectra_of(sims.maps)
        agree(np.array([healpy.read_cl(sims.folder / f"cl_{i:03}.fits") for i in range(MAPS)]), expected)
        with h5py.File(sims.folder / "cl.h5") as file:
            agree(file["cl"][:, 0], expected)
            assert file["present"][:].all()

    def test_mean_and_covariance_of_simulations(self, sims, ranks):
        do(sims, "run job.yaml --quiet", ranks=ranks)
        cl = spectra_of(sims.maps)
        with h5py.File(sims.folder / "stats.h5") as file:
            assert np.array(file["count"]) == MAPS
            agree(file["cl"][0], cl.mean(axis=0))
            agree(file["covariance"][0], np.cov(cl.T))

    @pytest.mark.sweep
    def test_continue_after_a_kill(self, sims, ranks):
        line = "run job.yaml --quiet --set steps.0.analysis.method.jacobi.iterations=1000"  # a second or so
        do(sims, line)
        expected = products(sims)
        for _ in range(3):  # where the machine stalls, a run may be complete before it is killed
            start_over(sims)
            killed = start_and_kill(sims, line, ranks)
            done = len(list(sims.folder.glob("alm/alm_*.fits")))
            if done < MAPS:
                break
        assert killed and 0 < done < MAPS and not (sims.folder / "stats.h5").exists()
        do(sims, line, ranks=ranks)
        assert products(sims) == expected
        assert f"{MAPS} maps: {MAPS} done, 0 left out, 0 failed, 0 remaining" in do(sims, "status job.yaml").out
        do(sims, "verify job.yaml")

    @pytest.mark.sweep
    def test_parts_of_a_job_array(self, sims, ranks):
        do(sims, "run job.yaml --quiet")
        expected = products(sims)
        start_over(sims)
        do(sims, "run job.yaml --quiet --part 1/3", ranks=ranks)
        assert sorted(products(sims)) == [f"alm_{i:03}.fits" for i in range(4)]
        assert "4 done" in do(sims, "status job.yaml").out
        for part in (3, 2):
            do(sims, f"run job.yaml --quiet --part {part}/3", ranks=ranks)
        assert products(sims) == expected

    @pytest.mark.sweep
    def test_bad_maps_are_left_out(self, sims, ranks):
        values = sims.maps[4].copy()
        values[100] = np.nan
        write_map(sims, "sims/map_004.fits", values)
        (sims.folder / "sims/map_009.fits").write_bytes(b"SIMPLE  = nothing of a map")
        do(sims, "run job.yaml --quiet", code=2, ranks=ranks)
        do(sims, "run job.yaml --quiet --set 'execution.on_bad_map={skip: {at_most: 1}}'", code=2, ranks=ranks)
        do(sims, "run job.yaml --quiet --set 'execution.on_bad_map={skip: {at_most: 2}}' --restart --report r.json", ranks=ranks)
        skipped = sims.report("r.json")["campaign"]["skipped"]
        assert sorted(int(entry["map"]) for entry in skipped) == [4, 9]
        good = [i for i in range(MAPS) if i not in (4, 9)]
        with h5py.File(sims.folder / "stats.h5") as file:
            assert np.array(file["count"]) == 10
            agree(file["cl"][0], spectra_of(sims.maps[good]).mean(axis=0))

    def test_dry_run_and_plan_before_the_queue(self, sims, ranks):
        do(sims, "run job.yaml --dry-run --report plan.json", ranks=ranks)
        dry = sims.report("plan.json")
        assert dry["dry_run"] and dry["tightest_node"]["fits"] and products(sims) == {}
        do(sims, "run job.yaml --quiet --report report.json", ranks=ranks)
        sizes = {name: len(content) for name, content in products(sims).items()}
        announced = {output["name"]: output["bytes"] for output in dry["outputs"]}
        assert sizes["cl.h5"] <= announced["cl"] and sizes["stats.h5"] <= announced["stats"]
        # FITS files are announced without their headers, of two or three blocks of 2880 bytes, and the padding.
        alm = sum(size for name, size in sizes.items() if name.startswith("alm"))
        assert announced["alm"] - MAPS * 4 * 2880 < alm < announced["alm"] + MAPS * 4 * 2880
        planned = json.loads(do(sims, "plan job.yaml --ranks 64 --ranks-per-node 16 --memory-per-node 256G --json").out)
        assert planned["ranks"] == 64
        ours = json.loads(do(sims, f"plan job.yaml --ranks {max(ranks, 1)} --json").out)
        assert ours["exchange_bytes"]["total"] == sims.report("report.json")["exchange_bytes"]["total"]

    def test_report_and_verify(self, sims, ranks):
        do(sims, "run job.yaml --quiet --report r.json", ranks=ranks)
        report = sims.report("r.json")
        assert report["exit_code"] == 0 and report["ranks"] == max(ranks, 1) and report["campaign"]["maps"] == MAPS
        assert {os.path.basename(entry["file"]) for entry in report["checksums"]} == set(products(sims))
        assert len(report["input_checksums"]) == MAPS
        sizes = {entry["file"]: entry["bytes"] for entry in report["checksums"]}
        assert all((sims.folder / name).stat().st_size == size for name, size in sizes.items())
        do(sims, "verify r.json")
        damaged = sims.folder / "alm/alm_003.fits"
        content = bytearray(damaged.read_bytes())
        content[-100] ^= 1
        damaged.write_bytes(content)
        (sims.folder / "alm/alm_008.fits").unlink()
        result = do(sims, "verify r.json", code=2)
        assert "alm_003.fits" in result.out + result.error and "alm_008.fits" in result.out + result.error
        assert "alm_004.fits" not in result.error

    @pytest.mark.sweep
    def test_status_for_scripts(self, sims, ranks):
        before = do(sims, "status job.yaml --token").out
        do(sims, "run job.yaml --quiet --part 1/2", ranks=ranks)
        half = do(sims, "status job.yaml --token").out
        assert json.loads(do(sims, "status job.yaml --json").out)
        do(sims, "run job.yaml --quiet", ranks=ranks)
        after = do(sims, "status job.yaml --token").out
        assert len({before, half, after}) == 3
        assert after == do(sims, "status job.yaml --token").out

    def test_single_precision(self, sims, ranks):
        do(sims, f'analysis "{PATTERN}" --lmax 12 --method jacobi=3 --precision single -o single.h5', ranks=ranks)
        do(sims, f'analysis "{PATTERN}" --lmax 12 --method jacobi=3 -o double.h5', ranks=ranks)
        with h5py.File(sims.folder / "single.h5") as one, h5py.File(sims.folder / "double.h5") as two:
            assert one["alm"].dtype.itemsize == 8 and two["alm"].dtype.itemsize == 16
            difference = np.linalg.norm(one["alm"][:] - two["alm"][:]) / np.linalg.norm(two["alm"][:])
        # 6e-8 of each number, and sums of 768 pixels in float.
        assert 1e-9 < difference < 1e-6

    @pytest.mark.sweep
    def test_memory_limit(self, sims, ranks):
        line = "synthesis a.h5 --grid cc:6401:12800 --backend cpu -o large.h5 --quiet"
        do(sims, "random_alm --spectrum dl.dat --spectrum-kind dl --fields T --lmax 8 -o a.h5")
        result = do(sims, f"{line} --memory-limit 300M", code=3, ranks=ranks)
        assert " (the specified memory limit)" in result.error and "--memory-limit" in result.error
        assert not (sims.folder / "large.h5").exists()
        assert "would be rejected for lack of memory" in do(sims, f"{line[:-8]} --memory-limit 300M --dry-run", ranks=ranks).out

    def test_inspect_for_scripts(self, sims, ranks):
        do(sims, f'spectra "{PATTERN}" --lmax 12 -o cl.h5 --quiet', ranks=ranks)
        said = json.loads(do(sims, "inspect cl.h5 sims/map_000.fits sims/map_001.fits --json").out)
        entries = said["files"]
        assert [entry["kind"] for entry in entries] == ["spectra", "map", "map"]
        assert entries[0]["batch"] == {"maps": MAPS, "present": MAPS} and entries[0]["lmax"] == 12
        for i in (0, 1):
            (values,) = entries[1 + i]["maps"][0]["values"]
            expected = sims.maps[i]
            assert values["field"] == "T" and values["bad"] == 0 and values["f_sky"] == 1
            assert np.allclose([values["min"], values["max"], values["rms"], values["mean"]],
                               [expected.min(), expected.max(), np.sqrt(np.mean(expected ** 2)), expected.mean()], rtol=1e-12)
        assert entries[1]["grid"]["nside"] == 8 and entries[1]["analysis_lmax"] == 23

    def test_random_maps_on_a_batch_axis(self, sims, ranks):
        line = "random_alm --spectrum dl.dat --spectrum-kind dl --fields T --lmax 20 --seed 2 --maps {} -o {}"
        do(sims, line.format(5, "five.h5"), ranks=ranks)
        do(sims, line.format(9, "nine.h5"), ranks=ranks)
        with h5py.File(sims.folder / "five.h5") as five, h5py.File(sims.folder / "nine.h5") as nine:
            assert np.array_equal(five["alm"][:], nine["alm"][:5])
            assert not np.array_equal(nine["alm"][0], nine["alm"][1])
