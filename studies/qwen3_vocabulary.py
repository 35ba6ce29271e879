"""Qwen3's vocabulary out of Qwen2's: `python -m studies.qwen3_vocabulary QWEN2.gguf TEMPLATE.jinja OUT.gguf`.

llama.cpp's test vocabularies have none for Qwen3, which is Qwen2's with more markers, `<tool_call>` among them. Needs
the package gguf, so this is for the laptop.
"""

import sys
from pathlib import Path
from typing import Any

from gguf import GGUFReader, GGUFValueType, GGUFWriter, Keys, TokenType

from engine.errors import InputError, ModelFileError

QWEN2_MARKERS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
"""The last tokens that Qwen2 itself has."""

CONTROL_MARKERS = (
    *("<|object_ref_start|>", "<|object_ref_end|>", "<|box_start|>", "<|box_end|>", "<|quad_start|>", "<|quad_end|>"),
    *("<|vision_start|>", "<|vision_end|>", "<|vision_pad|>", "<|image_pad|>", "<|video_pad|>"),
)
OTHER_MARKERS = (
    *("<tool_call>", "</tool_call>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|fim_pad|>"),
    *("<|repo_name|>", "<|file_sep|>", "<tool_response>", "</tool_response>", "<think>", "</think>"),
)
"""What Qwen3 adds behind them: special tokens, then others, as its `tokenizer_config.json` tells them apart.

llama.cpp's converter (`get_vocab_base` in `convert_hf_to_gguf.py`) writes the first as control tokens, the others as
user-defined ones, and padding as unused.
"""

FIRST_MARKER = 151_643
"""The token of the first of `QWEN2_MARKERS`; all others follow without a gap."""

_FIRST_ADDED = FIRST_MARKER + len(QWEN2_MARKERS)
_END_OF_TURN = FIRST_MARKER + QWEN2_MARKERS.index("<|im_end|>")


def write_qwen3_vocabulary(qwen2: Path, template: Path, out: Path) -> None:
    """Write the GGUF at `qwen2` to `out` with Qwen3's markers, its end of turn as the text's end, and its template.

    All else stays as it is; what only pads the vocabulary is unused, where older files had it as user-defined tokens.
    Raises InputError where a file cannot be read, and ModelFileError where `qwen2` is no vocabulary of Qwen2's.
    """
    template_text = _text(template)
    reader = _reader(qwen2)
    changed = {
        Keys.Tokenizer.LIST: _with_markers(qwen2, _value(reader, qwen2, Keys.Tokenizer.LIST)),
        Keys.Tokenizer.TOKEN_TYPE: _with_types(_value(reader, qwen2, Keys.Tokenizer.TOKEN_TYPE)),
        Keys.Tokenizer.EOS_ID: _END_OF_TURN,
        Keys.Tokenizer.CHAT_TEMPLATE: template_text,
    }
    writer = GGUFWriter(out, str(_value(reader, qwen2, Keys.General.ARCHITECTURE)))
    for name, (value, kind, item_kind) in _fields(reader).items():
        writer.add_key_value(name, changed.pop(name, value), kind, item_kind)
    if Keys.Tokenizer.CHAT_TEMPLATE in changed:
        writer.add_chat_template(template_text)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {getattr(error, 'strerror', error)}") from error


def _reader(path: Path) -> GGUFReader:
    try:
        return GGUFReader(path)
    except (OSError, ValueError, KeyError, IndexError) as error:
        raise ModelFileError(f"{path}: cannot be read as a GGUF file: {error}") from error


def _value(reader: GGUFReader, path: Path, name: str) -> Any:
    field = reader.get_field(name)
    if field is None:
        raise ModelFileError(f"{path}: has no {name}")
    return field.contents()


def _fields(reader: GGUFReader) -> dict[str, tuple[Any, GGUFValueType, GGUFValueType | None]]:
    """Value, type and type of a list's items of what the writer does not write by itself."""
    own = {Keys.General.ARCHITECTURE}
    fields = [field for field in reader.fields.values() if field.name not in own and not field.name.startswith("GGUF.")]
    return {
        field.name: (field.contents(), field.types[0], field.types[-1] if len(field.types) > 1 else None)
        for field in fields
    }


def _with_markers(path: Path, tokens: list[str]) -> list[str]:
    """`tokens` with the added markers in the places that Qwen2's padding has."""
    found = tuple(tokens[FIRST_MARKER:_FIRST_ADDED])
    if found != QWEN2_MARKERS:
        raise ModelFileError(
            f"{path}: no vocabulary of Qwen2's: tokens {FIRST_MARKER} to {_FIRST_ADDED - 1} are {list(found)}, "
            f"expected {list(QWEN2_MARKERS)}"
        )
    added = [*CONTROL_MARKERS, *OTHER_MARKERS]
    return [*tokens[:_FIRST_ADDED], *added, *tokens[_FIRST_ADDED + len(added) :]]


def _with_types(types: list[int]) -> list[int]:
    """As llama.cpp's converter types them today."""
    added = [*(TokenType.CONTROL for _ in CONTROL_MARKERS), *(TokenType.USER_DEFINED for _ in OTHER_MARKERS)]
    padding = len(types) - _FIRST_ADDED - len(added)
    return [*types[:_FIRST_ADDED], *map(int, added), *[int(TokenType.UNUSED)] * padding]


def main(arguments: list[str]) -> None:
    if len(arguments) != 3:
        sys.exit("usage: python -m studies.qwen3_vocabulary QWEN2.gguf TEMPLATE.jinja OUT.gguf")
    try:
        write_qwen3_vocabulary(*map(Path, arguments))
    except InputError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main(sys.argv[1:])
