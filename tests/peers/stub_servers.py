# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""Servers behind a proxy: at many addresses, each answers every GET of Redis's
protocol with its own address."""

import selectors
import socket
import threading

import random_members
import resp

# The folder that the proxy runs in, by a path that is the same in every run:
# owners depend on it.
PROXYS_FOLDER = '/proc/self/cwd/'


def listen(family, address):
    server = socket.socket(family)
    try:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind(address)
        server.listen(256)
        server.setblocking(False)
    except OSError:
        server.close()
        raise
    return server


def drawn_address(rng, folder):
    """(family, address, the address as members have it)"""
    kind = rng.random()
    if kind < 0.15:
        name = random_members.name(rng) + '.backend'
        return socket.AF_UNIX, folder.path(name), (PROXYS_FOLDER + name, 0)
    host = '::1' if kind < 0.3 and socket.has_ipv6 else \
        random_members.loopback(rng)
    at = (host, random_members.port(rng))
    return (socket.AF_INET6 if ':' in host else socket.AF_INET), at, at


class Connection:
    def __init__(self, peer, answer):
        self.peer = peer
        self.answer = answer
        self.buffer = bytearray()

    def serve(self):
        """Whether it goes on."""
        received = self.peer.recv(1 << 16)
        self.buffer += received
        answers = self.answer * resp.take_requests(self.buffer)
        # An answer is shorter than its request, of which few are on the way.
        self.peer.setblocking(True)
        self.peer.sendall(answers)
        self.peer.setblocking(False)
        return bool(received)


class StubServers:
    """Serves at `count` addresses while the block runs; `addresses` are pairs
    of host and port, where a path has port 0."""

    def __init__(self, rng, count, folder):
        self.listeners = {}
        while len(self.listeners) < count:
            family, address, told = drawn_address(rng, folder)
            try:
                if told not in self.listeners:
                    self.listeners[told] = listen(family, address)
            except OSError:
                pass  # taken, or without IPv6: another is drawn
        self.addresses = list(self.listeners)

    def __enter__(self):
        self.selector = selectors.DefaultSelector()
        for told, server in self.listeners.items():
            self.selector.register(server, selectors.EVENT_READ, told)
        # What is written here ends the thread.
        self.ender, self.end = socket.socketpair()
        self.selector.register(self.end, selectors.EVENT_READ, None)
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ender.close()
        self.thread.join()
        for key in list(self.selector.get_map().values()):
            key.fileobj.close()
        self.selector.close()

    def run(self):
        while True:
            for key, _ in self.selector.select():
                if key.data is None:
                    return
                if isinstance(key.data, Connection):
                    self.serve(key.data)
                else:
                    self.accept(key.fileobj, key.data)

    def accept(self, server, told):
        peer, _ = server.accept()
        text = '%s %d' % told
        answer = '$%d\r\n%s\r\n' % (len(text), text)
        self.selector.register(peer, selectors.EVENT_READ,
                               Connection(peer, answer.encode()))

    def serve(self, connection):
        try:
            goes_on = connection.serve()
        except OSError:
            goes_on = False
        if not goes_on:
            self.selector.unregister(connection.peer)
            connection.peer.close()
