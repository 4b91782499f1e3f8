//! The definitions of tables as `design.json` stores them, so that copies are verified by the design
//! that was reviewed.

use std::path::Path;

use cql::Span;
use cql::types::{Type, parse_class};
use model::concept::{
    Attribute, Concept, Entity, FanOut, FanOutCourse, Figure, Growth, GrowthCurve, Origin,
    Reference, ReferenceAction, Skew,
};
use model::id::{AttributeId, EntityId, IdList, ReferenceId, SourceId, TableId};
use model::plan::{Derivation, PlannedColumn, PlannedTable, RowDefinition};
use model::workload::{Condition, Join, Predicate, Source, Value};
use serde::{Deserialize, Serialize};

use super::definitions::Definitions;
use super::stored_derivation::{
    StoredColumn, StoredComparison, StoredDerivation, StoredRole, read_column, store_column,
};
use crate::outcome::{Failure, Outcome};

/// The key of the definitions in `design.json`.
pub(crate) const KEY: &str = "copies";
/// The version of their form.
const FORMAT: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
struct StoredDefinitions {
    format: u32,
    keyspace: String,
    entities: Vec<StoredEntity>,
    tables: Vec<StoredTable>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredEntity {
    name: String,
    attributes: Vec<StoredAttribute>,
    keys: Vec<Vec<usize>>,
    references: Vec<StoredReference>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredAttribute {
    name: String,
    /// The name of its Java class, which says all about a type.
    class: String,
    nullable: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredReference {
    attributes: Vec<usize>,
    target: usize,
    target_attributes: Vec<usize>,
    nullable: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredTable {
    name: String,
    columns: Vec<StoredTableColumn>,
    sources: Vec<StoredSource>,
    filters: Vec<StoredFilter>,
    not_null: Vec<StoredColumn>,
    elements: Vec<StoredColumn>,
    remembers: Option<usize>,
    view_of: Option<usize>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredTableColumn {
    name: String,
    class: String,
    role: StoredRole,
    derivation: StoredDerivation,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredSource {
    entity: usize,
    join: Option<StoredJoin>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredJoin {
    with: usize,
    reference: usize,
    to_one: bool,
    optional: bool,
}

/// A condition on constants, which are CQL.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredFilter {
    Compare(StoredColumn, StoredComparison, String),
    In(StoredColumn, Vec<String>),
    Holds(StoredColumn, String),
    Row(Vec<StoredColumn>, StoredComparison, Vec<String>),
    Prefix(StoredColumn, String),
    NotNull(StoredColumn),
    Null(StoredColumn),
}

/// The definitions as `design.json` has them.
pub(crate) fn to_json(definitions: &Definitions) -> serde_json::Value {
    let stored = StoredDefinitions {
        format: FORMAT,
        keyspace: definitions.concept.keyspace.clone(),
        entities: definitions
            .concept
            .entities
            .ids()
            .filter_map(|it| store_entity(definitions, it))
            .collect(),
        tables: definitions.tables.iter().filter_map(store_table).collect(),
    };
    // A table that cannot be stored would shift the positions of the others.
    if stored.tables.len() < definitions.tables.len() {
        return serde_json::Value::Null;
    }
    serde_json::to_value(stored).unwrap_or_default()
}

/// The definitions of a `design.json`.
pub(crate) fn read_design(path: &Path) -> Result<Definitions, Failure> {
    let text = regular_file::read_to_string(path)
        .map_err(|error| Failure::unreadable_file(path, &error))?;
    parse_design(&text)
        .map_err(|what| Failure::Stopped(Outcome::BadInput, format!("{}: {what}", path.display())))
}

/// The definitions of the text of a `design.json`.
pub(super) fn parse_design(text: &str) -> Result<Definitions, String> {
    let mut object: serde_json::Value =
        serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
    let copies = object.get_mut(KEY).map(serde_json::Value::take).unwrap_or_default();
    let again = "write it again with `helenus design -o`";
    if copies.is_null() {
        return Err(format!("the design does not say what its tables hold: {again}"));
    }
    let stored: StoredDefinitions = serde_json::from_value(copies)
        .map_err(|error| format!("what the tables hold is not valid: {error}; {again}"))?;
    if stored.format != FORMAT {
        return Err(format!(
            "the design has format {}, and this version reads format {FORMAT}: {again}",
            stored.format
        ));
    }
    read_definitions(stored).ok_or_else(|| format!("a type of the design is not valid: {again}"))
}

fn store_entity(definitions: &Definitions, at: EntityId) -> Option<StoredEntity> {
    let entity = definitions.concept.entities.member(at)?;
    let positions = |list: &[AttributeId]| list.iter().map(|it| it.index()).collect();
    let attributes = entity.attributes.enumerate_ids().map(|(attribute, described)| {
        let of = model::concept::AttributeRef { entity: at, attribute };
        StoredAttribute {
            name: described.name.clone(),
            class: described.ty.class_name(),
            nullable: definitions.is_nullable(of),
        }
    });
    let references = entity.references.iter().map(|reference| StoredReference {
        attributes: positions(&reference.attributes),
        target: reference.target.index(),
        target_attributes: positions(&reference.target_attributes),
        nullable: reference.nullable,
    });
    Some(StoredEntity {
        name: entity.name.clone(),
        attributes: attributes.collect(),
        keys: entity.keys.iter().map(|key| positions(key)).collect(),
        references: references.collect(),
    })
}

fn store_table(table: &PlannedTable) -> Option<StoredTable> {
    let columns = table.columns.iter().map(|column| StoredTableColumn {
        name: column.name.clone(),
        class: column.ty.class_name(),
        role: column.role.into(),
        derivation: (&column.derivation).into(),
    });
    let sources = table.holds.sources.iter().map(|source| StoredSource {
        entity: source.entity.index(),
        join: source.join.map(|join| StoredJoin {
            with: join.with.index(),
            reference: join.reference.index(),
            to_one: join.to_one,
            optional: join.optional,
        }),
    });
    let filters = table.holds.filters.iter().map(|filter| store_filter(&filter.predicate));
    Some(StoredTable {
        name: table.name.clone(),
        columns: columns.collect(),
        sources: sources.collect(),
        filters: filters.collect::<Option<_>>()?,
        not_null: table.holds.not_null.iter().copied().map(store_column).collect(),
        elements: table.holds.elements.iter().copied().map(store_column).collect(),
        remembers: table.remembers.map(TableId::index),
        view_of: table.view_of.map(TableId::index),
    })
}

/// A condition; `None` where it depends on a parameter, which conditions of tables do not.
fn store_filter(predicate: &Predicate) -> Option<StoredFilter> {
    let constant = |value: &Value| match value {
        Value::Literal(text) => Some(text.clone()),
        Value::Parameter(_) => None,
    };
    let constants = |values: &[Value]| values.iter().map(constant).collect::<Option<Vec<_>>>();
    let column = |column| store_column(column);
    Some(match predicate {
        Predicate::Compare { column: of, comparison, value } => {
            StoredFilter::Compare(column(*of), (*comparison).into(), constant(value)?)
        }
        Predicate::In { column: of, values } => StoredFilter::In(column(*of), constants(values)?),
        Predicate::AnyOf { .. } => return None,
        Predicate::Holds { column: of, value } => {
            StoredFilter::Holds(column(*of), constant(value)?)
        }
        Predicate::Row { columns, comparison, values } => StoredFilter::Row(
            columns.iter().copied().map(column).collect(),
            (*comparison).into(),
            constants(values)?,
        ),
        Predicate::Prefix { column: of, value } => {
            StoredFilter::Prefix(column(*of), constant(value)?)
        }
        Predicate::NotNull { column: of } => StoredFilter::NotNull(column(*of)),
        Predicate::Null { column: of } => StoredFilter::Null(column(*of)),
    })
}

fn read_filter(filter: StoredFilter) -> Condition {
    let literals = |texts: Vec<String>| texts.into_iter().map(Value::Literal).collect();
    let predicate = match filter {
        StoredFilter::Compare(of, comparison, text) => Predicate::Compare {
            column: read_column(of),
            comparison: comparison.into(),
            value: Value::Literal(text),
        },
        StoredFilter::In(of, texts) => {
            Predicate::In { column: read_column(of), values: literals(texts) }
        }
        StoredFilter::Holds(of, text) => {
            Predicate::Holds { column: read_column(of), value: Value::Literal(text) }
        }
        StoredFilter::Row(columns, comparison, texts) => Predicate::Row {
            columns: columns.into_iter().map(read_column).collect(),
            comparison: comparison.into(),
            values: literals(texts),
        },
        StoredFilter::Prefix(of, text) => {
            Predicate::Prefix { column: read_column(of), value: Value::Literal(text) }
        }
        StoredFilter::NotNull(of) => Predicate::NotNull { column: read_column(of) },
        StoredFilter::Null(of) => Predicate::Null { column: read_column(of) },
    };
    Condition { predicate, span: Span::default() }
}

fn read_definitions(stored: StoredDefinitions) -> Option<Definitions> {
    let entities = stored.entities.into_iter().map(read_entity).collect::<Option<_>>()?;
    let tables = stored.tables.into_iter().map(read_table).collect::<Option<_>>()?;
    let concept = Concept {
        keyspace: stored.keyspace,
        replication: Vec::new(),
        nodes: 0,
        tenant: None,
        entities,
        types: Vec::new(),
    };
    Some(Definitions { concept, tables, never_null: std::collections::BTreeSet::default() })
}

fn read_type(class: &str) -> Option<Type> {
    parse_class(class).ok().map(|parsed| parsed.ty)
}

fn read_entity(stored: StoredEntity) -> Option<Entity> {
    let attributes = stored.attributes.into_iter().map(read_attribute).collect::<Option<_>>()?;
    let references = stored.references.iter().map(read_reference);
    Some(Entity {
        name: stored.name,
        attributes,
        keys: stored.keys.iter().map(|key| read_attributes(key)).collect(),
        references: references.collect(),
        unique: Vec::new(),
        checks: Vec::new(),
        supertype: None,
        rows: Figure::from_assumption(0.0),
        grows: Figure::from_assumption(0.0),
        curve: GrowthCurve::default(),
        retain: None,
        span: Span::default(),
    })
}

fn read_attributes(positions: &[usize]) -> Vec<AttributeId> {
    positions.iter().copied().map(AttributeId::new).collect()
}

/// An attribute, without the figures of the model: copies do not depend on them.
fn read_attribute(stored: StoredAttribute) -> Option<Attribute> {
    Some(Attribute {
        name: stored.name,
        ty: read_type(&stored.class)?,
        nullable: stored.nullable,
        default: None,
        generated: None,
        limit: None,
        counter: false,
        exact: false,
        hidden: false,
        bytes: Figure::from_assumption(0.0),
        items: Figure::from_assumption(0.0),
        items_growth: Growth::default(),
        distinct: Figure::from_assumption(0.0),
        skew: Skew::Uniform,
        span: Span::default(),
    })
}

fn read_reference(stored: &StoredReference) -> Reference {
    let fan_out =
        FanOut { mean: 0.0, p99: 0.0, p999: None, max: 0.0, per: None, origin: Origin::Assumed };
    Reference {
        attributes: read_attributes(&stored.attributes),
        target: EntityId::new(stored.target),
        target_attributes: read_attributes(&stored.target_attributes),
        nullable: stored.nullable,
        on_delete: ReferenceAction::default(),
        on_update: ReferenceAction::default(),
        fan_out,
        course: FanOutCourse::default(),
        skew: Skew::Uniform,
        relation: None,
        span: Span::default(),
    }
}

fn read_table(stored: StoredTable) -> Option<PlannedTable> {
    let column = |column: StoredTableColumn| {
        Some(PlannedColumn {
            name: column.name,
            ty: read_type(&column.class)?,
            role: column.role.into(),
            derivation: Derivation::from(column.derivation),
            reasons: Vec::new(),
        })
    };
    let source = |source: StoredSource| Source {
        entity: EntityId::new(source.entity),
        alias: String::new(),
        join: source.join.map(|join| Join {
            with: SourceId::new(join.with),
            reference: ReferenceId::new(join.reference),
            to_one: join.to_one,
            optional: join.optional,
        }),
    };
    Some(PlannedTable {
        name: stored.name,
        columns: stored.columns.into_iter().map(column).collect::<Option<_>>()?,
        holds: RowDefinition {
            sources: stored.sources.into_iter().map(source).collect(),
            filters: stored.filters.into_iter().map(read_filter).collect(),
            not_null: stored.not_null.into_iter().map(read_column).collect(),
            elements: stored.elements.into_iter().map(read_column).collect(),
        },
        remembers: stored.remembers.map(TableId::new),
        view_of: stored.view_of.map(TableId::new),
        ..PlannedTable::default()
    })
}
