"""Many statements at once, over several connections."""

from cassandra.concurrent import execute_concurrent, execute_concurrent_with_args

from asking import *

session = fresh("clients_concurrent")
session.execute("CREATE TABLE t (k int, c int, v text, PRIMARY KEY (k, c))")
insert = session.prepare("INSERT INTO t (k, c, v) VALUES (?, ?, ?)")
results = execute_concurrent_with_args(session, insert, [(i % 10, i, "v" * (i % 100)) for i in range(2000)], concurrency=100)
assert all(ok for ok, _ in results)
select = session.prepare("SELECT v FROM t WHERE k = ? AND c = ?")
results = execute_concurrent_with_args(session, select, [(i % 10, i) for i in range(2000)], concurrency=100)
for i, (ok, found) in enumerate(results):
    assert ok
    equal(found.one(), ("v" * (i % 100),))
results = execute_concurrent(session, [("SELECT count(*) FROM t WHERE k = %s", (k,)) for k in range(10)])
equal([found.one() for _, found in results], [(200,)] * 10)
mixed = execute_concurrent(session, [("SELECT * FROM nothing", ()), ("SELECT * FROM t WHERE k = 1", ())], raise_on_first_error=False)
equal([ok for ok, _ in mixed], [False, True])
session.execute("DROP KEYSPACE clients_concurrent")
done()
