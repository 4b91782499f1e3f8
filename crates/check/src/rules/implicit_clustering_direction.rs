//! CK017: no CLUSTERING ORDER BY.

use cql::Span;

use crate::facts::column_names;
use crate::project::NewKey;
use crate::{
    Category, Check, FixKind, Location, Project, Reporter, Requirement, Rule, Severity, TableFacts,
};

pub(super) static RULE: Rule = Rule {
    code: "CK017",
    name: "implicit-clustering-direction",
    category: Category::Clustering,
    severity: Severity::Info,
    requires: &[Requirement::Schema],
    by_default: false,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("implicit_clustering_direction.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let table = &facts.table;
    let (Some(create), Some(first)) = (project.creation(facts), table.clustering().first()) else {
        return;
    };
    let Some(statement) = project.statements.get(facts.statement) else { return };
    let options = &create.options;
    if !options.clustering_order.is_empty() || create.like.is_some() {
        return;
    }
    let word = if options.properties.is_empty() && options.compact_storage.is_none() {
        "WITH"
    } else {
        "AND"
    };
    let clause =
        format!("{word} CLUSTERING ORDER BY ({})", NewKey::from_table(table).clustering_order());
    let end = Span::new(statement.place.span.end, statement.place.span.end);
    found
        .report(
            project.key_location(facts, &first.name),
            format!(
                "The direction of `{}` is ASC without being written.",
                column_names(table.clustering())
            ),
        )
        .with_table(table)
        .help(format!("write it out: {clause}"))
        .fix(
            FixKind::Safe,
            "write the direction",
            Location { text: facts.place.text, span: end },
            format!(" {clause}"),
        );
}
