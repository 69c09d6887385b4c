"""litellm as the gateway uses it: what is left out of it for speed is still there for who needs it."""

from resources.llm.route import configured_litellm


def test_the_tokenizer_that_calls_are_handed_works_when_someone_uses_it() -> None:
    configured_litellm()
    import litellm.main

    late = litellm.main._get_encoding()

    assert late.decode(late.encode("Wien, 1140")) == "Wien, 1140"


def test_costs_are_not_calculated_twice() -> None:
    assert configured_litellm().response_cost_calculator() is None
