"""Values of every type, there and back, as literals and as bound values."""

import datetime
import decimal
import uuid
from collections import namedtuple

from cassandra.util import Date, Duration, Time

from asking import *

session = fresh("clients_types")
samples = {
    "ascii": ["a", ""],
    "bigint": [0, -2**63, 2**63 - 1],
    "blob": [b"\x00\xff", b""],
    "boolean": [True, False],
    "date": [Date(datetime.date(2024, 2, 29)), Date(-10)],
    "decimal": [decimal.Decimal("-12.50"), decimal.Decimal("1E+10")],
    "double": [1.5, -0.0, float("inf")],
    "duration": [Duration(1, 2, 3), Duration(-1, -2, -3)],
    "float": [0.25],
    "inet": ["127.0.0.1", "::1"],
    "int": [0, -1, 2**31 - 1],
    "smallint": [-32768],
    "text": ["é漢", ""],
    "time": [Time(123456789)],
    "timestamp": [datetime.datetime(2024, 2, 29, 1, 2, 3, 456000)],
    "timeuuid": [uuid.UUID("d2177dd0-eaa2-11de-a572-001b779c76e3")],
    "tinyint": [-128],
    "uuid": [uuid.UUID(int=7)],
    "varint": [0, -129, 2**100],
}
session.execute(
    "CREATE TABLE natives (id int PRIMARY KEY, " + ", ".join(f"c_{name} {name}" for name in samples) + ")")
session.execute("INSERT INTO natives (id) VALUES (2)")
for name, values in samples.items():
    insert = session.prepare(f"INSERT INTO natives (id, c_{name}) VALUES (?, ?)")
    for value in values + [None]:
        session.execute(insert, (1, value))
        equal(rows(session, f"SELECT c_{name} FROM natives WHERE id = 1"), [(value,)])
        if name not in ("duration",):
            session.execute(f"UPDATE natives SET c_{name} = %s WHERE id = 2", (value,))
            equal(rows(session, f"SELECT c_{name} FROM natives WHERE id = 2"), [(value,)])

# Collections, nested and not, frozen and not.
session.execute(
    "CREATE TABLE collected (id int PRIMARY KEY, l list<int>, s set<text>, m map<text, int>, "
    "f frozen<map<text, frozen<list<int>>>>, t tuple<int, text, boolean>, v vector<float, 3>, vt vector<text, 2>)")
insert = session.prepare("INSERT INTO collected (id, l, s, m, f, t, v, vt) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
session.execute(insert, (1, [3, 1, 2, 1], {"b", "a"}, {"x": 1, "a": 2}, {"k": [1, 2]}, (1, None, True), [1.0, 2.0, 3.5], ["a", "bc"]))
(found,) = rows(session, "SELECT l, s, m, f, t, v, vt FROM collected")
equal(found[0], [3, 1, 2, 1])
equal(list(found[1]), ["a", "b"])
equal(dict(found[2]), {"a": 2, "x": 1})
equal({k: list(v) for k, v in found[3].items()}, {"k": [1, 2]})
equal(tuple(found[4]), (1, None, True))
equal(list(found[5]), [1.0, 2.0, 3.5])
equal(list(found[6]), ["a", "bc"])
append = session.prepare("UPDATE collected SET l = l + ?, s = s - ?, m[?] = ? WHERE id = 1")
session.execute(append, ([9], {"a"}, "new", 7))
(found,) = rows(session, "SELECT l, s, m, m['new'] FROM collected WHERE id = 1")
equal((found[0], list(found[1]), dict(found[2]), found[3]), ([3, 1, 2, 1, 9], ["b"], {"a": 2, "new": 7, "x": 1}, 7))
session.execute(insert, (2, [], set(), {}, {}, None, None, None))
equal(rows(session, "SELECT l, s, m, t, v FROM collected WHERE id = 2"), [(None, None, None, None, None)])

# User types, registered with the driver.
session.execute("CREATE TYPE point (x int, y int)")
session.execute("CREATE TYPE shape (name text, points frozen<list<frozen<point>>>)")
session.execute("CREATE TABLE shapes (id int PRIMARY KEY, s shape, f frozen<shape>, p map<text, frozen<point>>)")
Point, Shape = namedtuple("Point", "x y"), namedtuple("Shape", "name points")
session.cluster.register_user_type("clients_types", "point", Point)
session.cluster.register_user_type("clients_types", "shape", Shape)
line = Shape("line", [Point(1, 2), Point(3, None)])
session.execute(session.prepare("INSERT INTO shapes (id, s, f, p) VALUES (?, ?, ?, ?)"), (1, line, line, {"a": Point(0, 0)}))
equal(rows(session, "SELECT s, f, s.name FROM shapes"), [(line, line, "line")])
equal(dict(rows(session, "SELECT p FROM shapes")[0][0]), {"a": Point(0, 0)})
session.execute("UPDATE shapes SET s.name = 'curve' WHERE id = 1")
equal(rows(session, "SELECT s FROM shapes")[0][0].name, "curve")
session.execute("ALTER TYPE point ADD z int")
Point3 = namedtuple("Point3", "x y z")
session.cluster.register_user_type("clients_types", "point", Point3)
equal(rows(session, "SELECT f FROM shapes")[0][0].points[0], Point3(1, 2, None))

# Version 3 has no numbers for some of these types: they go by the names of their classes.
older = cluster(protocol_version=3).connect("clients_types")
older.execute("UPDATE natives SET c_smallint = 5, c_date = '2024-01-01', c_duration = 1h WHERE id = 9")
equal(rows(older, "SELECT c_smallint, c_date, c_duration FROM natives WHERE id = 9"),
      [(5, Date(datetime.date(2024, 1, 1)), Duration(0, 0, 3600000000000))])
session.execute("DROP KEYSPACE clients_types")
done()
