//! CP002: too many or too few windows.

use model::figures;
use schema::compaction_window::window_seconds;

use crate::remedies::window_for_ttl;
use crate::{Check, FixKind, Limit, Product, Project, Reporter, RuleEntry, Severity, TableFacts};

const FEW: Limit = Limit::new("windows-few", 10.0)
    .describe("number of windows per TTL below which too much expired data is kept");
const MANY: Limit = Limit::new("windows-many", 50.0)
    .describe("number of windows per TTL above which reads touch too many SSTables");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("cp002_twcs_window_count.md"), Check::Table(check))
        .with_limits(&[FEW, MANY]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let (Some(window), Some(ttl)) = (window_seconds(table), facts.volume.expires) else { return };
    let windows = ttl / window;
    let is_scylla = project.settings.target.product == Product::Scylla;
    let severity = if windows > reporter.limit(&MANY) {
        if is_scylla { Severity::Error } else { Severity::Medium }
    } else if windows < reporter.limit(&FEW) {
        Severity::Low
    } else {
        return;
    };
    let (size, unit) = window_for_ttl(ttl);
    let message = format!(
        "A TTL of {} with windows of {} results in {}.",
        figures::format_duration(ttl),
        figures::format_duration(window),
        figures::pluralise(windows, "window")
    );
    let entries = [("compaction_window_size", &*size), ("compaction_window_unit", unit)];
    let is_whole = !project.option_entries(facts, "compaction").is_empty();
    let fix = project.compaction_fix(facts, FixKind::Unsafe, &entries).filter(|_| is_whole);
    reporter
        .report(project.option_location(facts, "compaction"), message)
        .with_table(table)
        .severity(severity)
        .help(format!(
            "aim for 20 to 30: 'compaction_window_unit': '{unit}', 'compaction_window_size': {size}"
        ))
        .with_fix(fix);
}
