"""What a part of the report found: records, the summary on the terminal, results.json and the archive."""

import json
import os
import tarfile
import time

BAD = ("failed", "hung")
MOST_NAMES = 40  # of tests that were not run, on the terminal


class Report:
    """Collects records of one part and writes them to its folder, OUT/PART."""

    def __init__(self, out, part, device, quick, rows):
        self.out = out
        self.part = part
        self.device = device
        self.quick = quick
        self.folder = os.path.join(out, part)
        self.start = time.time()
        self.records = []
        self.rows = rows
        self.machine_text = ""
        self.decisions = []  # lines
        self.ratios = []  # to other codes
        self.notes = []
        self.interrupted = False
        os.makedirs(self.folder, exist_ok=True)
        for name in os.listdir(self.folder):  # of an earlier run
            if name.endswith((".log", ".csv", ".txt", ".json")):
                os.remove(os.path.join(self.folder, name))

    def log_path(self, name):
        return os.path.join(self.folder, name + ".log")

    def note(self, text):
        """A fact for the summary which is no failure, such as a tool that is not there."""
        self.notes.append(text)
        self.say("note: " + text)

    def say(self, text):
        print(text, flush=True)

    def test(self, stage, program, name, status, reason, log, seconds=None):
        self.records.append(
            {
                "kind": "test",
                "stage": stage,
                "program": program,
                "name": name,
                "status": status,
                "reason": reason,
                "log": os.path.basename(log),
                "seconds": seconds,
            }
        )
        if status in BAD:
            self.say("%-8s%s %s %s  %s" % (status, stage, program, name, reason))

    def not_run(self, stage, program, names, reason):
        for name in names:
            self.test(stage, program, name, "not run", reason, self.log_path("%s_%s" % (stage, program)))

    def benchmark(self, name, status, reason, log, seconds, values, clocks):
        """values: {row of the program's table: milliseconds}."""
        record = {"kind": "benchmark", "stage": "benchmark", "program": "", "name": name, "status": status}
        record.update(reason=reason, log=os.path.basename(log), seconds=seconds, values=values, clocks=clocks)
        self.records.append(record)
        self.say("%-8s%s  %.0f s  %s" % (status, name, seconds, reason))

    def profile(self, name, status, reason, log, metrics):
        record = {"kind": "profile", "stage": "profile", "program": "", "name": name, "status": status}
        record.update(reason=reason, log=os.path.basename(log), metrics=metrics)
        self.records.append(record)
        self.say("%-8s%s  %s" % (status, name, reason))

    def failures(self):
        return [record for record in self.records if record["status"] in BAD]

    def save(self):
        """Writes summary.txt and results.json; during a part, so that they survive the end of this process."""
        with open(os.path.join(self.folder, "summary.txt"), "w") as file:
            file.write("\n".join(self.summary()) + "\n")
        with open(os.path.join(self.folder, "results.json"), "w") as file:
            json.dump(self.as_json(), file, indent=1)

    def finish(self):
        """Writes and prints the summary; returns the number of failures."""
        self.save()
        print("\n" + "\n".join(self.summary()), flush=True)
        archive = self.out.rstrip("/") + ".tar.gz"
        with tarfile.open(archive, "w:gz") as tar:
            tar.add(self.out, arcname=os.path.basename(os.path.abspath(self.out)))
        self.say("archive: %s (%.1f MB)" % (archive, 1e-6 * os.path.getsize(archive)))
        return len(self.failures())

    def start_text(self):
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.start))

    def as_json(self):
        return {
            "part": self.part,
            "device": self.device,
            "quick": self.quick,
            "machine": self.machine_text,
            "start": self.start_text(),
            "seconds": round(time.time() - self.start, 1),
            "interrupted": self.interrupted,
            "notes": self.notes,
            "rows": self.rows,
            "decisions": self.decisions,
            "ratios": self.ratios,
            "records": self.records,
        }

    def summary(self):
        lines = ["GPU report of Armilla, part %s, %.0f s" % (self.part, time.time() - self.start), self.machine_text]
        if self.device == "emulated":
            lines.append("emulated device: times are meaningless")
        if self.quick:
            lines.append("quick: few tests, benchmarks of small cases")
        lines += self.test_lines() + self.benchmark_lines() + self.row_lines() + self.profile_lines()
        lines += self.ratio_lines()
        if self.decisions:
            lines += ["", "DECISIONS (tuning.json)"] + ["  " + line for line in self.decisions]
        failures = self.failures()
        lines += ["", "FAILURES: %d" % len(failures)]
        for record in failures:
            lines.append(
                "  %(status)s: %(stage)s %(program)s %(name)s: %(reason)s, see %(log)s" % record
            )
        lines += self.not_run_lines()
        if self.notes:
            lines += ["", "NOTES"] + ["  " + note for note in self.notes]
        if self.interrupted:
            lines += ["", "INTERRUPTED by a signal"]
        return lines

    def test_lines(self):
        stages = []
        for record in self.records:
            key = (record["stage"], record["program"])
            if record["kind"] == "test" and key not in stages:
                stages.append(key)
        if not stages:
            return []
        lines = ["", "%-16s %-16s %6s %6s %6s %8s %8s" % ("TESTS", "", "ok", "failed", "hung", "skipped", "not run")]
        for stage, program in stages:
            of_stage = [r["status"] for r in self.records if (r["stage"], r["program"]) == (stage, program)]
            counts = tuple(of_stage.count(word) for word in ("ok", "failed", "hung", "skipped", "not run"))
            lines.append(("%-16s %-16s" % (stage, program)) + " %6d %6d %6d %8d %8d" % counts)
        return lines

    def benchmark_lines(self):
        records = [record for record in self.records if record["kind"] == "benchmark"]
        if not records:
            return []
        lines = ["", "%-34s %-8s %9s %16s %14s" % ("BENCHMARKS [ms]", "", "seconds", "SM MHz, most", "W, most")]
        for record in records:
            clocks = record["clocks"]
            text = "%16s %14s" % ("-", "-")
            if clocks:
                text = "%10.0f %5.0f %8.0f %5.0f" % (
                    clocks["sm_mhz"],
                    clocks["sm_mhz_most"],
                    clocks["power_w"],
                    clocks["power_w_most"],
                )
            lines.append("%-34s %-8s %9.1f %s" % (record["name"], record["status"], record["seconds"], text))
            if record["values"]:
                lines.append("    " + "; ".join("%s %.5g" % item for item in record["values"].items()))
        return lines

    def row_lines(self):
        if not self.rows:
            return []
        head = ("ROWS of docs/performance.md [ms]", "measured", "wanted", "predicted")
        lines = ["", "%-34s %11s %11s %11s" % head]
        for row in self.rows:
            numbers = ["%11s" % ("-" if row[key] is None else "%.4g" % row[key])
                       for key in ("measured_ms", "wanted_ms", "predicted_ms")]
            late = ""
            if row["measured_ms"] is not None and row["wanted_ms"] is not None and self.device == "gpu":
                late = "  met" if row["measured_ms"] <= row["wanted_ms"] else "  NOT MET"
            lines.append("%-34s %s%s" % (row["row"], " ".join(numbers), late))
        return lines

    def ratio_lines(self):
        if not self.ratios:
            return []
        head = ("OTHER CODES [ms]", "", "Armilla", "other", "ratio")
        lines = ["", "%-26s %-10s %9s %9s %6s" % head]
        for one in self.ratios:
            lines.append("%(case)-26s %(direction)-10s %(own_ms)9.4g %(peer_ms)9.4g %(ratio)6.2f  %(peer)s" % one)
        return lines

    def profile_lines(self):
        lines = []
        for record in self.records:
            if record["kind"] != "profile":
                continue
            lines += ["", "PROFILE %(name)s: %(status)s %(reason)s" % record]
            lines += ["  %-66s %s" % item for item in record["metrics"].items()]
        return lines

    def not_run_lines(self):
        waiting = [record for record in self.records if record["status"] == "not run"]
        if not waiting:
            return []
        lines = ["", "NOT RUN: %d" % len(waiting)]
        for record in waiting[:MOST_NAMES]:
            lines.append("  %(stage)s %(program)s %(name)s: %(reason)s" % record)
        if len(waiting) > MOST_NAMES:
            lines.append("  and %d more, which results.json names" % (len(waiting) - MOST_NAMES))
        return lines
