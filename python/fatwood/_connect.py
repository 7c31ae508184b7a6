# SPDX-License-Identifier: BSD-3-Clause
"""A client of ``fatwood serve``: the requests of its interface as methods."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

from ._errors import InputError, PromiseError


class Server:
    """A running ``fatwood serve``. Answers are the JSON of the command line, as dictionaries."""

    def __init__(self, url: str, token: str | None = None, timeout: float = 60.0) -> None:
        parts = urllib.parse.urlsplit(url)
        given = urllib.parse.parse_qs(parts.query).get("token")
        self._base = f"{parts.scheme}://{parts.netloc}"
        self._token = token or (given[0] if given else None)
        self._timeout = timeout
        self.state()  # an address that does not answer is an error here

    def __repr__(self) -> str:
        return f"<fatwood server {self._base}>"

    def state(self) -> dict[str, Any]:
        return self._ask("GET", "/api/v1/state")

    def change(self, *lines: str) -> dict[str, Any]:
        """Add changes, such as ``"cut leaf-1[33]"``; what they do to pairs of hosts."""
        return self._ask("POST", "/api/v1/changes", "\n".join(lines))

    def set_changes(self, *lines: str) -> dict[str, Any]:
        return self._ask("PUT", "/api/v1/changes", "\n".join(lines))

    def undo(self) -> dict[str, Any]:
        return self._ask("POST", "/api/v1/undo", "")

    def redo(self) -> dict[str, Any]:
        return self._ask("POST", "/api/v1/redo", "")

    def engines(self) -> list[dict[str, Any]]:
        """The engines to choose from: ``name``, ``summary``, ``needs``, ``adaptive``."""
        engines: list[dict[str, Any]] = self._ask("GET", "/api/v1/engines")["engines"]
        return engines

    def route(self, engine: str = "") -> dict[str, Any] | None:
        """Route by this engine from now on, or as the server was started; what the changes do then."""
        return self._ask("PUT", "/api/v1/routing", engine)

    def save(self, what: str, path: str) -> None:
        """Write ``tables``, ``proof``, ``page``, ``fabric`` or ``faults`` of the what-if to a file."""
        text = self._send("GET", f"/api/v1/files/{urllib.parse.quote(what, safe='')}", None)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def run(self, verb: str, **parameters: object) -> dict[str, Any]:
        """Run a verb for the fabric with its changes, for example ``run("load", traffic="alltoall")``."""
        task = self._ask("POST", f"/api/v1/tasks/{verb}?{urllib.parse.urlencode(parameters)}", "")
        while task["status"] in ("waiting", "running"):
            time.sleep(0.05)
            task = self._ask("GET", f"/api/v1/tasks/{task['id']}")
        if task["status"] != "done":
            raise PromiseError(f"{verb}: {task['error'] or task['status']}")
        result: dict[str, Any] = task["result"]
        return result

    def metrics(self) -> str:
        return self._send("GET", "/metrics", None)

    def _ask(self, method: str, path: str, body: str | None = None) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self._send(method, path, body))
        return answer

    def _send(self, method: str, path: str, body: str | None) -> str:
        request = urllib.request.Request(
            self._base + path, method=method, data=None if body is None else body.encode()
        )
        if self._token:
            request.add_header("Authorization", f"Bearer {self._token}")
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as answer:
                text: bytes = answer.read()
                return text.decode()
        except urllib.error.HTTPError as error:
            try:
                message = json.loads(error.read())["error"]
            except (ValueError, KeyError):
                message = str(error)
            raise InputError(f"{self._base}: {message}") from None
        except (urllib.error.URLError, OSError) as error:
            raise InputError(f"{self._base} does not answer: {getattr(error, 'reason', error)}") from None


def connect(url: str, token: str | None = None, timeout: float = 60.0) -> Server:
    """Connect to ``fatwood serve``. The address that it prints has the token; else give it."""
    return Server(url, token, timeout)
