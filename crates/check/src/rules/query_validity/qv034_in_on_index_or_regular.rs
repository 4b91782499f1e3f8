//! QV034: a list of values on an indexed column.

use cql::StatementKind;
use cql::relation::{InValues, RelationKind};

use crate::{Check, Location, Product, Project, ReplayedStatement, Reporter, RuleEntry, Severity};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qv034_in_on_index_or_regular.md"), Check::Statement(check));

/// Without ALLOW FILTERING the statement is rejected, which is reported as such; with it, it runs
/// without the index.
fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let target = project.settings.target;
    let (Some(read), Some(statement)) = (seen.read(), project.syntax(seen)) else { return };
    let StatementKind::Select(select) = &statement.kind else { return };
    if matches!(target.product, Product::Astra | Product::Dse) {
        return;
    }
    for relation in &select.relations {
        let RelationKind::In { column, negated: false, values } = &relation.kind else { continue };
        let one = matches!(values, InValues::List(list) if list.len() < 2);
        let table = &read.table;
        let is_indexed = table.indexes.iter().any(|index| index.column == column.text);
        let at = table.column_index(&column.text);
        let filtered = at.is_some_and(|at| read.filtering.columns.contains(&at));
        let known = table.column(&column.text).filter(|_| !one && is_indexed && filtered);
        let Some(known) = known.filter(|known| !known.is_primary_key()) else { continue };
        let place = Location { text: seen.place.text, span: relation.span };
        let message = format!(
            "IN on `{}` cannot use its index on {}, so the rows are filtered.",
            known.name,
            target.name()
        );
        reporter
            .report(place, message)
            .with_column(table, known)
            .severity(Severity::Medium)
            .help(format!("run a separate query for each value: {} = ?", known.name));
    }
}
