"""`schemaweaver sweep` and `schemaweaver break-even`: what they print and write, and what they refuse."""

import json
import re

import polars as pl
import pytest
from command_line import run_main
from sweep_cases import FILE

from cost_models.devices import device_names
from sim.pass_file import write_passes
from studies.commands import sweep as command
from studies.sweep.axes import AXES


@pytest.fixture
def passes(tmp_path):
    """A file of four calls by three schedules."""
    path = tmp_path / "passes.parquet"
    write_passes(path, FILE)
    return path


@pytest.fixture
def kept(passes, tmp_path):
    """Options that sweep those."""
    return ("sweep", "--passes", passes, "--calls", 4, "-o", tmp_path / "sweep.parquet")


def said(captured):
    return " ".join(captured.split())


def test_a_sweep_writes_points_and_charts_and_prints_a_marked_table(monkeypatch, capsys, tmp_path, kept):
    page = tmp_path / "sweep.html"
    assert run_main(monkeypatch, *kept, "--bus", "500:3172:3", "-s", "schemaweaver", "--chart", page) == 0
    captured = capsys.readouterr()
    frame = pl.read_parquet(tmp_path / "sweep.parquet")
    assert frame["bus_mhz"].to_list() == [500.0, 1836.0, 3172.0]
    assert set(frame["device"]) == {"pixel-7"}
    assert frame["is_extrapolated"].to_list() == [True, False, False]
    assert "3 points on 4 calls of" in captured.err
    marks = [
        line.split()[-1][-1] for line in captured.out.splitlines() if line.startswith((" 500", " 1,836", " 3,172"))
    ]
    assert [mark == "*" for mark in marks] == [True, False, False]
    assert "assumed: The part of a pass that waits for the memory bus goes with 1 / clock" in captured.out
    assert f"3 points written to {tmp_path / 'sweep.parquet'}" in captured.out
    assert "schemaweaver sweep --passes" in page.read_text(encoding="utf-8")


def test_axes_may_come_in_one_option(monkeypatch, tmp_path, kept):
    stated = {"device": "pixel-7", "bus": "676,3172", "tool-ms": "0,50", "schedule": "jump_forward"}
    assert run_main(monkeypatch, *kept, *(part for name in stated for part in (f"--{name}", stated[name]))) == 0
    own = pl.read_parquet(tmp_path / "sweep.parquet")
    assert (
        run_main(monkeypatch, *kept, *(part for name in stated for part in ("--axis", f"{name}={stated[name]}"))) == 0
    )
    assert own.height == 4
    assert pl.read_parquet(tmp_path / "sweep.parquet").equals(own)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--bus", "676:3172"), "--bus 676:3172: a range needs a number of steps; expected numbers above 0"),
        (("--bus", "676:3172:0"), "0 steps; a range has a whole number of them, from 1 to 100,000"),
        (("--clock", "-5"), "--clock -5: -5 lies outside; expected numbers above 0"),
        (("--axis", "warp=9"), "unknown axis 'warp'; choose one of: device (devices by name or file); model"),
        (("--axis", "bus=9", "--bus", "9"), "bus has values already"),
        (("--bus", "9", "--bandwidth", "9"), "--bus and --bandwidth: the one follows from the other"),
        (("--device", "nokia"), f"nokia: no such device, nor a device file; devices: {', '.join(device_names())}"),
        (("--model", "gpt"), "gpt: no such GGUF file, nor a model by name; by name: Qwen3-1.7B-Q8_0"),
        (("--quantisation", "Q1"), "unknown quantisation 'Q1'; choose one of: F32"),
        (("--schedule", "warp"), "unknown schedule 'warp'; choose one of: unconstrained"),
        (("--schedule", "verified"), "no run by schedule 'verified'; there are: constrained, jump_forward"),
        (
            ("--device", "oneplus-12r", "--bus", "600"),
            "--bus: oneplus-12r does not say its own clock",
        ),
        (("--batch", "8"), "with --batch schedules have to run; leave one of them out"),
        (("--workload", "bfcl:3"), "with --workload bfcl:3 schedules have to run; leave one of them out"),
        (("--acceptance", "0.5", "-s", "verified"), "--acceptance: only speculative has a draft head"),
    ],
)
def test_a_sweep_that_cannot_be_is_refused_with_what_is_valid(monkeypatch, capsys, tmp_path, kept, options, problem):
    assert run_main(monkeypatch, *kept, *options) == 2
    captured = said(capsys.readouterr().err)
    assert problem in captured
    assert "Traceback" not in captured
    assert not (tmp_path / "sweep.parquet").exists()


