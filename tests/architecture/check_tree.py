#!/usr/bin/env python3
"""Holds the source tree to its architecture: who includes whom, file and line length, where backends may be asked for.

    check_tree.py SOURCE_DIR      reports every violation as file:line: text; exit code 1 where there is one
    check_tree.py --self-test     plants violations in a made-up tree and checks that each is noticed, and nothing else
"""

import pathlib
import re
import sys
import tempfile

# Who may include whom, directly; what the included may include is allowed too. 'apps' and 'kernels' are top-level
# folders, 'python' is apps/python, everything else a folder of lib/armilla. docs/architecture.md draws the same table.
MAY_INCLUDE = {
    "core": [],
    "math": ["core"],
    "grid": ["math"],
    "alm": ["core"],
    "dist": ["grid", "alm"],
    "comm": ["core"],
    "legendre": ["math"],
    "normal_matrix": ["legendre", "math"],
    "rotation": ["math"],
    "fft": ["math"],
    "resample": ["fft", "math"],
    "nufft": ["fft", "math"],
    "radial": ["transform"],
    "kernels": ["math"],
    "backend": ["legendre", "resample", "fft", "kernels"],
    "transform": ["backend", "dist", "comm"],
    "points": ["transform", "nufft"],
    "iteration": ["transform", "normal_matrix"],
    "ops": ["iteration", "rotation", "radial", "points"],
    "io": ["grid", "alm", "dist", "comm"],
    "draw": ["grid"],
    "cost": ["points", "radial"],
    "job": ["ops", "io", "cost"],
    "bench": ["ops", "io", "cost"],
    "doctor": ["transform", "io"],
    "api": ["job"],
    "capi": ["api"],
    "apps": ["job", "bench", "doctor", "draw"],
    "python": ["api", "draw"],
}
# The same between the folders of job; its own files may include all of them.
JOB_FOLDERS = {
    "parse": [],
    "value": ["parse"],
    "operation": ["parse"],
    "plan": ["operation", "value"],
    "command": ["parse", "plan"],
    "journal": ["plan"],
    "run": ["plan", "journal"],
    "steps": ["run"],
    "campaign": ["run", "journal"],
    "report": ["run", "journal"],
}
MOST_LINES = 500
# Of C++, the limit is clang-format's (lint.format).
MOST_COLUMNS = 140
COLUMN_PATTERNS = ["*.py", "*.sh", "*.cmake", "CMakeLists.txt"]
SOURCE_ENDINGS = {".hpp", ".cpp", ".cu", ".cuh", ".in"}
BACKEND_CONDITIONALS_ALLOWED_IN = "lib/armilla/core/host_device.hpp"

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
BACKEND_CONDITIONAL = re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif)\b.*(CUDA|NVCC|HIP)")
MODULE_IN_CMAKE = re.compile(r"armilla_module\(\s*(\w+)([^)]*)\)")


def closure(table):
    """For each module the set of all modules it may include, itself among them."""
    reached = {}

    def visit(module, path):
        if module in path:
            raise ValueError(f"the include rules have a cycle: {' -> '.join(path + [module])}")
        if module not in reached:
            reached[module] = {module, "core"}.union(*(visit(other, path + [module]) for other in table[module]))
        return reached[module]

    for module in table:
        visit(module, [])
    return reached


ALLOWED = closure(MAY_INCLUDE)
JOB_ALLOWED = closure(JOB_FOLDERS)


def module_of(path):
    """The module a file (relative to the source folder) belongs to; armilla.hpp is api's, armilla.h capi's."""
    parts = path.parts
    if parts[:2] == ("apps", "python"):
        return "python"
    if parts == ("lib", "armilla", "armilla.hpp"):
        return "api"
    if parts == ("lib", "armilla", "armilla.h"):
        return "capi"
    return parts[2] if parts[:2] == ("lib", "armilla") else parts[0]


def module_of_include(name):
    parts = pathlib.PurePosixPath(name).parts
    if parts[0] == "kernels":
        return "kernels"
    if parts[0] == "armilla" and len(parts) > 2:
        return parts[1]
    return None


