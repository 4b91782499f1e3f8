//! Guardrails apply to ordinary roles, and to nobody if authentication is off.

use crate::Database;
use crate::Options;
use crate::Settings;
use crate::execute::Execution;
use crate::request::Parameters;
use crate::session::context::{Caller, StatementContext};

const KEYSPACE: &str =
    "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";

/// The error and warnings of a statement of a role under these settings, after others.
fn outcome(role: &str, pairs: &[&str], before: &[&str], statement: &str) -> (String, Vec<String>) {
    let mut settings = Settings { authentication: true, ..Settings::default() };
    for pair in pairs {
        let (name, value) = pair.split_once('=').unwrap();
        settings.set(name, value).unwrap();
    }
    let options = Options { settings, ..Options::default() };
    let session = Database::open_in_memory(options).unwrap().session();
    let node = &session.node;
    let parameters = Parameters::default();
    let mut last = (String::new(), Vec::new());
    for text in before.iter().chain([&statement]) {
        let execution = Execution::new(node, node.schema(), &parameters, None);
        let caller = Caller::Client { role: Some(role), roles: &session.roles };
        let context = StatementContext::new(execution, caller);
        let parsed = cql::parse(text);
        let result = crate::session::ddl::change(&context, &parsed.statements[0], text);
        let message = result.err().map(|error| error.message).unwrap_or_default();
        last = (message, context.finish().0);
    }
    last
}

#[test]
fn keyspaces_are_counted() {
    let limit = ["keyspaces_warn_threshold=1", "keyspaces_fail_threshold=2"];
    let other = KEYSPACE.replace(" k ", " k2 ");
    let third = KEYSPACE.replace(" k ", " k3 ");
    let warned = outcome("bob", &limit, &[KEYSPACE], &other);
    assert_eq!(
        warned.1,
        [
            "Guardrail keyspaces violated: Creating keyspace k2, current number of keyspaces 2 exceeds warning threshold \
          of 1."
        ]
    );
    let refused = outcome("bob", &limit, &[KEYSPACE, &other], &third).0;
    assert_eq!(
        refused,
        "Guardrail keyspaces violated: Cannot have more than 2 keyspaces, aborting the creation of keyspace k3"
    );
    assert_eq!(outcome("cassandra", &limit, &[KEYSPACE, &other], &third).0, "");
}

#[test]
fn a_time_window_without_a_lifetime_is_unwise() {
    let table = "CREATE TABLE k.t (k int PRIMARY KEY) WITH compaction = {'class': 'TimeWindowCompactionStrategy'}";
    let (refused, warnings) = outcome("bob", &[], &[KEYSPACE], table);
    assert_eq!(refused, "");
    assert!(warnings[0].starts_with(
        "Guardrail zero_ttl_on_twcs violated: 0 default_time_to_live on a table with TimeWindowCompactionStrategy \
         compaction strategy is not recommended. It is suspicious"
    ));
    assert_eq!(outcome("cassandra", &[], &[KEYSPACE], table).1, Vec::<String>::new());
}

#[test]
fn what_is_switched_off_is_off_for_all() {
    let view = "CREATE MATERIALIZED VIEW k.v AS SELECT * FROM k.t WHERE k IS NOT NULL AND c IS NOT NULL PRIMARY KEY (c, k)";
    let table = "CREATE TABLE k.t (k int, c int, PRIMARY KEY (k, c))";
    let off = ["materialized_views_enabled=false"];
    let refused = outcome("cassandra", &off, &[KEYSPACE, table], view).0;
    assert_eq!(refused, "Materialized views are disabled. Enable in cassandra.yaml to use.");
}

/// The error and the warnings of a statement of an ordinary role on rows.
fn row_outcome(statement: &str) -> (String, Vec<String>) {
    let mut settings = Settings { authentication: true, ..Settings::default() };
    for (name, value) in [
        ("partition_keys_in_select_warn_threshold", "2"),
        ("partition_keys_in_select_fail_threshold", "4"),
        ("in_select_cartesian_product_warn_threshold", "2"),
        ("in_select_cartesian_product_fail_threshold", "6"),
        ("items_per_collection_warn_threshold", "2"),
        ("items_per_collection_fail_threshold", "4"),
        ("collection_size_warn_threshold", "40B"),
        ("collection_size_fail_threshold", "80B"),
        ("column_value_size_warn_threshold", "10B"),
        ("column_value_size_fail_threshold", "20B"),
        ("read_before_write_list_operations_enabled", "false"),
    ] {
        settings.set(name, value).unwrap();
    }
    let options = Options { settings, ..Options::default() };
    let session = Database::open_in_memory(options).unwrap().session();
    let node = &session.node;
    for text in [
        KEYSPACE,
        "CREATE TABLE k.t (p int, q int, c int, d int, v text, l list<text>, s set<text>, m map<text, text>, \
         fl frozen<list<text>>, PRIMARY KEY ((p, q), c, d))",
    ] {
        crate::session::run_internal(node, text).unwrap();
    }
    let parameters = Parameters::default();
    let schema = node.schema();
    let execution = Execution::new(node, schema.clone(), &parameters, None);
    let caller = Caller::Client { role: Some("bob"), roles: &session.roles };
    let context = StatementContext::new(execution, caller);
    let parsed = cql::parse(statement).statements.remove(0);
    let bound = schema::bind::bind(&schema.catalog, None, 0, &parsed).unwrap();
    let result = super::check_query(&context, Some(&parsed.kind), &bound.kind);
    let message = result.err().map(|error| error.message).unwrap_or_default();
    (message, context.finish().0)
}

