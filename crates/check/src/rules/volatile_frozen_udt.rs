//! TY009: one field of a frozen value is written.

use cql::term::TermKind;
use cql::types::{Frozen, Type};

use crate::facts::{Touch, may_touch, touches};
use crate::{Asks, Category, Check, Project, Reporter, Rule, Seen, Severity};

pub(super) static RULE: Rule = Rule {
    code: "TY009",
    name: "volatile-frozen-udt",
    category: Category::Types,
    severity: Severity::Low,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Statement(check),
    page: include_str!("volatile_frozen_udt.md"),
};

fn check(project: &Project<'_>, seen: &Seen, found: &mut Reporter<'_>) {
    if !may_touch(seen, |ty| matches!(ty, Type::User(_, Frozen::Yes))) {
        return;
    }
    for one in touches(project, seen) {
        let Type::User(ty, Frozen::Yes) = &one.column.ty else { continue };
        let Some(TermKind::UserType(fields)) = one.value.map(|value| &value.kind) else { continue };
        if one.inserts || one.touch != Touch::Replace || fields.len() >= ty.fields.len() {
            continue;
        }
        let name = &one.column.name;
        let is_given = |field: &str| fields.iter().any(|(known, _)| &*known.text == field);
        let lost: Vec<&str> =
            ty.fields.iter().map(|(field, _)| &**field).filter(|field| !is_given(field)).collect();
        found
            .at(
                one.place,
                format!(
                    "Field updates rewrite the value of `{name}`: {} become null.",
                    lost.join(", ")
                ),
            )
            .of_column(&one.write.table, one.column)
            .help(format!(
                "leave `{name}` unfrozen and write {name}.{} = ?, or give each field a column",
                fields.first().map_or("field", |(field, _)| &field.text)
            ));
    }
}
