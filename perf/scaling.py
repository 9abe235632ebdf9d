#!/usr/bin/env python3
"""Collects the points of scaling studies, fits the cost model to the measured points, and plots them.

  scaling.py POINTS.json... [--out FOLDER] [--name PREFIX] [--table]

POINTS.json are files written by `armilla bench --scaling strong|weak --report FILE`, one for each number of ranks, or
by `--predict 1,2,4,...,16384`, which predicts points without running on a cluster. Measured points are drawn filled,
predicted points open. With --out, writes PREFIX_time.svg (time, efficiency), PREFIX_phases.svg (phases, model against
measurement), PREFIX_balance.svg (imbalance, bytes) and, if any point is measured, PREFIX_roofline.svg. --out needs
matplotlib.

In the model, the time of a phase is its work on the slowest rank divided by a rate. The time of an all-to-all is alpha
per partner plus its bytes divided by beta (Szydlarski et al. 2013, eq. 17). The rates of the Legendre stage and the
rings, alpha and beta are fitted by non-negative least squares of the relative errors."""

import argparse
import json
import pathlib
import sys

PHASES = ("legendre", "exchange", "rings")


class Refusal(Exception):
    """An error of the user, which is told in a sentence."""


def load(files):
    """Points of all files. Of duplicates, the last one is kept."""
    points = {}
    for file in files:
        try:
            content = json.loads(pathlib.Path(file).read_text())
            for point in content if isinstance(content, list) else [content]:
                key = (study_of(point), point["ranks"], point["threads"], point["measured"])
                points[key] = point
        except OSError as error:
            raise Refusal(f"{file} cannot be read: {error.strerror}") from error
        except (KeyError, TypeError, ValueError) as error:
            raise Refusal(f"{file} has no points of a study: write it with armilla bench --scaling --report {file}") from error
    return [points[key] for key in sorted(points)]


def study_of(point):
    """Key of the study of a point: the parameters that are constant in a study. Weak studies omit grid and lmax."""
    case = (point["spin"], point["direction"], point["maps"], point["precision"])
    return (point["study"], *case) if point["study"] == "weak" else (point["study"], point["grid"], point["lmax"], *case)


def seconds_of(point):
    return point["wall"]["median"] if point["measured"] else point["predicted"]["seconds"]


def phases_of(point):
    """Seconds of each phase on the slowest rank."""
    if point["measured"]:
        return {phase: point["ranks_phases"][phase]["max"] for phase in PHASES}
    return {phase: point["predicted"]["phases"].get(phase, 0.0) for phase in PHASES}


def largest(point, phase):
    """Work of the slowest rank in a phase."""
    total = point["legendre_fma"] if phase == "legendre" else point["ring_work"] * point["maps"] * (2 if point["spin"] else 1)
    return total * point["imbalance"][phase] / point["ranks"]


def least_relative(columns, values):
    """Coefficients x >= 0 that minimise sum (columns x / values - 1)^2, by removing columns with negative x."""
    used = list(range(len(columns)))
    while used:
        scaled = [[columns[c][i] / values[i] for c in used] for i in range(len(values))]
        matrix = [[sum(row[a] * row[b] for row in scaled) for b in range(len(used))] for a in range(len(used))]
        right = [sum(row[a] for row in scaled) for a in range(len(used))]
        solution = solve(matrix, right)
        if solution is None or min(solution) >= 0:
            break
        used.pop(solution.index(min(solution)))
    result = [0.0] * len(columns)
    if used and solution is not None:
        for c, x in zip(used, solution):
            result[c] = x
    return result


def solve(matrix, right):
    """Gaussian elimination with pivoting. Returns None if the matrix is singular."""
    size = len(right)
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(rows[k][i]))
        if rows[pivot][i] == 0:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(i + 1, size):
            factor = rows[k][i] / rows[i][i]
            rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i])]
    solution = [0.0] * size
    for i in reversed(range(size)):
        solution[i] = (rows[i][size] - sum(rows[i][k] * solution[k] for k in range(i + 1, size))) / rows[i][i]
    return solution


def fit(points):
    """{legendre, rings: units per second and thread; alpha: seconds per partner; beta: bytes per second and rank}, with
    the largest relative difference of each phase. None if no point is measured."""
    measured = [point for point in points if point["measured"]]
    if not measured:
        return None
    model = {"points": len(measured), "difference": {}}
    for phase in ("legendre", "rings"):
        values = [phases_of(point)[phase] for point in measured]
        columns = [[largest(point, phase) / point["threads"] for point in measured]]
        (inverse,) = least_relative(columns, values)
        model[phase] = 1 / inverse if inverse > 0 else float("inf")
        model["difference"][phase] = max(abs(c * inverse / v - 1) for c, v in zip(columns[0], values))
    several = [point for point in measured if point["ranks"] > 1]
    model["alpha"], model["beta"] = 0.0, float("inf")
    if several:
        values = [phases_of(point)["exchange"] for point in several]
        columns = [[float(point["exchange"]["partners"]) for point in several],
                   [point["exchange"]["largest_rank_bytes"] for point in several]]
        alpha, inverse = least_relative(columns, values)
        model["alpha"], model["beta"] = alpha, 1 / inverse if inverse > 0 else float("inf")
        model["difference"]["exchange"] = max(
            abs((a * alpha + b * inverse) / v - 1) for a, b, v in zip(*columns, values))
    return model


