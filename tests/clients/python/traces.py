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
session.execute("DROP KEYSPACE clients_traces")
done()
