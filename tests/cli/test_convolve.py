"""The step convolve from files to files: reference values, methods against each other, and masks."""
import json

import h5py
import numpy as np

from conftest import DATA
from tiers import SWEEP

DRAWN = """steps:
  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T], lmax: 40, seed: 3, out: a}
  - synthesis: {alm: a, grid: {healpix: {nside: 32}}, out: sky}
"""


def read(place, name):
    with h5py.File(place.folder / name) as file:
        return file["map"][:]


def distance(a, b):
    return np.sqrt(np.mean((a - b) ** 2) / np.mean(b ** 2))


def run(place, text, ranks=0, threads=1):
    place.job(text)
    result = place.armilla("run", "job.yaml", ranks=ranks, threads=threads)
    assert result.code == 0, result.error
    return result


# claims: step convolve
def test_reference_values(place):
    with h5py.File(DATA / "reference" / "radial_convolution.h5") as file:
        group = file["radial_convolution"]
        values, expected = group["map"][:], group["convolved"][:]
        fwhm, cutoff = group.attrs["fwhm_rad"], group.attrs["cutoff_rad"]
    place.map("in.h5", 32, 1, lambda numbers: np.copyto(numbers[0], values))
    kernel = f"kernel: {{gaussian: {{fwhm_arcmin: {np.degrees(fwhm) * 60!r}}}}}, cutoff_deg: {np.degrees(cutoff)!r}"
    cases = [(method, evaluation) for method in ("direct", "rings") for evaluation in ("exact", "interpolated")]
    steps = "".join(f"  - convolve: {{map: x, {kernel}, method: {method}, kernel_evaluation: {evaluation}, "
                    f"out: {method}_{evaluation}}}\n" for method, evaluation in cases)
    run(place, "inputs:\n  x: {map: in.h5}\nsteps:\n" + steps + "outputs:\n"
        + "".join(f"  {m}_{e}: {{file: {m}_{e}.h5}}\n" for m, e in cases), ranks=2, threads=2)
    # The file's kernel is K(d) = exp(-d^2 / 2 sigma^2) / (2 pi sigma^2), as the step's.
    for method, evaluation in cases:
        limit = 1e-12 if method == "direct" else 2e-4
        assert distance(read(place, f"{method}_{evaluation}.h5")[0], expected) < limit, (method, evaluation)
    assert distance(read(place, "rings_interpolated.h5"), read(place, "rings_exact.h5")) < 1e-12


def test_the_report_says_which_method_and_why(place):
    place.job(DRAWN + "  - convolve: {map: sky, kernel: {gaussian: {fwhm_arcmin: 400}}, out: wide}\n"
              "outputs:\n  wide: {file: wide.h5}\n")
    assert place.armilla("run", "job.yaml", "--report", "report.json").code == 0
    notes = json.loads((place.folder / "report.json").read_text())["notes"]
    assert any(note.startswith("steps[2].convolve: method ") and "FMA: rings" in note and "kernel cut off at" in note
               for note in notes), notes


def test_methods_agree(place):
    methods = ("rings", "direct", "harmonic", "auto")
    run(place, DRAWN + "".join(
        f"  - convolve: {{map: sky, kernel: {{gaussian: {{fwhm_arcmin: 400}}}}, method: {m}, out: {m}}}\n" for m in methods)
        + "outputs:\n" + "".join(f"  {m}: {{file: {m}.h5}}\n" for m in methods))
    direct = read(place, "direct.h5")
    for method in methods:
        assert distance(read(place, f"{method}.h5"), direct) < 3e-6, method


# claims: step reconstruct
def test_needlets_come_together_again(place):
    parts = ["needlet: {scale: 3, part: below}", "needlet: {scale: 3}", "needlet: {scale: 4}", "needlet: {scale: 5}"]
    run(place, DRAWN + "  - convolve: {map: sky, kernels: [" + ", ".join(
        f"{{name: n{i}, {part}}}" for i, part in enumerate(parts)) + "]}\n  - reconstruct: {kernels: [" + ", ".join(
            f"{{map: n{i}, {part}}}" for i, part in enumerate(parts))
        + "], grid: {healpix: {nside: 32}}, out: again}\noutputs:\n  sky: {file: sky.h5}\n  again: {file: again.h5}\n")
    assert distance(read(place, "again.h5"), read(place, "sky.h5")) < 2e-2  # quadrature without iterations


def test_a_mask_that_normalises(place):
    place.map("mask.h5", 32, 1, lambda m: np.copyto(m, (np.arange(m.size) > 4000).astype(float)[None]), FIELDS=["M"])
    place.map("one.h5", 32, 1, lambda m: m.fill(1.0))
    run(place, "inputs:\n  x: {map: one.h5}\n  m: {map: mask.h5}\nsteps:\n"
        "  - convolve: {map: x, kernel: {top_hat: {radius_deg: 6}}, mask: m, normalise: true, out: y}\n"
        "outputs:\n  y: {file: y.h5}\n")
    found = read(place, "y.h5")[0]
    assert np.all((np.abs(found - 1) < 1e-12) | (found == 0))
    assert found[0] == 0 and abs(found[-1] - 1) < 1e-12


def test_polarisation_goes_through_harmonics(place):
    run(place, "inputs:\n  x: {map: sky.h5}\nsteps:\n  - convolve: {map: x, kernel: {gaussian: {fwhm_arcmin: 1500}}, out: y}\n"
        "outputs:\n  y: {file: y.h5}\n")
    assert read(place, "y.h5").shape == (3, 768)


