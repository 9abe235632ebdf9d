"""Times of everything around the Legendre kernels: passes over memory, with FFTs modelled as such passes."""

import math
import re

import gpu_machine as machine

L2_RATE = 5.5e12
LAUNCH_SECONDS = 1e-6
LEAST_SECONDS = 3e-6
ONE_PASS = 8192
COMPLEX = 16
THETA_TILE = 8  # columns of a thread between theta grids

# Patterns of kernel names: the name of the body, or of the kernel itself.
NAMES = {
    "fold": r"\b[Ff]old(_kernel)?<.*double",
    "unfold": r"\b[Uu]nfold(_kernel)?<.*double",
    "write": r"\bWritePixels<double",
    "read": r"\bReadPixels<double",
    "multiply": r"\bMultiply<double",
    "source_to_sequence": r"\bSourceToSequence\b",
    "sequence_to_source": r"\bSequenceToSource\b",
    "change_spectrum": r"\bChangeSpectrum\b",
    "interpolate": r"\bInterpolateTargets<double, false",
    "gather_targets": r"\bGatherTargets<double, false",
    "gather": r"\bGatherBody<double",
    "subtract": r"\bSubtractBody<double",
}


class Machine:
    def __init__(self, clock, memory):
        self.clock = clock
        self.memory = memory


