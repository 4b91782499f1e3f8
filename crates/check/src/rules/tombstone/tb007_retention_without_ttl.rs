//! TB007: rows with a retention period that nothing enforces.

use model::figures;
use schema::catalog::Table;

use crate::facts::lifetimes::{compaction_class, has_ttl};
use crate::facts::tables::{copies, is_registry};
use crate::facts::volumes::unbounded_growth;
use crate::facts::workload::is_time_series;
use crate::project::WriteStatement;
use crate::vocabulary::life_cycle::find_expiry_of_proof;
use crate::vocabulary::table_names::{is_activity_name, is_event_name, is_stream_name};
use crate::vocabulary::times::is_time_bucket;
use crate::{Check, Confidence, FixKind, Project, Reporter, RuleEntry, Severity, TableFacts};

/// The longest TTL, in seconds.
const LONGEST: f64 = 630_720_000.0;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("tb007_retention_without_ttl.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let deletes =
        || facts.own_writes(project).any(|write: WriteStatement<'_>| write.is_row_delete());
    if facts.view.is_some() || table.is_counter() || has_ttl(project, facts) || deletes() {
        return;
    }
    if let Some(seconds) = facts.volume.retain {
        let message = format!(
            "Rows of {} are to be kept for {}, but nothing expires them.",
            table.name,
            figures::format_duration(seconds)
        );
        let whole = seconds.min(LONGEST).round();
        let fix =
            project.option_fix(facts, FixKind::Unsafe, "default_time_to_live", &whole.to_string());
        let help =
            format!("set default_time_to_live = {whole}; it applies to rows written from then on");
        reporter.report(facts.place, message).with_table(table).help(help).with_fix(fix);
        return;
    }
    if let Some(expiry) = find_expiry_of_proof(table) {
        let message = format!(
            "Rows of {} are worthless after `{}`, but nothing expires or deletes them.",
            table.name, expiry.name
        );
        reporter
            .report(facts.place, message)
            .with_column(table, expiry)
            .confidence(Confidence::Medium)
            .help("write each row with a TTL that ends at that time: INSERT ... USING TTL ?");
        return;
    }
    if let Some(original) = find_expiring_original(project, facts) {
        let message = format!(
            "Rows of {} expire, but {} holds copies of them that do not.",
            original.table.name, table.name
        );
        let seconds = original.table.params.default_time_to_live;
        reporter
            .report(facts.place, message)
            .with_table(table)
            .confidence(Confidence::Medium)
            .with_related(original.place, "rows expire here")
            .help(format!("set default_time_to_live = {seconds} for both"));
        return;
    }
    // PS001 and CP001 report partitions that grow without bound and windows that never expire.
    let is_told = unbounded_growth(project, facts).is_some()
        || compaction_class(table) == "TimeWindowCompactionStrategy";
    let is_series = is_time_series(project, facts) && is_event_name(&table.name);
    if is_series && !is_told && !is_registry(facts) {
        let message = format!("No row of {} ever expires.", table.name);
        reporter
            .report(facts.place, message)
            .with_table(table)
            .severity(Severity::Low)
            .confidence(if is_machine_made(facts) { Confidence::Medium } else { Confidence::Low })
            .help("set default_time_to_live, or declare how long rows are kept: @retain 90d");
    }
}

/// Whether rows are what machines write all the time, in spans of time: what people write is often kept. Volumes that are declared
/// without a retention say that rows are kept.
fn is_machine_made(facts: &TableFacts) -> bool {
    let (table, volume) = (&facts.table, &facts.volume);
    let is_declared = volume.rows.is_some() || volume.each.is_some() || volume.grows.is_some();
    !is_declared
        && (is_stream_name(&table.name) || is_activity_name(&table.name))
        && table.partition_key().iter().any(is_time_bucket)
}

/// The table of the things themselves, by their id, whose rows expire while a table holds copies of them. A list of the latest things
/// expires by itself.
fn find_expiring_original<'p>(
    project: &'p Project<'_>,
    facts: &TableFacts,
) -> Option<&'p TableFacts> {
    let at = project.tables.iter().position(|one| one.statement == facts.statement)?;
    let others = copies(project).iter().filter_map(|(one, other)| match () {
        () if *one == at => project.tables.get(*other),
        () if *other == at => project.tables.get(*one),
        () => None,
    });
    let is_of_things = |table: &Table| table.clustering().is_empty();
    others
        .into_iter()
        .find(|other| other.table.params.default_time_to_live > 0 && is_of_things(&other.table))
}
