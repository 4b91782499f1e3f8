//! PK016: ids that count up.

use cql::StatementKind;
use cql::types::NativeType;
use schema::catalog::Column;

use crate::facts::{function_calls, has_word, matches_any, native_type};
use crate::{Check, Confidence, Location, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("pk016_artificial_sequence_key.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let table = &facts.table;
    let evidence = largest_id(project, facts).or_else(|| next_number(project, facts));
    let is_named = is_sequence_name(&table.name) && table.columns().iter().any(is_number);
    if table.is_view || evidence.is_none() && !is_named {
        return;
    }
    let finding = found.report(facts.place, format!("{} emulates auto-increment ids.", table.name));
    finding
        .with_table(table)
        .confidence(if evidence.is_some() { Confidence::High } else { Confidence::Low })
        .help("generate the id in the client: a uuid, or a timeuuid if ids are sorted by time; allocate numbers that must be short in blocks");
    if let Some(evidence) = evidence {
        finding.with_related(evidence, "the next number is allocated here");
    }
}

fn is_number(column: &Column) -> bool {
    use NativeType::{Bigint, Counter, Int, Varint};
    matches!(native_type(&column.ty), Some(Bigint | Counter | Int | Varint))
}

/// A query of the largest id of a table whose key is one number.
fn largest_id(project: &Project<'_>, facts: &TableFacts) -> Option<Location> {
    let [key] = facts.table.primary_key() else { return None };
    let is_largest = |at: &&usize| {
        let statement = project.statements.get(**at).and_then(|seen| project.syntax(seen));
        statement.is_some_and(|statement| {
            let takes_all = matches!(&statement.kind, StatementKind::Select(select) if select.relations.is_empty());
            takes_all && function_calls(statement).iter().any(|call| call.name.text.eq_ignore_ascii_case("max"))
        })
    };
    let found = facts.queries.iter().find(is_largest).filter(|_| is_number(key))?;
    project.statements.get(*found).map(|seen| seen.place)
}

/// A table of next numbers, by its name, that statements take numbers from.
fn next_number(project: &Project<'_>, facts: &TableFacts) -> Option<Location> {
    let table = &facts.table;
    let holds = |name: &str| {
        matches_any(name, &["next*", "last_id", "current*", "max_id", "seq*", "value"])
    };
    let is_next = |at: &usize| {
        table.columns().get(*at).is_some_and(|column| is_number(column) && holds(&column.name))
    };
    let takes = |seen: &&crate::ReplayedStatement| {
        seen.writes().any(|write| {
            write.table.name == table.name
                && (write.conditional || table.is_counter())
                && write.columns.iter().any(is_next)
        })
    };
    let found = facts.writes(project).find(takes);
    found.filter(|_| is_sequence_name(&table.name)).map(|seen| seen.place)
}

fn is_sequence_name(table: &str) -> bool {
    has_word(table, &["sequence", "sequences", "seq", "nextval", "autoincrement"])
        || matches_any(table, &["id_gen*", "*_id_gen*", "auto_increment*", "next_id*", "*_next_id"])
}
