"""Which vocabularies let one model draft for another."""

import pytest
from llama_cpp_files import needs_vocabularies
from llguidance import LLTokenizer
from real_vocabularies import real_vocabulary
from toy_vocabulary import byte_vocabulary, toy_vocabulary, unmarked_vocabulary

from engine.errors import InputError
from engine.same_vocabulary import check_can_draft
from engine.vocabulary import Vocabulary


def refusal(draft: Vocabulary, vocabulary: Vocabulary) -> str:
    with pytest.raises(InputError) as raised:
        check_can_draft("small.gguf", draft, "large.gguf", vocabulary)
    return str(raised.value)


def test_the_same_vocabulary_is_taken():
    check_can_draft("small.gguf", toy_vocabulary(), "large.gguf", toy_vocabulary())


def test_tokens_of_which_one_has_others_are_refused_with_the_first_of_them():
    said = refusal(unmarked_vocabulary(), toy_vocabulary())
    assert "small.gguf cannot draft for large.gguf: the two need the same vocabulary, but token" in said
    first = next(
        token
        for token in range(unmarked_vocabulary().size)
        if toy_vocabulary().decode([token]) != unmarked_vocabulary().decode([token])
    )
    assert f"token {first} is" in said


def test_tokens_that_the_larger_model_alone_has_do_not_matter_and_those_of_the_smaller_do():
    # The byte vocabulary ends with a token that ends the text; the toy one has merged tokens there.
    bytes_alone = Vocabulary(LLTokenizer("byte"))
    assert refusal(bytes_alone, toy_vocabulary()).startswith("small.gguf cannot draft")
    more = with_size(byte_vocabulary(), byte_vocabulary().size + 3)
    check_can_draft("small.gguf", byte_vocabulary(), "large.gguf", more)
    assert f"token {byte_vocabulary().size} is '' in the one and missing in the other" in refusal(
        more, byte_vocabulary()
    )


def with_size(vocabulary: Vocabulary, size: int) -> Vocabulary:
    """`vocabulary` with tokens behind its own that spell nothing."""

    class Padded(Vocabulary):
        @property
        def size(self) -> int:
            return size

        def decode(self, tokens):
            return vocabulary.decode([token for token in tokens if token < vocabulary.size])

    return Padded(vocabulary.tokenizer, vocabulary.specials)


def test_a_token_that_is_a_marker_in_one_alone_is_refused():
    plain = Vocabulary(toy_vocabulary().tokenizer)
    first = min(toy_vocabulary().specials.values())
    assert f"token {first} is the marker" in refusal(toy_vocabulary(), plain)


@needs_vocabularies
@pytest.mark.parametrize(("draft", "target"), [("qwen2", "llama-bpe"), ("gpt-2", "starcoder")])
def test_families_of_models_do_not_draft_for_one_another(draft, target):
    assert "the same vocabulary" in refusal(real_vocabulary(draft), real_vocabulary(target))


@needs_vocabularies
def test_a_real_vocabulary_is_its_own():
    check_can_draft("small.gguf", real_vocabulary("qwen2"), "large.gguf", real_vocabulary("qwen2"))
