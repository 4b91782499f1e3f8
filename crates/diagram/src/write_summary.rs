//! Describes a write in a sentence.

use model::concept::{Concept, Entity};
use model::id::{AttributeId, IdList};
use model::workload::{Assignment, Condition, Write, WriteKind};

/// With more columns than this, none are listed.
const COLUMNS_SHOWN: usize = 3;

/// Describes a write in a sentence.
pub(crate) fn describe_write(concept: &Concept, write: &Write) -> String {
    let Some(entity) = concept.entities.member(write.entity) else { return String::new() };
    let name = &entity.name;
    match &write.kind {
        WriteKind::Insert(_) => format!("Insert a row of {name}"),
        WriteKind::Rows(rows) => format!("Insert {} rows of {name}", rows.len()),
        WriteKind::Upsert(upsert) => match &upsert.update {
            Some((assignments, _)) => {
                format!("Insert a row of {name}, or {} of it", update(entity, assignments))
            }
            None => format!("Insert a row of {name} unless there is one"),
        },
        WriteKind::Update(assignments, conditions) => {
            let what = capitalise(&update(entity, assignments));
            format!("{what} of {name}{}", list_conditions(entity, conditions))
        }
        WriteKind::Delete(conditions) => {
            format!("Delete {name}{}", list_conditions(entity, conditions))
        }
    }
}

/// `update title, tags`, or the columns by their number.
fn update(entity: &Entity, assignments: &[Assignment]) -> String {
    let columns: Vec<_> = assignments.iter().map(|own| own.attribute).collect();
    if columns.len() > COLUMNS_SHOWN {
        return format!("update {} columns", columns.len());
    }
    format!("update {}", names(entity, &columns))
}

/// ` by id, state`: the columns of the conditions, each once.
fn list_conditions(entity: &Entity, conditions: &[Condition]) -> String {
    let mut columns: Vec<AttributeId> = Vec::new();
    for column in conditions.iter().flat_map(|condition| condition.predicate.columns()) {
        if !columns.contains(&column.attribute) {
            columns.push(column.attribute);
        }
    }
    if columns.is_empty() { String::new() } else { format!(" by {}", names(entity, &columns)) }
}

fn names(entity: &Entity, columns: &[AttributeId]) -> String {
    let names = columns.iter().filter_map(|at| entity.attributes.member(*at));
    names.map(|attribute| attribute.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn capitalise(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}
