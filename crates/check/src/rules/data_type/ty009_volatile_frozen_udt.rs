//! TY009: one field of a frozen value is written.

use cql::term::TermKind;
use cql::types::{Frozenness, Type};

use crate::facts::workload::{ColumnOperation, column_writes, has_column_write};
use crate::{Check, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ty009_volatile_frozen_udt.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    if !has_column_write(seen, |ty| matches!(ty, Type::User(_, Frozenness::Yes))) {
        return;
    }
    for one in column_writes(project, seen) {
        let Type::User(ty, Frozenness::Yes) = &one.column.ty else { continue };
        let Some(TermKind::UserType(fields)) = one.value.map(|value| &value.kind) else { continue };
        if one.inserts
            || one.operation != ColumnOperation::Replace
            || fields.len() >= ty.fields.len()
        {
            continue;
        }
        let name = &one.column.name;
        let is_given = |field: &str| fields.iter().any(|(known, _)| &*known.text == field);
        let lost: Vec<&str> =
            ty.fields.iter().map(|(field, _)| &**field).filter(|field| !is_given(field)).collect();
        reporter
            .report(
                one.place,
                format!(
                    "Setting fields rewrites the whole value of `{name}`: {} become null.",
                    lost.join(", ")
                ),
            )
            .with_column(&one.write.table, one.column)
            .help(format!(
                "declare `{name}` as non-frozen and set {name}.{} = ?, or use a column for each field",
                fields.first().map_or("field", |(field, _)| &field.text)
            ));
    }
}
