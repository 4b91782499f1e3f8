//! Mutants of values that the statement does not give: a default dropped, a generated column not
//! recomputed.
//!
//! Left alone are key columns, without which the server refuses the statement, and defaults that
//! equal null: empty arrays.

use model::expression::Expression;
use model::id::{IdList, ParameterId, WriteId};
use model::plan::{Modification, Operand, PlannedTable};
use model::workload::{Supply, WriteKind};

use super::statement::{statement_mut, write_statements};
use super::{Mutant, OriginalDesign};

/// Drops a default from an INSERT.
pub(super) fn drop_defaults(of: OriginalDesign<'_>) -> Vec<Mutant> {
    drop_values(of, "a default dropped", |write, value| match value {
        Operand::Literal(literal) => {
            let is_insert = of
                .workload
                .writes
                .member(write)
                .is_some_and(|write| matches!(write.kind, WriteKind::Insert(_)));
            is_insert && !matches!(literal.as_str(), "null" | "[]" | "{}")
        }
        Operand::Parameter(at) => is_made_by_client(of, write, *at),
        _ => false,
    })
}

/// Leaves a generated column as it was.
pub(super) fn keep_generated(of: OriginalDesign<'_>) -> Vec<Mutant> {
    drop_values(
        of,
        "a generated column not recomputed",
        |_, value| matches!(value, Operand::Computed(expression) if !matches!(**expression, Expression::Round(..))),
    )
}

fn is_made_by_client(of: OriginalDesign<'_>, write: WriteId, at: ParameterId) -> bool {
    let parameters = of.workload.writes.member(write).map(|write| &write.parameters);
    let parameter = parameters.and_then(|parameters| parameters.member(at));
    parameter.is_some_and(|parameter| matches!(parameter.supply, Supply::Client(_)))
}

/// Drops a value of a column outside the key, one for each mutant.
fn drop_values(
    of: OriginalDesign<'_>,
    kind: &'static str,
    is_dropped: impl Fn(WriteId, &Operand) -> bool,
) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (place, statement) in write_statements(of.design) {
        let Some(table) = of.design.tables.member(statement.table) else { continue };
        for column in
            regular_values(table, &statement.modification, |value| is_dropped(place.write, value))
        {
            let name = of.write_name(place.write);
            let what = format!("{name} leaves {column} out of {}", statement.modification);
            mutants.extend(of.build_mutant(kind, what, |design| {
                match &mut statement_mut(design, place)?.modification {
                    Modification::Insert(insert) => insert.values.retain(|(it, _)| *it != column),
                    Modification::Update(update) => {
                        update.assignments.retain(|it| it.column != column);
                    }
                    Modification::Delete(_) => return None,
                }
                Some(())
            }));
        }
    }
    mutants
}

/// The columns outside the key that a statement gives such values; of an UPDATE only where another
/// assignment is left.
fn regular_values(
    table: &PlannedTable,
    modification: &Modification,
    is_dropped: impl Fn(&Operand) -> bool,
) -> Vec<String> {
    let values: Vec<(&String, &Operand)> = match modification {
        Modification::Insert(insert) => {
            insert.values.iter().map(|(name, value)| (name, value)).collect()
        }
        Modification::Update(update) if update.assignments.len() > 1 => {
            update.assignments.iter().map(|it| (&it.column, &it.value)).collect()
        }
        Modification::Update(_) | Modification::Delete(_) => Vec::new(),
    };
    let outside = |name: &str| table.column(name).is_some_and(|column| !column.is_key());
    values
        .into_iter()
        .filter(|(name, value)| outside(name) && is_dropped(value))
        .map(|(name, _)| name.clone())
        .collect()
}
