//! The nine anti-patterns that every guide prints, as they are printed: each fails a check without any option, by the rule that
//! means it. What the same guides accept passes.

use super::TestFolder;

/// An anti-pattern: its name, the rule, and the CQL.
const ANTI_PATTERNS: [(&str, &str, &str); 12] = [
    (
        "unbounded partitions",
        "PS001",
        "CREATE TABLE user_activity (
    user_id UUID,
    activity_time TIMESTAMP,
    activity_type TEXT,
    details TEXT,
    PRIMARY KEY ((user_id), activity_time)
);",
    ),
    (
        "tombstone accumulation",
        "TB001",
        "CREATE TABLE message_queue (
    queue_id TEXT,
    message_id TIMEUUID,
    payload TEXT,
    PRIMARY KEY ((queue_id), message_id)
);

-- Application pattern
INSERT INTO message_queue (...) VALUES (...);
-- Process message
DELETE FROM message_queue WHERE queue_id = ? AND message_id = ?;
-- Repeat thousands of times per hour",
    ),
    (
        "tombstone accumulation, with the read",
        "TB001",
        "CREATE TABLE message_queue (
    queue_id TEXT,
    message_id TIMEUUID,
    payload TEXT,
    PRIMARY KEY ((queue_id), message_id)
);
SELECT * FROM message_queue WHERE queue_id = 'orders';
DELETE FROM message_queue WHERE queue_id = ? AND message_id = ?;",
    ),
    (
        "ALLOW FILTERING",
        "QP001",
        "CREATE TABLE users (user_id UUID PRIMARY KEY, email TEXT, username TEXT, country TEXT);
SELECT * FROM users WHERE country = 'US' ALLOW FILTERING;",
    ),
    (
        "ALLOW FILTERING, without the table",
        "QP001",
        "-- ANTI-PATTERN: Query without partition key
SELECT * FROM users WHERE country = 'US' ALLOW FILTERING;",
    ),
    (
        "queue",
        "TB001",
        "CREATE TABLE job_queue (
    queue_name TEXT,
    job_id TIMEUUID,
    payload TEXT,
    status TEXT,
    PRIMARY KEY ((queue_name), job_id)
);
    SELECT * FROM job_queue
    WHERE queue_name = 'processing'
    LIMIT 10;

    DELETE FROM job_queue
    WHERE queue_name = 'processing' AND job_id = ?;",
    ),
    (
        "secondary index abuse",
        "IX001",
        "CREATE TABLE users (
    user_id UUID PRIMARY KEY,
    email TEXT,
    username TEXT,
    country TEXT
);

CREATE INDEX ON users (email);

-- 90% of queries use this index
SELECT * FROM users WHERE email = ?;",
    ),
    (
        "collection abuse",
        "CO001",
        "CREATE TABLE users (
    user_id UUID PRIMARY KEY,
    name TEXT,
    activity_log LIST<TEXT>  -- Grows forever
);

-- Every page view appends to list
UPDATE users SET activity_log = activity_log + ['viewed product X']
WHERE user_id = ?;",
    ),
    (
        "counter among other columns",
        "SV007",
        "CREATE TABLE page_stats (
    page_id UUID PRIMARY KEY,
    title TEXT,           -- Non-counter
    view_count COUNTER    -- Counter
);",
    ),
    (
        "counter with a TTL",
        "CN003",
        "CREATE TABLE page_views (page_id UUID PRIMARY KEY, views COUNTER);
UPDATE page_views USING TTL 3600
SET views = views + 1 WHERE page_id = ?;",
    ),
    (
        "counter that is set",
        "CN002",
        "CREATE TABLE page_views (page_id UUID PRIMARY KEY, views COUNTER);
UPDATE page_views SET views = 0 WHERE page_id = ?;",
    ),
    (
        "over-normalization",
        "DM001",
        "CREATE TABLE users (
    user_id UUID PRIMARY KEY,
    username TEXT,
    email TEXT
);

CREATE TABLE addresses (
    address_id UUID PRIMARY KEY,
    user_id UUID,
    street TEXT,
    city TEXT,
    country TEXT
);

