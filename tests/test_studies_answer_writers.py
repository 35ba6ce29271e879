"""What the model writes in a simulated run: the accepted answer, and what a schedule wants besides."""

import pytest
from llama_cpp_files import needs_vocabularies
from real_models import real_model

from cost_models import AffineCost
from engine.llamacpp import make_preparer
from engine.tools import Tool
from sim.workload import WorkloadCall
from studies.measured_runs import RunPlan
from studies.simulated_runs import answer_runs

pytestmark = needs_vocabularies

COST = AffineCost(base_ms=1.0, row_ms=0.0)
ASKED = ({"role": "user", "content": "Weather in Rio?"},)
CITY = {"type": "string"}


def written(schedule, call, max_call_tokens=200, call_format="qwen"):
    preparer = make_preparer(real_model("qwen2"), None, call_format)
    (run,) = answer_runs(preparer, [call], RunPlan((schedule,), max_call_tokens=max_call_tokens), COST)
    return run.call.arguments


def asking(optional, accepted):
    tool = Tool("get_weather", "", {"properties": {"city": CITY, **optional}, "required": ["city"]})
    return WorkloadCall("c", ASKED, (tool,), tool.name, {"city": ["Rio"], **accepted})


@pytest.mark.parametrize("call_format", ["qwen", "functiongemma", "qwen3_coder", "llama3_python"])
@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string", "default": "metric"}, "metric"),
        ({"type": "string", "default": None}, ""),
        ({"enum": ["C", "F"], "default": "K"}, "C"),
        ({"type": "integer", "default": "10"}, 0),
        ({"type": "integer", "minimum": 1}, 1),
        ({"type": "boolean"}, False),
        ({"type": "array", "items": {"type": "number"}, "minItems": 2}, [0, 0]),
    ],
)
def test_optional_all_gives_what_the_answer_lacks_the_first_plain_value_that_is_allowed(call_format, schema, value):
    call = asking({"o": schema, "days": {"type": "integer"}}, {"days": [3]})
    assert written("optional_all", call, call_format=call_format) == {"city": "Rio", "o": value, "days": 3}


def test_a_value_that_no_plain_one_fits_is_whatever_the_constraint_lets_through():
    call = asking({"o": {"type": "string", "pattern": "^[xy]{2}$"}}, {})
    arguments = written("optional_all", call)
    assert arguments["city"] == "Rio"
    assert set(arguments["o"]) <= {"x", "y"}
    assert len(arguments["o"]) == 2


@pytest.mark.parametrize("schedule", ["constrained", "schemaweaver", "optional_first", "arguments_given"])
@pytest.mark.parametrize("accepted", [{}, {"days": [3]}, {"unit": ["C"], "days": [3, 4]}])
def test_other_schedules_write_the_first_accepted_answer(schedule, accepted):
    call = asking({"unit": {"enum": ["C", "F"]}, "lang": CITY, "days": {"type": "integer"}}, accepted)
    assert written(schedule, call) == {"city": "Rio", **{name: values[0] for name, values in accepted.items()}}
