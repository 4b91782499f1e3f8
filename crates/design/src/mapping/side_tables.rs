//! What cannot be stored beside the other columns of a row: counter attributes, and arrays too
//! large for a collection. Each has a separate table under the key of its entity, where the read
//! looks it up.

use cql::types::{NativeType, Type};
use model::concept::{Attribute, Origin};
use model::dependency::Determinant;
use model::id::{IdList, SourceId};
use model::plan::topic::TableTopic;
use model::plan::{
    ColumnRole, Derivation, Direction, MappingReason, MappingRule, Note, NoteKind, NoteSubject,
    PlannedColumn, PlannedTable, ReadPart, RowDefinition, ServedRead,
};
use model::workload::{Column, Source};

use super::columns;
use super::key::{KeyColumn, as_known};
use super::read_shape::ReadShape;
use crate::naming;

/// Elements of a collection at p99, at most.
const MOST_ELEMENTS: f64 = 100.0;
/// Bytes of a collection at p99, at most.
const MOST_BYTES: f64 = 64.0 * 1024.0;

/// Days at whose end an array that grows must still be a collection.
const PLANNING_DAYS: f64 = 5.0 * 365.25;

/// The table of a read with this key, then the separate tables.
pub(super) fn build_tables(
    shape: &ReadShape<'_>,
    key: Vec<KeyColumn>,
    notes: &mut Vec<Note>,
) -> Result<Vec<PlannedTable>, Box<Note>> {
    let mut stored = columns::columns_to_store(shape, &key, columns::columns_needed(shape));
    let counters: Vec<Column> =
        stored.extract_if(.., |column| shape.attribute(*column).counter).collect();
    let arrays: Vec<Column> =
        stored.extract_if(.., |column| is_too_large(shape.attribute(*column))).collect();
    if stored.is_empty() && arrays.is_empty() && is_entity_key(shape, &key, &counters) {
        let mut table = columns::key_table(shape, key)?;
        table.columns.extend(counters.iter().map(|column| counter_column(shape, *column)));
        naming::name_columns(&shape.dependencies, &shape.read.sources, &mut table.columns);
        return Ok(vec![table]);
    }
    // The rows must store the key under which the rest is found.
    let mut needed = columns::columns_needed(shape);
    needed.retain(|column| !counters.contains(column) && !arrays.contains(column));
    needed.extend(counters.iter().chain(&arrays).flat_map(|column| {
        let primary = shape.dependencies.entity(column.source).primary_key();
        primary.iter().map(|&attribute| Column { source: column.source, attribute })
    }));
    let stored = columns::columns_to_store(shape, &key, needed)
        .into_iter()
        .filter(|column| !counters.contains(column) && !arrays.contains(column))
        .collect();
    let mut rows = columns::assemble(shape, key, stored)?;
    naming::name_columns(&shape.dependencies, &shape.read.sources, &mut rows.columns);
    let mut tables = vec![rows];
    for source in shape.read.sources.ids() {
        let of: Vec<Column> =
            counters.iter().copied().filter(|column| column.source == source).collect();
        if !of.is_empty() {
            tables.push(counter_table(shape, source, &of));
        }
    }
    for array in arrays {
        notes.push(too_large_note(shape, array));
        tables.push(element_table(shape, array));
    }
    Ok(tables)
}

/// Whether the counters of a read can be stored under its own key: it is exactly the primary key of
/// their entity, which every increment has.
fn is_entity_key(shape: &ReadShape<'_>, key: &[KeyColumn], counters: &[Column]) -> bool {
    let holds = &shape.holds;
    let plain = holds.filters.is_empty() && holds.elements.is_empty() && holds.sources.len() == 1;
    let Some(first) = counters.first() else { return false };
    let primary = shape.dependencies.entity(first.source).primary_key();
    let in_primary = |column: &KeyColumn| matches!(as_known(&column.derivation), Some(Determinant::Value(value)) if primary.contains(&value.attribute));
    plain && key.len() == primary.len() && key.iter().all(in_primary)
}

/// Whether an array is too large for a collection.
pub(crate) fn is_too_large(attribute: &Attribute) -> bool {
    let (elements, bytes) = estimate_p99(attribute);
    attribute.ty.is_collection() && (elements > MOST_ELEMENTS || bytes > MOST_BYTES)
}