def test_calls_of_a_workload_keep_their_shape(monkeypatch, capsys, tmp_path):
    asked = ("sweep", "--arguments", "2", "-w", "bfcl:3", "-o", tmp_path / "s.parquet")
    assert run_main(monkeypatch, *asked) == 2
    assert "--arguments: the calls of --workload bfcl:3 are as they are" in said(capsys.readouterr().err)


def test_too_many_calls_and_missing_passes_are_refused(monkeypatch, capsys, kept, tmp_path):
    assert run_main(monkeypatch, *kept, "--calls", "9") == 2
    assert "9 calls were asked for; those with arguments are 4" in said(capsys.readouterr().err)
    assert run_main(monkeypatch, "sweep", "--passes", "none", "-o", tmp_path / "s.parquet") == 2
    assert "none: no such file, nor passes by name; by name: bfcl" in said(capsys.readouterr().err)


def test_devices_of_another_tile_than_the_kept_passes_have_are_warned_of(monkeypatch, capsys, kept):
    assert run_main(monkeypatch, *kept, "--device", "oneplus-12r-npu") == 0
    assert "the kept passes are filled up to 4 rows, but devices compute" in said(capsys.readouterr().err)
    assert run_main(monkeypatch, *kept) == 0
    assert "filled up" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "names", "assumes_tokens"),
    [
        ((), {"bfcl-read-only-qwen"}, False),
        (("--model", "Llama-3.2-1B"), {"bfcl-read-only-llama3"}, False),
        (("--model", "SmolLM2-1.7B,Qwen3-0.6B"), {"bfcl-read-only-smollm2", "bfcl-read-only-qwen"}, False),
        (("--device", "epyc-2-cores"), {"bfcl-read-only-qwen"}, True),
        (("--model", "Llama-3.2-1B", "--passes", "bfcl-read-only-qwen"), {"bfcl-read-only-qwen"}, True),
    ],
)
def test_kept_passes_are_those_of_the_models_family_or_it_is_said(
    monkeypatch, capsys, tmp_path, options, names, assumes_tokens
):
    asked = ("sweep", "--calls", 5, "-s", "jump_forward", "-o", tmp_path / "sweep.parquet", *options)
    assert run_main(monkeypatch, *asked) == 0
    captured = capsys.readouterr()
    assert set(re.findall(r"bfcl-[\w-]+", captured.err)) == names
    assert ("assumed: Passes are of the tokens of ggml-vocab-qwen3.gguf, in place of" in captured.out) is assumes_tokens


def test_points_of_two_families_are_priced_by_passes_of_their_own(monkeypatch, tmp_path):
    def finals(models):
        out = tmp_path / "sweep.parquet"
        asked = ("sweep", "--calls", 5, "-s", "jump_forward", "--model", models, "-o", out)
        assert run_main(monkeypatch, *asked) == 0
        frame = pl.read_parquet(out)
        return dict(zip(frame["model"], frame["final_ms"], strict=True))

    names = ("SmolLM2-1.7B", "Qwen3-0.6B")
    assert finals(",".join(names)) == {name: finals(name)[name] for name in names}


def test_passes_of_schedules_that_run_are_of_their_vocabularys_tokens(monkeypatch, capsys, tmp_path):
    asked = ("sweep", "--arguments", "1", "-s", "jump_forward", "-o", tmp_path / "sweep.parquet")
    assert run_main(monkeypatch, *asked) == 0
    said_so = "assumed: Passes are of the tokens of SmolLM2-135M-Instruct.Q4_1.gguf, in place of Qwen3-1.7B-Q8_0's own."
    assert said_so in capsys.readouterr().out


def test_the_bus_question_prices_kept_passes_of_the_models_family_and_warns_of_another_tile(monkeypatch, capsys):
    asked = ("break-even", "bus", "--calls", "4", "--speedup", "2")
    assert run_main(monkeypatch, *asked, "--at", "model=Llama-3.2-1B") == 0
    captured = capsys.readouterr()
    assert "4 calls of bfcl-read-only-llama3" in captured.out
    assert "in place of" not in captured.out
    assert "filled up" not in captured.err
    assert run_main(monkeypatch, *asked, "--device", "oneplus-12r-npu") == 0
    assert "kept passes are filled up to 4 rows, but devices compute 32 at once" in said(capsys.readouterr().err)


def test_a_model_that_does_not_fit_is_warned_of(monkeypatch, capsys, kept):
    assert run_main(monkeypatch, *kept, "--device", "pixel-7", "--model", "Qwen3-4B,Qwen3-0.6B") == 0
    captured = capsys.readouterr()
    assert "warning: device pixel-7, model Qwen3-4B: 9." in captured.err
    assert "swapping is not modelled" in captured.err
    assert "Qwen3-0.6B" not in captured.err
    assert "final call" in captured.out