def source_files(root):
    for top in ("lib/armilla", "apps", "kernels"):
        for path in sorted((root / top).rglob("*")):
            if path.is_file() and path.suffix in SOURCE_ENDINGS:
                yield path


def check_job_include(relative, name):
    """The complaint about one include within job, or None."""
    if len(relative.parts) < 5:
        return None
    folder, included = relative.parts[3], pathlib.PurePosixPath(name).parts[2]
    if folder not in JOB_ALLOWED:
        return f"the include rules know no folder job/{folder}: add it to JOB_FOLDERS"
    if included in JOB_ALLOWED[folder]:
        return None
    return f"job/{folder} must not include <{name}>; it may include {', '.join(sorted(JOB_ALLOWED[folder]))}"


def check_include(relative, kind, name):
    """The complaint about one include, or None."""
    module = module_of(relative)
    if kind == '"':
        # Code of one folder under apps or kernels may speak of its neighbours; libraries are included by their full name.
        if relative.parts[0] == "lib" or "/" in name:
            return f'include "{name}" by its full name, as <armilla/...>'
        return None
    included = module_of_include(name)
    if included == module == "job":
        return check_job_include(relative, name)
    if included is None or included in ALLOWED[module]:
        return None
    if included not in ALLOWED:
        return f"includes <{name}>, but the include rules know no module '{included}'"
    return f"{module} must not include {included} (<{name}>); it may include {', '.join(sorted(ALLOWED[module]))}"


def check_file(root, path):
    relative = path.relative_to(root)
    if module_of(relative) not in ALLOWED:
        yield f"{relative}:1: the include rules know no module '{module_of(relative)}': add it to MAY_INCLUDE"
        return
    lines = path.read_text(encoding="utf-8").splitlines()
    if len(lines) > MOST_LINES:
        yield f"{relative}:{len(lines)}: {len(lines)} lines, more than {MOST_LINES}: look for the seam"
    for number, line in enumerate(lines, 1):
        include = INCLUDE.match(line)
        complaint = check_include(relative, *include.groups()) if include else None
        if complaint:
            yield f"{relative}:{number}: {complaint}"
        if BACKEND_CONDITIONAL.match(line) and relative.as_posix() != BACKEND_CONDITIONALS_ALLOWED_IN:
            yield f"{relative}:{number}: asks for a backend: only {BACKEND_CONDITIONALS_ALLOWED_IN} and CMake may"


def check_columns(root):
    """Lines of scripts that are too long."""
    for top in ("config", "lib", "apps", "kernels", "tests", "perf", "scripts"):
        for pattern in COLUMN_PATTERNS:
            for path in sorted((root / top).rglob(pattern)):
                for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                    if len(line) > MOST_COLUMNS:
                        yield f"{path.relative_to(root)}:{number}: {len(line)} columns, more than {MOST_COLUMNS}"


def check_cmake(root):
    """armilla_module(... DEPENDS ...) must link nothing that the include rules forbid, and name every folder."""
    path = root / "lib/armilla/CMakeLists.txt"
    linked = set()
    for module, rest in MODULE_IN_CMAKE.findall(path.read_text(encoding="utf-8")):
        linked.add(module)
        depends = re.search(r"DEPENDS((?:\s+\w+)*?)(?=\s+LIBRARIES|\s*$)", rest)
        for other in depends.group(1).split() if depends else []:
            if module not in ALLOWED or other not in ALLOWED[module]:
                yield f"lib/armilla/CMakeLists.txt:1: module {module} must not depend on {other}"
    for folder in sorted(p.name for p in (root / "lib/armilla").iterdir() if p.is_dir() and any(p.iterdir())):
        if folder not in linked:
            yield f"lib/armilla/CMakeLists.txt:1: no armilla_module({folder}) for the folder lib/armilla/{folder}"


def violations(root):
    for path in source_files(root):
        yield from check_file(root, path)
    yield from check_cmake(root)
    yield from check_columns(root)


