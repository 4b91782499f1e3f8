//! Wrong bounds of range deletes: a row at the bound is kept or goes, and the proof must see it.

use cql::relation::Operator;
use model::plan::{Modification, Relation};

use super::statement::{statement_mut, write_statements};
use super::{Mutant, OriginalDesign};

/// Includes a bound that is excluded, or the reverse.
pub(super) fn shift_bounds(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (place, statement) in write_statements(of.design) {
        let Modification::Delete(delete) = &statement.modification else { continue };
        for at in 0..delete.relations.len() {
            let name = of.write_name(place.write);
            let what = format!("{name} has the wrong bound in {}", statement.modification);
            mutants.extend(of.build_mutant("a bound of a range delete wrong", what, |design| {
                let modification = &mut statement_mut(design, place)?.modification;
                let Modification::Delete(delete) = modification else { return None };
                let (Relation::Column { operator, .. } | Relation::Row { operator, .. }) =
                    delete.relations.get_mut(at)?
                else {
                    return None;
                };
                *operator = match operator {
                    Operator::Lt => Operator::Lte,
                    Operator::Lte => Operator::Lt,
                    Operator::Gt => Operator::Gte,
                    Operator::Gte => Operator::Gt,
                    _ => return None,
                };
                Some(())
            }));
        }
    }
    mutants
}
