"""Rules by which measurements choose the Legendre kernels of jobs."""

import math
import statistics

DIRECTIONS = ("synthesis", "adjoint")
JOBS = "production"  # the variant of jobs
LEAST_GAIN = 0.01  # and more than the times of jobs drifted
ALIKE = 0.02  # times that differ by less are equal where another rule prefers one

# Names of perf_rates, in cycles.
ONE, THREE = "DFMA, one operand", "DFMA, three operands"
TILE, BESIDE = "DMMA, 16 rows", "DMMA of half of the warps, DFMA of the others"
LOAD = "16-byte load, one address"


def beside(rates):
    """Cycles of tiles and fused multiply-adds at once, as a fraction of their sum: half of the warps do 4 tiles while
    the others do 32 fused multiply-adds, and all count as 4 instructions per warp."""
    return rates[BESIDE] / (rates[TILE] / 2 + 4 * rates[ONE])


# (what, its value from the rates, limit, whether it is at least the limit or less, consequence if so, else)
RULES = [
    (
        "cycles of a DFMA with three operands that are not in the reuse cache",
        lambda rates: rates[THREE], 2.8, "at least",
        "operands limit FP64, as perf/gpu_machine.py assumes",
        "operands do not limit FP64: change fp64_cycles of perf/gpu_machine.py",
    ),
    (
        "cycles of a 16-byte load from shared memory with one address",
        lambda rates: rates[LOAD], 3.5, "at least",
        "of equal variants, that with more pairs per thread is chosen",
        "loads leave the number of pairs per thread to the times",
    ),
    (
        "DMMA beside DFMA of other warps, fraction of the sum of both times",
        beside, 0.7, "less than",
        "products are to be split between tensor cores and FP64 units",
        "tensor cores and FP64 units share a pipe: no kernel for both",
    ),
]


def findings(rates):
    """The rules on rates: [{what, value, limit, holds, consequence}]; none without rates."""
    found = []
    for what, value_of, limit, relation, consequence, otherwise in RULES:
        try:
            value = value_of(rates)
        except KeyError:
            continue
        holds = value >= limit if relation == "at least" else value < limit
        found.append({
            "what": what,
            "value": float("%.3g" % value),
            "limit": "%s %g" % (relation, limit),
            "holds": holds,
            "consequence": consequence if holds else otherwise,
        })
    return found


def choices_of(text):
    """{kernel: {choice: value}} of a text such as "adjoint.steps=64,adjoint.pairs=4"; empty for "-"."""
    result = {}
    for word in text.split(",") if text != "-" else []:
        name, value = word.split("=")
        kernel, choice = name.split(".")
        result.setdefault(kernel, {})[choice] = int(value) if value.isdigit() else value
    return result


def drift(times):
    """The largest spread of the times of jobs, relative to the least."""
    spreads = [max(some) / min(some) - 1 for case in times.values() for some in case.get(JOBS, {}).values()]
    return max(spreads, default=0.0)


def scores(times, names, direction):
    """({variant: geometric mean of its times relative to those of jobs}, cases), over the cases that all of them
    have."""
    has = {
        case: {name for name in names if some.get(name, {}).get(direction)}
        for case, some in times.items() if some.get(JOBS, {}).get(direction)
    }
    measured = set().union(*has.values()) if has else set()
    cases = [case for case in has if measured and has[case] == measured]

    def ratio(case, name):
        return statistics.median(times[case][name][direction]) / statistics.median(times[case][JOBS][direction])

    return {
        name: math.exp(statistics.mean(math.log(ratio(case, name)) for case in cases)) for name in measured if cases
    }, cases


def choose(direction, variants, times, broken, many_pairs):
    """{chosen, score, cases, why, fastest} of one direction. variants: {name: choices}; only those that tuning.json can
    select, and that are not broken, are candidates. fastest: of those that it cannot select."""
    sound = [name for name in variants if name != JOBS and name not in broken]
    others = scores(times, [name for name in sound if not variants[name]], direction)[0]
    some, cases = scores(times, [name for name in sound if list(variants[name]) == [direction]], direction)
    least_gain = max(LEAST_GAIN, drift(times))
    result = {"chosen": JOBS, "score": 1.0, "cases": cases, "least_gain": float("%.3g" % least_gain)}
    if others:
        name = min(others, key=others.get)
        result["fastest"] = {"variant": name, "score": float("%.4g" % others[name])}
    if not some:
        return {**result, "why": "no other variant was measured"}
    best = min(some, key=some.get)
    if some[best] > 1 - least_gain:
        return {**result, "why": "%s, the fastest other one, takes %.3f of its time" % (best, some[best])}
    why = "takes %.3f of the time of jobs" % some[best]
    if many_pairs:
        of_jobs = variants[JOBS][direction]["pairs"]
        alike = [name for name in some if some[name] <= some[best] + ALIKE and some[name] <= 1 - least_gain]
        most = max(alike, key=lambda name: (variants[name][direction].get("pairs", of_jobs), -some[name]))
        if most != best:
            why = "takes %.3f of the time of jobs, %s %.3f with fewer pairs" % (some[most], best, some[best])
            best = most
    return {**result, "chosen": best, "score": float("%.4g" % some[best]), "why": why}


def decide(variants, times, counted, broken, rates):
    """The content of tuning.json: the choices of jobs with those of the best variants, and in "measured" why. counted:
    the cases by whose times variants are chosen."""
    found = findings(rates)
    many_pairs = any(one["what"] == RULES[1][0] and one["holds"] for one in found)
    tuning = {kernel: dict(some) for kernel, some in variants[JOBS].items()}
    decisions = {}
    for direction in DIRECTIONS:
        some = {case: times[case] for case in times if case in counted}
        decisions[direction] = choose(direction, variants, some, broken, many_pairs)
        tuning[direction].update(variants[decisions[direction]["chosen"]].get(direction, {}))
    tuning["measured"] = {"decisions": decisions, "rules": found, "excluded": broken, "times_ms": times}
    tuning["measured"]["cycles"] = rates
    return tuning


def best_variant(tuning):
    """What --variant of perf_device takes for the chosen kernels of both directions."""
    chosen = [one["chosen"] for one in tuning["measured"]["decisions"].values()]
    return "+".join([JOBS] + [name for name in chosen if name != JOBS])


def lines_of(tuning):
    """For the summary."""
    measured = tuning["measured"]
    lines = []
    for direction, one in measured["decisions"].items():
        lines.append("%s: %s, %s" % (direction, one["chosen"], one["why"]))
        fastest = one.get("fastest")
        if fastest and fastest["score"] < one["score"]:
            text = "%s: %s takes %.3f of the time of jobs; tuning.json cannot select it"
            lines.append(text % (direction, fastest["variant"], fastest["score"]))
    for one in measured["rules"]:
        lines.append("%(what)s: %(value)g (%(limit)s: %(holds)s): %(consequence)s" % one)
    return lines + ["excluded: %s, %s" % item for item in measured["excluded"].items()]
