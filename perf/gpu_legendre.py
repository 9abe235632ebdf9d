"""Cycles of the Legendre kernels: the cost of their loops per step, and of whole launches block by block."""

import json
import pathlib

import gpu_machine as machine
import sass

# Cycles of a block before its first and after its last step, in addition to the instructions there: a chain of loads
# from memory (data of m, data of pairs, first tile), each of about 600 cycles.
START_CYCLES = 4 * 600
TUNING = json.loads((pathlib.Path(__file__).parent / "tuning.json").read_text())
TILE_STEPS = {
    "synthesis": TUNING["synthesis"]["steps"],
    "adjoint": TUNING["adjoint"]["steps"],
    "tensor_synthesis": 32,
    "tensor_adjoint": 16,
}
PIPES = ("fp64", "issue", "shared")


def instructions(code):
    return sass.Counts(code).names


def arithmetic(code):
    return sum(one.kind == "fp64" for one in code)


class Step:
    """Cycles of one step of a warp: by pipe; of its scheduler with all its warps resident, `together` of which belong
    to one block; and from one step to the next for a single warp."""

    def __init__(self, code, steps, warps, together=1):
        self.pipes = {pipe: machine.pipe_cycles(code).get(pipe, 0) / steps for pipe in PIPES}
        self.busy = machine.cycles_of_loop(code, warps, together) / steps
        self.alone = machine.cycles_of_loop(code, 1) / steps if warps > 1 else self.busy


