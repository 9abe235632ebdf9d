#!/usr/bin/env python3
"""Lists the claims of Armilla with the tests of the first tier that cover them, and fails where a claim has none.

    check_claims.py SOURCE_DIR BUILD_DIR     prints claim, ctest entries and test case; exit code 1 where something is wrong
    check_claims.py --self-test              plants mistakes in a made-up tree and checks that each is noticed

Claims follow from the sources: steps, grids, file formats in both directions, and the rows of docs/reliability.md. A test
case names those that it covers in a comment directly above it or inside it:

    // claims: step scale, grid gauss            (Python, shell: # claims: ...)

`step *`, `grid *` and the like stand for all claims that begin so. They need a test that goes over the table itself.
"""

import ast
import collections
import fnmatch
import pathlib
import re
import shlex
import sys
import tempfile

OPERATIONS = "lib/armilla/job/steps/operations.cpp"
GRIDS = "lib/armilla/grid/grid_kinds.cpp"
FORMATS = "lib/armilla/io/formats.cpp"
TABLE_FORMATS = "lib/armilla/io/table.cpp"
RELIABILITY = "docs/reliability.md"
# What a test that covers `step *` and the like calls.
TABLES = {"step": "operation_kinds()", "grid": "grid_kinds()", "read": "formats()", "write": "formats()"}

TAG = re.compile(r"^\s*(?://|#)\s*claims:\s*(.*?)\s*$")
COMMENT = re.compile(r"^\s*(?://|#)")
GTEST = re.compile(r"^(?:TYPED_)?TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", re.MULTILINE)
GTEST_PARAMETERS = re.compile(r"^INSTANTIATE_TEST_SUITE_P\(\s*(\w+),\s*(\w+),", re.MULTILINE)
CTEST_ENTRY = re.compile(r"^add_test\((?:\[=\[)?(.*?)(?:\]=\])? (\".*)\)$", re.MULTILINE)
CTEST_LABELS = re.compile(r"^set_tests_properties\((?:\[=\[)?(.*?)(?:\]=\])? PROPERTIES .*?\bLABELS \"([^\"]*)\"", re.MULTILINE)

Entry = collections.namedtuple("Entry", "name command sweep")
# A test case: lines first to last of a file. `sweep`: whether its source puts it into the second tier.
Case = collections.namedtuple("Case", "path name first last sweep")


def elements(text, opening):
    """The elements of the C++ initializer list that follows `opening`."""
    start = text.index(opening) + len(opening)
    depth, found, element, i = 0, [], "", start
    while depth >= 0:
        token = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|.', re.DOTALL).match(text, i).group()
        i += len(token)
        if token.startswith("//"):
            continue
        depth += (token in "{(") - (token in "})")
        if depth < 0 or (depth == 0 and token == ","):
            if element.strip():
                found.append(element.strip())
            element = ""
        else:
            element += token
    return found


def table_rows(path, first_column):
    """Cells of the Markdown tables of a file whose first column has that title, with their line numbers."""
    titles, rows = None, []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.startswith("|"):
            titles = None
        elif titles is None:
            titles = [cell.strip() for cell in line.strip("|").split("|")]
        elif not set(line) <= set("|-: ") and titles[0] == first_column:
            rows.append((number, dict(zip(titles, (cell.strip() for cell in line.strip("|").split("|"))))))
    return rows


def guarantees(root):
    return [(number, row["name"].strip("`"), row["tests"]) for number, row in table_rows(root / RELIABILITY, "name")]


