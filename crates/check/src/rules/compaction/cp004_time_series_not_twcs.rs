//! CP004: a series that expires, without windows.

use cql::types::NativeType;
use model::figures;

use crate::facts::lifetimes::compaction_class;
use crate::facts::workload::{is_append_only, is_time_series};
use crate::remedies::cql_map;
use crate::remedies::window_for_ttl;
use crate::vocabulary::times::is_time;
use crate::vocabulary::types::native_type;
use crate::{Check, Confidence, FixKind, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("cp004_time_series_not_twcs.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let class = compaction_class(table);
    let is_other = matches!(class, "SizeTieredCompactionStrategy" | "LeveledCompactionStrategy");
    let Some(ttl) = facts.volume.expires.filter(|_| is_other && facts.view.is_none()) else {
        return;
    };
    let has_writes = facts.own_writes(project).next().is_some();
    let is_other = has_writes && (!is_append_only(project, facts) || is_calendar(project, facts));
    if !is_time_series(project, facts) || is_other {
        return;
    }
    let (size, unit) = window_for_ttl(ttl);
    let compaction = cql_map(&[
        ("class", "TimeWindowCompactionStrategy"),
        ("compaction_window_unit", unit),
        ("compaction_window_size", &size),
    ]);
    let message = format!("Expired rows of {} are rewritten instead of dropped.", table.name);
    reporter
        .report(project.option_location(facts, "compaction"), message)
        .with_table(table)
        .confidence(if has_writes { Confidence::High } else { Confidence::Medium })
        .note(format!("the TTL is {}, with {class}", figures::format_duration(ttl)))
        .help(format!(
            "use time windows, compaction = {compaction}; or UnifiedCompactionStrategy on 5.0 and later"
        ))
        .with_fix(project.option_fix(facts, FixKind::Unsafe, "compaction", &compaction));
}

/// Whether rows are those of days and only set by UPDATE: bookings made in advance are not a
/// series.
fn is_calendar(project: &Project<'_>, facts: &TableFacts) -> bool {
    let mut times = facts.table.clustering().iter().filter(|column| is_time(column));
    facts.own_writes(project).all(|write| !write.is_insert())
        && times.all(|column| native_type(&column.ty) == Some(NativeType::Date))
}
