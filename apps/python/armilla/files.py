"""Files of maps, coefficients, points, values, spectra and kernels."""
import glob
import os

from . import _armilla
from .comm import communicator_of, together
from .errors import InputError
from .jobs import contiguous, execute, json_text

SORTS = ("map", "alm", "points", "values", "spectra", "table")


def path_text(path):
    """A path as the value of a key of a job, where $ begins a variable."""
    try:
        text = os.fspath(path)
    except TypeError:
        raise InputError(f"{path!r} is no path: pass a text or a pathlib.Path") from None
    text = text if isinstance(text, str) else os.fsdecode(text)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"the path {text!r} is not UTF-8: rename the file, or make a link to it") from None
    if "\0" in text:
        raise InputError(f"the path {text!r} has a character of value 0: use another path")
    return text.replace("$", "$$")


def is_path(value):
    """Whether a value is a path, or a list of them: the files of the components of the same maps."""
    if isinstance(value, (list, tuple)):
        return len(value) > 0 and all(isinstance(one, (str, os.PathLike)) for one in value)
    return isinstance(value, (str, os.PathLike))


def paths_text(path):
    """A path, or a list of them, as the value of a key of a job."""
    return [path_text(one) for one in path] if isinstance(path, (list, tuple)) else path_text(path)


def path_words(path):
    """A path, or a list of them, in messages."""
    return ", ".join(map(str, path)) if isinstance(path, (list, tuple)) else str(path)


def sort_of(path):
    """The type of input as which a file, or the first of a pattern or list, is read by default: a name of SORTS, or
    "rings"."""
    first = path[0] if isinstance(path, (list, tuple)) and path else path
    path_text(first)
    file = os.path.expanduser(os.fspath(first))
    matching = sorted(glob.glob(file)) if glob.has_magic(file) else []
    return _armilla.file_kind(matching[0] if matching else file)


def read(path, sort=None, comm=None, progress=None, precision="double", **keys):
    """Reads a file: a Map, Alm, Points, Values, Spectra, Kernel or Grid.

    path: HDF5, FITS or text; a pattern such as "map_*.fits" or "map_{000..099}.fits" reads several maps, a list of
        paths the components of the same maps
    sort: "map", "alm", "points", "values", "spectra" or "table"; by default by the content of the file, or of the first
        file of "map_*.fits". Tables of kernels and patterns with braces need it
    comm: a communicator of mpi4py, whose ranks share the values; None: this process has all
    precision: "double" or "single"
    keys: those of an input of a job (docs/job_keys.md#inputs), such as fields, hdu, bad_data, lmax, spectrum_kind; for
        bad_data="mask" the result is a pair with the mask

    Raises InputError. Collective if comm is given.
    """
    keep = ["value"]
    with together(communicator_of(comm)):
        if precision not in ("double", "single"):
            raise InputError(f"read(precision={precision!r}): use 'double' or 'single'")
        if sort is None:
            sort = sort_of(path)
        if sort not in (*SORTS, "rings"):
            raise InputError(f"sort = {sort!r}: use one of {', '.join(SORTS)}")
        if sort == "rings":
            grid = _armilla.read_rings(os.path.expanduser(os.fspath(path)))
        else:
            if keys.get("bad_data") == "mask":
                keep.append(keys.setdefault("good_pixels", "good_pixels"))
            section = {sort: paths_text(path), **{name: value for name, value in keys.items() if value is not None}}
            text = json_text({"version": 1, "inputs": {"value": section}, "execution": {"precision": precision}})
            call = _armilla.PythonCall("read", {"value": "path"}, {"value": path_words(path)})
    if sort == "rings":
        return grid
    results = execute(text, "job", {}, keep, comm, progress, call)
    return results["value"] if len(keep) == 1 else tuple(results[name] for name in keep)


def write(value, path, keys):
    """Writes an object; see Field.write()."""
    with together(communicator_of(value.comm)):
        text = path_text(path)
        several = getattr(value, "values", None)
        is_several = several is not None and contiguous(value).ndim == 3
        if is_several and "{" not in text:
            raise InputError(f"path = {text!r}: there are {value.maps} maps: use a name such as 'map_{{:04}}.fits', or write "
                             "one of them, value[0].write(...)")
        job = {"version": 1, "outputs": {"value": {"file": text, **keys}}}
        if getattr(value, "dtype", None) in ("float32", "complex64"):
            job["execution"] = {"precision": "single"}
        job = json_text(job)
    if is_several:
        for number, one in enumerate(value):
            try:
                name = text.format(number)
            except (KeyError, IndexError, ValueError):
                raise InputError(f"path = {text!r}: use one number of the map, such as '{{}}' or '{{:04}}'") from None
            write(one, name.replace("$$", "$"), keys)
        return
    call = _armilla.PythonCall("write", {"value": "path"}, {})
    execute(job, "job", {"value": value}, [], value.comm, False, call)
