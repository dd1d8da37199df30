"""The score of a run: by part and in all, with its interval; and fingerprints, which say whether it still holds."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path


def told(counts: Mapping[str, Sequence[int]], total: int) -> str:
    """The table of a run in which of each part so many mutants were noticed, of so many; ``total`` could be drawn."""
    lines = [
        f"{part:45} {n:5} of {of:5}  {n / of:6.1%}" for part, (n, of) in sorted(counts.items())
    ]
    noticed, count = (sum(pair[at] for pair in counts.values()) for at in (0, 1))
    low, high = wilson(noticed, count)
    share = f"{noticed / count:.1%}" if count else "none"
    lines.append(
        f"{count} of {total} mutants: {noticed} noticed, {share} (95 % interval {low:.1%} to {high:.1%})"
    )
    return "\n".join(lines)


def wilson(part: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share, after Wilson."""
    if not count:
        return 0.0, 1.0
    z, share = 1.959964, part / count
    middle = share + z * z / (2 * count)
    reach = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return (middle - reach) / (1 + z * z / count), (middle + reach) / (1 + z * z / count)


def fingerprint(paths: Iterable[Path]) -> str:
    """A short text that changes with any of the files."""
    found = hashlib.sha256()
    for path in sorted(path for path in paths if path.is_file() and path.suffix != ".pyc"):
        found.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:16]
