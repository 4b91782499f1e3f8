"""How many orders there are."""

COUNT = "SELECT count(*) FROM orders_by_customer"


def rename(session, customer, name):
    session.execute(
        f"UPDATE {session.keyspace}.customers SET name = %s WHERE customer_id = %s",
        (name, customer),
    )


print("Select one of the reports from the list")
