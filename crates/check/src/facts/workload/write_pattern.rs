//! Whether rows are only added, and whether they are what happens over time.

use crate::facts::lifetimes::{compaction_class, has_ttl};
use crate::vocabulary::table_names::is_event_name;
use crate::vocabulary::times::is_time;
use crate::{Project, TableFacts};

/// Whether a table holds what happens over time: a time among its clustering columns, and rows that are only added, expire, or say so
/// by the table's name.
pub(crate) fn is_time_series(project: &Project<'_>, facts: &TableFacts) -> bool {
    let table = &facts.table;
    table.clustering().iter().any(is_time)
        && !table.is_counter()
        && (is_append_only(project, facts)
            || has_ttl(project, facts)
            || compaction_class(table) == "TimeWindowCompactionStrategy"
            || is_event_name(&table.name))
}

/// Whether all statements that write a table, and there are some, add rows: no DELETE, no UPDATE beside an INSERT, no condition.
pub(crate) fn is_append_only(project: &Project<'_>, facts: &TableFacts) -> bool {
    *facts.cached.is_append_only.get_or_init(|| {
        let mut kinds = [false, false];
        for write in facts.own_writes(project) {
            if !write.can_add_rows() || write.plan.conditional {
                return false;
            }
            kinds[usize::from(write.is_insert())] = true;
        }
        kinds[0] != kinds[1]
    })
}
