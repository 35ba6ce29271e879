"""A model ready to write calls: from a conversation and tools to a request that its backend can run."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from engine.chat import Message, render_prompt, said_by_user, tokenize_prompt
from engine.commands import Emit
from engine.driver import ToolFunction, run_blocking
from engine.errors import PromptTooLongError
from engine.formats import CallFormat, format_named
from engine.llamacpp.backend import BackendOptions, LlamaBackend, open_backend
from engine.llamacpp.model import Model
from engine.prompt_reuse import plan_reuse, reusing
from engine.recognise_format import Recognised, recognise_format
from engine.records import MEASURED, RunRecord
from engine.request import Request
from engine.same_vocabulary import check_can_draft
from engine.schedules import schedule_named
from engine.tools import Tool
from engine.toolset import Toolset

_OWN_SEQUENCES = 3
"""Sequences that no branch may take: the trunk, one for padding, and one that keeps a prompt."""

_DRAFT_SEQUENCES = 2
"""Sequences of a draft model: the trunk, and one for drafts where those cannot be taken back."""


@dataclass(frozen=True, slots=True)
class Preparer:
    """A model's way of asking and answering: its chat template, vocabulary and call format.

    Needs no weights: a model loaded with its vocabulary alone will do. `options` are those of the context that requests
    will run in. `format_reason` says how the format was told.
    """

    model: Model
    call_format: CallFormat
    options: BackendOptions = field(default_factory=BackendOptions)
    format_reason: str = ""

    def toolset(self, tools: Sequence[Tool], lenient: bool = False) -> Toolset:
        """`tools` ready to decode; make it once and use it for all requests with the same tools.

        With `lenient`, what of their schemas cannot be enforced is left out, and `Toolset.warnings` names it.
        """
        return Toolset(tools, self.call_format, self.model.vocabulary, lenient)

    def request(
        self, messages: Sequence[Message], toolset: Toolset, max_call_tokens: int = 512, tile_rows: int = 4
    ) -> Request:
        """The request that answers `messages` with a call.

        Raises InputError for what is no conversation, TemplateError, and PromptTooLongError where the prompt and
        `max_call_tokens` do not fit the context.
        """
        model = self.model
        rendered = render_prompt(
            model.template,
            self.call_format,
            messages,
            toolset.tools,
            model.bos_text,
            model.eos_text,
            model.vocabulary.specials,
        )
        prompt = tokenize_prompt(rendered, model.vocabulary, model.bos)
        if len(prompt) + max_call_tokens > self.options.context_tokens:
            raise PromptTooLongError(
                f"the prompt has {len(prompt)} tokens and the call may take {max_call_tokens}, "
                f"but the context holds {self.options.context_tokens}: offer fewer tools or ask for a longer context"
            )
        return Request(
            prompt,
            toolset,
            0,
            max_call_tokens,
            self.options.max_rows,
            tile_rows,
            model.capabilities,
            said=said_by_user(messages),
            max_branches=max(0, self.options.max_sequences - _OWN_SEQUENCES),
            max_cells=self.options.context_tokens,
            max_picks=self.options.max_picks,
        )


@dataclass(frozen=True, slots=True)
class Decoder:
    """A preparer and an open context of its model, whose last sequence is the decoder's own.

    `draft` is the context of a model that drafts for it.
    """

    preparer: Preparer
    backend: LlamaBackend
    draft: LlamaBackend | None = None

    def call(
        self,
        request: Request,
        schedule: str,
        tool: ToolFunction | None = None,
        on_emit: Callable[[Emit], None] | None = None,
        call_id: str = "call",
    ) -> RunRecord:
        """Decode the call that `request` asks for; what the context holds of its prompt is reused.

        `tool` and `on_emit` are those of `run_blocking`. Raises what it raises, and InputError for an unknown schedule.
        """
        decode = schedule_named(schedule)
        request = self.drafting(request)
        spare = self.backend.options.max_sequences - 1
        reuse = plan_reuse(self.backend, request, spare)
        steps = reusing(request, reuse, spare, decode)
        outcome = run_blocking(steps, self.backend, tool, on_emit, draft=self.draft)
        return RunRecord(
            call_id=call_id,
            schedule=schedule,
            source=MEASURED,
            repeat=0,
            prompt_tokens=len(request.prompt),
            reused_tokens=reuse.tokens,
            passes=outcome.passes,
            emits=outcome.emits,
            tool_runs=outcome.tool_runs,
            settings={"tile_rows": request.tile_rows, "max_call_tokens": request.max_call_tokens},
        )

    def drafting(self, request: Request) -> Request:
        """`request` with what the draft model's memory can do, which is empty from now on."""
        if self.draft is None:
            return request
        self.draft.clear()
        return replace(request, draft_memory=self.draft.model.capabilities)

    def close(self) -> None:
        """Free the contexts and the models."""
        self.backend.close()
        self.preparer.model.close()
        if self.draft is not None:
            self.draft.close()
            self.draft.model.close()


def make_preparer(model: Model, options: BackendOptions | None = None, format_name: str | None = None) -> Preparer:
    """A preparer for `model`; the call format is recognised unless it is named."""
    told = _named(format_name) if format_name else _recognised(model)
    return Preparer(model, told.call_format, options or BackendOptions(), told.reason)


def open_decoder(
    model: Model,
    options: BackendOptions | None = None,
    format_name: str | None = None,
    draft_model: Model | None = None,
) -> Decoder:
    """A decoder for `model`, with a context opened by `options`, and one for a model that drafts for it.

    Raises InputError where the two have other vocabularies.
    """
    preparer = make_preparer(model, options, format_name)
    if draft_model is None:
        return Decoder(preparer, open_backend(model, preparer.options))
    check_can_draft(draft_model.name, draft_model.vocabulary, model.name, model.vocabulary)
    draft_options = replace(preparer.options, max_sequences=_DRAFT_SEQUENCES)
    return Decoder(preparer, open_backend(model, preparer.options), open_backend(draft_model, draft_options))


def _named(format_name: str) -> Recognised:
    return Recognised(format_named(format_name), "it was named")


def _recognised(model: Model) -> Recognised:
    return recognise_format(model.template, model.vocabulary, model.bos_text, model.eos_text)