/// The texts are those of a server with these settings.
#[test]
fn keys_are_counted() {
    let product = "Guardrail in_select_cartesian_product violated: The cartesian product of the IN restrictions on";
    let (refused, warnings) = row_outcome("SELECT * FROM k.t WHERE p = 1 AND q IN (1, 2, 3)");
    assert_eq!(refused, "");
    assert_eq!(
        warnings,
        [
            format!("{product} partition key produces 3 values, this exceeds warning threshold of 2."),
            "Guardrail partition_keys_in_select violated: Query with partition keys in IN clause on table t, with number \
             of partition keys 3 exceeds warning threshold of 2."
                .to_owned()
        ]
    );
    let twice = row_outcome("SELECT * FROM k.t WHERE p = 1 AND q IN (1, 1, 1)");
    assert_eq!(twice.1.len(), 1);
    let slices = row_outcome("SELECT * FROM k.t WHERE p = 1 AND q = 1 AND c IN (1, 2, 3)");
    assert_eq!(slices, (String::new(), Vec::new()));
    let rows = "SELECT * FROM k.t WHERE p = 1 AND q = 1 AND c IN (1, 2, 3) AND d IN (1, 2, 3)";
    assert_eq!(
        row_outcome(rows).0,
        "Guardrail in_select_cartesian_product violated: Aborting query because the cartesian product of the IN \
         restrictions on clustering key produces 9 values, this exceeds fail threshold of 6."
    );
    let keys = row_outcome("SELECT * FROM k.t WHERE p = 1 AND q IN (1, 2, 3, 4, 5)").0;
    assert_eq!(
        keys,
        "Guardrail partition_keys_in_select violated: Aborting query with partition keys in IN clause on table t, \
         number of partition keys 5 exceeds fail threshold of 4."
    );
}

/// The texts are those of a server with these settings.
#[test]
fn values_are_measured() {
    let column = |name: &str, size: u32| {
        format!(
            "Guardrail column_value_size violated: Value of column '{name}' has size {size}, this exceeds the warning \
             threshold of 10."
        )
    };
    let insert = |name: &str, value: &str| {
        row_outcome(&format!("INSERT INTO k.t (p, q, c, d, {name}) VALUES (1, 1, 1, 1, {value})"))
    };
    assert_eq!(insert("v", "'0123456789'").1, Vec::<String>::new());
    assert_eq!(insert("v", "'01234567890'").1, [column("v", 11)]);
    assert_eq!(
        insert("l", "['a', 'b']").1,
        [
            column("l", 16),
            column("l", 16),
            "Guardrail collection_size violated: Detected collection l of size 74, this exceeds the warning threshold of 40."
                .to_owned()
        ]
    );
    assert_eq!(
        insert("s", "{'a', 'b', 'c'}").1,
        [
            "Guardrail items_per_collection violated: Detected collection s with 3 items, this exceeds the warning \
             threshold of 2.",
            "Guardrail collection_size violated: Detected collection s of size 63, this exceeds the warning threshold of 40."
        ]
    );
    assert_eq!(
        insert("fl", "['a', 'b', 'c', 'd', 'e']").0,
        "Guardrail items_per_collection violated: Detected collection fl with 5 items, this exceeds the failure \
         threshold of 4."
    );
    assert_eq!(
        insert("fl", "['0123456789', '0123456789']").0,
        "Guardrail column_value_size violated: Value of column 'fl' has size 32, this exceeds the failure threshold of 20."
    );
    assert_eq!(
        row_outcome("UPDATE k.t SET l[0] = 'x' WHERE p = 2 AND q = 2 AND c = 1 AND d = 1").0,
        "Guardrail read_before_write_list_operations violated: Setting of list items by index requiring read before \
         write is not allowed"
    );
}
