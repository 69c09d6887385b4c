"""One entry of a domain file's `sources:`."""

from pydantic import BaseModel, ConfigDict, model_validator

from resources.registries.hosts import StatedDate, Tier


class SourceSpec(BaseModel):
    """One entry of `sources:`: a URL, or a file, folder or pattern in the bank's folder.

    Attributes:
        tier: authority, from 1 (the law itself, a standard, an agency's own figures) to 3.
        date: when it was published, where the domain's author knows better than the document.
        anywhere: the path may leave the bank's folder.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str | None = None
    path: str | None = None
    tier: Tier | None = None
    topic: str | None = None
    date: StatedDate = None
    anywhere: bool = False

    @model_validator(mode="after")
    def _names_one(self) -> "SourceSpec":
        if self.url and self.path:
            raise ValueError("names a url and a path; make two sources of it")
        if not (self.url or self.path):
            raise ValueError("names no document; add a url or a path")
        if self.anywhere and self.url:
            raise ValueError("anywhere is for paths; remove it")
        return self

    @property
    def name(self) -> str:
        return self.url or self.path or ""
