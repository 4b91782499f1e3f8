//! Whether a table is used as a queue.

use cql::types::NativeType;
use schema::access::{ReadOrder, WriteTarget};
use schema::bind::restrictions::StatementType;
use schema::catalog::Column;

use super::{is_parameter, statement_values};
use crate::facts::lifetimes::has_ttl;
use crate::project::{WriteStatement, WriteSyntax};
use crate::vocabulary::entity_names::entity_name;
use crate::vocabulary::ids::is_id;
use crate::vocabulary::keys::is_shard;
use crate::vocabulary::matcher::has_word;
use crate::vocabulary::status::{is_low_cardinality, is_mutable, is_state};
use crate::vocabulary::times::{is_time, is_time_bucket};
use crate::vocabulary::types::native_type;
use crate::vocabulary::work::{
    is_claim, is_due_time, is_queue_name, is_strict_queue_name, is_work_record_name,
};
use crate::{Confidence, Location, Project, ReplayedStatement, TableFacts};

/// The evidence that a table is used as a queue, and how sure that is; `None` if it is none, or a well-designed one.
pub(crate) fn queue_evidence<'p>(
    project: &'p Project<'_>,
    facts: &'p TableFacts,
) -> Option<(QueueEvidence<'p>, Confidence)> {
    let table = &facts.table;
    let rolls = table.partition_key().iter().any(is_time_bucket);
    if facts.view.is_some() || table.is_counter() || rolls && has_ttl(project, facts) {
        return None;
    }
    let signs = QueueEvidence::collect(project, facts);
    // Time spans that are no longer read, and reads above a watermark: a well-designed queue.
    if rolls && signs.reads_above {
        return None;
    }
    let confidence = signs.confidence(project, facts)?;
    Some((signs, confidence))
}

/// The evidence that a table is a queue.
#[derive(Debug, Default)]
pub(crate) struct QueueEvidence<'p> {
    /// A read of the first rows of a partition, or of a range of them.
    pub(crate) read: Option<&'p ReplayedStatement>,
    /// A read that takes the oldest rows, and only some of them.
    pub(crate) oldest: Option<&'p ReplayedStatement>,
    /// Whether a read starts above a bound.
    pub(crate) reads_above: bool,
    /// A statement that deletes a row or a range, or sets a status.
    pub(crate) consumes: Option<Location>,
    /// Whether rows are deleted by range.
    pub(crate) deletes_ranges: bool,
    has_writes: bool,
}