CREATE TABLE orders (
    order_id UUID PRIMARY KEY,
    user_id UUID,
    total DECIMAL,
    created_at TIMESTAMP
);

-- To display order with user and address:
-- Query 1: Get order
-- Query 2: Get user
-- Query 3: Get address
-- Application joins results",
    ),
];

/// What is said to be correct, or acceptable.
const ACCEPTED: [(&str, &str); 13] = [
    (
        "a partition for each month",
        "CREATE TABLE user_activity (
    user_id UUID,
    month TEXT,              -- '2024-01'
    activity_time TIMESTAMP,
    activity_type TEXT,
    details TEXT,
    PRIMARY KEY ((user_id, month), activity_time)
) WITH CLUSTERING ORDER BY (activity_time DESC);",
    ),
    (
        "messages that expire",
        "CREATE TABLE message_queue (
    queue_id TEXT,
    hour TIMESTAMP,
    message_id TIMEUUID,
    payload TEXT,
    PRIMARY KEY ((queue_id, hour), message_id)
) WITH compaction = {
    'class': 'TimeWindowCompactionStrategy',
    'compaction_window_size': '1',
    'compaction_window_unit': 'HOURS'
}
AND default_time_to_live = 86400
AND gc_grace_seconds = 3600;",
    ),
    (
        "filtering in a small table, and in one partition",
        "CREATE TABLE configuration (name TEXT PRIMARY KEY, feature TEXT, value TEXT);
CREATE TABLE user_orders (user_id UUID, order_id UUID, status TEXT, PRIMARY KEY (user_id, order_id));
SELECT * FROM configuration WHERE feature = 'dark_mode' ALLOW FILTERING;
SELECT * FROM user_orders
WHERE user_id = 550e8400-e29b-12d3-a456-426614174000
  AND status = 'pending'
ALLOW FILTERING;",
    ),
    (
        "an index for dashboards",
        "CREATE TABLE orders (order_id UUID PRIMARY KEY, status TEXT, total DECIMAL);
CREATE INDEX ON orders (status);  -- Few values: pending, shipped, delivered
-- @rate 1/h
SELECT * FROM orders WHERE status = 'pending';",
    ),
    (
        "an index within a partition",
        "CREATE TABLE user_orders (user_id UUID, order_id UUID, status TEXT, PRIMARY KEY (user_id, order_id));
CREATE INDEX ON user_orders (status);
SELECT * FROM user_orders
WHERE user_id = ? AND status = 'pending';",
    ),
    (
        "a storage-attached index on many values",
        "CREATE TABLE users (user_id UUID PRIMARY KEY, email TEXT, username TEXT, country TEXT);
CREATE CUSTOM INDEX ON users (email)
USING 'StorageAttachedIndex';

SELECT * FROM users WHERE email = 'alice@example.com';",
    ),
    (
        "a partition for each worker and hour",
        "CREATE TABLE processing_batches (
    batch_hour TIMESTAMP,
    worker_id INT,           -- Partition by worker to avoid contention
    job_id TIMEUUID,
    payload TEXT,
    PRIMARY KEY ((batch_hour, worker_id), job_id)
) WITH default_time_to_live = 86400;  -- TTL instead of delete",
    ),
    (
        "a status without deletes",
        "CREATE TABLE job_status (
    job_id UUID PRIMARY KEY,
    status TEXT,
    updated_at TIMESTAMP
) WITH default_time_to_live = 604800;  -- 7 days

UPDATE job_status SET status = 'completed', updated_at = toTimestamp(now())
WHERE job_id = ?;",
    ),
    (
        "a table for the lookup",
        "CREATE TABLE users (user_id UUID PRIMARY KEY, email TEXT, username TEXT);
CREATE TABLE users_by_email (
    email TEXT PRIMARY KEY,
    user_id UUID,
    username TEXT
);
BEGIN BATCH
    INSERT INTO users (user_id, email, username) VALUES (?, ?, ?);
    INSERT INTO users_by_email (email, user_id, username) VALUES (?, ?, ?);
APPLY BATCH;
SELECT user_id FROM users_by_email WHERE email = ?;",
    ),
    (
        "rows instead of a collection",
        "CREATE TABLE user_activity (
    user_id UUID,
    activity_time TIMESTAMP,
    activity TEXT,
    PRIMARY KEY ((user_id), activity_time)
) WITH CLUSTERING ORDER BY (activity_time DESC)
  AND default_time_to_live = 2592000;  -- 30 days
