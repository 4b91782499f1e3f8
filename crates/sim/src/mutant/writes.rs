//! Mutants of writes: omitted or wrong statements.
//!
//! Left alone are statements that occur twice in a write; what is written of a partition before it
//! has rows, where no row is ever added to it without writing the same again; what is left of a
//! partition that no row can be in any more; a guard without which the same is written again;
//! and values that are the same.

use model::id::IdList;
use model::plan::{
    AssignmentOperator, ColumnRole, Insert, Modification, Operand, PlannedStatement, PlannedTable,
};
use model::workload::WriteKind;

use super::statement::{WritePlace, remove_statement, statement_mut, write_statements};
use super::{Mutant, OriginalDesign};

/// Omits one copy from a write.
pub(super) fn omit_copies(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let all = write_statements(of.design);
    let wanted = all.iter().filter(|(place, statement)| match statement.modification {
        Modification::Insert(_) => {
            !is_repeated(&all, *place, statement) && is_observable(of, *place, statement)
        }
        Modification::Update(_) => !is_repeated(&all, *place, statement),
        Modification::Delete(_) => false,
    });
    let forgotten = wanted.filter_map(|(place, statement)| {
        let what = format!("{} omits {}", of.write_name(place.write), statement.modification);
        of.build_mutant("a copy omitted from a write", what, |design| {
            remove_statement(design, *place).map(drop)
        })
    });
    forgotten.collect()
}

/// Whether the same statement occurs in the write again.
fn is_repeated(
    all: &[(WritePlace, &PlannedStatement)],
    place: WritePlace,
    statement: &PlannedStatement,
) -> bool {
    let same = |other: &&(WritePlace, &PlannedStatement)| {
        other.0.write == place.write
            && other.1.modification == statement.modification
            && other.1.loops == statement.loops
    };
    all.iter().filter(same).count() > 1
}

/// Whether the effect of an INSERT is observable: of statics alone, only if rows are added without
/// them.
fn is_observable(of: OriginalDesign<'_>, place: WritePlace, statement: &PlannedStatement) -> bool {
    let Some(table) = of.design.tables.member(statement.table) else { return false };
    let columns = statement.modification.target_columns();
    let adds_rows =
        |columns: &[&str]| table.clustering().all(|key| columns.contains(&key.name.as_str()));
    let inserts = matches!(
        of.workload.writes.member(place.write).map(|write| &write.kind),
        Some(WriteKind::Insert(_))
    );
    if adds_rows(&columns) || !inserts {
        return true;
    }
    let statics =
        |name: &&&str| table.column(name).is_some_and(|column| column.role == ColumnRole::Static);
    write_statements(of.design).into_iter().filter(|(_, other)| other.table == statement.table).any(
        |(_, other)| {
            let theirs = other.modification.target_columns();
            other.modification.is_insert()
                && adds_rows(&theirs)
                && columns.iter().filter(statics).any(|name| !theirs.contains(name))
        },
    )
}

/// Omits a delete.
pub(super) fn omit_deletes(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let all = write_statements(of.design);
    let wanted = all.iter().filter(|(place, statement)| {
        statement.modification.is_delete()
            && !is_repeated(&all, *place, statement)
            && !has_no_effect(of, *place, statement)
    });
    let forgotten = wanted.filter_map(|(place, statement)| {
        let what = format!("{} omits {}", of.write_name(place.write), statement.modification);
        of.build_mutant("a delete without its tombstone", what, |design| {
            remove_statement(design, *place).map(drop)
        })
    });
    forgotten.collect()
}

/// Whether a DELETE removes statics that no row has any more: those of an entity that rows of the
/// table refer to, which none does when it is deleted.
fn has_no_effect(of: OriginalDesign<'_>, place: WritePlace, statement: &PlannedStatement) -> bool {
    let Some(table) = of.design.tables.member(statement.table) else { return true };
    let Modification::Delete(delete) = &statement.modification else { return true };
    let Some(write) = of.workload.writes.member(place.write) else { return true };
    let of_partition = delete.columns.is_empty()
        && !table.clustering().any(|column| {
            delete.relations.iter().any(|relation| relation.has_column(&column.name))
        });
    let has_statics = table.columns.iter().any(|column| column.role == ColumnRole::Static);
    let makes_rows = of.dependencies(table).row_sources().into_iter().any(|source| {
        table.holds.sources.member(source).is_some_and(|source| source.entity == write.entity)
    });
    of_partition && has_statics && !makes_rows && matches!(write.kind, WriteKind::Delete(_))
}

