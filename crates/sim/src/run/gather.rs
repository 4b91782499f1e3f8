//! The loops of a statement: all turns that are in parallel together, buckets one after the other.

use std::collections::BTreeSet;
use std::rc::Rc;

use cql::types::NativeType;
use model::bucket;
use model::id::{ReadId, StepId};
use model::plan::{Loop, ReadPlan, ReadStep, Walk};

use super::Session;
use super::frame::Frame;
use super::rows::Item;
use super::walk::{self, Ends};
use crate::server::Failure;
use crate::value::Typed;

/// What the gathering of rows is for: a walk counts the rows that the client keeps.
pub(super) struct Stops<'p> {
    /// The read whose main step it is.
    pub(super) read: Option<(ReadId, &'p ReadPlan)>,
    /// Client steps that are done with the rows of each bucket at once.
    pub(super) settles: usize,
    /// Rows after which a walk may stop.
    pub(super) limit: u64,
}

/// The steps that are asked only when a walk needs them.
pub(super) fn oldest_steps<'s>(steps: impl Iterator<Item = &'s ReadStep>) -> BTreeSet<StepId> {
    steps
        .flat_map(|step| &step.loops)
        .filter_map(|turn| match turn {
            Loop::Buckets(walk) => walk.oldest,
            _ => None,
        })
        .collect()
}

impl Session<'_> {
    /// The rows of a step from the loop at `depth` on: a stream for each turn of the loops that are not buckets.
    pub(super) fn gather(
        &mut self,
        at: StepId,
        step: &ReadStep,
        depth: usize,
        frame: Frame,
        stops: &Stops<'_>,
    ) -> Result<Vec<Vec<Item>>, Failure> {
        let mut frames = vec![frame];
        for (position, turn) in step.loops.iter().enumerate().skip(depth) {
            if let Loop::Buckets(walk) = turn {
                let mut streams = Vec::new();
                for frame in &frames {
                    streams.extend(self.walk(at, step, (position, walk), frame, stops)?);
                }
                return Ok(streams);
            }
            frames = frames.iter().flat_map(|frame| self.turns(turn, frame)).collect();
        }
        let mut streams = Vec::new();
        for found in self.fetch(at, step, &frames)? {
            let items = found.into_iter().map(|frame| Item::new(at, frame)).collect();
            streams.push(self.settle(stops.read, stops.settles, items)?);
        }
        Ok(streams)
    }

    /// The frames of the turns of a loop.
    pub(super) fn turns(&self, turn: &Loop, frame: &Frame) -> Vec<Frame> {
        let values: Vec<Typed> = match turn {
            Loop::Values(values) => {
                let given = values.iter().map(|value| self.scope.given(value, None));
                given.collect()
            }
            Loop::Elements(of) => self.scope.operand(of, frame, None, None).elements(),
            Loop::Shards(count) => (0..*count)
                .filter_map(|shard| i32::try_from(shard).ok())
                .map(|shard| Typed::new(NativeType::Int, Some(shard.to_be_bytes().to_vec())))
                .collect(),
            Loop::Buckets(walk) => return self.all_buckets(walk, frame),
            Loop::Rows(step) => return self.row_turns(*step, frame),
        };
        let mut seen: Vec<&Typed> = Vec::new();
        for value in values.iter().filter(|value| !value.is_null()) {
            if !seen.iter().any(|other| other.order(value).is_eq()) {
                seen.push(value);
            }
        }
        seen.into_iter().map(|value| frame.turned(value.clone())).collect()
    }

    /// A turn for each row of a step, with the rows under which it was read. A row that the frame has already is the only one.
    fn row_turns(&self, step: StepId, frame: &Frame) -> Vec<Frame> {
        let found = self.found.get(&step).map(Vec::as_slice).unwrap_or_default();
        let bound = found.iter().map(|row| {
            let mut frame = frame.turned(Typed::null());
            frame.rows.extend(row.rows.iter().map(|(step, row)| (*step, Rc::clone(row))));
            frame
        });
        bound.collect()
    }

    /// Every bucket of a walk that cannot stop early: of a write, whose oldest bucket was read before.
    fn all_buckets(&self, walk: &Walk, frame: &Frame) -> Vec<Frame> {
        let Some(ends) = walk::ends(walk, self.scope, frame, self.now_micros) else {
            return Vec::new();
        };
        let oldest = walk.oldest.and_then(|step| frame.rows.get(&step)).and_then(|row| {
            let (_, value) = row.iter().next()?;
            bucket::number_of(walk.bucket, value.bytes.as_deref()?)
        });
        let Some(from) = ends.from.or(oldest) else { return Vec::new() };
        (from..=ends.to).map(|number| frame.turned(walk::turn(walk.bucket, number))).collect()
    }

    /// A walk over buckets, at one turn of the loops around it.
    fn walk(
        &mut self,
        at: StepId,
        step: &ReadStep,
        (depth, walk): (usize, &Walk),
        frame: &Frame,
        stops: &Stops<'_>,
    ) -> Result<Vec<Vec<Item>>, Failure> {
        let Some(Ends { mut from, to }) = walk::ends(walk, self.scope, frame, self.now_micros)
        else {
            return Ok(Vec::new());
        };
        if from.is_none() && !walk.newest_first {
            from = self.oldest(walk, frame)?;
            if from.is_none() {
                return Ok(Vec::new());
            }
        }
        let mut streams: Vec<Vec<Item>> = Vec::new();
        let mut visited = 0;
        let mut number = if walk.newest_first { to } else { from.unwrap_or(to) };
        while from.is_none_or(|from| from <= number) && number <= to {
            self.trace.borders += usize::from(visited == 1);
            visited += 1;
            let turned = frame.turned(walk::turn(walk.bucket, number));
            append(&mut streams, self.gather(at, step, depth + 1, turned, stops)?);
            let rows: usize = streams.iter().map(Vec::len).sum();
            if walk.stops_at_limit && rows as u64 >= stops.limit {
                break;
            }
            if from.is_none() {
                from = self.oldest(walk, frame)?;
                if from.is_none() {
                    break;
                }
            }
            number += if walk.newest_first { -1 } else { 1 };
        }
        Ok(streams)
    }

    /// The oldest bucket under the key at hand.
    fn oldest(&mut self, walk: &Walk, frame: &Frame) -> Result<Option<i64>, Failure> {
        let Some(at) = walk.oldest else {
            return Err(Failure::Refused("a walk over buckets has no end".to_owned()));
        };
        let Some(step) = self.steps.get(at.index()).copied().flatten() else { return Ok(None) };
        let found = self.fetch(at, step, std::slice::from_ref(frame))?;
        let row = found.into_iter().flatten().next().and_then(|frame| frame.rows.get(&at).cloned());
        Ok(row.and_then(|row| {
            let (_, value) = row.iter().next()?;
            bucket::number_of(walk.bucket, value.bytes.as_deref()?)
        }))
    }
}

/// Puts the streams of the next bucket behind those of the ones before.
fn append(streams: &mut Vec<Vec<Item>>, next: Vec<Vec<Item>>) {
    for (at, stream) in next.into_iter().enumerate() {
        match streams.get_mut(at) {
            Some(before) => before.extend(stream),
            None => streams.push(stream),
        }
    }
}
