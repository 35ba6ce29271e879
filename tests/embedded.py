"""The embedded model for tests of the real engine, opened once per process."""

from functools import cache

from engine.llamacpp import BackendOptions, Decoder, load_model, open_decoder
from engine.tools import Tool
from studies.models import embedded_model

WEATHER = Tool(
    name="get_weather",
    description="Weather forecast of a city",
    parameters={
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "days": {"type": "integer"},
            "unit": {"enum": ["celsius", "fahrenheit"]},
        },
        "required": ["city", "days"],
    },
    read_only=True,
)
ALARM = Tool(
    name="set_alarm",
    description="Set an alarm",
    parameters={
        "type": "object",
        "properties": {
            "hour": {"type": "integer"},
            "label": {"type": "string"},
            "days": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["hour", "label"],
    },
)
ASK = [{"role": "user", "content": "What is the weather in Tokyo for the next 3 days?"}]


@cache
def decoder() -> Decoder:
    """The embedded model in a context of 2048 tokens and 16 sequences."""
    return open_decoder(load_model(embedded_model()), BackendOptions(context_tokens=2048, max_sequences=16))
