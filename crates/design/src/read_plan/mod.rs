//! Read plans: the statements on the tables, and what is left to the client.
//!
//! A plan is built in this order: the step that finds keys first (`keys`), the restrictions of the
//! key (`restriction`), the order (`order`), the select list (`selection`), lookups for each row
//! (`lookup`), the client's steps (`client`), and the effort (`price`).

mod client;
pub(crate) mod columns;
mod keys;
mod lookup;
mod needs;
mod order;
mod parts;
pub(crate) mod price;
mod restriction;
mod select_list;
mod selection;
mod statement;
mod statics;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use model::id::{IdList, SourceId, StepId, TableId};
use model::plan::{ClientStep, PlanRemark, PlannedTable, ReadPlan, ReadStep, ServedRead};
use model::workload::{Column, Read};

use crate::Context;
use client::Attachments;
use columns::ReadView;
use keys::KeyStep;
use lookup::{Lookup, RowStep};
use needs::RowNeeds;
use order::ResultOrder;
use parts::ReadParts;
use restriction::Restrictions;
use select_list::SelectList;
use selection::Selection;

/// The plan of a read on the table at position `table`, which serves it as `served` states, and on
/// those with its other parts.
pub(crate) fn plan_read(
    context: Context<'_>,
    tables: &[PlannedTable],
    table: TableId,
    read: &Read,
    served: &ServedRead,
) -> ReadPlan {
    let Some(planned) = tables.member(table) else { return ReadPlan::default() };
    let rows = ReadView::new(context.concept, planned, read, served);
    let parts = ReadParts::new(context, tables, read, served);
    plan_parts(context, tables, (table, rows), &parts)
}

/// The plan of a read on a candidate, the first of these tables, that has all of it: `sources` has
/// the candidate's source for each of the read's.
pub(crate) fn plan_on_candidate(
    context: Context<'_>,
    tables: &[PlannedTable],
    read: &Read,
    sources: &[Option<SourceId>],
) -> ReadPlan {
    let Some(candidate) = tables.first() else { return ReadPlan::default() };
    let rows = ReadView::for_candidate(context.concept, candidate, read, sources);
    plan_parts(context, tables, (TableId::new(0), rows), &ReadParts::default())
}

/// The plan of a read on the table that has its rows, and on those that have its other parts.
fn plan_parts(
    context: Context<'_>,
    tables: &[PlannedTable],
    (table, rows): (TableId, ReadView<'_>),
    parts: &ReadParts<'_>,
) -> ReadPlan {
    let mut keys = parts.keys.map(|part| KeyStep::new(tables, part, rows));
    let given = keys.as_ref().map(|keys| keys.given.clone());
    let view = ReadView { given: given.as_ref(), ..rows };
    let mut main = MainStep::new(view, parts.can_drop_rows(view), keys.as_ref());
    let before = keys.as_ref().map_or(0, |keys| keys.given.step.index() + 1);
    let oldest = statement::oldest_bucket_step(tables, table, &main.restrictions);
    let at = StepId::new(before + usize::from(oldest.is_some()));
    let mut lookups = lookups(parts, &mut main, at, keys.as_mut());
    let attached = main.assign_columns(keys.as_mut(), &mut lookups);
    let rowless = statics::exclude_rowless(view, &main.restrictions, &mut main.selection);

    let mut steps = keys.as_ref().map(KeyStep::steps).unwrap_or_default();
    steps.extend(oldest.clone());
    steps.push(main.step(table));
    if oldest.is_some() {
        statement::set_oldest_step(&mut steps, StepId::new(before));
    }
    lookups.retain(|lookup| lookup.is_needed(main.restrictions.drops));
    steps.extend(lookups.iter().map(Lookup::step));
    let attached =
        Attachments { steps: steps.ids().skip(at.index() + 1).collect(), columns: attached };
    let mut client = main.client_steps(&attached);
    client.splice(0..0, rowless);
    if !rows.read.computed.is_empty() {
        client.push(ClientStep::Compute(rows.read.computed.clone()));
    }
    let remarks = main.remarks();
    let columns = main.names(keys.as_ref(), &lookups);
    let mut plan = ReadPlan { steps, main: at, client, columns, remarks, ..ReadPlan::default() };
    price::set_effort(context, tables, rows.read, &mut plan);
    plan
}

/// What a read needs of a table that has its rows.
pub(crate) struct TableNeeds {
    /// Columns of the read that its rows must have, with the name of the output where they are one.
    pub(crate) columns: Vec<(Column, Option<String>)>,
    /// The client filters.
    pub(crate) left_over: bool,
    /// Clustering columns fixed to one value, from the first on.
    pub(crate) fixed_clustering: usize,
}

/// What a read needs of a table, judged by its key alone; `None` where the read does not fix its
/// partition key.
pub(crate) fn table_needs(view: ReadView<'_>) -> Option<TableNeeds> {
    let main = MainStep::new(view, false, None);
    let fixed = main.restrictions.partition.len() == view.table.partition_key().count();
    (fixed || main.restrictions.indexed).then(|| TableNeeds {
        columns: main.needs.all(),
        left_over: !main.restrictions.left_over.is_empty(),
        fixed_clustering: main.restrictions.fixed_clustering,
    })
}

/// The main step being built.
struct MainStep<'a> {
    view: ReadView<'a>,
    restrictions: Restrictions,
    selection: Selection,
    order: ResultOrder,
    needs: RowNeeds,
}

