//! IX016: a legacy index where storage-attached ones are available.

use crate::{Check, Location, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ix016_legacy_2i_on_5.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some((create, after)) = project.statement_index(seen) else { return };
    let is_legacy = create
        .class
        .as_deref()
        .is_some_and(|class| class.eq_ignore_ascii_case("legacy_local_table"));
    let Some(target) = create.targets.first() else { return };
    if !is_legacy || !project.settings.target.is_apache_from((5, 0)) {
        return;
    }
    let (major, minor) = project.settings.target.version;
    let one = reporter.report(
        Location { text: seen.place.text, span: target.column.span },
        format!("This is a legacy secondary index, but SAI is available on {major}.{minor}."),
    );
    one.with_table(after).subject.column = Some(target.column.text.clone());
    one.help("create a second index USING 'sai', wait until it is built, then drop this one");
}
