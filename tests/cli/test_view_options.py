"""armilla view: orientation, projections, ranges and scales of colours, and one map of many."""
import struct
import zlib

import h5py
import numpy as np
import pytest

from conftest import Workplace
from tiers import sweep

WIDTH = 400


def pixels_of(content):
    """Colours of a PNG file with a palette of 8 bits, [row][column][channel]."""
    assert content.startswith(b"\x89PNG")
    at, chunks = 8, {}
    while at < len(content):
        length, kind = struct.unpack(">I4s", content[at:at + 8])
        chunks[kind] = chunks.get(kind, b"") + content[at + 8:at + 8 + length]
        at += length + 12
    width, height, depth, kind = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert (depth, kind) == (8, 3)
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, width + 1)
    assert not rows[:, 0].any()  # no filters
    return np.frombuffer(chunks[b"PLTE"], np.uint8).reshape(-1, 3)[rows[:, 1:]]


def view(place, file, *arguments, code=0):
    result = place.armilla("view", file, "-o", "a.png", "--width", WIDTH, *arguments)
    assert result.code == code, result.error
    if code:
        return result.errors()[0]
    place.said = result.out
    return pixels_of((place.folder / "a.png").read_bytes())


def write_grid(place, name, values, **attributes):
    """A map on rings of equal length, which names no coordinates."""
    nlat, nphi = values.shape
    with h5py.File(place.folder / name, "w") as file:
        file.create_dataset("map", data=values.reshape(1, -1)).attrs.update({"FIELDS": "T", **attributes})
        grid = file.create_group("grid")
        grid.attrs["kind"] = "rings"
        grid["theta"] = (np.arange(nlat) + 0.5) * np.pi / nlat
        grid["phi0"] = np.zeros(nlat)
        grid["nphi"] = np.full(nlat, nphi)


def longitudes(nside):
    """Of the pixels of HEALPix, in the order of rings; Gorski et al. 2005, equations 5 and 9."""
    found = []
    for i in range(1, 4 * nside):
        nphi = 4 * min(i, nside, 4 * nside - i)
        shift = 0.5 if i < nside or i > 3 * nside or (i - nside) % 2 == 0 else 0
        found += [(j + shift) * 2 * np.pi / nphi for j in range(nphi)]
    return np.array(found)


@pytest.fixture(scope="module")
def east(tmp_path_factory):
    """1 in the hemisphere to the east of longitude 0, else 0; on HEALPix and on another grid."""
    place = Workplace(tmp_path_factory.mktemp("east"))
    nphi = 36
    write_grid(place, "grid.h5", np.tile(np.arange(nphi) < nphi / 2, (18, 1)).astype(float))
    write_grid(place, "sky_grid.h5", np.tile(np.arange(nphi) < nphi / 2, (18, 1)).astype(float), COORDSYS="G")
    place.map("healpix.h5", 8, 1, lambda values: values.__setitem__(0, longitudes(8) < np.pi))
    return place