impl<'a> MainStep<'a> {
    /// What the table of the rows does for its read.
    fn new(view: ReadView<'a>, drops: bool, keys: Option<&KeyStep<'_>>) -> Self {
        let mut restrictions = Restrictions::new(view);
        restrictions.drops = drops;
        let taken: BTreeSet<String> = keys
            .into_iter()
            .flat_map(|keys| keys.items.iter().map(|item| item.name.clone()))
            .collect();
        let selection = Selection::new(view, &restrictions, &taken);
        let order = ResultOrder::new(view, &restrictions, &selection);
        let needs = RowNeeds::new(view, &restrictions, &order, &selection);
        Self { view, restrictions, selection, order, needs }
    }

    /// Makes some step select every column that is needed; returns those that are looked up.
    fn assign_columns(
        &mut self,
        mut keys: Option<&mut KeyStep<'_>>,
        lookups: &mut [Lookup<'_>],
    ) -> Vec<Column> {
        let mut attached = Vec::new();
        for (column, output) in self.needs.all() {
            let mut providers: Vec<(ReadView<'_>, &mut SelectList)> =
                vec![(self.view, &mut self.selection.items)];
            providers.extend(keys.iter_mut().map(|keys| (keys.view, &mut keys.items)));
            let early = providers.len();
            providers.extend(lookups.iter_mut().map(|lookup| (lookup.view, &mut lookup.items)));
            let found = providers.iter().position(|(view, _)| view.find_stored(column).is_some());
            let Some(found) = found else { continue };
            if found >= early {
                attached.push(column);
            }
            let names: BTreeSet<String> = providers
                .iter()
                .enumerate()
                .filter(|(at, _)| *at != found)
                .flat_map(|(_, (_, items))| items.iter().map(|item| item.name.clone()))
                .collect();
            let (view, items) = &mut providers[found];
            let Some(stored) = view.find_stored(column) else { continue };
            match output {
                Some(output) => items.add_output(stored, &output),
                None => _ = items.select_beside(stored, &names),
            }
        }
        // All outputs may be looked up; the existence of the row is still read.
        if self.selection.items.is_empty()
            && let Some(first) = self.view.table.partition_key().next()
        {
            self.selection.items.select(first);
        }
        attached
    }

    fn step(&self, table: TableId) -> ReadStep {
        statement::main_step(self.view, table, &self.restrictions, &self.order, &self.selection)
    }

    fn client_steps(&self, attached: &Attachments) -> Vec<ClientStep> {
        client::steps(self.view, &self.restrictions, &self.order, &self.selection, attached)
    }

    /// The remarks of the plan.
    fn remarks(&self) -> Vec<PlanRemark> {
        self.restrictions.remarks.iter().chain(&self.order.remarks).cloned().collect()
    }

    /// The names that columns of the read have in rows.
    fn names(&self, keys: Option<&KeyStep<'_>>, lookups: &[Lookup<'_>]) -> Vec<(Column, String)> {
        let mut providers: Vec<(ReadView<'_>, &SelectList)> =
            vec![(self.view, &self.selection.items)];
        providers.extend(keys.map(|keys| (keys.view, &keys.items)));
        providers.extend(lookups.iter().map(|lookup| (lookup.view, &lookup.items)));
        let name = |column: Column| {
            let (view, items) =
                providers.iter().find(|(view, _)| view.find_stored(column).is_some())?;
            items.name_of(view.find_stored(column)?)
        };
        let mut names: Vec<(Column, String)> = Vec::new();
        for (column, output) in self.needs.all() {
            if !names.iter().any(|(other, _)| *other == column) {
                names.extend(name(column).or(output).map(|name| (column, name)));
            }
        }
        names.sort();
        names
    }
}

/// What is looked up for each row, by what the rows have.
fn lookups<'a>(
    parts: &ReadParts<'a>,
    main: &mut MainStep<'_>,
    at: StepId,
    keys: Option<&mut KeyStep<'_>>,
) -> Vec<Lookup<'a>> {
    let view = main.view;
    let mut known = vec![RowStep { step: at, view, items: &mut main.selection.items }];
    known.extend(keys.map(|keys| RowStep {
        step: keys.given.step,
        view: keys.view,
        items: &mut keys.items,
    }));
    parts.lookups.iter().map(|part| Lookup::new(*part, &mut known)).collect()
}
