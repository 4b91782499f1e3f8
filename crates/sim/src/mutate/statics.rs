//! A static made regular: what was one value of a partition is then one of each row, and is written in one row only.
//!
//! Left alone where nobody could tell: every row brings the value along, and no write changes it for the whole partition.

use cql::StatementKind;
use cql::printer::{identifier, print};
use cql::relation::{Operator, RelationKind};
use cql::statement::write::{AssignmentOperation, InsertValues};
use model::id::{Numbered, TableId, WriteId};
use model::plan::{
    Design, Loop, Operand, PlannedStatement, PlannedTable, ReadStep, Role, WriteStep,
};

use super::statement::{Place, each_on, remove, statement_mut, written};
use super::text::{edit, marker, parsed, resolved, restricts, with_names};
use super::{Mutant, Original, unmark};

/// How a statement writes a static column.
enum Writes {
    /// Not at all, and it adds no row.
    Nothing,
    /// It adds a row, with a value or without.
    Row { along: bool },
    /// It sets the value of the partition, or deletes it: CQL of it.
    Partition(Option<String>),
}

pub(super) fn made_regular(of: Original<'_>) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (at, table) in of.design.tables.numbered() {
        if table.view_of.is_some() || of.design.tables.iter().any(|other| other.view_of == Some(at))
        {
            continue;
        }
        let statics = table.columns.iter().filter(|column| column.role == Role::Static);
        for column in statics.filter(|column| is_told(of, at, table, &column.name)) {
            let what = format!("{} of {} is not static", column.name, table.name);
            mutants.extend(of.mutant("a static made regular", what, |design| {
                change(of, design, at, &column.name)
            }));
        }
    }
    mutants
}

/// Whether rows would differ in it.
fn is_told(of: Original<'_>, at: TableId, table: &PlannedTable, name: &str) -> bool {
    let is_update = |write: WriteId| {
        let write = of.workload.writes.at(write);
        write.is_some_and(|w| matches!(w.kind, model::workload::WriteKind::Update(..)))
    };
    written(of.design).into_iter().filter(|(_, statement)| statement.table == at).any(
        |(place, statement)| match writes(table, statement, name) {
            Some(Writes::Row { along }) => !along,
            Some(Writes::Partition(_)) => is_update(place.write),
            _ => false,
        },
    )
}

fn writes(table: &PlannedTable, statement: &PlannedStatement, name: &str) -> Option<Writes> {
    let of_row = |relations: &[cql::relation::Relation]| {
        let found = |column: &str| relations.iter().any(|of| restricts(&of.kind, column));
        table.clustering().any(|column| found(&column.name))
    };
    Some(match with_names(&statement.cql)? {
        StatementKind::Insert(insert) => {
            let InsertValues::Columns { columns, values } = insert.values else { return None };
            let place = |name: &str| columns.iter().position(|column| &*column.text == name);
            let along = place(name);
            if table.clustering().all(|column| place(&column.name).is_some()) {
                Writes::Row { along: along.is_some() }
            } else {
                match along {
                    Some(at) => Writes::Partition(Some(print(values.get(at)?))),
                    None => Writes::Nothing,
                }
            }
        }
        StatementKind::Update(update) if !of_row(&update.relations) => {
            match update.assignments.iter().find(|set| &*set.column.text == name) {
                None => Writes::Nothing,
                Some(set) => match &set.operation {
                    AssignmentOperation::Set(term) => Writes::Partition(Some(print(term))),
                    _ => return None,
                },
            }
        }
        StatementKind::Delete(delete) if !of_row(&delete.relations) => {
            let deletes = delete.targets.iter().any(|target| &*target.column.text == name);
            if deletes { Writes::Partition(None) } else { Writes::Nothing }
        }
        _ => Writes::Nothing,
    })
}

fn change(of: Original<'_>, design: &mut Design, at: TableId, name: &str) -> Option<()> {
    let table = of.design.tables.at(at)?;
    // From behind, so that what goes does not move what is still to be changed.
    for (place, statement) in written(of.design).into_iter().rev() {
        if statement.table != at {
            continue;
        }
        if let Writes::Partition(value) = writes(table, statement, name)? {
            write_one_row(design, table, (place, statement), name, value.as_deref())?;
        }
    }
    unmark(design, at, name)?;
    each_on(design, at, |cql, operands| {
        let distinct = match parsed(cql)? {
            StatementKind::Select(select) => {
                let selects = |of: &cql::statement::select::Selector| {
                    print(&of.expression) == identifier(name)
                };
                select.distinct && select.selectors.iter().any(selects)
            }
            _ => false,
        };
        if distinct {
            edit(cql, operands, |kind| {
                let StatementKind::Select(select) = kind else { return None };
                select.distinct = false;
                Some(())
            })?;
            cql.push_str(" LIMIT 1");
        }
        Some(())
    })
}

