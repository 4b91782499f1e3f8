//! A direction flipped: of a clustering column, of an ORDER BY, of a walk over buckets, of what the client merges or sorts.
//!
//! Only where a read with an ORDER BY relies on it: where nothing sorts the rows again (or LIMIT cuts the streams before), and
//! where the column is not the same in all rows that the read finds.

use cql::relation::Operator;
use model::id::{Numbered, ReadId, TableId};
use model::plan::{
    ClientStep, Design, Direction, Loop, Part, PlannedColumn, PlannedTable, ReadPlan, Relation,
    Role, Select,
};
use model::workload::{Column, Comparison, Ordering, OutputValue, Read, Test};

use super::statement::{ReadPlace, reading, reading_mut};
use super::{Mutant, Original, known};

const KIND: &str = "a direction flipped";

/// A read whose order counts, and its main statement.
struct Ordered<'a> {
    at: ReadId,
    read: &'a Read,
    plan: &'a ReadPlan,
    select: &'a Select,
    table: &'a PlannedTable,
    table_at: TableId,
}

pub(super) fn flipped(of: Original<'_>) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for at in of.workload.reads.ids() {
        let Some(ordered) = ordered(of, at) else { continue };
        mutants.extend(ordered.of_client(of));
        mutants.extend(ordered.of_walk(of));
        if !ordered.relies_on_stored() {
            continue;
        }
        if ordered.select.order_by.is_empty() {
            mutants.extend(ordered.of_table(of));
        } else {
            mutants.extend(ordered.of_statement(of));
        }
    }
    // The same column of the same table, for each read that relies on it.
    let mut told: Vec<Mutant> = Vec::new();
    for mutant in mutants {
        if told.iter().all(|other| other.what != mutant.what) {
            told.push(mutant);
        }
    }
    told
}

