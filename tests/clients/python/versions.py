"""Every version of the protocol, with and without compression: long values, changed columns, a keyspace for each request."""

from cassandra import InvalidRequest
from cassandra.query import BatchStatement, SimpleStatement

from asking import *

LONG = "abcdefghijklmnopqrstuvwxyz" * 10_000

for version, compression in [(3, "lz4"), (4, False), (4, "lz4"), (5, False), (5, "lz4"), (6, "lz4")]:
    keyspace = f"clients_v{version}_{compression or 'plain'}"
    session = fresh(keyspace, protocol_version=version, compression=compression, allow_beta_protocol_version=version == 6)
    equal(session.cluster.protocol_version, version)
    session.execute("CREATE TABLE t (k int PRIMARY KEY, v text, d duration)")
    insert = session.prepare("INSERT INTO t (k, v) VALUES (?, ?)")
    for k in range(100):
        session.execute(insert, (k, LONG[:k * k]))
    session.execute(insert, (100, LONG))
    equal([len(v) for (v,) in rows(session, "SELECT v FROM t WHERE k IN (0, 10, 99, 100)")], [0, 100, 9801, len(LONG)])
    batch = BatchStatement()
    batch.add(insert, (101, LONG[:10_000]))
    batch.add("INSERT INTO t (k, v) VALUES (102, 'text')")
    session.execute(batch)
    equal(rows(session, "SELECT k, v FROM t WHERE k IN (101, 102)"), [(101, LONG[:10_000]), (102, "text")])

    # A prepared SELECT * sees a new column.
    select = session.prepare("SELECT * FROM t WHERE k = 102")
    equal(rows(session, select), [(102, None, "text")])
    session.execute("ALTER TABLE t ADD added int")
    equal(rows(session, select), [(102, None, None, "text")])
    equal(rows(session, select), [(102, None, None, "text")])
    refused(InvalidRequest, "Undefined column name nothing", lambda: session.execute("SELECT nothing FROM t"))

    if version >= 5:
        session.execute("USE system")
        equal(session.execute(SimpleStatement("SELECT v FROM t WHERE k = 102", keyspace=keyspace)).one()[0], "text")
        prepared = session.prepare("SELECT v FROM t WHERE k = ?", keyspace=keyspace)
        equal(session.execute(prepared, (102,)).one()[0], "text")
        refused(InvalidRequest, "Keyspace 'nowhere' does not exist",
                lambda: session.execute(SimpleStatement("SELECT * FROM t", keyspace="nowhere")))

    clients = session.execute("SELECT address, driver_name, protocol_version, connection_stage, ssl_enabled, client_options "
                              "FROM system_views.clients").all()
    own = [c for c in clients if c[2] == version and c[5].get("COMPRESSION") == (compression or None)]
    assert len(own) >= 2, clients
    for address, driver, _, stage, encrypted, _ in own:
        equal((address, stage, encrypted), ("127.0.0.1", "ready", False))
        assert "Python" in driver, driver

# What is prepared can be seen, until its table changes.
session = fresh("clients_prepared")
session.execute("CREATE TABLE t (k int PRIMARY KEY)")
prepared = session.prepare("SELECT k FROM clients_prepared.t")
query = "SELECT query_string FROM system.prepared_statements WHERE prepared_id = %s"
equal(rows(session, query, (prepared.query_id,)), [("SELECT k FROM clients_prepared.t",)])
session.execute("DROP TABLE t")
equal(rows(session, query, (prepared.query_id,)), [])
done()
