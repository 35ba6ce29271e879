"""Profiles by name or by path, and on what ground each may be used."""

import dataclasses

import pytest

from cost_models import CostModelError, write_profile
from cost_models.phones import phone_names, read_phone
from engine.errors import ProfileError
from studies.ground import check_ground
from studies.profiles import FoundProfile, find_profile

PHONE = read_phone("oneplus-12r")
RUN = dataclasses.replace(PHONE.provenance, model_file_name="small.gguf", model_sha256="ab12", source="")


@pytest.mark.parametrize("name", phone_names())
def test_a_phone_is_found_by_its_name(name):
    assert find_profile(name) == FoundProfile(name, read_phone(name), is_phone=True)


def test_a_file_is_found_by_its_path_and_is_no_phone(tmp_path):
    path = tmp_path / "oneplus-12r.json"
    write_profile(PHONE, path)
    assert find_profile(str(path)) == FoundProfile(str(path), PHONE, is_phone=False)


@pytest.mark.parametrize("name", ["nokia", "out/none.json", "oneplus-12R", ""])
def test_what_is_neither_file_nor_phone_lists_the_phones(name):
    with pytest.raises(CostModelError) as caught:
        find_profile(name)
    assert str(caught.value) == f"{name}: no such profile file, nor a phone; phones by name: oneplus-12r, pixel-7"


@pytest.mark.parametrize("accept", [False, True])
def test_a_named_phone_is_a_what_if_with_one_warning_that_says_whose_times_these_are(accept):
    (warning,) = check_ground(find_profile("oneplus-12r"), RUN, accept)
    assert warning.startswith("a what-if: the passes are those of small.gguf; their times are those of Qwen3-1.7B")
    assert "on a OnePlus 12R (Snapdragon 8 Gen 2, 4 Cortex-A715 at 1.79 GHz)" in warning
    assert "derived from arXiv:2610.17436v1: Tables 2 and 10" in warning


def test_the_same_profile_as_a_file_is_refused_unless_asked_for(tmp_path):
    path = tmp_path / "phone.json"
    write_profile(PHONE, path)
    found = find_profile(str(path))
    with pytest.raises(ProfileError, match=r"phone\.json: The profile does not say which model file .*--other-model"):
        check_ground(found, RUN, accept=False)
    (warning,) = check_ground(found, RUN, accept=True)
    assert warning.startswith(f"{path}: The profile does not say which model file")
