"""A model of one GPU of compute capability 9.0: the time of code on a warp scheduler, and of a launch on all
multiprocessors. Rates are those stated by NVIDIA, latencies are from the literature. Two costs were chosen so that the
model explains the measured Legendre kernels (gpu_model.py --check): those of FP64 operands and of 16-byte loads.
perf_rates measures both."""

import heapq

MULTIPROCESSORS = 132
SCHEDULERS = 4
REGISTERS = 65536
SHARED_BYTES = 228 * 1024
RESERVED_BYTES = 1024  # of shared memory, per block
MOST_WARPS = 64
MOST_BLOCKS = 32

# Cycles for which an instruction of a warp occupies a pipe of its scheduler. Per cycle, FP64 units process 16 lanes,
# FP64 tensor cores 32 products (ptxas issues DMMA.16x8x4 every 16 cycles), and integer units 16 lanes. An FP64
# instruction takes at least FP64_CYCLES, and a cycle for each operand that is not in the reuse cache: a pair of
# registers occupies both banks of the register file (Huerta et al. 2025).
FP64_CYCLES = 2
DMMA_CYCLES = {"16x8x4": 16, "16x8x8": 32, "16x8x16": 64, "8x8x4": 16}
ALU_CYCLES = 2
# Cycles of shared memory, which the schedulers of a multiprocessor share, per 4 bytes of a lane; and those of a 16-byte
# load, by which all lanes of the Legendre kernels read one address.
SHARED_CYCLES = 1
BROADCAST_CYCLES = 2
# Cycles until a result tracked by a scoreboard can be used, and (READ_LATENCY) until operands can be overwritten. Loads
# in loops are assumed to hit the first-level cache, because they read the same data as the previous pass.
LATENCY = {"shared": 29, "shuffle": 24, "global": 40, "convert": 20, "tensor": 34, "fp64": 16, "other": 20}
BARRIER_CYCLES = 20
READ_LATENCY = {"shared": 10, "shuffle": 10, "global": 20, "tensor": 12}


