"""Models of each kind of memory with a few thousand random weights, written as GGUF files and opened by llama.cpp.

Hyperparameters and tensors are those that llama.cpp's loader asks for (`src/models/*.cpp`); sizes are the least that it
takes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import numpy as np
import numpy.typing as npt
from gguf import GGUFWriter, TokenType

from engine.capabilities import ATTENTION, Capabilities
from engine.llamacpp import BackendOptions, Decoder, load_model, open_decoder

EMBEDDING, HEADS, FEED_FORWARD, STATE, RANK, CONVOLUTION, WINDOW, LAYERS = 32, 2, 64, 8, 4, 3, 16, 2
HEAD = EMBEDDING // HEADS
INNER = 2 * EMBEDDING
TEMPLATE = (
    "{% for tool in tools or [] %}{{ tool.function.name }} {% endfor %}"
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
MARKERS = ("<|im_start|>", "<|im_end|>", "<tool_call>", "</tool_call>")
WORDS = ('{"name": ', '", "', '": ', '"}', '",', ' "', '"arguments": {"', "}}", "user", "assistant", "get", "city")
SPACE = "\u2581"
"""How SentencePiece has a space."""

Weights = Mapping[str, npt.NDArray[np.float32]]


@dataclass(frozen=True)
class Kind:
    """A kind of memory: an architecture of llama.cpp that has it, and what it can do."""

    architecture: str
    capabilities: Capabilities
    describe: Callable[[GGUFWriter], None]
    layer: Callable[["Random", int], Weights]
    output_norm: str = "output_norm"


class Random:
    """Weights of a fixed seed, by the shapes of llama.cpp's sources: inputs first."""

    def __init__(self, seed: int) -> None:
        self._generator = np.random.default_rng(seed)

    def matrix(self, inputs: int, outputs: int) -> npt.NDArray[np.float32]:
        """Keeps the scale of what goes through it, so that the logits depend on all that went before."""
        return (self._generator.standard_normal((outputs, inputs)) * 1.5 / np.sqrt(inputs)).astype(np.float32)

    def vector(self, size: int) -> npt.NDArray[np.float32]:
        return self._generator.uniform(0.5, 1.5, size).astype(np.float32)


def open_tiny(kind: str, folder: Path, **options: int) -> Decoder:
    """The tiny model of `kind`, written into `folder`, in a context of 1024 tokens and 8 sequences on one thread."""
    path = folder / f"{kind}.gguf"
    write_model(KINDS[kind], path)
    chosen = {"context_tokens": 1024, "max_sequences": 8, "max_rows": 256, "threads": 1, **options}
    return open_decoder(load_model(path), BackendOptions(**chosen), "qwen")


