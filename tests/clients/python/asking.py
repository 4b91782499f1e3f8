"""What the scripts share: a connection to the server named on the command line, and ways to say what is expected."""

import sys
import warnings

from cassandra.cluster import Cluster, ExecutionProfile, EXEC_PROFILE_DEFAULT
from cassandra.policies import RoundRobinPolicy
from cassandra.query import tuple_factory

warnings.simplefilter("ignore")
HOST, PORT = sys.argv[1], int(sys.argv[2])
clusters = []


def cluster(**options):
    profile = ExecutionProfile(load_balancing_policy=RoundRobinPolicy(), row_factory=tuple_factory, request_timeout=60)
    made = Cluster([HOST], port=PORT, execution_profiles={EXEC_PROFILE_DEFAULT: profile},
                   connect_timeout=60, control_connection_timeout=60, **options)
    clusters.append(made)
    return made


def fresh(keyspace, **options):
    """A session that uses a new keyspace."""
    session = cluster(**options).connect()
    session.execute(f"DROP KEYSPACE IF EXISTS {keyspace}")
    session.execute(f"CREATE KEYSPACE {keyspace} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}")
    session.set_keyspace(keyspace)
    return session


def equal(found, expected):
    assert found == expected, f"\nfound    {found!r}\nexpected {expected!r}"


def rows(session, text, values=None, **options):
    return [tuple(row) for row in session.execute(text, values, **options)]


def refused(kind, text, ask):
    """The refusal of what is asked: its class and its text."""
    try:
        ask()
    except kind as error:
        assert text in str(error), f"{error} does not say: {text}"
        return error
    raise AssertionError(f"not refused: {text}")


def done():
    for made in clusters:
        made.shutdown()
    print("done")
