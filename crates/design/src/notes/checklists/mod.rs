//! The checklists of a design, each item with its result and the figure behind it.

mod anti_patterns;
mod capacity;
mod rules;

use model::id::{IdList, ReadId};
use model::plan::{Checklist, ChecklistItem, PlannedIndex, PlannedTable, WriteStep};
use model::workload::{Condition, WriteKind};

use super::review::Review;
use super::{cardinality, collections, in_lists, mutable_keys};
use crate::mapping::find_collision;
use model::figures::{format_bytes, format_count, format_days, pluralise};

/// The two checklists of the method, and that of the cluster.
pub(super) fn all(review: Review<'_>) -> Vec<Checklist> {
    let method = [rules::checklist(review), anti_patterns::checklist(review)];
    let mut lists: Vec<Checklist> = method.into_iter().chain(capacity::checklist(review)).collect();
    if review.tables().next().is_none() {
        untick(&mut lists);
    }
    lists
}

/// Where there are no tables, nothing was looked at, and nothing is ticked.
fn untick(lists: &mut [Checklist]) {
    let items = lists.iter_mut().flat_map(|list| &mut list.points);
    for item in items.filter(|item| item.holds == Some(true)) {
        (item.holds, item.evidence) = (None, "no tables".to_owned());
    }
}

/// An item: what it checks, whether it holds (`None`: not applicable), and the evidence.
fn point(asks: &'static str, holds: Option<bool>, evidence: impl Into<String>) -> ChecklistItem {
    ChecklistItem { asks, holds, evidence: evidence.into() }
}

/// The table for which a figure is greatest.
fn find_greatest(
    review: Review<'_>,
    figure: impl Fn(&PlannedTable) -> f64,
) -> Option<(&PlannedTable, f64)> {
    let figures = review.tables().map(|(_, table)| (table, figure(table)));
    figures.max_by(|left, right| left.1.total_cmp(&right.1))
}

/// Checks that every partition key has many values.
fn high_cardinality(review: Review<'_>, asks: &'static str) -> ChecklistItem {
    use cardinality::PartitionSpread;
    let of = |wanted: PartitionSpread| -> Vec<String> {
        review
            .tables()
            .filter(|(_, table)| cardinality::partition_spread(review, table) == wanted)
            .map(|(_, table)| format!("{} ({})", table.name, count_partitions(table)))
            .collect()
    };
    let few = of(PartitionSpread::Few);
    let small = of(PartitionSpread::SmallAnyway);
    let many = review
        .tables()
        .filter(|(_, table)| table.volume.partitions > 0.0)
        .filter(|(_, table)| cardinality::partition_spread(review, table) == PartitionSpread::Many)
        .min_by(|left, right| left.1.volume.partitions.total_cmp(&right.1.volume.partitions));
    let mut evidence = Vec::new();
    if !few.is_empty() {
        evidence.push(format!("few: {}", few.join(", ")));
    }
    if let Some((_, table)) = many {
        let later = cardinality::later_partitions(review, table);
        let growth = if table.volume.partitions < cardinality::FEW {
            format!(" today, {} after {}", format_count(later), format_days(review.horizon()))
        } else {
            String::new()
        };
        evidence.push(format!(
            "{}: {}, {}{growth}",
            if few.is_empty() { "fewest" } else { "fewest of the others" },
            table.name,
            count_partitions(table)
        ));
    }
    if !small.is_empty() {
        evidence.push(format!("small enough for any number of partitions: {}", small.join(", ")));
    }
    // Where one partition would do, there need not be many.
    let holds = if few.is_empty() { small.is_empty().then_some(true) } else { Some(false) };
    point(asks, holds, evidence.join("; "))
}

/// The partitions of a table, in words: at least one, where it has rows.
fn count_partitions(table: &PlannedTable) -> String {
    pluralise(table.volume.partitions.max(1.0), "partition")
}

/// Checks that partitions stay within 100 MB.
fn partition_size(review: Review<'_>, asks: &'static str) -> ChecklistItem {
    let size = |table: &PlannedTable| table.volume.bytes_after(review.horizon()).p999;
    let Some((table, most)) = find_greatest(review, size) else {
        return point(asks, None, "no tables");
    };
    let rows = table.volume.rows_after(review.horizon()).p999;
    let evidence = format!(
        "largest: {}, {} in {} at p99.9 after {}",
        table.name,
        format_bytes(most),
        pluralise(rows, "row"),
        pluralise(review.context.options.limits.years, "year")
    );
    point(asks, Some(most <= 100e6), evidence)
}

/// Checks that no statement needs ALLOW FILTERING.
fn no_filtering(review: Review<'_>, asks: &'static str) -> ChecklistItem {
    let reads = review.design.reads.iter().flat_map(|plan| &plan.steps);
    let first = review.design.writes.iter().flat_map(|plan| &plan.steps);
    let first = first.filter_map(|step| match step {
        WriteStep::Read(read, _) => Some(read),
        WriteStep::Batch { .. } | WriteStep::Statement(_) | WriteStep::Run(_) => None,
    });
    let statements: Vec<_> = reads.chain(first).collect();
    let filtering = statements.iter().filter(|step| step.select.allow_filtering).count();
    let all = pluralise(to_figure(statements.len()), "statement");
    let evidence =
        if filtering == 0 { format!("none in {all}") } else { format!("{filtering} of {all}") };
    point(asks, Some(filtering == 0), evidence)
}

