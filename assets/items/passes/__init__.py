"""The passes: quality checks that a drafted item goes through, each a module with its prompt and its rulings."""
