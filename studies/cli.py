"""The command line: one module per command, imported when it is called.

So a phone, which lacks the laptop's packages, can call and measure; and `--help` does not wait for charts.
"""

import sys
from importlib import import_module
from inspect import cleandoc
from typing import Any

import typer
from typer.core import TyperGroup

from cost_models import CostModelError
from engine.errors import InputError, SchemaWeaverError
from studies.console import ERR
from studies.supervisor import EXIT_CRASHED, supervised

COMMANDS = {
    "call": "Decode one tool call and print it, the provisional call first.",
    "measure": "Measure what passes cost on this machine.",
    "doctor": "Say what works on this machine, and what to do about the rest.",
    "inspect": "Show what of a call a tool's schema fixes, token by token.",
    "fit": "Fit a cost model to a measurement and print its error on passes that it did not see.",
    "devices": "List the devices that what-ifs can be asked of, or show every figure of one with its source.",
    "run": "Run a workload through schedules on llama.cpp and write records.",
    "agree": "Run a workload through schedules on llama.cpp and tell where their calls differ, and by what margin.",
    "simulate": "Run a workload through schedules under a profile's clock and write records.",
    "passes": "Count the passes of a workload's calls once, for every device; a vocabulary is enough.",
    "sweep": "Price schedules over grids of devices, conditions and calls, with error bars.",
    "break-even": "Answer from where on padding, side-by-side decoding or a slower bus pays.",
    "validate": "Lay measured and simulated records side by side.",
    "study": "Predict what the paper measured on its phones, and lay both side by side.",
    "boundaries": "Count the calls whose tokens are not the tokenizer's own, per vocabulary and why.",
    "bench": "Lay every schedule beside the others here and on phones, with errors; and the project's own costs.",
    "audit": "Try every tool of a collection: which are refused, and whether constraints keep the schemas.",
    "demo": "All of it on the embedded model: measure, fit, run, simulate, validate.",
}


class LazyCommands(TyperGroup):
    """Knows the commands by name and imports the one that is asked for."""

    # Typer's own click types are private to it.
    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        try:
            command = typer.main.get_command(import_module(f"studies.commands.{cmd_name.replace('-', '_')}").app)
        except ModuleNotFoundError as error:
            command = typer.main.get_command(_unavailable(cmd_name, error.name))
        command.name = cmd_name
        command.short_help = COMMANDS[cmd_name]
        command.help = _flowing(command.help or "")
        return command


app = typer.Typer(
    cls=LazyCommands,
    name="schemaweaver",
    help="Schema-guided parallel decoding of tool calls, measured on llama.cpp and predicted by a simulator.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


@app.callback()
def _root() -> None:
    """Schema-guided parallel decoding of tool calls, measured on llama.cpp and predicted by a simulator."""


def start() -> None:
    """Run the command line in a process that is watched, so that none of its deaths goes without a word."""
    sys.exit(supervised(main))


def main() -> None:
    """Run the command line; what is wrong with the input goes to stderr as one message, with exit code 2."""
    try:
        app()
    except (SchemaWeaverError, CostModelError) as error:
        ERR.print(f"[bold red]error:[/] {_escaped(error)}", soft_wrap=True)
        sys.exit(2 if isinstance(error, InputError | CostModelError) else EXIT_CRASHED)
    except OSError as error:
        # Without a name it is no file that somebody asked for.
        if error.filename is None:
            raise
        ERR.print(f"[bold red]error:[/] {_escaped_text(f'{error.filename}: {error.strerror}')}", soft_wrap=True)
        sys.exit(2)


def _unavailable(name: str, package: str | None) -> typer.Typer:
    """A command whose packages are not installed here; says so when it is called."""
    stub = typer.Typer(add_completion=False)

    @stub.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
    def refuse() -> None:
        raise InputError(f"{name} needs the package {package}: pip install 'schemaweaver[laptop]'")

    return stub


def _flowing(text: str) -> str:
    """`text` with one line per paragraph: Typer breaks all but the first where the source does."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in cleandoc(text).split("\n\n"))


def _escaped(error: Exception) -> str:
    return _escaped_text(str(error))


def _escaped_text(text: str) -> str:
    return text.replace("[", r"\[")


if __name__ == "__main__":
    start()
