"""A model of one GPU of compute capability 9.0: how long code takes on a scheduler of warps, and a launch on all
multiprocessors. Nothing in it is measured: rates are those that NVIDIA states, latencies those that others report."""

import heapq

MULTIPROCESSORS = 132
SCHEDULERS = 4
REGISTERS = 65536
SHARED_BYTES = 228 * 1024
RESERVED_BYTES = 1024  # of shared memory, for each block
MOST_WARPS = 64
MOST_BLOCKS = 32

# Cycles for which an instruction of a warp keeps a pipe of its scheduler busy: FP64 units do 16 lanes in a cycle, FP64
# tensor cores 32 products (ptxas spaces DMMA.16x8x4 by 16 cycles), integer units 16 lanes.
FP64_CYCLES = 2
DMMA_CYCLES = {"16x8x4": 16, "16x8x8": 32, "16x8x16": 64, "8x8x4": 16}
ALU_CYCLES = 2
# Of the multiprocessor's shared memory, which its schedulers share, for each 4 bytes of a lane: also where all lanes
# read one place, since the registers of all lanes are written.
SHARED_CYCLES = 1
# Until a result may be used that only a scoreboard announces, and until operands may be overwritten. Loads of loops
# are taken to hit the first-level cache: they read what the pass before has read.
LATENCY = {"shared": 29, "shuffle": 24, "global": 40, "convert": 20, "tensor": 34, "fp64": 16, "other": 20}
BARRIER_CYCLES = 20
READ_LATENCY = {"shared": 10, "shuffle": 10, "global": 20, "tensor": 12}


def resident_blocks(registers, shared, threads):
    """Blocks of a kernel on one multiprocessor. Registers are given to warps by 256 from their scheduler's share."""
    warps = (threads + 31) // 32
    of_warp = max(8, (registers + 7) // 8 * 8) * 32
    by_registers = SCHEDULERS * (REGISTERS // SCHEDULERS // of_warp) // warps
    by_shared = SHARED_BYTES // max(1, shared)
    return min(by_registers, by_shared, MOST_WARPS // warps, MOST_BLOCKS)


def pipe_of(one):
    """(pipe, its cycles) of an instruction; the pipe `shared` is of the multiprocessor, the others of a scheduler."""
    kind = one.kind
    if kind == "fp64":
        return "fp64", FP64_CYCLES
    if kind == "tensor":
        shape = one.name.split(".")[1]
        return "fp64", DMMA_CYCLES[shape]
    if kind == "shared":
        return "shared", SHARED_CYCLES * one.width // 4
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
    """Cycles that each pipe, and the issue of instructions, needs for some code of one warp on each scheduler."""
    cycles = {"issue": len(code)}
    for one in code:
        pipe, some = pipe_of(one)
        if pipe:
            cycles[pipe] = cycles.get(pipe, 0) + some * (SCHEDULERS if pipe == "shared" else 1)
    return cycles


class Warp:
    """Where a warp is in the code of a loop, and when its next instruction may issue."""

    def __init__(self, start):
        self.at = 0
        self.ready = start
        self.boards = [0.0] * 6
        self.waits = False  # at a barrier

    def meet(self, block, clock):
        """Comes to a barrier of some warps, which go on when the last one is there."""
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
            # A read over several cycles arrives with its last word.
            words = one.width // 4 if one.kind == "shared" else 0
            self.boards[one.write] = max(self.boards[one.write], clock + LATENCY.get(one.kind, 20) + words)
        if one.read < 6:
            self.boards[one.read] = max(self.boards[one.read], clock + READ_LATENCY.get(one.kind, 10))


def cycles_of_loop(code, warps, together=1, rounds=16):
    """Cycles of a scheduler for one pass of a loop by each of its warps, in the steady state. Issue is in order, one
    instruction in a cycle, of the warp of the last one if it is ready, else of the youngest (Huerta et al. 2025, Modern
    GPU cores). Stalls and scoreboards are those of the machine code, pipes are as above. Each `together` of the warps
    are of one block and meet at its barriers; those of different blocks start apart from each other."""
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
    """Code of one pass of a loop, or of a kernel, on the way of highest score(code); a loop inside it counts with its
    own such way, trips(loop) times, once without `trips`."""
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
    """A block: cycles of its warps on each scheduler and, behind these, of shared memory; and those that its longest
    warp takes with nothing else on the multiprocessor."""

    __slots__ = ("work", "least")

    def __init__(self, work, least):
        self.work = work
        self.least = least


def launch_cycles(blocks, resident):
    """Cycles of a launch. Blocks start in their order, each on the multiprocessor that has room first. Those of a
    multiprocessor go on at their own pace where its units are fast enough, else all are slowed down alike."""
    queue = iter(blocks)
    running = [[] for _ in range(MULTIPROCESSORS)]  # [block, part that is left]
    clocks = [0.0] * MULTIPROCESSORS
    for _ in range(resident):
        for some in running:
            block = next(queue, None)
            if block:
                some.append([block, 1.0])

    def next_end(number):
        """(time of the next end, slowing) of a multiprocessor."""
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
            block = next(queue, None)
            if block:
                left.append([block, 1.0])
        running[number] = left
        if left:
            heapq.heappush(heap, (next_end(number)[0], number))
    return end
