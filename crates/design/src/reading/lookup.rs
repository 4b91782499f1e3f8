//! What is looked up for each row in tables of their own: counters, and arrays too large for a collection.

use cql::printer::identifier;
use model::plan::{
    ClientStep, Derivation, Loop, Operand, Part, PlannedTable, ReadPlan, ReadStep, Role, Served,
};
use model::workload::{Column, OutputValue};

use super::columns::View;
use super::restriction::operand;
use crate::Context;

/// Adds a step for each table that has a part of the read.
pub(super) fn add(
    context: Context<'_>,
    tables: &[PlannedTable],
    view: View<'_>,
    plan: &mut ReadPlan,
) {
    for (at, table) in tables.iter().enumerate() {
        for served in &table.serves {
            if served.read != view.served.read || served.part == Part::Rows {
                continue;
            }
            let part = View { concept: context.concept, table, read: view.read, served };
            let step = lookup(view, part, at, served, plan);
            plan.steps.push(step);
            let attach = ClientStep::Attach(plan.steps.len() - 1);
            // Before the order is made, which may be by what is attached.
            plan.client.insert(0, attach);
        }
    }
}

/// The statement that looks a part up by the key of the row.
fn lookup(
    rows: View<'_>,
    part: View<'_>,
    at: usize,
    served: &Served,
    plan: &mut ReadPlan,
) -> ReadStep {
    let main = plan.main;
    let mut relations = Vec::new();
    let mut operands = Vec::new();
    let mut loops = Vec::new();
    for column in part.table.columns.iter().filter(|column| column.is_key()) {
        let Derivation::Attribute(of) = column.derivation else { continue };
        let name = identifier(&column.name);
        relations.push(format!("{name} = ?"));
        if let Some(value) = part.fixed(of) {
            operands.push(operand(value));
            continue;
        }
        let Some(stored) = in_read(served, of).and_then(|column| rows.stored(column)) else {
            relations.pop();
            continue;
        };
        select_too(plan, &stored.name);
        operands.push(Operand::Row { step: main, column: stored.name.clone() });
        loops = vec![Loop::Rows(main)];
    }
    let list: Vec<_> = part
        .read
        .outputs
        .iter()
        .filter_map(|output| match output.value {
            OutputValue::Column(column) => {
                let stored = part.stored(column).filter(|stored| stored.role == Role::Counter)?;
                let name = identifier(&stored.name);
                let same = stored.name == output.name;
                Some(if same { name } else { format!("{name} AS {}", identifier(&output.name)) })
            }
            _ => None,
        })
        .chain(elements(part))
        .collect();
    let cql = format!(
        "SELECT {} FROM {} WHERE {}",
        list.join(", "),
        identifier(&part.table.name),
        relations.join(" AND ")
    );
    ReadStep { table: at, cql, operands, loops }
}

/// The elements of a table of elements.
fn elements(part: View<'_>) -> Vec<String> {
    let is_element = |derivation: &Derivation| matches!(derivation, Derivation::Element(_));
    let found = part.table.columns.iter().filter(|column| is_element(&column.derivation));
    found.map(|column| identifier(&column.name)).collect()
}

/// The column of the read that a column of the table is, or is joined to.
fn in_read(served: &Served, of: Column) -> Option<Column> {
    let source = served.sources.iter().position(|source| *source == Some(of.source))?;
    Some(Column { source, attribute: of.attribute })
}

/// Makes the main step select a column that later steps need.
fn select_too(plan: &mut ReadPlan, name: &str) {
    let name = identifier(name);
    let Some(step) = plan.steps.get_mut(plan.main) else { return };
    let Some((list, rest)) = step.cql.split_once(" FROM ") else { return };
    let selected = list.trim_start_matches("SELECT ").split(", ").any(|item| item == name);
    if !selected {
        let comma = if list.trim_end() == "SELECT" { "" } else { ", " };
        step.cql = format!("{list}{comma}{name} FROM {rest}");
    }
}
