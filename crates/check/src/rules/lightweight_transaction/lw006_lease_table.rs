//! LW006: leases that never end.

use schema::bind::restrictions::StatementType;

use crate::vocabulary::matcher::has_word;
use crate::{Check, Project, ReplayedStatement, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("lw006_lease_table.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    const WORDS: &[&str] = &[
        "lock",
        "locks",
        "lease",
        "leases",
        "leader",
        "leaders",
        "mutex",
        "mutexes",
        "semaphore",
        "semaphores",
    ];
    let table = &facts.table;
    if !has_word(&table.name, WORDS) || table.params.default_time_to_live > 0 {
        return;
    }
    let taken = |seen: &&ReplayedStatement| {
        seen.writes().any(|write| {
            write.conditional
                && write.statement == StatementType::Insert
                && write.table.name == table.name
        })
    };
    let Some(taking) = facts.writes(project).find(taken) else { return };
    let expires = facts
        .writes(project)
        .flat_map(ReplayedStatement::writes)
        .any(|write| write.has_ttl && write.table.name == table.name);
    if expires {
        return;
    }
    let message = format!(
        "A lease in {} that is not released is never free again, because no statement that acquires one sets a TTL.",
        table.name
    );
    reporter
        .report(taking.place, message)
        .with_table(table)
        .help("acquire it with IF NOT EXISTS USING TTL 30, and renew it with UPDATE ... USING TTL 30 ... IF owner = ?");
}
