"""Parses the machine code of GPU kernels (SASS) as printed by cuobjdump: instructions with their control bits, control
flow, and loops."""

import collections
import re
import subprocess

KINDS = ("fp64", "tensor", "fp32", "shared", "shuffle", "global", "barrier", "convert", "other")

INSTRUCTION = re.compile(r"^\s+/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;?\s+/\* 0x([0-9a-f]{16}) \*/")
UPPER_WORD = re.compile(r"^\s+/\* 0x([0-9a-f]{16}) \*/")
FUNCTION = re.compile(r"^\s*Function : (\S+)")
TARGET = re.compile(r"(?:^|[ ,`(])0x([0-9a-f]+)\)?$")
REGISTER = re.compile(r"^ *[-!~]?\|?(R\d+)(\.reuse)?")
USAGE = re.compile(r"REG:(\d+) STACK:(\d+) SHARED:(\d+) LOCAL:(\d+)")
KIND_OF = {
    "fp64": ("DFMA", "DMUL", "DADD", "DSETP", "DMNMX"),
    "tensor": ("DMMA", "HMMA", "IMMA"),
    "fp32": ("FFMA", "FMUL", "FADD"),
    "shared": ("LDS", "STS", "LDSM", "ATOMS"),
    "shuffle": ("SHFL",),
    "global": ("LDG", "STG", "LDGSTS", "LD", "ST", "ATOMG", "RED"),
    "barrier": ("BAR",),
    "convert": ("F2F", "F2I", "I2F", "I2FP", "MUFU"),
}
KIND = {name: kind for kind, names in KIND_OF.items() for name in names}


class Instruction:
    """One instruction and the control bits of its encoding: the cycles until the next instruction can issue, the
    scoreboards released by its result and its operands (7: none), and those it waits for. `fetched`: how many of its
    register operands are not in the reuse cache, for FP64 instructions."""

    __slots__ = ("address", "text", "guard", "name", "stall", "write", "read", "wait", "fetched")

    def __init__(self, address, text):
        self.address = address
        found = re.match(r"@(!?U?P\w+) +(.*)", text)
        self.guard = found.group(1) if found else None
        self.text = found.group(2) if found else text
        self.name = self.text.split()[0] if self.text else "NOP"
        self.stall, self.write, self.read, self.wait = 1, 7, 7, 0
        self.fetched = 0

    def set_control(self, upper):
        bits = upper >> 41
        self.stall, self.write, self.read, self.wait = bits & 15, bits >> 5 & 7, bits >> 8 & 7, bits >> 11 & 63

    @property
    def base(self):
        return self.name.split(".")[0]

    @property
    def kind(self):
        # Instructions that are predicated off, such as those before asynchronous copies, issue without effect.
        return "other" if self.guard == "!PT" else KIND.get(self.base, "other")

    @property
    def width(self):
        """Bytes per lane moved by a load or store of shared memory."""
        return 16 if ".128" in self.name else 8 if ".64" in self.name else 4

    @property
    def target(self):
        found = TARGET.search(self.text)
        return int(found.group(1), 16) if found else None


def count_fetches(code):
    """Sets `fetched` of the FP64 instructions of a basic block. A register marked .reuse stays in the cache of its
    operand position until the next FP64 instruction, which takes it from there; the cache is empty at the start."""
    cache = {}
    for one in code:
        if one.kind != "fp64":
            continue
        registers = {}
        for position, operand in enumerate(one.text.split(",")[1:]):
            found = REGISTER.match(operand)
            if found:
                registers[position] = found.group(1, 2)
        one.fetched = sum(cache.get(position) != name for position, (name, _) in registers.items())
        cache = {position: name for position, (name, reuse) in registers.items() if reuse}


