//! CO001: a collection that only grows.

use schema::access::WriteEffect;
use schema::catalog::Column;

use crate::facts::{
    Touch, Touched, child_table, has_word, is_choice_name, is_few_name, is_growing_name,
    is_registry, touches_of, writes_to,
};
use crate::{
    Asks, Category, Check, Confidence, Project, Reporter, Rule, Seen, Severity, TableFacts,
};

pub(super) static RULE: Rule = Rule {
    code: "CO001",
    name: "unbounded-collection",
    category: Category::Types,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("unbounded_collection.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let table = &facts.table;
    let expires = table.params.default_time_to_live > 0;
    let collections = table.columns().iter().enumerate();
    let mut collections = collections
        .filter(|(at, column)| {
            // What is declared CO002 judges.
            column.ty.is_collection()
                && !column.is_primary_key()
                && facts.volume.items(*at).is_none()
        })
        .peekable();
    if facts.view.is_some()
        || expires
        || collections.peek().is_none()
        || is_registry(project, facts)
    {
        return;
    }
    let touched = touches_of(project, facts);
    for (_, column) in collections {
        let own: Vec<&Touched<'_>> =
            touched.iter().filter(|one| one.column.name == column.name).collect();
        let Some((severity, confidence)) = growth(project, facts, column, &own) else { continue };
        let name = &column.name;
        let finding = found.at(
            project.column_place(facts, name),
            format!("`{name}` only grows; it is read as a whole, unpaged."),
        );
        finding.of_column(table, column).severity(severity).confidence(confidence);
        if let Some(adds) = own.iter().find(|one| one.touch.adds()) {
            finding.related(adds.place, "adds to it, and nothing takes away");
        }
        if let Some(child) = child_table(table, column) {
            finding.help(format!("keep a row for each element:\n{child}"));
        }
    }
}

/// How bad and how sure it is that a collection grows without end.
fn growth(
    project: &Project<'_>,
    facts: &TableFacts,
    column: &Column,
    own: &[&Touched<'_>],
) -> Option<(Severity, Confidence)> {
    let says_so = is_growing_name(&column.name);
    let is_few = is_few_name(&column.name);
    let adds = own.iter().any(|one| one.touch.adds() && !one.write.has_ttl);
    let takes =
        own.iter().any(|one| one.touch.removes() || one.touch == Touch::Replace && !one.inserts);
    if adds {
        let rows_end = || {
            let mut writes = facts.writes(project).flat_map(Seen::writes);
            writes.any(|write| {
                write.effect == WriteEffect::DeleteRows && writes_to(write, &facts.table)
            })
        };
        return match says_so {
            _ if takes || is_few => None,
            true => Some((Severity::High, Confidence::High)),
            false if rows_end() => None,
            false => Some((Severity::Medium, Confidence::High)),
        };
    }
    if !own.is_empty() {
        // Written as a whole each time: only what is called a history is read, made longer and written back.
        let is_history = has_word(&column.name, &["history", "histories", "changes"]);
        return (is_history && !takes).then_some((Severity::High, Confidence::Low));
    }
    if is_choice_name(&facts.table.name) {
        return None;
    }
    let confidence =
        if is_growing_name(&facts.table.name) { Confidence::Medium } else { Confidence::Low };
    says_so.then_some((Severity::High, confidence))
}
