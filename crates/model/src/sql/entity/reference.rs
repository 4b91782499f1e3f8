//! The references of entities, and the supertypes that follow from them.

use cql::types::{NativeType, Type};
use cql::{Diagnostic, Span};

use super::super::draft::ModelDraft;
use super::super::table::{self, TableDeclaration, TableDeclarations};
use crate::concept::{
    DefaultValue, Entity, FanOut, FanOutCourse, Origin, Reference, ReferenceAction, Skew,
};
use crate::diagnostics::error;
use crate::directive::{Directive, DirectiveKind, DirectiveTarget};
use crate::id::{AttributeId, EntityId, IdList, ReferenceId};

/// Sets the references of the entity at `position`.
pub(super) fn add_references(
    draft: &mut ModelDraft,
    tables: &TableDeclarations,
    entities: &mut [Entity],
    position: EntityId,
) {
    let table = &tables.list[position.index()];
    let mut references: Vec<Reference> = Vec::new();
    for written in &table.references {
        match resolve_reference(tables, entities, position, written) {
            Ok(mut reference) => {
                let same = |other: &&mut Reference| {
                    other.attributes == reference.attributes && other.target == reference.target
                };
                let known = references.iter_mut().find(same);
                let directives = &written.directives;
                if let Some(known) = known {
                    report_two_actions(draft, known, &reference);
                    apply_directives(draft, known, directives);
                } else {
                    apply_directives(draft, &mut reference, directives);
                    references.push(reference);
                }
            }
            Err(error) => draft.errors.extend(error.map(|error| *error)),
        }
    }
    apply_column_directives(draft, table, &mut references);
    for reference in &references {
        check_unique_fan_out(draft, &entities[position], reference);
    }
    entities[position].references = references;
}

/// The declared reference, without figures; or its error, which is `None` where the referenced
/// table was already reported.
fn resolve_reference(
    tables: &TableDeclarations,
    entities: &[Entity],
    position: EntityId,
    written: &table::ReferenceDeclaration,
) -> Result<Reference, Option<Box<Diagnostic>>> {
    let (table, entity) = (&tables.list[position.index()], &entities[position]);
    let find = |table: &TableDeclaration, names: &[super::super::source::SqlName]| {
        let positions = names.iter().map(|name| table.find_column(name));
        positions.collect::<Result<Vec<_>, _>>().map_err(Box::new)
    };
    let attributes = find(table, &written.columns)?;
    let target = tables.find_table(&written.target).map_err(Box::new)?;
    if entities[target].keys.is_empty() {
        return Err(None);
    }
    let is_row_id = |at: &AttributeId| entities[target].attributes[*at].hidden;
    let target_attributes = match written.target_columns.as_slice() {
        [] if entities[target].primary_key().iter().any(is_row_id) => {
            let name = &entities[target].name;
            let message = format!("{name} has no primary key to refer to");
            let help = format!("add a primary key to {name}, or name the columns: {name} (id)");
            return Err(Some(Box::new(error("MF208", written.span, message, help))));
        }
        [] => entities[target].primary_key().to_vec(),
        columns => find(&tables.list[target.index()], columns)?,
    };
    check_target(
        &tables.list[target.index()],
        &entities[target],
        &attributes,
        &target_attributes,
        written,
    )?;
    for (&from, &to) in attributes.iter().zip(&target_attributes) {
        let unknown = table.columns[from.index()].ty.is_none()
            || tables.list[target.index()].columns[to.index()].ty.is_none();
        let (from, to) = (&entity.attributes[from], &entities[target].attributes[to]);
        if !unknown && !is_comparable(&from.ty, &to.ty) {
            let target = &entities[target].name;
            let message = format!(
                "{}.{} has type {} but references {target}.{}, which has type {}",
                entity.name, from.name, from.ty, to.name, to.ty
            );
            let help = format!("declare both with the type of {target}.{}", to.name);
            return Err(Some(Box::new(error("MF208", from.span, message, help))));
        }
    }
    let nullable = attributes.iter().any(|&at| entity.attributes[at].nullable);
    let fan_out =
        FanOut { mean: 0.0, p99: 0.0, max: 0.0, p999: None, per: None, origin: Origin::Assumed };
    let skew = Skew::Uniform;
    let span = written.span;
    let (on_delete, on_update) = (written.on_delete, written.on_update);
    Ok(Reference {
        attributes,
        target,
        target_attributes,
        nullable,
        on_delete,
        on_update,
        fan_out,
        course: FanOutCourse::default(),
        skew,
        relation: None,
        span,
    })
}

