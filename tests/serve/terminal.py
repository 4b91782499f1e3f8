"""Runs a program on a terminal: waits for a text, types an answer, and so on; prints what the terminal shows.

terminal.py PROGRAM [ARGUMENT...], with a JSON list of pairs on standard input: the text to wait for, the text to type.
The program must end after the last.
"""

import fcntl
import json
import os
import pty
import select
import struct
import sys
import termios
import time

LIMIT_SECONDS = 20


def main():
    steps = json.load(sys.stdin)
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(sys.argv[1], sys.argv[1:])
    # Wide enough that no line is wrapped, and then drawn again.
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 400, 0, 0))
    shown, seen, deadline = "", 0, time.monotonic() + LIMIT_SECONDS
    while time.monotonic() < deadline:
        while steps and steps[0][0] in shown[seen:]:
            expected, answer = steps.pop(0)
            seen = shown.index(expected, seen) + len(expected)
            os.write(terminal, answer.encode())
        if not select.select([terminal], [], [], 0.1)[0]:
            continue
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part.decode(errors="replace")
    else:
        os.kill(child, 9)
    sys.stdout.write(shown)
    if steps:
        sys.exit(f"waited for {steps[0][0]!r}")
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


main()
