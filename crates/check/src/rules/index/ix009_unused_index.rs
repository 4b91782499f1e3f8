//! IX009: an index that no statement uses.

use schema::access::ReadOrder;
use schema::catalog::IndexClass;

use crate::facts::workload::index_reads;

use crate::{
    Check, Confidence, FixKind, Project, ReplayedStatement, Reporter, RuleEntry, TableFacts,
};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ix009_unused_index.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    // If no reads of a table are known, the use of its indexes is unknown.
    if facts.reads.is_empty() {
        return;
    }
    // Programs build statements from parts, not all of which are visible.
    let is_program = |seen: &ReplayedStatement| project.is_program(seen.place);
    let in_program = facts.reads(project).any(is_program);
    let confidence = if in_program { Confidence::Low } else { Confidence::Medium };
    for index in &facts.table.indexes {
        let Some(column) = facts.table.column(&index.column) else { continue };
        let is_searched = |seen: &ReplayedStatement| {
            seen.read().is_some_and(|read| read.order == ReadOrder::Nearest)
        };
        let at = facts.table.column_index(&index.column);
        let is_asked =
            facts.queries(project).any(|asked| at.is_some_and(|at| asked.shape.is_used(at)));
        if is_asked
            || column.is_primary_key()
            || matches!(index.class, IndexClass::Custom(_))
            || facts.reads(project).any(is_searched)
            || !index_reads(project, facts, index).is_unused()
        {
            continue;
        }
        let message = format!("Index `{}` slows down writes and serves no query.", index.name);
        let one = reporter.report(project.index_location(facts, index), message);
        one.with_column(&facts.table, column).confidence(confidence);
        one.help(format!("drop the index: DROP INDEX {}", cql::printer::identifier(&index.name)));
        if let Some((seen, _)) = project.index_creation(facts, index) {
            one.fix(FixKind::Unsafe, "remove the index", seen.place, "");
        }
    }
}
