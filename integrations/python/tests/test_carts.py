"""An example: each test starts with the empty tables of schema.cql."""

from datetime import datetime, timedelta

import pytest
from cassandra import WriteTimeout


def count(cql):
    return cql.execute("SELECT count(*) FROM shop.carts").one().count


@pytest.mark.parametrize("run", [1, 2])
def test_each_test_starts_anew(cql, run):
    assert count(cql) == 0
    cql.execute("INSERT INTO shop.carts (customer, items) VALUES ('helen', 3)")
    assert count(cql) == 1


def test_carts_expire(cql, helenus):
    cql.execute("INSERT INTO shop.carts (customer, items) VALUES ('helen', 3) USING TTL 86400")
    helenus.advance_clock(timedelta(hours=23))
    assert count(cql) == 1
    helenus.advance_clock(timedelta(hours=2))
    assert count(cql) == 0


def test_time_can_stand_still(cql, helenus):
    helenus.set_clock(datetime(2030, 1, 1), frozen=True)
    assert helenus.now() == datetime(2030, 1, 1)


def test_a_write_that_times_out(cql, helenus):
    helenus.add_fault("timeout", table_name="carts", statement="write", applied=True, count=1)
    with pytest.raises(WriteTimeout):
        cql.execute("INSERT INTO shop.carts (customer, items) VALUES ('helen', 3)")
    assert count(cql) == 1


def test_faults_and_clock_are_gone(cql, helenus):
    assert abs(helenus.now() - datetime.utcnow()) < timedelta(minutes=1)
    assert not list(cql.execute("SELECT * FROM helenus.faults"))
