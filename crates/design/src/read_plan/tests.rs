//! How reads run: the statements that the method writes by hand, and what is left to the client.

use model::id::{LoopId, ParameterId, StepId};
use model::plan::{ClientStep, Loop, Operand, ReadPlan};
use model::workload::Limit;

use crate::{Options, design};

const TABLES: &str = "
-- @rows 1M
CREATE TABLE users (userid uuid PRIMARY KEY, name text NOT NULL, country text NOT NULL);
-- @rows 50M @grows 1M/day
CREATE TABLE events (
  eventid uuid PRIMARY KEY,
  userid uuid NOT NULL REFERENCES users, -- @each 5/day p99 5k/day
  kind text NOT NULL, -- @distinct 10
  score int NOT NULL,
  at timestamp NOT NULL
);
-- @rows 1M
CREATE TABLE notes (
  noteid uuid PRIMARY KEY,
  userid uuid NOT NULL REFERENCES users, -- @each 1 p99 10 max 100
  kind text NOT NULL,
  title text NOT NULL,
  stars int NOT NULL,
  at timestamp NOT NULL,
  tags text[] -- @items 3 @set
);
";

/// The plan of a query over the tables above, each query by itself.
fn plan(query: &str) -> ReadPlan {
    let text = format!("{TABLES}\n-- name: Query :many\n-- @rate 1/s\n{query}");
    let file = model::sql::read(&text, "sample").unwrap_or_else(|wrong| panic!("{wrong:#?}"));
    let options = Options { rules_only: true, ..Options::for_method() };
    let mut design = design(&file.concept, &file.workload, &options);
    design.reads.remove(0)
}

/// The only statement of a plan.
fn statement(query: &str) -> String {
    let plan = plan(query);
    assert_eq!(plan.steps.len(), 1, "{plan:#?}");
    plan.steps[0].select.to_string()
}

#[test]
fn a_key_is_one_lookup() {
    let plan = plan("SELECT name FROM users WHERE userid = ?;");
    assert_eq!(plan.steps[0].select.to_string(), "SELECT name FROM users WHERE userid = ?");
    assert_eq!(plan.steps[0].select.operands(), [&Operand::Parameter(ParameterId::new(0))]);
    assert!(plan.steps[0].loops.is_empty() && plan.client.is_empty());
    assert!((plan.partitions - 1.0).abs() < 1e-9 && (plan.rows - 1.0).abs() < 1e-9);
}

#[test]
fn ranges_orders_and_limits_are_the_statement_s() {
    assert_eq!(
        statement(
            "SELECT title, at FROM notes WHERE userid = ? AND at >= ? AND at < ? ORDER BY at DESC LIMIT 5;"
        ),
        "SELECT title, at FROM notes_by_user WHERE userid = ? AND at >= ? AND at < ? LIMIT 5"
    );
    assert_eq!(
        statement(
            "SELECT title FROM notes WHERE userid = ? AND (at, noteid) < (?, ?) ORDER BY at DESC, noteid DESC LIMIT ?;"
        ),
        "SELECT title FROM notes_by_user WHERE userid = ? AND (at, noteid) < (?, ?) LIMIT ?"
    );
}

#[test]
fn a_range_on_one_column_and_an_order_by_another_leave_the_sorting_to_the_client() {
    let plan = plan("SELECT title FROM notes WHERE userid = ? AND stars > ? ORDER BY at LIMIT 3;");
    assert_eq!(
        plan.steps[0].select.to_string(),
        "SELECT title, at FROM notes_by_user WHERE userid = ? AND stars > ?"
    );
    assert!(matches!(&plan.client[..], [ClientStep::Sort(_), ClientStep::Limit(Limit::Number(3))]));
}

#[test]
fn lists_of_values_are_a_statement_each() {
    let listed = plan("SELECT name FROM users WHERE userid IN (?, ?);");
    assert_eq!(listed.steps[0].select.to_string(), "SELECT name FROM users WHERE userid = ?");
    assert!(matches!(&listed.steps[0].loops[..], [Loop::Values(values)] if values.len() == 2));
    assert_eq!(listed.steps[0].select.operands(), [&Operand::Turn(LoopId::new(0))]);
    assert!((listed.partitions - 2.0).abs() < 1e-9);
    let any = plan("SELECT name FROM users WHERE userid = ANY(?);");
    assert_eq!(any.steps[0].loops, [Loop::Elements(Operand::Parameter(ParameterId::new(0)))]);
}

