package shop;

/** Reads and writes orders. */
final class Orders {
    private static final String LATEST =
        "SELECT order_id, total FROM orders_by_customer "
            + "WHERE customer_id = ? "
            + "LIMIT 10";
    private static final String OPEN =
        "SELECT order_id, total FROM orders_by_customer WHERE state = ? ALLOW FILTERING";
    private static final String PLACE =
        "INSERT INTO " + Settings.KEYSPACE + ".orders_by_customer (customer_id, order_id, total) VALUES (?, ?, ?)";
    // Of the accounting database.
    private static final String BILL = "SELECT id FROM bills WHERE order_id = ?";
}