class Form:
    """The loops of one form of the recurrence in a kernel."""

    def __init__(self, kernel, tile, family, pairs, together, warps, of_block):
        counts = {loop: instructions(kernel.code(loop)) for loop in self._all(tile)}
        if family.startswith("tensor"):
            value = next(loop for loop in tile.inner if counts[loop]["DMMA"])
            passes = {"careful": 4, "make": 2, "multiply": 2}

            def way(careful, multiplies):
                def trips(loop):
                    if counts[loop]["DSETP"]:
                        return passes["careful"] if careful else 0
                    if counts[loop]["DMMA"]:
                        return passes["multiply"] if multiplies else 0
                    return 0 if careful else passes["make"]

                def score(code):
                    some = instructions(code)
                    return len(code) + (1e6 if multiplies else -1e6) * some["DMMA"]

                return machine.longest_path(kernel, value, score, trips)

            ways = [(way(False, True), 8), (way(True, True), 8), (way(True, False), 8)]
            inside = {value}
        else:
            loops = [loop for loop in tile.inner if counts[loop]["DFMA"]]
            careful = next(loop for loop in loops if counts[loop]["DSETP"])
            steady = next(loop for loop in loops if not counts[loop]["DSETP"])
            if family == "adjoint":
                reduced = 16 // (4 * together)
                steps = [reduced * counts[steady]["SHFL"] // 32, reduced]
            else:
                per_step = 4 + 4 * together if counts[steady]["DMUL"] else pairs * (2 + 4 * together)
                steps = [arithmetic(kernel.code(steady)) // per_step, 2]
            ways = [
                (machine.longest_path(kernel, steady, len), steps[0]),
                (machine.longest_path(kernel, careful, len), steps[1]),
                (machine.longest_path(kernel, careful, lambda code: -len(code)), steps[1]),
            ]
            inside = set(loops)
        # Copies take one pass of their loops. Sums of warps take one pass for each field that shares the recurrence.
        adds = {loop for loop in tile.inner if counts[loop]["DADD"] and loop not in inside}

        def trips(loop):
            if loop in inside or any(loop in add.inner for add in adds):
                return 0
            return max(1, together // (4 if family.startswith("tensor") else 1)) if loop in adds else 1

        # A whole tile has no steps outside its loops, where synthesis kernels have their last ones.
        outside = 1000 if family == "synthesis" else 0
        around = machine.longest_path(kernel, tile, lambda code: len(code) - outside * arithmetic(code), trips)
        whole = TILE_STEPS[family]
        self.steady = Step(*ways[0], warps)  # without the code around it that runs once per tile
        self.reads_alone = any(one.name.startswith("LDS.64") for one in ways[0][0])
        self.all, self.some, self.skip = (
            Step(around + code * (whole // steps), whole, warps, of_block) for code, steps in ways
        )

    def _all(self, loop):
        yield loop
        for inner in loop.inner:
            yield from self._all(inner)

    def steps(self):
        return self.skip, self.some, self.all


class Code:
    """A Legendre kernel, with the data that its launches need."""

    def __init__(self, kernel, family, pairs, together, threads, shared):
        self.kernel = kernel
        self.resident = machine.resident_blocks(kernel.registers, kernel.shared + shared, threads)
        self.warps = max(1, round(self.resident * threads / 32 / machine.SCHEDULERS))
        tiles = [loop for loop in kernel.loops if self._is_tile_loop(kernel, loop)]
        of_block = max(1, threads // 32 // machine.SCHEDULERS)
        self.forms = [Form(kernel, tile, family, pairs, together, self.warps, of_block) for tile in tiles]
        if len(self.forms) > 1:  # the form for the equator multiplies values by a factor, read by a separate load
            self.forms.sort(key=lambda form: form.reads_alone)
        outside = machine.longest_path(kernel, kernel.whole(), len, lambda loop: 0 if loop in tiles else 1)
        self.start = len(outside)

    @staticmethod
    def _is_tile_loop(kernel, loop):
        # It ends groups of asynchronous copies; only tiles of blocks of several warps have barriers, too.
        some = instructions(kernel.code(loop))
        return bool(loop.inner) and some["LDGDEPBAR"] > 0 and some["DFMA"] > 0

    def form(self, number):
        return self.forms[number if len(self.forms) > 1 else 0]


class Legendre:
    def __init__(self, kernels):
        self.kernels = {kernel.name: kernel for kernel in kernels}
        self.codes = {}

    def code(self, launch, form):
        family, pairs, together = launch["kernel"], launch["pairs"], launch["together"]
        if family.startswith("tensor"):
            pairs = 1 if form else pairs
            body = "TensorAdjointBody" if family == "tensor_adjoint" else "TensorSynthesisBody"
            threads = 256 if family == "tensor_adjoint" else 128
            name = "tensor_kernel<%s<%d, %d, %d>, %d>" % (body, form, pairs, together, threads)
        else:
            name = "%s_kernel<%d, %d, double, Production>" % (family, pairs, together)
        key = (name, launch["threads"])
        if key not in self.codes:
            self.codes[key] = Code(
                self.kernels[name], family, pairs, together, launch["threads"], launch["shared_bytes"]
            )
        return self.codes[key]

    def launch(self, launch):
        """Returns {cycles: predicted, fp64, issue, shared: cycles of a scheduler if all were equally busy, longest:
        cycles of the longest block alone}."""
        form = launch["blocks"][0][0] if launch["kernel"].startswith("tensor") else 0
        code = self.code(launch, form)
        blocks = []
        pipes = dict.fromkeys(PIPES, 0.0)
        warps = launch["threads"] // 32
        for numbers in launch["blocks"]:
            blocks += self.block(code, numbers, warps, pipes, launch["groups"])
        cycles = machine.launch_cycles(blocks, code.resident)
        units = machine.MULTIPROCESSORS * machine.SCHEDULERS
        result = {pipe: all_cycles / units for pipe, all_cycles in pipes.items()}
        result.update(cycles=cycles, longest=max(block.least for block in blocks), work=sum(
            sum(block.work[:-1]) for block in blocks) / units)
        # 32 bytes of coefficients or sums per field and step of each block.
        result["block_steps"] = sum(numbers[2] for numbers in launch["blocks"])
        result["fields"] = launch["groups"] * launch["together"]
        result["launch"] = launch
        return result

    @staticmethod
    def block(code, numbers, warps, pipes, groups):
        form = code.form(numbers[0])
        least = reads = 0.0
        every = []
        for w in range(warps):
            triple = numbers[3 + 3 * w : 6 + 3 * w]
            steps = sum(triple)
            busy = alone = 0.0
            if steps:
                ways = list(zip(form.steps(), triple))
                busy = sum(step.busy * n for step, n in ways) + code.start
                alone = sum(step.alone * n for step, n in ways) + code.start + START_CYCLES
                own = {pipe: sum(step.pipes[pipe] * n for step, n in ways) for pipe in PIPES}
                for pipe in PIPES:
                    pipes[pipe] += groups * own[pipe]
                reads += own["shared"] / machine.SCHEDULERS
            every.append(busy)
            least = max(least, alone)
        # Work item w belongs to warp w - m of the block, where m is the number of its m (kernels/core/warp.hpp).
        work = [0.0] * machine.SCHEDULERS + [reads]
        for w, busy in enumerate(every):
            work[(w - numbers[1]) % warps % machine.SCHEDULERS] += busy
        return [machine.Block(work, least, warps)] * groups

    def wigner(self, direction, spin, degrees, maps):
        """Cycles of the Wigner kernel for blocks with these numbers of degrees, if no function is negligible."""
        together = 4 if maps >= 4 else 2 if maps >= 2 else 1
        shape = "<double, %s, %d>" % ("true" if spin else "false", together)
        names = (direction + "_kernel" + shape, "Wigner" + direction.capitalize() + shape)
        kernel = next(one for one in self.kernels.values() if any(name in one.name for name in names))
        tile = max((loop for loop in kernel.loops if loop.inner), key=lambda loop: len(kernel.code(loop)))
        threads = 64
        resident = machine.resident_blocks(kernel.registers, kernel.shared, threads)
        part = threads // (together * (4 if spin else 2))

        def trips(loop):
            if any(one.base == "DSETP" for one in kernel.own_code(loop)):
                return 0  # the loop over degrees at which some functions are still negligible
            if loop.inner:
                return threads // part
            some = instructions(kernel.code(loop))
            if some["DFMA"]:
                of_degree = 2 * (4 + 8 * together if spin else 2 + 2 * together)
                return (threads if direction == "synthesis" else part) * of_degree // some["DFMA"]
            return threads // max(1, some["LDS"]) if some["DADD"] else 1

        tile_code = machine.longest_path(kernel, tile, len, trips)
        blocks = len(degrees) * (maps // together)
        warps = min(resident, -(-blocks // machine.MULTIPROCESSORS)) * 2 // machine.SCHEDULERS
        step = Step(tile_code, threads, min(max(warps, 2), 4))
        every = []
        for count in degrees:
            for _ in range(maps // together):
                work = [0.0] * machine.SCHEDULERS + [2 * step.pipes["shared"] / machine.SCHEDULERS * count]
                work[0] = work[1] = step.busy * count
                every.append(machine.Block(work, step.alone * count + START_CYCLES, 2))
        return machine.launch_cycles(every, resident)
