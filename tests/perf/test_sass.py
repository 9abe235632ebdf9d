"""perf/sass.py and perf/gpu_machine.py on a few lines of SASS."""

import os
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "perf"))

import gpu_machine as machine  # noqa: E402
import sass  # noqa: E402

# (text, cycles to the next one, scoreboard of the result, scoreboards that it waits for)
TILE_LOOP = [
    ("LDC R1, c[0x0][0x28]", 1, 7, 0),
    ("BAR.SYNC.DEFER_BLOCKING 0x0", 1, 7, 0),  # 0x10: head of the outer loop
    ("@!PT LDS RZ, [RZ]", 1, 7, 0),
    ("LDS.128 R4, [R2]", 2, 0, 0),  # 0x30: head of the inner loop
    ("DFMA R8, R4, R6, R8", 2, 7, 1),
    ("@P1 BRA 0x70", 2, 7, 0),
    ("DSETP.GT.AND P2, PT, |R8|, R4, PT", 2, 7, 0),
    ("DFMA R10, R4, R6, R10", 2, 7, 0),
    ("@P0 BRA 0x30", 5, 7, 0),
    ("SHFL.BFLY PT, R5, R5, 0x10, 0x1f", 1, 1, 0),
    ("BRA.DIV UR4, 0xd0", 1, 7, 0),
    ("@P3 BRA 0x10", 5, 7, 2),
    ("EXIT", 5, 7, 0),
    ("WARPSYNC.COLLECTIVE R5, 0xe0", 1, 7, 0),  # where lanes have parted: never reached in the model
    ("BRA 0xb0", 5, 7, 0),
]


def text_of(code, name="_Z4loopv"):
    lines = ["\t\tFunction : " + name]
    for i, (text, stall, write, wait) in enumerate(code):
        upper = (stall | 1 << 4 | write << 5 | 7 << 8 | wait << 11) << 41
        lines.append("        /*%04x*/                   %s ;     /* 0x%016x */" % (16 * i, text, 0))
        lines.append("                                          /* 0x%016x */" % upper)
    return "\n".join(lines)


@pytest.fixture
def kernel():
    (kernel,) = sass.parse(text_of(TILE_LOOP))
    return kernel


def test_reads_control_bits(kernel):
    load, product = kernel.instructions[3:5]
    assert (load.stall, load.write, load.wait) == (2, 0, 0)
    assert (product.write, product.read, product.wait) == (7, 7, 1)


def test_finds_nested_loops(kernel):
    loops = list(kernel.all_loops())
    assert [(loop.head, loop.depth) for loop in loops] == [(0x10, 1), (0x30, 2)]
    # The way of parted lanes is in no loop.
    assert 0xD0 not in kernel.reachable


def test_counts_by_kind(kernel):
    outer, inner = kernel.all_loops()
    counts = sass.Counts(kernel.code(inner))
    assert counts.issue == 6
    assert counts.kinds["fp64"] == 3
    assert counts.bytes["LDS.128"] == 1
    # A load that is predicated off issues, and loads nothing.
    own = sass.Counts(kernel.own_code(outer))
    assert own.issue == 5
    assert (own.kinds["shared"], own.kinds["shuffle"], own.kinds["barrier"]) == (0, 1, 1)


def test_finds_the_longest_and_the_shortest_way(kernel):
    outer, inner = kernel.all_loops()
    assert len(machine.longest_path(kernel, inner, len)) == 6
    assert len(machine.longest_path(kernel, inner, lambda code: -len(code))) == 5
    assert len(machine.longest_path(kernel, outer, len, lambda loop: 3)) == 5 + 3 * 6


def test_operands_in_the_reuse_cache_cost_nothing():
    (kernel,) = sass.parse(text_of([
        ("DFMA R8, R4, R6, R8", 2, 7, 0),
        ("DFMA R10, R4.reuse, -R6.reuse, R10", 2, 7, 0),
        ("DFMA R12, R4.reuse, R6, R12", 2, 7, 0),
        ("LDS.128 R20, [R2]", 2, 0, 0),
        ("DFMA R14, R4, |R6|, R14", 2, 7, 0),
        ("DMUL R16, R4, 0.5", 2, 7, 0),
        ("@P0 BRA 0x80", 5, 7, 0),
        ("DFMA R12, R16.reuse, R6, R12", 2, 7, 0),
        ("DFMA R18, R16, R6, R18", 2, 7, 0),
        ("EXIT", 5, 7, 0),
    ]))
    code = [one for one in kernel.instructions if one.kind == "fp64"]
    # The last one starts a basic block, in which the cache is empty.
    assert [one.fetched for one in code] == [3, 3, 1, 2, 1, 3, 3]
    assert [machine.pipe_of(one)[1] for one in code] == [3, 3, 2, 2, 2, 3, 3]


def test_wide_loads_of_one_address_take_two_cycles():
    (kernel,) = sass.parse(text_of([
        ("LDS.128 R4, [R2]", 2, 0, 0), ("LDS.64 R8, [R2]", 2, 0, 0), ("STS.128 [R2], R4", 2, 7, 0), ("EXIT", 5, 7, 0),
    ]))
    assert [machine.pipe_of(one)[1] for one in kernel.instructions[:3]] == [2, 2, 4]


def test_one_warp_waits_and_many_keep_the_pipe_busy():
    products = 8 * [("DFMA R8, R4.reuse, R6.reuse, R8", 2, 7, 1)]
    code = sass.parse(text_of([("LDS.64 R4, [R2]", 2, 0, 0), ("DFMA R8, R4.reuse, R6.reuse, R8", 2, 7, 1)] + products))
    code = code[0].instructions
    alone = machine.cycles_of_loop(code, 1)
    # Without operands in the cache, the first product takes a cycle more.
    assert alone == pytest.approx(machine.LATENCY["shared"] + 2 + 1 + 9 * 2)
    assert machine.cycles_of_loop(code, 8) == pytest.approx(1 + 9 * machine.FP64_CYCLES, rel=0.1)


def test_occupancy_follows_registers_shared_memory_and_warps():
    assert machine.resident_blocks(168, 1024, 128) == 3
    assert machine.resident_blocks(256, 1024, 256) == 1
    assert machine.resident_blocks(32, 57 * 1024, 128) == 4
    assert machine.resident_blocks(32, 1024, 1024) == 2


def test_a_launch_takes_as_long_as_its_work_or_its_longest_block():
    slots = machine.MULTIPROCESSORS
    light = machine.Block([10.0] * 4 + [0.0], 100.0)
    assert machine.launch_cycles([light] * (2 * slots), 2) == pytest.approx(100)
    assert machine.launch_cycles([light] * (2 * slots + 1), 2) == pytest.approx(200)
    heavy = machine.Block([100.0] * 4 + [0.0], 100.0)
    assert machine.launch_cycles([heavy] * (2 * slots), 2) == pytest.approx(200)
    # Blocks of one warp take the schedulers of a multiprocessor in turn.
    single = machine.Block([100.0, 0.0, 0.0, 0.0, 0.0], 100.0, 1)
    assert machine.launch_cycles([single] * (4 * slots), 4) == pytest.approx(100)
    assert machine.launch_cycles([single] * (8 * slots), 8) == pytest.approx(200)
