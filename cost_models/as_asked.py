"""What cost models answer with: a number for numbers, an array for arrays."""

from typing import overload

from cost_models.protocol import BoolArray, FloatArray


@overload
def as_asked(answers: FloatArray) -> float | FloatArray: ...


@overload
def as_asked(answers: BoolArray) -> bool | BoolArray: ...


def as_asked(answers: FloatArray | BoolArray) -> float | bool | FloatArray | BoolArray:
    """`answers` as they are; the number or truth value in them where they have no dimension."""
    return answers if answers.ndim else answers.item()
