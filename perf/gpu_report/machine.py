"""What is on this machine: the programs, the tools of CUDA, the clocks of the GPU."""

import glob
import os
import re
import shutil
import statistics
import subprocess
import sys
import threading
import time

TESTS = ("test_kernels", "test_backend", "test_radial", "test_points", "test_transform", "test_iteration", "test_ops", "test_job")
BENCHMARKS = ("perf_device", "perf_device_iteration", "perf_radial", "perf_device_points", "perf_rates")
# Names of files: {device} is gpu or emulated.
FILES = {
    "test_kernels": "test_kernels_{device}",
    "test_backend": "test_backend_{device}",
    "test_radial": "test_radial_{device}_mpi",
    "test_points": "test_points_{device}_mpi",
    "test_transform": "test_transform_{device}_mpi",
    "test_iteration": "test_iteration_{device}_mpi",
    "test_ops": "test_ops_{device}_mpi",
    "test_job": "test_job_{device}_mpi",
    "armilla": "armilla",
}


class Programs:
    """Finds programs beside this report (in a bundle) or in a build folder."""

    def __init__(self, folder):
        self.folders = [os.path.join(folder, below) for below in ("", "bin", "tests", "perf")]

    def find(self, name, device):
        twin = "_emulated" if device == "emulated" and name in BENCHMARKS else ""
        file = FILES.get(name, name + twin).format(device=device)
        for folder in self.folders:
            path = os.path.join(folder, file)
            if os.path.isfile(path) and os.access(path, os.X_OK):
                return path
        return None

    def device(self):
        """gpu where its programs are there, else emulated; None without programs."""
        for device in ("gpu", "emulated"):
            if any(self.find(name, device) for name in TESTS):
                return device
        return None


def find_mpirun(home):
    """That of the bundle, else the system's."""
    own = os.path.join(home, "..", "bin", "mpirun")
    return os.path.normpath(own) if os.access(own, os.X_OK) else shutil.which("mpirun")


def cuda_tool(name):
    """A tool of CUDA: on PATH, or beside nvcc."""
    found = shutil.which(name)
    if found:
        return found
    for folder in cuda_folders():
        for below in ("bin", "compute-sanitizer"):
            path = os.path.join(folder, below, name)
            if os.access(path, os.X_OK):
                return path
    places = sorted(glob.glob("/opt/nvidia/nsight-compute/*/" + name))
    return places[-1] if places else None


def cuda_folders():
    folders = [os.environ.get("CUDA_HOME"), "/usr/local/cuda"]
    nvcc = shutil.which("nvcc")
    if nvcc:
        folders.insert(1, os.path.dirname(os.path.dirname(os.path.realpath(nvcc))))
    folders += sorted(glob.glob("/usr/local/cuda-*"), reverse=True)
    return [folder for folder in folders if folder and os.path.isdir(folder)]


def cufft_folder():
    """Where cuFFT is: ARMILLA_CUFFT_DIR, CUDA's folders, or packages of this Python; None where only the loader may know."""
    patterns = [os.environ["ARMILLA_CUFFT_DIR"]] if os.environ.get("ARMILLA_CUFFT_DIR") else []
    patterns += [os.path.join(folder, below) for folder in cuda_folders() for below in ("lib64", "lib")]
    prefixes = {sys.prefix, sys.base_prefix, "/usr", "/usr/local"}
    for prefix in sorted(prefixes):
        for packages in ("site-packages", "dist-packages"):
            patterns.append(os.path.join(prefix, "lib", "python3*", packages, "nvidia", "*", "lib"))
    for pattern in patterns:
        for folder in sorted(glob.glob(pattern), reverse=True):
            if glob.glob(os.path.join(folder, "libcufft.so.[0-9]*")):
                return folder
    return None


def environment(cache):
    """Of all programs: threads share the cores with other ranks, caches are written to a folder of this run."""
    result = dict(os.environ)
    result["ARMILLA_CACHE_DIR"] = cache
    result.setdefault("OMP_WAIT_POLICY", "passive")
    if os.getuid() == 0:
        result["OMPI_ALLOW_RUN_AS_ROOT"] = result["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
    cufft = cufft_folder()
    if cufft:
        result["LD_LIBRARY_PATH"] = ":".join(filter(None, [result.get("LD_LIBRARY_PATH"), cufft]))
    return result


def with_threads(variables, ranks):
    """The same with the cores shared out to so many ranks."""
    result = dict(variables)
    result.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // ranks)))
    return result


def gpu_text():
    """One line on the first GPU by nvidia-smi, or why there is none."""
    tool = shutil.which("nvidia-smi")
    if not tool:
        return "nvidia-smi not found"
    fields = "name,driver_version,clocks.max.sm,power.limit,memory.total"
    try:
        done = subprocess.run(
            [tool, "--id=0", "--query-gpu=" + fields, "--format=csv,noheader"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=30,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return "nvidia-smi: %s" % error
    return done.stdout.decode("utf-8", "replace").strip() or "nvidia-smi printed nothing"


class Clocks:
    """Logs SM clock and power five times a second while it is open; medians of any interval of time."""

    LINE = re.compile(r"^\s*([\d.]+), *([\d.]+)\s*$")

    def __init__(self, path):
        self.samples = []
        self.child = None
        tool = shutil.which("nvidia-smi")
        if not tool:
            return
        self.file = open(path, "w")
        self.file.write("seconds,sm_mhz,power_w\n")
        try:
            self.child = subprocess.Popen(
                [tool, "--id=0", "--query-gpu=clocks.sm,power.draw", "--format=csv,noheader,nounits", "-lms", "200"],
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError:
            return
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for raw in self.child.stdout:
            found = self.LINE.match(raw.decode("ascii", "replace"))
            if not found:
                continue
            sample = (time.time(), float(found.group(1)), float(found.group(2)))
            self.samples.append(sample)
            self.file.write("%.2f,%.0f,%.1f\n" % sample)

    def between(self, start, end):
        """{sm_mhz, sm_mhz_most, power_w, power_w_most} of an interval of time.time(), or nothing."""
        some = [sample for sample in list(self.samples) if start <= sample[0] <= end]
        if not some:
            return {}
        clocks = [sample[1] for sample in some]
        watts = [sample[2] for sample in some]
        return {
            "sm_mhz": statistics.median(clocks),
            "sm_mhz_most": max(clocks),
            "power_w": statistics.median(watts),
            "power_w_most": max(watts),
        }

    def close(self):
        if self.child:
            self.child.kill()
            self.child.wait()
            self.reader.join(1)
            self.file.close()
