//! TY008: user types in partition keys.

use cql::types::Type;

use crate::{Check, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ty008_udt_in_partition_key.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    for column in table.partition_key() {
        let Some(ty) = user_type(&column.ty) else { continue };
        let name = &column.name;
        reporter
            .report(
                project.key_location(facts, name),
                format!("`{name}` in the partition key freezes type {ty}: fields can no longer be added to it."),
            )
            .with_column(table, column)
            .help("use plain columns in the partition key");
    }
}

/// The user type that a type is or holds.
fn user_type(ty: &Type) -> Option<&str> {
    match ty {
        Type::User(user, _) => Some(&user.name),
        _ => ty.parts().into_iter().find_map(user_type),
    }
}
