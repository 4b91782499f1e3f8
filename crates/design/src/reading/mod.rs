//! How reads run: the statements over the tables, and what is left to the client.
//!
//! A plan is made in order: what finds keys first (`keys`), the restrictions of the key (`restriction`), the order (`order`),
//! what is selected (`selection`), what is looked up for each row (`lookup`), what the client does (`client`), and what it
//! costs (`price`).

mod client;
pub(crate) mod columns;
mod items;
mod keys;
mod lookup;
mod needs;
mod order;
mod parts;
pub(crate) mod price;
mod restriction;
mod selection;
mod statement;
mod statics;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use model::id::{Numbered, SourceId, StepId, TableId};
use model::plan::{ClientStep, PlannedTable, ReadPlan, ReadStep, Remark, Served};
use model::workload::{Column, Read};

use crate::Context;
use client::Attached;
use columns::View;
use items::Items;
use keys::Keys;
use lookup::{Known, Lookup};
use needs::Needs;
use order::Order;
use parts::Parts;
use restriction::Restrictions;
use selection::Selection;

/// The plan of a read on the table at position `table`, which serves it as `served` says, and on those that have its other
/// parts.
pub(crate) fn plan(
    context: Context<'_>,
    tables: &[PlannedTable],
    table: TableId,
    read: &Read,
    served: &Served,
) -> ReadPlan {
    let Some(planned) = tables.at(table) else { return ReadPlan::default() };
    let rows = View::new(context.concept, planned, read, served);
    let parts = Parts::of(context, tables, read, served);
    plan_parts(context, tables, (table, rows), &parts)
}

/// The plan of a read that the first of these tables, a candidate, has all of: `sources` has its source for each of the read's.
pub(crate) fn plan_on_candidate(
    context: Context<'_>,
    tables: &[PlannedTable],
    read: &Read,
    sources: &[Option<SourceId>],
) -> ReadPlan {
    let Some(candidate) = tables.first() else { return ReadPlan::default() };
    let rows = View::of_candidate(context.concept, candidate, read, sources);
    plan_parts(context, tables, (TableId::new(0), rows), &Parts::default())
}

/// The plan of a read on the table that has its rows, and on those that have its other parts.
fn plan_parts(
    context: Context<'_>,
    tables: &[PlannedTable],
    (table, rows): (TableId, View<'_>),
    parts: &Parts<'_>,
) -> ReadPlan {
    let mut keys = parts.keys.map(|part| Keys::of(tables, part, rows));
    let given = keys.as_ref().map(|keys| keys.given.clone());
    let view = View { given: given.as_ref(), ..rows };
    let mut main = Main::of(view, parts.may_drop(view), keys.as_ref());
    let before = keys.as_ref().map_or(0, |keys| keys.given.step.index() + 1);
    let oldest = statement::oldest(tables, table, &main.restrictions);
    let at = StepId::new(before + usize::from(oldest.is_some()));
    let mut lookups = lookups(parts, &mut main, at, keys.as_mut());
    let attached = main.share_out(keys.as_mut(), &mut lookups);
    let rowless = statics::without_rows(view, &main.restrictions, &mut main.selection);

    let mut steps = keys.as_ref().map(Keys::steps).unwrap_or_default();
    steps.extend(oldest.clone());
    steps.push(main.step(table));
    if oldest.is_some() {
        statement::remember(&mut steps, StepId::new(before));
    }
    lookups.retain(|lookup| lookup.is_needed(main.restrictions.drops));
    steps.extend(lookups.iter().map(Lookup::step));
    let attached =
        Attached { steps: steps.ids().skip(at.index() + 1).collect(), columns: attached };
    let mut client = main.client(&attached);
    client.splice(0..0, rowless);
    let remarks = main.remarks();
    let columns = main.names(keys.as_ref(), &lookups);
    let mut plan = ReadPlan { steps, main: at, client, columns, remarks, ..ReadPlan::default() };
    price::set(context, tables, rows.read, &mut plan);
    plan
}

/// What a read needs of a table that has its rows.
pub(crate) struct Needed {
    /// Columns of the read that its rows must have, with the name of the output where they are one.
    pub(crate) columns: Vec<(Column, Option<String>)>,
    /// The client filters.
    pub(crate) left_over: bool,
    /// Clustering columns fixed to one value, from the first on.
    pub(crate) fixed_clustering: usize,
}

/// What a read needs of a table, whose key alone has to be there; `None` where the read does not fix its partition key.
pub(crate) fn needs(view: View<'_>) -> Option<Needed> {
    let main = Main::of(view, false, None);
    let fixed = main.restrictions.partition.len() == view.table.partition_key().count();
    (fixed || main.restrictions.indexed).then(|| Needed {
        columns: main.needs.all(),
        left_over: !main.restrictions.left_over.is_empty(),
        fixed_clustering: main.restrictions.fixed_clustering,
    })
}

/// The main step in the making.
struct Main<'a> {
    view: View<'a>,
    restrictions: Restrictions,
    selection: Selection,
    order: Order,
    needs: Needs,
}

