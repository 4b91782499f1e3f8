//! [`Timeline`]: the events of a trace on one axis of time, and how long each step took.
//!
//! A server writes `source_elapsed` for each node on its own, from the moment when that node began,
//! and timestamps by the clock of the node, which are precise to a millisecond. So times within a
//! node come from `source_elapsed`, and the timestamps only say when a node began. Where clocks
//! disagree, a message cannot arrive before it was sent.

use std::collections::{BTreeMap, BTreeSet};

use super::event::{Trace, TraceEvent};
use super::step::{Mark, MessageStep, Step, WriteStep};

/// The time that one event accounts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Activity {
    /// The event, a position in the events of the trace.
    pub event: usize,
    /// Its start, in microseconds since the request began.
    pub start: u64,
    /// Its end.
    pub end: u64,
    /// The part of it during which nothing began later: parts of all activities and the gaps add up
    /// to the whole.
    pub own: u64,
}

/// Time that no event accounts for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Its start, in microseconds since the request began.
    pub start: u64,
    /// Its end.
    pub end: u64,
    /// The last event before it.
    pub after: Option<usize>,
    /// The first event after it.
    pub before: Option<usize>,
    /// The nodes that had been asked and had not answered.
    pub waiting_for: BTreeSet<String>,
}

/// The events of a trace on one axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// Microseconds until the request was complete, or until the last event.
    pub total: u64,
    /// The time of each event, in the order of the trace.
    pub times: Vec<u64>,
    /// The events in the order of time.
    pub order: Vec<usize>,
    /// What takes time, by start.
    pub activities: Vec<Activity>,
    /// What nothing accounts for, by start.
    pub gaps: Vec<Gap>,
    /// By how many microseconds the clock of a node was moved, for messages to arrive after they
    /// were sent.
    pub skews: BTreeMap<String, i64>,
}

impl Timeline {
    /// Places the events of a trace.
    pub fn new(trace: &Trace) -> Self {
        let mut timeline = Self::default();
        timeline.place(trace);
        let mut order: Vec<usize> = (0..trace.events.len()).collect();
        order.sort_by_key(|event| timeline.times.get(*event).copied());
        timeline.order = order;
        let last = timeline.times.iter().copied().max().unwrap_or_default();
        timeline.total = trace.duration.unwrap_or(last).max(last);
        timeline.activities = find_activities(trace, &timeline);
        share_time(trace, &mut timeline);
        timeline
    }

    /// The time of an event.
    pub fn time(&self, event: usize) -> u64 {
        self.times.get(event).copied().unwrap_or_default()
    }

    /// Sets the time of each event: first of the coordinator, then of the others, which are placed
    /// by what it sends and receives.
    fn place(&mut self, trace: &Trace) {
        let coordinator = coordinator(trace);
        let origin = origin(trace, &coordinator);
        let mut nodes: BTreeMap<&str, Vec<(usize, &TraceEvent)>> = BTreeMap::new();
        for (position, event) in trace.events.iter().enumerate() {
            nodes.entry(&event.source).or_default().push((position, event));
        }
        let mut times = vec![0; trace.events.len()];
        let mut set = |placed: Vec<(usize, i64)>, shift: i64| {
            for (event, time) in placed {
                if let Some(slot) = times.get_mut(event) {
                    *slot = u64::try_from(time.saturating_add(shift)).unwrap_or_default();
                }
            }
        };
        let own = nodes.remove(&*coordinator).unwrap_or_default();
        let placed = place_node(&own, None);
        let mut exchanges: BTreeMap<&str, Exchange> = BTreeMap::new();
        for ((_, event), (_, time)) in own.iter().zip(&placed) {
            note_exchange(&event.step, *time, &mut exchanges);
        }
        set(placed, 0);
        for (source, events) in nodes {
            let placed = place_node(&events, origin);
            let exchange = exchanges.get(source).copied().unwrap_or_default();
            let shift = exchange.shift(&events, &placed);
            if shift != 0 {
                self.skews.insert(source.to_owned(), shift);
            }
            set(placed, shift);
        }
        self.times = times;
    }
}

/// When the coordinator first sent something to a node, and last received something from it.
#[derive(Clone, Copy, Debug, Default)]
struct Exchange {
    sent: Option<i64>,
    received: Option<i64>,
}