def claims_of(root):
    """Every claim with the file that makes it."""
    found = {}

    def add(claim, source):
        found[claim.lower()] = source

    for row in elements((root / OPERATIONS).read_text(), "constexpr Row kRows[] = {"):
        add("step " + re.search(r"steps::(\w+)", row).group(1), OPERATIONS)
    for row in elements((root / GRIDS).read_text(), "std::vector<GridKind> kinds{"):
        strings = re.findall(r'"([^"]*)"', row)
        kind, rule = strings[:2] if row.startswith("{") else ("", strings[0])
        add("grid " + (rule or kind), GRIDS)
    for row in elements((root / FORMATS).read_text(), "std::vector<FormatRow> rows{"):
        name = re.search(r'\.name = "(\w+)"', row).group(1)
        for content in ("map", "alm", "spectra"):
            add(f"read {name} {content}", FORMATS)
            add(f"write {name} {content}", FORMATS)
    for row in elements((root / TABLE_FORMATS).read_text(), "std::vector<TableFormatRow> rows{"):
        name = re.search(r"TableFormat::k(\w+)", row).group(1)
        add(f"read {name} points", TABLE_FORMATS)
        add(f"write {name} points", TABLE_FORMATS)
        if name == "Text":
            add("read text spectra", TABLE_FORMATS)
            add("write text spectra", TABLE_FORMATS)
    for _, name, _ in guarantees(root):
        add("guarantee " + name, RELIABILITY)
    for _, row in table_rows(root / RELIABILITY, "method"):
        for method in row["method"].replace("`", "").split(", "):
            add("checkpoint " + method, RELIABILITY)
    for _, row in table_rows(root / RELIABILITY, "trial"):
        if "fault" in row:
            add("trial " + row["trial"].strip("`"), RELIABILITY)
    kinds = {claim.split()[0] for claim in found}
    for kind in ("step", "grid", "read", "write", "guarantee", "checkpoint", "trial"):
        if kind not in kinds:
            raise ValueError(f"no claims of the kind '{kind}' were found: their table has changed")
    return found


def entries_of(build):
    """What ctest runs. Second tier: entries with the label `sweep`."""
    found = []
    for path in sorted(build.rglob("CTestTestfile.cmake")):
        text = path.read_text()
        labels = {name: set(words.split(";")) for name, words in CTEST_LABELS.findall(text)}
        for name, command in CTEST_ENTRY.findall(text):
            found.append(Entry(name, shlex.split(command), "sweep" in labels.get(name, set())))
    return found


def cpp_cases(relative, text):
    prefixes = collections.defaultdict(list)
    for prefix, suite in GTEST_PARAMETERS.findall(text):
        prefixes[suite].append(prefix)
    lines = text.splitlines()
    for match in GTEST.finditer(text):
        first = last = text.count("\n", 0, match.start()) + 1
        if not re.search(r"[};]$", lines[first - 1]):
            while not lines[last - 1].startswith("}"):
                last += 1
        suite, name = match.groups()
        sweep = "Sweep" in suite + name or bool(prefixes[suite]) and all("Sweep" in prefix for prefix in prefixes[suite])
        yield Case(relative, f"{suite}.{name}", first, last, sweep)


def python_cases(relative, text):
    tree = ast.parse(text)
    # Outside of pytest, each function is a case.
    is_pytest = relative.name.startswith("test_")

    marks = ("pytest.mark.sweep", "SWEEP")  # the second is a name in tests/cli/tiers.py

    def is_sweep_parameter(node):
        text = ast.unparse(node)
        return text.startswith(("sweep(", "*sweep(")) or text.endswith(tuple(f"marks={mark})" for mark in marks))

    def is_sweep(node):
        """Whether a decorator or the value of `pytestmark` marks all runs of a case. Parameters mark single runs."""
        if ast.unparse(node).startswith("pytest.mark.parametrize"):
            values = node.args[1]
            return all(map(is_sweep_parameter, values.elts if isinstance(values, (ast.List, ast.Tuple)) else [values]))
        return ast.unparse(node) in marks

    def of(body, prefix, sweep):
        for node in body:
            marked = sweep or any(is_sweep(decorator) for decorator in getattr(node, "decorator_list", []))
            if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
                yield from of(node.body, node.name + ".", marked)
            elif isinstance(node, ast.FunctionDef) and (node.name.startswith("test_") or not is_pytest):
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                yield Case(relative, prefix + node.name, first, node.end_lineno, marked)

    whole = any(isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark" and is_sweep(node.value)
                for node in tree.body)
    yield from of(tree.body, "", whole)


