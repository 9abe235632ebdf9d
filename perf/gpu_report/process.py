"""Runs one command with a time limit that its own progress may renew, within the time of the whole part."""

import os
import selectors
import signal
import subprocess
import time

MOST_LOG_BYTES = 4 << 20
MOST_LINES = 20000  # of output that are kept for whoever reads it afterwards
GRACE_SECONDS = 5
WAKE_SECONDS = 0.2


class Budget:
    """The seconds that a part may take; a share of what is left for a stage of it. None are left after an interrupt, so
    that all that was to come is listed as not run."""

    interrupted = False

    def __init__(self, seconds):
        self.end = time.monotonic() + seconds

    def left(self):
        return 0.0 if Budget.interrupted else self.end - time.monotonic()

    @staticmethod
    def reason():
        return "interrupted" if Budget.interrupted else "no time left"

    def share(self, fraction):
        return Budget(max(0.0, self.left()) * fraction)


class End:
    """How a command ended. why: "exit", "limit" (its own time limit), "budget" (that of the part), "stopped" (by what
    read its output), "missing" (it could not be started)."""

    def __init__(self, why, code, seconds, text):
        self.why = why
        self.code = code
        self.seconds = seconds
        self.text = text

    def reason(self):
        if self.why == "limit":
            return "time limit exceeded"
        if self.why == "budget":
            return Budget.reason()
        if self.why == "missing":
            return self.text
        if self.code is not None and self.code < 0:
            return "killed by signal %d" % -self.code
        return "exit code %s" % self.code


def stop(child):
    """Ends a command and what it started: mpirun needs a moment to end its ranks."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(child.pid, number)
        except ProcessLookupError:
            pass
        try:
            child.wait(GRACE_SECONDS)
            break
        except subprocess.TimeoutExpired:
            pass
    try:  # what ignored the signal to its leader
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Log:
    """A log file that does not grow beyond MOST_LOG_BYTES."""

    def __init__(self, path, title):
        self.file = open(path, "ab")
        self.left = MOST_LOG_BYTES - self.file.tell()
        self.write(("$ %s\n" % title).encode())

    def write(self, data):
        if self.left <= 0:
            return
        self.file.write(data[: self.left])
        self.left -= len(data)
        if self.left <= 0:
            self.file.write(b"\n(the log is cut off here)\n")

    def close(self):
        self.file.close()


def run(command, log_path, limit, budget, environment, on_line=None):
    """Runs a command, its output going to the end of a log. on_line(line) may answer "renew" to start the time limit
    again, or "stop" to end the command."""
    start = time.monotonic()
    log = Log(log_path, " ".join(command))
    try:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,  # Ctrl-C reaches this process alone, which then ends the command
        )
    except OSError as error:
        log.write(("%s\n" % error).encode())
        log.close()
        return End("missing", None, 0.0, str(error))
    text = []
    try:
        why = follow(child, log, limit, budget, on_line, text)
    finally:
        if child.poll() is None:
            stop(child)
        child.stdout.close()
        log.close()
    return End(why, child.returncode, time.monotonic() - start, "\n".join(text))


def over(deadline, budget):
    """Why a command must end now, or None."""
    if budget.left() <= 0:
        return "budget"
    return "limit" if time.monotonic() >= deadline else None


def follow(child, log, limit, budget, on_line, text):
    """Reads the output of a command to its end, or to that of its time."""
    selector = selectors.DefaultSelector()
    selector.register(child.stdout, selectors.EVENT_READ)
    deadline = time.monotonic() + limit
    rest = b""
    while True:
        why = over(deadline, budget)
        if why:
            return why
        if not selector.select(WAKE_SECONDS):
            continue
        data = os.read(child.stdout.fileno(), 1 << 16)
        if not data:
            break
        log.write(data)
        lines = (rest + data).split(b"\n")
        rest = lines.pop()
        for raw in lines:
            line = raw.decode("utf-8", "replace").rstrip()
            if len(text) < MOST_LINES:
                text.append(line)
            answer = on_line(line) if on_line else None
            if answer == "renew":
                deadline = time.monotonic() + limit
            elif answer == "stop":
                return "stopped"
    while child.poll() is None:
        why = over(deadline, budget)
        if why:
            return why
        time.sleep(0.01)
    return "exit"
