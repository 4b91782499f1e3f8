//! The loops of a statement: parallel turns together, buckets one after the other.

use std::collections::BTreeSet;
use std::rc::Rc;

use cql::types::NativeType;
use model::bucket;
use model::id::{ReadId, StepId};
use model::plan::{BucketWalk, Derivation, Loop, ReadPlan, ReadStep};

use super::frame::{ExecutionFrame, StepRow};
use super::rows::PlanRow;
use super::walk::{self, WalkEnds};
use super::{PlanExecution, STATEMENTS_MAX};
use crate::server::Failure;
use crate::value::TypedValue;

/// When a walk may stop: it counts the rows that the client keeps.
pub(super) struct StopCondition<'p> {
    /// The read whose main step it is.
    pub(super) read: Option<(ReadId, &'p ReadPlan)>,
    /// The number of client steps that are applied to the rows of each bucket.
    pub(super) settles: usize,
    /// Rows after which a walk may stop.
    pub(super) limit: u64,
}

/// The ends of the buckets under a key, as they are recorded.
#[derive(Clone, Copy, Debug, Default)]
struct RecordedEnds {
    oldest: Option<i64>,
    newest: Option<i64>,
}

/// The steps that read the oldest bucket, which run only when a walk needs them.
pub(super) fn oldest_steps<'s>(steps: impl Iterator<Item = &'s ReadStep>) -> BTreeSet<StepId> {
    steps
        .flat_map(|step| &step.loops)
        .filter_map(|turn| match turn {
            Loop::Buckets(walk) => walk.oldest,
            _ => None,
        })
        .collect()
}

