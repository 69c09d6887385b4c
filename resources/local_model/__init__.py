"""The embedded model: found or started by whoever needs it, gone when nobody holds it any more.

Nothing here sends a question; `resources/llm` does, to `LocalServer.api_base`.
"""

from resources.local_model.lifecycle import LocalServer, ensure_server, release_server
from resources.local_model.weights import local_identity

__all__ = ["LocalServer", "ensure_server", "local_identity", "release_server"]
