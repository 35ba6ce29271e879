"""What `llama_decode` returns, as errors (the meanings are in `llama.h`)."""

from engine.errors import ContextFullError, EngineError, EngineFatalError, PassAbortedError, ScheduleError


def check_decode(code: int, width: int, problem: str) -> None:
    """Raise the error that `code` stands for; 0 passes.

    After ContextFullError and ScheduleError the memory is as it was before the pass. After the other two it has to
    be dropped and rebuilt from the prompt.
    """
    if code == 0:
        return
    if code == 1:
        raise ContextFullError(f"the context has no room for {width} more tokens; open a longer one", code)
    if code == 2:
        raise PassAbortedError("the pass was aborted", code)
    if code == -1:
        raise ScheduleError(f"llama.cpp refused a pass of {width} rows as invalid: {problem}")
    if code < -1:
        raise EngineFatalError(f"llama.cpp failed with code {code} in a pass of {width} rows: {problem}", code)
    raise EngineError(f"llama_decode returned {code}, which is not known", code)
