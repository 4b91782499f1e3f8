//! The default workload of a file without queries: a lookup of each entity by its key and by each
//! of its references.

use cql::Span;

use crate::concept::{Concept, Entity, Figure};
use crate::id::{AttributeId, EntityId, IdList, ParameterId, SourceId};
use crate::workload::{
    Column, Comparison, Condition, Output, OutputValue, Parameter, Predicate, Read, Source,
    StatedResult, Supply, Value,
};

/// A read of every entity by its key, and by each of its references.
pub(super) fn build_reads(concept: &Concept) -> Vec<Read> {
    let mut reads: Vec<Read> = Vec::new();
    for (at, entity) in concept.entities.enumerate_ids() {
        reads.push(build_read(
            at,
            entity,
            format!("{}ByKey", to_pascal_case(&entity.name)),
            entity.primary_key(),
        ));
        for reference in &entity.references {
            if reference.attributes == entity.primary_key() {
                continue;
            }
            let names = reference.attributes.iter().filter_map(|at| entity.attributes.member(*at));
            let by: String = names.map(|attribute| to_pascal_case(&attribute.name)).collect();
            let name = format!("{}By{by}", to_pascal_case(&entity.name));
            if reads.iter().all(|read| read.name != name) {
                reads.push(build_read(at, entity, name, &reference.attributes));
            }
        }
    }
    reads
}

/// A read of all columns by equality on the given ones.
fn build_read(id: EntityId, entity: &Entity, name: String, given: &[AttributeId]) -> Read {
    let column = |attribute| Column { source: SourceId::new(0), attribute };
    let conditions = given.iter().enumerate().map(|(parameter, attribute)| Condition {
        predicate: Predicate::Compare {
            column: column(*attribute),
            comparison: Comparison::Equal,
            value: Value::Parameter(ParameterId::new(parameter)),
        },
        span: entity.span,
    });
    let known = given.iter().filter_map(|attribute| entity.attributes.member(*attribute));
    let conditions_text: Vec<_> =
        known.clone().map(|attribute| format!("{} = ?", attribute.name)).collect();
    Read {
        name,
        many: entity.primary_key() != given,
        rate: Figure::from_assumption(1.0),
        after: Vec::new(),
        consistency: "LOCAL_QUORUM".to_owned(),
        exact: false,
        computed: Vec::new(),
        sources: vec![Source { entity: id, alias: entity.name.clone(), join: None }],
        outputs: entity
            .attributes
            .ids()
            .map(|attribute| Output {
                name: entity.attributes[attribute].name.clone(),
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
        sql: format!("SELECT * FROM {} WHERE {}", entity.name, conditions_text.join(" AND ")),
        span: Span::default(),
    }
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
