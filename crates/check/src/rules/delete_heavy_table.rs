//! TB004: a table whose rows are mostly deleted one by one.

use model::access::WriteTarget;
use model::figures;

use crate::facts::expires;
use crate::{Asks, Category, Check, Found, Limit, Place, Project, Rule, Severity, TableFacts};

const SHARE: Limit = Limit {
    name: "deletes-per-insert",
    default: 0.2,
    what: "deletes per insert from which on a table is deleted rather than kept",
};

pub(super) static RULE: Rule = Rule {
    code: "TB004",
    name: "delete-heavy-table",
    category: Category::Tombstone,
    severity: Severity::Medium,
    asks: &[Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[SHARE],
    check: Check::Table(check),
    page: include_str!("delete_heavy_table.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Found<'_>) {
    let table = &facts.table;
    if table.clustering().is_empty() || expires(project, facts) {
        return;
    }
    let (mut inserted, mut deleted) = (0.0, 0.0);
    let mut place: Option<Place> = None;
    for write in facts.own_writes(project) {
        let Some(rate) = write.seen.rate() else { continue };
        if write.adds_rows() && write.is_insert() {
            inserted += rate;
        } else if write.deletes_rows() && matches!(write.path.target, WriteTarget::Rows(_)) {
            deleted += rate;
            place.get_or_insert(write.place);
        }
    }
    let (Some(place), true) = (place, inserted > 0.0) else { return };
    let share = deleted / inserted;
    if share < found.limit(&SHARE) {
        return;
    }
    let message = format!(
        "{} of the rows of {} are deleted one by one.",
        figures::share(share.min(1.0)),
        table.name
    );
    found
        .at(place, message)
        .of_table(table)
        .note(format!("{} inserted, {} deleted", figures::rate(inserted), figures::rate(deleted)))
        .help("give rows a TTL when they are inserted, or put rows that go together into one partition and delete that");
}