def cases_of(root):
    for path in sorted((root / "tests").rglob("*")):
        relative = path.relative_to(root)
        if path.suffix == ".cpp":
            yield from cpp_cases(relative, path.read_text(encoding="utf-8"))
        elif path.suffix == ".py" and relative.parts[1] != "architecture":
            yield from python_cases(relative, path.read_text(encoding="utf-8"))
        elif path.suffix == ".sh":
            yield Case(relative, path.name, 1, len(path.read_text(encoding="utf-8").splitlines()), False)


def entries_with(case, entries):
    """The ctest entries that run a case; of tests on devices, those on the emulated device."""
    module, folders = case.path.parts[1], case.path.parts[2:-1]
    if case.path.suffix == ".sh":
        return [entry for entry in entries if any(word.endswith("/" + case.path.as_posix()) for word in entry.command)]
    if case.path.suffix == ".py" and module == "faults":
        return [entry for entry in entries if any(word.startswith(case.name + "=") for word in entry.command)]
    if case.path.suffix == ".py":
        pattern = f"{module}.{case.path.stem.removeprefix('test_')}"
    elif module == "faults":
        pattern = "faults.phases.*"
    else:
        kind = "emulated" if {"gpu", "emulated"} & set(folders) else "mpi" if "mpi" in folders else "unit"
        pattern = f"{kind}.{module}"
    return [entry for entry in entries if fnmatch.fnmatchcase(entry.name, pattern) or entry.name.startswith(pattern + ".")]


def tags_of(root, cases):
    """(place, claim, case) of every tag; case is None where the tag stands at none."""
    for path in sorted((root / "tests").rglob("*")):
        if path.suffix not in {".cpp", ".py", ".sh", ".hpp"} or "architecture" in path.parts:
            continue
        relative = path.relative_to(root)
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            tag = TAG.match(line)
            if not tag:
                continue
            below = number
            while below < len(lines) and COMMENT.match(lines[below - 1]):
                below += 1
            case = next((case for case in cases[relative] if case.first <= number <= case.last or case.first == below), None)
            for claim in tag.group(1).split(","):
                yield f"{relative}:{number}", " ".join(claim.split()), case


def check_names_in_docs(root, entries, cases):
    """Complaints about tests in docs/reliability.md that do not exist."""
    trials = {row["trial"].strip("`") for _, row in table_rows(root / RELIABILITY, "trial")}
    suites = collections.defaultdict(set)
    for case in (case for group in cases.values() for case in group):
        for entry in entries_with(case, entries):
            suites[entry.name].add(case.name.split(".")[0])
    for number, _, tests in guarantees(root):
        place = f"{RELIABILITY}:{number}"
        for name, inside in re.findall(r"`([^`]+)`(?: \(([^)]*)\))?", tests):
            if "/" in name:
                if not (root / name).exists():
                    yield f"{place}: there is no file {name}"
                known = trials
            else:
                matching = [entry for entry in entries if names(name, entry.name)]
                if not matching:
                    yield f"{place}: ctest has no test {name}"
                    continue
                known = trials.union(*(suites[entry.name] for entry in matching))
            for part in filter(None, inside.split(", ")):
                if part not in known:
                    yield f"{place}: {name} has no {part}"


def names(pattern, entry):
    """Whether a name in docs/reliability.md stands for a ctest entry: mpi.ops for mpi.ops.1, cli.* for cli.journal."""
    return fnmatch.fnmatchcase(entry, pattern) or entry.startswith(pattern + ".")


def covering(root, claims, entries, cases):
    """For each claim the cases of the first tier with their entries; and complaints about tags."""
    found, complaints = collections.defaultdict(list), []
    tests_of = {"guarantee " + name.lower(): re.findall(r"`([^`]+)`", tests) for _, name, tests in guarantees(root)}
    for place, text, case in tags_of(root, cases):
        if case is None:
            complaints.append(f"{place}: the tag stands at no test case")
            continue
        matching = [claim for claim in claims if fnmatch.fnmatchcase(claim, text.lower())]
        if not matching:
            complaints.append(f"{place}: '{text}' is not a claim")
        if "*" in text:
            table = TABLES.get(text.split()[0], "a table")
            if table not in (root / case.path).read_text(encoding="utf-8"):
                complaints.append(f"{place}: '{text}' needs a test that goes over {table}")
        run_by = entries_with(case, entries)
        if not run_by:
            complaints.append(f"{place}: ctest runs no test case of {case.path}")
        first_tier = [] if case.sweep else [entry.name for entry in run_by if not entry.sweep]
        for claim in matching:
            listed = tests_of.get(claim)
            if listed is not None and not any(names(name, entry.name) for name in listed for entry in run_by):
                complaints.append(f"{place}: {RELIABILITY} does not list this test for '{text}'")
            if first_tier:
                found[claim].append((first_tier, f"{case.path}: {case.name}"))
    return found, complaints