SELECT * FROM user_activity
WHERE user_id = ?
LIMIT 100;",
    ),
    (
        "small collections",
        "CREATE TABLE products (
    product_id UUID PRIMARY KEY,
    name TEXT,
    tags SET<TEXT>,              -- 5-20 tags max
    attributes MAP<TEXT, TEXT>,   -- 10-20 attributes max
    image_urls LIST<TEXT>         -- 5-10 images max
);",
    ),
    (
        "counters by themselves",
        "CREATE TABLE page_views (
    page_id UUID PRIMARY KEY,
    view_count COUNTER,
    unique_visitors COUNTER
);
CREATE TABLE page_info (
    page_id UUID PRIMARY KEY,
    title TEXT,
    url TEXT,
    created_at TIMESTAMP
);
UPDATE page_views SET view_count = view_count + 1
WHERE page_id = ?;
BEGIN COUNTER BATCH
    UPDATE page_views SET view_count = view_count + 1 WHERE page_id = ?;
    UPDATE page_views SET unique_visitors = unique_visitors + 1 WHERE page_id = ?;
APPLY BATCH;",
    ),
    (
        "one table for the query",
        "CREATE TABLE orders_with_details (
    order_id UUID,
    user_id UUID,
    user_name TEXT,           -- Denormalized from users
    user_email TEXT,          -- Denormalized from users
    shipping_street TEXT,     -- Denormalized from addresses
    shipping_city TEXT,
    shipping_country TEXT,
    total DECIMAL,
    created_at TIMESTAMP,
    PRIMARY KEY ((order_id))
);
SELECT * FROM orders_with_details WHERE order_id = ?;",
    ),
];

/// `IN` with 502 values, as printed but for the values that the print leaves out.
fn large_list() -> String {
    let values: Vec<String> =
        (0..502).map(|at| format!("550e8400-e29b-41d4-a716-{at:012}")).collect();
    format!(
        "CREATE TABLE products (product_id UUID PRIMARY KEY, name TEXT);
SELECT * FROM products WHERE product_id IN ({});",
        values.join(", ")
    )
}

#[test]
fn each_anti_pattern_fails_a_check() {
    let folder = TestFolder::new("anti-patterns");
    let large_list = large_list();
    let all = ANTI_PATTERNS.into_iter().chain([("large IN clauses", "QP006", &*large_list)]);
    for (name, code, text) in all {
        folder.write("a.cql", text);
        let (printed, exit) = folder.check(&["a.cql"]);
        let found = folder.findings(code, &["a.cql"]);
        let fails = |severity: &str| matches!(severity, "high" | "critical" | "error");
        let severities: Vec<&str> =
            found.iter().filter_map(|finding| finding["severity"].as_str()).collect();
        assert!(severities.iter().any(|it| fails(it)), "{name}: {code} {severities:?}\n{printed}");
        assert_eq!(exit, 1, "{name}: {printed}");
    }
}

#[test]
fn what_is_accepted_passes() {
    let folder = TestFolder::new("accepted");
    for (name, text) in ACCEPTED {
        folder.write("a.cql", text);
        let (printed, exit) = folder.check(&["a.cql"]);
        assert_eq!(exit, 0, "{name}: {printed}");
    }
}

#[test]
fn a_date_alone_is_reported_without_rates() {
    let folder = TestFolder::new("date");
    folder.write(
        "a.cql",
        "CREATE TABLE t (day date, ts timestamp, id uuid, PRIMARY KEY (day, ts, id));",
    );
    assert_eq!(folder.findings("PK004", &["a.cql"]).len(), 1);
}
