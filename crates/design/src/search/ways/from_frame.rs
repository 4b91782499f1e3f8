//! The ways to answer a read from one frame: directly, or with lookups of what the frame does not store.

use std::collections::BTreeSet;

use model::dependency::Dependencies;
use model::id::{Numbered, SourceId};
use model::plan::{ClientStep, Part, ReadPlan};
use model::workload::{Column, Read};

use super::asked::{self, Asked};
use super::fit::{self, Places};
use super::left_out::{self, Unit};
use super::main_step::{self, Tried};
use super::{Asks, ReadWay, by_index};
use crate::Context;
use crate::frame::{Frame, FrameId};
use crate::reading::columns::View;
use crate::reading::price;

/// A way, and whether it reads more partitions than may be.
pub(super) struct Found {
    pub(super) way: ReadWay,
    pub(super) scan: bool,
}

/// A read and a frame that has its rows.
pub(super) struct Pair<'a> {
    pub(super) context: Context<'a>,
    pub(super) at: FrameId,
    pub(super) frame: &'a Frame,
    pub(super) view: View<'a>,
    pub(super) dependencies: Dependencies<'a>,
    pub(super) asked: Asked,
    /// The column of the frame by whose index rows are found.
    pub(super) index: Option<Column>,
}

/// The ways to answer a read from a frame. `variants`: what may be left out and looked up.
pub(super) fn ways(
    context: Context<'_>,
    (at, frame): (FrameId, &Frame),
    read: &Read,
    variants: &[Vec<Unit>],
) -> Vec<Found> {
    let Some(places) = fit::places(context.concept, &frame.table, read) else { return Vec::new() };
    let view = View::of_candidate(context.concept, &frame.table, read, &places);
    let Some(asked) = Asked::of(view) else { return Vec::new() };
    let dependencies = Dependencies::new(context.concept, &frame.table.holds.sources);
    Pair { context, at, frame, view, dependencies, asked, index: None }.ways(variants)
}

/// What is looked up, and its columns.
type Left = (Unit, BTreeSet<Column>);