def east_is_right(pixels):
    """Yellow is 1, dark blue 0."""
    rows = pixels[len(pixels) // 3:len(pixels) // 2, :, 0].astype(int)
    left, right = (rows[:, column - 20:column + 20].mean() for column in (WIDTH // 4, WIDTH * 3 // 4))
    assert abs(right - left) > 20
    return bool(right > left)


USUAL = {"grid.h5": True, "sky_grid.h5": False, "healpix.h5": False}
FIRST = {("mollweide", "grid.h5", None), ("mollweide", "sky_grid.h5", None), ("mollweide", "healpix.h5", "--geo"),
         ("plate_carree", "grid.h5", "--sky"), ("plate_carree", "healpix.h5", None)}
EVERY = [(projection, file, option) for projection in ("mollweide", "plate_carree") for file in USUAL
         for option in (None, "--geo", "--sky")]


@pytest.mark.parametrize("projection, file, option", [*(case for case in EVERY if case in FIRST),
                                                      *sweep(*(case for case in EVERY if case not in FIRST))])
def test_east_is_where_the_grid_or_an_option_says(east, projection, file, option):
    right = USUAL[file] if option is None else option == "--geo"
    assert east_is_right(view(east, file, "--projection", projection, *([option] if option else []))) == right


def test_points_keep_their_orientation_and_take_an_option(place):
    (place.folder / "p.csv").write_text("theta,phi,T\n" + "".join(
        f"{theta},{phi},{float(phi < 3.14)}\n" for theta in np.linspace(0.05, 3.1, 60)
        for phi in np.linspace(0.01, 6.27, 120)))
    assert not east_is_right(view(place, "p.csv"))
    assert east_is_right(view(place, "p.csv", "--geo", "--projection", "plate_carree"))


def test_plate_carree_fills_a_rectangle(east):
    pixels = view(east, "grid.h5", "--projection", "plate_carree")
    inside = (pixels != 255).any(axis=2)
    rows = inside[:, 20:WIDTH - 20].all(axis=1).sum()  # the margin is a fortieth of the width
    assert rows == pytest.approx((WIDTH - 20) / 2, abs=3)


def test_a_range_is_both_of_its_ends(place):
    assert np.array_equal(view(place, "sky.h5", "--range", "-1:2.5"),
                          view(place, "sky.h5", "--min", "-1", "--max", "2.5"))


def test_logarithmic_colours_leave_out_what_is_not_positive(place):
    def change(values):
        values[0] = 10.0 ** (np.arange(768) % 5)
        values[0, 100:103] = [0, -1, np.nan]
        values[1:] = 1
    place.map("powers.h5", 8, 3, change)
    pixels = view(place, "powers.h5", "--field", "T", "--log")
    assert place.said == ("T: 2 of 768 values are zero or negative and cannot be shown on a logarithmic scale: they are "
                          "drawn in grey, like missing values\n")
    colours = pixels.reshape(-1, 3)
    assert (colours == 140).all(axis=1).sum() > 20  # grey
    assert not np.array_equal(pixels, view(place, "powers.h5", "--field", "T"))
    assert place.said == ""
    view(place, "powers.h5", "--field", "Q", "--log")
    assert place.said == ""


def test_logarithmic_colours_of_points(place):
    (place.folder / "p.csv").write_text("theta,phi,T\n1,1,10\n1.2,1,-1\n1.4,1,1000\n")
    view(place, "p.csv", "--log")
    assert place.said == ("T: 1 of 3 values are zero or negative and cannot be shown on a logarithmic scale: they are not "
                          "drawn, like missing values\n")


def test_one_map_of_many(place):
    place.job("steps:\n  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T], lmax: 12, seed: 5, maps: 3, out: a}\n"
              "  - synthesis: {alm: a, grid: {healpix: {nside: 8}}, out: m}\n  - spectra: {alm: a, out: cl}\n"
              "outputs:\n  a: {file: a.h5}\n  m: {file: m.h5}\n  cl: {file: cl.h5}\n")
    assert place.armilla("run", "job.yaml", "--quiet").code == 0
    with h5py.File(place.folder / "m.h5") as file, h5py.File(place.folder / "one.h5", "w") as one:
        one.create_dataset("map", data=file["map"][1]).attrs.update(dict(file["map"].attrs))
    rest = view(place, "one.h5").astype(int)

    def difference(number):
        """The title is above the sphere, and its greys may move colours of the palette a little."""
        return abs(view(place, "m.h5", "--map", number)[-len(rest):] - rest).mean()
    assert difference(1) < 1 and difference(2) > 10
    assert np.array_equal(view(place, "a.h5", "--map", "1"), view(place, "cl.h5", "--map", "1"))
    assert not np.array_equal(view(place, "a.h5", "--map", "1"), view(place, "a.h5", "--map", "2"))
    assert "m.h5 contains 3 maps: choose one with --map 0 .. 2" in view(place, "m.h5", code=2)
    assert "a.h5 contains 3 maps: choose one with --map 0 .. 2" in view(place, "a.h5", code=2)
    assert "--map 3: cl.h5 contains 3 maps: choose one of 0 .. 2" in view(place, "cl.h5", "--map", "3", code=2)
    for name in ("m.h5", "cl.h5"):
        with h5py.File(place.folder / name, "r+") as file:
            file["present"][1] = 0
        assert "map 1 is absent" in view(place, name, "--map", "1", code=2)


def test_files_are_small(place):
    """Noise on the pixels of the picture is the worst case: a byte per pixel at most, not three."""
    place.map("noise.h5", 128, 1)
    result = place.armilla("view", "noise.h5", "-o", "a.png", "--width", "800")
    assert result.code == 0, result.error
    content = (place.folder / "a.png").read_bytes()
    width, height = struct.unpack(">II", content[16:24])
    assert len(content) < 0.7 * width * height
