//! Writes that do not do all they must, or do it wrong.
//!
//! Left alone are statements that stand twice in a write; what is written of a partition before it has rows, where no row is
//! ever added to it without writing the same again; what is left of a partition that no row can be in any more; a guard without
//! which the same is written once more; and values that are the same.

use cql::StatementKind;
use cql::statement::write::{AssignmentOperation, InsertValues};
use model::id::Numbered;
use model::plan::{Operand, PlannedStatement, PlannedTable, Role};
use model::workload::WriteKind;

use super::statement::{Place, remove, statement_mut, written};
use super::text::{edit, is_marker, parsed, restricts};
use super::{Mutant, Original};

/// What a statement does, as far as it matters here.
enum Does {
    Inserts(Vec<String>),
    Updates,
    Deletes,
}

fn does(statement: &PlannedStatement) -> Option<Does> {
    match parsed(&statement.cql)? {
        StatementKind::Insert(insert) => match insert.values {
            InsertValues::Columns { columns, .. } => {
                Some(Does::Inserts(columns.iter().map(|name| name.text.to_string()).collect()))
            }
            InsertValues::Json { .. } => None,
        },
        StatementKind::Update(_) => Some(Does::Updates),
        StatementKind::Delete(_) => Some(Does::Deletes),
        _ => None,
    }
}

/// One copy forgotten in a write.
pub(super) fn copies_forgotten(of: Original<'_>) -> Vec<Mutant> {
    let all = written(of.design);
    let wanted = all.iter().filter(|(place, statement)| match does(statement) {
        Some(Does::Inserts(columns)) => {
            !is_twice(&all, *place, statement) && is_seen(of, *place, statement, &columns)
        }
        Some(Does::Updates) => !is_twice(&all, *place, statement),
        _ => false,
    });
    let forgotten = wanted.filter_map(|(place, statement)| {
        let what = format!("{} forgets {}", of.write_name(place.write), statement.cql);
        of.mutant("a copy forgotten in a write", what, |design| remove(design, *place).map(drop))
    });
    forgotten.collect()
}

/// Whether the same statement stands in the write once more.
fn is_twice(
    all: &[(Place, &PlannedStatement)],
    place: Place,
    statement: &PlannedStatement,
) -> bool {
    let same = |other: &&(Place, &PlannedStatement)| {
        other.0.write == place.write
            && other.1.cql == statement.cql
            && other.1.operands == statement.operands
            && other.1.loops == statement.loops
    };
    all.iter().filter(same).count() > 1
}

/// Whether anybody can see what an INSERT writes: of statics alone, only if rows come that do not bring them along.
fn is_seen(
    of: Original<'_>,
    place: Place,
    statement: &PlannedStatement,
    columns: &[String],
) -> bool {
    let Some(table) = of.design.tables.at(statement.table) else { return false };
    let adds_rows = |columns: &[String]| table.clustering().all(|key| columns.contains(&key.name));
    let inserts = matches!(
        of.workload.writes.at(place.write).map(|write| &write.kind),
        Some(WriteKind::Insert(_))
    );
    if adds_rows(columns) || !inserts {
        return true;
    }
    let statics =
        |name: &&String| table.column(name).is_some_and(|column| column.role == Role::Static);
    written(of.design).into_iter().filter(|(_, other)| other.table == statement.table).any(
        |(_, other)| match does(other) {
            Some(Does::Inserts(theirs)) => {
                adds_rows(&theirs) && columns.iter().filter(statics).any(|s| !theirs.contains(s))
            }
            _ => false,
        },
    )
}

/// A delete without its tombstone.
pub(super) fn deletes_forgotten(of: Original<'_>) -> Vec<Mutant> {
    let all = written(of.design);
    let wanted = all.iter().filter(|(place, statement)| {
        matches!(does(statement), Some(Does::Deletes))
            && !is_twice(&all, *place, statement)
            && !leaves_nothing(of, *place, statement)
    });
    let forgotten = wanted.filter_map(|(place, statement)| {
        let what = format!("{} forgets {}", of.write_name(place.write), statement.cql);
        of.mutant("a delete without its tombstone", what, |design| remove(design, *place).map(drop))
    });
    forgotten.collect()
}