impl<'a> Main<'a> {
    /// What the table of the rows does for its read.
    fn of(view: View<'a>, drops: bool, keys: Option<&Keys<'_>>) -> Self {
        let mut restrictions = Restrictions::of(view);
        restrictions.drops = drops;
        let taken: BTreeSet<String> = keys
            .into_iter()
            .flat_map(|keys| keys.items.iter().map(|item| item.name.clone()))
            .collect();
        let selection = Selection::of(view, &restrictions, &taken);
        let order = Order::of(view, &restrictions, &selection);
        let needs = Needs::of(view, &restrictions, &order, &selection);
        Self { view, restrictions, selection, order, needs }
    }

    /// Sees to it that some step selects every column that is needed; those that are looked up.
    fn share_out(
        &mut self,
        mut keys: Option<&mut Keys<'_>>,
        lookups: &mut [Lookup<'_>],
    ) -> Vec<Column> {
        let mut attached = Vec::new();
        for (column, output) in self.needs.all() {
            let mut providers: Vec<(View<'_>, &mut Items)> =
                vec![(self.view, &mut self.selection.items)];
            providers.extend(keys.iter_mut().map(|keys| (keys.view, &mut keys.items)));
            let early = providers.len();
            providers.extend(lookups.iter_mut().map(|lookup| (lookup.view, &mut lookup.items)));
            let found = providers.iter().position(|(view, _)| view.stored(column).is_some());
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
            let Some(stored) = view.stored(column) else { continue };
            match output {
                Some(output) => items.output(stored, &output),
                None => _ = items.select_beside(stored, &names),
            }
        }
        // All that is shown may be looked up; that there is a row is still asked.
        if self.selection.items.is_empty()
            && let Some(first) = self.view.table.partition_key().next()
        {
            self.selection.items.select(first);
        }
        attached
    }

    fn step(&self, table: TableId) -> ReadStep {
        statement::main(self.view, table, &self.restrictions, &self.order, &self.selection)
    }

    fn client(&self, attached: &Attached) -> Vec<ClientStep> {
        client::steps(self.view, &self.restrictions, &self.order, &self.selection, attached)
    }

    /// Sentences that a reader of the plan needs.
    fn remarks(&self) -> Vec<Remark> {
        self.restrictions.remarks.iter().chain(&self.order.remarks).cloned().collect()
    }

    /// The names that columns of the read have in rows.
    fn names(&self, keys: Option<&Keys<'_>>, lookups: &[Lookup<'_>]) -> Vec<(Column, String)> {
        let mut providers: Vec<(View<'_>, &Items)> = vec![(self.view, &self.selection.items)];
        providers.extend(keys.map(|keys| (keys.view, &keys.items)));
        providers.extend(lookups.iter().map(|lookup| (lookup.view, &lookup.items)));
        let name = |column: Column| {
            let (view, items) = providers.iter().find(|(view, _)| view.stored(column).is_some())?;
            items.name_of(view.stored(column)?)
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
    parts: &Parts<'a>,
    main: &mut Main<'_>,
    at: StepId,
    keys: Option<&mut Keys<'_>>,
) -> Vec<Lookup<'a>> {
    let view = main.view;
    let mut known = vec![Known { step: at, view, items: &mut main.selection.items }];
    known.extend(keys.map(|keys| Known {
        step: keys.given.step,
        view: keys.view,
        items: &mut keys.items,
    }));
    parts.lookups.iter().map(|part| Lookup::of(*part, &mut known)).collect()
}