/// Notes a message of the coordinator.
fn note_exchange<'a>(step: &'a Step, time: i64, exchanges: &mut BTreeMap<&'a str, Exchange>) {
    let Step::Message(step) = step else { return };
    match step {
        MessageStep::Asking { node, .. }
        | MessageStep::Enqueued { node }
        | MessageStep::Sent { node, .. }
        | MessageStep::Speculating { node } => {
            let exchange = exchanges.entry(node).or_default();
            exchange.sent = Some(exchange.sent.map_or(time, |sent| sent.min(time)));
        }
        MessageStep::Received { node, .. } | MessageStep::Answered { node } => {
            let exchange = exchanges.entry(node).or_default();
            exchange.received = exchange.received.max(Some(time));
        }
        _ => {}
    }
}

impl Exchange {
    /// How far a node's events are to be moved so that its first one is not before the message that
    /// caused it, and its last answer not after its arrival.
    fn shift(self, events: &[(usize, &TraceEvent)], placed: &[(usize, i64)]) -> i64 {
        let Some(first) = placed.iter().map(|(_, time)| *time).min() else { return 0 };
        let answers = events.iter().zip(placed).filter(|((_, event), _)| {
            let step = &event.step;
            matches!(step, Step::Message(MessageStep::Answering { .. } | MessageStep::Sent { .. }))
        });
        let last = answers.map(|(_, (_, time))| *time).max().unwrap_or(first);
        let earliest = self.sent.map(|sent| sent - first);
        match (earliest, self.received) {
            (Some(earliest), _) if earliest > 0 => earliest,
            (_, Some(received)) if last > received => {
                (received - last).max(earliest.unwrap_or(i64::MIN))
            }
            _ => 0,
        }
    }
}

/// The coordinator: as the session says, else the node that the first event is from.
pub(super) fn coordinator(trace: &Trace) -> String {
    let first = || trace.events.first().map(|event| event.source.clone());
    trace.coordinator.clone().or_else(first).unwrap_or_default()
}

/// The moment by the clock when the coordinator began, in microseconds since 1970.
fn origin(trace: &Trace, coordinator: &str) -> Option<i64> {
    let events = trace.events.iter().filter(|event| event.source == coordinator);
    let begun = events.filter_map(|event| Some(event.at? - to_signed(event.elapsed?)));
    begun.min().or(trace.started)
}

/// The times of a node's events. Without an origin it began at 0; else by its clock. A replica
/// counts anew for each message that it receives.
fn place_node(events: &[(usize, &TraceEvent)], origin: Option<i64>) -> Vec<(usize, i64)> {
    let mut placed = Vec::with_capacity(events.len());
    let mut begin = 0;
    let mut previous = None;
    for (position, event) in events {
        let elapsed = to_signed(event.elapsed.unwrap_or_default());
        if let (Some(origin), Some(at)) = (origin, event.at) {
            let restarts = previous.is_none_or(|before| elapsed + RESTART < before);
            if restarts || event.elapsed.is_none() {
                begin = at - origin - elapsed;
            }
        }
        previous = Some(elapsed);
        placed.push((*position, begin.saturating_add(elapsed)));
    }
    placed
}

/// A node that counts back by more than these microseconds has begun anew.
const RESTART: i64 = 2_000;

/// The intervals between the events of each thread, given to the event that announces or reports
/// the work in them.
fn find_activities(trace: &Trace, timeline: &Timeline) -> Vec<Activity> {
    let mut lanes: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for event in &timeline.order {
        if let Some(of) = trace.events.get(*event) {
            lanes.entry((&of.source, &of.thread)).or_default().push(*event);
        }
    }
    let next_on_node = next_on_node(trace, timeline);
    let mut activities = Vec::new();
    for events in lanes.values() {
        let mut add = |event: usize, start: u64, end: u64| {
            if end > start {
                activities.push(Activity { event, start, end, own: 0 });
            }
        };
        for pair in events.windows(2) {
            let [one, other] = pair else { continue };
            let (start, end) = (timeline.time(*one), timeline.time(*other));
            match (mark(trace, *one), mark(trace, *other)) {
                (_, Mark::End) => add(*other, start, end),
                (Mark::Start, _) => {
                    let is_handing_over = is_handing_over(trace, *one);
                    let next = next_on_node.get(one).copied().filter(|_| is_handing_over);
                    add(*one, start, next.unwrap_or(end).min(end));
                }
                _ => {}
            }
        }
        if let Some(last) = events.last()
            && mark(trace, *last) == Mark::Start
            && !is_memory_write(trace, *last)
        {
            let start = timeline.time(*last);
            add(*last, start, next_on_node.get(last).copied().unwrap_or(start));
        }
    }
    activities.sort_by_key(|activity| (activity.start, activity.event));
    activities
}

