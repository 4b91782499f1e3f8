//! MG017: A user type has other fields.

use cql::types::UserType;

use crate::facts::tables::is_test_schema;
use crate::project::ObjectChange;
use crate::{Check, MigrationStep, Project, Reporter, RuleEntry, Severity};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mg017_udt_change.md"), Check::Step(check));

fn check(project: &Project<'_>, step: &MigrationStep, reporter: &mut Reporter<'_>) {
    let ObjectChange::Type { before: Some(before), after: Some(after) } = &step.change else {
        return;
    };
    if step.on_new || is_test_schema(project, step.place, &after.keyspace) {
        return;
    }
    let name = &after.name;
    if let Some(how) = impossible_change(before, after) {
        let finding =
            reporter.report(step.place, format!("{how}, but ALTER TYPE cannot make this change."));
        finding.with_keyspace(&after.keyspace).severity(Severity::High);
        finding.subject.table = Some(name.clone());
        finding.help("create a type and a column with new names, write both, copy the old values, and read the new column");
        return;
    }
    let renamed =
        before.fields.iter().zip(&after.fields).filter(|((then, _), (now, _))| then != now);
    let renamed: Vec<String> =
        renamed.map(|((then, _), (now, _))| format!("`{then}` is renamed to `{now}`")).collect();
    if !renamed.is_empty() {
        let finding = reporter.report(
            step.place,
            format!(
                "In type `{name}` {}: statements that use the old name fail.",
                renamed.join(", ")
            ),
        );
        finding
            .with_keyspace(&after.keyspace)
            .help("add a field with the new name instead, and keep the old one");
        finding.subject.table = Some(name.clone());
    }
}

/// Changes that ALTER TYPE cannot make: fewer fields, other types, another order.
fn impossible_change(before: &UserType, after: &UserType) -> Option<String> {
    let at = |ty: &UserType, name: &str| ty.fields.iter().position(|(field, _)| &**field == name);
    let name = &after.name;
    if after.fields.len() < before.fields.len() {
        let gone = before.fields.iter().find(|(field, _)| at(after, field).is_none());
        return Some(gone.map_or_else(
            || format!("Type `{name}` has fewer fields"),
            |(field, _)| format!("Field `{field}` was removed from type `{name}`"),
        ));
    }
    for (position, ((then, ty), (now, new))) in before.fields.iter().zip(&after.fields).enumerate()
    {
        if then == now && ty.to_string() != new.to_string() {
            return Some(format!("Field `{then}` of type `{name}` changed from {ty} to {new}"));
        }
        // A name at another position has moved; a name that is gone was renamed, if the types
        // agree.
        let moved = then != now && at(after, then).is_some_and(|now| now != position);
        if moved || then != now && ty != new {
            return Some(format!(
                "Field `{now}` of type `{name}` was inserted before `{then}` or replaces it"
            ));
        }
    }
    None
}