class Counts:
    """Instructions of a section of code by kind; loads and stores of shared memory by width."""

    def __init__(self, instructions=()):
        self.kinds = collections.Counter()
        self.names = collections.Counter()
        self.bytes = collections.Counter()
        for one in instructions:
            self.kinds[one.kind] += 1
            self.names[one.base] += 1
            if one.kind == "shared":
                self.bytes[one.base + "." + str(8 * one.width)] += 1

    @property
    def issue(self):
        return sum(self.kinds.values())

    def __iadd__(self, other):
        self.kinds.update(other.kinds)
        self.names.update(other.names)
        self.bytes.update(other.bytes)
        return self

    def as_dict(self):
        counts = {kind: self.kinds[kind] for kind in KINDS if self.kinds[kind]}
        return {"issue": self.issue, **counts, "shared_by_width": dict(self.bytes), "names": dict(self.names)}


class Loop:
    """A natural loop: its first address, its basic blocks, and the loops directly inside it."""

    def __init__(self, head, blocks):
        self.head = head
        self.blocks = blocks
        self.inner = []
        self.depth = 1


class Kernel:
    """One kernel: instructions in order, basic blocks (first address -> instructions), loops, resources."""

    def __init__(self, symbol):
        self.symbol = symbol
        self.name = symbol
        self.instructions = []
        self.registers = self.shared = self.stack = self.threads = 0

    def analyse(self):
        self._make_blocks()
        self._make_loops()
        for code in self.blocks.values():
            count_fetches(code)

    def _make_blocks(self):
        code = self.instructions
        heads = {code[0].address}
        sync = {}
        for i, one in enumerate(code):
            if one.base == "BSSY":
                sync[one.text.split()[1].rstrip(",")] = one.target
            if one.base in ("BRA", "EXIT", "RET", "BSYNC", "BRX", "CALL"):
                if one.base == "BRA" and one.target is not None and not one.name.startswith("BRA.DIV"):
                    heads.add(one.target)
                if i + 1 < len(code):
                    heads.add(code[i + 1].address)
            if one.base == "BSSY" and one.target is not None:
                heads.add(one.target)
        self.blocks = {}
        self.next = {}
        barrier = {}
        for i, one in enumerate(code):
            if one.address in heads:
                head = one.address
                self.blocks[head] = []
            self.blocks[head].append(one)
            if one.base == "BSSY":
                barrier[one.text.split()[1].rstrip(",")] = one.target
            last = i + 1 == len(code) or code[i + 1].address in heads
            if last:
                self.next[head] = self._successors(code, i, barrier)

    @staticmethod
    def _successors(code, i, barrier):
        one = code[i]
        after = [code[i + 1].address] if i + 1 < len(code) else []
        if one.base in ("EXIT", "RET") and one.guard is None:
            return []
        if one.base == "BRA" and one.target is not None and not one.name.startswith("BRA.DIV"):
            # The branch for diverged warps (BRA.DIV) is assumed never to be taken.
            return [one.target] + (after if one.guard or ", " in one.text.split(" ", 1)[1] else [])
        if one.base == "BSYNC":
            target = barrier.get(one.text.split()[1])
            return after if target in (None, one.address) else [target]
        return after

    def _make_loops(self):
        order, parents = self._reachable()
        dominators = self._dominators(order, parents)
        bodies = {}
        for block in order:
            for head in self.next[block]:
                if head in dominators[block]:
                    body = bodies.setdefault(head, {head})
                    todo = [block]
                    while todo:
                        one = todo.pop()
                        if one not in body:
                            body.add(one)
                            todo += parents[one]
        loops = [Loop(head, body) for head, body in bodies.items() if any(self.next[b] != [head] for b in body)]
        loops.sort(key=lambda loop: len(loop.blocks))
        self.loops = []
        for i, loop in enumerate(loops):
            outer = next((o for o in loops[i + 1 :] if loop.head in o.blocks), None)
            (outer.inner if outer else self.loops).append(loop)
        self.reachable = set(order)

        def set_depth(some, depth):
            for loop in some:
                loop.depth = depth
                set_depth(loop.inner, depth + 1)

        set_depth(self.loops, 1)

    def _reachable(self):
        first = self.instructions[0].address
        seen, order, parents = {first}, [first], collections.defaultdict(list)
        for block in order:
            for after in self.next[block]:
                parents[after].append(block)
                if after not in seen:
                    seen.add(after)
                    order.append(after)
        return order, parents

    @staticmethod
    def _dominators(order, parents):
        everything = set(order)
        dominators = {block: everything for block in order}
        dominators[order[0]] = {order[0]}
        changed = True
        while changed:
            changed = False
            for block in order[1:]:
                new = set.intersection(*(dominators[p] for p in parents[block])) | {block}
                if new != dominators[block]:
                    dominators[block] = new
                    changed = True
        return dominators

    def all_loops(self):
        """All loops, each before its inner loops."""
        todo = sorted(self.loops, key=lambda loop: loop.head)
        while todo:
            loop = todo.pop(0)
            yield loop
            todo = sorted(loop.inner, key=lambda inner: inner.head) + todo

    def code(self, loop):
        """All instructions of a loop in address order."""
        return [one for head in sorted(loop.blocks) for one in self.blocks[head]]

    def own_code(self, loop):
        """The instructions of a loop that are not in its inner loops."""
        inside = set().union(*(inner.blocks for inner in loop.inner)) if loop.inner else set()
        return [one for head in sorted(loop.blocks - inside) for one in self.blocks[head]]

    def whole(self):
        """The whole kernel as a loop."""
        loop = Loop(self.instructions[0].address, self.reachable)
        loop.inner = self.loops
        loop.depth = 0
        return loop


