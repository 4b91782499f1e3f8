//! KS004: writes that skip the commit log.

use crate::facts::tables::is_test_schema;
use crate::{Check, FixKind, Project, ReplayedStatement, Reporter, RuleEntry, Severity};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ks004_durable_writes_off.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let keyspace = project.keyspace_statement(seen).filter(|keyspace| keyspace.says_durability);
    let Some(keyspace) = keyspace.filter(|keyspace| !keyspace.state.durable_writes) else { return };
    let name = &keyspace.state.name;
    let place = keyspace.property_location("durable_writes");
    let is_test = is_test_schema(project, keyspace.place, name);
    reporter
        .report(place, format!("Writes to {name} skip the commit log: acknowledged writes can be lost when nodes crash."))
        .with_keyspace(name)
        .severity(if is_test { Severity::Info } else { Severity::High })
        .help("set durable_writes = true, unless all of its data can be recomputed")
        .fix(FixKind::Unsafe, "enable durable_writes", place, "durable_writes = true");
}
