//! TB004: a table whose rows are mostly deleted one by one.

use model::figures;
use schema::access::WriteTarget;

use crate::facts::lifetimes::{has_ttl, has_ttl_everywhere};
use crate::vocabulary::matcher::has_word;
use crate::{
    Check, Confidence, Limit, Location, Project, ReplayedStatement, Reporter, RuleEntry, TableFacts,
};

const SHARE: Limit = Limit::new("deletes-per-insert", 0.2)
    .describe("deletes per insert at which a table is delete-heavy");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("tb004_delete_heavy_table.md"), Check::Table(check))
        .with_limits(&[SHARE]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if table.clustering().is_empty() {
        return;
    }
    let (mut inserted, mut deleted) = (0.0, 0.0);
    let mut place: Option<Location> = None;
    for write in facts.own_writes(project) {
        let rate = write.seen.rate();
        if write.can_add_rows() && write.is_insert() {
            inserted += rate.unwrap_or_default();
        } else if write.is_row_delete() && matches!(write.plan.target, WriteTarget::Rows(_)) {
            deleted += rate.unwrap_or_default();
            place.get_or_insert(write.place);
        }
    }
    let Some(place) = place else { return };
    let message = |share: String| format!("{share} of {} are deleted one by one.", table.name);
    let finding = if inserted == 0.0 && deleted == 0.0 {
        if !has_open_items(project, facts) {
            return;
        }
        reporter
            .report(place, message("Eventually all rows".to_owned()))
            .confidence(Confidence::Low)
            .note("inferred from its name only: rows are kept until they are done")
    } else {
        let share = deleted / inserted;
        if inserted == 0.0 || share < reporter.limit(&SHARE) || has_ttl(project, facts) {
            return;
        }
        let share = figures::format_share(share.min(1.0));
        reporter.report(place, message(format!("{share} of the rows"))).note(format!(
            "{} inserted, {} deleted",
            figures::format_rate(inserted),
            figures::format_rate(deleted)
        ))
    };
    finding.with_table(table).help("insert rows with a TTL, or put rows that are deleted together into one partition and delete that");
}

/// Whether a table holds open items that are removed when they are done, inferred from its name,
/// and many rows are read at a time. If everything expires, deletes are rare.
fn has_open_items(project: &Project<'_>, facts: &TableFacts) -> bool {
    const OPEN: &[&str] = &[
        "open",
        "active",
        "pending",
        "running",
        "inflight",
        "outstanding",
        "unprocessed",
        "unacked",
        "waiting",
    ];
    let mut reads = facts.reads(project).filter_map(ReplayedStatement::read);
    has_word(&facts.table.name, OPEN)
        && !has_ttl_everywhere(project, facts)
        && reads.any(|read| read.partitions.is_by_key() && read.rows.rows.is_none())
}
