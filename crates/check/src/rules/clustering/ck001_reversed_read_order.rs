//! CK001: reads against the order in which rows are stored.

use cql::Span;
use schema::access::ReadOrder;

use crate::project::query_shape::TableQuery;
use crate::project::statement_title;
use crate::remedies::NewKey;
use crate::{Check, Limit, Location, Project, Reporter, RuleEntry, TableFacts};

const SHARE: Limit = Limit::new("reversed-reads-share", 0.1)
    .describe("share of a table's reads that run in reverse order");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ck001_reversed_read_order.md"), Check::Table(check))
        .with_limits(&[SHARE]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let asked: Vec<TableQuery<'_>> = facts.queries(project).collect();
    let weight = |asked: &TableQuery<'_>| asked.seen.rate().unwrap_or(1.0);
    let order = |asked: &TableQuery<'_>| asked.seen.read().map(|read| read.order);
    let backwards: Vec<&TableQuery<'_>> =
        asked.iter().filter(|asked| order(asked) == Some(ReadOrder::Reversed)).collect();
    let reversed: f64 = backwards.iter().copied().map(weight).sum();
    // The reads that the stored order serves and the reverse would not.
    let forwards: f64 = asked
        .iter()
        .filter(|asked| order(asked) == Some(ReadOrder::Stored))
        .filter(|asked| !asked.shape.order.is_empty() || has_row_limit(asked))
        .map(weight)
        .sum();
    let all: f64 = asked.iter().map(weight).sum();
    let is_frequent = reversed > reporter.limit(&SHARE) * all;
    let [first, others @ ..] = &*backwards else { return };
    let is_told = is_frequent || backwards.iter().any(|asked| asked.select.limit.is_some());
    if table.is_view || reversed < forwards || !is_told {
        return;
    }
    let mut new = NewKey::from_table(table);
    for (_, descending) in &mut new.clustering {
        *descending = !*descending;
    }
    let Some(place) = order_by_location(first) else { return };
    let finding = reporter.report(
        place,
        format!("{} reads {} in reverse order.", statement_title(project, first.seen), table.name),
    );
    finding
        .with_table(table)
        .help(format!(
            "store the rows in the order of the reads: CLUSTERING ORDER BY ({}), and remove the ORDER BY",
            new.clustering_order()
        ))
        .with_fix(project.rekey_fix(facts, &new, "store the rows in the order of the reads"));
    for other in others {
        finding.with_related(other.seen.place, "this query does too");
    }
}

/// Whether a read returns only the first of many rows.
fn has_row_limit(asked: &TableQuery<'_>) -> bool {
    let names_rows = asked.seen.read().is_some_and(|read| read.rows.rows.is_some());
    asked.select.limit.is_some() && !names_rows
}

/// The positions of the columns of ORDER BY.
fn order_by_location(asked: &TableQuery<'_>) -> Option<Location> {
    let spans = asked.select.order_by.iter().map(|ordering| ordering.span);
    let span = spans.reduce(Span::union)?;
    Some(Location { text: asked.seen.place.text, span })
}
