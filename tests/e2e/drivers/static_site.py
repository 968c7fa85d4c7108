"""This checkout's files over HTTP, for a browser."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from typing_extensions import override

ROOT = Path(__file__).parent.parent.parent.parent


class _Files(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    extensions_map = {  # noqa: RUF012 - the base class's name
        ".html": "text/html",
        ".js": "text/javascript",
        ".css": "text/css",
        ".json": "application/json",
    }

    @override
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    @override
    def end_headers(self) -> None:
        self.send_header("Cache-Control", "max-age=3600")
        super().end_headers()


@contextmanager
def static_site() -> Iterator[str]:
    """Serve the checkout on a free port; gives its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(ROOT)))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
