"""Makes the virtual environment of the local AWS: python make_venv.py VENV REQUIREMENTS STAMP

Two commands may start at once, and either may be killed. A lock of the kernel (flock) lets one build and the
others wait; it belongs to whoever has the file open, so it goes when the last of them (this, venv or pip) is
gone, and there is never a stale one. The stamp is written last: a build that was killed is done again.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path


def run(what: str, lock: int, *command: str) -> None:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, pass_fds=(lock,))
    if done.returncode == 0:
        return
    # The last line says what; pip's others can be long lists of versions.
    sys.exit(f"{what} failed: {(done.stdout.strip() or 'without a word').splitlines()[-1][:300]}")


def main(venv: Path, requirements: Path, wanted: str) -> None:
    venv.parent.mkdir(parents=True, exist_ok=True)
    # Nothing in there is ours: neither git nor the linter looks at it.
    (venv.parent / ".gitignore").write_text("*\n")
    lock = os.open(venv.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("another command is installing the Python packages: waiting for it ...", flush=True)
        fcntl.flock(lock, fcntl.LOCK_EX)
    stamp = venv / "installed"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    print("installing the Python packages of the local AWS into .local-aws/venv (once; about 30 s) ...", flush=True)
    # From nothing, so that what is installed is what is listed, also after a build that was killed.
    shutil.rmtree(venv, ignore_errors=True)
    run("`python3 -m venv` (on Debian and Ubuntu it is the package python3-venv)", lock, sys.executable, "-m", "venv", str(venv))
    pip = [str(venv / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
    run("`pip install` (it needs its package index once)", lock, *pip, "-r", str(requirements))
    stamp.write_text(wanted)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
