"""The tables by which tests control the server: snapshots, clock and faults, by prepared statements of the driver."""

import datetime
import sys
import time

from cassandra import ReadFailure, ReadTimeout, Unavailable, WriteFailure, WriteTimeout
from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile
from cassandra.policies import FallthroughRetryPolicy, WriteType
from cassandra.protocol import OverloadedErrorMessage
from cassandra.util import datetime_from_uuid1

profile = ExecutionProfile(retry_policy=FallthroughRetryPolicy())
cluster = Cluster([sys.argv[1]], port=int(sys.argv[2]), protocol_version=4,
                  execution_profiles={EXEC_PROFILE_DEFAULT: profile}, schema_event_refresh_window=0)
session = cluster.connect()
session.execute("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
session.execute("CREATE TABLE ks.t (k int PRIMARY KEY, v text)")
insert = session.prepare("INSERT INTO ks.t (k, v) VALUES (?, ?)")
select = session.prepare("SELECT v FROM ks.t WHERE k = ?")


def value(key):
    row = session.execute(select, (key,)).one()
    return row and row.v


def refused(kind, query, values, **fields):
    """Adds a fault for one statement, and returns the error of the statement."""
    columns = {"name": kind, "kind": kind, "keyspace_name": "ks", "count": 1, **fields}
    text = f"INSERT INTO helenus.faults ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    session.execute(session.prepare(text), list(columns.values()))
    try:
        session.execute(query, values)
    except Exception as error:
        return error
    raise AssertionError(f"{kind} did not hit")


def check_snapshots():
    take = session.prepare("INSERT INTO helenus.snapshots (name) VALUES (?)")
    restore = session.prepare("UPDATE helenus.snapshots SET restored = true WHERE name = ?")
    session.execute(insert, (1, "a"))
    session.execute(take, ("one row",))
    for key in range(100):
        session.execute(insert, (key, "b"))
    session.execute("CREATE TABLE ks.late (k int PRIMARY KEY)")
    session.execute("ALTER TABLE ks.t ADD w int")
    tables = cluster.metadata.keyspaces["ks"].tables
    assert "late" in tables and "w" in tables["t"].columns
    for _ in range(2):
        session.execute(restore, ("one row",))
        assert [tuple(row) for row in session.execute("SELECT * FROM ks.t")] == [(1, "a")]
    # The driver learns what changed by events.
    deadline = time.monotonic() + 10
    while "late" in tables or "w" in tables["t"].columns:
        assert time.monotonic() < deadline, "the driver still has the schema from before"
        time.sleep(0.01)
    session.execute("CREATE TABLE ks.late (k int PRIMARY KEY)")
    row = session.execute("SELECT * FROM helenus.snapshots").one()
    assert (row.name, row.restored) == ("one row", True)
    session.execute("DELETE FROM helenus.snapshots WHERE name = 'one row'")
    try:
        session.execute(restore, ("one row",))
    except Exception as error:
        assert "snapshot 'one row' does not exist" in str(error)
    else:
        raise AssertionError("a deleted snapshot was restored")


def check_clock():
    session.execute("INSERT INTO ks.t (k, v) VALUES (3, 'x') USING TTL 3600")
    session.execute("UPDATE helenus.clock SET advance = 59m WHERE key = 'local'")
    assert value(3) == "x"
    session.execute("UPDATE helenus.clock SET advance = 61s WHERE key = 'local'")
    assert value(3) is None
    new_year = datetime.datetime(2030, 1, 1)
    set_clock = session.prepare("UPDATE helenus.clock SET now = ?, frozen = ? WHERE key = 'local'")
    session.execute(set_clock, (new_year, True))
    for _ in range(2):
        row = session.execute("SELECT currentTimestamp() AS t, now() AS u FROM system.local").one()
        assert row.t == new_year
        assert abs(datetime_from_uuid1(row.u) - new_year) < datetime.timedelta(milliseconds=1)
    # A driver sends timestamps of its own, unless the statement has one or the option is off.
    session.use_client_timestamp = False
    session.execute(insert, (4, "y"))
    session.use_client_timestamp = True
    row = session.execute("SELECT writetime(v) AS w FROM ks.t WHERE k = 4").one()
    assert abs(row.w - 1893456000000000) < 1000, row.w
    session.execute("DELETE FROM helenus.clock WHERE key = 'local'")
    row = session.execute("SELECT currentTimestamp() AS t FROM system.local").one()
    assert row.t.year < 2030
    assert session.execute("SELECT frozen FROM helenus.clock").one().frozen is False


def check_faults():
    error = refused("timeout", select, (1,), statement="select", received=1, required=2, data_present=True)
    assert isinstance(error, ReadTimeout), error
    assert (error.received_responses, error.required_responses, error.data_retrieved) == (1, 2, True)
    error = refused("timeout", insert, (7, "seven"), statement="write", applied=True)
    assert isinstance(error, WriteTimeout) and error.write_type == WriteType.SIMPLE, error
    assert value(7) == "seven", "the write took effect before the error"
    session.execute("TRUNCATE helenus.faults")
    conditional = session.prepare("INSERT INTO ks.t (k, v) VALUES (?, 'z') IF NOT EXISTS")
    error = refused("timeout", conditional, (8,))
    assert isinstance(error, WriteTimeout) and error.write_type == WriteType.CAS, error
    assert value(8) is None
    for kind, statement, values, expected in [
        ("failure", select, (1,), ReadFailure),
        ("failure", insert, (9, "z"), WriteFailure),
        ("unavailable", insert, (9, "z"), Unavailable),
        ("overloaded", insert, (9, "z"), OverloadedErrorMessage),
    ]:
        error = refused(kind, statement, values)
        assert isinstance(error, expected), error
    assert value(9) is None
    session.execute("TRUNCATE helenus.faults")
    session.execute("INSERT INTO helenus.faults (name, kind, delay_ms, table_name) VALUES ('a', 'slow', 200, 't')")
    start = time.monotonic()
    value(1)
    assert time.monotonic() - start >= 0.2
    row = session.execute("SELECT hits FROM helenus.faults WHERE name = 'a'").one()
    assert row.hits == 1
    session.execute("DELETE FROM helenus.faults WHERE name = 'a'")
    assert not list(session.execute("SELECT * FROM helenus.faults"))


check_snapshots()
check_clock()
check_faults()
cluster.shutdown()
print("done")
