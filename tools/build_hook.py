"""Puts the data of the project, rules and cases, into the wheel beside the compiler."""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class DataHook(BuildHookInterface):  # type: ignore[type-arg,misc,unused-ignore]
    """Adds ``spec`` and the data of the conformance suite under ``trickwright/_data`` to a standard wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it builds."""
        if version == "standard":
            for folder in ("spec", "conformance/cases", "conformance/equivalent"):
                build_data["force_include"][folder] = f"trickwright/_data/{folder}"
