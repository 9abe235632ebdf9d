"""Writes the functions of the steps of jobs, steps.py, and their types, steps.pyi: generate_steps.py KEYS.json FOLDER.

KEYS.json is what armilla_python_keys prints.
"""
import json
import pathlib
import re
import sys
import textwrap

WIDTH = 110

HEAD = '''"""The steps of jobs as functions. Generated from the tables that parse jobs.

The first arguments are operands: a Map, Alm, Values, Points or Spectra, an array, or the path of a file. The other
arguments are the keys of the step (docs/job_keys.md). All functions also have the arguments

inputs: for operands by their names, keys of an input of a job: inputs={"map": {"bad_data": "zero"}}. For plain arrays,
    fields or spin name the components, lmax and mmax the coefficients
execution: keys of the section execution of a job, such as {"threads": 2, "precision": "single"}. By default, results
    are in single precision if all operands are
comm: a communicator of mpi4py, whose ranks share the operands and results; by default that of the operands
progress: called as progress(fraction, what); False: no display; by default a display on stderr after two seconds

Results are objects, or arrays if the first operand is a plain array.

The argument method of analyses is the name of a method, or a dict with its keys, such as
{"jacobi": {"iterations": 3, "weights": "pixel"}}; {"jacobi": 3} has the value of the first key. The methods:

METHODS
"""
'''

#: Arguments by keys.
ARGUMENTS = {}
COMMON = ["inputs", "execution", "comm", "progress"]
SORT_TYPES = {"map": "MapLike", "alm": "AlmLike", "points": "PointsLike", "values": "ValuesLike",
              "spectra": "SpectraLike", "table": "KernelLike"}


def note_arguments(keys):
    """Fills ARGUMENTS."""
    for key in keys:
        ARGUMENTS[key["name"]] = key["argument"]
        note_arguments(key["members"])


def camel(words):
    return "".join(part.capitalize() for word in words for part in word.split("_"))


def member_lines(members, indent):
    """What the keys of a section are, one a line."""
    lines = []
    for key in members:
        form = f" ({key['form']})" if key["type"] in ("whole", "number", "choice", "other") else ""
        lines += [f"{indent}{key['name']}: {key['help']}{form}", *member_lines(key["members"], indent + "    ")]
    return lines


def python_words(text):
    """A text of the table with its examples of YAML, which are in quotes, and its keys as Python has them."""
    def example(match):
        key, value = match.groups()
        value = re.sub(r"(?<![\w\"])([A-Za-z_]\w*)", r'"\1"', value)
        return f"{key}={value}" if key else value

    text = re.sub(r"'(?:(\w+): )?([\[{][^']*[\]}])'", example, text)
    return re.sub(r"'(\w+)'", lambda match: f"'{ARGUMENTS.get(match[1], match[1])}'", text)


class Types:
    """Python types of keys, and the classes that they need."""

    def __init__(self, schema, methods):
        self.classes = {}
        self.definitions = schema["definitions"]
        self.methods = [method["name"] for method in methods]  # of analysis

    def of_schema(self, schema, name):
        if "$ref" in schema:
            return {"fields": "Fields", "convention": "Convention", "method": "Method", "grid": "GridLike"}[
                schema["$ref"].rsplit("/", 1)[-1]]
        if "allOf" in schema:
            return self.of_schema(schema["allOf"][0], name)
        if "anyOf" in schema:
            return " | ".join(dict.fromkeys(self.of_schema(one, name) for one in schema["anyOf"]))
        if "enum" in schema or "const" in schema:
            values = schema.get("enum", [schema.get("const")])
            return f"Literal[{', '.join(map(repr, values))}]"
        kind = schema.get("type")
        if kind == "array":
            return f"Sequence[{self.of_schema(schema['items'], name)}]"
        if kind == "object":
            members = schema.get("properties")
            if not members:
                return "Mapping[str, Any]"
            return self.section(name, {key: self.of_schema(one, [*name, key]) for key, one in members.items()})
        return {"string": "str", "number": "float", "integer": "int", "boolean": "bool", "null": "None"}.get(kind, "Any")

    def section(self, name, members):
        known = camel(name)
        self.classes[known] = members
        return known

    def of_key(self, key, schema, name):
        kind = key["type"]
        if kind in ("operand", "reference"):
            return " | ".join(SORT_TYPES[sort] for sort in SORT_TYPES if sort in key["sort"].split())
        if key["form"].startswith("name of a map, or"):
            return "MapLike | Sequence[float]"
        if kind == "file":
            return "Path | Sequence[Path]" if "list" in key["form"] else "Path"
        if kind == "result":
            return "str"
        if kind == "section":
            items = schema
            while "properties" not in items:
                items = items.get("items") or next(one for one in items["anyOf"] if one.get("type") == "object")
            members = {one["name"]: self.of_key(one, items["properties"][one["name"]], [*name, one["name"]])
                       for one in key["members"]}
            section = self.section(name, members)
            if "list" in key["form"]:
                return f"Sequence[{section}]"
            return f"{section} | float" if key["form"].startswith("number") else section
        return self.of_schema(schema, name)

    def of_method(self, method, schema):
        """The parameters of a method of analysis: a section, or the value of its first key."""
        keys, sections = method["keys"], schema["anyOf"][0]["properties"]
        if not keys:
            return "Mapping[str, Any] | None"
        members = {key["name"]: self.of_key(key, sections[key["name"]], [method["name"], key["name"]]) for key in keys}
        section = self.section(["method", method["name"]], members)
        return f"{section} | {members[keys[0]['name']]} | None"


