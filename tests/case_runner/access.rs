//! What the engine touches is what the access plan says, for every statement of every case: the partitions that it goes
//! for, the slices of them, the index that it asks, what it leaves out, where it writes and what it reads before.

use std::collections::BTreeSet;
use std::time::{SystemTime, UNIX_EPOCH};

use engine::{AccessRecord, AccessRecorder, Database, PartitionsRecord, ReadRecord};
use engine::{TargetRecord, WriteRecord};
use schema::access::{self, AccessPlan, Count, IndexUse, Partitions, ReadPlan};
use schema::access::{WritePlan, WriteTarget};
use schema::bind::BoundKind;
use schema::bind::restrictions::{Restrictions, partition_keys};
use schema::bind::write::WriteRows;
use schema::catalog::{IndexClass, Table};
use schema::session::{AcceptedStatement, ExecutionMode};

use super::engine::InProcess;
use super::file::{CaseFile, CaseStatement};
use super::judge::judge_statement;
use super::{CREATE_KEYSPACE, select_files};
use crate::case_runner::judge::Judge;
use crate::print_uncaptured;
use crate::protocol::Options;
use crate::verdict::KEYSPACE;

/// What must be compared at least: reads, searches of an index, reads that left something out, writes, reads before writes.
const COUNTS_MIN: ComparisonCounts =
    ComparisonCounts { reads: 2_800, searches: 240, filters: 240, writes: 1_850, reads_first: 380 };

/// What was compared.
#[derive(Debug, Default)]
struct ComparisonCounts {
    reads: usize,
    searches: usize,
    filters: usize,
    writes: usize,
    reads_first: usize,
}

#[test]
fn the_engine_touches_what_the_plan_says() {
    let mut compared = ComparisonCounts::default();
    let mut wrong = Vec::new();
    for file in select_files() {
        compare_file(&file, &mut compared, &mut wrong);
    }
    for one in wrong.iter().take(40) {
        print_uncaptured(one);
    }
    assert!(wrong.is_empty(), "{} statements touch something else", wrong.len());
    if std::env::var("HELENUS_CASE").is_err() {
        let enough = compared.reads >= COUNTS_MIN.reads
            && compared.searches >= COUNTS_MIN.searches
            && compared.filters >= COUNTS_MIN.filters
            && compared.writes >= COUNTS_MIN.writes
            && compared.reads_first >= COUNTS_MIN.reads_first;
        assert!(enough, "compared only {compared:?}");
    }
}

/// The comparison itself is put to the test: what a plan does not say is told.
#[test]
fn what_is_not_planned_is_noticed() {
    let mut session = schema::Session::with_system_tables();
    let text = "SELECT key FROM system.local WHERE key = 'local'";
    let accepted = session.run(&cql::parse(text).statements[0]).expect("the binder accepts it");
    let AcceptedStatement::Bound(bound) = accepted else { panic!("{text}") };
    let faults = |partitions: PartitionsRecord, index: Option<&str>, left_out: &[usize]| {
        let read = ReadRecord {
            partitions,
            slices: 1,
            index: index.map(str::to_owned),
            opened: Vec::new(),
            left_out_for: left_out.iter().copied().collect(),
        };
        let mut compared = ComparisonCounts::default();
        let mut seen = StatementCheck { compared: &mut compared, faults: Vec::new() };
        seen.statement(Some(&bound.kind), &[AccessRecord::Read(read)], true);
        seen.faults.len()
    };
    let named =
        |keys: &[&[u8]]| PartitionsRecord::Named(keys.iter().map(|key| (*key).into()).collect());
    assert_eq!(faults(named(&[b"local"]), None, &[]), 0);
    assert_eq!(faults(named(&[b"other"]), None, &[]), 1);
    assert_eq!(faults(named(&[b"local", b"other"]), None, &[]), 2);
    assert_eq!(faults(PartitionsRecord::Range { from: false, to: false }, None, &[]), 1);
    assert_eq!(faults(named(&[b"local"]), Some("idx"), &[]), 1);
    assert_eq!(faults(named(&[b"local"]), None, &[3]), 1);
}

fn compare_file(file: &CaseFile, compared: &mut ComparisonCounts, wrong: &mut Vec<String>) {
    let database = Database::open_in_memory(engine::Options::default()).expect("a database opens");
    let mut judge = InProcess::new(&database);
    judge.recorder = Some(AccessRecorder::default());
    let mut session = schema::Session::with_system_tables();
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    session.now_ms = i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX);
    for text in [CREATE_KEYSPACE.to_owned(), format!("USE {KEYSPACE}")] {
        judge.query(&text, &Options::default()).expect("the engine answers");
        session.run(&cql::parse(&text).statements[0]).expect("the binder accepts it");
    }
    let known = file.print();
    for statement in &file.statements {
        let answer = judge_statement(&mut judge, statement, &known);
        let records = judge.recorder.as_ref().map(AccessRecorder::take).unwrap_or_default();
        let is_accepted = answer.is_ok_and(|verdict| verdict.refusal.is_none());
        let bound = bind(&mut session, statement, is_accepted);
        let mut seen = StatementCheck { compared, faults: Vec::new() };
        seen.statement(bound.as_ref(), &records, is_accepted && !statement.request.manner.prepare);
        if !seen.faults.is_empty() {
            let place = format!("{}:{}", file.name(), statement.line);
            let faults = seen.faults.join("\n  ");
            wrong.push(format!("{place}: {}\n  {faults}\n  {records:?}", statement.text));
        }
    }
}