/// Whether a DELETE takes away statics that no row has any more: those of an entity that rows of the table refer to, and none
/// does when it is deleted.
fn leaves_nothing(of: Original<'_>, place: Place, statement: &PlannedStatement) -> bool {
    let Some(table) = of.design.tables.at(statement.table) else { return true };
    let Some(StatementKind::Delete(delete)) = parsed(&statement.cql) else { return true };
    let Some(write) = of.workload.writes.at(place.write) else { return true };
    let of_partition = delete.targets.is_empty()
        && !table.clustering().any(|column| {
            delete.relations.iter().any(|relation| restricts(&relation.kind, &column.name))
        });
    let has_statics = table.columns.iter().any(|column| column.role == Role::Static);
    let makes_rows = of.dependencies(table).makers().into_iter().any(|source| {
        table.holds.sources.get(source).is_some_and(|source| source.entity == write.entity)
    });
    of_partition && has_statics && !makes_rows && matches!(write.kind, WriteKind::Delete(_))
}

/// A counter counted in the wrong direction.
pub(super) fn signs_wrong(of: Original<'_>) -> Vec<Mutant> {
    let all = written(of.design);
    let counters = all.iter().filter(|(_, statement)| {
        of.design.tables.at(statement.table).is_some_and(PlannedTable::is_counter)
            && matches!(does(statement), Some(Does::Updates))
    });
    let wrong = counters.filter_map(|(place, statement)| {
        let name = of.write_name(place.write);
        let what = format!("{name} counts {} the wrong way", of.table_name(statement.table));
        of.mutant("a counter's sign wrong", what, |design| {
            let statement = statement_mut(design, *place)?;
            edit(&mut statement.cql, &mut statement.operands, |kind| {
                let StatementKind::Update(update) = kind else { return None };
                let operation = &mut update.assignments.first_mut()?.operation;
                *operation = match operation.clone() {
                    AssignmentOperation::Add(by) => AssignmentOperation::Subtract(by),
                    AssignmentOperation::Subtract(by) => AssignmentOperation::Add(by),
                    _ => return None,
                };
                Some(())
            })
        })
    });
    wrong.collect()
}

/// Two values of an INSERT in each other's place.
pub(super) fn values_swapped(of: Original<'_>) -> Vec<Mutant> {
    let all = written(of.design);
    let swapped = all.iter().filter_map(|(place, statement)| {
        let table = of.design.tables.at(statement.table)?;
        let Some(Does::Inserts(columns)) = does(statement) else { return None };
        let (one, other) =
            is_seen(of, *place, statement, &columns).then(|| alike(table, statement))??;
        let name = of.write_name(place.write);
        let what = format!("{name} swaps values {one} and {other} of {}", statement.cql);
        of.mutant("two values swapped", what, |design| {
            let operands = &mut statement_mut(design, *place)?.operands;
            (one.max(other) < operands.len()).then(|| operands.swap(one, other))
        })
    });
    swapped.collect()
}

/// The first two operands of an INSERT that are of one type and come from different parameters or rows.
fn alike(table: &PlannedTable, statement: &PlannedStatement) -> Option<(usize, usize)> {
    let Some(StatementKind::Insert(insert)) = parsed(&statement.cql) else { return None };
    let InsertValues::Columns { columns, values } = insert.values else { return None };
    if !values.iter().all(is_marker) || table.remembers.is_some() {
        return None;
    }
    let plain = |at: usize| {
        let operand = statement.operands.get(at)?;
        let simple = matches!(operand, Operand::Parameter(_) | Operand::Row { .. });
        let column = table.column(&columns.get(at)?.text)?;
        simple.then_some((operand, &column.ty))
    };
    let pairs =
        (0..columns.len()).flat_map(|one| (one + 1..columns.len()).map(move |at| (one, at)));
    let mut pairs = pairs.filter(|(one, other)| match (plain(*one), plain(*other)) {
        (Some((one, its)), Some((other, theirs))) => one != other && its == theirs,
        _ => false,
    });
    pairs.next()
}

/// A guard dropped: of what is counted, and of the deletion of a row that the same write writes, together with it or before it
/// (what is written after it is there again).
pub(super) fn guards_dropped(of: Original<'_>) -> Vec<Mutant> {
    let all = written(of.design);
    let guarded = all.iter().filter(|(place, statement)| {
        let counts = of.design.tables.at(statement.table).is_some_and(PlannedTable::is_counter);
        let moves = matches!(does(statement), Some(Does::Deletes))
            && all.iter().any(|(other, writes)| {
                other.write == place.write
                    && other.step <= place.step
                    && writes.table == statement.table
                    && matches!(does(writes), Some(Does::Inserts(_)))
            });
        !statement.guards.is_empty() && (counts || moves)
    });
    let dropped = guarded.filter_map(|(place, statement)| {
        let name = of.write_name(place.write);
        let what = format!("{name} does not ask before {}", statement.cql);
        of.mutant("a guard dropped", what, |design| {
            statement_mut(design, *place)?.guards.clear();
            Some(())
        })
    });
    dropped.collect()
}
