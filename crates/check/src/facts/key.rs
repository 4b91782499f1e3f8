//! What statements tell about the columns of a key: constants, rows that move.

use cql::relation::{InValues, RelationKind};
use cql::term::{Term, TermKind};
use schema::catalog::Column;

use super::statement_values::{
    StatementValues, StatementVerb, is_parameter, literal_text, statement_values,
};
use crate::column_class;
use crate::{Location, Project, ReplayedStatement, TableFacts};

/// The names of columns, with commas.
pub fn column_names(columns: &[Column]) -> String {
    columns.iter().map(|column| &*column.name).collect::<Vec<_>>().join(", ")
}

/// A statement as people speak of it: the name that a comment gives it, else its text in one line, cut where it is long.
pub fn statement_title(project: &Project<'_>, seen: &ReplayedStatement) -> String {
    const LONGEST: usize = 80;
    if let Some(name) = &seen.annotations.name {
        return name.to_string();
    }
    let words: Vec<&str> = project.text_at(seen.place).split_whitespace().collect();
    let text = words.join(" ").trim_end_matches(';').to_owned();
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("`{}...`", text.get(..cut).unwrap_or_default().trim_end()),
        None => format!("`{text}`"),
    }
}

/// A partition key that is always the same.
#[derive(Clone, Copy, Debug)]
pub struct ConstantPartition<'p> {
    /// The first column of the partition key.
    pub column: &'p Column,
    /// Its value.
    pub value: &'p str,
    /// A statement that gives it.
    pub place: Location,
}

/// The one partition that all statements of a table name, if they do. A literal counts where the statement gets other values from
/// outside: scripts with nothing but literals only show an example. Reads alone count where the column's name speaks for it; and
/// where those of a program name the value, its INSERT may as well get the constant as a marker.
pub fn constant_partition<'p>(
    project: &'p Project<'_>,
    facts: &'p TableFacts,
) -> Option<ConstantPartition<'p>> {
    let [column] = facts.table.partition_key() else { return None };
    let by_name = is_constant_name(column);
    let mut found: Option<ConstantPartition<'p>> = None;
    let mut is_telling = false;
    let statements = facts.queries.iter().chain(&facts.writes);
    for seen in statements.filter_map(|at| project.statements.get(*at)) {
        let of_program = by_name && project.is_program(seen.place);
        let all = statement_values(project, seen).into_iter();
        for one in all.filter(|one| one.table.name.text == facts.table.name) {
            let Some(term) = one.value(&column.name) else { continue };
            if of_program && one.verb == StatementVerb::Insert && is_parameter(term) {
                continue;
            }
            let value = literal_text(term)?;
            if found.is_some_and(|known| known.value != value) {
                return None;
            }
            let given = of_program || one.values.iter().any(|(_, term)| is_parameter(term));
            is_telling |= given && (one.verb == StatementVerb::Insert || by_name);
            found.get_or_insert(ConstantPartition { column, value, place: seen.place });
        }
    }
    found.filter(|_| is_telling)
}

/// Whether programs read a table under values of a column that they write into the statement themselves, and never under one that
/// is given when it runs: `WHERE bucket = ` and a constant of the program.
pub fn is_inlined_by_programs(project: &Project<'_>, facts: &TableFacts, column: &Column) -> bool {
    let is_fixed =
        |term: &Term| matches!(term.kind, TermKind::Constant(_) | TermKind::Placeholder(_));
    let mut found = false;
    for seen in facts.queries.iter().filter_map(|at| project.statements.get(*at)) {
        let relations = project.select(seen).map_or(&[][..], |select| &select.relations);
        for relation in relations {
            let is_put = match &relation.kind {
                RelationKind::Column(name, _, term) if name.text == column.name => is_fixed(term),
                RelationKind::In { column: name, values, .. } if name.text == column.name => {
                    matches!(values, InValues::List(terms) if terms.iter().all(is_fixed))
                }
                _ => continue,
            };
            if !is_put || !project.is_program(seen.place) {
                return false;
            }
            found = true;
        }
    }
    found
}

/// Whether the name of a partition column is one that people give to a column whose value is always the same.
pub fn is_constant_name(column: &Column) -> bool {
    const WORDS: &[&str] = &[
        "partition",
        "pk",
        "bucket",
        "part",
        "*_partition",
        "partition_key*",
        "dummy*",
        "singleton",
        "constant",
        "fixed*",
        "all",
    ];
    column_class::matches_any(&column.name, WORDS) && !column_class::is_time_bucket(column)
}

/// A key column whose value a batch changes by deleting the row and inserting it again.
#[derive(Clone, Copy, Debug)]
pub struct KeyUpdate<'p> {
    /// The column.
    pub column: &'p Column,
    /// The batch.
    pub place: Location,
}

/// The key columns of a table that batches change.
pub fn key_updates<'p>(project: &'p Project<'_>, facts: &'p TableFacts) -> Vec<KeyUpdate<'p>> {
    let mut all: Vec<KeyUpdate<'p>> = Vec::new();
    for seen in facts.writes(project).filter(|seen| seen.writes().len() > 1) {
        let parts = statement_values(project, seen);
        let here = |does: StatementVerb| {
            let name = &facts.table.name;
            parts.iter().filter(move |one| one.verb == does && one.table.name.text == *name)
        };
        let (Some(deleted), Some(inserted)) =
            (here(StatementVerb::Delete).next(), here(StatementVerb::Insert).next())
        else {
            continue;
        };
        for column in facts.table.primary_key() {
            if is_changed(column, deleted, inserted)
                && !all.iter().any(|known| known.column.name == column.name)
            {
                all.push(KeyUpdate { column, place: seen.place });
            }
        }
    }
    all
}

/// Whether two statements give a column different values. Of two nameless markers nobody knows; then its name has to say so.
fn is_changed(column: &Column, one: &StatementValues<'_>, other: &StatementValues<'_>) -> bool {
    let (Some(one), Some(other)) = (one.value(&column.name), other.value(&column.name)) else {
        return false;
    };
    match (marker_kind(one), marker_kind(other)) {
        (MarkerKind::Named(one), MarkerKind::Named(other)) => one != other,
        (MarkerKind::None, MarkerKind::None) => {
            literal_text(one).zip(literal_text(other)).is_some_and(|(one, other)| one != other)
        }
        (MarkerKind::None, _) | (_, MarkerKind::None) => {
            literal_text(one).or(literal_text(other)).is_some()
        }
        _ => column_class::is_state(column),
    }
}

/// What a value is, as a marker.
enum MarkerKind<'s> {
    Named(&'s str),
    Nameless,
    None,
}

fn marker_kind(term: &Term) -> MarkerKind<'_> {
    match &term.kind {
        TermKind::Marker(marker) => {
            marker.name.as_ref().map_or(MarkerKind::Nameless, |name| MarkerKind::Named(&name.text))
        }
        _ => MarkerKind::None,
    }
}