class Stages:
    def __init__(self, kernels):
        self.kernels = kernels
        self.cycles = {}

    def kernel(self, name):
        return next(one for one in self.kernels if re.search(NAMES[name], one.name))

    def pipes(self, name, trips=1):
        """Cycles of each pipe for one warp of a kernel on its longest path, with `trips` passes of its innermost
        loops."""
        if (name, trips) not in self.cycles:
            kernel = self.kernel(name)
            deepest = max((loop.depth for loop in kernel.all_loops()), default=0)
            code = machine.longest_path(
                kernel, kernel.whole(), len, lambda loop: trips if loop.depth == deepest else 1
            )
            self.cycles[name, trips] = machine.pipe_cycles(code)
        return self.cycles[name, trips]

    def launch(self, part, on, bytes_, l2=0.0, threads=0.0, name=None, launches=1, trips=1):
        """One kind of launch: (name of the part, seconds, bound)."""
        choices = {"memory": bytes_ / on.memory, "L2 cache": l2 / L2_RATE}
        if name:
            units = machine.MULTIPROCESSORS * machine.SCHEDULERS
            choices["issue and integer units"] = threads / 32 * max(self.pipes(name, trips).values()) / units / on.clock
        work = max(choices.values())
        if work / launches + LAUNCH_SECONDS < LEAST_SECONDS:
            return part, launches * LEAST_SECONDS, "launches"
        return part, work + launches * LAUNCH_SECONDS, max(choices, key=choices.get)

    def legendre(self, counts, direction, launches, on):
        """The scalar Legendre stage: coefficients, rows unless they are kept, and its kernels."""
        parts = []
        fields, steps, ranges = counts["fields"], counts["steps"], counts[direction + "_ranges"]
        if max(counts["synthesis_ranges"], counts["adjoint_ranges"]) > 1 and ranges < 32:
            size = steps * counts["rows_per_step"] * COMPLEX
            parts.append(self.launch("rows of the recurrence", on, size, launches=ranges))
        alm = COMPLEX * counts["alm"]
        delta = COMPLEX * counts["delta"]
        sums = 32 * sum(one["block_steps"] * one["fields"] for one in launches)
        if direction == "synthesis":
            parts.append(self.launch("coefficients", on, alm + 32 * steps * fields, launches=ranges))
        else:
            parts.append(self.launch("sums of blocks", on, alm + sums, launches=ranges))
        for one in launches:
            share = one["fields"] * one["block_steps"] * 32 / max(1, sums)
            own = delta * share + (32 * one["block_steps"] * one["fields"] if direction == "adjoint" else 0)
            seconds = one["cycles"] / on.clock
            bound = self.legendre_bound(one)
            if own / on.memory > seconds:
                seconds, bound = own / on.memory, "memory"
            if seconds + LAUNCH_SECONDS < LEAST_SECONDS:
                seconds, bound = LEAST_SECONDS - LAUNCH_SECONDS, "launches"
            parts.append(("Legendre " + direction, seconds + LAUNCH_SECONDS, bound))
        return parts

    @staticmethod
    def legendre_bound(one):
        largest = max(("fp64", "issue", "shared"), key=lambda pipe: one[pipe])
        name = {"fp64": "FP64 units", "issue": "issue slots", "shared": "shared memory"}[largest]
        if one["longest"] > 0.9 * one["cycles"] and one["longest"] > one[largest]:
            return "longest block"
        if one[largest] < 0.75 * one["cycles"]:
            name = "latency, " + name
        return "%s %.0f%% busy" % (name, 100 * one[largest] / one["cycles"])

    @staticmethod
    def wigner(cycles, on):
        parts = [("Wigner recurrence", cycles / on.clock + LAUNCH_SECONDS, "longest block")]
        return parts + [("Wigner recurrence", LEAST_SECONDS, "launches")]

    def theta(self, counts, adjoint, on):
        """Resampling in theta, in chunks of columns."""
        theta = counts["theta"]
        columns = counts["orders"] * counts["fields"]
        chunks = math.ceil(columns / theta["chunk"])
        source, fine = (COMPLEX * columns * theta[name] for name in ("source_length", "fine_length"))
        delta = COMPLEX * counts["delta"]
        ends = "sequence_to_source" if adjoint else "source_to_sequence"
        middle = (fine, source) if adjoint else (source, fine)
        targets = counts["delta"] / 2
        if adjoint:
            # Entries of a pair of the fine grid: 16 weights per target. The longest path is that of the few entries
            # that do not contribute to all columns, so this is an upper bound.
            points = columns * theta["fine_length"] / 2
            trips = max(1, round(16 * targets / points))
            last = dict(bytes_=delta + fine, threads=points / THETA_TILE, name="gather_targets", trips=trips)
        else:
            last = dict(bytes_=delta + fine, threads=targets / THETA_TILE, name="interpolate", trips=THETA_TILE)
        name = "resampling in theta"
        return [
            self.launch(name, on, 2 * source, threads=source / COMPLEX / 2, name=ends, launches=chunks),
            self.launch(name, on, 2 * source * passes(theta["source_length"]), launches=chunks),
            self.launch(
                name, on, middle[0] + middle[1], threads=middle[1] / COMPLEX, name="change_spectrum", launches=chunks
            ),
            self.launch(name, on, 2 * fine * passes(theta["fine_length"]), launches=chunks),
            self.launch(name, on, launches=chunks, **last),
        ]

    def rings(self, counts, adjoint, on):
        """Ring FFTs. A chunk of a group of rings stays in the second-level cache between kernels."""
        parts = []
        all_pixels = sum(group["pixels"] for group in counts["rings"])
        for group in counts["rings"]:
            share = group["pixels"] / all_pixels
            delta = COMPLEX * counts["delta"] * share
            pixels = 8 * counts["pixels"] * share
            part = "rings, " + group["method"]
            if group["method"] == "short":
                parts.append(self.launch(part, on, delta + pixels))
                continue
            columns = group["units"] * counts["fields"]
            chunks = math.ceil(columns / group["columns"])
            lines = math.ceil(columns * group["parts"] / group["fft_lines"]) * group["fft_lines"]
            values = COMPLEX * lines * group["length"]
            calls = lines // group["fft_lines"]
            items = columns * group["max_nphi"]
            fft = self.launch(part, on, 0, l2=2 * values * passes(group["length"]), launches=calls)
            if adjoint:
                parts.append(
                    self.launch(part, on, pixels, l2=values, threads=items / 4, name="read", launches=chunks)
                )
            else:
                parts.append(
                    self.launch(part, on, delta, l2=values, threads=items / 4, name="fold", launches=chunks)
                )
            parts.append(fft)
            if group["method"] == "chirp":
                filters = COMPLEX * group["units"] * group["length"]
                work = values / COMPLEX / group["parts"] / 4
                parts += [
                    self.launch(
                        part, on, filters, l2=2 * values, threads=work, name="multiply", launches=chunks, trips=4
                    ),
                    fft,
                ]
            if adjoint:
                many = columns * group["max_m"] / 2
                parts.append(self.launch(part, on, delta, l2=values, threads=many, name="unfold", launches=chunks))
            else:
                parts.append(
                    self.launch(part, on, pixels, l2=values, threads=items / 4, name="write", launches=chunks)
                )
        return parts

    def ring_modes(self, counts, coefficients, ranges, on):
        """One round in ring modes without the Legendre stages: adding coefficients, correcting and completing
        modes."""
        delta = COMPLEX * counts["delta"]
        alm = coefficients * COMPLEX * counts["alm"]
        threads = counts["delta"]
        return [
            self.launch("coefficients", on, alm, launches=ranges),
            self.launch("ring modes", on, 3 * delta, threads=threads, name="subtract", launches=ranges),
            self.launch("ring modes", on, 2 * delta, threads=threads, name="gather", launches=ranges),
        ]


def passes(length):
    return 1 if length <= ONE_PASS else 2
