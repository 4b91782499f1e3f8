//! Small models for tests, written in a few words.
//!
//! `entity("videos", "videoid uuid, userid uuid, tags set<text>?")` has three attributes, the last
//! nullable; its first is its key unless [`key`] says otherwise. [`read`] joins each source to an
//! earlier one along the first reference between them.

use std::sync::Arc;

use cql::Span;
use cql::types::{Frozenness, NativeType, Type};
use model::concept::{
    Attribute, Concept, Entity, FanOut, FanOutCourse, Figure, Growth, GrowthCurve, Origin,
    Reference, ReferenceAction, Skew,
};
use model::id::{AttributeId, EntityId, IdList, ParameterId, SourceId};
use model::plan::{ColumnRole, Direction, PlannedColumn, PlannedTable};
use model::workload::{
    Column, Comparison, Condition, Join, Output, OutputValue, Parameter, Predicate, Read,
    SortColumn, Source, StatedResult, Supply, Value,
};

/// A concept of these entities.
pub(crate) fn concept(entities: Vec<Entity>) -> Concept {
    Concept {
        keyspace: "sample".to_owned(),
        replication: vec![("dc1".to_owned(), 3)],
        nodes: 6,
        tenant: None,
        entities,
        types: Vec::new(),
    }
}

/// An entity with a million rows; its first attribute is its key.
pub(crate) fn entity(name: &str, attributes: &str) -> Entity {
    Entity {
        name: name.to_owned(),
        attributes: attributes.split(',').map(|text| attribute(text.trim())).collect(),
        keys: vec![vec![AttributeId::new(0)]],
        references: Vec::new(),
        unique: Vec::new(),
        checks: Vec::new(),
        supertype: None,
        rows: Figure::from_assumption(1e6),
        grows: Figure::from_assumption(0.0),
        curve: GrowthCurve::default(),
        retain: None,
        span: Span::default(),
    }
}

/// The entity with these keys, the primary one first: `key(e, &["a b", "c"])`.
pub(crate) fn key(mut entity: Entity, keys: &[&str]) -> Entity {
    entity.keys = keys.iter().map(|names| positions(&entity, names)).collect();
    entity
}

/// The entity with a reference to the primary key of another: `refers(e, "userid", 0, &users)`.
pub(crate) fn refers(mut entity: Entity, names: &str, target: usize, other: &Entity) -> Entity {
    entity.references.push(Reference {
        attributes: positions(&entity, names),
        target: EntityId::new(target),
        target_attributes: other.primary_key().to_vec(),
        nullable: false,
        on_delete: ReferenceAction::NoAction,
        on_update: ReferenceAction::NoAction,
        fan_out: FanOut {
            mean: 10.0,
            p99: 100.0,
            max: 1_000.0,
            p999: None,
            per: None,
            origin: Origin::Assumed,
        },
        course: FanOutCourse::default(),
        relation: None,
        skew: Skew::Uniform,
        span: Span::default(),
    });
    entity
}

/// A read: its sources (`videos v, users u`), outputs (`v.videoid, count(*)`), conditions
/// (`v.userid = ?`, `? in v.tags`) and order (`v.added_date desc`). Names without an alias are
/// those of the first source.
pub(crate) fn read(
    concept: &Concept,
    from: &str,
    select: &str,
    conditions: &[&str],
    order: &str,
) -> Read {
    let sources = sources(concept, from);
    let mut parameters = Vec::new();
    let conditions = conditions
        .iter()
        .map(|text| Condition {
            predicate: test(concept, &sources, text, &mut parameters),
            span: Span::default(),
        })
        .collect();
    let list = |text: &str| -> Vec<String> {
        text.split(',').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
    };
    Read {
        name: "Sample".to_owned(),
        many: true,
        rate: Figure::from_assumption(1.0),
        after: Vec::new(),
        consistency: "LOCAL_QUORUM".to_owned(),
        exact: false,
        computed: Vec::new(),
        outputs: list(select).iter().map(|text| output(concept, &sources, text)).collect(),
        conditions,
        group: Vec::new(),
        order: list(order).iter().map(|text| ordering(concept, &sources, text)).collect(),
        limit: None,
        stated: StatedResult::default(),
        parameters,
        sql: String::new(),
        span: Span::default(),
        sources,
    }
}

/// The columns of a table in the marks of the method: `K userid, C↓ added_date, C↑ videoid, S
/// email, name, ++views`.
pub(crate) fn marks(table: &PlannedTable) -> String {
    let mark = |column: &PlannedColumn| match column.role {
        ColumnRole::Partition => format!("K {}", column.name),
        ColumnRole::Clustering(Direction::Ascending) => format!("C↑ {}", column.name),
        ColumnRole::Clustering(Direction::Descending) => format!("C↓ {}", column.name),
        ColumnRole::Static => format!("S {}", column.name),
        ColumnRole::Regular => column.name.clone(),
        ColumnRole::Counter => format!("++{}", column.name),
    };
    table.columns.iter().map(mark).collect::<Vec<_>>().join(", ")
}

/// A column by its name, `alias.attribute` or an attribute of the first source.
pub(crate) fn column(concept: &Concept, sources: &[Source], name: &str) -> Column {
    let (source, attribute) = match name.split_once('.') {
        Some((alias, attribute)) => {
            (sources.find_id(|source| source.alias == alias).unwrap(), attribute)
        }
        None => (SourceId::new(0), name),
    };
    let entity = &concept.entities[sources[source].entity];
    let attribute =
        entity.attribute_named(attribute).unwrap_or_else(|| panic!("no attribute {name}"));
    Column { source, attribute }
}

