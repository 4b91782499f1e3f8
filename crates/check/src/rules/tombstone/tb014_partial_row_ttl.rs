//! TB014: rows of which a part expires.

use crate::project::Ttl;
use crate::{Check, Location, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("tb014_partial_row_ttl.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if table.params.default_time_to_live > 0 {
        return;
    }
    let mut inserts = [None, None];
    let mut updates = [None, None];
    for write in facts.row_writes(project) {
        let expires = usize::from(!matches!(write.ttl(), Ttl::TableDefault | Ttl::Seconds(0)));
        let kind = if write.is_insert() { &mut inserts } else { &mut updates };
        kind[expires].get_or_insert(write.place);
    }
    let stays = "The cells of the UPDATE expire, but the row of the INSERT stays, partly empty.";
    let goes = "The row of the INSERT expires, but the cells of the UPDATE stay.";
    let (message, place, origin) = match (inserts, updates) {
        ([Some(insert), None], [_, Some(update)]) => (stays, update, insert),
        ([None, Some(insert)], [Some(update), _]) => (goes, update, insert),
        _ => return,
    };
    let inserted: Location = origin;
    reporter
        .report(place, message)
        .with_table(table)
        .with_related(inserted, "this statement inserts the row")
        .help("use the same TTL in both statements, or set default_time_to_live on the table");
}