#[test]
fn a_walk_goes_over_the_buckets_from_the_newest_until_the_limit() {
    let plan = plan("SELECT eventid, at FROM events WHERE userid = ? ORDER BY at DESC LIMIT 20;");
    let [oldest, main] = &plan.steps[..] else { panic!("{plan:#?}") };
    assert!(
        oldest
            .select
            .to_string()
            .starts_with("SELECT oldest FROM events_by_user_oldest WHERE userid = ?")
    );
    assert_eq!(plan.main, StepId::new(1));
    let [Loop::Buckets(walk)] = &main.loops[..] else { panic!("{main:#?}") };
    assert!(walk.newest_first && walk.stops_at_limit && walk.from.is_none());
    assert_eq!(walk.oldest, Some(StepId::new(0)));
    assert!(main.select.to_string().ends_with(" LIMIT 20"), "{}", main.select.to_string());
    assert_eq!(
        main.select.operands(),
        [&Operand::Parameter(ParameterId::new(0)), &Operand::Turn(LoopId::new(0))]
    );
}

#[test]
fn a_range_of_time_bounds_the_walk() {
    let plan =
        plan("SELECT eventid, at FROM events WHERE userid = ? AND at >= ? AND at < ? ORDER BY at;");
    let [main] = &plan.steps[..] else { panic!("{plan:#?}") };
    let [Loop::Buckets(walk)] = &main.loops[..] else { panic!("{main:#?}") };
    assert_eq!(walk.from, Some(Operand::Parameter(ParameterId::new(1))));
    assert_eq!(walk.to, Some(Operand::Parameter(ParameterId::new(2))));
    assert!(!walk.newest_first && !walk.stops_at_limit);
    assert!(main.select.to_string().contains("at >= ? AND at < ?"), "{}", main.select.to_string());
}

#[test]
fn an_element_of_an_array_is_a_key() {
    assert_eq!(
        statement("SELECT title FROM notes WHERE ? = ANY(tags);"),
        "SELECT title FROM notes_by_tag WHERE tag = ?"
    );
}

#[test]
fn a_prefix_is_a_range() {
    let plan = plan("SELECT title FROM notes WHERE userid = ? AND title LIKE ? || '%';");
    assert_eq!(
        plan.steps[0].select.to_string(),
        "SELECT title FROM notes_by_user WHERE userid = ? AND title >= ? AND title < ?"
    );
    let prefix = Operand::Parameter(ParameterId::new(1));
    assert_eq!(
        plan.steps[0].select.operands()[1..],
        [&prefix.clone(), &Operand::AfterPrefix(Box::new(prefix))]
    );
}

#[test]
fn counts_and_averages_come_from_counters() {
    let plan = plan("SELECT COUNT(*) AS notes, AVG(stars) AS mean FROM notes WHERE userid = ?;");
    let cql = &plan.steps[0].select.to_string();
    assert!(cql.starts_with("SELECT note_count AS notes, stars_sum FROM "), "{cql}");
    let [ClientStep::AbsentIsZero, ClientStep::Average { sum, count, output }] = &plan.client[..]
    else {
        panic!("{:#?}", plan.client)
    };
    assert_eq!((&**sum, &**count, &**output), ("stars_sum", "notes", "mean"));
}

#[test]
fn a_counter_that_nothing_counted_yet_has_a_row() {
    let text =
        "CREATE TABLE pages (pageid uuid PRIMARY KEY, title text, views bigint NOT NULL DEFAULT 0);
        -- name: Views :one
        SELECT views FROM pages WHERE pageid = ?;
        -- name: View :exec
        UPDATE pages SET views = views + 1 WHERE pageid = ?;";
    let file = model::sql::read(text, "pages").unwrap_or_else(|wrong| panic!("{wrong:#?}"));
    let plan = design(&file.concept, &file.workload, &Options::for_method()).reads.remove(0);
    assert_eq!(
        plan.steps[0].select.to_string(),
        "SELECT views FROM page_counters WHERE pageid = ?"
    );
    assert!(plan.client.is_empty(), "a row at 0 is there, and an absent one is not");
}

