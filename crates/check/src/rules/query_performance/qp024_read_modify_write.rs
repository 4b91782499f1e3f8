//! QP024: a value that is read, changed and written back.

use std::collections::BTreeMap;

use cql::StatementKind;
use cql::statement::write::{Assignment, AssignmentOperation};
use cql::term::TermKind;
use schema::access::{Count, Partitions, ReadPlan};
use schema::catalog::Column;

use crate::vocabulary::quantities::is_count;

use crate::{
    Check, Confidence, Location, Project, ReplayedStatement, Reporter, RuleEntry, TableFacts,
};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qp024_read_modify_write.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let reads: Vec<&ReplayedStatement> =
        facts.reads(project).filter(|seen| seen.read().is_some_and(is_one_row)).collect();
    if reads.is_empty() || facts.table.is_counter() {
        return;
    }
    let reads = RowReads::new(&reads);
    for seen in facts.writes(project) {
        let mut writes = seen.writes();
        let (Some(write), None) = (writes.next(), writes.next()) else { continue };
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
            let Some((first, confidence)) = reads.find_read_before(seen, column) else { continue };
            reporter
                .report(Location { text: seen.place.text, span: assignment.span }, format!("Concurrent writers can lose updates of `{}`.", column.name))
                .with_column(&facts.table, column)
                .confidence(confidence)
                .with_related(first.place, "the value is read here")
                .help(format!("write on condition that the value read is unchanged (IF {} = ?), use a counter, or append events", column.name));
            break;
        }
    }
}

/// Reads of single rows, indexed for lookup.
#[derive(Default)]
struct RowReads<'p> {
    /// Those with a name, by it, each with its position.
    named: BTreeMap<&'p str, Vec<(usize, &'p ReplayedStatement)>>,
    /// The first that reads a column by itself, by the column.
    alone: BTreeMap<&'p str, &'p ReplayedStatement>,
}

impl<'p> RowReads<'p> {
    fn new(reads: &[&'p ReplayedStatement]) -> Self {
        let mut all = Self::default();
        for (at, seen) in reads.iter().enumerate() {
            if let Some(name) = &seen.annotations.name {
                all.named.entry(name).or_default().push((at, seen));
            }
            let Some(read) = seen.read() else { continue };
            if let [column] = read.columns.as_slice()
                && let Some(column) = read.table.columns().get(*column)
            {
                all.alone.entry(&column.name).or_insert(seen);
            }
        }
        all
    }

    /// The read that precedes a write: it is declared so, or the column is a count that is read
    /// alone.
    fn find_read_before(
        &self,
        write: &ReplayedStatement,
        column: &Column,
    ) -> Option<(&'p ReplayedStatement, Confidence)> {
        let gives = |seen: &ReplayedStatement| {
            seen.read().is_some_and(|read| {
                let at = read.table.column_index(&column.name);
                at.is_some_and(|at| read.columns.contains(&at))
            })
        };
        let names = write.annotations.after.iter();
        let followed = names.filter_map(|name| self.named.get(&**name)).flatten();
        let said = followed.filter(|(_, seen)| gives(seen)).min_by_key(|(at, _)| *at);
        if let Some((_, seen)) = said {
            return Some((seen, Confidence::High));
        }
        let alone = self.alone.get(&*column.name).filter(|_| is_count(column));
        alone.map(|seen| (*seen, Confidence::Low))
    }
}

fn is_one_row(read: &ReadPlan) -> bool {
    read.partitions == Partitions::One && read.rows.rows == Some(Count::Known(1))
}
