//! The plans of statements on one small table.

use std::collections::BTreeMap;
use std::sync::Arc;

use cql::types::{Frozenness, NativeType, Type};

use super::{
    AccessPlan, BatchPlan, Count, FilterScope, IndexSearch, Partitions, ReadOrder, ReadPlan,
    WriteEffect, WritePlan, WriteTarget, plan,
};
use crate::Catalog;
use crate::bind::bind;
use crate::bind::restrictions::RestrictionId;
use crate::catalog::{
    Column, ColumnKind, Index, IndexClass, IndexPart, Keyspace, Replication, Table,
};

/// `t (a int, b int, c int, d text, s int static, l list<int>, v int, w int, PRIMARY KEY ((a, b),
/// c, d)) WITH CLUSTERING ORDER BY (c DESC, d ASC)`, and an index on w.
fn catalog() -> Catalog {
    let column = |name: &str, native: NativeType, kind, position| Column {
        name: name.into(),
        ty: native.into(),
        kind,
        position,
        descending: name == "c",
        mask: None,
    };
    let list = Type::List(Arc::new(NativeType::Int.into()), Frozenness::No);
    let columns = vec![
        column("a", NativeType::Int, ColumnKind::Partition, 0),
        column("b", NativeType::Int, ColumnKind::Partition, 1),
        column("c", NativeType::Int, ColumnKind::Clustering, 0),
        column("d", NativeType::Text, ColumnKind::Clustering, 1),
        column("s", NativeType::Int, ColumnKind::Static, 0),
        Column { ty: list, ..column("l", NativeType::Int, ColumnKind::Regular, 0) },
        column("v", NativeType::Int, ColumnKind::Regular, 0),
        column("w", NativeType::Int, ColumnKind::Regular, 0),
    ];
    let mut table = Table::new("k", "t", columns);
    table.indexes.push(Index {
        name: "t_w_idx".into(),
        class: IndexClass::Legacy,
        column: "w".into(),
        part: IndexPart::Simple,
        options: BTreeMap::new(),
    });
    let replication = Replication {
        class: "org.apache.cassandra.locator.SimpleStrategy".into(),
        options: BTreeMap::new(),
    };
    let keyspace = Keyspace {
        tables: [("t", Arc::new(table))].into_iter().collect(),
        ..Keyspace::new("k".into(), replication)
    };
    let keyspaces = [("k", Arc::new(keyspace))].into_iter().collect();
    Catalog { keyspaces, ..Catalog::default() }
}

fn plan_of(statement: &str) -> AccessPlan {
    let parsed = cql::parse(statement);
    assert_eq!(parsed.errors, [], "{statement}");
    let bound = bind(&catalog(), Some("k"), 0, &parsed.statements[0]).unwrap();
    plan(&bound.kind)
}

fn read(statement: &str) -> Arc<ReadPlan> {
    let AccessPlan::Read(plan) = plan_of(statement) else { panic!("no read: {statement}") };
    plan
}

fn write(statement: &str) -> Arc<WritePlan> {
    let AccessPlan::Write(plan) = plan_of(statement) else { panic!("no write: {statement}") };
    plan
}

fn batch(statements: &str) -> BatchPlan {
    let statement = format!("BEGIN BATCH {statements} APPLY BATCH");
    let AccessPlan::Batch(plan) = plan_of(&statement) else { panic!("no batch: {statement}") };
    plan
}

fn names(columns: &[usize]) -> Vec<String> {
    let catalog = catalog();
    let table = catalog.table("k", "t").unwrap();
    columns.iter().map(|column| table.columns()[*column].name.to_string()).collect()
}

#[test]
fn partitions_are_counted_without_repetition() {
    let partitions =
        |condition: &str| read(&format!("SELECT v FROM t WHERE {condition}")).partitions;
    assert_eq!(partitions("a = 1 AND b = 2"), Partitions::One);
    assert_eq!(partitions("a IN (1, 2, 1) AND b IN (3, 4)"), Partitions::Several(Count::Known(4)));
    assert_eq!(partitions("a IN (1, 1) AND b = 3"), Partitions::One);
    assert_eq!(partitions("a IN ? AND b = 3"), Partitions::Several(Count::Unknown));
    assert_eq!(partitions("a IN () AND b = 3"), Partitions::None);
    assert_eq!(partitions("token(a, b) > 5"), Partitions::TokenRange { from: true, to: false });
    assert_eq!(partitions("a = 1 ALLOW FILTERING"), Partitions::All);
    assert_eq!(partitions("a = 1 AND b = 2 AND token(a, b) > 5"), Partitions::One);
}