/// Whether as many columns refer as are referred to, and those are a key.
fn check_target(
    table: &TableDeclaration,
    entity: &Entity,
    attributes: &[AttributeId],
    target_attributes: &[AttributeId],
    written: &table::ReferenceDeclaration,
) -> Result<(), Box<Diagnostic>> {
    let name = &entity.name;
    let wrong = |span: Span, message: String, help: String| {
        Err(Box::new(error("MF208", span, message, help)))
    };
    if attributes.len() != target_attributes.len() {
        let columns: Vec<_> =
            target_attributes.iter().map(|&at| entity.attributes[at].name.as_str()).collect();
        let message = format!(
            "{} columns reference {} columns of {name}",
            attributes.len(),
            target_attributes.len()
        );
        let help =
            format!("use as many columns as are referenced: {name} ({})", columns.join(", "));
        return wrong(written.span, message, help);
    }
    let key = |columns: &[AttributeId]| {
        columns.len() == target_attributes.len()
            && target_attributes.iter().all(|column| columns.contains(column))
    };
    // A unique column that may be null can be referenced, although it is not a key of the model.
    let mut whole = table.keys.iter().filter(|unique| unique.condition.is_none());
    let unique = whole.any(|unique| {
        let columns = unique.columns.iter().filter_map(|name| table.find_column(name).ok());
        key(&columns.collect::<Vec<_>>())
    });
    if !unique && !entity.keys.iter().any(|columns| key(columns)) {
        let message = format!("the referenced columns are not a key of {name}");
        let help = format!("reference the primary key of {name}, or declare the columns UNIQUE");
        return wrong(written.span, message, help);
    }
    Ok(())
}

/// Whether values of the two types can be equal.
fn is_comparable(left: &Type, right: &Type) -> bool {
    use NativeType::{Bigint, Decimal, Int, Smallint};
    let number = |ty: &Type| matches!(ty, Type::Native(Bigint | Decimal | Int | Smallint));
    left == right || (number(left) && number(right))
}

/// The directives of a reference.
fn apply_directives(draft: &mut ModelDraft, reference: &mut Reference, directives: &[Directive]) {
    for directive in directives {
        match &directive.kind {
            DirectiveKind::Each(each) => {
                if reference.fan_out.origin == Origin::Given {
                    let message = "@each is given twice for the same reference";
                    draft.report("MF105", directive.span, message, "remove one of them");
                }
                reference.fan_out = each.fan_out();
                reference.course = each.course;
            }
            DirectiveKind::Skew(exponent) => reference.skew = Skew::Zipf(*exponent),
            DirectiveKind::Relation(name) => reference.relation = Some(name.clone()),
            _ => draft.errors.extend(directive.placement_error(DirectiveTarget::Reference)),
        }
    }
}

/// Reports a foreign key that is declared twice, with different actions.
fn report_two_actions(draft: &mut ModelDraft, known: &Reference, other: &Reference) {
    let pairs = [
        ("DELETE", known.on_delete, other.on_delete),
        ("UPDATE", known.on_update, other.on_update),
    ];
    for (event, first, second) in pairs {
        if first != second {
            let message = format!(
                "the same reference is declared ON {event} {} and ON {event} {}",
                first.text(),
                second.text()
            );
            draft.report("MF215", other.span, message, "declare it once");
        }
    }
}

/// Checks that the actions of references can be carried out. One that would set a column null that
/// must not be fails whenever it is to act, which is what RESTRICT does.
pub(super) fn check_actions(draft: &mut ModelDraft, entities: &mut [Entity]) {
    for entity in entities {
        for at in entity.references.ids() {
            let on_delete = settle_action(draft, entity, at, "DELETE");
            let on_update = settle_action(draft, entity, at, "UPDATE");
            let reference = &mut entity.references[at.index()];
            (reference.on_delete, reference.on_update) = (on_delete, on_update);
        }
    }
}