impl<'p> QueueEvidence<'p> {
    fn collect(project: &'p Project<'_>, facts: &'p TableFacts) -> Self {
        let mut signs = Self::default();
        for seen in facts.reads(project) {
            let Some(read) = seen.read() else { continue };
            let is_slice = read.rows.rows.is_none() || !read.partitions.is_by_key();
            // Whoever works off a queue reads it whole, or as much as fits.
            let is_first =
                is_slice && (read.limit.is_some() || is_strict_queue_name(&facts.table.name));
            if is_first || read.rows.range.is_some() {
                signs.read.get_or_insert(seen);
                if read.limit.is_some() && is_oldest_first(facts, read.order) {
                    signs.oldest.get_or_insert(seen);
                }
            }
            signs.reads_above |= read.rows.range.as_ref().is_some_and(|range| range.from.is_some());
        }
        for write in facts.own_writes(project) {
            // Rows with literals alone fill a trial.
            signs.has_writes |= !write.is_insert() || is_bound(project, &write);
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

    fn confidence(&self, project: &Project<'_>, facts: &TableFacts) -> Option<Confidence> {
        let (under_few, in_order) = (has_few_keys(facts), is_in_order(facts));
        // The queues of a system are listed; what is queued is in another table.
        if last_word(&facts.table.name) == Some("queues") && !in_order {
            return None;
        }
        let is_named = is_queue_name(&facts.table.name);
        if self.read.is_some() && self.consumes.is_some() {
            // The oldest rows are deleted one by one: a queue, whatever its name.
            let is_queue = in_order && (is_named || self.oldest.is_some())
                || is_named && under_few
                || is_strict_queue_name(&facts.table.name);
            return is_queue.then_some(Confidence::High);
        }
        // Whoever deletes the rows of a queue one by one has read them, whether that is known or not.
        if self.consumes.is_some() && is_strict_queue_name(&facts.table.name) && in_order {
            return Some(Confidence::Medium);
        }
        // What expires is not worked off.
        if self.has_writes || has_ttl(project, facts) && !under_few {
            return None;
        }
        // A list that is kept with its newest row first is not worked off from its oldest.
        if is_newest_first(facts) && !facts.table.regulars().iter().any(is_claim) {
            return None;
        }
        let by_name = ends_in_queue(entity_name(&facts.table.name)) && (in_order || under_few);
        match () {
            () if by_name && !facts.table.clustering().is_empty() => Some(Confidence::Medium),
            () => is_queue_by_shape(facts).then_some(Confidence::Low),
        }
    }
}

/// Whether a statement gets values from outside, or stands in a program.
fn is_bound(project: &Project<'_>, write: &WriteStatement<'_>) -> bool {
    let mut given = statement_values(project, write.seen).into_iter().flat_map(|one| one.values);
    project.is_program(write.seen.place) || given.any(|(_, term)| is_parameter(term))
}

/// Whether the last word of a name, but for a version, is that of a queue.
fn ends_in_queue(table: &str) -> bool {
    last_word(table).is_some_and(is_strict_queue_name)
}

/// The last word of a name that is no version: `queue` of `job_queue_v2`.
fn last_word(table: &str) -> Option<&str> {
    table.split('_').rfind(|word| !(word.starts_with('v') && word.len() < 4))
}

/// Whether the name, the key and the columns say that rows are handed out, without any statement.
fn is_queue_by_shape(facts: &TableFacts) -> bool {
    let table = &facts.table;
    // A bucket and the time at which something is to be done: whoever does it reads what is due and removes it.
    let splits = |column: &Column| is_shard(column) || is_time_bucket(column) || is_few(column);
    let is_due = table.clustering().first().is_some_and(is_due_time)
        && table.partition_key().iter().all(splits);
    if is_due || is_work_record_name(&table.name) {
        return is_due;
    }
    let (under_few, in_order) = (has_few_keys(facts), is_in_order(facts));
    // What stands behind "by" is what rows are looked up by.
    let name = entity_name(&table.name);
    let last_says_it = last_word(name).is_some_and(is_queue_name);
    let is_claimed = table.regulars().iter().any(is_claim);
    let is_named = is_queue_name(name);
    let has_rows = !table.clustering().is_empty();
    // Rows under a state that somebody takes, in the order of their arrival: whatever they are called.
    let is_stage = table.partition_key().iter().all(|column| is_few(column) && is_state(column));
    in_order && (is_strict_queue_name(name) || last_says_it && under_few || is_stage && is_claimed)
        || has_rows && ends_in_queue(name)
        || is_named && is_claimed && has_rows && (in_order || under_few)
}

/// Whether a read meets the oldest rows of a partition first: a read of the latest rows shows a
/// list and consumes nothing.
fn is_oldest_first(facts: &TableFacts, order: ReadOrder) -> bool {
    let mut clustering = facts.table.clustering().iter();
    let arrival = clustering.find(|column| is_arrival(column));
    arrival.is_none_or(|column| column.descending == (order == ReadOrder::Reversed))
}

/// Whether rows are stored with the newest first.
fn is_newest_first(facts: &TableFacts) -> bool {
    let mut clustering = facts.table.clustering().iter();
    clustering.find(|column| is_arrival(column)).is_some_and(|column| column.descending)
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
    facts.table.partition_key().iter().any(is_few)
}

/// Whether a column names a queue, a type, a state or a shard.
fn is_few(column: &Column) -> bool {
    const WORDS: &[&str] = &[
        "queue", "type", "status", "state", "topic", "channel", "worker", "shard", "tasklist",
        "list",
    ];
    is_low_cardinality(column) || has_word(&column.name, WORDS)
}
