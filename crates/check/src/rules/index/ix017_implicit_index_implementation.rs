//! IX017: an index whose implementation depends on the configuration.

use cql::Span;
use cql::types::NativeType;

use crate::vocabulary::types::native_type;

use crate::{Check, FixKind, Location, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ix017_implicit_index_implementation.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some((create, after)) = project.statement_index(seen) else { return };
    let is_told = project.settings.server.contains_key("default_secondary_index");
    let Some(target) = create.targets.first() else { return };
    if create.class.is_some() || is_told || !project.settings.target.is_apache_from((5, 0)) {
        return;
    }
    let one = reporter.report(
        Location { text: seen.place.text, span: target.column.span },
        "The index implementation depends on the server configuration.",
    );
    one.with_table(after).subject.column = Some(target.column.text.clone());
    one.note("default_secondary_index is legacy_local_table in cassandra.yaml and sai in cassandra_latest.yaml");
    one.help("add USING 'sai'");
    let is_plain = after.column(&target.column.text).and_then(|column| native_type(&column.ty));
    if is_plain.is_some_and(|ty| {
        !matches!(ty, NativeType::Blob | NativeType::Counter | NativeType::Duration)
    }) && let Some(end) =
        project.text_at(seen.place).rfind(')').and_then(|at| u32::try_from(at + 1).ok())
    {
        let end = seen.place.span.start.saturating_add(end);
        let place = Location { text: seen.place.text, span: Span::new(end, end) };
        one.fix(FixKind::Unsafe, "add USING 'sai'", place, " USING 'sai'");
    }
}
