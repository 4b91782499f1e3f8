//! Mutants of order: the direction of a clustering column, an ORDER BY, a walk over buckets, or a
//! client sort or merge is flipped.
//!
//! Only where a read with an ORDER BY relies on it: where nothing sorts the rows again (or LIMIT
//! cuts the streams before), and where the column is not the same in all rows that the read finds.

use cql::relation::Operator;
use model::id::{IdList, ReadId, TableId};
use model::plan::{
    ClientStep, ColumnRole, Design, Direction, Loop, PlannedColumn, PlannedTable, ReadPart,
    ReadPlan, Relation, Select,
};
use model::workload::{Column, Comparison, OutputValue, Predicate, Read, SortColumn};

use super::statement::{ReadPlace, read_step_mut, read_steps};
use super::{Mutant, OriginalDesign, determinant};

const KIND: &str = "a direction flipped";

/// A read with an ORDER BY, and its main statement.
struct OrderedRead<'a> {
    at: ReadId,
    read: &'a Read,
    plan: &'a ReadPlan,
    select: &'a Select,
    table: &'a PlannedTable,
    table_at: TableId,
}

pub(super) fn flip_directions(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for at in of.workload.reads.ids() {
        let Some(ordered) = find_ordered_read(of, at) else { continue };
        mutants.extend(ordered.flip_client_sort(of));
        mutants.extend(ordered.flip_walk(of));
        if !ordered.is_order_dependent() {
            continue;
        }
        if ordered.select.order_by.is_empty() {
            mutants.extend(ordered.flip_clustering(of));
        } else {
            mutants.extend(ordered.flip_statement(of));
        }
    }
    // A column of a table is flipped once, although several reads may rely on it.
    let mut distinct: Vec<Mutant> = Vec::new();
    for mutant in mutants {
        if distinct.iter().all(|other| other.what != mutant.what) {
            distinct.push(mutant);
        }
    }
    distinct
}

