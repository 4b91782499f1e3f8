//! QP022: a range of time-based ids that ends at `now()`.

use cql::relation::{Operator, RelationKind};
use cql::term::TermKind;
use cql::types::NativeType;

use crate::vocabulary::types::native_type;

use crate::{Check, FixKind, Location, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qp022_timeuuid_range_with_now.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
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
            "now() generates a new timeuuid, so whether ids of the same millisecond are {} it is undefined.",
            operator.text()
        );
        reporter
            .report(place, message)
            .with_column(&read.table, column)
            .help(format!("use {instead}"))
            .fix(FixKind::Unsafe, format!("use {instead}"), place, instead);
    }
}