def modelled(point, model):
    """Seconds of the phases according to a fitted model."""
    exchange = point["exchange"]
    return {"legendre": largest(point, "legendre") / point["threads"] / model["legendre"],
            "exchange": exchange["partners"] * model["alpha"] + exchange["largest_rank_bytes"] / model["beta"],
            "rings": largest(point, "rings") / point["threads"] / model["rings"]}


def efficiency(points, point):
    """Parallel efficiency relative to the point with the fewest ranks of the same kind, measured or predicted. The rate
    is work over time and cores. In a strong study the work is constant. In a weak study it is the Legendre work, which
    grows with the number of ranks to within rounding."""
    base = min((other for other in points if other["measured"] == point["measured"]), key=lambda other: other["ranks"])

    def rate(one):
        work = one["legendre_fma"] if one["study"] == "weak" else 1.0
        return work / (seconds_of(one) * one["ranks"] * one["threads"])

    return rate(point) / rate(base)


def table(points):
    """A table in Markdown."""
    rows = ["| ranks x threads | nodes | lmax | | time [s] | efficiency | Legendre, exchange, rings [s] | imbalance of "
            "Legendre, rings | sent by all ranks | most between two ranks | model / measured |",
            "|---|---|---|---|---|---|---|---|---|---|---|"]
    for point in points:
        phases = phases_of(point)
        ratio = f"{point['predicted']['seconds'] / seconds_of(point):.2f}" if point["measured"] else ""
        rows.append("| {} x {} | {} | {} | {} | {:.3g} | {:.0f}% | {} | {:.1f}%, {:.1f}% | {} | {} | {} |".format(
            point["ranks"], point["threads"], point["nodes"], point["lmax"],
            "measured" if point["measured"] else "predicted", seconds_of(point), 100 * efficiency(points, point),
            ", ".join(f"{phases[phase]:.3g}" for phase in PHASES), 100 * (point["imbalance"]["legendre"] - 1),
            100 * (point["imbalance"]["rings"] - 1), bytes_text(point["exchange"]["total_bytes"]),
            bytes_text(point["exchange"]["largest_pair_bytes"]), ratio))
    return "\n".join(rows)


def bytes_text(count):
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024:
            return f"{count:.3g} {unit}"
        count /= 1024
    return f"{count:.3g} TiB"


def title_of(study):
    if study[0] == "weak":
        return f"weak scaling, spin {study[1]}, {study[2]}"
    return f"{study[1]}, lmax {study[2]}, spin {study[3]}, {study[4]}"


def load_plotting():
    try:
        import matplotlib
    except ImportError as error:
        raise Refusal(f"--out needs matplotlib ({error}): install it, for example with python3 -m pip install matplotlib, or "
                      "leave out --out") from error
    matplotlib.use("Agg")
    matplotlib.rcParams.update({"font.size": 8, "svg.fonttype": "none", "svg.hashsalt": "armilla"})
    import matplotlib.pyplot
    return matplotlib.pyplot


