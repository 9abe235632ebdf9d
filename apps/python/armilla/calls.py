"""Calls of steps: one-step jobs with arguments as keys."""
import functools
import json
import os

import numpy as np

from . import _armilla
from ._armilla import Grid, argument_name
from .arrays import plain_array
from .comm import communicator_of, together
from .errors import InputError
from .files import is_path, path_text, path_words, paths_text, sort_of
from .jobs import OBJECTS, execute, json_text
from .objects import Alm, Field, Map
from .tables import Kernel, Points, Spectra, Statistics

CLASSES = {"map": "a Map", "alm": "an Alm", "points": "Points", "values": "Values", "spectra": "Spectra",
           "table": "a Kernel"}
#: Keys of inputs that say what a plain array is.
ARRAY_KEYS = {"map": ("fields", "spin"), "alm": ("fields", "spin", "lmax", "mmax")}


@functools.cache
def table():
    """The keys of steps, methods, inputs, outputs and execution."""
    return json.loads(_armilla.key_table())


@functools.cache
def step_of(name):
    """The keys of a step."""
    return next(step for step in table()["steps"] if step["name"] == name)


@functools.cache
def method_keys(name):
    """The keys of a method of analysis."""
    return next((method["keys"] for method in table()["methods"] if method["name"] == name), [])


def is_default(key, value):
    """Whether an argument is that of a call without it."""
    default = key["value"]
    return value is None or (default is not None and isinstance(value, (bool, int, float, str)) and value == default)


def objects_in(values):
    """The objects in a dict or list, also within others."""
    for value in values.values() if isinstance(values, dict) else values:
        if isinstance(value, OBJECTS):
            yield value
        elif isinstance(value, (dict, list, tuple)):
            yield from objects_in(value)


def call(name, given, made=None):
    """Runs a step. `given`: the arguments of its function. `made`: the class of its results, if there are several."""
    return _Call(step_of(name), given).run(made)


