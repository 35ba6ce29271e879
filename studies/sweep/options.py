"""Options that several what-if commands share; unlike `studies.options`, what stands here takes laptop packages."""

from typing import Annotated

import typer

from studies.sweep.kept_passes import DEFAULT_PASSES

KeptPassesOption = Annotated[
    str | None,
    typer.Option(
        "--passes",
        metavar="NAME|PATH",
        help="Kept passes: a name, or what passes wrote. Default: BFCL's by the model's family, else "
        f"{DEFAULT_PASSES}.",
    ),
]
