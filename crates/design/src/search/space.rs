//! The space that is searched: candidate tables, and the questions that they are to answer.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

use model::id::{AttributeId, EntityId, Numbered, ReadId, SourceId};
use model::plan::{Derivation, Part};
use model::workload::{Column, Join, Limit, Ordering, Output, Read, Test, WriteKind};

use super::views::{self, KeptByServer};
use super::ways::{self, Asks};
use crate::Context;
use crate::frame::{self, Filled, Frame, FrameId};
use crate::writing::upkeep::{self, Upkeep, Wish};

/// A read to be answered, for itself or as a part of another.
#[derive(Clone, Debug)]
pub(super) struct Question {
    /// The read of the workload that it is, or is a part of.
    pub(super) of: ReadId,
    /// The read as asked.
    pub(super) read: Read,
    /// For each of its sources that of the workload's read, where it is one of them.
    pub(super) sources: Vec<Option<SourceId>>,
    /// How often it is asked each time that read runs.
    pub(super) times: f64,
    /// What of that read it gives.
    pub(super) part: Part,
}

impl Question {
    /// A read of the workload itself.
    pub(super) fn of_read(of: ReadId, read: &Read) -> Self {
        let sources = read.sources.ids().map(Some).collect();
        Self { of, read: read.clone(), sources, times: 1.0, part: Part::Rows }
    }

    /// A part of this one.
    pub(super) fn part(&self, asks: &Asks) -> Self {
        let outer = |source: &SourceId| self.sources.at(*source).copied().flatten();
        Self {
            of: self.of,
            read: asks.read.clone(),
            sources: asks.sources.iter().map(outer).collect(),
            times: self.times * asks.times,
            part: asks.part,
        }
    }

    /// The same for questions of one read that ask the same.
    pub(super) fn key(&self) -> QuestionKey {
        let Read { outputs, conditions, order, limit, group, sources, .. } = &self.read;
        QuestionKey {
            of: self.of,
            part: self.part,
            sources: self.sources.clone(),
            times: self.times.to_bits(),
            joins: sources.iter().map(|source| (source.entity, source.join)).collect(),
            outputs: outputs.clone(),
            tests: conditions.iter().map(|condition| condition.test.clone()).collect(),
            order: order.clone(),
            limit: *limit,
            group: group.clone(),
        }
    }
}

/// What tells a question from others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct QuestionKey {
    of: ReadId,
    part: Part,
    sources: Vec<Option<SourceId>>,
    /// The bits of how often it is asked.
    times: u64,
    joins: Vec<(EntityId, Option<Join>)>,
    outputs: Vec<Output>,
    tests: Vec<Test>,
    order: Vec<Ordering>,
    limit: Option<Limit>,
    group: Vec<Column>,
}

/// The candidate tables, with what is computed of them once.
pub(super) struct Space<'a> {
    pub(super) context: Context<'a>,
    pub(super) frames: Vec<Frame>,
    /// The frames that the server keeps up.
    pub(super) views: BTreeMap<FrameId, KeptByServer>,
    filled: BTreeMap<(FrameId, Option<Column>), Kept>,
}

/// A frame with at most one column beside its key, and what keeps it up.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) filled: Filled,
    /// `None` when a write cannot keep it up.
    pub(super) upkeep: Option<Vec<Upkeep>>,
}

impl<'a> Space<'a> {
    /// The candidates for these reads, for their parts, and for what writes must read to keep them up.
    pub(super) fn new(context: Context<'a>, reads: &[&Read]) -> Self {
        let mut frames = Vec::new();
        for read in reads {
            frames.extend(frame::frames_for(context, read));
            for further in ways::further(context, read) {
                frames.extend(frame::frames_for(context, &further.read));
            }
        }
        let mut space = Self {
            context,
            frames: frame::united(context, frames),
            views: BTreeMap::new(),
            filled: BTreeMap::new(),
        };
        let more = space.support();
        if !more.is_empty() {
            let all = space.frames.drain(..).chain(more).collect();
            space.frames = frame::united(context, all);
            space.filled.clear();
        }
        if context.options.search.allow_views {
            for (frame, view) in views::of(context, &space.frames) {
                space.views.insert(space.frames.next_id(), view);
                space.frames.push(frame);
            }
        }
        space
    }

    /// A frame with at most one column beside its key.
    pub(super) fn kept(&mut self, frame: FrameId, column: Option<Column>) -> Option<&Kept> {
        let context = self.context;
        let table = self.frames.at(frame)?;
        let view = self.views.get(&frame);
        let base = view.and_then(|view| {
            let base = self.frames.at(view.base)?;
            Some(base.table_with(context, &view.of_base(&column)).table)
        });
        Some(self.filled.entry((frame, column)).or_insert_with(|| {
            let columns: BTreeSet<Column> = column.into_iter().collect();
            let filled = table.table_with(context, &columns);
            let upkeep = match base {
                Some(base) => upkeep::of_view(context, base, filled.table.clone()),
                None => upkeep::of(context, &filled.table, filled.memory.as_ref()),
            };
            Kept { filled, upkeep }
        }))
    }

    /// Whether a column is part of a frame's key.
    pub(super) fn is_in_key(&self, frame: FrameId, column: Column) -> bool {
        let key = self.frames.at(frame).into_iter().flat_map(|frame| &frame.table.columns);
        let derivation = Derivation::Attribute(column);
        key.into_iter().any(|stored| stored.derivation == derivation)
    }

    /// The frames that answer what writes wish for: for the keys of all frames, and for each column that one may have.
    fn support(&mut self) -> Vec<Frame> {
        let mut seen = HashSet::new();
        let mut wishes: Vec<Wish> = Vec::new();
        for frame in self.frames.ids() {
            for column in [None].into_iter().chain(self.joined_columns(frame)) {
                let Some(upkeep) = self.kept(frame, column).and_then(|kept| kept.upkeep.clone())
                else {
                    continue;
                };
                for wish in upkeep.into_iter().flat_map(|upkeep| upkeep.wishes) {
                    if seen.insert((wish.write, Rc::clone(&wish.key))) {
                        wishes.push(wish);
                    }
                }
            }
        }
        self.filled.clear();
        let context = self.context;
        let reads: Vec<Read> = wishes.iter().filter_map(|wish| wish.read(context)).collect();
        reads.iter().flat_map(|read| frame::frames_for(context, read).into_iter().take(1)).collect()
    }

    /// For each source of a frame a column, and one that each write to it changes: enough to learn what keeping such columns up
    /// wishes for.
    fn joined_columns(&self, frame: FrameId) -> Vec<Option<Column>> {
        let Some(frame) = self.frames.at(frame) else { return Vec::new() };
        let mut columns = Vec::new();
        for (at, source) in frame.table.holds.sources.numbered() {
            let Some(entity) = self.context.concept.entities.at(source.entity) else { continue };
            let plain = |at: &AttributeId| {
                let known = entity.attributes.at(*at);
                !entity.primary_key().contains(at) && known.is_some_and(|one| !one.counter)
            };
            let writes = self.context.workload.writes.iter();
            let changed =
                writes.filter(|write| write.entity == source.entity).filter_map(|write| {
                    let WriteKind::Update(assignments, _) = &write.kind else { return None };
                    assignments.iter().map(|assignment| assignment.attribute).find(plain)
                });
            let mut wanted: Vec<AttributeId> = changed.collect();
            wanted.extend(entity.attributes.ids().find(plain));
            wanted.sort_unstable();
            wanted.dedup();
            let column = |attribute| Some(Column { source: at, attribute });
            columns.extend(wanted.into_iter().map(column));
        }
        columns
    }
}
