"""Progress of calls on stderr."""
import contextlib
import sys
import time

SILENT_SECONDS = 2.0  # before anything is shown
LINE_SECONDS = 60.0  # between lines
BAR_WIDTH = 30  # [characters]


class Display:
    """Shows the progress of a call that takes longer than SILENT_SECONDS: a bar if stderr is a terminal, otherwise a
    line per minute. Errors of output are ignored, because a closed terminal must not stop a job."""

    def __init__(self):
        self._began = self._shown = time.monotonic()
        self._is_drawn = False

    def __call__(self, fraction, what):
        now = time.monotonic()
        if now - self._began < SILENT_SECONDS or sys.stderr is None:
            return
        with contextlib.suppress(OSError, ValueError):
            if sys.stderr.isatty():
                filled = int(fraction * BAR_WIDTH)
                sys.stderr.write(f"\r\x1b[K[{'#' * filled}{'.' * (BAR_WIDTH - filled)}] {100 * fraction:3.0f}% {what}")
                sys.stderr.flush()
                self._is_drawn = True
            elif now - self._shown >= LINE_SECONDS:
                self._shown = now
                sys.stderr.write(f"armilla: {100 * fraction:.0f}% done, now {what}\n")

    def clear(self):
        """Removes the bar."""
        if self._is_drawn:
            with contextlib.suppress(OSError, ValueError):
                sys.stderr.write("\r\x1b[K")
                sys.stderr.flush()
