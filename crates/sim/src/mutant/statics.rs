//! Mutants of static columns: a static column becomes regular, and is written in one row only.
//!
//! Left alone where it is unobservable: every row is written with the value, and no write changes
//! it for the whole partition.

use model::id::{IdList, TableId, WriteId};
use model::plan::{
    AssignmentOperator, ColumnAssignment, ColumnRole, Delete, Design, IfClause, Loop, Modification,
    Operand, PlannedColumn, PlannedStatement, PlannedTable, ReadStep, Relation, RowLimit, Select,
    SelectExpression, SelectItem, Update, WriteStep,
};

use super::statement::{WritePlace, remove_statement, statement_mut, write_statements};
use super::{Mutant, OriginalDesign, demote_column};

/// How a statement writes a static column.
enum StaticWrite<'a> {
    /// Not at all, and it adds no row.
    Nothing,
    /// It adds a row, with or without a value.
    Row { along: bool },
    /// It sets the value of the partition, or deletes it.
    Partition(Option<&'a Operand>),
}

pub(super) fn make_statics_regular(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (at, table) in of.design.tables.enumerate_ids() {
        if table.view_of.is_some() || of.design.tables.iter().any(|other| other.view_of == Some(at))
        {
            continue;
        }
        let statics = table.columns.iter().filter(|column| column.role == ColumnRole::Static);
        for column in statics.filter(|column| is_observable(of, at, table, &column.name)) {
            let what = format!("{} of {} is not static", column.name, table.name);
            mutants.extend(of.build_mutant("a static made regular", what, |design| {
                make_regular(of, design, at, &column.name)
            }));
        }
    }
    mutants
}

/// Whether reads would show the difference.
fn is_observable(of: OriginalDesign<'_>, at: TableId, table: &PlannedTable, name: &str) -> bool {
    let is_update = |write: WriteId| {
        let write = of.workload.writes.member(write);
        write.is_some_and(|w| matches!(w.kind, model::workload::WriteKind::Update(..)))
    };
    write_statements(of.design).into_iter().filter(|(_, statement)| statement.table == at).any(
        |(place, statement)| match find_static_write(table, statement, name) {
            Some(StaticWrite::Row { along }) => !along,
            Some(StaticWrite::Partition(_)) => is_update(place.write),
            _ => false,
        },
    )
}

fn find_static_write<'a>(
    table: &PlannedTable,
    statement: &'a PlannedStatement,
    name: &str,
) -> Option<StaticWrite<'a>> {
    let of_row = |relations: &[Relation]| {
        let found = |column: &str| relations.iter().any(|of| of.has_column(column));
        table.clustering().any(|column| found(&column.name))
    };
    Some(match &statement.modification {
        Modification::Insert(insert) => {
            let value = |name: &str| insert.values.iter().find(|(column, _)| column == name);
            let along = value(name);
            if table.clustering().all(|column| value(&column.name).is_some()) {
                StaticWrite::Row { along: along.is_some() }
            } else {
                along.map_or(StaticWrite::Nothing, |(_, value)| StaticWrite::Partition(Some(value)))
            }
        }
        Modification::Update(update) if !of_row(&update.relations) => {
            match update.assignments.iter().find(|assignment| assignment.column == name) {
                None => StaticWrite::Nothing,
                Some(set) if set.operator == AssignmentOperator::Set => {
                    StaticWrite::Partition(Some(&set.value))
                }
                Some(_) => return None,
            }
        }
        Modification::Delete(delete) if !of_row(&delete.relations) => {
            let deletes = delete.columns.iter().any(|column| column == name);
            if deletes { StaticWrite::Partition(None) } else { StaticWrite::Nothing }
        }
        Modification::Update(_) | Modification::Delete(_) => StaticWrite::Nothing,
    })
}

fn make_regular(
    of: OriginalDesign<'_>,
    design: &mut Design,
    at: TableId,
    name: &str,
) -> Option<()> {
    let table = of.design.tables.member(at)?;
    // In reverse, so that removals do not shift the places of statements still to be changed.
    for (place, statement) in write_statements(of.design).into_iter().rev() {
        if statement.table != at {
            continue;
        }
        if let StaticWrite::Partition(value) = find_static_write(table, statement, name)? {
            write_one_row(design, table, (place, statement), name, value)?;
        }
    }
    demote_column(design, at, name)
}

/// Removes the column from a statement, and writes it in the first row of the partition instead.
fn write_one_row(
    design: &mut Design,
    table: &PlannedTable,
    (place, statement): (WritePlace, &PlannedStatement),
    name: &str,
    value: Option<&Operand>,
) -> Option<()> {
    if !statement.loops.iter().all(|turn| matches!(turn, Loop::Rows(_))) {
        return None;
    }
    let mut relations = partition_relations(table, &statement.modification)?;
    let select = Select {
        table: table.name.clone(),
        items: table.clustering().map(select_item).collect(),
        relations: relations.clone(),
        limit: Some(RowLimit::Rows(1)),
        ..Select::default()
    };
    let loops = statement.loops.clone();
    let read =
        ReadStep { table: statement.table, select, loops, optional: false, spans: Vec::new() };
    let steps = &mut design.writes.member_mut(place.write)?.steps;
    let step = steps.next_id();
    relations.extend(table.clustering().map(|column| {
        Relation::equal(&column.name, Operand::Row { step, column: column.name.clone() })
    }));
    let (its, condition) = (table.name.clone(), IfClause::Always);
    let modification = if let Some(value) = value {
        let set = ColumnAssignment::new(name, AssignmentOperator::Set, value.clone());
        Modification::Update(Update { table: its, assignments: vec![set], relations, condition })
    } else {
        let columns = vec![name.to_owned()];
        Modification::Delete(Delete { table: its, columns, relations, condition })
    };
    steps.push(WriteStep::Read(read, String::new()));
    steps.push(WriteStep::Statement(PlannedStatement {
        modification,
        loops: vec![Loop::Rows(step)],
        condition: None,
        ..statement.clone()
    }));
    remove_column(design, table, place, name)
}

fn select_item(column: &PlannedColumn) -> SelectItem {
    let expression = SelectExpression::Column(column.name.clone());
    SelectItem { expression, name: column.name.clone() }
}

/// The partition that a statement writes.
fn partition_relations(table: &PlannedTable, modification: &Modification) -> Option<Vec<Relation>> {
    let relation = |column: &PlannedColumn| {
        Some(Relation::equal(&column.name, modification.key_value(&column.name)?.clone()))
    };
    table.partition_key().map(relation).collect()
}

/// The statement without the column; `None` where nothing is left of it.
fn remove_column(
    design: &mut Design,
    table: &PlannedTable,
    place: WritePlace,
    name: &str,
) -> Option<()> {
    let empty = match &mut statement_mut(design, place)?.modification {
        Modification::Insert(insert) => {
            insert.values.retain(|(column, _)| column != name);
            insert.values.len() <= table.partition_key().count()
        }
        Modification::Update(update) => {
            update.assignments.retain(|assignment| assignment.column != name);
            update.assignments.is_empty()
        }
        Modification::Delete(delete) => {
            delete.columns.retain(|column| column != name);
            delete.columns.is_empty()
        }
    };
    if empty {
        remove_statement(design, place)?;
    }
    Some(())
}
