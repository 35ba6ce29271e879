"""How thoroughly the properties are tested, and which modules beside the tests say what failed of an assertion.

HYPOTHESIS_PROFILE=nightly tries many more examples, new ones each time; `tests/test_law_*.py` are the laws.
"""

import os

import pytest
from hypothesis import HealthCheck, settings

pytest.register_assert_rewrite("valid_calls")

settings.register_profile("normal", max_examples=100, deadline=None, derandomize=True)
settings.register_profile("nightly", max_examples=10_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "normal"))
