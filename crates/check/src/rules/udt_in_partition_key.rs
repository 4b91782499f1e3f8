//! TY008: user types in partition keys.

use cql::types::Type;

use crate::{Category, Check, Project, Reporter, Requirement, Rule, Severity, TableFacts};

pub(super) static RULE: Rule = Rule {
    code: "TY008",
    name: "udt-in-partition-key",
    category: Category::Types,
    severity: Severity::Medium,
    requires: &[Requirement::Schema],
    by_default: true,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("udt_in_partition_key.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let table = &facts.table;
    for column in table.partition_key() {
        let Some(ty) = user_type(&column.ty) else { continue };
        let name = &column.name;
        found
            .report(
                project.key_location(facts, name),
                format!("`{name}` in the partition key freezes the type {ty}: it can gain no more fields."),
            )
            .with_column(table, column)
            .help("put plain columns into the partition key");
    }
}

/// The user type that a type is or holds.
fn user_type(ty: &Type) -> Option<&str> {
    match ty {
        Type::User(user, _) => Some(&user.name),
        _ => ty.parts().into_iter().find_map(user_type),
    }
}
