"""The embedded server's own process: `python -m resources.local_model.server NAME STATE_DIR GRACE_SECONDS`.

The only module that loads the engine. It ends by itself when no client has held it for the grace seconds.
"""

import os
import platform
import sys
import threading
import time
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from resources.local_model import leases
from resources.local_model.lifecycle import LocalServer, record, record_file
from resources.local_model.weights import BATCH_TOKENS, ENGINE, embedded_model, local_identity, weights_file

_LOOK_S = 0.5


def main(name: str, state_dir: Path, grace_s: float) -> None:
    """Serves until no client is left. Returns at once where another server of the folder lives or is loading."""
    only = FileLock(state_dir / "server.lock")
    try:
        only.acquire(timeout=0)
    except Timeout:
        return
    threading.Thread(target=_end_when_unused, args=(state_dir, grace_s), daemon=True).start()
    server = _serve(name)
    record(LocalServer(f"{server.listening_address}/v1", os.getpid(), local_identity(name, state_dir)), state_dir)
    threading.Event().wait()


def _serve(name: str) -> Any:
    engine: Any = import_module(ENGINE)
    model = embedded_model(name)
    params = engine.CommonParams()
    params.model.path = str(weights_file(name))
    params.model_alias = {model.alias}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = model.context_tokens
    # The kernel that attention uses for 64 tokens and more rounds differently from the one for fewer. In batches below
    # that an answer is the same to the last bit, whether its prompt is computed or partly comes from the prompt cache.
    params.flash_attn_type = engine.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_ENABLED
    params.n_ubatch = BATCH_TOKENS
    # A second slot answers no faster on one thread. A second thread waits for the first busily: beside other work on
    # two cores an answer took three times the CPU.
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.n_gpu_layers = 0
    params.no_op_offload = True
    # Questions of a bank begin alike, and a question costs mostly its prompt. On ARM the kernels take rows in pairs,
    # so that there an answer could depend on what the cache held.
    params.cache_prompt = platform.machine().lower() in {"x86_64", "amd64"}
    params.cache_ram_mib = 0
    # Questions may be private: nothing shows them, and no page in a browser may ask or read.
    params.endpoint_slots = False
    params.ui = False
    params.cors_origins = ""
    params.verbosity = 1  # errors only, or the log grows with every answer
    return engine.Server(params)


def _end_when_unused(state_dir: Path, grace_s: float) -> None:
    used = time.monotonic()
    try:
        while True:
            time.sleep(_LOOK_S)
            try:
                with leases.state_lock(state_dir).acquire(timeout=0):
                    if leases.held_by_anyone(state_dir):
                        used = time.monotonic()
                    elif time.monotonic() - used > grace_s:
                        record_file(state_dir).unlink(missing_ok=True)
                        os._exit(0)  # under the lock, so that no client finds a server that is about to go
            except Timeout:
                used = time.monotonic()  # a client is just coming
    except BaseException:  # such as a removed folder: better no server than one that nobody watches
        traceback.print_exc()
        os._exit(1)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3]))