def parse(text):
    """Kernels in the output of `cuobjdump -sass`."""
    kernels = []
    for line in text.split("\n"):
        found = FUNCTION.match(line)
        if found:
            kernels.append(Kernel(found.group(1)))
            continue
        if not kernels:
            continue
        code = kernels[-1].instructions
        found = INSTRUCTION.match(line)
        if found:
            code.append(Instruction(int(found.group(1), 16), found.group(2)))
            continue
        found = UPPER_WORD.match(line)
        if found and code:
            code[-1].set_control(int(found.group(1), 16))
    kernels = [kernel for kernel in kernels if kernel.instructions]
    for kernel in kernels:
        kernel.analyse()
    return kernels


def output_of(*command, text=None):
    return subprocess.run(command, input=text, check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout


def read_kernels(cuobjdump, path, architecture):
    """Kernels of a library or object file, with registers, shared and local memory, and threads per block."""
    kernels = parse(output_of(cuobjdump, "-arch", architecture, "-sass", path))
    by_symbol = {kernel.symbol: kernel for kernel in kernels}
    kernel = None
    for line in output_of(cuobjdump, "-arch", architecture, "-res-usage", path).split("\n"):
        found = re.match(r"^\s*Function (\S+):$", line)
        if found:
            kernel = by_symbol.get(found.group(1))
        found = USAGE.search(line)
        if found and kernel:
            kernel.registers, kernel.stack, kernel.shared = (int(found.group(i)) for i in (1, 2, 3))
    kernel, attribute = None, ""
    for line in output_of(cuobjdump, "-arch", architecture, "-elf", path).split("\n"):
        if line.startswith("."):
            kernel = by_symbol.get(line[len(".nv.info.") :]) if line.startswith(".nv.info.") else None
        elif "Attribute:" in line:
            attribute = line.split()[-1]
        elif kernel and attribute == "EIATTR_MAX_THREADS" and "Value:" in line:
            sizes = [int(word, 16) for word in line.split()[1:4]]
            kernel.threads = sizes[0] * sizes[1] * sizes[2]
    names = output_of("c++filt", text="\n".join(by_symbol)).split("\n")
    for symbol, name in zip(by_symbol, names):
        by_symbol[symbol].name = short_name(name)
    return kernels


def short_name(name):
    """The name without namespaces, arguments and return type."""
    name = name.replace("armilla::kernels::", "").replace("(anonymous namespace)::", "")
    name = re.sub(r"\((?:int|unsigned int|bool|RecurrenceForm)\)", "", name)
    name = name.replace("void ", "", 1)
    depth = 0
    for i, letter in enumerate(name):
        depth += {"<": 1, ">": -1}.get(letter, 0)
        if letter == "(" and depth == 0:
            return name[:i]
    return name
