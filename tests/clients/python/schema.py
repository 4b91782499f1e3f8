"""Makes every kind of schema element, and finds it again in the driver's metadata, also in that of another client."""

import time

from asking import *

KEYSPACE = "clients_schema"
watcher = cluster().connect()
session = fresh(KEYSPACE)
metadata = session.cluster.metadata

session.execute("CREATE TYPE address (street text, zip int)")
session.execute(
    "CREATE TABLE users (country text, id uuid, name text, home frozen<address>, tags set<text>, "
    "points map<text, frozen<list<int>>>, region text static, PRIMARY KEY ((country), id, name)) "
    "WITH CLUSTERING ORDER BY (id DESC, name ASC) AND comment = 'people' AND default_time_to_live = 1000"
)
session.execute("CREATE INDEX users_by_region ON users (region)")
session.execute("CREATE CUSTOM INDEX users_by_tag ON users (values(tags)) USING 'StorageAttachedIndex'")
session.execute("CREATE TABLE hits (page text PRIMARY KEY, hits counter)")
session.execute("CREATE TABLE vectors (id int PRIMARY KEY, v vector<float, 3>, t tuple<int, text>)")

keyspace = metadata.keyspaces[KEYSPACE]
equal(keyspace.replication_strategy.replication_factor, 1)
equal(keyspace.user_types["address"].field_names, ["street", "zip"])
equal(keyspace.user_types["address"].field_types, ["text", "int"])
users = keyspace.tables["users"]
equal([c.name for c in users.partition_key], ["country"])
equal([(c.name, c.is_reversed) for c in users.clustering_key], [("id", True), ("name", False)])
equal({n: c.cql_type for n, c in users.columns.items()}, {
    "country": "text", "id": "uuid", "name": "text", "home": "frozen<address>", "tags": "set<text>",
    "points": "map<text, frozen<list<int>>>", "region": "text",
})
assert users.columns["region"].is_static
equal(users.options["comment"], "people")
equal(users.options["default_time_to_live"], 1000)
equal({n: (i.kind, i.index_options["target"]) for n, i in keyspace.indexes.items()}, {
    "users_by_region": ("COMPOSITES", "region"), "users_by_tag": ("CUSTOM", "values(tags)"),
})
equal(keyspace.tables["hits"].columns["hits"].cql_type, "counter")
equal(keyspace.tables["vectors"].columns["v"].cql_type, "vector<float, 3>")
equal(keyspace.tables["vectors"].columns["t"].cql_type, "frozen<tuple<int, text>>")
assert "CREATE TABLE clients_schema.users (" in users.export_as_string()

session.execute("ALTER TABLE users ADD age int")
assert "age" in metadata.keyspaces[KEYSPACE].tables["users"].columns
session.execute("ALTER TABLE users DROP age")
assert "age" not in metadata.keyspaces[KEYSPACE].tables["users"].columns
session.execute("ALTER TABLE users RENAME name TO full_name")
assert "full_name" in metadata.keyspaces[KEYSPACE].tables["users"].columns
session.execute("ALTER TYPE address ADD city text")
equal(metadata.keyspaces[KEYSPACE].user_types["address"].field_names, ["street", "zip", "city"])
session.execute("DROP INDEX users_by_tag")
assert "users_by_tag" not in metadata.keyspaces[KEYSPACE].indexes
session.execute("ALTER KEYSPACE clients_schema WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 1} AND durable_writes = false")
assert not metadata.keyspaces[KEYSPACE].durable_writes
assert metadata.keyspaces[KEYSPACE].replication_strategy.name == "NetworkTopologyStrategy"

version = rows(session, "SELECT schema_version FROM system.local")
session.execute("CREATE TABLE another (k int PRIMARY KEY)")
assert rows(session, "SELECT schema_version FROM system.local") != version
assert session.cluster.control_connection.wait_for_schema_agreement()


def seen(condition):
    """Events come when they come: a second after the change the driver reads the schema."""
    deadline = time.time() + 20
    while not condition() and time.time() < deadline:
        time.sleep(0.05)
    assert condition()


# The other client heard of it all.
other = watcher.cluster.metadata.keyspaces
seen(lambda: KEYSPACE in other and "another" in other[KEYSPACE].tables and "address" in other[KEYSPACE].user_types)
session.execute("DROP TABLE another")
seen(lambda: "another" not in other[KEYSPACE].tables)
session.execute("DROP KEYSPACE clients_schema")
assert KEYSPACE not in metadata.keyspaces
seen(lambda: KEYSPACE not in other)
done()
