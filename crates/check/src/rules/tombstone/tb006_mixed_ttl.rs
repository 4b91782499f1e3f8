//! TB006: rows of one table with different TTLs.

use model::figures;

use crate::facts::lifetimes::compaction_class;
use crate::project::Ttl;
use crate::{Check, Location, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("tb006_mixed_ttl.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let default = i64::from(table.params.default_time_to_live);
    let has_windows = compaction_class(table) == "TimeWindowCompactionStrategy";
    let mut lives: Vec<(i64, Location)> = Vec::new();
    for write in facts.row_writes(project) {
        let seconds = match write.ttl() {
            Ttl::TableDefault => default,
            Ttl::Seconds(seconds) => seconds,
            Ttl::Unknown => continue,
        };
        let span = write.ttl_term().map_or(write.place.span, |term| term.span);
        let place = Location { text: write.place.text, span };
        if lives.iter().all(|(known, _)| *known != seconds) {
            lives.push((seconds, place));
        }
    }
    if default > 0 && lives.iter().all(|(known, _)| *known != default) {
        lives.insert(0, (default, project.option_location(facts, "default_time_to_live")));
    }
    let Some(((first, origin), (second, place))) = lives.first().zip(lives.get(1)) else { return };
    // Without windows, only a mixture of rows that expire and rows that never do matters: the
    // latter keep the tombstones of their neighbours.
    let for_ever = default > 0 && lives.iter().any(|(seconds, _)| *seconds == 0);
    if !has_windows && !for_ever {
        return;
    }
    let message = format!(
        "Rows of {} have different TTLs ({} and {}), so old SSTables cannot be dropped whole.",
        table.name,
        format_ttl(*first),
        format_ttl(*second)
    );
    reporter
        .report(*place, message)
        .with_table(table)
        .with_related(*origin, format!("TTL: {}", format_ttl(*first)))
        .help("use a separate table for each retention period, each with its own default_time_to_live");
}

fn format_ttl(seconds: i64) -> String {
    match i32::try_from(seconds) {
        Ok(0) => "none".to_owned(),
        Ok(seconds) => figures::format_duration(f64::from(seconds)),
        Err(_) => "too long".to_owned(),
    }
}
