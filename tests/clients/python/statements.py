"""Statements in all the ways in which drivers send them."""

from cassandra import ConsistencyLevel, InvalidRequest
from cassandra.cluster import EXEC_PROFILE_DEFAULT
from cassandra.query import BatchStatement, BatchType, SimpleStatement, UNSET_VALUE, named_tuple_factory

from asking import *

session = fresh("clients_statements")
session.execute("CREATE TABLE t (k int, c int, v text, s int static, PRIMARY KEY (k, c))")

# Texts with values: the driver writes them as literals.
session.execute("INSERT INTO t (k, c, v) VALUES (%s, %s, %s)", (1, 1, "one's"))
session.execute("INSERT INTO t (k, c, v) VALUES (%(k)s, %(c)s, %(v)s)", {"k": 1, "c": 2, "v": "two"})
equal(rows(session, "SELECT * FROM t WHERE k = 1"), [(1, 1, None, "one's"), (1, 2, None, "two")])

# Prepared, with positions and with names, with unset and with null.
insert = session.prepare("INSERT INTO t (k, c, v, s) VALUES (?, ?, ?, ?)")
equal(insert.routing_key_indexes, [0])
equal([(c.name, c.type.cassname) for c in insert.column_metadata],
      [("k", "Int32Type"), ("c", "Int32Type"), ("v", "VarcharType"), ("s", "Int32Type")])
session.execute(insert, (2, 1, "a", 10))
session.execute(insert, (2, 2, UNSET_VALUE, UNSET_VALUE))
session.execute(insert, (2, 3, None, 11))
session.execute(insert, {"k": 2, "c": 4, "v": "d"})
select = session.prepare("SELECT c, v, s FROM t WHERE k = :key AND c >= :start")
equal(rows(session, select, {"key": 2, "start": 2}), [(2, None, 11), (3, None, 11), (4, "d", 11)])
equal(rows(session, select, (2, 4)), [(4, "d", 11)])
equal(rows(session, session.prepare("SELECT v FROM t WHERE k = ? AND c IN ?"), (2, [1, 4])), [("a",), ("d",)])
equal(rows(session, session.prepare("SELECT c FROM t WHERE k = ? LIMIT ?"), (2, 2)), [(1,), (2,)])
refused(InvalidRequest, "Invalid unset value for column c", lambda: session.execute(select, (1, UNSET_VALUE)))

# Timestamps and lifetimes of the client.
stamped = session.prepare("UPDATE t USING TIMESTAMP ? AND TTL ? SET v = ? WHERE k = ? AND c = ?")
session.execute(stamped, (12345, 1000, "x", 3, 1))
(found,) = rows(session, "SELECT writetime(v), ttl(v) FROM t WHERE k = 3 AND c = 1")
assert found[0] == 12345 and 990 < found[1] <= 1000, found

# Pages.
for c in range(25):
    session.execute(insert, (4, c, str(c), UNSET_VALUE))
for size in (1, 7, 25, 100):
    paged = SimpleStatement("SELECT c FROM t WHERE k = 4", fetch_size=size)
    result = session.execute(paged)
    equal(len(result.current_rows), min(size, 25))
    equal([c for c, in result], list(range(25)))
bound = select.bind((4, 5))
bound.fetch_size = 3
result = session.execute(bound)
equal([row[0] for row in result.current_rows], [5, 6, 7])
assert result.has_more_pages
resumed = session.execute(select.bind((4, 5)), paging_state=result.paging_state)
equal(resumed.one()[0], 8)
everything = SimpleStatement("SELECT k, c FROM t", fetch_size=1)
equal(len(list(session.execute(everything))), 2 + 4 + 1 + 25)