class Step:
    """The function of a step."""

    def __init__(self, step, schema, types):
        self.name = step["name"]
        self.help = step["help"]
        first = step["first"]
        self.results = [key for key in step["keys"] if key["type"] == "result"]
        self.arguments = []  # name, default, type, text; None for "/" and "*"
        named, rest = [], []
        for key in step["keys"]:
            if key["name"] == "out" or (len(first) > 1 and key["name"] in first):
                continue
            one = self.argument(key, schema["properties"][key["name"]], types)
            is_operand = key["type"] == "operand" or (key["type"] == "reference" and key["required"])
            (named if is_operand else rest).append(one)
        if len(first) > 1:
            alternatives = [key for key in step["keys"] if key["name"] in first]
            kinds = " | ".join(SORT_TYPES[key["sort"]] for key in alternatives)
            text = "; or ".join(f"{key['name']}: {key['help']}" for key in alternatives)
            self.arguments += [("operand", "", kinds, [f"operand: {text}"]), "/"]
        elif first:
            operand = next(key["argument"] for key in step["keys"] if key["name"] == first[0])
            named.sort(key=lambda one: one[0] != operand)
        named.sort(key=lambda one: one[1] != "")
        self.arguments += [*named, "*", *rest]
        self.result = self.result_type(step, first)

    @staticmethod
    def argument(key, schema, types):
        if key["type"] == "result":
            return key["name"], "False", "bool", [f"{key['name']}: whether to return {key['help']}"]
        name, default = key["argument"], key["value"]
        kind = types.of_key(key, schema, [schema.get("x-name", ""), key["name"]])
        notes = []
        if key["type"] in ("whole", "number", "choice", "other"):
            notes.append(key["form"])
        if key["requirement"]:
            notes.append(key["requirement"])
        if key["default"] and default is None:
            notes.append(f"default: {key['default']}")
        if key["form"] == "method":
            notes[0] = f"one of {', '.join(types.methods)}, or a dict, see armilla.steps"
        text = key["help"] + (f" ({'; '.join(notes)})" if notes else "")
        lines = [f"{name}: {text}", *member_lines(key["members"], "    ")]
        if key["required"]:
            return name, "", kind, lines
        return name, repr(default), kind if default is not None else f"{kind} | None", lines

    def result_type(self, step, first):
        if not self.results:
            return "dict[str, Any]"
        if len(self.results) > 1:
            return f"{camel([self.name])}Result"
        return "Any"

    def signature(self, with_types):
        parts = []  # of the text between the brackets
        for one in self.arguments:
            if isinstance(one, str):
                parts.append(one)
                continue
            name, default, kind, _ = one
            if with_types:
                parts.append(f"{name}: {kind}" + (f" = {default}" if default else ""))
            else:
                parts.append(f"{name}={default}" if default else name)
        common = {"inputs": "Mapping[str, InputKeys] | None", "execution": "ExecutionKeys | None", "comm": "Any",
                  "progress": "Callable[[float, str], object] | Literal[False] | None"}
        parts += [f"{name}: {common[name]} = None" if with_types else f"{name}=None" for name in COMMON]
        return parts

    def docstring(self):
        lines = textwrap.wrap(python_words(self.help) + ".", WIDTH - 4)
        arguments = []
        for one in self.arguments:
            if isinstance(one, tuple):
                arguments += wrapped_lines(one[3])
        arguments += ["inputs, execution, comm, progress: see armilla.steps"]
        out = self.results[0]["help"] if len(self.results) == 1 else ""
        returns = [f"Returns {out}."] if out else []
        return lines + [""] + arguments + ([""] + returns if returns else [])


def wrapped_lines(lines):
    """Lines, wrapped with a hanging indent below that of each."""
    for line in lines:
        indent = " " * (len(line) - len(line.lstrip()))
        yield from textwrap.wrap(python_words(line), WIDTH - 4, subsequent_indent=indent + "    ")


