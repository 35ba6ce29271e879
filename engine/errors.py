"""The errors of this project, by whose fault they are.

The library raises them; only the command line prints them and exits.
"""


class SchemaWeaverError(Exception):
    """Root of all errors that this project raises on purpose."""


class InputError(SchemaWeaverError):
    """The caller's input cannot be used: a file, a tool, a name, a value."""


class ToolError(InputError):
    """A tool definition cannot be used; names the file where there is one, the tool, the JSON path and what is wrong.

    `tool` is empty where the definition has no usable name. `path` starts at the file's data (`$.tools[2].name`,
    `line 3: $.name`) where `source` names a file, else at the tool (`$.parameters.type`).
    """

    def __init__(self, tool: str, path: str, problem: str, source: str = "") -> None:
        named = f"tool {tool!r}: " if tool else ""
        super().__init__(f"{source}: {named}{path}: {problem}" if source else f"{named}{path}: {problem}")
        self.tool, self.path, self.problem, self.source = tool, path, problem, source


class ModelFileError(InputError):
    """A GGUF file is missing, no GGUF, damaged, or of a kind that cannot call tools here."""


class TemplateError(InputError):
    """The model's chat template refused the conversation."""


class PromptTooLongError(InputError):
    """The prompt and the room for a call do not fit the context."""


class ProfileError(InputError):
    """A device profile is damaged or belongs to another model, engine or thread count."""


class EngineError(SchemaWeaverError):
    """llama.cpp failed; carries its return code where there is one."""

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code


class EngineCrashError(EngineError):
    """llama.cpp ended a process by a signal: it was compiled for another machine, or its compiler broke it."""


class ContextFullError(EngineError):
    """No room in the KV cache (code 1); the memory is as before the pass."""


class PassAbortedError(EngineError):
    """The pass was aborted part-way (code 2); the memory must be rebuilt."""


class EngineFatalError(EngineError):
    """llama.cpp failed in the middle of a pass (below -1); the memory must be rebuilt."""


class ScheduleError(SchemaWeaverError):
    """A schedule broke a rule of the engine's memory or of its own constraint: a fault of ours."""
