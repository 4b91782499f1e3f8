//! IX021: an index on vectors.

use cql::types::Type;
use schema::catalog::IndexClass;

use crate::{Category, Check, Product, Project, Reporter, Requirement, Rule, Severity, TableFacts};

pub(super) static RULE: Rule = Rule {
    code: "IX021",
    name: "vector-index-experimental",
    category: Category::Index,
    severity: Severity::Info,
    requires: &[Requirement::Schema, Requirement::Target],
    by_default: true,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("vector_index_experimental.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    for index in facts.table.indexes.iter().filter(|index| index.class == IndexClass::Sai) {
        let Some(column) = facts.table.column(&index.column) else { continue };
        let Type::Vector(_, dimension) = &column.ty else { continue };
        let has_most = matches!(project.settings.target.product, Product::Dse | Product::Astra);
        let one = found.report(project.index_location(facts, index), "ANN limits apply.");
        one.with_column(&facts.table, column);
        if has_most && *dimension > 8_192 {
            one.severity(Severity::Error).note("more than 8,192 dimensions are refused");
        }
        one.note("consistency ONE or LOCAL_ONE alone, no paging, at most 1,000 rows; experimental in 5.0");
        one.help("read at LOCAL_ONE with a LIMIT, and expect approximate answers");
    }
}
