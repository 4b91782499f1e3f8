//! The figures of a table: those that its comments give, what follows from them, and what is assumed.

use cql::types::Type;
use cql::{Diagnostic, Span};

use super::comments::Said;
use super::{SchemaFile, planned};
use crate::assumption::{Assumption, AssumptionTopic};
use crate::concept::{Attribute, DAY, Entity, FanOut, Origin, Reference, Skew, Stated};
use crate::diagnostics::error;
use crate::directive::{DirectiveKind, Each};
use crate::id::{AttributeId, EntityId, Numbered};
use crate::sql::volume::column;
use schema::catalog::{ColumnKind, Table};

/// Rows of a table of which nothing is known.
const ROWS: f64 = 1e6;
/// Rows of a partition of which nothing is known.
const EACH: Each = Each { mean: 100.0, p99: 1_000.0, max: 10_000.0, p999: None, per: None };

/// Bytes of a value (of an element, for a collection of them) and the number of elements that a type usually has.
pub fn usual(ty: &Type) -> (f64, f64) {
    let items = if ty.is_collection() { column::ITEMS } else { 1.0 };
    let parts = ty.parts();
    let of = if ty.is_collection() && parts.len() == 1 { parts[0] } else { ty };
    (column::bytes(of).value, items)
}

/// Adds a table with its figures.
pub(super) fn add(
    file: &mut SchemaFile,
    table: &Table,
    span: Span,
    said: &Said,
    errors: &mut Vec<Diagnostic>,
) {
    let mut entity = entity(table, span);
    let mut each = None;
    for directive in &said.table {
        match directive.kind {
            DirectiveKind::Each(figures) => each = Some(figures),
            DirectiveKind::Rows(rows) => entity.rows = Stated::given(rows),
            DirectiveKind::Grows(rows) => entity.grows = Stated::given(rows),
            DirectiveKind::Retain(seconds) => entity.retain = Some(seconds),
            _ => {}
        }
    }
    attributes(table, &mut entity, said, &mut each, errors);
    let partition: Vec<_> = (0..table.partition_key().len()).map(AttributeId::new).collect();
    let distinct = distinct(&entity, &partition);
    let origin = if each.is_some() { Origin::Given } else { Origin::Assumed };
    let each = each.or_else(|| assumed_each(file, table, &entity, distinct));
    let rows = rows(file, &entity, each, distinct);
    entity.rows = rows;
    for attribute in &mut entity.attributes {
        if attribute.distinct.origin == Origin::Assumed {
            attribute.distinct = column::distinct(attribute, rows.value);
        }
    }
    let id = file.concept.entities.next_id();
    if let Some(each) = each {
        let partitions = match (distinct, each.per) {
            // A partition that exists has a row.
            (Some(values), _) if rows.origin == Origin::Given => {
                Stated::derived(values.min(rows.value))
            }
            (Some(values), _) => Stated::derived(values),
            (None, Some(seconds)) if entity.grows.origin == Origin::Given => {
                Stated::derived((entity.grows.value * seconds / DAY / each.mean).max(1.0))
            }
            (None, None) if rows.origin != Origin::Assumed && origin == Origin::Given => {
                Stated::derived((rows.value / each.mean.max(1.0)).max(1.0))
            }
            (None, None) if rows.origin != Origin::Assumed => {
                Stated::assumed((rows.value / each.mean.max(1.0)).max(1.0))
            }
            _ => Stated::assumed(ROWS),
        };
        let parent = partitions_of(&entity, &partition, partitions);
        file.concept.entities.push(entity);
        let target = file.concept.entities.next_id();
        let reference = reference(&partition, target, each, origin, span);
        file.concept.entities[id].references.push(reference);
        file.concept.entities.push(parent);
    } else {
        file.concept.entities.push(entity);
    }
    file.tables.push(planned(table, id));
}

/// The table as an entity, before its figures are known.
fn entity(table: &Table, span: Span) -> Entity {
    let attributes = table.columns().iter().map(|column| {
        let items = if column.ty.is_collection() { column::ITEMS } else { 1.0 };
        let parts = column.ty.parts();
        let of = if column.ty.is_collection() && parts.len() == 1 { parts[0] } else { &column.ty };
        Attribute {
            name: column.name.to_string(),
            ty: column.ty.clone(),
            nullable: !column.is_primary_key(),
            counter: column.ty.is_counter(),
            exact: false,
            bytes: column::bytes(of),
            items: Stated::assumed(items),
            distinct: Stated::assumed(1.0),
            skew: Skew::Uniform,
            span,
        }
    });
    let lives = table.params.default_time_to_live;
    Entity {
        name: table.name.to_string(),
        attributes: attributes.collect(),
        keys: vec![(0..table.primary_key().len()).map(AttributeId::new).collect()],
        references: Vec::new(),
        supertype: None,
        rows: Stated::assumed(ROWS),
        grows: Stated::assumed(0.0),
        retain: (lives > 0).then(|| f64::from(lives)),
        span,
    }
}

