//! The figures of a table: given in its comments, derived from those, or assumed.

use cql::types::Type;
use cql::{Diagnostic, Span};

use super::comments::TableAnnotations;
use super::{SchemaFile, plan_table};
use crate::assumption::{Assumption, AssumptionTopic};
use crate::concept::{
    Attribute, DAY, Entity, FanOut, FanOutCourse, Figure, Growth, GrowthCurve, Origin, Reference,
    ReferenceAction, Skew,
};
use crate::diagnostics::error;
use crate::directive::{DirectiveKind, EachFigures, TableFigures};
use crate::id::{AttributeId, EntityId, IdList};
use crate::sql::volume::column;
use schema::catalog::{ColumnKind, Table};

/// Rows of a table of which nothing is known.
const DEFAULT_ROWS: f64 = 1e6;
/// Rows of a partition of which nothing is known.
fn default_each() -> EachFigures {
    let course = FanOutCourse::default();
    EachFigures { mean: 100.0, p99: 1_000.0, max: 10_000.0, p999: None, per: None, course }
}

/// Bytes of a value (of an element, for a collection of them) and the number of elements that a
/// type usually has.
pub fn usual_sizes(ty: &Type) -> (f64, f64) {
    let items = if ty.is_collection() { column::DEFAULT_ITEMS } else { 1.0 };
    let parts = ty.parts();
    let of = if ty.is_collection() && parts.len() == 1 { parts[0] } else { ty };
    (column::estimate_bytes(of).value, items)
}

/// Adds a table with its figures.
pub(super) fn add_table(
    file: &mut SchemaFile,
    table: &Table,
    span: Span,
    annotations: &TableAnnotations,
    errors: &mut Vec<Diagnostic>,
) {
    let mut entity = build_entity(table, span);
    let (figures, contradictions) = TableFigures::new(&annotations.table, entity.retain);
    errors.extend(contradictions);
    figures.apply_to(&mut entity);
    let mut each = figures.each;
    apply_column_directives(table, &mut entity, annotations, &mut each, errors);
    errors.extend(each.and_then(|each| adopt_course(&mut entity, each, annotations)));
    let partition: Vec<_> = (0..table.partition_key().len()).map(AttributeId::new).collect();
    let distinct = distinct_partitions(&entity, &partition);
    let origin = if each.is_some() { Origin::Given } else { Origin::Assumed };
    let each = each.or_else(|| assume_each(file, table, &entity, distinct));
    let rows = estimate_rows(file, &entity, each, distinct);
    entity.rows = rows;
    for attribute in &mut entity.attributes {
        if attribute.distinct.origin == Origin::Assumed {
            attribute.distinct = column::estimate_distinct(attribute, rows.value);
        }
    }
    let id = file.concept.entities.next_id();
    let is_stated = rows.origin != Origin::Assumed && origin == Origin::Given;
    if let Some(each) = each {
        let partitions = match (distinct, each.per) {
            // A partition that exists has a row.
            (Some(values), _) if rows.origin == Origin::Given => {
                Figure::from_derivation(values.min(rows.value))
            }
            (Some(values), _) => Figure::from_derivation(values),
            (None, _) if rows_today(each).is_some() && is_stated => {
                let each = rows_today(each).unwrap_or(each.mean);
                Figure::from_derivation((rows.value / each.max(1.0)).max(1.0))
            }
            (None, Some(seconds)) if entity.grows.origin == Origin::Given => {
                Figure::from_derivation((entity.grows.value * seconds / DAY / each.mean).max(1.0))
            }
            (None, None) if rows.origin != Origin::Assumed => {
                Figure::from_assumption((rows.value / each.mean.max(1.0)).max(1.0))
            }
            _ => Figure::from_assumption(DEFAULT_ROWS),
        };
        let parent = build_partition_entity(&entity, &partition, partitions);
        file.concept.entities.push(entity);
        let target = file.concept.entities.next_id();
        let reference = build_reference(&partition, target, each, origin, span);
        file.concept.entities[id].references.push(reference);
        file.concept.entities.push(parent);
    } else {
        file.concept.entities.push(entity);
    }
    file.tables.push(plan_table(table, id));
}

