//! QP022: a range of time-based ids that ends at `now()`.

use cql::relation::{Operator, RelationKind};
use cql::term::TermKind;
use cql::types::NativeType;

use crate::facts::native_type;

use crate::{
    Category, Check, FixKind, Location, Project, ReplayedStatement, Reporter, Requirement, Rule,
    Severity,
};

pub(super) static RULE: Rule = Rule {
    code: "QP022",
    name: "timeuuid-range-with-now",
    category: Category::QueryPerformance,
    severity: Severity::Low,
    requires: &[Requirement::Schema, Requirement::Queries],
    by_default: true,
    limits: &[],
    check: Check::Statement(check),
    page: include_str!("timeuuid_range_with_now.md"),
};

fn check(project: &Project<'_>, seen: &ReplayedStatement, found: &mut Reporter<'_>) {
    let (Some(read), Some(select)) = (seen.read(), project.select(seen)) else { return };
    for relation in &select.relations {
        let RelationKind::Column(name, operator, term) = &relation.kind else { continue };
        let bound = match operator {
            Operator::Lt | Operator::Lte => "maxTimeuuid",
            Operator::Gt | Operator::Gte => "minTimeuuid",
            _ => continue,
        };
        let TermKind::Call(function, _) = &term.kind else { continue };
        let Some(column) = read.table.column(&name.text) else { continue };
        let makes_one =
            ["now", "current_timeuuid", "currenttimeuuid"].contains(&&*function.name.text);
        if !makes_one || native_type(&column.ty) != Some(NativeType::Timeuuid) {
            continue;
        }
        let place = Location { text: seen.place.text, span: term.span };
        let instead = format!("{bound}(toTimestamp(now()))");
        let message = format!(
            "now() makes up an id: whether those of the same millisecond are {} it is chance.",
            operator.text()
        );
        found
            .report(place, message)
            .with_column(&read.table, column)
            .help(format!("write {instead}"))
            .fix(FixKind::Unsafe, format!("write {instead}"), place, instead);
    }
}
