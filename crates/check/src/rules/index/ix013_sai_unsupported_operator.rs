//! IX013: an operator that a storage-attached index does not serve.

use schema::catalog::IndexClass;

use crate::facts::workload::{IndexMismatch, index_mismatches};

use crate::{Check, Location, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ix013_sai_unsupported_operator.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(select) = project.select(seen) else { return };
    for unserved in index_mismatches(project, seen, select) {
        let IndexMismatch { table, column, index, operator, span } = unserved;
        // Lists of values are QV034.
        let is_other = operator == "IN" || column.ty.is_collection() && column.is_multi_cell();
        if index.class != IndexClass::Sai || is_other {
            continue;
        }
        reporter
            .report(
                Location { text: seen.place.text, span },
                format!("SAI cannot serve {operator} on {}.", column.ty),
            )
            .with_column(&table, column)
            .help("read from a table that has the column as a clustering column");
    }
}
