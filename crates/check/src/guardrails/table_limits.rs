//! What guardrails look at in tables, their columns and their volumes.

use std::collections::BTreeMap;

use cql::types::{NativeType, Type};
use schema::catalog::{Column, IndexClass, Table};

use super::{Measure, count};
use crate::facts::partition_size;
use crate::place::Place;
use crate::rule::Subject;
use crate::{Project, TableFacts};

/// What there is to measure of all tables.
pub(super) fn of_tables(project: &Project<'_>, all: &mut Vec<Measure>) {
    let mut views: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (at, facts) in project.tables.iter().enumerate() {
        let table = &facts.table;
        let mut add =
            |guardrail, what: &str, value| all.push(of_table(guardrail, facts, what, value));
        add("tables", &table.name, count(at + 1));
        if let Some(view) = &facts.view {
            let number = views.entry((&table.keyspace, &view.base_table)).or_default();
            *number += 1;
            let what = format!("{} on table {}", table.name, view.base_table);
            add("materialized_views_per_table", &what, count(*number));
            continue;
        }
        add("columns_per_table", &table.name, count(table.columns().len()));
        of_options(facts, all);
        of_partitions(facts, all);
        for (position, column) in table.columns().iter().enumerate() {
            of_column(project, facts, position, column, all);
        }
        of_indexes(project, facts, all);
    }
}

fn of_options(facts: &TableFacts, all: &mut Vec<Measure>) {
    let table = &facts.table;
    if table.params.compression.get("enabled").is_some_and(|on| &**on == "false") {
        let what = "Uncompressed table";
        all.push(of_table("uncompressed_tables_enabled", facts, what, 1.0));
    }
    if table.is_compact() {
        let what = "Creation of new COMPACT STORAGE tables";
        all.push(of_table("compact_tables", facts, what, 1.0));
    }
    let class = table.params.compaction.get("class");
    let is_windowed = class.is_some_and(|class| class.contains("TimeWindow"));
    if is_windowed && table.params.default_time_to_live == 0 {
        let what = "0 default_time_to_live on a table with TimeWindowCompactionStrategy compaction strategy";
        all.push(of_table("zero_ttl_on_twcs", facts, what, 1.0));
    }
}

fn of_table(guardrail: &'static str, facts: &TableFacts, what: &str, value: f64) -> Measure {
    Measure {
        guardrail,
        place: facts.place,
        subject: subject(&facts.table, None),
        what: what.to_owned(),
        value,
        values: Vec::new(),
        is_logged: false,
    }
}

fn subject(table: &Table, column: Option<&Column>) -> Subject {
    Subject {
        keyspace: Some(table.keyspace.clone()),
        table: Some(table.name.clone()),
        column: column.map(|column| column.name.clone()),
    }
}

fn of_partitions(facts: &TableFacts, all: &mut Vec<Measure>) {
    let Some(size) = partition_size(facts) else { return };
    let what = facts.table.qualified_name();
    let measure = of_table("partition_size", facts, &what, size.large_bytes);
    all.push(Measure { is_logged: true, ..measure });
}

fn of_column(
    project: &Project<'_>,
    facts: &TableFacts,
    position: usize,
    column: &Column,
    all: &mut Vec<Measure>,
) {
    let place = project.column_place(facts, &column.name);
    let mut add = |guardrail, value| all.push(at_column(guardrail, facts, column, place, value));
    if let Some(dimensions) = dimensions(&column.ty) {
        add("vector_type_enabled", 1.0);
        add("vector_dimensions", f64::from(dimensions));
    }
    let (bytes, items) = (facts.volume.bytes(position), facts.volume.items(position));
    if column.ty.is_collection() {
        if let Some(items) = items {
            add("items_per_collection", items);
        }
        if let (Some(items), Some(bytes)) = (items, bytes) {
            add("collection_size", items * bytes);
        }
    } else if let (Some(bytes), false) = (bytes, column.is_primary_key()) {
        add("column_value_size", bytes);
    }
}

fn at_column(
    guardrail: &'static str,
    facts: &TableFacts,
    column: &Column,
    place: Place,
    value: f64,
) -> Measure {
    Measure {
        place,
        subject: subject(&facts.table, Some(column)),
        ..of_table(guardrail, facts, &column.name, value)
    }
}

/// The dimensions of the first vector in a type.
fn dimensions(ty: &Type) -> Option<u32> {
    match ty {
        Type::Vector(_, dimensions) => Some(*dimensions),
        Type::List(inner, _) | Type::Set(inner, _) => dimensions(inner),
        Type::Map(inner, _) => dimensions(&inner.0).or_else(|| dimensions(&inner.1)),
        Type::Tuple(inner) => inner.iter().find_map(dimensions),
        _ => None,
    }
}

/// Terms of storage-attached indexes, by the bytes that are declared.
fn of_indexes(project: &Project<'_>, facts: &TableFacts, all: &mut Vec<Measure>) {
    let table = &facts.table;
    for index in table.indexes.iter().filter(|index| index.class == IndexClass::Sai) {
        let Some(position) = table.column_index(&index.column) else { continue };
        let Some(column) = table.columns().get(position) else { continue };
        let guardrail = match &column.ty {
            Type::Vector(..) => "sai_vector_term_size",
            Type::Native(NativeType::Text | NativeType::Ascii) => "sai_string_term_size",
            ty if !ty.is_multi_cell() && !matches!(ty, Type::Native(_)) => "sai_frozen_term_size",
            _ => continue,
        };
        let fixed = dimensions(&column.ty).map(|number| 4.0 * f64::from(number));
        let Some(bytes) = fixed.or_else(|| facts.volume.bytes(position)) else { continue };
        let place = project.index_place(facts, index);
        all.push(at_column(guardrail, facts, column, place, bytes));
    }
}
