"""Connects, reads what the node says of itself, and the schema of its system keyspaces."""

from asking import *

session = cluster().connect()
equal(session.cluster.protocol_version, 5)
(host,) = session.cluster.metadata.all_hosts()
equal(host.datacenter, "datacenter1")
equal(host.rack, "rack1")
assert host.release_version.startswith("5.0."), host.release_version
assert host.host_id is not None
equal(session.cluster.metadata.partitioner, "org.apache.cassandra.dht.Murmur3Partitioner")
assert len(session.cluster.metadata.token_map.ring) >= 1

local = session.execute("SELECT key, cql_version, native_protocol_version, rpc_port FROM system.local WHERE key = 'local'").one()
equal(local[0], "local")
equal(local[1], "3.4.7")
equal(rows(session, "SELECT * FROM system.peers"), [])
equal(rows(session, "SELECT * FROM system.peers_v2"), [])

keyspaces = session.cluster.metadata.keyspaces
for name in ("system", "system_schema", "system_auth", "system_traces", "system_distributed"):
    assert name in keyspaces, name
equal([c.name for c in keyspaces["system_schema"].tables["columns"].primary_key], ["keyspace_name", "table_name", "column_name"])
equal(keyspaces["system"].tables["local"].columns["tokens"].cql_type, "set<text>")
assert keyspaces["system_virtual_schema"].virtual
assert "tables" in keyspaces["system_virtual_schema"].tables

# Older versions are spoken as well.
older = cluster(protocol_version=3).connect()
equal(older.execute("SELECT key FROM system.local").one()[0], "local")
done()