/// Takes what is said of the columns, and of the rows of a partition where that is said of a column.
fn attributes(
    table: &Table,
    entity: &mut Entity,
    said: &Said,
    each: &mut Option<Each>,
    errors: &mut Vec<Diagnostic>,
) {
    for (name, directive) in &said.columns {
        let Some(at) = table.column_index(name) else { continue };
        let attribute = &mut entity.attributes[at];
        match directive.kind {
            DirectiveKind::Bytes(bytes) => attribute.bytes = Stated::given(bytes),
            DirectiveKind::Items(items) => attribute.items = Stated::given(items),
            DirectiveKind::Distinct(values) => attribute.distinct = Stated::given(values),
            DirectiveKind::Skew(exponent) => attribute.skew = Skew::Zipf(exponent),
            DirectiveKind::Each(figures) => {
                let in_key = table.columns()[at].kind == ColumnKind::Partition;
                if in_key && each.is_none() {
                    *each = Some(figures);
                    continue;
                }
                let message = if in_key {
                    "@each is said twice of the same partitions"
                } else {
                    "@each speaks of a column outside the partition key"
                };
                let first = &table.partition_key()[0].name;
                let help = format!("write it once, at the end of the line of {first}");
                errors.push(error("MF104", directive.span, message, help));
            }
            _ => {
                let message = format!("@{} means nothing in a schema", directive.kind.name());
                let help = "remove it, or write it in a model file (.sql)";
                errors.push(error("MF104", directive.span, message, help));
            }
        }
    }
}

/// The number of partitions that the distinct values of their key come to, where all are given.
fn distinct(entity: &Entity, partition: &[AttributeId]) -> Option<f64> {
    let values = partition.iter().map(|at| &entity.attributes[*at].distinct);
    let given = values.map(|values| (values.origin == Origin::Given).then_some(values.value));
    given.collect::<Option<Vec<_>>>().map(|values| values.iter().product())
}

/// Rows of a partition where the file says nothing that they follow from.
fn assumed_each(
    file: &mut SchemaFile,
    table: &Table,
    entity: &Entity,
    distinct: Option<f64>,
) -> Option<Each> {
    let some_given = table
        .partition_key()
        .iter()
        .enumerate()
        .any(|(at, _)| entity.attributes[at].distinct.origin == Origin::Given);
    if table.clustering().is_empty() || distinct.is_some() || some_given {
        return None;
    }
    file.assumptions.push(Assumption {
        topic: AssumptionTopic::PartitionRows {
            table: table.name.to_string(),
            column: table.partition_key()[0].name.to_string(),
            mean: EACH.mean,
            p99: EACH.p99,
            max: EACH.max,
        },
        span: entity.span,
    });
    Some(EACH)
}

/// Rows of the table today.
fn rows(
    file: &mut SchemaFile,
    entity: &Entity,
    each: Option<Each>,
    distinct: Option<f64>,
) -> Stated<f64> {
    if entity.rows.origin == Origin::Given {
        return entity.rows;
    }
    let settled = each.filter(|each| each.per.is_none());
    if let (Some(each), Some(partitions)) = (settled, distinct) {
        return Stated::derived(each.mean * partitions);
    }
    if let (Origin::Given, Some(seconds)) = (entity.grows.origin, entity.retain) {
        return Stated::derived(entity.grows.value * seconds / DAY);
    }
    file.assumptions.push(Assumption {
        topic: AssumptionTopic::Rows { entity: entity.name.clone(), rows: ROWS },
        span: entity.span,
    });
    Stated::assumed(ROWS)
}

fn reference(
    partition: &[AttributeId],
    target: EntityId,
    each: Each,
    origin: Origin,
    span: Span,
) -> Reference {
    Reference {
        attributes: partition.to_vec(),
        target,
        target_attributes: partition.to_vec(),
        nullable: false,
        fan_out: FanOut { origin, ..each.fan_out() },
        skew: Skew::Uniform,
        span,
    }
}

/// The partitions of a table, as an entity that its rows refer to.
fn partitions_of(entity: &Entity, partition: &[AttributeId], rows: Stated<f64>) -> Entity {
    Entity {
        name: format!("partitions of {}", entity.name),
        attributes: partition.iter().map(|at| entity.attributes[*at].clone()).collect(),
        keys: vec![partition.to_vec()],
        references: Vec::new(),
        supertype: None,
        rows,
        grows: Stated::assumed(0.0),
        retain: None,
        span: entity.span,
    }
}
