"""Traces: asked for, kept, read back by the driver."""

from asking import *

session = fresh("clients_traces")
session.execute("CREATE TABLE t (k int PRIMARY KEY, v int)")
for text in ("INSERT INTO t (k, v) VALUES (1, 1)", "SELECT * FROM t WHERE k = 1"):
    result = session.execute(text, trace=True)
    trace = result.get_query_trace(max_wait_sec=20)
    equal(trace.request_type, "Execute CQL3 query")
    equal(trace.parameters["query"], text)
    equal(trace.parameters["consistency_level"], "LOCAL_ONE")
    equal(str(trace.coordinator), "127.0.0.1")
    assert trace.duration.total_seconds() >= 0
    assert len(trace.events) >= 1
    assert any("Parsing" in event.description for event in trace.events), [e.description for e in trace.events]
prepared = session.prepare("SELECT * FROM t WHERE k = ?")
trace = session.execute(prepared, (1,), trace=True).get_query_trace(max_wait_sec=20)
equal(trace.request_type, "Execute CQL3 prepared query")
equal(trace.parameters["bound_var_0_k"], "1")
session.execute("CREATE TABLE b (k int PRIMARY KEY, v int)")
session.execute("CREATE MATERIALIZED VIEW bv AS SELECT * FROM b WHERE v IS NOT NULL AND k IS NOT NULL PRIMARY KEY (v, k)")
ROUNDS = ["Preparing ", "Promising ballot ", "Adding to paxos memtable", "Reading existing values for CAS precondition"]
ACCEPTED = ["CAS precondition is met; proposing client-requested updates for ", "Accepting proposal Accepted(",
            "Adding to paxos memtable"]
COMMITTED = ["Committing proposal Committed(", "Adding to t memtable", "Adding to paxos memtable", "CAS applied successfully"]
MISMATCH = ["CAS precondition does not match current values"]
for text, expected in [
    ("INSERT INTO t (k, v) VALUES (5, 1) IF NOT EXISTS", ROUNDS + ACCEPTED + COMMITTED),
    ("INSERT INTO t (k, v) VALUES (5, 1) IF NOT EXISTS", ROUNDS + MISMATCH + ACCEPTED + ["CAS did not apply"]),
    ("BEGIN BATCH INSERT INTO t (k) VALUES (6); INSERT INTO t (k) VALUES (7); APPLY BATCH",
     ["Determining replicas for atomic batch", "Adding to batches memtable", "Adding to t memtable", "Adding to t memtable",
      "Adding to batches memtable"]),
    ("INSERT INTO b (k, v) VALUES (1, 1)",
     ["Determining replicas for mutation", "Creating materialized view mutations from base table replica",
      "Executing single-partition query on b", "Determining replicas for mutation", "Appending to commitlog"]),
]:
    trace = session.execute(text, trace=True).get_query_trace(max_wait_sec=20)
    shown = [event.description for event in trace.events if not event.description.startswith("Preparing statement")]
    rest = iter(shown)
    for start in expected:
        assert any(event.startswith(start) for event in rest), (text, start, shown)
session.execute("DROP KEYSPACE clients_traces")
done()
