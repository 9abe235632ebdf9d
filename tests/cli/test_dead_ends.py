"""What users try first: words of other programs, short forms, folders that do not exist, files with one map on an axis."""
import subprocess

import h5py
import numpy as np
import pytest

from conftest import BINARY, environment


def run(place, *arguments, code=0):
    result = place.armilla(*arguments)
    assert result.code == code, result.error
    return result


def read(place, name, dataset="map"):
    with h5py.File(place.folder / name) as file:
        return file[dataset][:]


def with_axis(place, name, new, maps=1):
    """The map of a file on a batch axis of `maps` equal maps."""
    with h5py.File(place.folder / name) as old, h5py.File(place.folder / new, "w") as file:
        data = file.create_dataset("map", data=np.repeat(old["map"][:][None], maps, axis=0))
        data.attrs.update(old["map"].attrs)


class TestABatchAxisOfOneMap:
    def test_is_no_axis(self, place):
        with_axis(place, "sky.h5", "one.h5")
        place.map("weight.h5", 8, 1)
        for name, out in (("sky.h5", "a"), ("one.h5", "b")):
            run(place, "spectra", name, "--lmax", 8, "-o", f"{out}.dat", "--quiet")
            run(place, "multiply", name, "--with", "weight.h5", "-o", f"{out}.h5", "--quiet")
            run(place, "convert", name, f"{out}.fits")
            run(place, "analysis", name, "--lmax", 8, "-o", f"{out}_alm.h5", "--quiet")
        for ending in (".dat", ".h5", ".fits", "_alm.h5"):
            assert (place.folder / f"a{ending}").read_bytes() == (place.folder / f"b{ending}").read_bytes(), ending

    def test_spectra_with_an_axis(self, place):
        run(place, "spectra", "sky.h5", "--lmax", 8, "-o", "cl.h5", "--quiet")
        with h5py.File(place.folder / "cl.h5", "r+") as file:
            values, attributes = file["cl"][:], dict(file["cl"].attrs)
            del file["cl"]
            file.create_dataset("cl", data=values[None]).attrs.update(attributes)
        run(place, "convert", "cl.h5", "cl.dat")

    def test_several_maps_are_many(self, place):
        with_axis(place, "sky.h5", "two.h5", maps=2)
        assert "contains 2 maps along a batch axis" in run(place, "convert", "two.h5", "a.fits", code=2).errors()[0]


class TestPositionsWithoutValues:
    # claims: step adjoint_synthesis_at
    def test_have_the_value_1(self, place):
        rng = np.random.default_rng(4)
        theta, phi = np.arccos(rng.uniform(-1, 1, 50)), rng.uniform(0, 2 * np.pi, 50)
        rows = "\n".join(f"{t:.17g} {p:.17g}" for t, p in zip(theta, phi))
        (place.folder / "places.txt").write_text("# theta phi\n" + rows + "\n")
        run(place, "adjoint_synthesis_at", "places.txt", "--lmax", 1, "-o", "a.h5", "--quiet")
        found = [complex(*value) if value.dtype.names else complex(value) for value in read(place, "a.h5", "alm")[0]]
        # Sums of Y_00, Y_10 and conj(Y_11) over the points; the transform is accurate to 1e-10.
        y_11 = -np.sqrt(3 / (8 * np.pi)) * np.sum(np.sin(theta) * np.exp(-1j * phi))
        expected = [50 / np.sqrt(4 * np.pi), np.sqrt(3 / (4 * np.pi)) * np.sum(np.cos(theta)), y_11]
        assert np.allclose(found, expected, rtol=0, atol=1e-8 * 50)


class TestGrids:
    def test_parameters_of_a_known_grid_are_enough(self, place):
        run(place, "analysis", "sky.h5", "--fields", "T", "--lmax", 8, "-o", "a.h5", "--quiet")
        run(place, "synthesis", "a.h5", "--grid", "gauss:12:24", "-o", "g.h5", "--quiet")
        run(place, "analysis", "g.h5", "--lmax", 8, "-o", "b.h5", "--quiet")
        with h5py.File(place.folder / "g.h5", "r+") as file:
            for name in ("theta", "phi0", "nphi", "weight"):
                del file["grid"][name]
        run(place, "analysis", "g.h5", "--lmax", 8, "-o", "c.h5", "--quiet")
        assert (place.folder / "b.h5").read_bytes() == (place.folder / "c.h5").read_bytes()

    def test_a_part_of_the_columns_is_not(self, place):
        run(place, "analysis", "sky.h5", "--fields", "T", "--lmax", 8, "-o", "a.h5", "--quiet")
        run(place, "synthesis", "a.h5", "--grid", "gauss:12:24", "-o", "g.h5", "--quiet")
        with h5py.File(place.folder / "g.h5", "r+") as file:
            del file["grid"]["theta"]
        assert "theta" in run(place, "analysis", "g.h5", "--lmax", 8, "-o", "c.h5", code=2).errors()[0]


