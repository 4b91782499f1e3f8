//! CO004: a list where a set would do.

use cql::types::{Frozen, Type};

use crate::facts::{Touch, is_ordered_name, touches_of};
use crate::{Asks, Category, Check, Confidence, Project, Reporter, Rule, Severity, TableFacts};

pub(super) static RULE: Rule = Rule {
    code: "CO004",
    name: "list-type",
    category: Category::Types,
    severity: Severity::Low,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("list_type.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let table = &facts.table;
    let is_list = |ty: &Type| matches!(ty, Type::List(_, Frozen::No));
    if facts.view.is_some() || !table.columns().iter().any(|column| is_list(&column.ty)) {
        return;
    }
    let touched = touches_of(project, facts);
    for column in table.columns().iter().filter(|column| is_list(&column.ty)) {
        let name = &column.name;
        // Appends are CO006's, positions CO005's: both say it more sharply.
        let is_told = touched.iter().any(|one| {
            one.column.name == *name && one.touch.is_partial() && one.touch != Touch::Remove
        });
        if is_told || is_ordered_name(name) {
            continue;
        }
        let Type::List(element, _) = &column.ty else { continue };
        found
            .at(
                project.type_place(facts, name),
                format!("`{name}` is a list: some of its operations read before they write, and appends are not safe to repeat."),
            )
            .of_column(table, column)
            .confidence(Confidence::Medium)
            .help(format!(
                "write set<{element}> if order and duplicates do not matter, frozen<list<{element}>> if it is written as a whole"
            ));
    }
}