/// Elements and bytes of an array at p99: ten times the average where the number is not declared.
/// An array that grows has as many as at the end of the planning period.
fn estimate_p99(attribute: &Attribute) -> (f64, f64) {
    let spread = if attribute.items.origin == Origin::Assumed { 10.0 } else { 1.0 };
    let elements = attribute.items_after(PLANNING_DAYS) * spread;
    (elements, elements * attribute.bytes.value)
}

fn too_large_note(shape: &ReadShape<'_>, column: Column) -> Note {
    let attribute = shape.attribute(column);
    let entity = &shape.dependencies.entity(column.source).name;
    let (items, bytes) = estimate_p99(attribute);
    let topic = TableTopic::ElementsApart {
        entity: entity.clone(),
        attribute: attribute.name.clone(),
        items,
        bytes,
        is_list: matches!(attribute.ty, Type::List(..)),
    };
    Note {
        kind: NoteKind::Warning,
        about: shape.position.map_or(NoteSubject::Design, NoteSubject::Read),
        topic: topic.into(),
        span: Some(attribute.span),
    }
}

/// A table under the primary key of one source.
fn entity_key_table(
    shape: &ReadShape<'_>,
    source: SourceId,
    part: ReadPart,
    why: &str,
) -> PlannedTable {
    let entity = shape.dependencies.entity(source);
    let tenant = shape.context.concept.tenant.as_ref();
    let tenant = tenant.and_then(|name| entity.attribute_named(name));
    let rest = entity.primary_key().iter().copied().filter(|at| Some(*at) != tenant);
    let columns = tenant.into_iter().chain(rest).map(|attribute| PlannedColumn {
        name: entity.attributes[attribute].name.clone(),
        ty: entity.attributes[attribute].ty.freeze(),
        role: ColumnRole::Partition,
        derivation: Derivation::Attribute(Column { source: SourceId::new(0), attribute }),
        reasons: vec![MappingReason {
            rule: MappingRule::Key,
            read: shape.position,
            text: format!("{why} looked up by the key of `{}`", entity.name),
        }],
    });
    let of = &shape.read.sources[source];
    let sources =
        shape.read.sources.ids().map(|at| (at == source).then_some(SourceId::new(0))).collect();
    PlannedTable {
        columns: columns.collect(),
        holds: RowDefinition {
            sources: vec![Source { entity: of.entity, alias: of.alias.clone(), join: None }],
            ..RowDefinition::default()
        },
        serves: shape.position.map(|read| ServedRead { read, sources, part }).into_iter().collect(),
        ..PlannedTable::default()
    }
}

fn counter_table(shape: &ReadShape<'_>, source: SourceId, counters: &[Column]) -> PlannedTable {
    let mut table = entity_key_table(shape, source, ReadPart::Counters, "counters are");
    table.columns.extend(counters.iter().map(|column| {
        let mut planned = counter_column(shape, *column);
        planned.name.clone_from(&shape.attribute(*column).name);
        planned.derivation = Derivation::Attribute(Column { source: SourceId::new(0), ..*column });
        planned
    }));
    table
}

fn counter_column(shape: &ReadShape<'_>, column: Column) -> PlannedColumn {
    let name = &shape.attribute(column).name;
    PlannedColumn {
        name: String::new(),
        ty: Type::Native(NativeType::Counter),
        role: ColumnRole::Counter,
        derivation: Derivation::Attribute(column),
        reasons: vec![MappingReason {
            rule: MappingRule::Aggregate,
            read: shape.position,
            text: format!(
                "`{name}` is incremented, so it is a counter, and counters cannot share a table with other columns; `@exact` would make it a plain number"
            ),
        }],
    }
}

fn element_table(shape: &ReadShape<'_>, array: Column) -> PlannedTable {
    let mut table =
        entity_key_table(shape, array.source, ReadPart::Elements, "the elements of an array are");
    let of = Column { source: SourceId::new(0), ..array };
    let attribute = shape.attribute(array);
    let derivation = Derivation::Element(of);
    table.columns.push(PlannedColumn {
        name: naming::element_name(&attribute.name),
        ty: columns::element_type(&attribute.ty),
        role: ColumnRole::Clustering(Direction::Ascending),
        derivation,
        reasons: vec![MappingReason {
            rule: MappingRule::Key,
            read: shape.position,
            text: format!(
                "each element of `{}` is a row, because a collection of this size would always be read as a whole",
                attribute.name
            ),
        }],
    });
    table.holds.elements.push(of);
    table
}