def short(entries):
    """mpi.ops.1, mpi.ops.2 -> mpi.ops.1,2"""
    groups = collections.defaultdict(list)
    for entry in entries:
        stem, _, ranks = entry.rpartition(".")
        groups[stem if ranks.isdigit() else entry].append(ranks if ranks.isdigit() else "")
    return " ".join(stem + ("." if any(ranks) else "") + ",".join(ranks) for stem, ranks in groups.items())


def check(root, build):
    """The table and the complaints."""
    claims, entries = claims_of(root), entries_of(build)
    cases = collections.defaultdict(list)
    for case in cases_of(root):
        cases[case.path].append(case)
    found, complaints = covering(root, claims, entries, cases)
    table = [(claim, short(run_by), case) for claim in claims for run_by, case in found[claim]]
    holes = [f"{source}: '{claim}' has no test of the first tier: write 'claims: {claim}' at a test case that covers it"
             for claim, source in claims.items() if not found[claim]]
    return claims, table, holes + complaints + list(check_names_in_docs(root, entries, cases))


def self_test():
    entry = 'add_test([=[{0}]=] {1})\nset_tests_properties([=[{0}]=] PROPERTIES  LABELS "{2}" TIMEOUT "60")\n'
    files = {
        OPERATIONS: "constexpr Row kRows[] = {\n" + "".join(
            f'    {{steps::{name}, "{{alm: a, out: {{b}}}}"}},\n' for name in
            ("scale", "add", "rotate", "mask", "lens", "regrid", "smooth", "select", "resize", "spectra", "gone")) + "};\n",
        GRIDS: 'std::vector<GridKind> kinds{\n {"gauss",\n "",\n {kNlat}, {}, "exact, to rounding"},\n'
               ' equiangular("cc", "with poles"),\n // no row\n};\n',
        FORMATS: 'std::vector<FormatRow> rows{\n {.format = Format::kFits,\n .name = "FITS"},\n};\n',
        TABLE_FORMATS: "std::vector<TableFormatRow> rows{\n {.format = TableFormat::kText},\n};\n",
        RELIABILITY: "| name | guarantee | tests |\n|---|---|---|\n"
                     "| `whole` | Files are whole. | `faults.short` (kill, flood), `unit.io` (Files, Nothing) |\n"
                     "| `exit` | Codes are kept. | `cli.*`, `scripts/gone.sh`, `unit.nowhere` |\n\n"
                     "| method | saved state |\n|---|---|\n| `cg`, analysis with `cg` | all |\n\n"
                     "| trial | fault |\n|---|---|\n| `kill` | SIGKILL |\n\n| trial | passed |\n|---|---|\n| `none` | 1 |\n",
        "tests/io/test_files.cpp": "// claims: read FITS *, write FITS *, guarantee whole\nTEST(Files, KeepAll) {\n"
                                   "  for (auto& row : formats()) check(row);\n}\n"
                                   "// claims: step add\nTEST(FilesSweep, OfAnySize) {\n}\n\n// claims: step rotate\n\n"
                                   "TEST(Files, AreFew) { EXPECT_TRUE(true); }\n",
        "tests/io/gpu/test_device.cpp": "// claims: grid gauss\nTEST_P(Device, Agrees) {\n}\n"
                                        "INSTANTIATE_TEST_SUITE_P(SweepOfSizes, Other, all);\n"
                                        "TEST_P(Other, Agrees) {\n  // claims: step smooth\n}\n",
        "tests/ops/test_ops.cpp": "// claims: grid cc\nTEST(Ops, Work) {\n}\n",
        "tests/cli/test_steps.py": "import pytest\n\n\n# claims: step scale, read text points, guarantee exit, grid *\n"
                                   "@pytest.mark.parametrize('n', [1, pytest.param(2, marks=pytest.mark.sweep)])\n"
                                   "def test_scale(n):\n    pass\n\n\n@pytest.mark.sweep\nclass TestAll:\n"
                                   "    def test_mask(self):\n        # claims: step mask, guarantee whole\n        pass\n\n\n"
                                   "@pytest.mark.parametrize('n', sweep(1, 2))\ndef test_lens(n):\n"
                                   "    # claims: step lens, step lense\n    pass\n\n\n"
                                   "# claims: step resize\n@SWEEP\ndef test_resize():\n    pass\n\n\n"
                                   "# claims: step spectra\n@pytest.mark.parametrize('n', [*sweep(1, 2), "
                                   "pytest.param(3, marks=SWEEP)])\ndef test_spectra(n):\n    pass\n",
        "tests/cli/test_all.py": "import pytest\npytestmark = pytest.mark.sweep\n\n\n# claims: step regrid\n"
                                 "def test_regrid():\n    pass\n",
        "tests/install/test_bundle.sh": "#!/bin/sh\n# claims: step select\n",
        "tests/install/test_install.sh": "#!/bin/sh\n# claims: write text points, read text spectra, write text spectra, checkpoint cg\n",
        "tests/faults/trials.py": "def kill(context):\n    # claims: trial kill\n    pass\n",
        "build/CTestTestfile.cmake": "".join(entry.format(*words) for words in [
            ("unit.io", '"/b/test_io"', "unit"), ("emulated.io", '"/b/test_io_emulated"', "emulated"),
            ("cli.steps", '"python3" "-m" "pytest" "/s/tests/cli/test_steps.py"', "job"),
            ("cli.all", '"python3" "-m" "pytest" "/s/tests/cli/test_all.py"', "job;sweep"),
            ("install.bundle", '"/s/tests/install/test_bundle.sh" "/b"', "job;sweep"),
            ("install.files", '"/s/tests/install/test_install.sh" "/b"', "job"),
            ("faults.short", '"python3" "/s/tests/faults" "--count" "kill=2"', "faults")]),
    }
    expected = [
        *(f"{OPERATIONS}: 'step {name}' has no" for name in ("add", "rotate", "mask", "lens", "regrid", "smooth", "select",
                                                               "resize", "spectra", "gone")),
        f"{RELIABILITY}: 'checkpoint analysis with cg' has no",
        "tests/cli/test_steps.py:4: 'grid *' needs a test that goes over grid_kinds()",
        f"tests/cli/test_steps.py:13: {RELIABILITY} does not list this test for 'guarantee whole'",
        "tests/cli/test_steps.py:19: 'step lense' is not a claim",
        "tests/io/test_files.cpp:9: the tag stands at no test case",
        "tests/ops/test_ops.cpp:1: ctest runs no test case of tests/ops/test_ops.cpp",
        f"{RELIABILITY}:3: faults.short has no flood", f"{RELIABILITY}:3: unit.io has no Nothing",
        f"{RELIABILITY}:4: there is no file scripts/gone.sh", f"{RELIABILITY}:4: ctest has no test unit.nowhere",
    ]
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        claims, table, complaints = check(root, root / "build")
    unexpected = [text for text in complaints if not any(text.startswith(start) for start in expected)]
    unnoticed = [start for start in expected if not any(text.startswith(start) for text in complaints)]
    if unexpected or unnoticed or ("grid gauss", "emulated.io", "tests/io/gpu/test_device.cpp: Device.Agrees") not in table:
        print("self-test: found", *unexpected, "and did not notice", *unnoticed, "in", *map(" ".join, table), sep="\n  ")
        return 1
    print(f"self-test: all {len(expected)} planted mistakes noticed among {len(claims)} claims")
    return 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    root, build = map(pathlib.Path, arguments)
    claims, table, complaints = check(root, build)
    widths = [max(map(len, column)) for column in zip(*table)] if table else []
    for row in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    print(*complaints, f"{len(claims)} claims, {len(complaints)} mistakes", sep="\n")
    return 1 if complaints or not claims else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