fn find_ordered_read(of: OriginalDesign<'_>, at: ReadId) -> Option<OrderedRead<'_>> {
    let (read, plan) = (of.workload.reads.member(at)?, of.design.reads.member(at)?);
    let plain = read.outputs.iter().all(|output| matches!(output.value, OutputValue::Column(_)));
    if read.order.is_empty() || !plain || !read.group.is_empty() {
        return None;
    }
    let step = plan.steps.member(plan.main)?;
    let table = of.design.tables.member(step.table)?;
    Some(OrderedRead { at, read, plan, select: &step.select, table, table_at: step.table })
}

impl<'a> OrderedRead<'a> {
    /// Whether the client orders the rows again.
    fn is_sorted(&self) -> bool {
        let sorts = |step: &ClientStep| matches!(step, ClientStep::Sort(_) | ClientStep::Merge(_));
        self.plan.client.iter().any(sorts)
    }

    /// Whether the result depends on the order in which a statement returns rows.
    fn is_order_dependent(&self) -> bool {
        !self.is_sorted() || self.select.limit.is_some()
    }

    /// Whether all rows of a result have the same value in this column.
    fn is_fixed(&self, column: Column) -> bool {
        self.read.conditions.iter().any(|condition| {
            matches!(condition.predicate,
                Predicate::Compare { column: of, comparison: Comparison::Equal, .. } if of == column)
        })
    }

    /// The clustering columns by which the rows are ordered.
    fn order_columns(&self, of: OriginalDesign<'a>) -> Vec<&'a PlannedColumn> {
        let served = self
            .table
            .serves
            .iter()
            .find(|served| served.read == self.at && matches!(served.part, ReadPart::Rows));
        let Some(served) = served else { return Vec::new() };
        let dependencies = of.dependencies(self.table);
        let wanted: Vec<_> =
            self.read.order.iter().filter_map(|ordering| served.column(ordering.column)).collect();
        let mut before: Vec<_> = self.table.partition_key().filter_map(determinant).collect();
        let mut found = Vec::new();
        for column in self.table.clustering() {
            let Some(what) = determinant(column) else { continue };
            let decides = !dependencies.closure(&before).contains(what) && !self.is_given(column);
            let asked = match what {
                model::dependency::Determinant::Value(value) => {
                    wanted.iter().any(|wanted| dependencies.is_equal(*wanted, value))
                }
                model::dependency::Determinant::Element(_) => false,
            };
            if decides && asked {
                found.push(column);
            }
            before.push(what);
        }
        found
    }

    /// Whether the statement restricts a column to one value.
    fn is_given(&self, column: &PlannedColumn) -> bool {
        self.select.relations.iter().any(|relation| {
            matches!(relation,
                Relation::Column { column: name, operator: Operator::Eq, .. } if *name == column.name)
        })
    }

    /// Flips a clustering column; all of them where a statement has an ORDER BY, which must stay
    /// valid.
    fn flip_clustering(&self, of: OriginalDesign<'a>) -> Vec<Mutant> {
        let at = self.table_at;
        let mut steps = read_steps(of.design).into_iter().filter(|(_, step)| step.table == at);
        let reversed = steps.any(|(_, step)| !step.select.order_by.is_empty());
        let columns = self.order_columns(of);
        let flip = |name: Option<&str>| {
            let what = format!(
                "{} of {} has the opposite direction",
                name.unwrap_or("every clustering column"),
                self.table.name
            );
            of.build_mutant(KIND, what, |design| flip_table(design, at, name))
        };
        if reversed {
            return columns.first().and_then(|_| flip(None)).into_iter().collect();
        }
        columns.into_iter().filter_map(|column| flip(Some(&column.name))).collect()
    }

    fn flip_statement(&self, of: OriginalDesign<'a>) -> Option<Mutant> {
        self.order_columns(of).first()?;
        let what = format!("{} requests the opposite order", self.read.name);
        of.build_mutant(KIND, what, |design| {
            let step = read_step_mut(design, ReadPlace::Read(self.at, self.plan.main))?;
            for (_, direction) in &mut step.select.order_by {
                *direction = opposite(*direction);
            }
            Some(())
        })
    }

    fn flip_walk(&self, of: OriginalDesign<'a>) -> Option<Mutant> {
        let main = self.plan.steps.member(self.plan.main)?;
        let (at, walk) = main.loops.enumerate_ids().find_map(|(at, turn)| match turn {
            Loop::Buckets(walk) => Some((at, walk)),
            _ => None,
        })?;
        let one_bucket = walk.from.is_some() && walk.from == walk.to;
        if one_bucket || (self.is_sorted() && !walk.stops_at_limit) {
            return None;
        }
        let what = format!("{} walks over its buckets in the opposite direction", self.read.name);
        of.build_mutant(KIND, what, |design| {
            let step = read_step_mut(design, ReadPlace::Read(self.at, self.plan.main))?;
            let Loop::Buckets(walk) = step.loops.member_mut(at)? else { return None };
            walk.newest_first = !walk.newest_first;
            Some(())
        })
    }

    fn flip_client_sort(&self, of: OriginalDesign<'a>) -> Option<Mutant> {
        let sorts = self.plan.client.iter().position(|step| match step {
            ClientStep::Sort(by) | ClientStep::Merge(by) => *by == self.read.order,
            _ => false,
        })?;
        let first = self.read.order.iter().position(|by| !self.is_fixed(by.column))?;
        let what = format!("{} sorts its rows in the opposite direction", self.read.name);
        of.build_mutant(KIND, what, |design| {
            let step = design.reads.member_mut(self.at)?.client.get_mut(sorts)?;
            let by: &mut Vec<SortColumn> = match step {
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
    for column in &mut design.tables.member_mut(table)?.columns {
        let wanted = name.is_none_or(|name| column.name == name);
        if let (true, ColumnRole::Clustering(direction)) = (wanted, &mut column.role) {
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