def self_test():
    files = {
        "lib/armilla/core/a.hpp": "#pragma once\n",
        "lib/armilla/core/host_device.hpp": "#if defined(__CUDACC__)\n#endif\n",
        "lib/armilla/math/a.hpp": "#include <armilla/core/a.hpp>\n#include <cmath>\n",
        "lib/armilla/math/up.hpp": "#include <vector>\n  #  include <armilla/comm/a.hpp>\n",
        "lib/armilla/comm/a.hpp": "#include <armilla/core/a.hpp>\n",
        "lib/armilla/comm/quoted.cpp": '#include "a.hpp"\n',
        "lib/armilla/ops/a.cpp": "#include <armilla/grid/a.hpp>\n#include <armilla/comm/a.hpp>\n",
        "lib/armilla/ops/io.cpp": "#include <armilla/io/a.hpp>\n",
        "lib/armilla/job/plan/a.cpp": "#include <armilla/job/parse/a.hpp>\n#include <armilla/job/run/a.hpp>\n",
        "lib/armilla/job/all.cpp": "#include <armilla/job/parse/a.hpp>\n#include <armilla/job/run/a.hpp>\n",
        "lib/armilla/ops/ifdef.cpp": "\n\n#ifdef ARMILLA_HAS_CUDA\n#endif\n",
        "lib/armilla/ops/long.cpp": "//\n" * 501,
        "lib/armilla/ops/fits.cpp": "//\n" * 500,
        "lib/armilla/attic/a.cpp": "#include <armilla/core/a.hpp>\n",
        "lib/armilla/CMakeLists.txt": "armilla_module(core LIBRARIES fmt)\narmilla_module(math DEPENDS core)\n"
                                      "armilla_module(comm DEPENDS core math LIBRARIES MPI)\n"
                                      "armilla_module(ops DEPENDS transform)\narmilla_module(job)\n",
        "apps/armilla/main.cpp": '#include "verbs.hpp"\n#include <armilla/draw/a.hpp>\n#include <armilla/fft/a.hpp>\n',
        "apps/python/a.cpp": "#include <armilla/api/a.hpp>\n#include <armilla/bench/a.hpp>\n",
        "apps/armilla/reach.cpp": '#include "../other/a.hpp"\n',
        "kernels/a.cu": "#include <armilla/math/a.hpp>\n#include <armilla/backend/a.hpp>\n",
        "lib/armilla/comm/ghost.cpp": "#include <armilla/nowhere/a.hpp>\n",
        "scripts/long.py": "#" + "x" * 140 + "\n",
        "scripts/short.py": "#" + "x" * 139 + "\n",
    }
    expected = [
        "lib/armilla/attic/a.cpp:1", "lib/armilla/comm/ghost.cpp:1", "lib/armilla/comm/quoted.cpp:1",
        "lib/armilla/math/up.hpp:2", "lib/armilla/ops/ifdef.cpp:3", "lib/armilla/ops/io.cpp:1",
        "lib/armilla/ops/long.cpp:501",
        "lib/armilla/job/plan/a.cpp:2", "apps/armilla/reach.cpp:1", "apps/python/a.cpp:2", "kernels/a.cu:2",
        "lib/armilla/CMakeLists.txt:1", "lib/armilla/CMakeLists.txt:1", "scripts/long.py:1",
    ]
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        found = list(violations(root))
    places = [text.split(": ")[0] for text in found]
    if sorted(places) != sorted(expected):
        print("self-test: found", *found, "instead of", *expected, sep="\n  ")
        return 1
    try:
        closure({"a": ["b"], "b": ["a"]})
    except ValueError:
        print(f"self-test: all {len(expected)} planted violations noticed, and a cycle")
        return 0
    print("self-test: a cycle in the rules went unnoticed")
    return 1


def main(argument):
    if argument == "--self-test":
        return self_test()
    root = pathlib.Path(argument)
    files = list(source_files(root))
    if not files:
        print(f"no sources under {root}")
        return 1
    found = list(violations(root))
    print(*found, f"{len(files)} files, {len(found)} violations", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
