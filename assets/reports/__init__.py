"""Publishing: what people outside the project open."""
