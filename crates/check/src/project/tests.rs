//! What a project knows of its texts.

use crate::{Project, Settings, SourceText, TextKind};

pub(crate) fn project<'a>(text: &'a str, settings: &'a Settings) -> Project<'a> {
    let parsed = cql::parse(text);
    let text =
        SourceText { name: "schema.cql", text, parsed, kind: TextKind::Cql, is_reported: true };
    let mut session = schema::Session::with_system_tables();
    session.catalog.datacenters.clear();
    session.assume_keyspace("ks").unwrap();
    Project::new(vec![text], session, settings, None)
}

#[test]
fn tables_know_their_statements_and_volumes() {
    let text = "-- @rows 10M @retain 90d
        CREATE TABLE events (
          device uuid, -- @each 100/day p99 1k/day
          at timestamp,
          body text, -- @bytes 100
          PRIMARY KEY (device, at));
        -- name: Add :exec
        -- @rate 3k/s
        INSERT INTO events (device, at, body) VALUES (?, ?, ?);
        SELECT * FROM events WHERE device = ?;";
    let settings = Settings::default();
    let project = project(text, &settings);
    assert!(project.directive_errors.is_empty(), "{:?}", project.directive_errors);
    let events = project.table("ks", "events").unwrap();
    assert_eq!((events.reads.len(), events.writes.len()), (1, 1));
    let add = events.writes(&project).next().unwrap();
    assert_eq!((add.annotations.name.as_deref(), add.rate()), (Some("Add"), Some(3000.0)));
    assert_eq!(events.volume.rows, Some(1e7));
    assert_eq!(events.volume.retain, Some(90.0 * 86_400.0));
    let rows = events.volume.partition_rows().unwrap();
    assert!((rows.mean - 9_000.0).abs() < 1.0, "{rows:?}");
    assert!(events.volume.row_bytes > 100.0);
}

#[test]
fn a_table_is_where_it_was_made_last() {
    let text = "CREATE TABLE t (a int PRIMARY KEY);
        DROP TABLE t;
        CREATE TABLE t (a int, b int, PRIMARY KEY (a, b));
        CREATE TABLE IF NOT EXISTS t (a int PRIMARY KEY);
        SELECT b FROM t WHERE c = 1;";
    let settings = Settings::default();
    let project = project(text, &settings);
    let table = project.table("ks", "t").unwrap();
    assert_eq!((project.tables.len(), table.statement), (1, 2));
    assert_eq!(
        (table.reads.len(), table.queries.len()),
        (0, 1),
        "a refused SELECT asks all the same"
    );
}

#[test]
fn partitions_grow_by_rates_until_something_ends_it() {
    let settings = Settings::default();
    let arithmetic = |key: &str, options: &str, rate: &str| {
        let text = format!(
            "CREATE TABLE t (
               site text, -- @distinct 100 @bytes 10
               day date,
               at timeuuid,
               body text, -- @bytes 80
               PRIMARY KEY ({key})){options};
             -- @rate {rate}
             INSERT INTO t (site, day, at, body) VALUES (?, ?, ?, ?);"
        );
        let project = project(&text, &settings);
        assert!(project.directive_errors.is_empty(), "{:?}", project.directive_errors);
        let facts = project.table("ks", "t").unwrap();
        facts.volume.partition.as_ref().unwrap().arithmetic.clone()
    };
    assert_eq!(
        arithmetic("(site, day), at", "", "1k/s"),
        "10/s a partition (1k/s over 100 partitions) for 1 day: 864k rows"
    );
    assert_eq!(
        arithmetic("site, day, at", " WITH default_time_to_live = 3600", "1k/s"),
        "10/s a partition (1k/s over 100 partitions) for 1 hour: 36k rows"
    );
    assert_eq!(
        arithmetic("site, day, at", "", "1k/s"),
        "10/s a partition (1k/s over 100 partitions) for 5 years: 1.6B rows"
    );
}