/// Flips the sign of a counter update.
pub(super) fn flip_signs(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let all = write_statements(of.design);
    let zero = Operand::Literal("0".to_owned());
    let counters = all.iter().filter(|(_, statement)| {
        of.design.tables.member(statement.table).is_some_and(PlannedTable::is_counter)
            && matches!(&statement.modification, Modification::Update(update)
                if update.assignments.first().is_some_and(|it| it.value != zero))
    });
    let wrong = counters.filter_map(|(place, statement)| {
        let name = of.write_name(place.write);
        let what = format!("{name} counts {} the wrong way", of.table_name(statement.table));
        of.build_mutant("a counter's sign wrong", what, |design| {
            let modification = &mut statement_mut(design, *place)?.modification;
            let Modification::Update(update) = modification else { return None };
            let operator = &mut update.assignments.first_mut()?.operator;
            *operator = match operator {
                AssignmentOperator::Add => AssignmentOperator::Subtract,
                AssignmentOperator::Subtract => AssignmentOperator::Add,
                AssignmentOperator::Set => return None,
            };
            Some(())
        })
    });
    wrong.collect()
}

/// Writes null where the column should keep its value.
pub(super) fn overwrite_with_nulls(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let all = write_statements(of.design);
    let wanted = all.iter().filter_map(|(place, statement)| {
        let Modification::Update(update) = &statement.modification else { return None };
        let is_optional = |value: &Operand| matches!(value, Operand::UnlessNull(_));
        let at = update.assignments.iter().position(|one| is_optional(&one.value))?;
        let name = of.write_name(place.write);
        let what = format!("{name} overwrites with null in {}", statement.modification);
        of.build_mutant("a value overwritten with null", what, |design| {
            let modification = &mut statement_mut(design, *place)?.modification;
            let Modification::Update(update) = modification else { return None };
            let value = &mut update.assignments.get_mut(at)?.value;
            let Operand::UnlessNull(inside) = value else { return None };
            *value = (**inside).clone();
            Some(())
        })
    });
    wanted.collect()
}

/// Swaps two values of an INSERT.
pub(super) fn swap_values(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let all = write_statements(of.design);
    let swapped = all.iter().filter_map(|(place, statement)| {
        let table = of.design.tables.member(statement.table)?;
        let Modification::Insert(insert) = &statement.modification else { return None };
        let (one, other) =
            is_observable(of, *place, statement).then(|| find_swappable(table, insert))??;
        let name = of.write_name(place.write);
        let what = format!("{name} swaps values {one} and {other} of {}", statement.modification);
        of.build_mutant("two values swapped", what, |design| {
            let modification = &mut statement_mut(design, *place)?.modification;
            let Modification::Insert(insert) = modification else { return None };
            let [(_, one), (_, other)] = insert.values.get_disjoint_mut([one, other]).ok()?;
            std::mem::swap(one, other);
            Some(())
        })
    });
    swapped.collect()
}

/// The first two values of an INSERT that are of one type and come from different parameters or
/// rows.
fn find_swappable(table: &PlannedTable, insert: &Insert) -> Option<(usize, usize)> {
    let is_constant = |(_, value): &(String, Operand)| matches!(value, Operand::Literal(_));
    if insert.values.iter().any(is_constant) || table.remembers.is_some() {
        return None;
    }
    let plain = |at: usize| {
        let (column, operand) = insert.values.get(at)?;
        let simple = matches!(operand, Operand::Parameter(_) | Operand::Row { .. });
        simple.then_some((operand, &table.column(column)?.ty))
    };
    let count = insert.values.len();
    let pairs = (0..count).flat_map(|one| (one + 1..count).map(move |at| (one, at)));
    let mut pairs = pairs.filter(|(one, other)| match (plain(*one), plain(*other)) {
        (Some((one, its)), Some((other, theirs))) => one != other && its == theirs,
        _ => false,
    });
    pairs.next()
}

/// Drops a guard: of a counter update, or of the deletion of a row that the same write writes
/// together with it or before it (a row written after it exists again).
pub(super) fn drop_guards(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let all = write_statements(of.design);
    let guarded = all.iter().filter(|(place, statement)| {
        let counts = of.design.tables.member(statement.table).is_some_and(PlannedTable::is_counter);
        let moves = statement.modification.is_delete()
            && all.iter().any(|(other, writes)| {
                other.write == place.write
                    && other.step <= place.step
                    && writes.table == statement.table
                    && writes.modification.is_insert()
            });
        !statement.guards.is_empty() && (counts || moves)
    });
    let dropped = guarded.filter_map(|(place, statement)| {
        let name = of.write_name(place.write);
        let what = format!("{name} does not check the guard of {}", statement.modification);
        of.build_mutant("a guard dropped", what, |design| {
            statement_mut(design, *place)?.guards.clear();
            Some(())
        })
    });
    dropped.collect()
}