/// The action of a reference on DELETE or UPDATE.
fn settle_action(
    draft: &mut ModelDraft,
    entity: &Entity,
    at: ReferenceId,
    event: &str,
) -> ReferenceAction {
    let reference = &entity.references[at.index()];
    let action = if event == "DELETE" { reference.on_delete } else { reference.on_update };
    for &at in &reference.attributes {
        let attribute = &entity.attributes[at];
        let default = attribute.default.as_ref().map(|default| &default.value);
        let is_impossible = match (action, default) {
            (ReferenceAction::SetNull, _) | (ReferenceAction::SetDefault, None) => {
                !attribute.nullable
            }
            _ => false,
        };
        let name = format!("{}.{} is ON {event} {}", entity.name, attribute.name, action.text());
        if is_impossible {
            let message = format!("{name} but must not be null: no such row may be referenced");
            let help = format!("write ON {event} RESTRICT, which means the same");
            draft.warn("MF258", reference.span, message, help);
            return ReferenceAction::Restrict;
        }
        let is_constant = matches!(default, Some(DefaultValue::Constant(_)) | None);
        if action == ReferenceAction::SetDefault && !is_constant {
            let message = format!("{name} but has a default that is no constant");
            let help = format!("write ON {event} CASCADE, or ON {event} RESTRICT");
            draft.report("MF214", reference.span, message, help);
            return action;
        }
    }
    action
}

/// Reports a fan-out above 1 of a reference that is a key.
fn check_unique_fan_out(draft: &mut ModelDraft, entity: &Entity, reference: &Reference) {
    let fan_out = reference.fan_out;
    if fan_out.origin == Origin::Given && fan_out.max > 1.0 && reference.is_unique(entity) {
        let name = &entity.name;
        let message = format!(
            "@each gives several rows of {name} for one referenced row, but a key allows only one"
        );
        let help = "write @each 1 or less, or change the key";
        draft.report("MF106", reference.span, message, help);
    }
}

/// Applies the directives of columns to the references that the columns are part of.
fn apply_column_directives(
    draft: &mut ModelDraft,
    table: &TableDeclaration,
    references: &mut [Reference],
) {
    for (position, column) in table.columns.enumerate_ids() {
        let applies =
            |directive: &&Directive| directive.kind.can_apply_to(DirectiveTarget::Reference);
        let directives: Vec<Directive> =
            column.directives.iter().filter(applies).cloned().collect();
        if directives.is_empty() {
            continue;
        }
        let mut own: Vec<_> =
            references.iter_mut().filter(|it| it.attributes.contains(&position)).collect();
        // The reference of the column alone is meant, not those that it is only a part of.
        if own.iter().filter(|it| it.attributes.len() == 1).count() == 1 {
            own.retain(|it| it.attributes.len() == 1);
        }
        match own.as_mut_slice() {
            // A column without a reference can only have `@skew`, which applies to the attribute.
            [] => {}
            [reference] => apply_directives(draft, reference, &directives),
            _ => {
                let ambiguous = |it: &&Directive| {
                    matches!(it.kind, DirectiveKind::Each(_) | DirectiveKind::Relation(_))
                };
                for directive in directives.iter().filter(ambiguous) {
                    let message = format!("{} is part of several references", column.name.text);
                    let help = format!(
                        "write @{} at the end of the line of a FOREIGN KEY constraint",
                        directive.kind.name()
                    );
                    draft.report("MF213", directive.span, message, help);
                }
            }
        }
    }
}

/// Longer chains of supertypes are not followed, and give none.
const SUPERTYPES_MAX: usize = 100;

/// The entity of which the one at `position` is a subtype: its primary key refers to that one's.
pub(super) fn find_supertype(entities: &[Entity], position: EntityId) -> Option<EntityId> {
    let entity = &entities[position];
    let same = |left: &[AttributeId], right: &[AttributeId]| {
        left.len() == right.len() && left.iter().all(|column| right.contains(column))
    };
    let reference = entity.references.iter().find(|reference| {
        reference.target != position
            && same(&reference.attributes, entity.primary_key())
            && same(&reference.target_attributes, entities[reference.target].primary_key())
    })?;
    // In a cycle of subtypes, the last one gets no supertype.
    let mut above = reference.target;
    for _ in 0..SUPERTYPES_MAX {
        match entities[above].supertype {
            Some(ancestor) if ancestor != position => above = ancestor,
            Some(_) => return None,
            None => return Some(reference.target),
        }
    }
    None
}
