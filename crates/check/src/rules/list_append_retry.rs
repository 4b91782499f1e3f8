//! CO006: appends to a list that may be repeated.

use cql::types::Type;

use crate::facts::{Touch, may_touch, touches};
use crate::{Asks, Category, Check, Project, Reporter, Rule, Seen, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CO006",
    name: "list-append-retry",
    category: Category::Types,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Statement(check),
    page: include_str!("list_append_retry.md"),
};

fn check(project: &Project<'_>, seen: &Seen, found: &mut Reporter<'_>) {
    if !may_touch(seen, |ty| matches!(ty, Type::List(..))) {
        return;
    }
    for one in touches(project, seen) {
        let is_append = matches!(one.touch, Touch::Append | Touch::Prepend);
        let Type::List(element, _) = &one.column.ty else { continue };
        // Under a condition that no longer holds, a repeated statement does nothing.
        if !is_append || one.write.conditional {
            continue;
        }
        let name = &one.column.name;
        found
            .at(one.place, format!("A retried append to `{name}` duplicates the element."))
            .of_column(&one.write.table, one.column)
            .help(format!("make `{name}` a set<{element}>, or a map<timeuuid, {element}> whose keys the writer makes"));
    }
}
