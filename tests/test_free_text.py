"""Text that no grammar constrains: everything may come, and the end of text ends it."""

import numpy as np
import pytest
from toy_vocabulary import VOCABULARIES

from engine.free_text import FreeText
from engine.picks import greedy_pick


@pytest.mark.parametrize("name", VOCABULARIES)
def test_every_token_of_the_vocabulary_may_come_and_no_other(name):
    vocabulary = VOCABULARIES[name]()
    free = FreeText(vocabulary)
    assert free.mask().shape == (vocabulary.size,)
    assert free.mask().all()
    assert all(free.allows(token) for token in range(vocabulary.size))
    assert not any(free.allows(token) for token in (-1, vocabulary.size))


@pytest.mark.parametrize("name", VOCABULARIES)
def test_only_the_end_of_text_ends_it(name):
    vocabulary = VOCABULARIES[name]()
    free = FreeText(vocabulary)
    for token in (0, vocabulary.size - 1 if vocabulary.end_token != vocabulary.size - 1 else 1, ord('"')):
        free.advance(token)
        assert not free.is_finished
    free.advance(vocabulary.end_token)
    assert free.is_finished


def test_a_pick_is_the_models_best():
    vocabulary = VOCABULARIES["toy"]()
    logits = np.zeros(vocabulary.size, dtype=np.float32)
    logits[vocabulary.end_token] = 1.0
    assert greedy_pick(logits, FreeText(vocabulary)) == vocabulary.end_token