impl PlanExecution<'_> {
    /// The rows of a step from the loop at `depth` on: a stream for each turn of the loops that are
    /// not buckets.
    pub(super) fn collect_streams(
        &mut self,
        at: StepId,
        step: &ReadStep,
        depth: usize,
        frame: ExecutionFrame,
        stops: &StopCondition<'_>,
    ) -> Result<Vec<Vec<PlanRow>>, Failure> {
        let mut frames = vec![frame];
        for (position, turn) in step.loops.iter().enumerate().skip(depth) {
            if let Loop::Buckets(walk) = turn {
                let mut streams = Vec::new();
                for frame in &frames {
                    streams.extend(self.walk_buckets(at, step, (position, walk), frame, stops)?);
                }
                return Ok(streams);
            }
            frames = frames.iter().flat_map(|frame| self.loop_frames(turn, frame)).collect();
        }
        let mut streams = Vec::new();
        for found in self.fetch(at, step, &frames)? {
            let items = found.into_iter().map(|frame| PlanRow::new(at, frame)).collect();
            streams.push(self.apply_row_steps(stops.read, stops.settles, items)?);
        }
        Ok(streams)
    }

    /// The frames of the turns of a loop.
    pub(super) fn loop_frames(&self, turn: &Loop, frame: &ExecutionFrame) -> Vec<ExecutionFrame> {
        let values: Vec<TypedValue> = match turn {
            Loop::Values(values) => {
                // A constant has the type of the parameters beside it.
                let ty = values.iter().find_map(|value| self.scope.parameter_type(value));
                values.iter().map(|value| self.scope.evaluate_value(value, ty)).collect()
            }
            Loop::Elements(of) => self.scope.evaluate(of, frame, None, None).elements(),
            Loop::Shards(count) => {
                let shards = (0..*count).filter_map(|shard| i32::try_from(shard).ok());
                let value = |shard: i32| {
                    TypedValue::new(NativeType::Int, Some(shard.to_be_bytes().to_vec()))
                };
                return shards.map(|shard| frame.with_turn(value(shard))).collect();
            }
            Loop::Buckets(walk) => return self.bucket_frames(walk, frame),
            Loop::Rows(step) => return self.row_frames(*step, frame),
        };
        let mut seen: Vec<&TypedValue> = Vec::new();
        for value in values.iter().filter(|value| !value.is_null()) {
            if !seen.iter().any(|other| other.compare(value).is_eq()) {
                seen.push(value);
            }
        }
        seen.into_iter().map(|value| frame.with_turn(value.clone())).collect()
    }

    /// A turn for each row of a step, with the rows under which it was read. A row that the frame
    /// has already is the only one.
    fn row_frames(&self, step: StepId, frame: &ExecutionFrame) -> Vec<ExecutionFrame> {
        let found = self.found.get(&step).map(Vec::as_slice).unwrap_or_default();
        let bound = found.iter().map(|row| {
            let mut frame = frame.with_turn(TypedValue::null());
            frame.rows.extend(row.rows.iter().map(|(step, row)| (*step, Rc::clone(row))));
            frame
        });
        bound.collect()
    }

    /// Every bucket of a walk that cannot stop early: of a write, whose oldest bucket was read
    /// before.
    fn bucket_frames(&self, walk: &BucketWalk, frame: &ExecutionFrame) -> Vec<ExecutionFrame> {
        let Some(ends) = walk::find_ends(walk, self.scope, frame, self.now_micros) else {
            return Vec::new();
        };
        let row = walk.oldest.and_then(|step| Some((step, frame.rows.get(&step)?)));
        let known = row.map(|(step, row)| self.decode_ends(walk, step, row)).unwrap_or_default();
        let Some(from) = ends.from.max(known.oldest) else { return Vec::new() };
        let to = known.newest.map_or(ends.to, |newest| ends.to.min(newest));
        // One more than a run may send, so that it is refused and not cut.
        let most = usize::try_from(STATEMENTS_MAX).unwrap_or(usize::MAX).saturating_add(1);
        (from..=to)
            .take(most)
            .map(|number| frame.with_turn(walk::bucket_value(walk.bucket, number)))
            .collect()
    }

    /// A walk over buckets, at one turn of the loops around it.
    fn walk_buckets(
        &mut self,
        at: StepId,
        step: &ReadStep,
        (depth, walk): (usize, &BucketWalk),
        frame: &ExecutionFrame,
        stops: &StopCondition<'_>,
    ) -> Result<Vec<Vec<PlanRow>>, Failure> {
        let Some(WalkEnds { mut from, mut to }) =
            walk::find_ends(walk, self.scope, frame, self.now_micros)
        else {
            return Ok(Vec::new());
        };
        if walk.newest.is_some() {
            let known = self.read_ends(walk, frame)?;
            let (Some(oldest), Some(newest)) = (known.oldest, known.newest) else {
                return Ok(Vec::new());
            };
            (from, to) = (from.max(Some(oldest)), to.min(newest));
        } else if from.is_none() && !walk.newest_first {
            from = self.read_ends(walk, frame)?.oldest;
            if from.is_none() {
                return Ok(Vec::new());
            }
        }
        let mut streams: Vec<Vec<PlanRow>> = Vec::new();
        let mut visited = 0_usize;
        let mut number = if walk.newest_first { to } else { from.unwrap_or(to) };
        while from.is_none_or(|from| from <= number) && number <= to {
            self.trace.borders += usize::from(visited == 1);
            visited += 1;
            let turned = frame.with_turn(walk::bucket_value(walk.bucket, number));
            append_streams(&mut streams, self.collect_streams(at, step, depth + 1, turned, stops)?);
            let rows: usize = streams.iter().map(Vec::len).sum();
            let is_asked = visited.is_multiple_of(usize::from(walk.ahead.max(1)));
            if walk.stops_at_limit && is_asked && rows as u64 >= stops.limit {
                break;
            }
            if from.is_none() {
                from = self.read_ends(walk, frame)?.oldest;
                if from.is_none() {
                    break;
                }
            }
            number += if walk.newest_first { -1 } else { 1 };
        }
        Ok(streams)
    }

    /// The recorded ends of the buckets under the current key.
    fn read_ends(
        &mut self,
        walk: &BucketWalk,
        frame: &ExecutionFrame,
    ) -> Result<RecordedEnds, Failure> {
        let Some(at) = walk.oldest else {
            return Err(Failure::Refused("a walk over buckets does not end".to_owned()));
        };
        let Some(step) = self.steps.get(at.index()).copied().flatten() else {
            return Ok(RecordedEnds::default());
        };
        let found = self.fetch(at, step, std::slice::from_ref(frame))?;
        let row = found.into_iter().flatten().next().and_then(|frame| frame.rows.get(&at).cloned());
        Ok(row.map(|row| self.decode_ends(walk, at, &row)).unwrap_or_default())
    }

    /// The ends of the buckets in the row of the step that reads them.
    fn decode_ends(&self, walk: &BucketWalk, at: StepId, row: &StepRow) -> RecordedEnds {
        let step = self.steps.get(at.index()).copied().flatten();
        let table = step.and_then(|step| self.table(step.table));
        let mut ends = RecordedEnds::default();
        for (name, value) in row.iter() {
            let column = table.and_then(|table| table.column(name));
            let bytes = value.bytes.as_deref();
            let number = bytes.and_then(|bytes| bucket::decode_number(walk.bucket, bytes));
            match column.map(|column| &column.derivation) {
                Some(Derivation::Newest(_)) => ends.newest = number,
                _ => ends.oldest = number,
            }
        }
        ends
    }
}

/// Appends the streams of the next bucket to those before.
fn append_streams(streams: &mut Vec<Vec<PlanRow>>, next: Vec<Vec<PlanRow>>) {
    for (at, stream) in next.into_iter().enumerate() {
        match streams.get_mut(at) {
            Some(before) => before.extend(stream),
            None => streams.push(stream),
        }
    }
}
