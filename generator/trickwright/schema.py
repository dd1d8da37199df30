"""Checks nodes against a JSON Schema (2020-12) and says in plain words what does not fit."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trickwright import limits
from trickwright.paths import find, format_path, join_paths
from trickwright.problems import Mark, Report, described, did_you_mean, nearest, shown
from trickwright.source import Node

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

_Parts = tuple[str | int, ...]
_Error = Any  # jsonschema's ValidationError; its stubs know less of it than its documentation

_TYPES = {
    "integer": "a whole number",
    "number": "a number",
    "string": "a text",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "nothing",
}
_LIMITS = {"min": "at least", "max": "at most", "exclusiveMin": "above", "exclusiveMax": "below"}
_UNITS = {"imum": "", "Length": " characters", "Items": " items", "Properties": " keys"}
_BOUNDS = {
    f"{a}{b}": f"{limit} {{}}{of}" for a, limit in _LIMITS.items() for b, of in _UNITS.items()
}
_BOUNDS |= {"items": "fewer items", "contains": "a certain item in it"}
_LANGUAGE = "^[a-z]{2}$"
"""The form of the keys under which a schema puts texts of several languages."""
_PLAIN = re.compile(r"[^\W\d_][\w.'-]*( [\w.'-]+)*")
"""A text that needs no quotes inside the brackets of a mapping."""
_PARTS_OF_SCHEMA = ("allOf", "anyOf", "oneOf", "if", "then", "else")

# The schema is kept beside its validator: an id is unique only while its object lives.
_validators: dict[int, tuple[Mapping[str, Any], Validator]] = {}


def check(node: Node, schema: Mapping[str, Any], report: Report, path: str = "") -> bool:
    """Reports everything in which a node does not fit a schema; whether it fits.

    ``path`` is the place of the node in the rules. Raises jsonschema's SchemaError if the schema
    itself is wrong.
    """
    errors = list(_validator(schema).iter_errors(node.plain()))
    explainer = _Explainer(node, schema, report, path)
    for error in errors:
        explainer.explain(error)
    explainer.report_missing_keys()
    return not errors


def names_key(schema: Mapping[str, Any], parts: Sequence[str | int]) -> bool:
    """Whether a schema itself names the key that a path ends with; keys that rules choose freely are not named."""
    places = [schema]
    for depth, part in enumerate(parts, 1):
        here = [one for place in places for one in _all_of(place, schema)]
        named = [one["properties"][part] for one in here if part in one.get("properties", ())]
        if depth == len(parts):
            return bool(named)
        free = "items" if isinstance(part, int) else "additionalProperties"
        places = named or [one[free] for one in here if isinstance(one.get(free), Mapping)]
    return False


def _all_of(place: Mapping[str, Any], root: Mapping[str, Any], depth: int = 0) -> list[Any]:
    """A part of a schema with what it refers to and its alternatives."""
    if depth > limits.SCHEMA_DEPTH:
        return []
    inner = [sub for key in ("allOf", "anyOf", "oneOf") for sub in place.get(key, ())]
    if (target := _target(place, root)) is not None:
        inner.append(target)
    return [place, *(one for sub in inner for one in _all_of(sub, root, depth + 1))]


def _target(place: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    """What a part of a schema refers to; None if it refers to nothing."""
    target: Any = root
    reference = str(place.get("$ref", ""))
    if not reference.startswith("#/"):
        return None
    for part in reference.removeprefix("#/").split("/"):
        target = target.get(part.replace("~1", "/").replace("~0", "~"), {})
    return target


def _validator(schema: Mapping[str, Any]) -> Validator:
    if id(schema) not in _validators:
        # Imported here: it takes a third of the start-up time that a command may have.
        from jsonschema import Draft202012Validator, ValidationError, validators

        def is_whole(_: Any, value: object) -> bool:
            return isinstance(value, int) and not isinstance(value, bool)

        def pattern(_: Any, form: str, value: object, __: Any) -> Iterator[ValidationError]:
            # For Python "$" fits before a line break at the end, too; JSON Schema knows no such thing.
            if isinstance(value, str) and not re.search(re.sub(r"\$$", r"\\Z", form), value):
                yield ValidationError(f"{value!r} does not match {form!r}")

        def unique(_: Any, wanted: object, value: object, __: Any) -> Iterator[ValidationError]:
            # The library compares each item with each, which takes minutes for a long list.
            if wanted and isinstance(value, list):
                written = {json.dumps(item, sort_keys=True) for item in value}
                if len(written) < len(value):
                    yield ValidationError("not all items are different")

        # JSON Schema takes 3.0 for an integer; for a rule author it is a decimal.
        types = Draft202012Validator.TYPE_CHECKER.redefine("integer", is_whole)
        extend: Any = validators.extend  # it has no types
        strict = extend(
            Draft202012Validator, {"pattern": pattern, "uniqueItems": unique}, type_checker=types
        )
        # The schemas are our own, and tests hold them to the draft: that takes as long as to compile a game.
        _validators[id(schema)] = schema, strict(schema)
    return _validators[id(schema)][1]


class _Explainer:
    """Turns the validator's errors into problems."""

    def __init__(self, root: Node, schema: Mapping[str, Any], report: Report, path: str) -> None:
        self._root = root
        self._schema = schema
        self._report = report
        self._path = path
        self._misspelt: set[tuple[_Parts, str]] = set()
        self._missing: list[tuple[_Parts, str, str]] = []

    def explain(self, error: _Error) -> None:
        """Reports one error, or those of the alternative that was most likely meant."""
        parts = tuple(error.absolute_path)
        node = self._node(parts)
        keyword, limit = str(error.validator), error.validator_value
        if _is_of_key(error, node):
            self._bad_name(error, parts, node)
        elif keyword in ("anyOf", "oneOf") and error.context:
            self._alternatives(error, parts, node)
        elif keyword in ("additionalProperties", "unevaluatedProperties"):
            self._unknown_keys(error, parts, node)
        elif keyword in ("required", "dependentRequired"):
            known = dict(self._properties(error.schema))
            groups = {None: limit} if keyword == "required" else limit
            for key in (
                key for on in groups if on in (None, *error.instance) for key in groups[on]
            ):
                if key not in error.instance:
                    self._missing.append((parts, key, self._meaning(known.get(key))))
        elif keyword in ("enum", "const"):
            self._unknown_value(parts, node, _allowed(error))
        elif keyword == "type":
            self._wrong_type(parts, node, _types(error), schema=error.schema)
        elif keyword in _BOUNDS:
            is_sized = isinstance(node.value, dict | list | str)
            found = len(node.plain()) if is_sized else shown(node.value)
            text = f"expected {_BOUNDS[keyword].format(limit)}, found {found}"
            self._error(node.mark, parts, text, "out-of-bounds", self._meaning(error.schema))
        elif keyword == "uniqueItems":
            self._repeated(parts, node)
        else:
            text = f"{described(node.value)} does not have the form needed here"
            self._error(node.mark, parts, text, "bad-form", self._expected(error))

    def report_missing_keys(self) -> None:
        """Reports the missing keys but those that are there, misspelt: one slip, one message."""
        for parts, key, meaning in self._missing:
            if (parts, key) not in self._misspelt:
                mark = self._node(parts).mark
                self._error(mark, parts, f"missing key '{key}'", "missing-key", meaning)

    def _unknown_keys(self, error: _Error, parts: _Parts, node: Node) -> None:
        known = [key for key, _ in self._properties(error.schema)]
        free = [key for key in dict.fromkeys(known) if key not in error.instance]
        if error.validator == "additionalProperties":
            named = error.schema.get("properties", ())
            patterns = error.schema.get("patternProperties", ())
            others = [key for key in error.instance if key not in named]
            unknown = [key for key in others if not any(re.search(p, key) for p in patterns)]
        else:  # which keys count as evaluated only the validator knows
            unknown = [key for key in error.instance if repr(key) in error.message]
        for key in unknown:
            if meant := nearest(key, free):
                self._misspelt.add((parts, meant))
            hint = did_you_mean(key, free, others="possible here")
            mark = node.keys.get(key, node.mark)
            self._error(mark, (*parts, key), f"unknown key '{key}'", "unknown-key", hint)

    def _bad_name(self, error: _Error, parts: _Parts, node: Node) -> None:
        key = str(error.instance)
        is_word = error.validator in ("enum", "const")
        words = map(shown, _allowed(error) if is_word else ())
        hint = did_you_mean(key, words) or self._expected(error)
        mark = node.keys.get(key, node.mark)
        self._error(mark, (*parts, key), f"'{key}' cannot be a name here", "bad-name", hint)

    def _unknown_value(
        self, parts: _Parts, node: Node, allowed: Iterable[Any], others: Iterable[str] = ()
    ) -> None:
        words = list(dict.fromkeys(map(shown, allowed)))
        hint = " or ".join([did_you_mean(shown(node.value), words), *others])
        said = described(node.value).removeprefix("the text ")
        self._error(node.mark, parts, f"unknown value {said}", "unknown-value", hint)

    def _wrong_type(
        self,
        parts: _Parts,
        node: Node,
        types: Sequence[str],
        allowed: Iterable[Any] = (),
        *,
        schema: Any = None,
    ) -> None:
        expected = [_TYPES[name] for name in types] + [f"'{shown(value)}'" for value in allowed]
        text = f"expected {' or '.join(dict.fromkeys(expected))}, found {described(node.value)}"
        hint, value = "", shown(node.value)
        if "string" in types and isinstance(node.value, int | float):
            hint = f"for the text put quotes around it: '{value}'"
        elif isinstance(node.value, str) and {"integer", "number"} & set(types):
            is_number = re.fullmatch(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?", value)
            hint = f"for the number write {value} without quotes" if is_number else ""
        elif "array" in types and isinstance(node.value, str | int | float):
            hint = f"for a list of one item write [{value}]"
        elif isinstance(node.value, str) and _goes_by_language(schema):
            word = value if _PLAIN.fullmatch(value) else json.dumps(value, ensure_ascii=False)
            hint = f"a text goes by language: {{en: {word}}}"
        self._error(node.mark, parts, text, "wrong-type", hint)

    def _repeated(self, parts: _Parts, node: Node) -> None:
        seen: dict[str, Node] = {}
        for index, item in enumerate(node.value if isinstance(node.value, list) else []):
            first = seen.setdefault(json.dumps(item.plain(), sort_keys=True), item)
            if first is not item:
                text = f"{described(item.value)} is in the list already, on line {first.mark.line}"
                self._error(item.mark, (*parts, index), text, "not-unique")

    def _alternatives(self, error: _Error, parts: _Parts, node: Node) -> None:
        """Reports an anyOf or oneOf through the alternative that comes nearest."""
        branches: dict[str | int, list[_Error]] = {}
        for sub in error.context or ():
            branches.setdefault(sub.schema_path[0], []).append(sub)
        fitting = [
            subs for subs in branches.values() if not any(_other_type(sub, node) for sub in subs)
        ]
        types, values = _wanted(error, node)
        if not fitting:
            self._wrong_type(parts, node, types, values)
            return
        # Alternatives told apart by a word, here or under one key such as kind: offer all words.
        words = [[sub for sub in subs if self._is_word(sub)] for subs in fitting]
        places = {tuple(sub.absolute_path) for subs in words for sub in subs[:1]}
        place = next(iter(places), parts)
        if all(words) and len(places) == 1 and (place == parts or place[:-1] == parts):
            allowed = [value for subs in words for value in _allowed(subs[0])]
            others = [_TYPES[name] for name in types] if place == parts else []
            if place == parts or len(fitting) > 1:
                self._unknown_value(place, self._node(place), allowed, others)
                return
        for sub in min(fitting, key=lambda subs: self._distance(error, subs)):
            self.explain(sub)

    def _distance(self, error: _Error, subs: Sequence[_Error]) -> tuple[bool, int, int, int]:
        """How far an alternative is from what was written: wrong kind, few keys, early errors."""
        schema = error.validator_value[subs[0].schema_path[0]]
        present = error.instance if isinstance(error.instance, dict) else {}
        known = sum(key in present for key, _ in self._properties(schema))
        wrong_kind = any(sub.validator == "const" and len(sub.path) == 1 for sub in subs)
        return wrong_kind, -known, -max(len(sub.path) for sub in subs), len(subs)

    def _is_word(self, error: _Error) -> bool:
        of_key = _is_of_key(error, self._node(tuple(error.absolute_path)))
        return error.validator in ("const", "enum") and not of_key

    def _properties(self, schema: Any, depth: int = 0) -> Iterator[tuple[str, Any]]:
        """The keys that a schema names, in its parts and alternatives too, with their schemas."""
        if not isinstance(schema, Mapping) or depth > limits.SCHEMA_DEPTH:
            return
        yield from schema.get("properties", {}).items()
        for keyword in _PARTS_OF_SCHEMA:
            part = schema.get(keyword, ())
            for sub in part if isinstance(part, list) else [part]:
                yield from self._properties(sub, depth + 1)
        yield from self._properties(self._referred(schema), depth + 1)

    def _expected(self, error: _Error) -> str:
        meaning = self._meaning(error.schema)
        return f"expected: {meaning}" if meaning else ""

    def _meaning(self, schema: Any) -> str:
        """What a schema says of itself."""
        for _ in range(limits.SCHEMA_DEPTH):
            if not isinstance(schema, Mapping):
                break
            if said := [schema[key] for key in ("title", "description") if schema.get(key)]:
                return ": ".join(said)
            schema = self._referred(schema)
        return ""

    def _referred(self, schema: Mapping[str, Any]) -> Any:
        return _target(schema, self._schema)

    def _node(self, parts: _Parts) -> Node:
        return find(self._root, parts) or self._root

    def _error(self, mark: Mark, parts: _Parts, text: str, code: str, hint: str = "") -> None:
        path = join_paths(self._path, format_path(parts))
        self._report.error(mark, path, text, code, hint)


def _goes_by_language(schema: Any) -> bool:
    """Whether a part of a schema wants a text for each language."""
    names = schema.get("propertyNames") if isinstance(schema, Mapping) else None
    return isinstance(names, Mapping) and names.get("pattern") == _LANGUAGE


def _allowed(error: _Error) -> list[Any]:
    """The values that an enum or a const allows."""
    return list(error.validator_value if error.validator == "enum" else [error.validator_value])


def _types(error: _Error) -> list[str]:
    limit = error.validator_value
    return [limit] if isinstance(limit, str) else list(limit)


def _is_of_key(error: _Error, node: Node) -> bool:
    """Whether an error at a mapping is about one of its keys (``propertyNames``)."""
    return isinstance(node.value, dict) and isinstance(error.instance, str)


def _other_type(error: _Error, node: Node) -> bool:
    """Whether an error of an alternative says that it is meant for values of another type."""
    if error.path or _is_of_key(error, node):
        return False
    if error.validator in ("anyOf", "oneOf"):
        return bool(error.context) and all(_other_type(sub, node) for sub in error.context or ())
    if error.validator in ("enum", "const"):
        return all(type(value) is not type(node.value) for value in _allowed(error))
    return str(error.validator) == "type"


def _wanted(error: _Error, node: Node) -> tuple[list[str], list[Any]]:
    """The types, and the words of other types, that alternatives would have taken instead."""
    types: list[str] = []
    values: list[Any] = []
    for sub in [sub for sub in error.context or () if _other_type(sub, node)]:
        if sub.validator == "type":
            types += _types(sub)
        elif sub.validator in ("enum", "const"):
            values += _allowed(sub)
        else:
            more = _wanted(sub, node)
            types, values = types + more[0], values + more[1]
    return types, values