#[test]
fn the_most_popular_key_has_the_largest_partition() {
    let text = "-- @rows 25k
        CREATE TABLE t (
          country text, -- @distinct 4 @skew zipf 1 @bytes 2
          id uuid,
          PRIMARY KEY (country, id));";
    let settings = Settings::default();
    let project = project(text, &settings);
    let rows = project.table("ks", "t").unwrap().volume.partition_rows().unwrap();
    // 1 + 1/2 + 1/3 + 1/4 = 25/12
    assert!((rows.mean - 6_250.0).abs() < 1.0 && (rows.large - 12_000.0).abs() < 1.0, "{rows:?}");
}

#[test]
fn a_refused_create_does_not_stand_in_the_way_of_a_later_one() {
    let text = "CREATE TABLE t (a int PRIMARY KEY) WITH no_such_option = 1;
        SELECT b FROM t WHERE a = 1;
        CREATE INDEX i ON t (a);
        CREATE TABLE t (a int, b int, PRIMARY KEY (a, b));
        SELECT b FROM t WHERE a = 1;
        CREATE TABLE t (a int PRIMARY KEY);";
    let settings = Settings::default();
    let project = project(text, &settings);
    let mut codes: Vec<&str> = project
        .statements
        .iter()
        .filter_map(|seen| match &seen.outcome {
            super::StatementOutcome::Refused(refusal) => Some(refusal.rule()),
            _ => None,
        })
        .collect();
    assert_eq!(codes.pop(), Some("SV027"), "the third is one too many");
    assert_eq!(codes.len(), 2, "what stands between is checked against what was meant: {codes:?}");
    assert!(!codes.contains(&"SV027"), "{codes:?}");
    assert_eq!(project.table("ks", "t").map(|table| table.statement), Some(3));
    assert_eq!(project.refusals.len(), 1);
}

#[test]
fn a_keyspace_whose_replication_is_refused_can_be_created_again() {
    let text = "CREATE KEYSPACE k WITH replication = {'class': 'NoSuchStrategy'};
        CREATE TABLE k.t (a int PRIMARY KEY);
        CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3};
        CREATE TABLE k.t (a int PRIMARY KEY);
        CREATE TABLE k.u (a int PRIMARY KEY);
        CREATE TABLE k.u (a int PRIMARY KEY);";
    let settings = Settings::default();
    let project = project(text, &settings);
    let refused =
        |at: usize| matches!(project.statements[at].outcome, super::StatementOutcome::Refused(_));
    let refused: Vec<bool> = (0..6).map(refused).collect();
    assert_eq!(refused, [true, false, false, false, false, true]);
}

#[test]
fn a_keyspace_with_an_unknown_option_is_taken_for_created() {
    let text = "CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 1}
          AND no_such_option = true;
        CREATE TABLE k.t (a int PRIMARY KEY);";
    let settings = Settings::default();
    let project = project(text, &settings);
    assert_eq!(project.refusals.len(), 1);
    assert!(project.table("k", "t").is_some());
}

#[test]
fn statements_behind_a_refused_type_are_checked_against_what_was_meant() {
    let refused = [
        "CREATE TABLE t (a int PRIMARY KEY, b map<text, list<text>>);",
        "CREATE TABLE t (a list<int> PRIMARY KEY, b text);",
        "CREATE TABLE t (a int PRIMARY KEY, b frozen<text>);",
    ];
    for create in refused {
        let text =
            format!("{create} SELECT nope FROM t; CREATE TABLE t (a int PRIMARY KEY, b text);");
        let settings = Settings::default();
        let project = project(&text, &settings);
        let found: Vec<&str> =
            crate::check(&project).iter().map(|finding| finding.rule.code).collect();
        assert!(found.contains(&"QV027"), "{create}: {found:?}");
        assert!(!found.contains(&"SV027") && !found.contains(&"SV028"), "{create}: {found:?}");
    }
}
