"""Runs fuzz targets and sorts what they find: python3 tests/fuzz --build build-fuzz --jobs 2 --seconds 600 [TARGET ...]

libFuzzer runs in fork mode: a crash ends a child, and the campaign goes on. Each find is then run once more by itself,
and counted as Armilla's unless the innermost frame of its stack that belongs to any program or library is in another
library."""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent
TARGETS = ("fits", "hdf5", "text_spectra", "text_points", "job")
LONGEST = 20  # [s] of one file
LARGEST = 512  # [MB] of one allocation
SUPPRESSIONS = ROOT / "leaks.supp"
LIMITS = [f"-timeout={LONGEST}", f"-malloc_limit_mb={LARGEST}", "-rss_limit_mb=3000"]
# libFuzzer keeps the file before, where a library fails while a file is mutated.
UNREPEATED = ("none", "does not repeat")
# Run-time libraries, which stand above the frame that called them.
RUNTIME = re.compile(r"compiler-rt|sanitizer|libc\.so|libstdc\+\+|libpthread|/gcc/|bits/|ext/|sysdeps|nptl|Fuzzer|fuzzer::|"
                     r"__asan|__interceptor|operator new|_start|fuzz_\w+\+0x")
LIBRARY = re.compile(r"\((/(?:usr/)?lib/[^()]*/(lib[\w+-]+)\.so[^()]*)\)")


def environment(scratch):
    return os.environ | {
        "TMPDIR": scratch,
        "ASAN_OPTIONS": "allocator_may_return_null=1:detect_leaks=1:handle_abort=1",
        "LSAN_OPTIONS": f"suppressions={SUPPRESSIONS}:print_suppressions=0",
        "UBSAN_OPTIONS": "print_stacktrace=1", "OMP_NUM_THREADS": "1"}


def fuzz(build, scratch, target, seconds):
    """How many files were tried."""
    finds, corpus = build / "finds" / target, build / "corpus" / target
    for folder in (finds, corpus):
        folder.mkdir(parents=True, exist_ok=True)
    command = [build / "tests" / "fuzz" / f"fuzz_{target}", "-fork=1", "-ignore_crashes=1", "-ignore_timeouts=1",
               "-ignore_ooms=1", *LIMITS, f"-max_total_time={seconds}", "-max_len=65536", f"-artifact_prefix={finds}/",
               corpus, ROOT / "corpus" / target]
    with open(build / f"fuzz_{target}.log", "w") as log:
        subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, env=environment(scratch))
    counts = re.findall(r"^#(\d+):? ", (build / f"fuzz_{target}.log").read_text(errors="replace"), re.MULTILINE)
    return max(map(int, counts), default=0)


def describe(output):
    """(library or 'armilla', title) of what a sanitizer reports."""
    frames = [line for line in output.splitlines() if re.match(r"\s*#\d+ 0x", line)]
    reason = re.search(r"(ERROR: \w+: [^\n]*|runtime error: [^\n]*|terminate called [^\n]*(?:\n  what\(\):[^\n]*)?)", output)
    title = [re.sub(r"==\d+==|0x[0-9a-f]+", "", reason[1]) if reason else "no reason given"]
    owner = "armilla"
    for frame in frames:
        if RUNTIME.search(frame):
            continue
        library = LIBRARY.search(frame)
        owner = library[2] if library else "armilla"
        break
    own = [re.sub(r" \(.*", "", frame.split(" in ", 1)[-1]) for frame in frames if not RUNTIME.search(frame)]
    return owner, "\n    ".join(title + own[:8])


def repeat(build, scratch, target, find):
    """(owner, title), or None where the find does not repeat."""
    command = [build / "tests" / "fuzz" / f"fuzz_{target}", *LIMITS, find]
    # Whole stacks, through libraries without frame pointers, are too slow for anything but this.
    variables = environment(scratch)
    variables["ASAN_OPTIONS"] += ":fast_unwind_on_malloc=0"
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=variables)
    return None if result.returncode == 0 else describe(result.stdout.decode(errors="replace"))


def main():
    parser = argparse.ArgumentParser(description="Fuzzes the readers of Armilla.")
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--jobs", type=int, required=True)
    parser.add_argument("--seconds", type=int, required=True)
    parser.add_argument("targets", nargs="*", metavar="TARGET", default=[])
    arguments = parser.parse_args()
    targets = arguments.targets or list(TARGETS)
    for target in targets:
        if target not in TARGETS:
            parser.error(f"unknown target '{target}': {', '.join(TARGETS)}")
    # What children that crash leave goes with this folder.
    in_memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="armilla_fuzz_", dir=in_memory) as scratch:
        return run(arguments.build.resolve(), scratch, targets, arguments)


def run(build, scratch, targets, arguments):
    shutil.rmtree(build / "finds", ignore_errors=True)
    share = max(1, arguments.seconds * min(arguments.jobs, len(targets)) // len(targets))
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        counts = list(pool.map(lambda target: fuzz(build, scratch, target, share), targets))
    failed = False
    for target, count in zip(targets, counts):
        finds = sorted((build / "finds" / target).iterdir())
        print(f"{target}: {count} files in {share} s, {len(finds)} finds", flush=True)
        failed |= count == 0
        groups = collections.defaultdict(list)
        for find in finds:
            groups[repeat(build, scratch, target, find) or UNREPEATED].append(find)
        for (owner, title), files in groups.items():
            print(f"  {owner}, {len(files)} times, {files[0]}:\n    {title}", flush=True)
            failed |= owner == "armilla"
    print(f"{sum(counts)} files in all")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
