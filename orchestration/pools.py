"""The pool of all runs that ask providers: so many at once as dagster.yaml or the UI allows, whatever started them."""

PROVIDERS = "providers"
