"""Bare litellm, what a sweep is measured beside: the same questions through `acompletion`, and nothing else.

Run as `python -m benchmarks.bare API_BASE CALLS`.
"""

import asyncio
import sys

from benchmarks.bank import CONCURRENCY, MAX_TOKENS, PRICE, prompt

NAME = "m0"


def main() -> None:
    api_base, calls = sys.argv[1], int(sys.argv[2])
    import litellm

    entry = {
        "input_cost_per_token": PRICE["input"] / 1e6,
        "output_cost_per_token": PRICE["output"] / 1e6,
        "litellm_provider": "hosted_vllm",
        "mode": "chat",
    }
    litellm.register_model({NAME: entry, f"hosted_vllm/{NAME}": entry})
    asyncio.run(_ask_all(litellm, api_base, calls))


async def _ask_all(litellm, api_base: str, calls: int) -> None:
    numbers = iter(range(calls))

    async def work() -> None:
        for number in numbers:
            await litellm.acompletion(
                model=f"hosted_vllm/{NAME}",
                messages=[{"role": "user", "content": prompt(number)}],
                api_base=api_base,
                api_key="none",
                max_tokens=MAX_TOKENS,
                timeout=300,
                max_retries=0,
            )

    await asyncio.gather(*(work() for _ in range(CONCURRENCY)))


if __name__ == "__main__":
    main()
