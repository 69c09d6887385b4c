"""Becomes a command that is told to end when its parent dies, so that a killed `make up` leaves nothing behind.

Linux only; elsewhere the command just runs. `python -m orchestration.tied PARENT COMMAND …`.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main() -> None:
    parent, command = int(sys.argv[1]), sys.argv[2:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it died before it could be watched
            sys.exit(1)
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
