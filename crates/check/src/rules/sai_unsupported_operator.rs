//! IX013: an operator that a storage-attached index does not serve.

use model::catalog::IndexClass;

use crate::facts::{Unserved, unserved};

use crate::{Asks, Category, Check, Found, Place, Project, Rule, Seen, Severity};

pub(super) static RULE: Rule = Rule {
    code: "IX013",
    name: "sai-unsupported-operator",
    category: Category::Index,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Statement(check),
    page: include_str!("sai_unsupported_operator.md"),
};

fn check(project: &Project<'_>, seen: &Seen, found: &mut Found<'_>) {
    let Some(select) = project.select(seen) else { return };
    for unserved in unserved(project, seen, select) {
        let Unserved { table, column, index, operator, span } = unserved;
        if index.class != IndexClass::Sai || column.ty.is_collection() && column.is_multi_cell() {
            continue;
        }
        let instead = match operator {
            "IN" => "ask once for each value",
            "LIKE" => "search elsewhere, or keep a table of prefixes",
            _ => "read a table that has the column among its clustering columns",
        };
        found
            .at(
                Place { text: seen.place.text, span },
                format!("SAI cannot serve {operator} on {}.", column.ty),
            )
            .of_column(&table, column)
            .help(instead);
    }
}