def resident_blocks(registers, shared, threads):
    """Blocks of a kernel on one multiprocessor. Registers are allocated per warp in units of 256 from its scheduler."""
    warps = (threads + 31) // 32
    of_warp = max(8, (registers + 7) // 8 * 8) * 32
    by_registers = SCHEDULERS * (REGISTERS // SCHEDULERS // of_warp) // warps
    by_shared = SHARED_BYTES // max(1, shared)
    return min(by_registers, by_shared, MOST_WARPS // warps, MOST_BLOCKS)


def pipe_of(one):
    """(pipe, its cycles) of an instruction. The pipe `shared` belongs to the multiprocessor, the others to a
    scheduler."""
    kind = one.kind
    if kind == "fp64":
        return "fp64", max(FP64_CYCLES, one.fetched)
    if kind == "tensor":
        shape = one.name.split(".")[1]
        return "fp64", DMMA_CYCLES[shape]
    if kind == "shared":
        return "shared", BROADCAST_CYCLES if one.base == "LDS" and one.width == 16 else SHARED_CYCLES * one.width // 4
    if kind == "shuffle":
        return "shared", SHARED_CYCLES
    if kind == "global":
        return "shared", SHARED_CYCLES * one.width // 4
    control = ("NOP", "BRA", "BAR", "BSYNC", "BSSY", "EXIT", "WARPSYNC")
    if kind == "fp32" or one.base.startswith("U") or one.base in control:
        return None, 0
    if one.base in ("IMAD", "MOV"):
        return "multiply", ALU_CYCLES
    return "alu", ALU_CYCLES


def pipe_cycles(code):
    """Cycles of each pipe and of instruction issue for code run by one warp on each scheduler."""
    cycles = {"issue": len(code)}
    for one in code:
        pipe, some = pipe_of(one)
        if pipe:
            cycles[pipe] = cycles.get(pipe, 0) + some * (SCHEDULERS if pipe == "shared" else 1)
    return cycles


class Warp:
    """Position of a warp in the code of a loop, and the time at which its next instruction can issue."""

    def __init__(self, start):
        self.at = 0
        self.ready = start
        self.boards = [0.0] * 6
        self.waits = False  # whether it waits at a barrier

    def meet(self, block, clock):
        """Arrives at a barrier of several warps, which continue when the last one has arrived."""
        self.waits = True
        self.ready = float("inf")
        if all(warp.waits for warp in block):
            for warp in block:
                warp.waits, warp.ready = False, clock + BARRIER_CYCLES

    def earliest(self, one, pipe, free):
        time = max(self.ready, free.get(pipe, 0.0))
        if one.wait:
            for i in range(6):
                if one.wait >> i & 1:
                    time = max(time, self.boards[i])
        return time

    def issue(self, one, clock):
        self.ready = clock + max(one.stall, 1)
        if one.write < 6:
            # A read over several cycles completes with its last word.
            words = one.width // 4 if one.kind == "shared" else 0
            self.boards[one.write] = max(self.boards[one.write], clock + LATENCY.get(one.kind, 20) + words)
        if one.read < 6:
            self.boards[one.read] = max(self.boards[one.read], clock + READ_LATENCY.get(one.kind, 10))


def cycles_of_loop(code, warps, together=1, rounds=16):
    """Cycles of a scheduler for one pass of a loop by each of its warps, in the steady state. One instruction per cycle
    is issued, in order: from the warp that issued last if it is ready, otherwise from the youngest ready warp (Huerta
    et al. 2025, Modern GPU cores). Stalls and scoreboards are those of the machine code, pipes are as above. Groups of
    `together` warps belong to one block and synchronise at its barriers. Different blocks start at different times."""
    if not code:
        return 0.0
    pipes = [pipe_of(one) for one in code]
    apart = cycles_of_loop(code, 1, 1, 2) / warps if warps > 1 else 0.0
    free = {}
    all_warps = [Warp(int(apart * (i // together * together))) for i in range(warps)]
    passes = [0] * warps
    ages = list(range(warps - 1, -1, -1))
    clock, turn, first = -1.0, 0, None
    while sum(passes) < warps * (rounds + 1):
        best, when = None, None
        for i in [turn] + ages:
            warp = all_warps[i]
            time = max(warp.earliest(code[warp.at], pipes[warp.at][0], free), clock + 1)
            if when is None or time < when:
                best, when = i, time
        clock, turn = when, best
        warp = all_warps[best]
        one = code[warp.at]
        warp.issue(one, clock)
        pipe, cycles = pipes[warp.at]
        if pipe:
            free[pipe] = clock + cycles
        if one.base == "BAR" and together > 1:
            warp.meet(all_warps[best // together * together :][:together], clock)
        warp.at = (warp.at + 1) % len(code)
        if warp.at == 0:
            passes[best] += 1
            if first is None and sum(passes) >= warps:
                first = (clock, sum(passes))
    return (clock - first[0]) / (sum(passes) - first[1])


def longest_path(kernel, loop, score, trips=None):
    """Code of one pass of a loop, or of a kernel, along the path with the highest score(code). An inner loop
    contributes its own best path trips(loop) times, or once without `trips`."""
    inner = {block: one for one in loop.inner for block in one.blocks}
    memo = {}

    def code_of(block):
        if block not in inner:
            return kernel.blocks[block]
        one = inner[block]
        times = trips(one) if trips else 1
        return longest_path(kernel, one, score, trips) * times if times else []

    def after(block):
        if block not in inner:
            return [b for b in kernel.next[block] if b in loop.blocks and b != loop.head]
        one = inner[block]
        exits = [b for some in one.blocks for b in kernel.next[some] if b not in one.blocks]
        return [b for b in dict.fromkeys(exits) if b in loop.blocks and b != loop.head]

    def ends(block):
        blocks = inner[block].blocks if block in inner else [block]
        return any(loop.head in kernel.next[b] or not kernel.next[b] for b in blocks)

    def best(block):
        key = inner[block].head if block in inner else block
        if key in memo:
            return memo[key]
        code = code_of(block)
        found = None
        for b in after(block):
            tail = best(b)
            if tail is not None and (found is None or tail[0] > found[0]):
                found = tail
        if found is None and not ends(block):
            memo[key] = None
            return None
        tail = found or (0.0, [])
        memo[key] = (score(code) + tail[0], code + tail[1])
        return memo[key]

    return best(loop.head)[1]


class Block:
    """A block. work: cycles of its warps on each scheduler if the first one runs on the first scheduler, followed by
    those of shared memory. least: cycles of its longest warp if nothing else runs on the multiprocessor."""

    __slots__ = ("work", "least", "warps")

    def __init__(self, work, least, warps=SCHEDULERS):
        self.work = work
        self.least = least
        self.warps = warps

    def starting_on(self, scheduler):
        """The block with its first warp on this scheduler."""
        if scheduler == 0:
            return self
        cut = SCHEDULERS - scheduler
        return Block(self.work[cut:SCHEDULERS] + self.work[:cut] + self.work[SCHEDULERS:], self.least, self.warps)


def launch_cycles(blocks, resident):
    """Cycles of a launch. Blocks start in order, each on the first multiprocessor that has room, which assigns their
    warps to its schedulers in turn. The blocks of a multiprocessor run at full speed if its units are fast enough,
    otherwise all are slowed down by the same factor."""
    queue = iter(blocks)
    running = [[] for _ in range(MULTIPROCESSORS)]  # [block, remaining fraction]
    clocks = [0.0] * MULTIPROCESSORS
    warps = [0] * MULTIPROCESSORS  # started so far

    def start(number, some):
        block = next(queue, None)
        if block:
            some.append([block.starting_on(warps[number] % SCHEDULERS), 1.0])
            warps[number] += block.warps

    for _ in range(resident):
        for number, some in enumerate(running):
            start(number, some)

    def next_end(number):
        """(time at which the next block finishes, slowdown) of a multiprocessor."""
        some = running[number]
        load = [sum(block.work[unit] / block.least for block, _ in some) for unit in range(SCHEDULERS + 1)]
        slow = max(1.0, max(load))
        return clocks[number] + slow * min(left * block.least for block, left in some), slow

    heap = []
    for number, some in enumerate(running):
        if some:
            heapq.heappush(heap, (next_end(number)[0], number))
    end = 0.0
    while heap:
        time, number = heapq.heappop(heap)
        some = running[number]
        slow = next_end(number)[1]
        passed = (time - clocks[number]) / slow
        for one in some:
            one[1] -= passed / one[0].least
        clocks[number] = end = time
        left = [one for one in some if one[1] > 1e-9]
        for _ in range(len(some) - len(left)):
            start(number, left)
        running[number] = left
        if left:
            heapq.heappush(heap, (next_end(number)[0], number))
    return end
