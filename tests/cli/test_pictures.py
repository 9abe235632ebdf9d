"""armilla view: its formats, and what it needs of the machine."""
import shutil
import subprocess
import xml.etree.ElementTree

import pytest

from conftest import BINARY
from tiers import sweep

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("arguments", [["sky.h5", "--field", "Q", "--projection", "orthographic"], ["dl.dat", "--cl"],
                                       *sweep(["sky.h5"], ["sky.h5", "--field", "T", "--min", "-1", "--max", "1"])])
def test_view_writes_a_picture(place, arguments):
    result = place.armilla("view", *arguments, "-o", "a.png", "--width", "400")
    assert result.code == 0, result.error
    content = (place.folder / "a.png").read_bytes()
    assert content.startswith(b"\x89PNG") and len(content) > 2000


@pytest.mark.parametrize("arguments, part", [
    (["dl.dat", "--min", "1"], "--min applies only to maps"),
    (["sky.h5", "--range", "3:1"], "min = 3 is not below max = 1"),
    (["sky.h5", "--geo", "--sky"], "excludes"),
    *sweep(
        (["dl.dat", "--projection", "mollweide"], "--projection applies only to maps"),
        (["dl.dat", "--centre", "0", "10"], "--centre applies only to maps"),
        (["sky.h5", "--cl"], "--cl applies only to spectra"), (["sky.h5", "--centre", "30", "100"], "the latitude 100"),
        (["sky.h5", "--projection", "mol"], "use mollweide, orthographic or plate_carree"),
        (["dl.dat", "--log"], "--log applies only to maps; spectra are logarithmic"),
        (["dl.dat", "--geo"], "--geo applies only to maps"), (["dl.dat", "--range", "1:2"], "--range applies only to maps"),
        (["sky.h5", "--map", "0"], "--map applies only to files of many maps"),
        (["dl.dat", "--map", "0"], "--map applies only to files of many maps"),
        (["sky.h5", "--range", "3"], "use two numbers, such as -300:300"),
        (["sky.h5", "--range", "1:3", "--min", "0"], "excludes"),
        (["sky.h5", "--log", "--range", "-1:3"], "-1 is not positive"))])
def test_view_refuses_options_that_do_not_apply(place, arguments, part):
    result = place.armilla("view", *arguments, "-o", "a.png")
    assert result.code == 2 and part in result.error
    assert not (place.folder / "a.png").exists()


def test_view_draws_the_spectra_of_alm(place):
    place.job("inputs:\n  sky: {map: sky.h5}\nsteps:\n  - analysis: {map: sky, lmax: 16, out: a}\noutputs:\n  a: {file: a.h5}\n")
    assert place.armilla("run", "job.yaml").code == 0
    result = place.armilla("view", "a.h5", "-o", "a.png", "--field", "TT,EE")
    assert result.code == 0, result.error
    assert (place.folder / "a.png").read_bytes().startswith(b"\x89PNG")


def test_the_name_chooses_the_format(place):
    for name in ("map.png", "map.svg", "map.pdf", "MAP.PDF"):
        result = place.armilla("view", "sky.h5", "-o", name, "--width", "400")
        assert result.code == 0, result.error
    assert (place.folder / "map.png").read_bytes().startswith(b"\x89PNG")
    assert (place.folder / "map.pdf").read_bytes().startswith(b"%PDF-")
    assert (place.folder / "MAP.PDF").read_bytes().startswith(b"%PDF-")
    svg = xml.etree.ElementTree.parse(place.folder / "map.svg").getroot()
    assert svg.tag == SVG + "svg" and svg.get("width") == "400px"
    # T, Q and U, each with a colour bar.
    assert len(svg.findall(f".//{SVG}image")) == 6


@pytest.mark.skipif(not shutil.which("pdftotext"), reason="pdftotext is missing")
def test_a_pdf_has_the_size_asked_for_and_its_text_as_text(place):
    assert place.armilla("view", "dl.dat", "-o", "cl.pdf", "--width", "800").code == 0
    info = subprocess.run(["pdfinfo", "cl.pdf"], cwd=place.folder, capture_output=True, text=True, check=True).stdout
    # 800 x 500 pixels of 1/96 inch, in points of 1/72.
    assert "600 x 375 pts" in info
    text = subprocess.run(["pdftotext", "cl.pdf", "-"], cwd=place.folder, capture_output=True, text=True, check=True).stdout
    for part in ("Multipole \u2113", "TT", "EE", "50"):
        assert part in text


def test_cairo_is_loaded_by_view_alone(place):
    """The dynamic linker says which libraries it loads."""
    place.job("inputs:\n  sky: {map: sky.h5}\nsteps:\n  - analysis: {map: sky, lmax: 16, out: a}\noutputs:\n  a: {file: a.h5}\n")
    for arguments, loaded in ((["run", "job.yaml"], False), (["inspect", "sky.h5"], False),
                              (["view", "sky.h5", "-o", "a.png"], True)):
        result = place.armilla(*arguments, variables={"LD_DEBUG": "files"})
        assert result.code == 0 and "libhdf5" in result.error
        for library in ("libarmilla_cairo.so", "libcairo.so", "libfontconfig.so"):
            assert (library in result.error) == loaded, f"{library} of {arguments}"


def test_without_its_module_view_says_what_is_missing(place):
    (place.folder / "bin").mkdir()
    program = shutil.copy(BINARY, place.folder / "bin" / "armilla")
    result = place.armilla("view", "sky.h5", "-o", "a.png", program=str(program))
    assert result.code == 3
    for part in ("libarmilla_cairo.so: cannot open shared object file", "apt-get install libcairo2"):
        assert part in result.errors()[0]
    assert place.armilla("inspect", "sky.h5", program=str(program)).code == 0
    assert not (place.folder / "a.png").exists()


def test_without_fonts_view_says_what_is_missing(place):
    (place.folder / "fonts.conf").write_text("<fontconfig></fontconfig>")
    result = place.armilla("view", "sky.h5", "-o", "a.png", variables={"FONTCONFIG_FILE": str(place.folder / "fonts.conf")})
    assert result.code == 3 and "no font is installed" in result.errors()[0]
    assert not (place.folder / "a.png").exists()
