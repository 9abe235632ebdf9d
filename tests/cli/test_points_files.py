"""Files of points: inspect, view and convert, and what they say about bad ones."""
import h5py
import numpy as np
import pytest

astropy_fits = pytest.importorskip("astropy.io.fits")
from astropy.table import Table  # noqa: E402

COUNT = 500


@pytest.fixture
def catalogue(place):
    """Places, and Q and U there, in points.h5."""
    random = np.random.default_rng(3)
    place.theta = np.arccos(random.uniform(-1, 1, COUNT))
    place.phi = random.uniform(-3, 9, COUNT)
    place.theta[:2] = 0, np.pi
    place.values = random.normal(size=(2, COUNT))
    with h5py.File(place.folder / "points.h5", "w") as file:
        file["theta"], file["phi"] = place.theta, place.phi
        values = file.create_dataset("values", data=place.values)
        values.attrs["FIELDS"], values.attrs["SPINS"], values.attrs["UNITS"] = "Q,U", [2, 2], "uK"
        values.attrs["COORDSYS"] = "G"
    return place


def write_bad(place, theta, phi=None, name="bad.h5"):
    with h5py.File(place.folder / name, "w") as file:
        file["theta"] = theta
        file["phi"] = np.zeros(len(theta)) if phi is None else phi


def row_of(text, field):
    return next(line.split() for line in text.splitlines() if line.startswith(field + " "))


def test_inspect_says_what_a_catalogue_holds(catalogue):
    catalogue.values[0, [3, 4]] = np.nan, -1.6375e30
    with h5py.File(catalogue.folder / "points.h5", "r+") as file:
        file["values"][...] = catalogue.values
    result = catalogue.armilla("inspect", "points.h5")
    assert result.code == 0, result.error
    for part in ("points, HDF5, 500 points", "positions: theta and phi in radians, float64", "theta: 0 .. 3.14159 rad",
                 "coordinates: G", "polarisation: unspecified", "spins: 2, 2", "float64"):
        assert part in result.out
    good = np.delete(catalogue.values[0], [3, 4])
    numbers = [float(word) for word in row_of(result.out, "Q")[-6:]]
    # printed with six digits
    assert numbers[:4] == pytest.approx([good.min(), good.max(), np.sqrt(np.mean(good**2)), good.mean()], rel=1e-5)
    assert numbers[4:] == [1, 1]
    assert [float(word) for word in row_of(result.out, "U")[-2:]] == [0, 0]


def test_inspect_knows_right_ascension_and_declination(place):
    table = Table({"RA": [10.0, 350.0], "DEC": [-90.0, 45.0], "I_STOKES": np.array([1, 3], "f4"), "NAME": ["a", "b"]})
    table["I_STOKES"].unit = "mK"
    table.write(place.folder / "x.fits")
    table.write(place.folder / "x.csv", comment=False)
    for name, kind in (("x.fits", "FITS"), ("x.csv", "text")):
        result = place.armilla("inspect", name)
        assert result.code == 0, result.error
        for part in (f"points, {kind}, 2 points", "positions: RA and DEC in degrees", "theta: 0.785398 .. 3.14159 rad",
                     "RA: 10 .. 350 degrees", "DEC: -90 .. 45 degrees", "coordinates: C"):
            assert part in result.out
        assert "note" not in result.out
    assert row_of(place.armilla("inspect", "x.fits").out, "T")[1:6] == ["[mK]", "1", "3", "2.23607", "2"]
    assert row_of(place.armilla("inspect", "x.csv").out, "T")[1:5] == ["1", "3", "2.23607", "2"]


def test_inspect_warns_of_radians_that_are_taken_as_degrees(place):
    (place.folder / "x.csv").write_text("ra,dec\n0.1,1.5\n6.2,-1.5\n")
    result = place.armilla("inspect", "x.csv")
    assert result.code == 0 and "note: ra and dec are read as degrees; if they are radians" in result.out
    (place.folder / "y.csv").write_text("ra,dec\n0.1,1.5\n16.2,-1.5\n")
    assert "note" not in place.armilla("inspect", "y.csv").out


@pytest.mark.parametrize("names", [("a.fits", "b.csv", "c.h5"), ("a.txt", "b.fit", "c.hdf5"), ("a.h5", "b.dat", "c.h5")])
def test_conversions_and_back_keep_every_bit(catalogue, names):
    for before, after in zip(("points.h5", *names), names):
        result = catalogue.armilla("convert", before, after)
        assert result.code == 0, result.error
    with h5py.File(catalogue.folder / names[-1]) as file:
        assert np.array_equal(file["theta"], catalogue.theta) and np.array_equal(file["phi"], catalogue.phi)
        assert np.array_equal(file["values"], catalogue.values)
        attributes = file["values"].attrs
        assert list(attributes["FIELDS"]) == ["Q", "U"] and list(attributes["SPINS"]) == [2, 2]
        assert list(attributes["UNITS"]) == ["uK", "uK"] and attributes["COORDSYS"] == "G"


def test_other_programs_read_what_is_written(catalogue):
    for name in ("a.fits", "a.csv", "a.txt"):
        assert catalogue.armilla("convert", "points.h5", name).code == 0
    columns = [catalogue.theta, catalogue.phi, *catalogue.values]
    with astropy_fits.open(catalogue.folder / "a.fits") as file:
        table = file[1]
        assert table.columns.names == ["THETA", "PHI", "Q_POLARISATION", "U_POLARISATION"]
        assert table.columns.units == ["rad", "rad", "uK", "uK"]
        assert table.header["SPINS"] == "2,2" and table.header["COORDSYS"] == "G"
        for name, column in zip(table.columns.names, columns):
            assert np.array_equal(table.data[name], column)
    csv = np.genfromtxt(catalogue.folder / "a.csv", delimiter=",", names=None, skip_header=5)
    assert np.array_equal(csv.T, columns)
    assert np.array_equal(np.loadtxt(catalogue.folder / "a.txt").T, columns)
    read = Table.read(catalogue.folder / "a.csv", comment="#")
    assert read.colnames == ["theta", "phi", "Q", "U"]


