"""A materialized view: seen by the driver, kept up with its table."""

from asking import *

session = fresh("clients_views")
session.execute("CREATE TABLE scores (player text, game text, score int, PRIMARY KEY (player, game))")
session.execute("INSERT INTO scores (player, game, score) VALUES ('ann', 'chess', 3)")
try:
    session.execute(
        "CREATE MATERIALIZED VIEW by_game AS SELECT * FROM scores WHERE player IS NOT NULL AND game IS NOT NULL "
        "AND score IS NOT NULL PRIMARY KEY (game, score, player) WITH CLUSTERING ORDER BY (score DESC, player ASC)"
    )
except Exception as error:
    # Nodes may be set up without them.
    assert "Materialized views are disabled" in str(error), error
    print("views are disabled here")
else:
    view = session.cluster.metadata.keyspaces["clients_views"].views["by_game"]
    equal(view.base_table_name, "scores")
    equal([c.name for c in view.clustering_key], ["score", "player"])
    session.execute("INSERT INTO scores (player, game, score) VALUES ('bob', 'chess', 5)")
    import time
    for _ in range(100):
        found = rows(session, "SELECT player, score FROM by_game WHERE game = 'chess'")
        if len(found) == 2:
            break
        time.sleep(0.1)
    equal(found, [("bob", 5), ("ann", 3)])
session.execute("DROP KEYSPACE clients_views")
done()
