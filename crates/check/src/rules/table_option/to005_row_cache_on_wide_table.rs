//! TO005: the row cache on partitions that grow or change.

use model::figures;

use crate::facts::tables::is_registry;
use crate::facts::volumes::unbounded_growth;
use crate::facts::workload::write_rate;
use crate::vocabulary::table_names::is_log_name;
use crate::{Check, Confidence, FixKind, Limit, Project, Reporter, RuleEntry, TableFacts};

const WRITES: Limit =
    Limit::new("row-cache-writes", 1.0).describe("writes per second to a table with a row cache");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("to005_row_cache_on_wide_table.md"), Check::Table(check))
        .with_limits(&[WRITES]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let Some(rows) = table
        .params
        .caching
        .get("rows_per_partition")
        .filter(|rows| !rows.eq_ignore_ascii_case("none"))
    else {
        return;
    };
    if table.is_view || is_registry(facts) {
        return;
    }
    let rate = write_rate(project, facts).filter(|rate| *rate > reporter.limit(&WRITES));
    // Caching the first N rows of a partition is fine, however long it is.
    let growth = unbounded_growth(project, facts).filter(|_| rows.eq_ignore_ascii_case("all"));
    let (note, confidence) = match (rate, growth) {
        (Some(rate), _) => (format!("{} writes", figures::format_rate(rate)), Confidence::High),
        (None, Some(growth)) => {
            (format!("its partitions grow with `{}`", growth.column.name), growth.confidence)
        }
        (None, None) if is_log_name(&table.name) && !is_read(facts) => {
            ("a log is written and hardly read".to_owned(), Confidence::Medium)
        }
        (None, None) => return,
    };
    let entry = project.option_entry_location(facts, "caching", "rows_per_partition");
    let place = entry.unwrap_or_else(|| project.option_location(facts, "caching"));
    let message = format!(
        "The row cache holds whole partitions of {}, and every write to a partition invalidates it.",
        table.name
    );
    let finding = reporter.report(place, message);
    finding
        .with_table(table)
        .confidence(confidence)
        .note(note)
        .help("set 'rows_per_partition': 'NONE'; the page cache serves hot data");
    if entry.is_some() {
        finding.fix(FixKind::Unsafe, "disable the row cache", place, "'NONE'");
    }
}

/// Whether a known statement reads the table.
fn is_read(facts: &TableFacts) -> bool {
    !facts.reads.is_empty()
}
