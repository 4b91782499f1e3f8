//! The two checklists of the seeds, each point ticked or not with its figure.

mod anti_patterns;
mod rules;

use model::plan::{CheckPoint, Checklist, PlannedIndex, PlannedTable};

use super::judged::Judged;
use super::{cardinality, collections, in_lists, mutable_keys};
use crate::figures::{bytes, count, counted, days};
use crate::mapping::collision;

/// Both lists.
pub(super) fn all(judged: Judged<'_>) -> Vec<Checklist> {
    vec![rules::checklist(judged), anti_patterns::checklist(judged)]
}

/// A point.
fn point(asks: &'static str, holds: Option<bool>, evidence: impl Into<String>) -> CheckPoint {
    CheckPoint { asks, holds, evidence: evidence.into() }
}

/// The table for which a figure is greatest.
fn greatest(
    judged: Judged<'_>,
    figure: impl Fn(&PlannedTable) -> f64,
) -> Option<(&PlannedTable, f64)> {
    let figures = judged.tables().map(|(_, table)| (table, figure(table)));
    figures.max_by(|left, right| left.1.total_cmp(&right.1))
}

/// Many values of every partition key.
fn high_cardinality(judged: Judged<'_>, asks: &'static str) -> CheckPoint {
    use cardinality::Spread;
    let of = |wanted: Spread| -> Vec<String> {
        judged
            .tables()
            .filter(|(_, table)| cardinality::spread(judged, table) == wanted)
            .map(|(_, table)| {
                format!("{} ({})", table.name, counted(table.volume.partitions, "partition"))
            })
            .collect()
    };
    let few = of(Spread::Few);
    let small = of(Spread::SmallAnyway);
    let many = judged
        .tables()
        .filter(|(_, table)| table.volume.partitions > 0.0)
        .filter(|(_, table)| cardinality::spread(judged, table) == Spread::Many)
        .min_by(|left, right| left.1.volume.partitions.total_cmp(&right.1.volume.partitions));
    let mut evidence = Vec::new();
    if !few.is_empty() {
        evidence.push(format!("few: {}", few.join(", ")));
    }
    if let Some((_, table)) = many {
        let volume = &table.volume;
        let later = volume.partitions + volume.partitions_per_day * judged.horizon();
        let growth = if volume.partitions < cardinality::FEW {
            format!(" today, {} after {}", count(later), days(judged.horizon()))
        } else {
            String::new()
        };
        evidence.push(format!(
            "{}: {}, {}{growth}",
            if few.is_empty() { "fewest" } else { "fewest of the others" },
            table.name,
            counted(volume.partitions, "partition")
        ));
    }
    if !small.is_empty() {
        evidence.push(format!("small enough for any number: {}", small.join(", ")));
    }
    point(asks, Some(few.is_empty()), evidence.join("; "))
}

/// Partitions within 100 MB.
fn bounded(judged: Judged<'_>, asks: &'static str) -> CheckPoint {
    let size = |table: &PlannedTable| table.volume.bytes_after(judged.horizon()).p999;
    let Some((table, most)) = greatest(judged, size) else {
        return point(asks, None, "no tables");
    };
    let rows = table.volume.rows_after(judged.horizon()).p999;
    let evidence = format!(
        "largest: {}, {} in {} at p99.9 after {}",
        table.name,
        bytes(most),
        counted(rows, "row"),
        counted(judged.context.options.limits.years, "year")
    );
    point(asks, Some(most <= 100e6), evidence)
}

/// No statement filters.
fn no_filtering(judged: Judged<'_>, asks: &'static str) -> CheckPoint {
    let statements: Vec<_> = judged.design.reads.iter().flat_map(|plan| &plan.steps).collect();
    let filtering = statements.iter().filter(|step| step.cql.contains("ALLOW FILTERING")).count();
    let all = counted(count_of(statements.len()), "statement");
    let evidence =
        if filtering == 0 { format!("none in {all}") } else { format!("{filtering} of {all}") };
    point(asks, Some(filtering == 0), evidence)
}

/// Every read has a table.
fn served(judged: Judged<'_>) -> (usize, Vec<String>) {
    let reads = judged.reads().count();
    let without: Vec<String> = judged
        .reads()
        .filter(|(at, _, plan)| judged.table_of(*at).is_none() || plan.steps.is_empty())
        .map(|(_, read, _)| read.name.clone())
        .collect();
    (reads, without)
}

/// What is indexed, and whether all of it may be.
fn indexed(
    judged: Judged<'_>,
    asks: &'static str,
    may_be: impl Fn(&PlannedTable, &PlannedIndex) -> bool,
) -> CheckPoint {
    let tables = judged.tables();
    let all: Vec<(&PlannedTable, &PlannedIndex)> =
        tables.flat_map(|(_, table)| table.indexes.iter().map(move |one| (table, one))).collect();
    if all.is_empty() {
        return point(asks, None, "no indexes: every query has a key");
    }
    let name = |(table, index): &(&PlannedTable, &PlannedIndex)| {
        let kind = if index.attached { "storage-attached" } else { "secondary" };
        format!("{}.{} ({kind})", table.name, index.column)
    };
    let names: Vec<String> = all.iter().map(name).collect();
    point(asks, Some(all.iter().all(|(table, index)| may_be(table, index))), names.join(", "))
}

/// The largest collection.
fn largest_collection(judged: Judged<'_>) -> Option<(String, f64)> {
    let all = judged.tables().flat_map(|(_, table)| {
        collections::of(judged, table).map(|(column, _, attribute)| {
            (format!("{}.{}", table.name, column.name), attribute.items.value)
        })
    });
    all.max_by(|left, right| left.1.total_cmp(&right.1))
}

/// The longest list of values.
fn longest_list(judged: Judged<'_>) -> Option<(&str, usize)> {
    let lists = judged.reads().flat_map(|(_, read, _)| {
        in_lists::lists(read).map(|(values, _)| (read.name.as_str(), values))
    });
    lists.max_by_key(|(_, values)| *values)
}

/// The writes that change a partition key.
fn key_changes(judged: Judged<'_>) -> Vec<&str> {
    judged
        .writes()
        .filter(|(_, write, _)| !mutable_keys::moved(judged, write).is_empty())
        .map(|(_, write, _)| write.name.as_str())
        .collect()
}

/// The tables whose key does not tell rows apart.
fn colliding(judged: Judged<'_>) -> Vec<&str> {
    judged
        .tables()
        .filter(|(_, table)| collision(judged.context.concept, table).is_some())
        .map(|(_, table)| table.name.as_str())
        .collect()
}

/// How many tables, in words.
fn tables(judged: Judged<'_>) -> String {
    counted(count_of(judged.tables().count()), "table")
}

/// A number of things as a figure.
fn count_of(things: usize) -> f64 {
    f64::from(u32::try_from(things).unwrap_or(u32::MAX))
}

/// All of them, in words: `the 1 table`, `all 12 tables`.
fn all_of(things: usize, thing: &str) -> String {
    let counted = counted(count_of(things), thing);
    if things == 1 { format!("the {counted}") } else { format!("all {counted}") }
}
