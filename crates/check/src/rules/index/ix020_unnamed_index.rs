//! IX020: an index without a name.

use cql::Span;

use crate::{Check, FixKind, Location, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ix020_unnamed_index.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some((create, after)) = project.statement_index(seen) else { return };
    let Some(index) = after.indexes.last().filter(|_| create.name.is_none()) else { return };
    let table = create.table.span();
    let one =
        reporter.report(Location { text: seen.place.text, span: table }, "The index has no name.");
    one.with_table(after)
        .note(format!("the server names it {}", index.name))
        .help(format!("CREATE INDEX {} ON ...", index.name));
    let head =
        Location { text: seen.place.text, span: Span::new(seen.place.span.start, table.start) };
    let written = project.text_at(head).trim_end();
    let on = written
        .len()
        .checked_sub(2)
        .filter(|at| written.get(*at..).is_some_and(|word| word.eq_ignore_ascii_case("on")));
    if let Some(at) = on.and_then(|at| u32::try_from(at).ok()) {
        let start = head.span.start.saturating_add(at);
        let place = Location { text: seen.place.text, span: Span::new(start, start) };
        one.fix(
            FixKind::Safe,
            "use the name that the server would generate",
            place,
            format!("{} ", index.name),
        );
    }
}
