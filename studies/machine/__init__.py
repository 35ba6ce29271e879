"""The machine that everything runs on: what its compiler and its processor can do, and how steady it is.

Start with `doctor`, which looks at all of it; `build_flags` is what `make` asks before it compiles llama.cpp, and
`steadiness` tells whether times that were measured here mean anything.
"""