/// The number of reads, and the names of those without a table.
fn find_unserved(review: Review<'_>) -> (usize, Vec<String>) {
    let reads = review.reads().count();
    let without: Vec<String> = review
        .reads()
        .filter(|(at, _, plan)| review.table_of(*at).is_none() || plan.steps.is_empty())
        .map(|(_, read, _)| read.name.clone())
        .collect();
    (reads, without)
}

/// Checks that all indexed columns satisfy a predicate.
fn index_point(
    review: Review<'_>,
    asks: &'static str,
    may_be: impl Fn(&PlannedTable, &PlannedIndex) -> bool,
) -> ChecklistItem {
    let tables = review.tables();
    let all: Vec<(&PlannedTable, &PlannedIndex)> =
        tables.flat_map(|(_, table)| table.indexes.iter().map(move |one| (table, one))).collect();
    if all.is_empty() {
        return point(asks, None, "no indexes: every query uses a key");
    }
    let name = |(table, index): &(&PlannedTable, &PlannedIndex)| {
        let kind = if index.attached { "storage-attached" } else { "secondary" };
        let values =
            index.figures.map(|figures| format!(", {}", pluralise(figures.values, "value")));
        let values = values.unwrap_or_default();
        format!("{}.{} ({kind}{values})", table.name, index.column)
    };
    let names: Vec<String> = all.iter().map(name).collect();
    point(asks, Some(all.iter().all(|(table, index)| may_be(table, index))), names.join(", "))
}

/// The largest collection, at the end of the planning period.
fn largest_collection(review: Review<'_>) -> Option<(String, f64)> {
    let all = review.tables().flat_map(|(_, table)| {
        collections::find_collections(review, table).map(|(column, _, attribute)| {
            let items = attribute.items_after(review.horizon());
            (format!("{}.{}", table.name, column.name), items)
        })
    });
    all.max_by(|left, right| left.1.total_cmp(&right.1))
}

/// The longest list of values, of reads and of writes.
fn longest_list(review: Review<'_>) -> Option<(&str, usize)> {
    let lists = conditions(review).flat_map(|(name, conditions)| {
        in_lists::list_lengths(conditions).map(move |values| (name, values))
    });
    lists.max_by_key(|(_, values)| *values)
}

/// The reads and writes that take a list of any length.
fn find_open_lists(review: Review<'_>) -> Vec<&str> {
    let open = conditions(review).filter(|(_, conditions)| in_lists::has_open_list(conditions));
    open.map(|(name, _)| name).collect()
}

/// The conditions of all reads and writes, with their names.
fn conditions(review: Review<'_>) -> impl Iterator<Item = (&str, &[Condition])> {
    let reads = review.reads().map(|(_, read, _)| (read.name.as_str(), &*read.conditions));
    let writes = review.writes().filter_map(|(_, write, _)| match &write.kind {
        WriteKind::Insert(_) | WriteKind::Upsert(_) | WriteKind::Rows(_) => None,
        WriteKind::Update(_, conditions) | WriteKind::Delete(conditions) => {
            Some((write.name.as_str(), &**conditions))
        }
    });
    reads.chain(writes)
}

/// The reads that find rows by an index.
fn find_indexed(review: Review<'_>) -> Vec<&str> {
    let indexes = review.tables().flat_map(|(_, table)| &table.indexes);
    let reads = indexes.flat_map(|index| &index.serves);
    let mut reads: Vec<_> = reads.map(|(read, _)| *read).collect();
    reads.sort();
    reads.dedup();
    let name = |read: ReadId| review.context.workload.reads.member(read);
    reads.into_iter().filter_map(name).map(|read| read.name.as_str()).collect()
}

/// The writes that change a partition key.
fn key_changes(review: Review<'_>) -> Vec<&str> {
    review
        .writes()
        .filter(|(_, write, _)| !mutable_keys::find_key_changes(review, write).is_empty())
        .map(|(_, write, _)| write.name.as_str())
        .collect()
}

/// The tables whose key is not unique.
fn find_collisions(review: Review<'_>) -> Vec<&str> {
    review
        .tables()
        .filter(|(_, table)| find_collision(review.context.concept, table).is_some())
        .map(|(_, table)| table.name.as_str())
        .collect()
}

/// The number of tables, in words.
fn table_count(review: Review<'_>) -> String {
    pluralise(to_figure(review.tables().count()), "table")
}

/// A count as a figure.
fn to_figure(things: usize) -> f64 {
    f64::from(u32::try_from(things).unwrap_or(u32::MAX))
}

/// A total in words: `the 1 table`, `all 12 tables`.
fn all_of(things: usize, thing: &str) -> String {
    let counted = pluralise(to_figure(things), thing);
    if things == 1 { format!("the {counted}") } else { format!("all {counted}") }
}