def write_module(steps, named, methods):
    lines = [line for method in methods for line in (f"{method['name']}: {method['help']}",
                                                     *member_lines(method["keys"], "    "))]
    text = HEAD.replace("METHODS", "\n".join(wrapped_lines(lines)))
    text += "\nfrom typing import Any, NamedTuple\n\nfrom .calls import call\n\n"
    text += f"__all__ = {json.dumps([step.name for step in steps] + [name for name, _ in named])}\n"
    for name, step in named:
        text += f"\n\nclass {name}(NamedTuple):\n"
        text += f'    """Results of {step.name}(); None for those that were not asked for."""\n\n'
        for key in sorted(step.results, key=lambda one: one["name"] != "out"):
            text += f"    {key['name']}: Any{'' if key['name'] == 'out' else ' = None'}  #: {key['help']}\n"
    for step in steps:
        text += "\n\n" + wrapped(f"def {step.name}(", step.signature(False), "):") + "\n"
        doc = step.docstring()
        body = "\n".join("    " + line if line else "" for line in doc[1:])
        text += f'    """{doc[0]}\n{body}\n    """\n'.replace("\\", "\\\\")
        made = f", {step.result}" if len(step.results) > 1 else ""
        text += f'    return call("{step.name}", locals(){made})\n'
    return text


def wrapped(head, arguments, tail):
    return "\n".join(textwrap.wrap(head + ", ".join(arguments) + tail, 118, subsequent_indent=" " * len(head),
                                   break_long_words=False, break_on_hyphens=False))


STUB_HEAD = '''"""Types of armilla.steps. Generated from the tables that parse jobs."""
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypedDict

from numpy.typing import ArrayLike

from . import Alm, Grid, Kernel, Map, Points, Spectra, Values

Path = str | os.PathLike[str]
MapLike = Map | ArrayLike | Path
AlmLike = Alm | ArrayLike | Path
PointsLike = Points | Values | ArrayLike | Path
ValuesLike = Values | Path
SpectraLike = Spectra | ArrayLike | Path
KernelLike = Kernel | ArrayLike | Path
GridLike = Grid | str | Map | Mapping[str, Any]
Fields = str | Sequence[str | Mapping[str, Any]]
'''


def write_stub(steps, named, types):
    text = STUB_HEAD
    for name, members in types.classes.items():
        text += f"\n{name} = TypedDict({name!r}, {{\n"
        text += "".join(f"    {key!r}: {kind},\n" for key, kind in members.items())
        text += "}, total=False)\n"
    for name, step in named:
        text += f"\nclass {name}(NamedTuple):\n"
        for key in sorted(step.results, key=lambda one: one["name"] != "out"):
            text += f"    {key['name']}: Any{'' if key['name'] == 'out' else ' = ...'}\n"
    for step in steps:
        arguments = "".join(f"    {argument},\n" for argument in step.signature(True))
        text += f"\ndef {step.name}(\n{arguments}) -> {step.result}: ...\n"
    return text


def main(keys, folder):
    known = json.loads(pathlib.Path(keys).read_text(encoding="utf-8"))
    table, schema = known["table"], known["schema"]
    for one in (*table["steps"], *table["methods"]):
        note_arguments(one["keys"])
    types = Types(schema, table["methods"])
    properties = schema["properties"]
    types.of_schema(schema["definitions"]["convention"], ["convention"])
    of_methods = schema["definitions"]["method"]["anyOf"][1]["properties"]
    methods = types.section(["methods"], {method["name"]: types.of_method(method, of_methods[method["name"]])
                                          for method in table["methods"]})
    sections = {"input": properties["inputs"]["anyOf"][0]["additionalProperties"],
                "execution": properties["execution"]["anyOf"][0]}
    for name, keys in (("input", table["inputs"]), ("execution", table["execution"])):
        of_keys = sections[name]["properties"]
        types.section([name, "keys"], {key["name"]: types.of_key(key, of_keys[key["name"]], [name, key["name"]])
                                       for key in keys})
    of_step = properties["steps"]["items"]["properties"]
    for name, one in of_step.items():
        for key, value in one["properties"].items():
            value["x-name"] = name
    steps = [Step(step, of_step[step["name"]], types) for step in table["steps"]]
    named = [(step.result, step) for step in steps if len(step.results) > 1]
    folder = pathlib.Path(folder)
    folder.joinpath("steps.py").write_text(write_module(steps, named, table["methods"]), encoding="utf-8")
    stub = write_stub(steps, named, types)
    folder.joinpath("steps.pyi").write_text(stub + f"\nMethod = str | {methods}\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
