"""Jobs with values in memory."""
import json
import os
import sys
import warnings
from collections.abc import Iterable

import numpy as np

from . import _armilla
from .arrays import plain_array
from .comm import communicator_of, together
from .errors import ArmillaWarning, InputError
from .objects import Alm, Field, Map
from .progress import Display
from .tables import Kernel, Points, Spectra, Statistics, Values

OBJECTS = (Field, Points, Spectra, Kernel)


class Results(dict):
    """The results of a job by their names."""

    report = None  #: what steps have found: a dict with the keys of the reports of `armilla run`
    warnings = ()  #: about the job and the run
    left_out = ()  #: maps that were left out, each with the reason; their values are NaN


def run(job, inputs=None, keep=(), comm=None, progress=None):
    """Runs a job (docs/job_reference.md) with inputs and results in memory.

    job: a dict, the text of a job (YAML), or the path of a job file. The text of a job has several lines, or begins with
        a brace
    inputs: by name, objects or arrays in place of the files in the section `inputs`, whose other keys apply
    keep: names of further values to return. Results that no step uses and no output writes are always returned
    comm: a communicator of mpi4py, whose ranks share the values; None: this process alone
    progress: called as progress(fraction, what) at most ten times per second; False: no display; by default a display on
        stderr for jobs of more than two seconds

    Jobs with many maps write no files: write their results, or use the program, `armilla run`.

    Returns a dict of the results with the attributes report, warnings and left_out. Raises InputError, ResourceError, and
    KeyboardInterrupt after Ctrl-C.
    """
    with together(communicator_of(comm)):
        text, file = job_text(job)
        if inputs is not None and not (isinstance(inputs, dict) and all(isinstance(name, str) for name in inputs)):
            raise InputError(f"inputs is a {type(inputs).__name__}: pass a dict of objects or arrays, by their names")
        given = {name: object_of(value, name) for name, value in (inputs or {}).items()}
    return execute(text, file, given, keep, comm, progress, None)


def job_text(job):
    """The text of a job, and its name in messages."""
    if isinstance(job, dict):
        return json_text({"version": 1, **job}), "job"
    if isinstance(job, str) and ("\n" in job or job.lstrip().startswith("{")):
        return job, "job"
    try:
        path = os.fspath(job)
    except TypeError:
        raise InputError(f"job is a {type(job).__name__}: pass a dict, the text of a job, or a path") from None
    if os.path.exists(path) and not os.path.isfile(path):
        raise InputError(f"{path}: not a regular file: pass the path of a job file, or the text of a job")
    try:
        with open(path, encoding="utf-8") as file:
            return file.read(), path
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}: check the path of the job") from None


def json_text(value):
    """A value of the job language as JSON, which is YAML."""

    def plain(item):
        if isinstance(item, type):
            raise InputError(f"the type {item.__name__} cannot be the value of a key: use execution={{'precision': 'single'}} "
                             "of a step, or precision='single' of armilla.read()")
        if isinstance(item, (np.generic, np.ndarray)) and item.dtype.kind in "biufUS" and item.size < 1000:
            return item.tolist()
        if isinstance(item, os.PathLike):
            return os.fspath(item)
        raise InputError(f"a {type(item).__name__} cannot be the value of a key: use numbers, texts, lists or dicts")

    try:
        return json.dumps(value, default=plain, ensure_ascii=False)
    except TypeError as error:  # of the keys of a dict
        raise InputError(f"a dict has keys that are no texts: {error}") from None


def object_of(value, name):
    """An input of a job: an object, or the one for an array or the path of a file."""
    if isinstance(value, OBJECTS):
        return value
    if isinstance(value, (str, os.PathLike)):
        from .files import read
        return read(value)
    try:
        array = plain_array(value, "the values are")
        return Alm(value) if array.dtype.kind == "c" else Map(value)
    except InputError as error:
        raise InputError(f"inputs: {name}: {error}") from None


