"""Looking into nodes whose shape is checked."""

from __future__ import annotations

from trickwright.source import Node


def items(node: Node | None) -> dict[str, Node]:
    """The entries of a mapping; none of anything else."""
    return node.value if node is not None and isinstance(node.value, dict) else {}


def listed(node: Node) -> list[Node]:
    """The entries of a list; none of anything else."""
    return node.value if isinstance(node.value, list) else []