fn ordered(of: Original<'_>, at: ReadId) -> Option<Ordered<'_>> {
    let (read, plan) = (of.workload.reads.at(at)?, of.design.reads.at(at)?);
    let plain = read.outputs.iter().all(|output| matches!(output.value, OutputValue::Column(_)));
    if read.order.is_empty() || !plain || !read.group.is_empty() {
        return None;
    }
    let step = plan.steps.at(plan.main)?;
    let table = of.design.tables.at(step.table)?;
    Some(Ordered { at, read, plan, select: &step.select, table, table_at: step.table })
}

impl<'a> Ordered<'a> {
    /// Whether the client orders the rows again.
    fn is_sorted(&self) -> bool {
        let sorts = |step: &ClientStep| matches!(step, ClientStep::Sort(_) | ClientStep::Merge(_));
        self.plan.client.iter().any(sorts)
    }

    /// Whether the answer depends on the order in which a statement returns rows.
    fn relies_on_stored(&self) -> bool {
        !self.is_sorted() || self.select.limit.is_some()
    }

    /// Whether all rows of an answer have the same value of this column of the read.
    fn is_fixed(&self, column: Column) -> bool {
        self.read.conditions.iter().any(|condition| {
            matches!(condition.test,
                Test::Compare { column: of, comparison: Comparison::Equal, .. } if of == column)
        })
    }

    /// The clustering columns by which the rows come in order.
    fn ordering(&self, of: Original<'a>) -> Vec<&'a PlannedColumn> {
        let served = self
            .table
            .serves
            .iter()
            .find(|served| served.read == self.at && matches!(served.part, Part::Rows));
        let Some(served) = served else { return Vec::new() };
        let dependencies = of.dependencies(self.table);
        let wanted: Vec<_> =
            self.read.order.iter().filter_map(|ordering| served.column(ordering.column)).collect();
        let mut before: Vec<_> = self.table.partition_key().filter_map(known).collect();
        let mut found = Vec::new();
        for column in self.table.clustering() {
            let Some(what) = known(column) else { continue };
            let decides = !dependencies.closure(&before).has(what) && !self.is_given(column);
            let asked = match what {
                model::dependency::Known::Value(value) => {
                    wanted.iter().any(|wanted| dependencies.same(*wanted, value))
                }
                model::dependency::Known::Element(_) => false,
            };
            if decides && asked {
                found.push(column);
            }
            before.push(what);
        }
        found
    }

    /// Whether the statement finds rows with one value of a column.
    fn is_given(&self, column: &PlannedColumn) -> bool {
        self.select.relations.iter().any(|relation| {
            matches!(relation,
                Relation::Column { column: name, operator: Operator::Eq, .. } if *name == column.name)
        })
    }

    /// A direction of the table: of all columns where a statement has an ORDER BY, which must then fit still.
    fn of_table(&self, of: Original<'a>) -> Vec<Mutant> {
        let at = self.table_at;
        let mut steps = reading(of.design).into_iter().filter(|(_, step)| step.table == at);
        let reversed = steps.any(|(_, step)| !step.select.order_by.is_empty());
        let columns = self.ordering(of);
        let flip = |name: Option<&str>| {
            let what = format!(
                "{} of {} is in the other direction",
                name.unwrap_or("every clustering column"),
                self.table.name
            );
            of.mutant(KIND, what, |design| flip_table(design, at, name))
        };
        if reversed {
            return columns.first().and_then(|_| flip(None)).into_iter().collect();
        }
        columns.into_iter().filter_map(|column| flip(Some(&column.name))).collect()
    }

    fn of_statement(&self, of: Original<'a>) -> Option<Mutant> {
        self.ordering(of).first()?;
        let what = format!("{} asks for the other order", self.read.name);
        of.mutant(KIND, what, |design| {
            let step = reading_mut(design, ReadPlace::Read(self.at, self.plan.main))?;
            for (_, direction) in &mut step.select.order_by {
                *direction = opposite(*direction);
            }
            Some(())
        })
    }

    fn of_walk(&self, of: Original<'a>) -> Option<Mutant> {
        let main = self.plan.steps.at(self.plan.main)?;
        let (at, walk) = main.loops.numbered().find_map(|(at, turn)| match turn {
            Loop::Buckets(walk) => Some((at, walk)),
            _ => None,
        })?;
        let one_bucket = walk.from.is_some() && walk.from == walk.to;
        if one_bucket || (self.is_sorted() && !walk.stops_at_limit) {
            return None;
        }
        let what = format!("{} walks over its buckets the other way", self.read.name);
        of.mutant(KIND, what, |design| {
            let step = reading_mut(design, ReadPlace::Read(self.at, self.plan.main))?;
            let Loop::Buckets(walk) = step.loops.at_mut(at)? else { return None };
            walk.newest_first = !walk.newest_first;
            Some(())
        })
    }

    fn of_client(&self, of: Original<'a>) -> Option<Mutant> {
        let sorts = self.plan.client.iter().position(|step| match step {
            ClientStep::Sort(by) | ClientStep::Merge(by) => *by == self.read.order,
            _ => false,
        })?;
        let first = self.read.order.iter().position(|by| !self.is_fixed(by.column))?;
        let what = format!("{} sorts its rows in the other direction", self.read.name);
        of.mutant(KIND, what, |design| {
            let step = design.reads.at_mut(self.at)?.client.get_mut(sorts)?;
            let by: &mut Vec<Ordering> = match step {
                ClientStep::Sort(by) | ClientStep::Merge(by) => by,
                _ => return None,
            };
            let ordering = by.get_mut(first)?;
            ordering.descending = !ordering.descending;
            Some(())
        })
    }
}

/// Flips a clustering column, or all of them.
fn flip_table(design: &mut Design, table: TableId, name: Option<&str>) -> Option<()> {
    for column in &mut design.tables.at_mut(table)?.columns {
        let wanted = name.is_none_or(|name| column.name == name);
        if let (true, Role::Clustering(direction)) = (wanted, &mut column.role) {
            *direction = opposite(*direction);
        }
    }
    Some(())
}

const fn opposite(direction: Direction) -> Direction {
    match direction {
        Direction::Ascending => Direction::Descending,
        Direction::Descending => Direction::Ascending,
    }
}
