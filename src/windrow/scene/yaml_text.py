"""YAML as scenes use it: PyYAML's safe loader, with its traps taken out."""

from __future__ import annotations

import re
from typing import Any

import yaml


class _Loader(yaml.SafeLoader):
    """Refuses repeated fields, and aliases: nine lines of those can stand for a billion entries."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            mark = self.peek_event().start_mark
            raise yaml.YAMLError(f"line {mark.line + 1}: anchors and aliases are not read; write it out")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        names: set[str] = set()
        for key, _ in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key.value, str):
                raise yaml.YAMLError(f"line {line}: the name of a field must be text")
            if key.value in names:
                raise yaml.YAMLError(f"line {line}: the field {key.value!r} is given twice")
            names.add(key.value)
        return super().construct_mapping(node, deep)


def yaml_data(text: str) -> Any:
    """Nested dicts and lists; a ValueError that says where it cannot be read."""
    try:
        return yaml.load(text, Loader=_Loader)
    except (yaml.YAMLError, TypeError, AttributeError, OverflowError) as error:
        raise ValueError(str(error)) from None


class _Dumper(yaml.SafeDumper):
    """Writes no aliases, and puts text with unusual characters in quotes, where they survive."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> Any:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if text.isprintable() else '"')


_Dumper.add_representer(str, _text)

# YAML 1.1 reads 1e5 as text; everybody who writes it means a number, and such text needs quotes then.
for _kind in (_Loader, _Dumper):
    _kind.add_implicit_resolver(
        "tag:yaml.org,2002:float",
        re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)[eE][-+]?\d+$"),
        list("-+.0123456789"),
    )


def yaml_text(data: dict[str, Any]) -> str:
    """YAML text that reads back as `data`."""
    return str(
        yaml.dump(
            data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, default_flow_style=None, width=100
        )
    )
