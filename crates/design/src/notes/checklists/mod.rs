//! The two checklists of a design, each item with its result and the figure behind it.

mod anti_patterns;
mod rules;

use model::plan::{Checklist, ChecklistItem, PlannedIndex, PlannedTable};

use super::review::Review;
use super::{cardinality, collections, in_lists, mutable_keys};
use crate::mapping::find_collision;
use model::figures::{format_bytes, format_count, format_days, pluralise};

/// Both checklists.
pub(super) fn all(review: Review<'_>) -> Vec<Checklist> {
    vec![rules::checklist(review), anti_patterns::checklist(review)]
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
            .map(|(_, table)| {
                format!("{} ({})", table.name, pluralise(table.volume.partitions, "partition"))
            })
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
        let volume = &table.volume;
        let later = volume.partitions + volume.partitions_per_day * review.horizon();
        let growth = if volume.partitions < cardinality::FEW {
            format!(" today, {} after {}", format_count(later), format_days(review.horizon()))
        } else {
            String::new()
        };
        evidence.push(format!(
            "{}: {}, {}{growth}",
            if few.is_empty() { "fewest" } else { "fewest of the others" },
            table.name,
            pluralise(volume.partitions, "partition")
        ));
    }
    if !small.is_empty() {
        evidence.push(format!("small enough for any number of partitions: {}", small.join(", ")));
    }
    point(asks, Some(few.is_empty()), evidence.join("; "))
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
    let statements: Vec<_> = review.design.reads.iter().flat_map(|plan| &plan.steps).collect();
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
        format!("{}.{} ({kind})", table.name, index.column)
    };
    let names: Vec<String> = all.iter().map(name).collect();
    point(asks, Some(all.iter().all(|(table, index)| may_be(table, index))), names.join(", "))
}

/// The largest collection.
fn largest_collection(review: Review<'_>) -> Option<(String, f64)> {
    let all = review.tables().flat_map(|(_, table)| {
        collections::find_collections(review, table).map(|(column, _, attribute)| {
            (format!("{}.{}", table.name, column.name), attribute.items.value)
        })
    });
    all.max_by(|left, right| left.1.total_cmp(&right.1))
}

/// The longest list of values.
fn longest_list(review: Review<'_>) -> Option<(&str, usize)> {
    let lists = review.reads().flat_map(|(_, read, _)| {
        in_lists::lists(read).map(|(values, _)| (read.name.as_str(), values))
    });
    lists.max_by_key(|(_, values)| *values)
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
