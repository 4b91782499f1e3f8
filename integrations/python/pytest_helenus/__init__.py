"""Starts ``helenus serve`` once per pytest session, and restores its data before each test."""

import json
import os
import subprocess
from datetime import datetime, timedelta

import pytest
from cassandra.cluster import Cluster

SNAPSHOT = "pytest"


class Server:
    """A running server."""

    def __init__(self, arguments=()):
        command = [os.environ.get("HELENUS", "helenus"), "serve", "--port", "0", "--json", "--test-hooks"]
        self._process = subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, text=True)
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"helenus serve ended with exit code {self._process.wait()}")
        ready = json.loads(line)
        self.host = ready["address"]
        self.port = ready["port"]

    def stop(self):
        self._process.terminate()
        self._process.wait(timeout=10)
        self._process.stdout.close()


class Hooks:
    """What a test can change about the server."""

    def __init__(self, session):
        self._session = session
        self._take = session.prepare("INSERT INTO helenus.snapshots (name) VALUES (?)")
        self._restore = session.prepare("UPDATE helenus.snapshots SET restored = true WHERE name = ?")
        self._set_clock = session.prepare("UPDATE helenus.clock SET now = ?, frozen = ? WHERE key = 'local'")

    def take_snapshot(self, name):
        self._session.execute(self._take, (name,))

    def restore_snapshot(self, name):
        self._session.execute(self._restore, (name,))

    def now(self):
        """The time of the server's clock, in UTC."""
        return self._session.execute("SELECT now FROM helenus.clock").one().now

    def set_clock(self, now: datetime, frozen: bool = False):
        self._session.execute(self._set_clock, (now, frozen))

    def advance_clock(self, by: timedelta):
        frozen = self._session.execute("SELECT frozen FROM helenus.clock").one().frozen
        self.set_clock(self.now() + by, frozen)

    def reset_clock(self):
        self._session.execute("DELETE FROM helenus.clock WHERE key = 'local'")

    def add_fault(self, kind, name="fault", **columns):
        """Adds a fault; the columns are those of the table ``helenus.faults``."""
        columns = {"name": name, "kind": kind, **columns}
        marks = ", ".join(["%s"] * len(columns))
        text = f"INSERT INTO helenus.faults ({', '.join(columns)}) VALUES ({marks})"
        self._session.execute(text, list(columns.values()))

    def clear_faults(self):
        self._session.execute("TRUNCATE helenus.faults")


def pytest_addoption(parser):
    parser.addini("helenus_init", "a CQL file, or a folder of CQL files, to run before the tests", "args")
    parser.addini("helenus_arguments", "further arguments of helenus serve", "args")


@pytest.fixture(scope="session")
def helenus_server(pytestconfig):
    """The server of this session: ``host`` and ``port``."""
    arguments = list(pytestconfig.getini("helenus_arguments"))
    for path in pytestconfig.getini("helenus_init"):
        arguments += ["--init", str(pytestconfig.rootpath / path)]
    server = Server(arguments)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def helenus_cluster(helenus_server):
    """A ``Cluster`` of the Python driver on the server."""
    cluster = Cluster([helenus_server.host], port=helenus_server.port)
    yield cluster
    cluster.shutdown()


@pytest.fixture(scope="session")
def _helenus_session(helenus_cluster):
    session = helenus_cluster.connect()
    hooks = Hooks(session)
    hooks.take_snapshot(SNAPSHOT)
    return session, hooks


@pytest.fixture
def cql(_helenus_session):
    """A session of the driver, on the data that the server had when the first test began."""
    session, hooks = _helenus_session
    yield session
    hooks.clear_faults()
    hooks.reset_clock()
    hooks.restore_snapshot(SNAPSHOT)


@pytest.fixture
def helenus(cql, _helenus_session):
    """The hooks of the server: snapshots, clock and faults."""
    return _helenus_session[1]