class TestFolders:
    def test_are_created(self, place):
        place.remember()
        dry = run(place, "analysis", "sky.h5", "--lmax", 4, "-o", "new/deep/a.h5", "--dry-run")
        assert "the run creates the folder 'new/deep'" in dry.error and place.leftovers() == []
        run(place, "analysis", "sky.h5", "--lmax", 4, "-o", "new/deep/a.h5", "--quiet")
        assert (place.folder / "new/deep/a.h5").exists()

    def test_are_removed_if_the_run_is_refused(self, place):
        place.remember()
        run(place, "analysis", "sky.h5", "--lmax", 400, "-o", "new/a.h5", code=2)
        assert place.leftovers() == []

    def test_a_file_in_the_way(self, place):
        said = run(place, "analysis", "sky.h5", "--lmax", 4, "-o", "sky.h5/a.h5", code=3).errors()[0]
        assert "-o: cannot create folder 'sky.h5'" in said


@pytest.mark.parametrize("word, verb", [
    ("anafast", "armilla spectra"), ("synfast", "armilla random_alm"), ("smoothing", "armilla smooth"),
    ("alteralm", "armilla rotate"), ("map2alm", "armilla analysis"), ("ud_grade", "armilla regrid"),
    ("hotspot", "armilla inspect"), ("SHExpandDH", "armilla analysis"), ("MakeGridDH", "armilla synthesis"),
    ("compute_full_master", "armilla help step decouple"), ("PolSpice", "armilla help step decouple"),
    ("uv2dv", "armilla convert_vector")])
def test_help_knows_words_of_other_programs(place, word, verb):
    assert verb in run(place, "help", word).out


class TestShortForms:
    def test_letters_of_coordinates(self, place):
        run(place, "analysis", "sky.h5", "--fields", "T", "--lmax", 8, "-o", "a.h5", "--quiet")
        run(place, "rotate", "a.h5", "--from", "G", "--to", "C", "-o", "b.h5", "--quiet")
        run(place, "rotate", "a.h5", "--from", "galactic", "--to", "equatorial", "-o", "c.h5", "--quiet")
        assert (place.folder / "b.h5").read_bytes() == (place.folder / "c.h5").read_bytes()

    @pytest.mark.parametrize("option, fields", [("--fields", "QU"), ("--field", "Q,U"), ("--fields", "TQU")])
    def test_fields_as_one_word(self, place, option, fields):
        run(place, "analysis", "sky.h5", option, fields, "--lmax", 8, "-o", "a.h5", "--quiet")
        assert read(place, "a.h5", "alm").shape[0] == (3 if fields == "TQU" else 2)

    def test_in_a_job(self, place):
        place.job("inputs:\n  sky: {map: sky.h5, fields: QU}\nsteps:\n"
                  "  - analysis: {map: sky, lmax: 8, method: 'jacobi:3', out: a}\n"
                  "  - random_alm: {spectrum: dl.dat, spectrum_kind: Dl, fields: TEB, lmax: 8, seed: 1, out: r}\n"
                  "outputs:\n  a: {file: a.h5}\n  r: {file: r.h5}\n")
        run(place, "run", "job.yaml", "--quiet")
        run(place, "analysis", "sky.h5", "--fields", "Q,U", "--lmax", 8, "--method", "jacobi=3", "-o", "b.h5", "--quiet")
        run(place, "analysis", "sky.h5", "--fields", "Q,U", "--lmax", 8, "--method", "jacobi:3", "-o", "c.h5", "--quiet")
        assert (place.folder / "a.h5").read_bytes() == (place.folder / "b.h5").read_bytes()
        assert (place.folder / "a.h5").read_bytes() == (place.folder / "c.h5").read_bytes()
        assert read(place, "r.h5", "alm").shape[0] == 3


class TestPrintfPatterns:
    def test_of_inputs_and_outputs(self, place):
        for i in (2, 10):
            place.map(f"m_{i:04d}.h5", 4, 1, lambda values: values.__iadd__(i))
        place.map("m_00003.h5", 4, 1)  # five digits, which %04d does not write
        run(place, "scale", "m_%04d.h5", "--factor", 2, "-o", "s_%03d.h5", "--quiet")
        assert sorted(path.name for path in place.folder.glob("s_*.h5")) == ["s_002.h5", "s_010.h5"]
        assert np.array_equal(read(place, "s_010.h5"), 2 * read(place, "m_0010.h5"))

    def test_a_percent_sign_in_a_word_is_text(self, place):
        run(place, "scale", "sky.h5", "--factor", 2, "-o", "50%done.h5", "--quiet")
        assert (place.folder / "50%done.h5").exists()

    def test_no_file(self, place):
        assert "'n_%04d.h5' matches no file" in run(place, "scale", "n_%04d.h5", "--factor", 2, "-o", "s.h5", code=2).errors()[0]


def test_head_ends_quietly(place):
    inspect = subprocess.Popen([BINARY, "list", "steps"], cwd=place.folder, text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env=environment())
    inspect.stdout.close()
    assert inspect.wait(timeout=60) == 0 and inspect.stderr.read() == ""
    inspect.stderr.close()