def execute(text, file, inputs, keep, comm, progress, call):
    """Collective. Runs a job with objects as inputs. `call`: the PythonCall that it stands for, or None."""
    display = Display() if progress is None else None
    where = communicator_of(comm)
    with together(where):
        if progress and not callable(progress):
            raise InputError(f"progress = {progress!r}: pass a function (fraction, what), False for none, or None")
        job = _armilla.Job(where, text, file, display or progress or None, call)
        for name, value in inputs.items():
            if not isinstance(value, (Points, Values)):
                give(job, name, value, where)
            elif isinstance(value, Values):
                contiguous(value)
        for name in names_of(keep):
            job.keep(name)
    for name in sorted(inputs):  # collective, so that all ranks need the same order
        if isinstance(inputs[name], (Points, Values)):
            give_points(job, name, inputs[name])
    try:
        result = job.run()
    finally:
        if display is not None:
            display.clear()
    results = Results((name, made_of(result.take(name), comm)) for name in result.names())
    results.report = json.loads(result.report())
    results.warnings = result.warnings()
    results.left_out = result.left_out()
    if where.rank == 0:
        for warning in results.warnings:
            warnings.warn(warning, ArmillaWarning, stacklevel=_caller_level())
    return results


def names_of(keep):
    """The names of the argument `keep`."""
    names = [keep] if isinstance(keep, str) else list(keep) if isinstance(keep, Iterable) else [None]
    if not all(isinstance(name, str) for name in names):
        raise InputError(f"keep = {keep!r}: use a list of names of results")
    return names


def _caller_level():
    """The stacklevel of a warning of execute() about the line that called the package."""
    folder, level, frame = os.path.dirname(__file__), 1, sys._getframe(1)
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == folder:
        level, frame = level + 1, frame.f_back
    return level


def give(job, name, value, where):
    """Not collective. Gives an object to a job as an input."""
    if isinstance(value, Spectra):
        values = contiguous(value)
        return job.input_spectra(name, value.names, value.maps, values, value.unit)
    if isinstance(value, Kernel):
        return job.input_kernel(name, value.theta, value.values)
    if where.size > 1 and value.comm is None:
        raise InputError(f"{name}: each rank must have its own part: make a {type(value).__name__} with comm=...")
    facts = _armilla.InputFacts(value.units, value.coordsys)
    values = contiguous(value)
    if isinstance(value, Map):
        return job.input_map(name, value.grid, value.kind, value.maps, values, facts)
    return job.input_alm(name, value.lmax, value.mmax, value.kind, value.maps, values, facts)


def give_points(job, name, value):
    """Collective. Gives points or values at points to a job."""
    if isinstance(value, Points):
        return job.input_positions(name, value.theta, value.phi, value.coordsys)
    return job.input_points(name, value.points.theta, value.points.phi, value.kind, value.maps, contiguous(value),
                            _armilla.InputFacts(value.units, value.coordsys))


def contiguous(value):
    """The values of an object, C-contiguous, aligned and in the byte order of the machine; without a copy if they are.
    Raises InputError for values that do not suit the names of the object, such as those of with_values()."""
    array, name, dtypes = value.values, type(value).__name__, value._dtypes
    if not isinstance(array, np.ndarray) or array.dtype.newbyteorder("=") not in dtypes:
        raise InputError(f"{name}: the values are {getattr(array, 'dtype', type(array).__name__)}: set them to an array of "
                         f"{' or '.join(str(dtype) for dtype in dtypes)}")
    if array.ndim not in (2, 3) or array.shape[-2] != len(value.fields) or 0 in array.shape[:-1]:
        raise InputError(f"{name}: the values have the shape {array.shape}, but there are {len(value.fields)} components: "
                         "use [component][value] or [map][component][value]")
    return np.require(value.values, value.dtype.newbyteorder("="), "CA")


def made_of(parts, comm):
    """The object of a value of a result."""
    kind = parts["type"]
    if kind == "statistics":
        covariance = np.array(parts["covariance"])
        count, length = covariance.shape[0], parts["mean"].shape[-1]
        return Statistics(Spectra(parts["mean"][0], parts["names"], parts["unit"]),
                          covariance.reshape(count, length, length))
    values = parts["values"]
    values = values[0] if values.shape[0] == 1 else values
    if kind == "spectra":
        return Spectra(values, parts["names"], parts["unit"])
    if kind == "table":
        return Kernel(*values)
    units, coordsys = parts["units"], parts["coordsys"]
    if kind == "map":
        made = Map(values, parts["grid"], parts["fields"], units, comm=comm)
    elif kind == "alm":
        made = Alm(values, parts["lmax"], parts["mmax"], parts["fields"], units, comm=comm)
    else:
        made = points = Points(parts["theta"], parts["phi"], comm=comm)
        points.coordsys = coordsys
        if kind == "values":
            made = Values(values, points, parts["fields"], units, coordsys="")
    made.coordsys = coordsys  # of a file, also others than the letters that the constructors accept
    return made
