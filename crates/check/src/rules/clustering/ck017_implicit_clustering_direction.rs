//! CK017: no CLUSTERING ORDER BY.

use cql::Span;

use crate::remedies::NewKey;
use crate::remedies::column_names;
use crate::{Check, FixKind, Location, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ck017_implicit_clustering_direction.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
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
    reporter
        .report(
            project.key_location(facts, &first.name),
            format!(
                "The clustering order of `{}` is implicitly ASC.",
                column_names(table.clustering())
            ),
        )
        .with_table(table)
        .help(format!("state it explicitly: {clause}"))
        .fix(
            FixKind::Safe,
            "state the clustering order",
            Location { text: facts.place.text, span: end },
            format!(" {clause}"),
        );
}
