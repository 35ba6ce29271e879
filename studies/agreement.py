"""How often schedules write the same call, and for each that differs: by what margin, and whether noise explains it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from engine.vocabulary import Vocabulary
from studies.first_difference import Difference, first_difference
from studies.margins import CallMargins, Margin
from studies.noise import Noise, noise_of
from studies.wilson import wilson_percent
from studies.written_call import WrittenCall


class Reason(StrEnum):
    """What the margin says about a call that differs. Sizes of margins are meant, whichever side the reference takes.

    `near_tie`: no more than the width of passes moves most choices (P95), or this very one. `rare_noise`: no more than
    it moves some choice of the workload. Above that it is no numeric flip. `respelled`: both texts go on alike
    there, and one token was not picked but spells text that was decided elsewhere. `another_context`: one of the tokens
    was not picked behind this text, but in a branch, and nothing checked it. `cut`: one call stops there, at the limit.
    `forbidden`: one of the tokens was not among those that the other schedule could pick, or that the tools' constraint
    allows. `unexplained`: none of these.
    """

    NEAR_TIE = "near-tie"
    RARE_NOISE = "rare noise"
    RESPELLED = "respelled"
    ANOTHER_CONTEXT = "another context"
    CUT = "cut"
    FORBIDDEN = "forbidden"
    UNEXPLAINED = "unexplained"


@dataclass(frozen=True, slots=True)
class ComparedCall:
    """One call by the first schedule and by another one.

    `difference` is None where all tokens are the same; an equal call may be spelled in other tokens. `margin` is the
    first schedule's token against the other's, None where there are not two tokens that the constraint allows.
    """

    call_id: str
    schedule: str
    is_equal: bool
    prompt_tokens: int
    texts: tuple[str, str]
    are_complete: tuple[bool, bool]
    difference: Difference | None
    margin: Margin | None = None


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """On how many calls a schedule writes what the first one writes; Wilson's interval at 95 %, over calls.

    `cut_alike` of the equal calls were cut by the limit, both at the same text.
    """

    schedule: str
    equal: int
    cut_alike: int
    of: int
    percent: float
    low_percent: float
    high_percent: float
    reasons: Mapping[Reason, int]


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """All calls by all schedules against the `first` one, and the noise of the first one's choices."""

    first: str
    calls: tuple[ComparedCall, ...]
    noise: Noise

    @property
    def differing(self) -> tuple[ComparedCall, ...]:
        return tuple(call for call in self.calls if not call.is_equal)

    @property
    def pairs(self) -> tuple[PairAgreement, ...]:
        """One for each other schedule, in the order of their first call."""
        schedules = dict.fromkeys(call.schedule for call in self.calls)
        return tuple(_pair(name, [c for c in self.calls if c.schedule == name], self.noise) for name in schedules)


def compare_call(
    call_id: str, prompt_tokens: int, calls: Sequence[WrittenCall], vocabulary: Vocabulary
) -> tuple[ComparedCall, ...]:
    """One call by several schedules, each against the first; without margins yet."""
    first, *others = calls
    return tuple(
        ComparedCall(
            call_id=call_id,
            schedule=other.schedule,
            is_equal=first.call.same_call(other.call),
            prompt_tokens=prompt_tokens,
            texts=(first.call.text, other.call.text),
            are_complete=(first.call.is_complete, other.call.is_complete),
            difference=first_difference(first, other, vocabulary),
        )
        for other in others
    )


def rivals_of(compared: Sequence[ComparedCall]) -> dict[int, tuple[int, ...]]:
    """The other schedules' tokens where calls first differ, by the token's number in the call."""
    rivals: dict[int, tuple[int, ...]] = {}
    for call in compared:
        if (asked := _rival(call)) is not None:
            index, token = asked
            rivals[index] = (*rivals.get(index, ()), token)
    return rivals


