//! DM014: queries that only a search engine can serve.

use cql::StatementKind;
use cql::relation::{Operator, RelationKind};
use cql::statement::select::Select;
use cql::term::TermKind;
use schema::access::FilterScope;

use crate::project::query_shape::query_shape;
use crate::vocabulary::matcher::matches_any;
use crate::{
    Check, Confidence, Limit, Project, ReplayedStatement, Reporter, RuleEntry, Severity, TableFacts,
};

const FILTERS: Limit = Limit::new("filtered-columns", 3.0)
    .describe("number of filtered columns at which a query is a search");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dm014_search_requirement.md"), Check::Project(check))
        .with_limits(&[FILTERS]);

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    for seen in &project.statements {
        check_statement(project, seen, reporter);
    }
    for facts in &project.tables {
        check_area_search(project, facts, reporter);
    }
}

fn check_statement(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let (Some(read), Some(syntax)) = (seen.read(), project.syntax(seen)) else { return };
    let StatementKind::Select(select) = &syntax.kind else { return };
    let table = &read.table;
    let is_free = read.filtering.scope != FilterScope::None || read.index.is_some();
    let is_boxed = || query_shape(table, select).ranged.len() > 1;
    let filtered = f64::from(u32::try_from(read.filtering.columns.len()).unwrap_or(u32::MAX));
    let (feature, help) = if is_substring(select) {
        ("a substring search", "use a search engine, or store the words as keys of a table")
    } else if is_free && is_boxed() {
        (
            "ranges over several columns",
            "use the cells of a grid (geohash, S2) as the partition key and filter within them",
        )
    } else if read.filtering.scope != FilterScope::None && filtered >= reporter.limit(&FILTERS) {
        (
            "any combination of filters",
            "use a search engine, or SAI for the few columns that are always restricted",
        )
    } else {
        return;
    };
    reporter
        .report(
            seen.place,
            format!("CQL cannot serve {feature} without reading far more than it returns."),
        )
        .with_table(table)
        .severity(if read.partitions.is_by_key() { Severity::Low } else { Severity::Medium })
        .help(help);
}

/// Whether LIKE looks within texts.
fn is_substring(select: &Select) -> bool {
    select.relations.iter().any(|relation| match &relation.kind {
        RelationKind::Column(_, Operator::Like, value) => {
            matches!(&value.kind, TermKind::Constant(text) if text.text.starts_with('%'))
        }
        _ => false,
    })
}

/// Indexes on both coordinates of places: a search by area.
fn check_area_search(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    const LATITUDE: &[&str] = &["lat", "latitude", "*_lat", "lat_*", "*_latitude"];
    const LONGITUDE: &[&str] =
        &["lon", "lng", "long", "longitude", "*_lon", "*_lng", "lon_*", "lng_*", "*_longitude"];
    let table = &facts.table;
    let has = |words: &[&str]| table.indexes.iter().any(|index| matches_any(&index.column, words));
    let is_read = facts.reads(project).next().is_some();
    if !is_read && has(LATITUDE) && has(LONGITUDE) {
        reporter
            .report(
                facts.place,
                format!(
                    "{} has indexes on both coordinates, but CQL cannot serve searches by area efficiently.",
                    table.name
                ),
            )
            .with_table(table)
            .confidence(Confidence::Low)
            .help("use the cells of a grid (geohash, S2) as the partition key and filter within them");
    }
}