impl Pair<'_> {
    /// The ways, directly and with what may be left out.
    pub(super) fn ways(&self, variants: &[Vec<Unit>]) -> Vec<Found> {
        let mut found: Vec<Found> = self.way(&[]).into_iter().collect();
        let mut seen = BTreeSet::new();
        for variant in variants {
            let left: Vec<_> = self.left(variant);
            // Without anything left out it is the direct way again.
            if left.is_empty() || !seen.insert(left.clone()) {
                continue;
            }
            found.extend(self.way(&left));
        }
        found
    }

    /// What of a variant the frame need not have.
    fn left(&self, variant: &[Unit]) -> Vec<Left> {
        let with_columns = variant.iter().map(|unit| {
            let key: Vec<Column> = self.key(unit).iter().map(|one| self.view.asked(*one)).collect();
            let within = |column: &&Column| {
                unit.members.contains(&column.source) && !key.contains(&self.view.asked(**column))
            };
            let columns: BTreeSet<Column> =
                self.asked.shown.iter().filter(within).copied().collect();
            (unit.clone(), columns)
        });
        with_columns.filter(|(_, columns)| !columns.is_empty()).collect()
    }

    fn key(&self, unit: &Unit) -> Vec<Column> {
        left_out::key(self.context, self.view.read, unit.root)
    }

    /// The way in which these are looked up and everything else is read from the frame.
    fn way(&self, left: &[Left]) -> Option<Found> {
        let view = self.view;
        let apart = self.counters();
        let gone = |column: &Column| left.iter().any(|(_, columns)| columns.contains(column));
        let kept: Vec<Column> =
            self.asked.shown.iter().filter(|column| !gone(column)).copied().collect();
        let keys = left.iter().chain(&apart).flat_map(|(unit, _)| self.key(unit));
        let fixed = |column: &Column| view.is_one_value(*column);
        let keys: Vec<Column> = keys.filter(|column| !fixed(column)).collect();
        let needed = self.asked.used.iter().chain(&kept).chain(&keys);
        let mut columns = BTreeSet::new();
        for column in needed.filter(|column| !asked::is_in_key(view, **column)) {
            columns.insert(asked::in_frame(view, &self.dependencies, *column)?);
        }
        columns.extend(self.index);
        let sources = self.sources(left, &kept)?;
        let wanted = main_step::Wanted { sources, columns, index: self.index };
        let tried = main_step::tried(self.context, (self.at, self.frame), view.read, wanted)?;
        self.finished(left, &apart, tried)
    }

    /// The counters that are looked up, by source.
    fn counters(&self) -> Vec<Left> {
        let sources: BTreeSet<SourceId> =
            self.asked.counters.iter().map(|column| column.source).collect();
        let of = |root: SourceId| {
            let within = |column: &&Column| column.source == root;
            let columns = self.asked.counters.iter().filter(within).copied().collect();
            (Unit { root, members: vec![root] }, columns)
        };
        sources.into_iter().map(of).collect()
    }

    /// For each source of the read that of the frame, where something of it is read there; `None` where the frame lacks a
    /// source without whose row there is none, and it is not looked up.
    fn sources(&self, left: &[Left], kept: &[Column]) -> Option<Places> {
        let view = self.view;
        let read = view.read;
        let mut used: BTreeSet<SourceId> =
            self.asked.used.iter().chain(kept).map(|column| column.source).collect();
        let conditions = read.conditions.iter().flat_map(|condition| condition.test.columns());
        used.extend(conditions.map(|column| column.source));
        used.extend(read.order.iter().map(|ordering| ordering.column.source));
        let mut places = view.sources.to_vec();
        for (at, place) in places.numbered_mut() {
            let looked_up = left.iter().any(|(unit, _)| unit.members.contains(&at));
            let leads = || left_out::beyond(read, at).iter().any(|other| used.contains(other));
            if place.is_none() {
                if view.may_be_absent(at) && !looked_up {
                    return None;
                }
            } else if looked_up && !view.may_be_absent(at) && !leads() {
                *place = None;
            }
        }
        // The rows themselves are there whatever is looked up for them.
        for maker in fit::makers(&read.sources) {
            places[maker] = view.sources[maker];
        }
        Some(places)
    }

    /// Rows that are left when something is looked up for each: where one may be absent, before the limit.
    fn rows_at_lookups(&self, left: &[Left], plan: &ReadPlan) -> f64 {
        let view = self.view;
        let looked_up = |at: &SourceId| left.iter().any(|(unit, _)| unit.members.contains(at));
        let lacks = |at: &SourceId| view.sources.at(*at).copied().flatten().is_none();
        let mut sources = view.read.sources.ids();
        if !sources.any(|at| looked_up(&at) && lacks(&at) && view.may_be_absent(at)) {
            return price::rows_returned(self.context, view.read, plan);
        }
        let mut plan = plan.clone();
        plan.client.retain(|step| matches!(step, ClientStep::Filter(_)));
        price::rows_returned(self.context, view.read, &plan)
    }

    /// The way with its lookups.
    fn finished(&self, left: &[Left], apart: &[Left], tried: Tried) -> Option<Found> {
        let view = self.view;
        let rows = self.rows_at_lookups(left, &tried.plan);
        let mut asks: Vec<Asks> = Vec::new();
        let parts = left.iter().map(|one| (one, Part::Columns));
        for ((unit, columns), part) in parts.chain(apart.iter().map(|one| (one, Part::Counters))) {
            let once = self.key(unit).iter().all(|column| view.is_one_value(*column));
            let times = if once { 1.0 } else { rows };
            let found = left_out::lookup(self.context, view.read, unit, columns, (part, times))?;
            asks.push(found);
        }
        let mut words = words(self.context, &asks);
        if let Some(index) = self.index {
            words = by_index::words(&self.dependencies, index, &words);
        }
        Some(Found { way: ReadWay { main: Some(tried.main), asks, words }, scan: tried.scan })
    }
}

/// What a way is called.
fn words(context: Context<'_>, asks: &[Asks]) -> String {
    if asks.is_empty() {
        return "one table".to_owned();
    }
    let named = asks.iter().map(|asks| {
        let entity = asks.read.sources.first().map(|source| source.entity);
        let entity = entity.and_then(|entity| context.concept.entities.at(entity));
        let name = entity.map_or("", |entity| &entity.name);
        let lookups = if asks.times > 1.0 { "lookups" } else { "lookup" };
        format!("{} {lookups} of {name}", model::figures::count(asks.times.max(1.0).round()))
    });
    format!("index and {}", named.collect::<Vec<_>>().join(", "))
}
