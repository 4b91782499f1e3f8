//! IX018: a collection that is indexed otherwise than it is asked.

use cql::types::Type;

use crate::facts::{Unserved, unserved};

use crate::{Asks, Category, Check, Place, Project, Reporter, Rule, Seen, Severity};

pub(super) static RULE: Rule = Rule {
    code: "IX018",
    name: "index-on-collection-mismatch",
    category: Category::Index,
    severity: Severity::Error,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Statement(check),
    page: include_str!("index_on_collection_mismatch.md"),
};

fn check(project: &Project<'_>, seen: &Seen, found: &mut Reporter<'_>) {
    let Some(select) = project.select(seen) else { return };
    for unserved in unserved(project, seen, select) {
        let Unserved { table, column, index, operator, span } = unserved;
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
            .at(
                Place { text: seen.place.text, span },
                format!("Index {} does not serve {operator}.", index.name),
            )
            .of_column(&table, column)
            .severity(severity)
            .help(format!("create an index on {target}"));
    }
}