#[test]
fn clustering_slices_end_at_the_range() {
    let rows = |condition: &str| {
        read(&format!("SELECT v FROM t WHERE a = 1 AND b = 2 {condition}")).rows.clone()
    };
    assert!(rows("").is_whole_partition());
    let prefix = rows("AND c = 1");
    assert_eq!((names(&prefix.equal), prefix.rows), (vec!["c".to_owned()], None));
    assert_eq!(rows("AND c = 1 AND d = 'x'").rows, Some(Count::Known(1)));
    assert_eq!(rows("AND c IN (1, 2) AND d IN ('x', 'y', 'x')").rows, Some(Count::Known(4)));
    let range = rows("AND c = 1 AND d >= 'a' AND d < 'b'").range.unwrap();
    assert_eq!(
        (names(&range.columns), range.from, range.to),
        (vec!["d".to_owned()], Some(true), Some(false))
    );
    let tuple = rows("AND (c, d) > (1, 'a')").range.unwrap();
    assert_eq!(
        (names(&tuple.columns), tuple.from, tuple.to),
        (vec!["c".to_owned(), "d".to_owned()], Some(false), None)
    );
}

#[test]
fn filtering_is_where_the_rows_come_from() {
    let filtering = |condition: &str| {
        let plan = read(&format!("SELECT v FROM t WHERE {condition} ALLOW FILTERING"));
        (plan.filtering.scope, names(&plan.filtering.columns))
    };
    let columns = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    assert_eq!(filtering("a = 1 AND b = 2"), (FilterScope::None, columns(&[])));
    assert_eq!(
        filtering("a = 1 AND b = 2 AND v = 3"),
        (FilterScope::WithinPartitions, columns(&["v"]))
    );
    assert_eq!(
        filtering("a = 1 AND b = 2 AND d = 'x'"),
        (FilterScope::WithinPartitions, columns(&["d"]))
    );
    assert_eq!(filtering("v = 3"), (FilterScope::Everywhere, columns(&["v"])));
    assert_eq!(filtering("c = 3"), (FilterScope::Everywhere, columns(&["c"])));
    assert_eq!(filtering("w = 3"), (FilterScope::None, columns(&[])));
    assert_eq!(filtering("w = 3 AND v = 4"), (FilterScope::IndexedRows, columns(&["v"])));
}

#[test]
fn an_index_is_named_with_what_it_answers() {
    let everywhere = read("SELECT v FROM t WHERE w = 3").index.clone().unwrap();
    assert_eq!((everywhere.indexes, names(&everywhere.columns)), (vec![0], vec!["w".to_owned()]));
    assert!(!everywhere.within_partition);
    assert!(
        read("SELECT v FROM t WHERE a = 1 AND b = 2 AND w = 3")
            .index
            .clone()
            .unwrap()
            .within_partition
    );
    assert_eq!(read("SELECT v FROM t WHERE a = 1 AND b = 2").index, None);
}

#[test]
fn order_limits_and_columns() {
    let plan = read("SELECT v FROM t WHERE a = 1 AND b = 2 ORDER BY c ASC LIMIT 5");
    assert_eq!((plan.order, plan.limit), (ReadOrder::Reversed, Some(Count::Known(5))));
    assert_eq!(names(&plan.columns), ["v"]);
    let sorted = read("SELECT v FROM t WHERE a IN (1, 2) AND b = 2 ORDER BY c DESC LIMIT ?");
    assert_eq!(
        (sorted.order, sorted.limit),
        (ReadOrder::Sorted { reversed: false }, Some(Count::Unknown))
    );
    assert_eq!(names(&sorted.columns), ["c", "v"]);
    assert!(read("SELECT count(*) FROM t").aggregates);
    assert!(read("SELECT DISTINCT a, b FROM t").distinct);
}

#[test]
fn writes_reach_rows_ranges_or_partitions() {
    let target = |statement: &str| {
        let plan = write(statement);
        (plan.target, plan.effect)
    };
    let one = WriteTarget::Rows(Count::Known(1));
    assert_eq!(
        target("INSERT INTO t (a, b, c, d, v) VALUES (1, 2, 3, 'x', 4)"),
        (one, WriteEffect::Upsert)
    );
    assert_eq!(
        target("UPDATE t SET s = 1 WHERE a = 1 AND b = 2"),
        (WriteTarget::Statics, WriteEffect::Upsert)
    );
    assert_eq!(
        target("UPDATE t SET v = 1 WHERE a = 1 AND b = 2 AND c IN (1, 2) AND d = 'x'"),
        (WriteTarget::Rows(Count::Known(2)), WriteEffect::Upsert)
    );
    assert_eq!(
        target("DELETE FROM t WHERE a = 1 AND b = 2"),
        (WriteTarget::Partition, WriteEffect::DeleteRows)
    );
    assert_eq!(
        target("DELETE FROM t WHERE a = 1 AND b = 2 AND c > 3"),
        (WriteTarget::Range, WriteEffect::DeleteRows)
    );
    assert_eq!(
        target("DELETE FROM t WHERE a = 1 AND b = 2 AND c = 3 AND d = 'x'"),
        (one, WriteEffect::DeleteRows)
    );
    assert_eq!(
        target("DELETE v FROM t WHERE a = 1 AND b = 2 AND c = 3 AND d = 'x'"),
        (one, WriteEffect::DeleteColumns)
    );
}