class _Call:
    """A call of a step: its job, and the values that the job reads."""

    def __init__(self, step, given):
        self.step = step
        self.given = given
        self.inputs = {}  # sections of the job
        self.objects = {}  # by the names of inputs
        self.arguments = {}  # those that gave the inputs
        self.files = {}
        self.stated = {}  # keys of inputs
        self.execution = {}
        self.is_plain = False  # whether the first operand is an array
        self.is_flat = False  # whether it has no axis of components
        comms = [] if given["comm"] is None else [given["comm"]]
        self.comms = comms + [value.comm for value in objects_in(given) if value.comm is not None]
        self.comm = self.comms[0] if self.comms else None

    def run(self, made):
        """The result of the step: an object, or arrays if the first operand is one."""
        with together(communicator_of(self.comm)):
            self._check_sections()
            if any(comm != self.comm for comm in self.comms):
                raise InputError(f"{self._place('comm')}: the operands have different communicators: make them with the "
                                 "same one")
            keys, results, listed = self._keys()
            text = self._text(keys)
        words = _armilla.PythonCall(self.step["name"], self.arguments, self.files)
        found = execute(text, "job", self.objects, results.values(), self.comm, self.given["progress"], words)
        if listed:
            return {name: self._given_back(found[name]) for name in listed}
        if not results:
            return self._report(found)
        values = {name: self._given_back(found[result]) for name, result in results.items()}
        return values["out"] if made is None else made(**values)

    def _check_sections(self):
        inputs, execution = self.given["inputs"] or {}, self.given["execution"] or {}
        if not isinstance(inputs, dict) or not all(isinstance(keys, dict) for keys in inputs.values()):
            raise InputError(f"{self._place('inputs')}: pass a dict such as {{'map': {{'bad_data': 'zero'}}}}")
        if not isinstance(execution, dict):
            raise InputError(f"{self._place('execution')}: pass a dict such as {{'precision': 'single'}}")
        self.stated = {name: dict(keys) for name, keys in inputs.items()}
        self.execution = dict(execution)

    def _keys(self):
        """The keys of the step; the names of its results, by their keys; and those that a list of sections names."""
        keys, results = {}, {}
        section = self._first()
        for key in self.step["keys"]:
            name = key["name"]
            value = self.given.get(key["argument"])
            if key["type"] == "result":
                if name == "out" or value:
                    results[name] = keys[name] = "result" if name == "out" else f"result_{name}"
            elif name not in section and not is_default(key, value):
                keys[name] = self._value(key, value, name)
        keys.update(section)
        listed = self._listed(keys)
        if listed and results.pop("out", None):
            del keys["out"]
        for name in self.stated:
            raise InputError(f"{self.step['name']}(inputs={{{name!r}: ...}}): the call has no such operand: use one of "
                             f"{', '.join(self.arguments) or 'none'}")
        return keys, results, listed

    def _listed(self, keys):
        """The results that the items of a list of sections name, such as those of `kernels`."""
        lists = [(key["members"], keys[key["name"]]) for key in self.step["keys"]
                 if isinstance(keys.get(key["name"]), list)]
        return [item[member["name"]] for members, items in lists for item in items for member in members
                if member["type"] == "result" and member["name"] in item]

    def _text(self, keys):
        """The text of the job."""
        if "precision" not in self.execution and self._is_single():
            self.execution["precision"] = "single"
        job = {"version": 1, "inputs": self.inputs, "steps": [{self.step["name"]: keys}], "execution": self.execution}
        return json_text(job)

    def _is_single(self):
        dtypes = [value.dtype for value in self.objects.values() if isinstance(value, Field)]
        return bool(dtypes) and not self.files and all(dtype in (np.float32, np.complex64) for dtype in dtypes)

    def _first(self):
        """The key of the operand that the first argument is, with its input."""
        names = self.step["first"]
        if not names:
            for key in self.step["keys"]:
                if key["type"] == "reference" and key["required"]:
                    self._note(self.given.get(key["argument"]))
            return {}
        operands = {key["name"]: key for key in self.step["keys"] if key["name"] in names}
        value = self.given["operand" if len(names) > 1 else operands[names[0]]["argument"]]
        self._note(value)
        sort = self._sort(value, names, "") if len(names) > 1 else None
        name = sort if sort in operands else names[0]
        return {name: self._input(value, operands[name]["sort"], name, name)}

    def _note(self, value):
        """Results are like an operand that is an array."""
        if self._is_array(value):
            self.is_plain, self.is_flat = True, np.ndim(value) == 1

    @staticmethod
    def _is_array(value):
        return value is not None and not isinstance(value, OBJECTS) and not is_path(value)

    def _place(self, path):
        return f"{self.step['name']}({argument_name(path)})"

    def _sort(self, value, sorts, path):
        """The type of an operand, one of several."""
        if isinstance(value, OBJECTS):
            return value.sort
        if is_path(value):
            sort = sort_of(value)
            return "points" if sort == "values" and "values" not in sorts else sort
        kind = plain_array(value, f"{self._place(path or sorts[0])} is").dtype.kind
        return "alm" if kind == "c" and "alm" in sorts else "map" if "map" in sorts else sorts[0]

    def _input(self, value, form, name, path):
        """Adds an input for an operand. Returns its name."""
        sorts = [sort for sort in CLASSES if sort in form.replace("file, or name of", "").split() or
                 sort in form.split()]
        allowed = {*sorts, *(("values",) if "points" in sorts else ())}
        unique, number = name, 1
        while unique in self.arguments:
            number += 1
            unique = f"{name}_{number}"
        self.arguments[unique] = path
        stated = self.stated.pop(argument_name(path), None) or {}
        if is_path(value):
            sort = sorts[0] if len(sorts) == 1 else self._sort(value, sorts, path)
            self.inputs[unique] = {sort: paths_text(value), **stated}
            self.files[unique] = path_words(value)
            return unique
        if isinstance(value, Statistics):
            value = value.mean
        if not isinstance(value, OBJECTS):
            value = self._object(value, sorts, stated, path)
        if value.sort not in allowed:
            advice = {("map", "alm"): ": use armilla.analysis() first",
                      ("alm", "map"): ": use armilla.synthesis() first"}.get((value.sort, sorts[0]), "")
            raise InputError(f"{self._place(path)} is {CLASSES[value.sort]}, but needs "
                             f"{' or '.join(CLASSES[sort] for sort in sorts)}{advice}")
        if value.sort == "values" and "values" not in sorts:
            value = value.points
        self.objects[unique] = value
        if stated:
            self.inputs[unique] = stated
        return unique

    def _object(self, value, sorts, stated, path):
        """The object that a plain array stands for."""
        try:
            array = plain_array(value, "the values are")
            sort = sorts[0] if len(sorts) == 1 else self._sort(array, sorts, path)
            if array.ndim == 0:
                has_number = any(key["name"] == "number" for key in self.step["keys"])
                raise InputError(f"{value!r} is no {sort}" + (f": use number={value!r}" if has_number else ""))
            said = {key: stated.pop(key) for key in ARRAY_KEYS.get(sort, ()) if key in stated}
            if "spin" in said and "fields" not in said:
                said["fields"] = said["spin"]
            said.pop("spin", None)
            if sort == "map":
                return Map(value, **said)
            if sort == "alm":
                return Alm(value, **said)
            if sort == "spectra":
                return _spectra(array)
            if sort == "table":
                return Kernel(*array)
            if sort == "points" and array.ndim == 2 and len(array) == 2:
                return Points(*array)
        except (InputError, TypeError, ValueError) as error:
            raise InputError(f"{self._place(path)}: {error}") from None
        raise InputError(f"{self._place(path)} is an array, but {CLASSES[sort]} is needed: pass "
                         f"armilla.{'Points(theta, phi)' if sort == 'points' else 'Values(values, points)'}")

    def _value(self, key, value, path):
        """An argument as the value of a key."""
        kind = key["type"]
        if kind == "operand":
            return self._input(value, key["sort"], key["name"], path)
        if kind == "reference":
            if isinstance(value, (str, os.PathLike)):
                text = path_text(value)
                return text if "/" in text else f"./{text}"
            return self._input(value, key["sort"].rsplit(" ", 1)[-1], key["name"], path)
        if kind == "file":
            return paths_text(value)
        if value is None:
            return None
        if kind == "grid":
            return self._grid(value, path)
        if kind == "section":
            if isinstance(value, (list, tuple)):
                return [self._section(key["members"], one, f"{path}[{i}]") for i, one in enumerate(value)]
            return self._section(key["members"], value, path)
        if key["form"].startswith("name of a map, or") and (not self._is_array(value) or np.size(value) >= 12):
            return self._input(value, "map", key["name"], path)
        if isinstance(value, dict):
            return {name: self._section(method_keys(name), one, f"{path}.{name}") for name, one in value.items()}
        if self._is_array(value) and not np.isscalar(value) and not isinstance(value, (list, tuple, bool)):
            return json.loads(json_text(value))
        return value

    def _section(self, members, value, path):
        """A dict whose keys are those of a section."""
        if not isinstance(value, dict):
            if not members or value is None or np.isscalar(value):
                return value
            example = f"{{'{members[0]['name']}': ...}}"
            raise InputError(f"{self._place(path)} is {'an array' if self._is_array(value) else type(value).__name__}: pass "
                             f"a dict such as {example} with keys of {', '.join(key['name'] for key in members)}")
        known = {key["name"]: key for key in members}
        return {name: self._value(known[name], one, f"{path}.{name}") if name in known and one is not None else one
                for name, one in value.items()}

    def _grid(self, value, path):
        if isinstance(value, Grid):
            if value.text:
                return value.text
            # Only its grid is used: the memory is not touched.
            value = Map(np.zeros((1, value.npix)), value)
        if isinstance(value, Map):
            return {"rings": {"file": self._input(value, "map", "grid", path)}}
        return value

    def _given_back(self, value):
        """A result as an array, if the first operand is one."""
        if not self.is_plain or isinstance(value, (Points, Statistics)):
            return value
        values = value.values
        return values[0] if self.is_flat and values.ndim == 2 and len(values) == 1 else values

    def _report(self, found):
        """What a step without results has found."""
        findings = [one for kind in ("comparisons", "analyses", "leakage") for one in found.report[kind]]
        return {key: value for key, value in findings[0].items() if key not in ("step", *self.arguments, *self.step["first"])}


def _spectra(array):
    """Spectra, or functions of l, of an array: with one column for all components, or one for each."""
    if array.ndim == 2 and len(array) in (2, 3):
        return Spectra(array, ["E", "B"] if len(array) == 2 else ["T", "E", "B"])
    return Spectra(array)
