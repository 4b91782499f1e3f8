//! IX018: a collection whose index does not match the queries.

use cql::types::Type;

use crate::facts::workload::{IndexMismatch, index_mismatches};

use crate::{Check, Location, Project, ReplayedStatement, Reporter, RuleEntry, Severity};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ix018_index_on_collection_mismatch.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(select) = project.select(seen) else { return };
    for unserved in index_mismatches(project, seen, select) {
        let IndexMismatch { table, column, index, operator, span } = unserved;
        if !column.ty.is_collection() || !column.is_multi_cell() {
            continue;
        }
        let name = cql::printer::identifier(&column.name);
        let target = match (operator, &column.ty) {
            ("CONTAINS", _) => format!("values({name})"),
            ("CONTAINS KEY", _) => format!("keys({name})"),
            ("=", Type::Map(..)) => format!("entries({name})"),
            _ => continue,
        };
        let is_refused = seen.read().is_none();
        let severity = if is_refused { Severity::Error } else { Severity::High };
        reporter
            .report(
                Location { text: seen.place.text, span },
                format!("Index {} does not serve {operator}.", index.name),
            )
            .with_column(&table, column)
            .severity(severity)
            .help(format!("create an index on {target}"));
    }
}