/// The statement as the binder sees it. A change of the schema is made where the engine made it.
fn bind(
    session: &mut schema::Session,
    statement: &CaseStatement,
    is_accepted: bool,
) -> Option<BoundKind> {
    let parsed = cql::parse(&statement.text);
    let [only] = &parsed.statements[..] else { return None };
    let prepare = statement.request.manner.prepare || statement.request.values.is_some();
    let mode = if prepare { ExecutionMode::Prepare } else { ExecutionMode::Execute(None) };
    // The server may touch rows before it refuses a value.
    let accepted =
        session.verdict(only, mode).or_else(|_| session.verdict(only, ExecutionMode::Prepare));
    let accepted = accepted.ok()?;
    if is_accepted && !statement.request.manner.prepare {
        // What only runs with values changes no schema.
        let _ = session.run_as(only, mode);
    }
    match accepted {
        AcceptedStatement::Bound(bound) => Some(bound.kind),
        _ => None,
    }
}

/// A statement that is looked at.
struct StatementCheck<'c> {
    compared: &'c mut ComparisonCounts,
    faults: Vec<String>,
}

impl StatementCheck<'_> {
    fn check(&mut self, holds: bool, fault: impl FnOnce() -> String) {
        if !holds {
            self.faults.push(fault());
        }
    }

    fn statement(&mut self, bound: Option<&BoundKind>, records: &[AccessRecord], ran: bool) {
        let Some(bound) = bound else {
            let is_silent = records.is_empty();
            return self.check(is_silent, || "touches something without a plan".to_owned());
        };
        match (bound, access::plan(bound)) {
            (BoundKind::Select(select), AccessPlan::Read(plan)) => {
                self.check(!ran || !records.is_empty(), || "reads nothing".to_owned());
                for record in records {
                    match record {
                        AccessRecord::Read(read) => self.read(&plan, &select.restrictions, read),
                        _ => self.faults.push("a SELECT writes".to_owned()),
                    }
                }
            }
            (BoundKind::Write(write), AccessPlan::Write(plan)) => {
                self.writes(&[(&plan, &write.rows)], records, ran);
            }
            (BoundKind::Batch(batch), AccessPlan::Batch(plan)) => {
                let rows = batch.statements.iter().map(|write| &write.rows);
                let plans: Vec<_> = plan.statements.iter().map(|plan| &**plan).zip(rows).collect();
                self.writes(&plans, records, ran);
            }
            _ => self.check(records.is_empty(), || "touches rows, planned none".to_owned()),
        }
    }

    fn read(&mut self, plan: &ReadPlan, restrictions: &Restrictions, read: &ReadRecord) {
        self.compared.reads += 1;
        let named = match &read.partitions {
            PartitionsRecord::Named(keys) => Some(keys),
            PartitionsRecord::Range { .. } => None,
        };
        // Where there is nothing to read, no partition is gone for.
        let is_empty = named.is_some_and(Vec::is_empty)
            && (read.slices == 0
                || plan.keys.within_token
                || matches!(plan.partitions, Partitions::TokenRange { .. }));
        let agrees = match (plan.partitions, &read.partitions) {
            _ if is_empty => true,
            (Partitions::TokenRange { from, to }, PartitionsRecord::Range { from: a, to: b }) => {
                (from || !a) && (to || !b)
            }
            (Partitions::All, PartitionsRecord::Range { from, to }) => !from && !to,
            (planned, PartitionsRecord::Named(keys)) => {
                is_partition_count(planned, keys.len(), plan.keys.within_token)
            }
            _ => false,
        };
        self.check(agrees, || format!("partitions: planned {:?}", plan.partitions));
        if let Some(named) = named {
            self.keys(&plan.table, restrictions, named);
            let are_named = read.opened.iter().all(|key| named.contains(key));
            self.check(are_named, || "opens a partition that is not named".to_owned());
        }
        self.slices(plan, read.slices);
        self.index(plan, read);
        self.filters(plan, read);
    }

    /// Keys must be those that the text names, as far as it does.
    fn keys(&mut self, table: &Table, restrictions: &Restrictions, keys: &[Box<[u8]>]) {
        let known = partition_keys(&restrictions.partition.columns);
        let Some(known) = known.filter(|_| !table.is_virtual) else { return };
        let are_planned = keys.iter().all(|key| known.contains(&**key));
        self.check(are_planned, || "a partition that the text does not name".to_owned());
    }

    fn slices(&mut self, plan: &ReadPlan, slices: usize) {
        let mut most = Some(1_usize);
        for listed in &plan.rows.listed {
            most = match (most, listed.values) {
                (Some(most), Count::Known(values)) => Some(most.saturating_mul(values)),
                _ => None,
            };
        }
        // A range of tuples may be several slices: one for every column where the order turns.
        let each = plan.rows.range.as_ref().map_or(1, |range| 2 * range.columns.len() - 1);
        let fits = most.is_none_or(|most| slices <= most.saturating_mul(each));
        let is_whole = !plan.rows.is_unbounded() || slices == 1;
        self.check(fits && is_whole, || format!("slices: planned {:?}", plan.rows));
    }

    fn index(&mut self, plan: &ReadPlan, read: &ReadRecord) {
        let Some(name) = &read.index else { return };
        self.compared.searches += 1;
        let searches = plan.index.iter().flat_map(|index| &index.searches);
        let indexes = searches.filter_map(|search| plan.table.indexes.get(search.index));
        let is_planned = indexes.into_iter().any(|index| *index.name == **name);
        self.check(is_planned, || format!("asks {name}: planned {:?}", plan.index));
    }

    fn filters(&mut self, plan: &ReadPlan, read: &ReadRecord) {
        if read.left_out_for.is_empty() {
            return;
        }
        self.compared.filters += 1;
        let mut planned: BTreeSet<usize> = plan.filtering.columns.iter().copied().collect();
        if let Some(index) = &plan.index {
            planned.extend(post_search_columns(&plan.table, index, read.index.as_deref()));
        }
        let are_planned = read.left_out_for.is_subset(&planned);
        self.check(are_planned, || format!("leaves out: planned {:?}", plan.filtering));
    }

    fn writes(&mut self, plans: &[(&WritePlan, &WriteRows)], records: &[AccessRecord], ran: bool) {
        let is_conditional = plans.iter().any(|(plan, _)| plan.conditional);
        let reads_first = plans.iter().any(|(plan, _)| plan.reads_first);
        let has_read = records.contains(&AccessRecord::ReadBeforeWrite);
        self.check(reads_first || !has_read, || "reads first, unplanned".to_owned());
        self.check(!(ran && is_conditional) || has_read, || "does not read first".to_owned());
        self.compared.reads_first += usize::from(has_read);
        let writes: Vec<&WriteRecord> = records
            .iter()
            .filter_map(|record| match record {
                AccessRecord::Write(write) => Some(write),
                _ => None,
            })
            .collect();
        let is_whole = !ran || is_conditional || writes.len() == plans.len();
        self.check(is_whole, || format!("{} writes of {}", writes.len(), plans.len()));
        for ((plan, rows), write) in plans.iter().zip(writes) {
            self.write(plan, rows, write);
        }
    }

    fn write(&mut self, plan: &WritePlan, rows: &WriteRows, write: &WriteRecord) {
        self.compared.writes += 1;
        let count = write.partitions.len();
        self.check(is_partition_count(plan.partitions, count, false), || {
            format!("partitions: planned {:?}", plan.partitions)
        });
        if let WriteRows::Where(restrictions) = rows {
            self.keys(&plan.table, restrictions, &write.partitions);
        }
        let agrees = match (plan.target, write.target) {
            (WriteTarget::Statics | WriteTarget::Partition, TargetRecord::Partition)
            | (WriteTarget::Range, TargetRecord::Ranges(_))
            | (WriteTarget::Rows(Count::Unknown), TargetRecord::Rows(_)) => true,
            (WriteTarget::Rows(Count::Known(rows)), TargetRecord::Rows(written)) => written == rows,
            (WriteTarget::Rows(_), TargetRecord::Partition) => plan.table.clustering().is_empty(),
            _ => false,
        };
        self.check(agrees, || format!("target: planned {:?}", plan.target));
    }
}

/// Whether that is the number of named partitions; where a token may take some away, there may be fewer.
fn is_partition_count(planned: Partitions, count: usize, within_token: bool) -> bool {
    let expected = match planned {
        Partitions::None => 0,
        Partitions::One => 1,
        Partitions::Several(Count::Known(count)) => count,
        Partitions::Several(Count::Unknown) => return true,
        Partitions::TokenRange { .. } | Partitions::All => return false,
    };
    count == expected || (within_token && count < expected)
}

/// The columns with an index that rows are checked for all the same: those that are intersected, and those of other
/// built-in indexes than the one that was asked; all, if none said where to look.
fn post_search_columns(table: &Table, plan: &IndexUse, asked: Option<&str>) -> Vec<usize> {
    let index_of = |at: usize| table.indexes.get(at);
    let is_sure = |at: usize| {
        index_of(at)
            .is_some_and(|index| index.class == IndexClass::Legacy && asked == Some(&*index.name))
    };
    let searched = plan.searches.iter().filter(|search| !is_sure(search.index));
    let columns = searched.filter_map(|search| table.column_index(&index_of(search.index)?.column));
    columns.collect()
}
