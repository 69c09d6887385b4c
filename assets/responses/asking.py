"""The answering prompt of an item, closed book, as a call."""

from assets.items.item import Item
from resources.llm import Call, build_call
from resources.registries import ModelSpec, Prompt
from resources.types import Role


class Asker:
    """Makes the calls that ask one model the items of one domain.

    Args:
        prompt: the bank's `answer.md`.
        domain_title: told to the model, as the paper does.
        spec: the model.
        endpoint: what stands for its API base in a call's identity.
    """

    def __init__(self, prompt: Prompt, domain_title: str, spec: ModelSpec, endpoint: str | None) -> None:
        self._renderer = prompt.renderer()
        self._domain_title = domain_title
        self._spec = spec
        self._endpoint = endpoint

    def text(self, item: Item) -> str:
        """The rendered prompt.

        Raises:
            PromptError: when the template uses a variable that does not exist.
        """
        options = [{"letter": letter, "text": text} for letter, text in zip(item.letters, item.options, strict=True)]
        return self._renderer.render(
            domain=self._domain_title, topic=item.topic, question=item.question, options=options
        )

    def call(self, item: Item, *, sample: int, epoch: int) -> Call:
        return build_call(Role.ANSWER, self._spec, self._endpoint, self.text(item), sample=sample, epoch=epoch)