#[test]
fn groups_at_zero_are_dropped() {
    let plan = plan("SELECT kind, COUNT(*) AS notes FROM notes WHERE userid = ? GROUP BY kind;");
    assert!(
        matches!(&plan.client[..], [ClientStep::DropEmptyGroups(count)] if count == "notes"),
        "{:#?}",
        plan.client
    );
}

#[test]
fn the_greatest_is_the_first_row() {
    let plan = plan("SELECT MAX(stars) AS best FROM notes WHERE userid = ?;");
    assert_eq!(
        plan.steps[0].select.to_string(),
        "SELECT stars AS best FROM notes_by_user WHERE userid = ? LIMIT 1"
    );
    assert!(plan.client.is_empty());
}

#[test]
fn existence_takes_any_row() {
    let plan = plan("SELECT EXISTS(SELECT 1 FROM notes WHERE userid = ? AND kind = ?);");
    assert!(
        plan.steps[0].select.to_string().ends_with(" LIMIT 1"),
        "{}",
        plan.steps[0].select.to_string()
    );
    assert_eq!(plan.client, [ClientStep::Exists]);
}

#[test]
fn constants_are_met_by_what_is_stored() {
    let plan = plan("SELECT title FROM notes WHERE userid = ? AND kind = 'open';");
    assert_eq!(
        plan.steps[0].select.to_string(),
        "SELECT title FROM open_notes_by_user WHERE userid = ?"
    );
    assert!(plan.client.is_empty());
}

#[test]
fn a_partition_of_static_columns_alone_is_no_row() {
    let join = "FROM notes n JOIN users u ON u.userid = n.userid";
    let all = plan(&format!("SELECT u.name, n.title {join} WHERE n.userid = ? LIMIT 5;"));
    assert_eq!(
        all.steps[0].select.to_string(),
        "SELECT user_name AS name, title, noteid FROM notes_by_user WHERE userid = ? LIMIT 5"
    );
    assert_eq!(all.client, [ClientStep::DropStaticRow("noteid".to_owned())]);
    // Restricted to some rows, a statement returns rows only.
    let some = plan(&format!("SELECT u.name, n.title {join} WHERE n.userid = ? AND n.at > ?;"));
    assert!(some.client.is_empty(), "{some:#?}");
    // Without static columns there is nothing to leave out.
    let plain = plan("SELECT noteid, title FROM notes WHERE userid = ?;");
    assert!(plain.client.is_empty(), "{plain:#?}");
}

#[test]
fn groups_within_one_partition_name_its_whole_key() {
    let plan = plan(
        "SELECT kind, MIN(title) AS first FROM notes WHERE userid = ? AND kind = ? GROUP BY kind;",
    );
    let cql = &plan.steps[0].select.to_string();
    assert!(cql.ends_with(" GROUP BY userid, kind"), "{cql}");
}

#[test]
fn rows_are_looked_for_only_where_one_is_shown() {
    let plan = plan(
        "SELECT u.name FROM notes n JOIN users u ON u.userid = n.userid WHERE n.userid = ? AND n.at > ?;",
    );
    let cql = &plan.steps[0].select.to_string();
    assert!(cql.starts_with("SELECT user_name AS name, at FROM "), "{cql}");
}

#[test]
fn counters_alone_are_looked_up_by_the_key_of_the_rows() {
    let text = "CREATE TABLE pages (page uuid PRIMARY KEY, views bigint NOT NULL, title text);
        -- name: All :many\n-- @rate 1/s\nSELECT views FROM pages;
        -- name: View :exec\n-- @rate 1/s\nUPDATE pages SET views = views + 1 WHERE page = ?;";
    let file = model::sql::read(text, "sample").unwrap_or_else(|wrong| panic!("{wrong:#?}"));
    let plan = design(&file.concept, &file.workload, &Options::for_method()).reads.remove(0);
    let statements: Vec<_> = plan.steps.iter().map(|step| step.select.to_string()).collect();
    assert!(statements[0].starts_with("SELECT page FROM "), "{statements:?}");
    assert!(statements[1].starts_with("SELECT views FROM "), "{statements:?}");
}