fn mark(trace: &Trace, event: usize) -> Mark {
    trace.events.get(event).map_or(Mark::Moment, |event| event.step.mark())
}

/// Whether others carry on after a step, while its thread waits or is idle.
fn is_handing_over(trace: &Trace, event: usize) -> bool {
    let step = trace.events.get(event).map(|event| &event.step);
    matches!(
        step,
        Some(
            Step::Request(_)
                | Step::Range(_)
                | Step::Paxos(_)
                | Step::Write(WriteStep::Memtable { .. })
        )
    )
}

fn is_memory_write(trace: &Trace, event: usize) -> bool {
    let step = trace.events.get(event).map(|event| &event.step);
    matches!(step, Some(Step::Write(WriteStep::Memtable { .. })))
}

/// For each event, the time of the next one on the same node.
fn next_on_node(trace: &Trace, timeline: &Timeline) -> BTreeMap<usize, u64> {
    let mut next = BTreeMap::new();
    let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
    for event in timeline.order.iter().rev() {
        let Some(of) = trace.events.get(*event) else { continue };
        if let Some(time) = seen.insert(&of.source, timeline.time(*event)) {
            next.insert(*event, time);
        }
    }
    next
}

/// Gives each moment to the activity that began last among those under way, and what is left to
/// gaps.
fn share_time(trace: &Trace, timeline: &mut Timeline) {
    let mut borders: Vec<u64> = timeline.times.clone();
    borders.extend(timeline.activities.iter().flat_map(|activity| [activity.start, activity.end]));
    borders.extend([0, timeline.total]);
    borders.sort_unstable();
    borders.dedup();
    let mut active: BTreeSet<(u64, usize)> = BTreeSet::new();
    let (mut next, mut passed) = (0, 0);
    let mut asked: BTreeMap<String, u64> = BTreeMap::new();
    for pair in borders.windows(2) {
        let [start, end] = *pair else { continue };
        while let Some(activity) = timeline.activities.get(next)
            && activity.start <= start
        {
            active.insert((activity.start, next));
            next += 1;
        }
        while let Some(event) = timeline.order.get(passed)
            && timeline.time(*event) <= start
        {
            note_message(trace, *event, &mut asked);
            passed += 1;
        }
        let under_way = loop {
            let Some((began, position)) = active.last().copied() else { break None };
            match timeline.activities.get_mut(position) {
                Some(activity) if activity.end > start => break Some(activity),
                _ => active.remove(&(began, position)),
            };
        };
        if let Some(activity) = under_way {
            activity.own += end - start;
            continue;
        }
        let waiting_for: BTreeSet<String> =
            asked.iter().filter(|(_, open)| **open > 0).map(|(node, _)| node.clone()).collect();
        let after = passed.checked_sub(1).and_then(|at| timeline.order.get(at)).copied();
        let before = timeline.order.get(passed).copied();
        match timeline.gaps.last_mut() {
            Some(gap) if gap.end == start && gap.after == after => gap.end = end,
            _ => timeline.gaps.push(Gap { start, end, after, before, waiting_for }),
        }
    }
}

/// Counts the messages that nodes have not answered.
fn note_message(trace: &Trace, event: usize, asked: &mut BTreeMap<String, u64>) {
    let Some(Step::Message(step)) = trace.events.get(event).map(|event| &event.step) else {
        return;
    };
    match step {
        // A message is noted when it is chosen, enqueued and sent: it is under way once.
        MessageStep::Asking { node, .. }
        | MessageStep::Enqueued { node }
        | MessageStep::Sent { node, .. } => {
            asked.insert(node.clone(), 1);
        }
        MessageStep::Received { node, .. } | MessageStep::Answered { node } => {
            asked.insert(node.clone(), 0);
        }
        _ => {}
    }
}

fn to_signed(micros: u64) -> i64 {
    i64::try_from(micros).unwrap_or(i64::MAX / 4).min(i64::MAX / 4)
}
