//! Partition keys that are always the same.

use cql::relation::{InValues, RelationKind};
use cql::term::{Term, TermKind};
use schema::catalog::Column;

use crate::facts::workload::{StatementVerb, is_parameter, literal_text, statement_values};
use crate::vocabulary::keys::is_constant_name;
use crate::{Location, Project, TableFacts};

/// A partition key that is always the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConstantPartition<'p> {
    /// The value of its one column.
    pub(crate) value: &'p str,
    /// A statement that gives it.
    pub(crate) place: Location,
}

/// The one partition that all statements of a table name, if they do. A literal counts where the statement gets other values from
/// outside: scripts with nothing but literals only show an example. Reads alone count where the column's name speaks for it; and
/// where those of a program name the value, its INSERT may as well get the constant as a marker.
pub(crate) fn constant_partition<'p>(
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
            found.get_or_insert(ConstantPartition { value, place: seen.place });
        }
    }
    found.filter(|_| is_telling)
}

/// Whether programs read a table under values of a column that they write into the statement themselves, and never under one that
/// is given when it runs: `WHERE bucket = ` and a constant of the program.
pub(crate) fn is_inlined_by_programs(
    project: &Project<'_>,
    facts: &TableFacts,
    column: &Column,
) -> bool {
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