/// Takes the column out of a statement, and writes it in the first row of the partition instead.
fn write_one_row(
    design: &mut Design,
    table: &PlannedTable,
    (place, statement): (Place, &PlannedStatement),
    name: &str,
    value: Option<&str>,
) -> Option<()> {
    if !statement.loops.iter().all(|turn| matches!(turn, Loop::Rows(_))) {
        return None;
    }
    let key = partition(table, statement)?;
    let mut operands = statement.operands.clone();
    let rows: Vec<_> = table.clustering().map(|column| identifier(&column.name)).collect();
    let its = identifier(&table.name);
    let found = format!("SELECT {} FROM {its} WHERE {key} LIMIT 1", rows.join(", "));
    let (cql, first) = resolved(&found, &operands)?;
    let read =
        ReadStep { table: statement.table, cql, operands: first, loops: statement.loops.clone() };
    let steps = &mut design.writes.at_mut(place.write)?.steps;
    let step = steps.next_id();
    let row: Vec<_> = table
        .clustering()
        .map(|column| {
            operands.push(Operand::Row { step, column: column.name.clone() });
            format!("{} = {}", identifier(&column.name), marker(operands.len() - 1))
        })
        .collect();
    let (name_of, row) = (identifier(name), row.join(" AND "));
    let text = match value {
        Some(value) => format!("UPDATE {its} SET {name_of} = {value} WHERE {key} AND {row}"),
        None => format!("DELETE {name_of} FROM {its} WHERE {key} AND {row}"),
    };
    let (cql, operands) = resolved(&text, &operands)?;
    steps.push(WriteStep::Read(read, String::new()));
    let loops = vec![Loop::Rows(step)];
    steps.push(WriteStep::Statement(PlannedStatement {
        cql,
        operands,
        loops,
        condition: None,
        ..statement.clone()
    }));
    take_out(design, table, place, name)
}

/// The partition of a statement, as a condition with names for markers.
fn partition(table: &PlannedTable, statement: &PlannedStatement) -> Option<String> {
    let kind = with_names(&statement.cql)?;
    let term = |name: &str| match &kind {
        StatementKind::Insert(insert) => match &insert.values {
            InsertValues::Columns { columns, values } => {
                let at = columns.iter().position(|column| &*column.text == name)?;
                values.get(at).map(print)
            }
            InsertValues::Json { .. } => None,
        },
        StatementKind::Update(update) => equal(&update.relations, name),
        StatementKind::Delete(delete) => equal(&delete.relations, name),
        _ => None,
    };
    let found = table
        .partition_key()
        .map(|column| Some(format!("{} = {}", identifier(&column.name), term(&column.name)?)));
    Some(found.collect::<Option<Vec<_>>>()?.join(" AND "))
}

fn equal(relations: &[cql::relation::Relation], name: &str) -> Option<String> {
    relations.iter().find_map(|relation| match &relation.kind {
        RelationKind::Column(column, Operator::Eq, term) if &*column.text == name => {
            Some(print(term))
        }
        _ => None,
    })
}

/// The statement without the column; none where nothing is left of it.
fn take_out(design: &mut Design, table: &PlannedTable, place: Place, name: &str) -> Option<()> {
    let statement = statement_mut(design, place)?;
    let mut empty = false;
    edit(&mut statement.cql, &mut statement.operands, |kind| {
        match kind {
            StatementKind::Insert(insert) => {
                let InsertValues::Columns { columns, values } = &mut insert.values else {
                    return None;
                };
                let at = columns.iter().position(|column| &*column.text == name)?;
                columns.remove(at);
                (at < values.len()).then(|| values.remove(at))?;
                empty = columns.len() <= table.partition_key().count();
            }
            StatementKind::Update(update) => {
                update.assignments.retain(|set| &*set.column.text != name);
                empty = update.assignments.is_empty();
            }
            StatementKind::Delete(delete) => {
                delete.targets.retain(|target| &*target.column.text != name);
                empty = delete.targets.is_empty();
            }
            _ => return None,
        }
        Some(())
    })?;
    if empty {
        remove(design, place)?;
    }
    Some(())
}
