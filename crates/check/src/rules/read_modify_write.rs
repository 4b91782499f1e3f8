//! QP024: a value that is read, changed and written back.

use cql::StatementKind;
use cql::statement::write::{Assignment, AssignmentOperation};
use cql::term::TermKind;
use model::access::{Count, Partitions, ReadPath};
use model::catalog::Column;

use crate::facts::is_count;

use crate::{
    Asks, Category, Check, Confidence, Found, Place, Project, Rule, Seen, Severity, TableFacts,
};

pub(super) static RULE: Rule = Rule {
    code: "QP024",
    name: "read-modify-write",
    category: Category::QueryPerformance,
    severity: Severity::Medium,
    asks: &[Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("read_modify_write.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Found<'_>) {
    let reads: Vec<&Seen> =
        facts.reads(project).filter(|seen| seen.read().is_some_and(is_one_row)).collect();
    if reads.is_empty() || facts.table.is_counter() {
        return;
    }
    for seen in facts.writes(project) {
        let [write] = seen.writes() else { continue };
        let Some(StatementKind::Update(update)) = project.syntax(seen).map(|known| &known.kind)
        else {
            continue;
        };
        if write.conditional {
            continue;
        }
        let bound = |assignment: &&Assignment| matches!(&assignment.operation, AssignmentOperation::Set(term) if matches!(term.kind, TermKind::Marker(_)));
        for assignment in update.assignments.iter().filter(bound) {
            let Some(column) = facts.table.column(&assignment.column.text) else { continue };
            let Some((first, confidence)) = read_before(&reads, seen, column) else { continue };
            found
                .at(Place { text: seen.place.text, span: assignment.span }, format!("Concurrent writers lose updates of `{}`.", column.name))
                .of_column(&facts.table, column)
                .confidence(confidence)
                .related(first.place, "it is read here")
                .help(format!("write only what was read has not changed (IF {} = ?), use a counter, or append events", column.name));
            break;
        }
    }
}

/// The read that a write follows: it says so, or the column is a count that is read by itself.
fn read_before<'p>(
    reads: &[&'p Seen],
    write: &Seen,
    column: &Column,
) -> Option<(&'p Seen, Confidence)> {
    let gives = |seen: &Seen| {
        let read = seen.read();
        read.is_some_and(|read| {
            let at = read.table.column_index(&column.name);
            at.is_some_and(|at| read.columns.contains(&at))
        })
    };
    let follows =
        |seen: &Seen| seen.said.name.as_ref().is_some_and(|name| write.said.after.contains(name));
    let said = reads.iter().find(|seen| follows(seen) && gives(seen));
    let alone = |seen: &Seen| seen.read().is_some_and(|read| read.columns.len() == 1);
    said.map(|seen| (*seen, Confidence::High)).or_else(|| {
        let counts = is_count(column);
        let first = reads.iter().find(|seen| counts && gives(seen) && alone(seen));
        first.map(|seen| (*seen, Confidence::Low))
    })
}

fn is_one_row(read: &ReadPath) -> bool {
    read.partitions == Partitions::One && read.rows.rows == Some(Count::Known(1))
}