def test_the_precision_of_values_can_be_changed(catalogue):
    assert catalogue.armilla("convert", "points.h5", "single.h5", "--precision", "single").code == 0
    with h5py.File(catalogue.folder / "single.h5") as file:
        assert file["values"].dtype == np.float32 and file["theta"].dtype == np.float64
        assert np.array_equal(file["values"], catalogue.values.astype(np.float32))
    result = catalogue.armilla("convert", "points.h5", "x.h5", "--ordering", "ring")
    assert result.code == 2 and "--ordering applies to HEALPix maps" in result.error


@pytest.mark.parametrize("arguments", [[], ["--field", "U", "--min", "-1", "--max", "1"],
                                       ["--projection", "orthographic", "--centre", "30", "60"]])
def test_view_draws_values(catalogue, arguments):
    result = catalogue.armilla("view", "points.h5", "-o", "a.png", "--width", "400", *arguments)
    assert result.code == 0, result.error
    content = (catalogue.folder / "a.png").read_bytes()
    assert content.startswith(b"\x89PNG") and len(content) > 4000


def test_view_draws_the_density_of_points_alone(place):
    write_bad(place, np.linspace(0, np.pi, 100), np.linspace(0, 40, 100), "bare.h5")
    for name in ("a.png", "a.svg", "a.pdf"):
        result = place.armilla("view", "bare.h5", "-o", name, "--width", "400")
        assert result.code == 0, result.error
    result = place.armilla("view", "bare.h5", "-o", "b.png", "--field", "Q")
    assert result.code == 2 and "--field Q" in result.error
    result = place.armilla("view", "bare.h5", "-o", "b.png", "--cl")
    assert result.code == 2 and "--cl applies only to spectra" in result.error


# tests/io has the other mistakes (BadPoints).
@pytest.mark.parametrize("verb", [["inspect", "bad.h5"], ["view", "bad.h5", "-o", "a.png"],
                                  ["convert", "bad.h5", "a.fits"]])
def test_bad_places_are_named(place, verb):
    write_bad(place, [0.1, 3.5, -0.2])
    place.remember()
    result = place.armilla(*verb)
    assert result.code == 2
    for part in ["bad.h5", "point 1 (counted from 0): theta = 3.5 is out of range 0 .. pi"]:
        assert part in result.errors()[0]
    assert place.leftovers() == []


def test_text_without_coordinates_is_named(place):
    (place.folder / "bad.csv").write_text("theta,azimuth\n1,2\n")
    result = place.armilla("inspect", "bad.csv")
    assert result.code == 2
    for part in ["bad.csv", "no column L or ELL", "theta,azimuth", "theta,phi"]:
        assert part in result.errors()[0]


def test_an_unknown_ending_is_refused(catalogue):
    catalogue.remember()
    result = catalogue.armilla("convert", "points.h5", "a.png")
    assert result.code == 2 and "extension '.png'" in result.errors()[0] and ".csv" in result.errors()[0]
    assert catalogue.leftovers() == []


@pytest.mark.parametrize("keys", ["fields: [T, Q, U], spin: 2", "value_columns: [T, Q, U], fields: [T, Q, U]"])
def test_a_column_of_that_very_name_is_the_field(place, keys):
    """A u band beside Stokes U, and a time t beside T."""
    (place.folder / "phot.csv").write_text("ra,dec,t,u,T,Q,U\n10,20,55000,18.1,0.5,0.1,0.2\n")
    place.job("inputs:\n  x: {values: phot.csv, " + keys + "}\nsteps:\n"
              "  - adjoint_synthesis_at: {values: x, lmax: 4, out: a}\noutputs:\n  x: {file: x.csv}\n")
    result = place.armilla("run", "job.yaml")
    assert result.code == 0, result.error
    assert (place.folder / "x.csv").read_text().splitlines()[-1].endswith(",0.5,0.1,0.2")


def test_lists_in_text_are_about_all_value_columns(place):
    (place.folder / "x.csv").write_text('# unit: "mK,thermodynamic","mK,thermodynamic",m\n# spins: 2,2,0\n'
                                        'theta,phi,A,B,C\n1,2,3,4,5\n1,3,6,7,8\n')
    place.job("inputs:\n  x: {values: x.csv, value_columns: [B, C], fields: [{name: B}, {name: C}]}\n"
              "  y: {values: x.csv, value_columns: [A, B]}\n"
              "outputs: {x: {file: x.h5}, y: {file: y.h5}}\n")
    result = place.armilla("run", "job.yaml")
    assert result.code == 0, result.error
    for name, units, spins, values in (("x", ["mK,thermodynamic", "m"], [0, 0], [[4, 7], [5, 8]]),
                                       ("y", ["mK,thermodynamic", "mK,thermodynamic"], [2, 2], [[3, 6], [4, 7]])):
        with h5py.File(place.folder / f"{name}.h5") as file:
            assert [str(unit) for unit in file["values"].attrs["UNITS"]] == units
            assert list(file["values"].attrs["SPINS"]) == spins
            assert np.array_equal(file["values"][:], values)