# Batches: of texts, of prepared statements, of both; with one timestamp; of counters.
for kind in (BatchType.LOGGED, BatchType.UNLOGGED):
    batch = BatchStatement(batch_type=kind)
    batch.add("INSERT INTO t (k, c, v) VALUES (5, 1, 'text')")
    batch.add(SimpleStatement("INSERT INTO t (k, c, v) VALUES (%s, %s, %s)"), (5, 2, "literal"))
    batch.add(insert, (5, 3, "prepared", 9))
    session.execute(batch)
    equal(rows(session, "SELECT c, v, s FROM t WHERE k = 5"), [(1, "text", 9), (2, "literal", 9), (3, "prepared", 9)])
    times = rows(session, "SELECT writetime(v) FROM t WHERE k = 5")
    equal(len(set(times)), 1)
    session.execute("DELETE FROM t WHERE k = 5")
session.execute("CREATE TABLE counts (k int PRIMARY KEY, n counter)")
add = session.prepare("UPDATE counts SET n = n + ? WHERE k = ?")
batch = BatchStatement(batch_type=BatchType.COUNTER)
batch.add(add, (5, 1))
batch.add(add, (-2, 1))
session.execute(batch)
equal(rows(session, "SELECT n FROM counts"), [(3,)])
refused(InvalidRequest, "Cannot include a counter statement in a logged batch",
        lambda: session.execute(BatchStatement().add(add, (1, 1))))
session.execute(BatchStatement())

# Conditions.
result = session.execute("INSERT INTO t (k, c, v) VALUES (6, 1, 'first') IF NOT EXISTS")
assert result.was_applied
result = session.execute("INSERT INTO t (k, c, v) VALUES (6, 1, 'second') IF NOT EXISTS")
assert not result.was_applied
equal(result.one(), (False, 6, 1, None, "first"))
swap = session.prepare("UPDATE t SET v = ? WHERE k = ? AND c = ? IF v = ?")
swap.serial_consistency_level = ConsistencyLevel.LOCAL_SERIAL
result = session.execute(swap, ("new", 6, 1, "other"))
equal(result.one(), (False, "first"))
result = session.execute(swap, ("new", 6, 1, "first"))
equal(result.one(), (True,))
batch = BatchStatement()
batch.add(swap, ("newer", 6, 1, "new"))
batch.add(insert, (6, 2, "beside", 1))
assert session.execute(batch).was_applied
equal(rows(session, "SELECT c, v FROM t WHERE k = 6"), [(1, "newer"), (2, "beside")])
assert session.execute("DELETE FROM t WHERE k = 6 AND c = 9 IF EXISTS").was_applied is False

# Re-preparation: the table changes under a prepared statement.
star = session.prepare("SELECT * FROM t WHERE k = ? AND c = ?")
equal(rows(session, star, (6, 1)), [(6, 1, 1, "newer")])
session.execute("ALTER TABLE t ADD extra int")
session.execute("UPDATE t SET extra = 7 WHERE k = 6 AND c = 1")
again = session.prepare("SELECT * FROM t WHERE k = ? AND c = ?")
equal(rows(session, again, (6, 1)), [(6, 1, 1, 7, "newer")])
equal(rows(session, select, (6, 2)), [(2, "beside", 1)])
other = cluster().connect("clients_statements")
equal(other.prepare("SELECT c, v, s FROM t WHERE k = :key AND c >= :start").query_id, select.query_id)
qualified = session.prepare("SELECT v FROM clients_statements.t WHERE k = ? AND c = ?")
equal(cluster().connect().prepare("SELECT v FROM clients_statements.t WHERE k = ? AND c = ?").query_id, qualified.query_id)

# Names of columns, and rows that are none.
session.cluster.profile_manager.profiles[EXEC_PROFILE_DEFAULT].row_factory = named_tuple_factory
found = session.execute("SELECT k AS key, count(*), max(c) FROM t WHERE k = 4").one()
equal(found._fields, ("key", "count", "system_max_c"))
equal(session.execute("SELECT * FROM t WHERE k = 99").one(), None)
equal(session.execute("SELECT JSON k, c FROM t WHERE k = 6 AND c = 1").one()[0], '{"k": 6, "c": 1}')
session.execute("TRUNCATE t")
equal(list(session.execute("SELECT * FROM t")), [])
session.execute("DROP KEYSPACE clients_statements")
done()