def draw(plot, studies, folder, name):

    def panel(axis, xlabel, ylabel, title):
        axis.set_xlabel(xlabel)
        axis.set_ylabel(ylabel)
        axis.set_title(title)
        axis.grid(alpha=0.3)

    def save(figure, what):
        figure.tight_layout()
        figure.savefig(folder / f"{name}_{what}.svg", metadata={"Date": None})
        plot.close(figure)

    def series(points, measured):
        return [point for point in points if point["measured"] == measured]

    styles = [(True, "o-", "measured"), (False, "o--", "predicted")]
    figure, (times, share) = plot.subplots(1, 2, figsize=(8, 3.4))
    for number, (study, points) in enumerate(studies.items()):
        for measured, line, word in styles:
            chosen = series(points, measured)
            if not chosen:
                continue
            ranks = [point["ranks"] for point in chosen]
            style = {"color": f"C{number}", "markersize": 4, "mfc": f"C{number}" if measured else "none"}
            times.loglog(ranks, [seconds_of(point) for point in chosen], line, label=f"{title_of(study)}: {word}", **style)
            share.semilogx(ranks, [100 * efficiency(points, point) for point in chosen], line, **style)
    panel(times, "ranks", "seconds per transform", "time")
    panel(share, "ranks", "parallel efficiency [%]", "efficiency")
    share.set_ylim(0, 110)
    times.legend(fontsize=6)
    save(figure, "time")

    figure, axes = plot.subplots(1, 2, figsize=(8, 3.4))
    for number, (study, points) in enumerate(studies.items()):
        for index, phase in enumerate(PHASES):
            for measured, line, word in styles:
                chosen = [point for point in series(points, measured) if phases_of(point)[phase] > 0]
                if chosen and number == 0:
                    axes[0].loglog([point["ranks"] for point in chosen], [phases_of(point)[phase] for point in chosen], line,
                                   color=f"C{index}", markersize=4, mfc=f"C{index}" if measured else "none",
                                   label=f"{phase}: {word}")
        chosen = series(points, True)
        if chosen:
            axes[1].plot([seconds_of(point) for point in chosen], [point["predicted"]["seconds"] for point in chosen], "o",
                         color=f"C{number}", label=title_of(study))
    panel(axes[0], "ranks", "seconds of the slowest rank", "phases: " + title_of(next(iter(studies))))
    axes[0].legend(fontsize=6)
    limits = [seconds_of(point) for points in studies.values() for point in series(points, True)]
    if limits:
        ends = [0.8 * min(limits), 1.25 * max(limits)]
        axes[1].plot(ends, ends, "k-", linewidth=0.6)
        axes[1].fill_between(ends, [0.75 * end for end in ends], [1.25 * end for end in ends], color="k", alpha=0.1,
                             label="within 25%")
        axes[1].set_xscale("log")
        axes[1].set_yscale("log")
        axes[1].legend(fontsize=6)
    panel(axes[1], "measured [s]", "predicted [s]", "model against measurement")
    save(figure, "phases")

    figure, axes = plot.subplots(1, 2, figsize=(8, 3.4))
    for number, (study, points) in enumerate(studies.items()):
        chosen = series(points, False) or series(points, True)
        ranks = [point["ranks"] for point in chosen]
        for phase, line in (("legendre", "-"), ("rings", "--")):
            axes[0].loglog(ranks, [max(100 * (point["imbalance"][phase] - 1), 1e-3) for point in chosen], line,
                           color=f"C{number}", label=f"{title_of(study)}: {phase}")
        several = [point for point in chosen if point["ranks"] > 1]
        axes[1].loglog([point["ranks"] for point in several],
                       [point["exchange"]["total_bytes"] for point in several], "-", color=f"C{number}",
                       label=f"{title_of(study)}: all")
        axes[1].loglog([point["ranks"] for point in several],
                       [point["exchange"]["largest_pair_bytes"] for point in several], ":", color=f"C{number}",
                       label="from one rank to another")
    panel(axes[0], "ranks", "busiest rank above the mean [%]", "imbalance, computed")
    panel(axes[1], "ranks", "bytes", "one exchange, computed")
    axes[0].legend(fontsize=5)
    axes[1].legend(fontsize=5)
    save(figure, "balance")
    measured = [point for points in studies.values() for point in series(points, True) if point.get("fma_peak")]
    if measured:
        draw_roofline(plot, panel, save, measured)


def draw_roofline(plot, panel, save, measured):
    """FMA per second and thread in the Legendre stage, against FMA per byte of Delta and coefficients, each moved once.
    The roofs are the FMA peak and the memory bandwidth, both measured."""
    figure, axis = plot.subplots(figsize=(4.5, 3.4))
    peak = max(point["fma_peak"] / point["ranks"] / point["threads"] for point in measured)
    memory = max(point["memory_rate"] / point["threads"] for point in measured)
    for number, point in enumerate(measured):
        intensity = point["legendre_fma"] / point["legendre_bytes"]
        rate = point["legendre_fma"] / point["phases"]["legendre"] / point["ranks"] / point["threads"]
        axis.loglog([intensity], [rate], "o", color=f"C{number % 10}", markersize=4,
                    label=f"{point['grid']}, spin {point['spin']}, {point['ranks']} x {point['threads']}")
    edge = peak / memory
    ends = [edge / 10, edge, 100 * edge]
    axis.loglog(ends, [min(peak, end * memory) for end in ends], "k-", linewidth=0.8, label="FMA peak, memory")
    panel(axis, "FMA per byte of Delta and coefficients", "FMA per second and thread", "Legendre stage")
    axis.legend(fontsize=5)
    save(figure, "roofline")


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("points", nargs="+", metavar="POINTS.json")
    parser.add_argument("--out", default=None, help="folder for the plots (default: no plots)")
    parser.add_argument("--name", default="scaling", help="prefix of the file names (default: scaling)")
    parser.add_argument("--table", action="store_true", help="print a table in Markdown")
    chosen = parser.parse_args(arguments)
    plot = load_plotting() if chosen.out else None
    studies = {}
    for point in load(chosen.points):
        studies.setdefault(study_of(point), []).append(point)
    for study, points in studies.items():
        print(title_of(study))
        if chosen.table:
            print("\n" + table(points) + "\n")
        model = fit(points)
        if model is None:
            print("  no measured points")
            continue
        print(f"  fit to {model['points']} measured points: Legendre {model['legendre']:.3g} FMA/s and rings "
              f"{model['rings']:.3g} units/s per thread, alpha {model['alpha']:.2g} s, beta {model['beta']:.3g} B/s")
        print("  largest relative difference of the fit: "
              + ", ".join(f"{phase} {100 * value:.0f}%" for phase, value in model["difference"].items()))
    if chosen.out:
        folder = pathlib.Path(chosen.out)
        folder.mkdir(parents=True, exist_ok=True)
        draw(plot, studies, folder, chosen.name)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Refusal as refusal:
        sys.exit(f"scaling.py: {refusal}")