def margin_of(call: ComparedCall, margins: CallMargins) -> Margin | None:
    """The margin where `call` first differs."""
    asked = _rival(call)
    return None if asked is None else margins.rivals.get(asked)


def report_of(first: str, calls: Sequence[ComparedCall], choices: Sequence[Margin]) -> AgreementReport:
    """The report on `calls`, which have their margins, with the noise of `choices`."""
    return AgreementReport(first, tuple(calls), noise_of(choices))


def reason_of(call: ComparedCall, noise: Noise) -> Reason:
    """Why a call differs, as far as its margin tells."""
    difference, margin = call.difference, call.margin
    if difference is None or margin is None:
        return Reason.CUT if _rival(call) is None else Reason.FORBIDDEN
    if difference.are_both_picked and not difference.is_one_choice:
        return Reason.FORBIDDEN
    if difference.is_respelled and not difference.are_both_picked:
        return Reason.RESPELLED
    if abs(margin.reference) <= max(noise.p95, margin.movement):
        return Reason.NEAR_TIE
    if abs(margin.reference) <= noise.max:
        return Reason.RARE_NOISE
    return Reason.UNEXPLAINED if difference.are_both_picked else Reason.ANOTHER_CONTEXT


def to_json(report: AgreementReport) -> dict[str, Any]:
    """`report` as plain JSON data; positions count from the start of the prompt."""
    return {
        "first": report.first,
        "noise": asdict(report.noise),
        "schedules": [asdict(pair) for pair in report.pairs],
        "calls": [_call_json(call, report) for call in report.calls],
    }


def _rival(call: ComparedCall) -> tuple[int, int] | None:
    """Number and token of the other schedule's first difference, where both calls have a token there."""
    difference = call.difference
    if call.is_equal or difference is None or difference.first.token is None or difference.other.token is None:
        return None
    return difference.index, difference.other.token


def _pair(schedule: str, calls: Sequence[ComparedCall], noise: Noise) -> PairAgreement:
    equal, of = [call for call in calls if call.is_equal], len(calls)
    reasons = Counter(reason_of(call, noise) for call in calls if not call.is_equal)
    low, high = wilson_percent(len(equal), of)
    return PairAgreement(
        schedule=schedule,
        equal=len(equal),
        cut_alike=sum(not any(call.are_complete) for call in equal),
        of=of,
        percent=100 * len(equal) / of,
        low_percent=low,
        high_percent=high,
        reasons={reason: reasons[reason] for reason in Reason if reasons[reason]},
    )


def _call_json(call: ComparedCall, report: AgreementReport) -> dict[str, Any]:
    names = (report.first, call.schedule)
    data: dict[str, Any] = {
        "call_id": call.call_id,
        "schedule": call.schedule,
        "equal": call.is_equal,
        "complete": dict(zip(names, call.are_complete, strict=True)),
    }
    if call.is_equal:
        return {**data, "same_tokens": call.difference is None}
    return {
        **data,
        "reason": reason_of(call, report.noise),
        "texts": dict(zip(names, call.texts, strict=True)),
        "difference": _difference_json(call, report.first),
        "margin": _margin_json(call.margin, report.noise),
    }


def _difference_json(call: ComparedCall, first: str) -> dict[str, Any] | None:
    if call.difference is None:
        return None
    difference = call.difference
    return {
        "position": call.prompt_tokens + difference.index,
        "call_token": difference.index,
        "behind": difference.behind,
        first: asdict(difference.first),
        call.schedule: asdict(difference.other),
        "is_respelled": difference.is_respelled,
    }


def _margin_json(margin: Margin | None, noise: Noise) -> dict[str, Any] | None:
    if margin is None:
        return None
    return {
        "reference": margin.reference,
        "at_widths": {str(width): value for width, value in margin.at_widths.items()},
        "is_reversed": margin.is_reversed,
        "is_within_noise_p95": abs(margin.reference) <= noise.p95,
        "is_within_noise_max": abs(margin.reference) <= noise.max,
    }