def write_model(kind: Kind, path: Path, words: Sequence[str] = WORDS) -> None:
    """Write the model as a GGUF file, with these words for tokens; a call of any tool takes a space among them."""
    writer = GGUFWriter(path, kind.architecture)
    tokens = _describe_vocabulary(writer, words)
    writer.add_context_length(1024)
    writer.add_embedding_length(EMBEDDING)
    writer.add_block_count(LAYERS)
    writer.add_layer_norm_rms_eps(1e-5)
    kind.describe(writer)
    for name, values in _weights(kind, tokens).items():
        writer.add_tensor(name, values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _weights(kind: Kind, tokens: int) -> Weights:
    random = Random(7)
    weights = {
        "token_embd.weight": random.matrix(EMBEDDING, tokens),
        f"{kind.output_norm}.weight": random.vector(EMBEDDING),
    }
    for number in range(LAYERS):
        weights |= {f"blk.{number}.{name}": values for name, values in kind.layer(random, number).items()}
    return weights


def _describe_vocabulary(writer: GGUFWriter, words: Sequence[str]) -> int:
    """A SentencePiece vocabulary: all bytes, markers, and words with all their starts, so that they can be merged."""
    special = [("<unk>", TokenType.UNKNOWN), ("<s>", TokenType.CONTROL), ("</s>", TokenType.CONTROL)]
    special += [(f"<0x{byte:02X}>", TokenType.BYTE) for byte in range(256)]
    special += [(marker, TokenType.CONTROL) for marker in MARKERS]
    spelled = [word.replace(" ", SPACE) for word in words]
    starts = dict.fromkeys(start for word in spelled for start in accumulate(word) if len(start) > 1 or word == SPACE)
    tokens = [*special, *((start, TokenType.NORMAL) for start in starts)]
    writer.add_tokenizer_model("llama")
    writer.add_token_list([text for text, _ in tokens])
    writer.add_token_types([kind for _, kind in tokens])
    writer.add_token_scores([-float(number) for number in range(len(tokens))])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_add_bos_token(True)
    writer.add_add_space_prefix(False)
    writer.add_chat_template(TEMPLATE)
    return len(tokens)


def _attention(random: Random) -> Weights:
    return {f"attn_{name}.weight": random.matrix(EMBEDDING, EMBEDDING) for name in ("q", "k", "v", "output")}


def _feed_forward(random: Random) -> Weights:
    return {
        "ffn_norm.weight": random.vector(EMBEDDING),
        "ffn_gate.weight": random.matrix(EMBEDDING, FEED_FORWARD),
        "ffn_up.weight": random.matrix(EMBEDDING, FEED_FORWARD),
        "ffn_down.weight": random.matrix(FEED_FORWARD, EMBEDDING),
    }


def _norms(random: Random, sizes: Mapping[str, int]) -> Weights:
    return {f"{name}.weight": random.vector(size) for name, size in sizes.items()}


def _llama_layer(random: Random, number: int) -> Weights:
    return {**_norms(random, {"attn_norm": EMBEDDING}), **_attention(random), **_feed_forward(random)}


def _gemma_layer(random: Random, number: int) -> Weights:
    more = {"post_attention_norm": EMBEDDING, "post_ffw_norm": EMBEDDING, "attn_q_norm": HEAD, "attn_k_norm": HEAD}
    return {**_llama_layer(random, number), **_norms(random, more)}


def _mamba_layer(random: Random, number: int) -> Weights:
    return {
        "attn_norm.weight": random.vector(EMBEDDING),
        "ssm_in.weight": random.matrix(EMBEDDING, 2 * INNER),
        "ssm_conv1d.weight": random.matrix(CONVOLUTION + 1, INNER),
        "ssm_conv1d.bias": random.vector(INNER),
        "ssm_x.weight": random.matrix(INNER, RANK + 2 * STATE),
        "ssm_dt.weight": random.matrix(RANK, INNER),
        "ssm_dt.bias": random.vector(INNER),
        "ssm_a": -(random.matrix(STATE, INNER) ** 2),
        "ssm_d": random.vector(INNER),
        "ssm_out.weight": random.matrix(INNER, EMBEDDING),
    }


def _lfm_layer(random: Random, number: int) -> Weights:
    """A short convolution first, then attention."""
    if number % 2:
        return {**_llama_layer(random, number), **_norms(random, {"attn_q_norm": HEAD, "attn_k_norm": HEAD})}
    return {
        "attn_norm.weight": random.vector(EMBEDDING),
        "shortconv.conv.weight": random.matrix(CONVOLUTION, EMBEDDING),
        "shortconv.in_proj.weight": random.matrix(EMBEDDING, 3 * EMBEDDING),
        "shortconv.out_proj.weight": random.matrix(EMBEDDING, EMBEDDING),
        **_feed_forward(random),
    }


def _describe_attention(writer: GGUFWriter) -> None:
    writer.add_head_count(HEADS)
    writer.add_feed_forward_length(FEED_FORWARD)


def _describe_window(writer: GGUFWriter) -> None:
    _describe_attention(writer)
    writer.add_sliding_window(WINDOW)
    writer.add_sliding_window_pattern([True, False])


def _describe_mamba(writer: GGUFWriter) -> None:
    writer.add_head_count(0)
    writer.add_feed_forward_length(0)
    writer.add_ssm_conv_kernel(CONVOLUTION + 1)
    writer.add_ssm_inner_size(INNER)
    writer.add_ssm_state_size(STATE)
    writer.add_ssm_time_step_rank(RANK)


def _describe_lfm(writer: GGUFWriter) -> None:
    _describe_attention(writer)
    writer.add_head_count_kv([0, HEADS])
    writer.add_shortconv_l_cache(CONVOLUTION)


KINDS: Mapping[str, Kind] = {
    "attention": Kind("llama", ATTENTION, _describe_attention, _llama_layer),
    "window": Kind("gemma3", Capabilities(window_tokens=WINDOW), _describe_window, _gemma_layer),
    "hybrid": Kind("lfm2", Capabilities(removes_part=False), _describe_lfm, _lfm_layer, "token_embd_norm"),
    "recurrent": Kind("mamba", Capabilities(shares_rows=False, removes_part=False), _describe_mamba, _mamba_layer),
}