@SWEEP  # tests/radial has this claim
def test_equal_bits_on_any_ranks(place):
    results = []
    for ranks in (1, 2, 3, 7):
        run(place, DRAWN + "  - convolve: {map: sky, kernel: {gaussian: {fwhm_arcmin: 200}}, method: rings, out: y}\n"
            f"outputs:\n  y: {{file: y{ranks}.h5}}\n", ranks=ranks)
        results.append(read(place, f"y{ranks}.h5"))
    assert all(np.array_equal(results[0], other) for other in results[1:])


def test_without_omitted_modes_it_is_the_sum_over_pixels(place):
    """A point source on a grid of aligned rings: nothing beyond the cutoff, though the kernel is cut where it has 2e-3."""
    def source(numbers):
        numbers[:] = 0
        numbers[0, 5000] = 1
    place.map("point.h5", 32, 1, source)
    cases = {"sum": "method: direct", "all": "method: rings, mode_error: 0", "some": "method: rings"}
    run(place, "inputs:\n  x: {map: point.h5}\nsteps:\n" + "".join(
        f"  - convolve: {{map: x, kernel: {{gaussian: {{fwhm_arcmin: 1500}}}}, cutoff_deg: 60, {keys}, out: {name}}}\n"
        for name, keys in cases.items()) + "outputs:\n" + "".join(f"  {name}: {{file: {name}.h5}}\n" for name in cases))
    direct, every, some = (read(place, f"{name}.h5")[0] for name in ("sum", "all", "some"))
    assert np.count_nonzero(direct == 0) > 2000
    assert np.max(np.abs(every[direct == 0])) <= 1e-15 * np.max(direct)
    assert np.max(np.abs(some[direct == 0])) > 1e-12 * np.max(direct)
    assert distance(every, direct) < 1e-14


def test_harmonics_are_not_for_kernels_that_are_cut(place):
    """auto takes rings where the cutoff drops more than cutoff_error, and where no mode may be omitted."""
    kernel = "kernel: {gaussian: {fwhm_arcmin: 5000}}"
    place.map("x.h5", 8, 1)
    head, tail = "inputs:\n  x: {map: x.h5}\nsteps:\n", "outputs:\n  a: {file: a.h5}\n  b: {file: b.h5}\n  c: {file: c.h5}\n"
    run(place, head + f"  - convolve: {{map: x, {kernel}, cutoff_deg: 60.5, out: a}}\n"
        f"  - convolve: {{map: x, {kernel}, cutoff_deg: 60.5, method: direct, out: b}}\n"
        f"  - convolve: {{map: x, {kernel}, mode_error: 0, out: c}}\n" + tail)
    assert distance(read(place, "a.h5"), read(place, "b.h5")) < 1e-12


def test_kernels_that_pixels_do_not_resolve_are_warned_of(place):
    place.map("x.h5", 8, 1)
    result = run(place, "inputs:\n  x: {map: x.h5}\nsteps:\n"
                 "  - convolve: {map: x, kernel: {gaussian: {fwhm_arcmin: 200}}, out: narrow}\n"
                 "  - convolve: {map: x, kernel: {gaussian: {fwhm_arcmin: 1000}}, out: wide}\n"
                 "outputs:\n  narrow: {file: narrow.h5}\n  wide: {file: wide.h5}\n")
    said = result.out + result.error
    assert "do not resolve the kernel of 'narrow'" in said and said.count("do not resolve") == 1


def test_a_map_may_be_its_own_mask(place):
    values = place.map("x.h5", 8, 1)
    run(place, "inputs:\n  x: {map: x.h5}\nsteps:\n  - mask: {map: x, mask: x, out: a}\noutputs:\n  a: {file: a.h5}\n")
    assert np.array_equal(read(place, "a.h5"), values ** 2)


def test_rings_without_weights(place):
    with h5py.File(place.folder / "rings.h5", "w") as file:
        group = file.create_group("grid")
        group["theta"], group["phi0"], group["nphi"] = [0.5, 1.0, 1.7], [0.0, 0.1, 0.2], [8, 12, 12]
    step = ("steps:\n  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T], lmax: 8, seed: 3, out: a}\n"
            "  - synthesis: {alm: a, grid: {rings: {file: rings.h5}}, out: x}\n"
            "  - convolve: {map: x, kernel: {gaussian: {fwhm_arcmin: 1200}}, weights: none, out: y}\noutputs:\n  y: {file: y.h5}\n")
    run(place, step)


def test_a_kernel_narrower_than_a_pixel_leaves_each_pixel_to_itself(place):
    place.map("x.h5", 8, 1)
    run(place, "inputs:\n  x: {map: x.h5}\nsteps:\n  - convolve: {map: x, kernel: {gaussian: {fwhm_arcmin: 1.0e-5}}, out: y0}\n"
        "  - convolve: {map: x, kernel: {gaussian: {fwhm_arcmin: 0.01}}, out: y1}\n"
        "outputs:\n  y0: {file: y0.h5}\n  y1: {file: y1.h5}\n")
    for name in ("y0.h5", "y1.h5"):
        ratio = read(place, name) / read(place, "x.h5")
        assert np.ptp(ratio) < 1e-12 * ratio.flat[0]