#[test]
fn conditions_and_list_positions_read_first() {
    let key = "WHERE a = 1 AND b = 2 AND c = 3 AND d = 'x'";
    assert!(!write(&format!("UPDATE t SET l = l + [1] {key}")).reads_first);
    assert!(write(&format!("UPDATE t SET l[0] = 1 {key}")).reads_first);
    let conditional = write(&format!("UPDATE t SET v = 1 {key} IF v = 2"));
    assert!(conditional.reads_first && conditional.conditional);
}

#[test]
fn a_batch_counts_distinct_partitions() {
    let row = |a: &str, c: i32| format!("INSERT INTO t (a, b, c, d) VALUES ({a}, 2, {c}, 'x');");
    let same = batch(&(row("1", 1) + &row("1", 2)));
    assert_eq!(
        (same.partitions, same.tables.len(), same.statements.len()),
        (Count::Known(1), 1, 2)
    );
    assert_eq!(batch(&(row("1", 1) + &row("2", 1))).partitions, Count::Known(2));
    assert_eq!(batch(&(row("1", 1) + &row("?", 1))).partitions, Count::Unknown);
}

#[test]
fn a_plan_says_which_restriction_does_what() {
    let plan = read(
        "SELECT v FROM t WHERE a = 1 AND b IN (2, 3) AND c = ? AND d > ? AND v = 4 ALLOW FILTERING",
    );
    assert_eq!(plan.keys.values, [RestrictionId::Partition(0), RestrictionId::Partition(1)]);
    assert_eq!(plan.rows.prefix, [RestrictionId::Clustering(0)]);
    assert_eq!(plan.rows.bounds, Some(RestrictionId::Clustering(1)));
    assert_eq!(plan.filtering.checks, [RestrictionId::Other(0)]);
    let skipped = read("SELECT v FROM t WHERE a = 1 AND b = 2 AND d = 'x' ALLOW FILTERING");
    assert!(skipped.rows.is_unbounded());
    assert_eq!(skipped.filtering.checks, [RestrictionId::Clustering(0)]);
    let token = read("SELECT v FROM t WHERE a = 1 AND b = 2 AND token(a, b) > 5");
    assert!(token.keys.within_token);
    assert!(read("SELECT v FROM t WHERE token(a, b) > 5").keys.values.is_empty());
}

#[test]
fn what_an_index_answers_is_looked_up_and_checked_again() {
    let plan = read("SELECT v FROM t WHERE w = 3 AND v = 4 ALLOW FILTERING");
    let index = plan.index.as_ref().unwrap();
    assert_eq!(index.searches, [IndexSearch { index: 0, restriction: RestrictionId::Other(1) }]);
    assert_eq!(index.alternatives(), Vec::<usize>::new());
    assert_eq!(plan.filtering.checks, [RestrictionId::Other(0), RestrictionId::Other(1)]);
    assert!(plan.filtering.analyzes && !index.loses_statics);
}

#[test]
fn limits_end_reading_unless_all_rows_are_needed() {
    let plan = |text: &str| {
        let plan = read(text);
        (plan.stops_at_limit, plan.comes_in_pages)
    };
    assert_eq!(plan("SELECT v FROM t LIMIT 3"), (true, true));
    assert_eq!(plan("SELECT count(*) FROM t LIMIT 3"), (false, false));
    assert_eq!(plan("SELECT a, b, count(*) FROM t GROUP BY a, b"), (true, true));
    let sorted = "SELECT v FROM t WHERE a IN (1, 2) AND b = 2 ORDER BY c DESC";
    assert_eq!(plan(sorted), (false, false));
}

#[test]
fn lone_statics_are_given_where_no_row_is_asked_for() {
    let gives = |condition: &str| {
        read(&format!("SELECT s FROM t WHERE a = 1 AND b = 2 {condition}")).gives_lone_statics
    };
    assert!(gives("") && gives("AND s = 1 ALLOW FILTERING"));
    assert!(!gives("AND v = 1 ALLOW FILTERING"));
}

#[test]
fn one_row_by_its_whole_key_is_a_form_of_its_own() {
    let key = "a = ? AND b = 2 AND c = ? AND d = 'x'";
    let single = |text: &str| read(text).single_row.clone();
    let plain = single(&format!("SELECT a, v FROM t WHERE {key}")).unwrap();
    assert_eq!((plain.row.partition.len(), plain.row.clustering.len()), (2, 2));
    assert_eq!(names(&plain.columns), ["a", "v"]);
    for other in ["l", "v, s", "JSON v", "count(v)"] {
        assert_eq!(single(&format!("SELECT {other} FROM t WHERE {key}")), None, "{other}");
    }
    assert_eq!(single("SELECT v FROM t WHERE a = ? AND b = 2 AND c = ?"), None);
    // The plan must name the index on w.
    assert_eq!(write(&format!("UPDATE t SET v = ? WHERE {key}")).single_row, None);
}