/// The table as an entity, before its figures are known.
fn build_entity(table: &Table, span: Span) -> Entity {
    let attributes = table.columns().iter().map(|column| {
        let items = if column.ty.is_collection() { column::DEFAULT_ITEMS } else { 1.0 };
        let parts = column.ty.parts();
        let of = if column.ty.is_collection() && parts.len() == 1 { parts[0] } else { &column.ty };
        Attribute {
            name: column.name.to_string(),
            ty: column.ty.clone(),
            nullable: !column.is_primary_key(),
            default: None,
            generated: None,
            limit: None,
            counter: column.ty.is_counter(),
            exact: false,
            hidden: false,
            bytes: column::estimate_bytes(of),
            items: Figure::from_assumption(items),
            items_growth: Growth::default(),
            distinct: Figure::from_assumption(1.0),
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
        unique: Vec::new(),
        checks: Vec::new(),
        supertype: None,
        rows: Figure::from_assumption(DEFAULT_ROWS),
        grows: Figure::from_assumption(0.0),
        curve: GrowthCurve::default(),
        retain: (lives > 0).then(|| f64::from(lives)),
        span,
    }
}

/// Applies the directives of columns, including `@each` on a partition key column.
fn apply_column_directives(
    table: &Table,
    entity: &mut Entity,
    annotations: &TableAnnotations,
    each: &mut Option<EachFigures>,
    errors: &mut Vec<Diagnostic>,
) {
    for (name, directive) in &annotations.columns {
        let Some(at) = table.column_index(name) else { continue };
        let attribute = &mut entity.attributes[at];
        match directive.kind {
            DirectiveKind::Bytes(bytes) => attribute.bytes = Figure::from_input(bytes),
            DirectiveKind::Items(items) => items.apply_to(attribute),
            DirectiveKind::Distinct(values) => attribute.distinct = Figure::from_input(values),
            DirectiveKind::Skew(exponent) => attribute.skew = Skew::Zipf(exponent),
            DirectiveKind::Each(figures) => {
                let in_key = table.columns()[at].kind == ColumnKind::Partition;
                if in_key && each.is_none() {
                    *each = Some(figures);
                    continue;
                }
                let message = if in_key {
                    "@each is given twice for the same partitions"
                } else {
                    "@each is on a column outside the partition key"
                };
                let first = &table.partition_key()[0].name;
                let help = format!("write it once, at the end of the line of {first}");
                errors.push(error("MF104", directive.span, message, help));
            }
            _ => {
                let message = format!("@{} has no meaning in a schema file", directive.kind.name());
                let help = "remove it, or write it in a model file (.sql)";
                errors.push(error("MF104", directive.span, message, help));
            }
        }
    }
}

/// The number of partitions: the product of the distinct values of the key columns, where all are
/// given.
fn distinct_partitions(entity: &Entity, partition: &[AttributeId]) -> Option<f64> {
    let values = partition.iter().map(|at| &entity.attributes[*at].distinct);
    let given = values.map(|values| (values.origin == Origin::Given).then_some(values.value));
    given.collect::<Option<Vec<_>>>().map(|values| values.iter().product())
}

/// Assumes the rows of a partition where nothing in the file implies them.
fn assume_each(
    file: &mut SchemaFile,
    table: &Table,
    entity: &Entity,
    distinct: Option<f64>,
) -> Option<EachFigures> {
    let some_given = table
        .partition_key()
        .iter()
        .enumerate()
        .any(|(at, _)| entity.attributes[at].distinct.origin == Origin::Given);
    if table.clustering().is_empty() || distinct.is_some() || some_given {
        return None;
    }
    let each = default_each();
    file.assumptions.push(Assumption {
        topic: AssumptionTopic::PartitionRows {
            table: table.name.to_string(),
            column: table.partition_key()[0].name.to_string(),
            mean: each.mean,
            p99: each.p99,
            max: each.max,
        },
        span: entity.span,
    });
    Some(each)
}

/// The rows of a partition today, where they are stated as such.
fn rows_today(each: EachFigures) -> Option<f64> {
    each.course.today.or_else(|| each.per.is_none().then_some(each.mean))
}

/// Lets a table grow along the course of its `@each`; the error where that cannot be.
fn adopt_course(
    entity: &mut Entity,
    each: EachFigures,
    annotations: &TableAnnotations,
) -> Option<Diagnostic> {
    let directives = annotations.table.iter().chain(annotations.columns.iter().map(|(_, it)| it));
    let mut spans = directives.filter(|it| matches!(it.kind, DirectiveKind::Each(_)));
    let span = spans.next().map_or(entity.span, |it| it.span);
    let (message, help) = each.course.apply_to(entity).err()?;
    Some(error("MF106", span, message, help))
}

/// Rows of the table today.
fn estimate_rows(
    file: &mut SchemaFile,
    entity: &Entity,
    each: Option<EachFigures>,
    distinct: Option<f64>,
) -> Figure<f64> {
    if entity.rows.origin == Origin::Given {
        return entity.rows;
    }
    if let (Some(each), Some(partitions)) = (each.and_then(rows_today), distinct) {
        return Figure::from_derivation(each * partitions);
    }
    if let (Origin::Given, Some(seconds)) = (entity.grows.origin, entity.retain) {
        let days = entity.curve.elapsed_within(seconds / DAY, 0.0);
        return Figure::from_derivation(entity.grows.value * days);
    }
    // Where the rows of a partition are stated, the partitions are assumed, not the rows.
    let today = each.and_then(|each| each.course.today);
    let rows = today.map_or(1.0, |today| today.max(1.0)) * DEFAULT_ROWS;
    file.assumptions.push(Assumption {
        topic: AssumptionTopic::Rows { entity: entity.name.clone(), rows },
        span: entity.span,
    });
    match today {
        Some(_) => Figure::from_derivation(rows),
        None => Figure::from_assumption(rows),
    }
}

fn build_reference(
    partition: &[AttributeId],
    target: EntityId,
    each: EachFigures,
    origin: Origin,
    span: Span,
) -> Reference {
    Reference {
        attributes: partition.to_vec(),
        target,
        target_attributes: partition.to_vec(),
        nullable: false,
        on_delete: ReferenceAction::NoAction,
        on_update: ReferenceAction::NoAction,
        fan_out: FanOut { origin, ..each.fan_out() },
        course: each.course,
        skew: Skew::Uniform,
        relation: None,
        span,
    }
}

/// The partitions of a table, as an entity that its rows refer to.
fn build_partition_entity(entity: &Entity, partition: &[AttributeId], rows: Figure<f64>) -> Entity {
    Entity {
        name: format!("partitions of {}", entity.name),
        attributes: partition.iter().map(|at| entity.attributes[*at].clone()).collect(),
        keys: vec![partition.to_vec()],
        references: Vec::new(),
        unique: Vec::new(),
        checks: Vec::new(),
        supertype: None,
        rows,
        grows: Figure::from_assumption(0.0),
        curve: GrowthCurve::default(),
        retain: None,
        span: entity.span,
    }
}
