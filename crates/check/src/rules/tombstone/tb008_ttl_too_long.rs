//! TB008: a TTL that the server refuses.

use model::figures;

use crate::project::Ttl;
use crate::{Check, Location, Project, Reporter, RuleEntry, TableFacts};

/// The last second at which a cell may expire: times of deletion are 32 bits wide.
const LAST: i64 = i32::MAX as i64 - 1;
/// The longest TTL, 20 years in seconds.
const LONGEST: i64 = 630_720_000;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("tb008_ttl_too_long.md"), Check::Table(check));

/// The binder reports statements that run as written; for prepared statements and tables, the
/// server reports nothing until a write.
fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let now = project.settings.now_ms.div_euclid(1_000);
    for write in facts.row_writes(project) {
        let (Ttl::Seconds(ttl), Some(term)) = (write.ttl(), write.ttl_term()) else { continue };
        let message = if ttl < 0 {
            format!("A TTL must be greater or equal to 0, but was {ttl}")
        } else if ttl > LONGEST {
            format!("ttl is too large. requested ({ttl}) maximum ({LONGEST})")
        } else if now.saturating_add(ttl) > LAST {
            format!("Rows written to {} would expire after 2038-01-19.", table.name)
        } else {
            continue;
        };
        let place = Location { text: write.place.text, span: term.span };
        reporter
            .report(place, message)
            .with_table(table)
            .help("lower the TTL; with 0 or none, rows never expire");
    }
    let ttl = table.params.default_time_to_live;
    if ttl <= 0 || now.saturating_add(ttl.into()) <= LAST {
        return;
    }
    let message = format!(
        "Writes to {} will be rejected: its TTL of {} ends after 2038-01-19.",
        table.name,
        figures::format_duration(f64::from(ttl))
    );
    reporter
        .report(project.option_location(facts, "default_time_to_live"), message)
        .with_table(table)
        .note("CREATE TABLE is accepted; writes without an explicit TTL are not")
        .help("lower default_time_to_live");
}

#[cfg(test)]
mod tests {
    use crate::project::tests::project;
    use crate::{Settings, check};

    #[test]
    fn a_default_that_ends_after_2038_is_told() {
        let text =
            "CREATE TABLE t (id uuid PRIMARY KEY, v int) WITH default_time_to_live = 630720000;";
        let codes = |now_ms: i64| {
            let settings = Settings { now_ms, ..Settings::default() };
            let found = check(&project(text, &settings));
            found.iter().any(|finding| finding.rule.code == "TB008")
        };
        assert!(codes(1_780_000_000_000));
        assert!(!codes(1_000_000_000_000));
    }
}
