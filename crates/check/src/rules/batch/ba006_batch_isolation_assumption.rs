//! BA006: a batch that is mistaken for a transaction.

use cql::Comment;

use crate::facts::workload::batch_work;
use crate::{Check, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ba006_batch_isolation_assumption.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(work) = batch_work(project, seen) else { return };
    let is_split = work.partitions > 1 && !work.plan.conditional;
    let Some(table) = work.plan.tables.first().filter(|_| is_split) else { return };
    if !has_transaction_comment(project, seen) {
        return;
    }
    reporter
        .report(seen.place, format!("Readers can see part of this batch, because it writes {} partitions.", work.partitions))
        .with_table(table)
        .help("do not rely on isolation: only writes to one partition in one keyspace become visible together; across partitions a logged batch is applied completely, but only eventually");
}

/// Whether a comment in or directly above a statement describes it as a transaction.
fn has_transaction_comment(project: &Project<'_>, seen: &ReplayedStatement) -> bool {
    const WORDS: [&str; 5] = ["atomic", "isolat", "transaction", "at the same time", "consistent"];
    let Some(text) = project.texts.get(seen.place.text) else { return false };
    let before = seen.at.checked_sub(1).and_then(|at| text.parsed.statements.get(at));
    let start = before.map_or(0, |statement| statement.span.end);
    let comments = &text.parsed.comments;
    let first = comments.partition_point(|comment| comment.span.start < start);
    let near =
        comments.iter().skip(first).take_while(|comment| comment.span.end <= seen.place.span.end);
    let says = |comment: &Comment| {
        let said = comment.span.text(text.text).to_lowercase();
        WORDS.iter().any(|word| said.contains(word))
    };
    near.into_iter().any(says)
}