def test_ctrl_c_keeps_what_is_done_and_says_so(monkeypatch, capsys, tmp_path, kept):
    whole = command.outcomes

    def interrupted(points, ground):
        yield from list(whole(points, ground))[:2]
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "outcomes", interrupted)
    assert run_main(monkeypatch, *kept, "--bus", "700:3000:5", "-s", "schemaweaver") == 130
    assert "interrupted: 2 of 5 points are written" in capsys.readouterr().err
    assert pl.read_parquet(tmp_path / "sweep.parquet")["bus_mhz"].to_list() == [700.0, 1275.0]


def test_axes_that_change_passes_run_the_schedules_on_made_calls(monkeypatch, capsys, tmp_path):
    out = tmp_path / "sweep.parquet"
    asked = ("sweep", "--arguments", "1,4", "--batch", "1,4", "-s", "schemaweaver,verified", "-o", out)
    assert run_main(monkeypatch, *asked) == 0
    frame = pl.read_parquet(out)
    assert (
        frame["arguments"].to_list() == [1] * 4 + [4] * 4 or sorted(frame["arguments"].to_list()) == [1] * 4 + [4] * 4
    )
    assert set(frame["value_tokens"]) == {6}
    assert "made calls, run now with the vocabulary of SmolLM2" in capsys.readouterr().err


def test_break_even_padding_answers_and_gives_the_same_as_json(monkeypatch, capsys):
    asked = ("break-even", "padding", "--device", "oneplus-12r", "--batch", "4,8")
    assert run_main(monkeypatch, *asked) == 0
    text = capsys.readouterr().out
    assert "Filled up to 4 rows: padding pays with 2, 3 unfinished sequences." in text
    assert "schemaweaver break-even padding --device oneplus-12r --batch 4,8" in text
    assert run_main(monkeypatch, *asked, "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["command"].endswith("--batch 4,8 --json")
    assert data["batches"][0]["pays_with"] == [2, 3]
    assert all(sentence in text for sentence in data["answer"])


def test_break_even_bus_answers_for_both_latencies(monkeypatch, capsys, passes):
    asked = ("break-even", "bus", "--passes", passes, "--calls", "4", "--speedup", "2", "--json")
    assert run_main(monkeypatch, *asked) == 0
    data = json.loads(capsys.readouterr().out)
    assert [answer["latency"] for answer in data["answers"]] == ["tool_start", "final"]
    assert data["within"]["axis"] == "bus"
    assert all(sentence.startswith("schemaweaver's ") for sentence in data["answer"])


def test_break_even_arguments_answers_for_both_schedules(monkeypatch, capsys):
    asked = ("break-even", "arguments", "--most", "3", "--at", "value-tokens=3", "--json")
    assert run_main(monkeypatch, *asked) == 0
    gains = json.loads(capsys.readouterr().out)["gains"]
    assert [(each["schedule"], each["latency"]) for each in gains] == [
        (schedule, latency) for schedule in ("schemaweaver", "verified") for latency in ("tool_start", "final")
    ]
    assert [len(each["gains"]) for each in gains] == [3] * 4


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (
            ("padding", "--batch", "4", "--tile", "4"),
            "--batch and --tile: passes are filled up to the one or the other",
        ),
        (("padding", "--batch", "0"), "--batch 0: 0 lies outside; expected whole numbers from 1"),
        (("padding", "--at", "arguments=3"), "--at arguments=3: arguments is no condition of this question"),
        (("padding", "--device", "nokia"), "nokia: no such device"),
        (("padding", "--at", "model=gpt"), "gpt: no such GGUF file"),
        (("bus", "--speedup", "1"), "--speedup 1: expected a number above 1"),
        (("bus", "--within", "300"), "--within 300: expected FROM:TO, two numbers above 0 in rising order"),
        (("bus", "--within", "300:200"), "--within 300:200: expected FROM:TO"),
        (("bus", "--schedule", "warp"), "unknown schedule 'warp'"),
        (
            ("bus", "--at", "tile=8"),
            "--at tile=8: tile is no condition of this question; choose of: model, quantisation",
        ),
        (("bus", "--at", "bus=676"), "--at bus=676: bus is no condition of this question"),
        (("arguments", "--at", "prompt-tokens=9"), "--prompt-tokens 9: the tool with"),
    ],
)
def test_questions_that_cannot_be_answered_are_refused_with_what_is_valid(monkeypatch, capsys, arguments, problem):
    assert run_main(monkeypatch, "break-even", *arguments) == 2
    captured = said(capsys.readouterr().err)
    assert problem in captured
    assert "Traceback" not in captured


def test_each_axis_has_an_option_in_the_help(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "200")
    assert run_main(monkeypatch, "sweep", "--help") == 0
    shown = capsys.readouterr().out
    assert all(f"--{name} " in shown for name in AXES)
