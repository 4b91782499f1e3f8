//! IX021: an index on vectors.

use cql::types::Type;
use schema::catalog::IndexClass;

use crate::{Check, Product, Project, Reporter, RuleEntry, Severity, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ix021_vector_index_experimental.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    for index in facts.table.indexes.iter().filter(|index| index.class == IndexClass::Sai) {
        let Some(column) = facts.table.column(&index.column) else { continue };
        let Type::Vector(_, dimension) = &column.ty else { continue };
        let has_most = matches!(project.settings.target.product, Product::Dse | Product::Astra);
        let one = reporter.report(
            project.index_location(facts, index),
            "Approximate nearest neighbour (ANN) queries on this index are limited.",
        );
        one.with_column(&facts.table, column);
        if has_most && *dimension > 8_192 {
            one.severity(Severity::Error).note("more than 8,192 dimensions are rejected");
        }
        one.note(
            "only consistency ONE or LOCAL_ONE, no paging, at most 1,000 rows; experimental in 5.0",
        );
        one.help("read at LOCAL_ONE with a LIMIT, and expect approximate results");
    }
}
