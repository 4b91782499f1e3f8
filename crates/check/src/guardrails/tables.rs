//! Measurements of tables, their columns and their volumes.

use std::collections::BTreeMap;

use cql::types::{NativeType, Type};
use schema::catalog::{Column, IndexClass, Table};

use super::{Measurement, to_f64};
use crate::location::Location;
use crate::rule::FindingSubject;
use crate::{Project, TableFacts};

/// The measurements of all tables.
pub(super) fn measure_tables(project: &Project<'_>, all: &mut Vec<Measurement>) {
    let mut views: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (at, facts) in project.tables.iter().enumerate() {
        let table = &facts.table;
        let mut add = |guardrail, what: &str, value| {
            all.push(table_measurement(guardrail, facts, what, value));
        };
        add("tables", &table.name, to_f64(at + 1));
        if let Some(view) = &facts.view {
            let number = views.entry((&table.keyspace, &view.base_table)).or_default();
            *number += 1;
            let what = format!("{} on table {}", table.name, view.base_table);
            add("materialized_views_per_table", &what, to_f64(*number));
            continue;
        }
        add("columns_per_table", &table.name, to_f64(table.columns().len()));
        measure_options(facts, all);
        measure_partitions(facts, all);
        for (position, column) in table.columns().iter().enumerate() {
            measure_column(project, facts, position, column, all);
        }
        measure_indexes(project, facts, all);
    }
}

fn measure_options(facts: &TableFacts, all: &mut Vec<Measurement>) {
    let table = &facts.table;
    if table.params.compression.get("enabled").is_some_and(|on| &**on == "false") {
        let what = "Uncompressed table";
        all.push(table_measurement("uncompressed_tables_enabled", facts, what, 1.0));
    }
    if table.is_compact() {
        let what = "Creation of new COMPACT STORAGE tables";
        all.push(table_measurement("compact_tables", facts, what, 1.0));
    }
    let class = table.params.compaction.get("class");
    let is_windowed = class.is_some_and(|class| class.contains("TimeWindow"));
    if is_windowed && table.params.default_time_to_live == 0 {
        let what = "0 default_time_to_live on a table with TimeWindowCompactionStrategy compaction strategy";
        all.push(table_measurement("zero_ttl_on_twcs", facts, what, 1.0));
    }
}

fn table_measurement(
    guardrail: &'static str,
    facts: &TableFacts,
    what: &str,
    value: f64,
) -> Measurement {
    Measurement {
        guardrail,
        place: facts.place,
        subject: subject(&facts.table, None),
        what: what.to_owned(),
        value,
        values: Vec::new(),
        is_logged: false,
    }
}

fn subject(table: &Table, column: Option<&Column>) -> FindingSubject {
    FindingSubject {
        keyspace: Some(table.keyspace.clone()),
        table: Some(table.name.clone()),
        column: column.map(|column| column.name.clone()),
    }
}

fn measure_partitions(facts: &TableFacts, all: &mut Vec<Measurement>) {
    let Some(size) = facts.volume.partition.as_ref() else { return };
    let what = facts.table.qualified_name();
    let measure = table_measurement("partition_size", facts, &what, size.large_bytes);
    all.push(Measurement { is_logged: true, ..measure });
}

fn measure_column(
    project: &Project<'_>,
    facts: &TableFacts,
    position: usize,
    column: &Column,
    all: &mut Vec<Measurement>,
) {
    let place = project.column_location(facts, &column.name);
    let mut add =
        |guardrail, value| all.push(column_measurement(guardrail, facts, column, place, value));
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

fn column_measurement(
    guardrail: &'static str,
    facts: &TableFacts,
    column: &Column,
    place: Location,
    value: f64,
) -> Measurement {
    Measurement {
        place,
        subject: subject(&facts.table, Some(column)),
        ..table_measurement(guardrail, facts, &column.name, value)
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
fn measure_indexes(project: &Project<'_>, facts: &TableFacts, all: &mut Vec<Measurement>) {
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
        let place = project.index_location(facts, index);
        all.push(column_measurement(guardrail, facts, column, place, bytes));
    }
}
