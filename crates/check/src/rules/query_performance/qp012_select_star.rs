//! QP012: SELECT * of a wide table.

use cql::Span;
use cql::statement::select::Select;
use cql::types::{NativeType, Type};
use schema::access::{Count, Partitions};

use crate::facts::tables::is_system_table;

use crate::{
    Check, FixKind, Limit, Location, Project, ReplayedStatement, Reporter, RuleEntry, Severity,
};

const COLUMNS: Limit =
    Limit::new("star-columns", 10.0).describe("number of columns read by SELECT *");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qp012_select_star.md"), Check::Statement(check))
        .with_limits(&[COLUMNS]);

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let (Some(read), Some(select)) = (seen.read(), project.select(seen)) else { return };
    if !select.selectors.is_empty() || is_system_table(project, &read.table) {
        return;
    }
    let columns = read.table.columns();
    let is_wide =
        f64::from(u32::try_from(columns.len()).unwrap_or(u32::MAX)) > reporter.limit(&COLUMNS);
    let is_heavy = |ty: &Type| ty.is_multi_cell() || *ty == Type::Native(NativeType::Blob);
    let heavy = columns.iter().find(|column| is_heavy(&column.ty));
    let is_row = read.rows.rows == Some(Count::Known(1)) && read.partitions == Partitions::One;
    let severity = match (is_wide, heavy, is_row) {
        (true, _, false) => Severity::Low,
        (true, _, true) | (false, Some(_), false) => Severity::Info,
        _ => return,
    };
    let message = match heavy {
        Some(column) if !is_wide => {
            format!(
                "SELECT * reads columns that the caller may not need, including `{}`.",
                column.name
            )
        }
        _ => {
            format!("SELECT * reads all {} columns, which the caller may not need.", columns.len())
        }
    };
    let names: Vec<String> =
        columns.iter().map(|column| cql::printer::identifier(&column.name)).collect();
    let names = names.join(", ");
    let place =
        star_location(project, seen, select).unwrap_or_else(|| project.select_location(seen));
    let has_star = star_location(project, seen, select).is_some();
    let one = reporter.report(place, message);
    one.with_table(&read.table).severity(severity).help("list the columns that are needed");
    if has_star {
        one.fix(FixKind::Unsafe, "list the columns", place, names);
    }
}

/// The position of `*`, if there is only one before FROM.
fn star_location(
    project: &Project<'_>,
    seen: &ReplayedStatement,
    select: &Select,
) -> Option<Location> {
    let Location { text, span } = seen.place;
    let head = Span::new(span.start, select.table.span().start);
    let written = project.text_at(Location { text, span: head });
    let at = written.find('*').filter(|at| written.rfind('*') == Some(*at))?;
    let start = head.start.saturating_add(u32::try_from(at).ok()?);
    Some(Location { text, span: Span::new(start, start.saturating_add(1)) })
}
