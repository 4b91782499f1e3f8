//! The default workload of a file without queries: a lookup of each entity by each of its keys
//! and references.

use std::collections::HashSet;

use cql::Span;

use crate::concept::{Attribute, Concept, Entity, Figure};
use crate::id::{AttributeId, EntityId, IdList, ParameterId, SourceId};
use crate::sql_name;
use crate::workload::{
    Column, Comparison, Condition, Output, OutputValue, Parameter, Predicate, Read, Source,
    StatedResult, Supply, Value,
};

/// A lookup of the rows of an entity by the values of some columns.
#[derive(Clone, Debug)]
pub(super) struct Lookup {
    /// The entity.
    pub entity: EntityId,
    /// Its name.
    pub name: String,
    /// The columns that are given.
    pub columns: Vec<AttributeId>,
    /// Whether it may find several rows.
    pub many: bool,
}

/// A lookup of every entity by each of its keys, and by each of its references.
pub(super) fn list_lookups(concept: &Concept) -> Vec<Lookup> {
    let mut lookups: Vec<Lookup> = Vec::new();
    let mut names = HashSet::new();
    for (at, entity) in concept.entities.enumerate_ids() {
        let mut known: Vec<&[AttributeId]> = Vec::new();
        // Nothing is known of an id that stands for a missing key, and of an expression of an index.
        let is_known = |key: &&Vec<AttributeId>| {
            let mut columns = key.iter().filter_map(|at| entity.attributes.member(*at));
            columns.all(|column| !column.hidden)
        };
        let keys = entity.keys.iter().filter(is_known).map(|key| (key, false));
        let references = entity.references.iter().map(|it| (&it.attributes, true));
        for (columns, many) in keys.chain(references) {
            if known.contains(&columns.as_slice()) {
                continue;
            }
            known.push(columns);
            let by = if columns == entity.primary_key() {
                "Key".to_owned()
            } else {
                let names = columns.iter().filter_map(|at| entity.attributes.member(*at));
                names.map(|attribute| to_pascal_case(&attribute.name)).collect()
            };
            let name = format!("{}By{by}", to_pascal_case(&entity.name));
            // A name of a statement begins with a letter.
            let is_numeric = name.starts_with(|first: char| !first.is_alphabetic());
            let name = if is_numeric { format!("Table{name}") } else { name };
            let others = (2..).map(|number| format!("{name}{number}"));
            let mut free = std::iter::once(name.clone()).chain(others);
            let name = free.find(|name| names.insert(name.clone())).unwrap_or_default();
            lookups.push(Lookup { entity: at, name, columns: columns.clone(), many });
        }
    }
    lookups
}

/// The reads of the lookups.
pub(super) fn build_reads(concept: &Concept) -> Vec<Read> {
    let lookups = list_lookups(concept).into_iter();
    let reads = lookups.filter_map(|lookup| {
        let entity = concept.entities.member(lookup.entity)?;
        Some(build_read(lookup, entity))
    });
    reads.collect()
}

/// A read of all columns by equality on the given ones.
fn build_read(lookup: Lookup, entity: &Entity) -> Read {
    let Lookup { entity: id, name, columns: given, many } = lookup;
    let column = |attribute| Column { source: SourceId::new(0), attribute };
    let conditions = given.iter().enumerate().map(|(parameter, attribute)| Condition {
        predicate: Predicate::Compare {
            column: column(*attribute),
            comparison: Comparison::Equal,
            value: Value::Parameter(ParameterId::new(parameter)),
        },
        span: entity.span,
    });
    let sql = lookup_text(entity, &given);
    let known = given.iter().filter_map(|attribute| entity.attributes.member(*attribute));
    Read {
        name,
        many,
        rate: Figure::from_assumption(1.0),
        after: Vec::new(),
        consistency: "LOCAL_QUORUM".to_owned(),
        exact: false,
        computed: Vec::new(),
        sources: vec![Source { entity: id, alias: entity.name.clone(), join: None }],
        outputs: list_outputs(entity)
            .map(|(attribute, name)| Output {
                name: name.to_owned(),
                value: OutputValue::Column(column(attribute)),
            })
            .collect(),
        conditions: conditions.collect(),
        group: Vec::new(),
        order: Vec::new(),
        limit: None,
        stated: StatedResult::default(),
        parameters: known
            .map(|attribute| Parameter {
                name: attribute.name.clone(),
                ty: attribute.ty.clone(),
                supply: Supply::User,
            })
            .collect(),
        sql,
        span: Span::default(),
    }
}

/// The columns of an entity that a query can return: no client computes the others.
fn list_outputs(entity: &Entity) -> impl Iterator<Item = (AttributeId, &str)> {
    let is_computable = |attribute: &Attribute| {
        attribute.generated.as_ref().is_none_or(|generated| generated.expression.is_some())
    };
    let usable = entity
        .attributes
        .enumerate_ids()
        .filter(move |(_, attribute)| !attribute.hidden && is_computable(attribute));
    usable.map(|(at, attribute)| (at, attribute.name.as_str()))
}

/// The SQL of a lookup.
pub(super) fn lookup_text(entity: &Entity, given: &[AttributeId]) -> String {
    let outputs: Vec<&str> = list_outputs(entity).map(|(_, name)| name).collect();
    let visible = entity.attributes.iter().filter(|attribute| !attribute.hidden).count();
    let outputs = if outputs.len() == visible { "*".to_owned() } else { sql_name::list(&outputs) };
    let given = given.iter().filter_map(|at| entity.attributes.member(*at));
    let conditions: Vec<String> =
        given.map(|attribute| format!("{} = ?", sql_name::quote(&attribute.name))).collect();
    let table = sql_name::quote(&entity.name);
    format!("SELECT {outputs} FROM {table} WHERE {}", conditions.join(" AND "))
}

/// `FilmActor` of `film_actor`.
fn to_pascal_case(name: &str) -> String {
    let mut start = true;
    let letters = name.chars().filter_map(|letter| {
        if letter.is_alphanumeric() {
            let upper = std::mem::take(&mut start);
            Some(if upper { letter.to_ascii_uppercase() } else { letter })
        } else {
            start = true;
            None
        }
    });
    letters.collect()
}

#[cfg(test)]
mod tests {
    use crate::assumption::AssumptionTopic;

    #[test]
    fn each_row_is_asked_for_by_its_key_and_by_what_it_refers_to() {
        let file = crate::sql::read(
            "CREATE TABLE actor (id int PRIMARY KEY);
             CREATE TABLE film_actor (actor_id int REFERENCES actor, film text, PRIMARY KEY (actor_id, film));",
            "dump",
        )
        .unwrap();
        let names: Vec<_> = file.workload.reads.iter().map(|read| &*read.name).collect();
        assert_eq!(names, ["ActorByKey", "FilmActorByKey", "FilmActorByActorId"]);
        assert!(file.assumptions.iter().any(|it| it.topic == AssumptionTopic::NoQueries));
    }
}
