//! The validation checklist: eleven items about keys and queries.

use model::id::IdList;
use model::plan::{Checklist, ChecklistItem, PlannedIndex, PlannedTable, list_names};
use model::workload::{Comparison, Predicate, Read};

use super::{
    all_of, find_collisions, find_indexed, find_unserved, high_cardinality, index_point,
    key_changes, no_filtering, partition_size, point, to_figure,
};
use crate::notes::review::{Review, source_columns};
use crate::notes::time_keys;
use model::figures::{format_bytes, format_rate, pluralise};

/// The checklist.
pub(super) fn checklist(review: Review<'_>) -> Checklist {
    Checklist {
        title: "Validation checklist",
        points: vec![
            high_cardinality(review, "Partition key has high cardinality (1000+ unique values)"),
            key_stability(review),
            primary_access(review),
            clustering_order(review),
            key_uniqueness(review),
            partition_size(review, "Estimated partition size < 100MB"),
            indexes(review),
            no_filtering(review, "No ALLOW FILTERING required"),
            query_support(review),
            time_series(review),
            tenants(review),
        ],
    }
}

fn key_stability(review: Review<'_>) -> ChecklistItem {
    let changes = key_changes(review);
    let evidence = if changes.is_empty() {
        "no write changes a partition key".to_owned()
    } else {
        format!("changed by {}", list_names(&changes))
    };
    point("Partition key is stable and immutable", Some(changes.is_empty()), evidence)
}

/// Checks that the most frequent read reads few partitions.
fn primary_access(review: Review<'_>) -> ChecklistItem {
    let asks = "Partition key supports primary access pattern";
    let most =
        review.reads().max_by(|left, right| left.1.rate.value.total_cmp(&right.1.rate.value));
    let Some((at, read, plan)) = most else { return point(asks, None, "no reads") };
    let Some((_, table)) = review.table_of(at) else {
        return point(asks, Some(false), format!("{} has no table", read.name));
    };
    let evidence = format!(
        "{} ({}) reads {} of {}",
        read.name,
        format_rate(read.rate.value),
        pluralise(plan.partitions, "partition"),
        table.name
    );
    point(asks, Some(plan.partitions <= review.context.options.limits.fan_out_warn), evidence)
}

/// Checks that reads use the clustering columns in order: equality, then range, then the rest.
fn clustering_order(review: Review<'_>) -> ChecklistItem {
    let asks = "Clustering keys ordered correctly (equality → range → sort)";
    let mut columns = 0;
    let mut wrong: Vec<&str> = Vec::new();
    for (_, table) in review.tables() {
        columns += table.clustering().count();
        let in_order = table.serves.iter().all(|served| {
            let read = review.context.workload.reads.member(served.read);
            read.is_none_or(|read| is_in_order(table, read, served))
        });
        if !in_order {
            wrong.push(&table.name);
        }
    }
    if columns == 0 {
        return point(asks, None, "no clustering columns");
    }
    let evidence = if wrong.is_empty() {
        format!("{} in this order", all_of(columns, "clustering column"))
    } else {
        format!("not in this order: {}", list_names(&wrong))
    };
    point(asks, Some(wrong.is_empty()), evidence)
}

fn is_in_order(table: &PlannedTable, read: &Read, served: &model::plan::ServedRead) -> bool {
    let place = |column: &model::plan::PlannedColumn| {
        let of = source_columns(column);
        let places = read.conditions.iter().filter_map(|condition| {
            let (on, place) = match &condition.predicate {
                Predicate::Compare { column, comparison: Comparison::Equal, .. }
                | Predicate::In { column, .. }
                | Predicate::AnyOf { column, .. }
                | Predicate::Holds { column, .. } => (column, 0),
                Predicate::Compare { column, .. } | Predicate::Prefix { column, .. } => (column, 1),
                Predicate::Row { .. } | Predicate::NotNull { .. } | Predicate::Null { .. } => {
                    return None;
                }
            };
            of.contains(&served.column(*on)?).then_some(place)
        });
        places.min().unwrap_or(2)
    };
    table.clustering().map(place).is_sorted()
}

fn key_uniqueness(review: Review<'_>) -> ChecklistItem {
    let colliding = find_collisions(review);
    let all = review.tables().count();
    let evidence = if colliding.is_empty() {
        format!("proved from the keys for {}", all_of(all, "table"))
    } else {
        format!("not unique: {}", list_names(&colliding))
    };
    point("PK + CK uniquely identifies rows", Some(colliding.is_empty()), evidence)
}

fn indexes(review: Review<'_>) -> ChecklistItem {
    let is_outside = |table: &PlannedTable, index: &PlannedIndex| {
        let mut own = table.columns.iter().filter(|column| column.name == index.column);
        own.all(|column| !column.is_key())
    };
    index_point(review, "Indexes only on fields not in PK/CK", is_outside)
}

fn query_support(review: Review<'_>) -> ChecklistItem {
    let (all, without) = find_unserved(review);
    let indexed = find_indexed(review);
    let evidence = if !without.is_empty() {
        format!("not served: {}", list_names(&without))
    } else if indexed.is_empty() {
        format!("{} by key", all_of(all, "query"))
    } else {
        format!("{}, {} by an index", all_of(all, "query"), list_names(&indexed))
    };
    point("Queries can be satisfied by PK/CK or indexes", Some(without.is_empty()), evidence)
}

/// Checks that tables ordered by time are bucketed where necessary.
fn time_series(review: Review<'_>) -> ChecklistItem {
    let asks = "Time-series data uses time bucketing (if needed)";
    let series: Vec<&PlannedTable> = review
        .tables()
        .map(|(_, table)| table)
        .filter(|table| {
            let clock = |column: &model::plan::PlannedColumn| time_keys::is_time(&column.ty);
            table.clustering().any(clock) || table.bucket().is_some()
        })
        .collect();
    if series.is_empty() {
        return point(asks, None, "no table is ordered by time");
    }
    let limit = review.context.options.limits.partition_bytes;
    let size = |table: &PlannedTable| table.volume.bytes_after(review.horizon()).p999;
    let unbounded: Vec<&str> = series
        .iter()
        .filter(|table| size(table) > limit)
        .map(|table| table.name.as_str())
        .collect();
    let bucketed: Vec<String> = series
        .iter()
        .filter_map(|table| Some(format!("{} by {}", table.name, table.bucket()?.2)))
        .collect();
    let evidence = if !unbounded.is_empty() {
        format!("{} exceed {}", list_names(&unbounded), format_bytes(limit))
    } else if bucketed.is_empty() {
        format!(
            "not needed: within {} without buckets ({} ordered by time)",
            format_bytes(limit),
            pluralise(to_figure(series.len()), "table")
        )
    } else {
        bucketed.join(", ")
    };
    point(asks, Some(unbounded.is_empty()), evidence)
}

fn tenants(review: Review<'_>) -> ChecklistItem {
    let asks = "Multi-tenant data includes tenant_id in PK (if needed)";
    let Some(tenant) = &review.context.concept.tenant else {
        return point(asks, None, "no tenant is declared");
    };
    let without: Vec<&str> = review
        .tables()
        .filter(|(_, table)| !table.partition_key().any(|column| column.name == *tenant))
        .map(|(_, table)| table.name.as_str())
        .collect();
    let all = review.tables().count();
    let evidence = if without.is_empty() {
        format!("{tenant} in the partition key of {}", all_of(all, "table"))
    } else {
        format!("{tenant} is not in the partition key of {}", list_names(&without))
    };
    point(asks, Some(without.is_empty()), evidence)
}
