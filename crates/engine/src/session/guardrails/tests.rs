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
