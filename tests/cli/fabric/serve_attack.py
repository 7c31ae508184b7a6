# SPDX-License-Identifier: BSD-3-Clause
"""Attacks a running fatwood serve: serve_attack.py ATTACK PORT PID [TOKEN]. Exit 0 if it withstands.

Each attack asks for /healthz and /metrics while it goes on, and compares the server's memory at the
end with that at the start. It waits for answers, not for times; TIMEOUT is for a server that hangs.
"""

import random
import socket
import sys
import threading
import zlib

PORT, PID = int(sys.argv[2]), int(sys.argv[3])
TIMEOUT = 120
MOST_GROWTH_KB = 100_000
HEAD = b"POST /api/v1/changes HTTP/1.1\r\nHost: localhost\r\n"


def peak_memory() -> int:
    with open(f"/proc/{PID}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))


def connect() -> socket.socket:
    return socket.create_connection(("127.0.0.1", PORT), timeout=TIMEOUT)


def send(client: socket.socket, data: bytes) -> bool:
    """False if the server has closed the connection."""
    try:
        client.sendall(data)
        return True
    except (BrokenPipeError, ConnectionResetError):
        return False


def answer(client: socket.socket) -> bytes:
    text = b""
    try:
        while part := client.recv(65536):
            text += part
    except ConnectionResetError:
        pass
    return text


def ask(request: bytes) -> bytes:
    with connect() as client:
        send(client, request)
        return answer(client)


def status(text: bytes) -> int:
    return int(text[9:12]) if text.startswith(b"HTTP/1.") else 0


def require_alive() -> None:
    for path in (b"/healthz", b"/metrics"):
        text = ask(b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert status(text) == 200, (path, text[:200])


def bodies() -> None:
    """Large bodies without a token: packed, in chunks, announced; the answer is 401."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = bytes(10_000_000)
    packed = b"".join(packer.compress(block) for _ in range(100)) + packer.flush()
    size = b"Content-Length: %d\r\n\r\n" % len(packed)
    assert status(ask(HEAD + b"Content-Encoding: gzip\r\n" + size + packed)) == 401
    with connect() as client:
        send(client, HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        assert status(client.recv(100)) == 401
        chunk = b"100000\r\n" + bytes(0x100000) + b"\r\n"
        assert not all(send(client, chunk) for _ in range(1500)), "the server read 1.5 GB"
    assert status(ask(HEAD + b"Content-Length: 99999999999\r\n\r\n")) == 401
    # With the token: refused for its size, or for its packing.
    authorised = HEAD + b"Authorization: Bearer " + sys.argv[4].encode() + b"\r\n"
    assert status(ask(authorised + b"Content-Encoding: gzip\r\n" + size)) == 415
    assert status(ask(authorised + b"Content-Length: 1000001\r\n\r\n")) == 413
    with connect() as client:
        send(client, authorised + b"Transfer-Encoding: chunked\r\n\r\n" + chunk)
        assert status(client.recv(100)) == 413


def slow() -> None:
    """300 connections that send a byte now and then, as long as the server is asked."""
    for start in (b"GET /healthz HTTP/1.1\r\nX: ", b"GET /api/v1/state HTTP/1.1\r\nHost: localhost\r\nX: "):
        clients = [connect() for _ in range(300)]
        for client in clients:
            send(client, start)
        done = threading.Event()

        def drip(clients: list[socket.socket] = clients, done: threading.Event = done) -> None:
            while not done.wait(0.05):
                for client in clients:
                    send(client, b"x")

        thread = threading.Thread(target=drip)
        thread.start()
        try:
            for _ in range(5):
                require_alive()
        finally:
            done.set()
            thread.join()
            for client in clients:
                client.close()


def garbage() -> None:
    """Random bytes, damaged requests, truncated chunks, huge headers."""
    rng = random.Random(41)
    good = HEAD + b"Authorization: Bearer " + sys.argv[4].encode() + b"\r\nContent-Length: 9\r\n\r\nmelt S1_0"
    for i in range(400):
        kind = i % 5
        if kind == 0:
            data = rng.randbytes(rng.randrange(1, 3000))
        elif kind == 1:
            damaged = bytearray(good)
            for _ in range(rng.randrange(1, 6)):
                damaged[rng.randrange(len(damaged))] = rng.randrange(256)
            data = bytes(damaged)
        elif kind == 2:
            data = good[: rng.randrange(len(good))]
        elif kind == 3:
            data = HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"%x\r\n" % rng.randrange(1 << 40) + b"abc"
        else:
            data = HEAD + b"".join(b"X-%d: %s\r\n" % (n, b"y" * rng.randrange(200)) for n in range(rng.randrange(3000)))
        with connect() as client:
            send(client, data)
            client.shutdown(socket.SHUT_WR)
            assert status(answer(client)) in (0, 400, 401, 403, 404, 405, 408, 413, 414, 415, 417, 431, 501, 505)
        if i % 50 == 0:
            require_alive()


def readers() -> None:
    """300 clients that ask for the page again and again, and take nothing of it."""
    clients = [connect() for _ in range(300)]
    for client in clients:
        client.settimeout(0.01)
        try:
            client.sendall(b"GET /page.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50)
        except OSError:
            pass
    for _ in range(5):
        require_alive()
    for client in clients:
        client.close()


ATTACKS = {"bodies": bodies, "slow": slow, "garbage": garbage, "readers": readers}
before = peak_memory()
ATTACKS[sys.argv[1]]()
require_alive()
grown = peak_memory() - before
print(f"{sys.argv[1]}: memory {before} kB, grown by {grown} kB")
assert grown < MOST_GROWTH_KB, grown
