//! KS004: writes that skip the commit log.

use crate::facts::is_for_tests;
use crate::{Asks, Category, Check, FixKind, Project, Reporter, Rule, Seen, Severity};

pub(super) static RULE: Rule = Rule {
    code: "KS004",
    name: "durable-writes-off",
    category: Category::Options,
    severity: Severity::High,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Statement(check),
    page: include_str!("durable_writes_off.md"),
};

fn check(project: &Project<'_>, seen: &Seen, found: &mut Reporter<'_>) {
    let keyspace = project.keyspace_seen(seen).filter(|keyspace| keyspace.says_durability);
    let Some(keyspace) = keyspace.filter(|keyspace| !keyspace.state.durable_writes) else { return };
    let name = &keyspace.state.name;
    let place = keyspace.property_place("durable_writes");
    let is_test = is_for_tests(project, keyspace.place, name);
    found
        .at(place, format!("Writes of {name} skip the commit log: what was acknowledged can vanish when nodes crash."))
        .of_keyspace(name)
        .severity(if is_test { Severity::Info } else { Severity::High })
        .help("durable_writes = true, unless everything in it can be computed again")
        .fix(FixKind::Unsafe, "write to the commit log", place, "durable_writes = true");
}
