"""Build the wheel and the source distribution so that the same commit gives the same bytes, on any machine.

``python tools/build_release.py --output dist`` needs the packages ``build`` and ``twine``. Times come from
``SOURCE_DATE_EPOCH`` or else from the last commit. Setuptools writes the times, owners and modes of the files at hand
into a source distribution, so that is packed again here. ``SHA256SUMS`` lists what was built.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Build, pack again, check, and write the sums."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=Path("dist"), help="the folder to build in (default dist)")
    output = parser.parse_args().output
    epoch = source_date()
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(epoch)}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "build", "--outdir", folder, ROOT], check=True, env=environment)
        for archive in Path(folder).glob("*.tar.gz"):
            pack_again(archive, epoch)
        built = sorted(Path(folder).iterdir())
        subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *built], check=True)
        hand_over(built, output)


def hand_over(built: list[Path], output: Path) -> None:
    """Put what was built into a folder, with its sums; other files there, such as compiled wheels, have none."""
    output.mkdir(parents=True, exist_ok=True)
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in built]
    for path in built:
        shutil.copy(path, output)
    (output / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")


def source_date() -> int:
    """The time that all files of the distributions carry, in seconds."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given is not None:
        return int(given)
    command = ["git", "log", "-1", "--format=%ct"]
    return int(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)


def pack_again(archive: Path, epoch: int) -> None:
    """Sort the files of a source distribution, and remove what depends on the machine that packed it."""
    packed = io.BytesIO()
    with tarfile.open(archive) as source, tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as target:
        for member in sorted(source.getmembers(), key=lambda one: one.name):
            member.mtime = epoch
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            member.pax_headers = {}
            target.addfile(member, source.extractfile(member) if member.isfile() else None)
    with archive.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=epoch) as compressed:
        compressed.write(packed.getvalue())


if __name__ == "__main__":
    main()
