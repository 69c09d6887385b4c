"""What the assets talk to: registries, warehouse, ledger, models. No module here imports dagster."""
