//! IX019: an index implemented by a plug-in.

use cql::StatementKind;

use crate::vocabulary::matcher::matches_any;

use crate::{Check, Location, Product, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ix019_third_party_index.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    const OWN: &[&str] = &[
        "sai",
        "storageattachedindex",
        "legacy_local_table",
        "*.storageattachedindex",
        "*.sasiindex",
    ];
    let Some(StatementKind::CreateIndex(create)) = project.syntax(seen).map(|known| &known.kind)
    else {
        return;
    };
    let Some(class) = create.class.as_deref().filter(|class| !matches_any(class, OWN)) else {
        return;
    };
    // DSE has its search built in.
    let is_dse = project.settings.target.product == Product::Dse;
    if is_dse && class.starts_with("com.datastax.") {
        return;
    }
    let place = Location { text: seen.place.text, span: create.table.span() };
    let one = reporter.report(place, format!("The index requires the server plug-in {class}."));
    let keyspace = create.table.keyspace.as_ref().map(|name| &name.text);
    one.subject.keyspace = keyspace.cloned().or_else(|| seen.keyspace.as_deref().map(Into::into));
    one.subject.table = Some(create.table.name.text.clone());
    one.help("document that every node needs it, or replace it: USING 'sai', or a search engine");
}