fn positions(entity: &Entity, names: &str) -> Vec<AttributeId> {
    names.split_whitespace().map(|name| entity.attribute_named(name).unwrap()).collect()
}

fn attribute(text: &str) -> Attribute {
    let (name, ty) = text.split_once(' ').unwrap();
    let (ty, nullable) = ty.strip_suffix('?').map_or((ty, false), |ty| (ty, true));
    Attribute {
        name: name.to_owned(),
        ty: parse_type(ty),
        nullable,
        default: None,
        generated: None,
        limit: None,
        counter: false,
        exact: false,
        hidden: false,
        bytes: Figure::from_assumption(32.0),
        items: Figure::from_input(10.0),
        items_growth: Growth::default(),
        distinct: Figure::from_assumption(1e5),
        skew: Skew::Uniform,
        span: Span::default(),
    }
}

fn parse_type(text: &str) -> Type {
    let inside = |start: &str| text.strip_prefix(start).and_then(|rest| rest.strip_suffix('>'));
    if let Some(element) = inside("list<") {
        return Type::List(Arc::new(parse_type(element)), Frozenness::No);
    }
    if let Some(element) = inside("set<") {
        return Type::Set(Arc::new(parse_type(element)), Frozenness::No);
    }
    let native = NativeType::ALL.into_iter().find(|native| native.name() == text);
    Type::Native(native.unwrap_or_else(|| panic!("no type {text}")))
}

fn sources(concept: &Concept, from: &str) -> Vec<Source> {
    let mut sources: Vec<Source> = Vec::new();
    for text in from.split(',').map(str::trim) {
        let (name, alias) = text.split_once(' ').unwrap_or((text, text));
        let entity = concept.entity_named(name).unwrap();
        let join = sources.enumerate_ids().find_map(|(with, earlier)| {
            let between = |holder: EntityId, target: EntityId| {
                concept.entities[holder].references.find_id(|r| r.target == target)
            };
            between(earlier.entity, entity)
                .map(|reference| Join { with, reference, to_one: true, optional: false })
                .or_else(|| {
                    between(entity, earlier.entity).map(|reference| Join {
                        with,
                        reference,
                        to_one: false,
                        optional: false,
                    })
                })
        });
        assert!(sources.is_empty() || join.is_some(), "no way to join {name}");
        sources.push(Source { entity, alias: alias.to_owned(), join });
    }
    sources
}

fn output(concept: &Concept, sources: &[Source], text: &str) -> Output {
    let value = match text.split_once('(') {
        None => OutputValue::Column(column(concept, sources, text)),
        Some(("exists", _)) => OutputValue::Exists,
        Some(("count", "*)")) => OutputValue::Count(None),
        Some((function, argument)) => {
            let of = column(concept, sources, argument.trim_end_matches(')'));
            match function {
                "count" => OutputValue::Count(Some(of)),
                "sum" => OutputValue::Sum(of),
                "avg" => OutputValue::Average(of),
                "min" => OutputValue::Least(of),
                _ => OutputValue::Greatest(of),
            }
        }
    };
    Output { name: text.to_owned(), value }
}

fn ordering(concept: &Concept, sources: &[Source], text: &str) -> SortColumn {
    let (name, descending) = text.strip_suffix(" desc").map_or((text, false), |name| (name, true));
    SortColumn { column: column(concept, sources, name), descending, null_as: None }
}

fn test(
    concept: &Concept,
    sources: &[Source],
    text: &str,
    parameters: &mut Vec<Parameter>,
) -> Predicate {
    let mut words = text.splitn(3, ' ');
    let mut word = || words.next().unwrap_or_else(|| panic!("short condition {text}"));
    let (left, operator, right) = (word(), word(), word());
    if left == "?" {
        let of = column(concept, sources, right);
        return Predicate::Holds {
            column: of,
            value: value(concept, sources, of, left, parameters),
        };
    }
    let of = column(concept, sources, left);
    if operator == "any" {
        let _ = value(concept, sources, of, right, parameters);
        return Predicate::AnyOf { column: of, parameter: ParameterId::new(parameters.len() - 1) };
    }
    if operator == "in" {
        let values = right.split(',').map(str::trim);
        let values = values.map(|one| value(concept, sources, of, one, parameters)).collect();
        return Predicate::In { column: of, values };
    }
    let value = value(concept, sources, of, right, parameters);
    let comparison = match operator {
        "=" => Comparison::Equal,
        "<" => Comparison::Less,
        "<=" => Comparison::LessOrEqual,
        ">" => Comparison::Greater,
        ">=" => Comparison::GreaterOrEqual,
        "like" => return Predicate::Prefix { column: of, value },
        _ => panic!("no operator {operator}"),
    };
    Predicate::Compare { column: of, comparison, value }
}

fn value(
    concept: &Concept,
    sources: &[Source],
    of: Column,
    text: &str,
    parameters: &mut Vec<Parameter>,
) -> Value {
    if text != "?" {
        return Value::Literal(text.to_owned());
    }
    let attribute = &concept.entities[sources[of.source].entity].attributes[of.attribute];
    parameters.push(Parameter {
        name: attribute.name.clone(),
        ty: attribute.ty.clone(),
        supply: Supply::User,
    });
    Value::Parameter(ParameterId::new(parameters.len() - 1))
}
