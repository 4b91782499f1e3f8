//! Warnings about what `MySQL` compares, sorts or limits differently, once all statements are known.

use std::collections::BTreeSet;

use cql::Span;
use cql::types::Type;

use super::super::draft::ModelDraft;
use crate::concept::{AttributeRef, Concept};
use crate::id::{AttributeId, EntityId, IdList};
use crate::workload::{Condition, Read, Workload, WriteKind};

/// The most columns that a warning names.
const NAMES_MAX: usize = 6;

/// Warns about the differences that the statements of a model meet.
pub(in crate::sql) fn warn_differences(
    draft: &mut ModelDraft,
    concept: &Concept,
    workload: &Workload,
) {
    warn_case(draft, concept, workload);
    warn_nulls(draft, concept, workload);
    let unsigned = std::mem::take(&mut draft.mysql.unsigned);
    warn_columns(
        draft,
        "MF271",
        &unsigned,
        "unsigned, but no type of CQL holds more than 9,223,372,036,854,775,807 in 64 bits: larger values cannot be stored",
        "declare numeric(20) for larger values, or remove UNSIGNED",
    );
    let touched = std::mem::take(&mut draft.mysql.touched);
    warn_columns(
        draft,
        "MF272",
        &touched,
        "set to the current time by every UPDATE, in MySQL only by one that changes a value",
        "set the column in the statement where the difference matters",
    );
}

/// Warns about texts that are compared without regard to case.
fn warn_case(draft: &mut ModelDraft, concept: &Concept, workload: &Workload) {
    let mut used: BTreeSet<(EntityId, AttributeId)> = BTreeSet::new();
    for read in &workload.reads {
        let order = read.order.iter().map(|sorted| sorted.column);
        let tested = read.conditions.iter().flat_map(|it| it.predicate.columns().iter().copied());
        let columns = order.chain(tested).chain(read.group.iter().copied());
        let sources =
            columns.filter_map(|it| Some((read.sources.member(it.source)?.entity, it.attribute)));
        used.extend(sources);
    }
    for write in &workload.writes {
        let columns =
            write_conditions(&write.kind).into_iter().flat_map(|it| it.predicate.columns());
        used.extend(columns.map(|column| (write.entity, column.attribute)));
    }
    for (at, entity) in concept.entities.enumerate_ids() {
        let unique = entity.unique.iter().map(|it| &it.attributes).chain(&entity.keys).flatten();
        used.extend(unique.map(|attribute| (at, *attribute)));
    }
    let texts: Vec<(String, Span)> = used
        .into_iter()
        .map(|(entity, attribute)| AttributeRef { entity, attribute })
        .filter_map(|of| {
            let (entity, attribute) = (&concept.entities[of.entity], &concept[of]);
            let name = (entity.name.clone(), attribute.name.clone());
            let is_found = draft.mysql.case_insensitive.contains(&name);
            is_found.then(|| (format!("{}.{}", name.0, name.1), attribute.span))
        })
        .collect();
    warn_columns(
        draft,
        "MF270",
        &texts,
        "compared and sorted without regard to case (and accents) by MySQL, and by their bytes here",
        "store and pass them in one case, such as lower case, or declare COLLATE utf8mb4_bin if case matters",
    );
}

/// Warns about orders by columns that may be null, which come first in `MySQL`, and by enums, which
/// are ordered as they are declared.
fn warn_nulls(draft: &mut ModelDraft, concept: &Concept, workload: &Workload) {
    let orders = workload.reads.iter().flat_map(|read| read.order.iter().map(move |it| (read, it)));
    for (read, sorted) in orders {
        let Some(attribute) = find_attribute(concept, read, sorted.column) else { continue };
        if attribute.nullable && sorted.null_as.is_none() && matches!(attribute.ty, Type::Native(_))
        {
            let message = format!(
                "{} orders by {}, which may be null: nulls come {} in MySQL and {} here",
                read.name,
                attribute.name,
                if sorted.descending { "last" } else { "first" },
                if sorted.descending { "first" } else { "last" },
            );
            let help = format!(
                "declare {0} NOT NULL, or order by `COALESCE({0}, constant)`",
                attribute.name
            );
            draft.warn("MF274", read.span, message, help);
        }
    }
}

fn find_attribute<'c>(
    concept: &'c Concept,
    read: &Read,
    column: crate::workload::Column,
) -> Option<&'c crate::concept::Attribute> {
    let entity = read.sources.member(column.source)?.entity;
    Some(&concept[AttributeRef { entity, attribute: column.attribute }])
}

fn write_conditions(kind: &WriteKind) -> Vec<&Condition> {
    match kind {
        WriteKind::Update(_, conditions) | WriteKind::Delete(conditions) => {
            conditions.iter().collect()
        }
        WriteKind::Rows(rows) => rows.iter().flat_map(write_conditions).collect(),
        WriteKind::Insert(_) | WriteKind::Upsert(_) => Vec::new(),
    }
}

/// One warning about several columns, in the place of the first.
fn warn_columns(
    draft: &mut ModelDraft,
    rule: &'static str,
    columns: &[(String, Span)],
    message: &str,
    help: &str,
) {
    let [(_, place), ..] = columns else { return };
    let mut names: Vec<&str> =
        columns.iter().map(|(name, _)| name.as_str()).take(NAMES_MAX).collect();
    let more = columns.len().saturating_sub(names.len());
    let last =
        if more > 0 { format!("{more} more") } else { names.pop().unwrap_or_default().to_owned() };
    let list = if names.is_empty() { last } else { format!("{} and {last}", names.join(", ")) };
    let verb = if columns.len() == 1 { "is" } else { "are" };
    draft.warn(rule, *place, format!("{list} {verb} {message}"), help);
}
