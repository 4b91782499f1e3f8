//! IX018: a collection that is indexed otherwise than it is asked.

use cql::types::Type;

use crate::facts::{IndexMismatch, index_mismatches};

use crate::{
    Category, Check, Location, Project, ReplayedStatement, Reporter, Requirement, Rule, Severity,
};

pub(super) static RULE: Rule = Rule {
    code: "IX018",
    name: "index-on-collection-mismatch",
    category: Category::Index,
    severity: Severity::Error,
    requires: &[Requirement::Schema, Requirement::Queries],
    by_default: true,
    limits: &[],
    check: Check::Statement(check),
    page: include_str!("index_on_collection_mismatch.md"),
};

fn check(project: &Project<'_>, seen: &ReplayedStatement, found: &mut Reporter<'_>) {
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
        found
            .report(
                Location { text: seen.place.text, span },
                format!("Index {} does not serve {operator}.", index.name),
            )
            .with_column(&table, column)
            .severity(severity)
            .help(format!("create an index on {target}"));
    }
}
