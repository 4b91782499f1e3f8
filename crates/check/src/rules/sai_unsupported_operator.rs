//! IX013: an operator that a storage-attached index does not serve.

use schema::catalog::IndexClass;

use crate::facts::{Unserved, unserved};

use crate::{Asks, Category, Check, Place, Project, Reporter, Rule, Seen, Severity};

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

fn check(project: &Project<'_>, seen: &Seen, found: &mut Reporter<'_>) {
    let Some(select) = project.select(seen) else { return };
    for unserved in unserved(project, seen, select) {
        let Unserved { table, column, index, operator, span } = unserved;
        // Lists of values are QV034.
        let is_other = operator == "IN" || column.ty.is_collection() && column.is_multi_cell();
        if index.class != IndexClass::Sai || is_other {
            continue;
        }
        found
            .at(
                Place { text: seen.place.text, span },
                format!("SAI cannot serve {operator} on {}.", column.ty),
            )
            .of_column(&table, column)
            .help("read a table that has the column among its clustering columns");
    }
}
