//! QP010: an aggregate over several partitions.

use schema::access::Count;

use crate::facts::named_partitions;

use crate::{Asks, Category, Check, Project, Reporter, Rule, Seen, Severity};

pub(super) static RULE: Rule = Rule {
    code: "QP010",
    name: "aggregation-over-in",
    category: Category::QueryPerformance,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Statement(check),
    page: include_str!("aggregation_over_in.md"),
};

fn check(project: &Project<'_>, seen: &Seen, found: &mut Reporter<'_>) {
    let (Some(read), Some(select)) = (seen.read(), project.select(seen)) else { return };
    if !read.aggregates {
        return;
    }
    let (number, severity) = match named_partitions(read, select) {
        Some(Count::Known(number)) if number > 1 => (number.to_string(), Severity::Medium),
        Some(Count::Unknown) => ("several".to_owned(), Severity::Low),
        _ => return,
    };
    found
        .at(project.from_place(seen), format!("Aggregates {number} partitions in one request."))
        .of_table(&read.table)
        .severity(severity)
        .help("aggregate each partition by itself and put the figures together in the client");
}
