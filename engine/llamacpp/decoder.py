"""A model ready to write calls: from a conversation and tools to a request that its backend can run."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.chat import Message, render_prompt, tokenize_prompt
from engine.errors import PromptTooLongError
from engine.formats import CallFormat, format_named, recognise_format
from engine.llamacpp.backend import BackendOptions, LlamaBackend, open_backend
from engine.llamacpp.model import Model
from engine.request import Request
from engine.tools import Tool
from engine.toolset import Toolset


@dataclass(frozen=True, slots=True)
class Decoder:
    """A loaded model, an open context, and the format in which the model writes calls."""

    model: Model
    backend: LlamaBackend
    call_format: CallFormat

    def toolset(self, tools: Sequence[Tool]) -> Toolset:
        """`tools` ready to decode; make it once and use it for all requests with the same tools."""
        return Toolset(tools, self.call_format, self.model.vocabulary)

    def request(
        self, messages: Sequence[Message], toolset: Toolset, max_call_tokens: int = 512, tile_rows: int = 4
    ) -> Request:
        """The request that answers `messages` with a call.

        Raises TemplateError, and PromptTooLongError where the prompt and `max_call_tokens` do not fit the context.
        """
        model, options = self.model, self.backend.options
        text = render_prompt(
            model.template, self.call_format, messages, toolset.tools, model.bos_text, model.eos_text
        )
        prompt = tokenize_prompt(text, model.vocabulary, model.bos)
        if len(prompt) + max_call_tokens > options.context_tokens:
            raise PromptTooLongError(
                f"the prompt has {len(prompt)} tokens and the call may take {max_call_tokens}, "
                f"but the context holds {options.context_tokens}: offer fewer tools or ask for a longer context"
            )
        return Request(prompt, toolset, 0, max_call_tokens, options.max_rows, tile_rows)

    def close(self) -> None:
        """Free the context and the model."""
        self.backend.close()
        self.model.close()


def open_decoder(model: Model, options: BackendOptions | None = None, format_name: str | None = None) -> Decoder:
    """A decoder for `model`; the call format is recognised unless it is named."""
    call_format = format_named(format_name) if format_name else recognise_format(model.template, model.vocabulary)
    return Decoder(model, open_backend(model, options), call_format)
