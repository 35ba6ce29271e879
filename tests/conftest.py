"""How thoroughly the properties are tested: HYPOTHESIS_PROFILE=nightly tries many more examples, new ones each time."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile("normal", max_examples=100, deadline=None, derandomize=True)
settings.register_profile("nightly", max_examples=10_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "normal"))
