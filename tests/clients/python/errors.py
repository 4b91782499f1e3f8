"""Refusals: their classes and their texts."""

from cassandra import AlreadyExists, InvalidRequest
from cassandra.protocol import ConfigurationException, SyntaxException
from cassandra.query import SimpleStatement

from asking import *

session = fresh("clients_errors")
session.execute("CREATE TABLE t (k int, c int, v text, PRIMARY KEY (k, c))")


def refuse(kind, text, statement, values=None):
    return refused(kind, text, lambda: session.execute(statement, values))


refuse(SyntaxException, "", "SELEC * FROM t")
refuse(SyntaxException, "", "SELECT *;")
refuse(InvalidRequest, "table nothing does not exist", "SELECT * FROM nothing")
refuse(InvalidRequest, "keyspace nowhere does not exist", "SELECT * FROM nowhere.t")
refuse(InvalidRequest, "Keyspace 'nowhere' does not exist", "USE nowhere")
refuse(InvalidRequest, "Undefined column name x in table clients_errors.t", "SELECT x FROM t")
refuse(InvalidRequest, "Some clustering keys are missing: c", "INSERT INTO t (k) VALUES (1)")
refuse(InvalidRequest, "Invalid STRING constant (one) for \"k\" of type int", "SELECT * FROM t WHERE k = 'one'")
refuse(InvalidRequest, "ALLOW FILTERING", "SELECT * FROM t WHERE v = 'x'")
error = refuse(AlreadyExists, "", "CREATE TABLE t (k int PRIMARY KEY)")
equal((error.keyspace, error.table), ("clients_errors", "t"))
error = refuse(AlreadyExists, "", "CREATE KEYSPACE clients_errors WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
equal((error.keyspace, error.table), ("clients_errors", ""))
refuse(ConfigurationException, "Unable to find replication strategy class", "CREATE KEYSPACE x WITH replication = {'class': 'Nothing'}")
refuse(InvalidRequest, "none", "DROP INDEX none")
refuse(InvalidRequest, "Invalid amount of bind variables", SimpleStatement("SELECT * FROM t WHERE k = ?"))
refused(InvalidRequest, "table nothing does not exist", lambda: session.prepare("SELECT * FROM nothing WHERE k = ?"))
refuse(InvalidRequest, "LIMIT must be strictly positive", "SELECT * FROM t LIMIT 0")

# The connection lives on.
equal(rows(session, "SELECT * FROM t"), [])

# Warnings come beside rows.
session.execute("INSERT INTO t (k, c, v) VALUES (1, 1, 'x')")
result = session.execute_async("SELECT count(*) FROM t")
result.result()
equal(result.warnings, ["Aggregation query used without partition key"])

# A text longer than most, there and back.
long = "x" * 3_000_000
session.execute("INSERT INTO t (k, c, v) VALUES (%s, %s, %s)", (2, 1, long))
equal(rows(session, "SELECT v FROM t WHERE k = 2"), [(long,)])
session.execute("DROP KEYSPACE clients_errors")
done()
