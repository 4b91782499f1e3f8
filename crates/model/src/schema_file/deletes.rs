//! The DELETE statements of a schema file that state their rate, as writes: they make tombstones.

use cql::Span;
use cql::relation::{InValues, Operator, Relation, RelationKind};
use cql::statement::write::Delete;

use crate::concept::{Concept, Entity, Figure};
use crate::id::{EntityId, IdList, ParameterId, SourceId};
use crate::workload::{
    Assignment, AssignmentValue, Column, Comparison, Condition, Predicate, Value, Write, WriteKind,
};

/// The write that a DELETE is; `None` where its table is not in the file, or a relation is no
/// comparison.
pub(super) fn read_delete(
    concept: &Concept,
    delete: &Delete,
    (text, span): (&str, Span),
    rate: f64,
) -> Option<Write> {
    let entity = concept.entity_named(&delete.table.name.text)?;
    let rows = concept.entities.member(entity)?;
    let relations = delete.relations.iter().map(|relation| read_condition(rows, relation));
    let conditions = relations.collect::<Option<Vec<_>>>()?;
    let targets = delete.targets.iter().map(|target| {
        let attribute = rows.attribute_named(&target.column.text)?;
        Some(Assignment { attribute, value: AssignmentValue::Null })
    });
    let cells = targets.collect::<Option<Vec<_>>>()?;
    let kind = if cells.is_empty() {
        WriteKind::Delete(conditions)
    } else {
        WriteKind::Update(cells, conditions)
    };
    Some(build_write(entity, kind, (text, span), rate))
}

fn build_write(entity: EntityId, kind: WriteKind, (text, span): (&str, Span), rate: f64) -> Write {
    Write {
        name: "DELETE".to_owned(),
        rate: Figure::from_input(rate),
        after: Vec::new(),
        consistency: String::new(),
        strict: false,
        entity,
        kind,
        returning: None,
        parameters: Vec::new(),
        sql: span.text(text).to_owned(),
        span,
        derived: None,
        implies: Vec::new(),
    }
}

fn read_condition(entity: &Entity, relation: &Relation) -> Option<Condition> {
    let column = |name: &str| {
        let attribute = entity.attribute_named(name)?;
        Some(Column { source: SourceId::new(0), attribute })
    };
    let value = || Value::Parameter(ParameterId::new(0));
    let predicate = match &relation.kind {
        RelationKind::Column(name, operator, _) => {
            let comparison = comparison(*operator)?;
            Predicate::Compare { column: column(&name.text)?, comparison, value: value() }
        }
        RelationKind::In { column: name, negated: false, values } => {
            let count = match values {
                InValues::List(list) => list.len(),
                InValues::Marker(..) => 1,
            };
            let values = std::iter::repeat_with(value).take(count).collect();
            Predicate::In { column: column(&name.text)?, values }
        }
        _ => return None,
    };
    Some(Condition { predicate, span: relation.span })
}

fn comparison(operator: Operator) -> Option<Comparison> {
    match operator {
        Operator::Eq => Some(Comparison::Equal),
        Operator::Lt => Some(Comparison::Less),
        Operator::Lte => Some(Comparison::LessOrEqual),
        Operator::Gt => Some(Comparison::Greater),
        Operator::Gte => Some(Comparison::GreaterOrEqual),
        Operator::Neq | Operator::Contains | Operator::ContainsKey | Operator::Like => None,
    }
}
