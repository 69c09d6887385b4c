"""The cast of a bank: which models play the roles that bank.yaml names, and which role cannot be played and why."""

from collections.abc import Sequence
from dataclasses import dataclass

from assets.authoring.labs import UNKNOWN, are_apart, lab_of
from resources.registries import Bank, Models, ModelSpec
from resources.types import ConfigurationError

SEARCH = "search"


@dataclass(frozen=True)
class Vacancy:
    """A role, or one of its models, that cannot be played; `named` is empty where bank.yaml names nobody."""

    role: str
    named: str
    reason: str

    def __str__(self) -> str:
        who = f"{self.role} {self.named}" if self.named else self.role
        return f"{who}: {self.reason}"


@dataclass(frozen=True)
class Scouts:
    """Who looks for sources; a build does without them."""

    planner: ModelSpec | None
    search: ModelSpec | None
    vacancies: tuple[Vacancy, ...]

    @property
    def specs(self) -> list[ModelSpec]:
        """Both, as far as they can be asked."""
        return [spec for spec in (self.planner, self.search) if spec is not None]


@dataclass(frozen=True)
class Cast:
    """The models that can be asked.

    Attributes:
        generators: in rotation.
        verifier: None where nobody can verify.
        panel: closed-book answerers.
        judge: grades what the rules for short answers cannot.
        embedder: compares questions by meaning; without one their words alone are compared.
        vacancies: what a build is missing.
        scouts: planner and search.
    """

    generators: tuple[ModelSpec, ...]
    verifier: ModelSpec | None
    panel: tuple[ModelSpec, ...]
    judge: ModelSpec | None
    embedder: ModelSpec | None
    vacancies: tuple[Vacancy, ...]
    scouts: Scouts

    @property
    def specs(self) -> list[ModelSpec]:
        """Every model that a build may ask, each once."""
        playing = [*self.generators, self.verifier, *self.panel, self.judge, self.embedder]
        return list({spec.id: spec for spec in playing if spec is not None}.values())

    def why_vacant(self, role: str) -> str:
        """Why nobody plays a role, for a person."""
        vacancies = (*self.vacancies, *self.scouts.vacancies)
        return "; ".join(str(vacancy) for vacancy in vacancies if vacancy.role == role)


def cast_of(bank: Bank, models: Models) -> Cast:
    """The cast of `bank`.

    A generator of the verifier's own lab cannot be verified and is left out.

    Raises:
        ConfigurationError: when a role names what is no model.
    """
    roles = bank.spec.roles
    vacancies: list[Vacancy] = []
    verifier = _playing("verifier", _one(roles.verifier), bank, models, vacancies)
    judge = _playing("judge", _one(roles.judge), bank, models, vacancies)
    panel = _playing("panel", roles.panel, bank, models, vacancies)
    embedder = _playing("embedder", _one(roles.embedder), bank, models, vacancies)
    generators = _playing("generator", roles.generator, bank, models, vacancies)
    for role, named in (("generator", roles.generator), ("verifier", _one(roles.verifier)), ("panel", roles.panel)):
        if not named:
            vacancies.append(_unnamed(role, bank))
    if "entailment" not in bank.spec.passes:
        vacancies.append(
            Vacancy("verifier", "", "`passes:` in bank.yaml leaves out entailment, so no gold is held to its card")
        )
    fit = [spec for spec in generators if not verifier or are_apart(lab_of(spec), lab_of(verifier[0]))]
    vacancies += [
        Vacancy(
            "generator",
            spec.id,
            f"is made by {_told(spec)} and the verifier {verifier[0].id} by {_told(verifier[0])}; take a verifier of "
            "another provider, or state `developer:` of both in models.yaml",
        )
        for spec in generators
        if spec not in fit
    ]
    return Cast(
        tuple(fit),
        verifier[0] if verifier else None,
        tuple(panel),
        judge[0] if judge else None,
        embedder[0] if embedder else None,
        tuple(vacancies),
        _scouts(bank, models),
    )


def _scouts(bank: Bank, models: Models) -> Scouts:
    vacancies: list[Vacancy] = []
    roles = bank.spec.roles
    planner = _playing("planner", _one(roles.planner), bank, models, vacancies)
    search = _playing(SEARCH, _one(roles.search), bank, models, vacancies)
    vacancies += [
        _unnamed(role, bank) for role, name in (("planner", roles.planner), (SEARCH, roles.search)) if not name
    ]
    return Scouts(planner[0] if planner else None, search[0] if search else None, tuple(vacancies))


def _told(spec: ModelSpec) -> str:
    lab = lab_of(spec)
    return "nobody knows whom" if lab == UNKNOWN else lab


def _unnamed(role: str, bank: Bank) -> Vacancy:
    return Vacancy(role, "", f"bank.yaml names none; add it under roles: in {bank.folder}/bank.yaml")


def _one(name: str | None) -> tuple[str, ...]:
    return (name,) if name else ()


def _playing(role: str, names: Sequence[str], bank: Bank, models: Models, vacancies: list[Vacancy]) -> list[ModelSpec]:
    """The named models that can play the role; why the others cannot is added to `vacancies`."""
    able = []
    for name in names:
        try:
            spec = models.resolve(name)
        except ValueError as error:
            raise ConfigurationError(f"bank {bank.name}: roles.{role} {error}") from None
        if variable := spec.missing_variable():
            vacancies.append(Vacancy(role, name, f"needs {variable}, which is not set"))
        elif not bank.admits(spec.provider):
            reason = f"the bank is private and does not admit {spec.provider}; add it to providers: in bank.yaml"
            vacancies.append(Vacancy(role, name, reason))
        elif spec.searches and role != SEARCH:
            vacancies.append(Vacancy(role, name, "searches instead of answering; name a model that answers"))
        elif role == SEARCH and not spec.searches:
            reason = "is no search provider; write search/tavily or another one of litellm's"
            vacancies.append(Vacancy(role, name, reason))
        else:
            able.append(spec)
    return able
