//! TB001: a table that is used as a queue.

use cql::types::NativeType;
use schema::access::{ReadOrder, WriteTarget};
use schema::bind::restrictions::StatementType;
use schema::catalog::Column;

use crate::facts::lifetimes::has_ttl;
use crate::project::WriteSyntax;
use crate::vocabulary::ids::is_id;
use crate::vocabulary::matcher::has_word;
use crate::vocabulary::status::{is_low_cardinality, is_mutable};
use crate::vocabulary::table_names::is_queue_name;
use crate::vocabulary::times::{is_time, is_time_bucket};
use crate::vocabulary::types::native_type;
use crate::{Check, Confidence, Project, ReplayedStatement, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("tb001_queue_pattern.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let rolls = table.partition_key().iter().any(is_time_bucket);
    if facts.view.is_some() || table.is_counter() || rolls && has_ttl(project, facts) {
        return;
    }
    let signs = QueueEvidence::collect(project, facts);
    // Time spans that are no longer read, and reads above a watermark: a well-designed queue.
    if rolls && signs.reads_above {
        return;
    }
    let Some(confidence) = signs.confidence(facts) else { return };
    let message =
        format!("{} is used as a queue: consumers read past every deleted row.", table.name);
    let finding = reporter
        .report(facts.place, message)
        .with_table(table)
        .confidence(confidence)
        .help(
            "use a message broker; or split the queue by time, ((queue, hour), id), with a TTL and TimeWindowCompactionStrategy, delete ranges below a watermark and read above it",
        );
    if let Some(read) = signs.oldest.or(signs.read) {
        finding.with_related(read.place, "this statement reads from the start");
    }
    if let Some(place) = signs.consumes {
        finding.with_related(place, "this statement removes rows");
    }
    if signs.deletes_ranges {
        finding.note("rows are deleted by range, with one tombstone for many rows: keep that");
    }
    if signs.reads_above {
        finding.note("reads start at a lower bound and skip what is deleted below it: keep that");
    }
}

/// The evidence that a table is a queue.
#[derive(Default)]
struct QueueEvidence<'p> {
    /// A read of the first rows of a partition, or of a range of them.
    read: Option<&'p ReplayedStatement>,
    /// A read that takes the oldest rows, and only some of them.
    oldest: Option<&'p ReplayedStatement>,
    reads_above: bool,
    /// A statement that deletes a row or a range, or sets a status.
    consumes: Option<crate::Location>,
    deletes_ranges: bool,
    has_writes: bool,
}

impl<'p> QueueEvidence<'p> {
    fn collect(project: &'p Project<'_>, facts: &'p TableFacts) -> Self {
        let mut signs = Self::default();
        for seen in facts.reads(project) {
            let Some(read) = seen.read() else { continue };
            let is_slice = read.rows.rows.is_none() || !read.partitions.is_by_key();
            let is_first = read.limit.is_some() && is_slice;
            if is_first || read.rows.range.is_some() {
                signs.read.get_or_insert(seen);
                if read.limit.is_some() && is_oldest_first(facts, read.order) {
                    signs.oldest.get_or_insert(seen);
                }
            }
            signs.reads_above |= read.rows.range.as_ref().is_some_and(|range| range.from.is_some());
        }
        for write in facts.own_writes(project) {
            signs.has_writes = true;
            let flips = matches!(write.syntax, WriteSyntax::Update(_))
                && write.plan.columns.iter().any(|at| {
                    facts.table.columns().get(*at).is_some_and(|column| {
                        is_mutable(column) && has_word(&column.name, &["status", "state", "done"])
                    })
                });
            let is_range = write.plan.target == WriteTarget::Range;
            let deletes = write.is_row_delete()
                && (is_range
                    || matches!(write.plan.target, WriteTarget::Rows(_))
                    || facts.table.clustering().is_empty());
            signs.deletes_ranges |= deletes && is_range;
            // A row that the same batch reinserts elsewhere in the table is moved, not consumed.
            let is_moved = write.seen.writes().any(|other| {
                other.statement == StatementType::Insert
                    && (&other.table.keyspace, &other.table.name)
                        == (&facts.table.keyspace, &facts.table.name)
            });
            if deletes && !is_moved || flips && is_queue_name(&facts.table.name) {
                signs.consumes.get_or_insert(write.place);
            }
        }
        signs
    }

    fn confidence(&self, facts: &TableFacts) -> Option<Confidence> {
        let is_named = is_queue_name(&facts.table.name);
        let (under_few, in_order) = (has_few_keys(facts), is_in_order(facts));
        if self.read.is_some() && self.consumes.is_some() {
            // The oldest rows are deleted one by one: a queue, whatever its name.
            let is_queue = in_order && (is_named || self.oldest.is_some()) || is_named && under_few;
            return is_queue.then_some(Confidence::High);
        }
        let says_queue = has_word(
            &facts.table.name,
            &["queue", "queues", "outbox", "inbox", "dlq", "mailbox", "pending", "workitems"],
        );
        let last_says_it = facts
            .table
            .name
            .split('_')
            .rfind(|word| !(word.starts_with('v') && word.len() < 4))
            .is_some_and(is_queue_name);
        let by_name = in_order && (says_queue || last_says_it && under_few);
        (by_name && !self.has_writes).then_some(Confidence::Low)
    }
}

/// Whether a read meets the oldest rows of a partition first: a read of the latest rows shows a
/// list and consumes nothing.
fn is_oldest_first(facts: &TableFacts, order: ReadOrder) -> bool {
    let mut clustering = facts.table.clustering().iter();
    let arrival = clustering.find(|column| is_arrival(column));
    arrival.is_none_or(|column| column.descending == (order == ReadOrder::Reversed))
}

/// Whether a column grows with each row: a time or a running number.
fn is_arrival(column: &Column) -> bool {
    is_time(column) || native_type(&column.ty) == Some(NativeType::Bigint) && is_id(column)
}

/// Whether rows are in the order of their arrival: the first column that is no type or state is a
/// time or a running number.
fn is_in_order(facts: &TableFacts) -> bool {
    let table = &facts.table;
    // A priority or a type may precede it.
    let is_before = |column: &&Column| {
        is_low_cardinality(column)
            || native_type(&column.ty) == Some(NativeType::Bigint) && !is_id(column)
    };
    let mut clustering = table.clustering().iter().skip_while(is_before);
    match clustering.next() {
        Some(first) => is_arrival(first),
        None => table
            .partition_key()
            .iter()
            .any(|column| native_type(&column.ty) == Some(NativeType::Timeuuid)),
    }
}

/// Whether all rows are under few keys: queues, types, states, shards.
fn has_few_keys(facts: &TableFacts) -> bool {
    const WORDS: &[&str] = &[
        "queue", "type", "status", "state", "topic", "channel", "worker", "shard", "tasklist",
        "list",
    ];
    let few = |column: &Column| is_low_cardinality(column) || has_word(&column.name, WORDS);
    facts.table.partition_key().iter().any(few)
}
