//! The waterfall: a bar for each phase on one axis of time, node by node, and one for each gap.

use std::collections::BTreeMap;
use std::io::{self, Write};

use doctor::trace::Phase;
use doctor::trace::analysis::TraceAnalysis;

use super::phase_text::{micros, name, percent};
use super::{FAINT, HEADING, cut};

/// Columns of the time and share behind the bars.
const FIGURES: usize = 17;
/// Columns of the names: from, to.
const NAMES: (usize, usize) = (20, 38);
/// The thread is shown in layouts of at least these columns.
const THREADS_FROM: usize = 110;
const THREAD: usize = 28;
/// Gaps of less than this part of the request are not drawn.
const GAP_SHARE: u64 = 50;

/// A line of the waterfall.
struct Bar {
    name: String,
    thread: String,
    start: u64,
    end: u64,
    own: u64,
    is_gap: bool,
}

/// The columns of a layout.
struct Layout {
    names: usize,
    threads: usize,
    bars: usize,
    total: u64,
}

/// Writes the waterfall.
pub(super) fn write(analysis: &TraceAnalysis, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let groups = groups(analysis);
    let bars = || groups.iter().flat_map(|(_, bars)| bars);
    let names = bars().map(|bar| bar.name.chars().count()).max().unwrap_or_default() + 1;
    let names = names.clamp(NAMES.0, NAMES.1);
    let threads = if width >= THREADS_FROM { THREAD } else { 0 };
    let total = analysis.timeline.total.max(1);
    let bars = width.saturating_sub(names + threads + FIGURES + 4).max(10);
    let layout = Layout { names, threads, bars, total };
    layout.write_axis(out)?;
    let shows_nodes = groups.len() > 1;
    for (node, bars) in &groups {
        if shows_nodes {
            let role = if *node == analysis.coordinator { " (coordinator)" } else { "" };
            writeln!(out, "  {HEADING}{node}{HEADING:#}{role}")?;
        }
        for bar in bars {
            layout.write_bar(bar, out)?;
        }
    }
    Ok(())
}

/// The bars of each node, the coordinator first; gaps are the coordinator's.
fn groups(analysis: &TraceAnalysis) -> Vec<(String, Vec<Bar>)> {
    let mut groups: Vec<(String, Vec<Bar>)> = vec![(analysis.coordinator.clone(), Vec::new())];
    let mut places = BTreeMap::from([(analysis.coordinator.as_str(), 0)]);
    for phase in &analysis.phases {
        let place = *places.entry(&phase.source).or_insert(groups.len());
        if place == groups.len() {
            groups.push((phase.source.clone(), Vec::new()));
        }
        if let Some((_, bars)) = groups.get_mut(place) {
            bars.push(phase_bar(phase));
        }
    }
    for gap in &analysis.timeline.gaps {
        let own = gap.end - gap.start;
        if own.saturating_mul(GAP_SHARE) < analysis.timeline.total {
            continue;
        }
        let name = match gap.waiting_for.iter().next() {
            Some(node) if gap.waiting_for.len() == 1 => format!("(wait for {node})"),
            Some(_) => format!("(wait for {} nodes)", gap.waiting_for.len()),
            None if gap.before.is_none() => "(after the last event)".to_owned(),
            None if gap.after.is_none() => "(before the first event)".to_owned(),
            None => "(no event)".to_owned(),
        };
        let thread = String::new();
        let bar = Bar { name, thread, start: gap.start, end: gap.end, own, is_gap: true };
        if let Some((_, bars)) = groups.first_mut() {
            bars.push(bar);
        }
    }
    for (_, bars) in &mut groups {
        bars.sort_by_key(|bar| (bar.start, bar.end));
    }
    groups.retain(|(_, bars)| !bars.is_empty());
    groups
}

fn phase_bar(phase: &Phase) -> Bar {
    Bar {
        name: name(phase),
        thread: phase.thread.clone(),
        start: phase.start,
        end: phase.end,
        own: phase.own,
        is_gap: false,
    }
}

impl Layout {
    fn write_axis(&self, out: &mut dyn Write) -> io::Result<()> {
        let (left, right) = ("0", micros(self.total));
        let middle = micros(self.total / 2);
        let half = self.bars / 2;
        let room = self.bars.saturating_sub(half + right.chars().count());
        let lead = " ".repeat(self.names + self.threads);
        writeln!(out, "  {lead}{FAINT}{left:<half$}{middle:<room$}{right}{FAINT:#}      own time")
    }

    fn write_bar(&self, bar: &Bar, out: &mut dyn Write) -> io::Result<()> {
        let (first, last) = (self.column(bar.start), self.column(bar.end));
        let first = first.min(self.bars - 1);
        let length = (last.saturating_sub(first)).max(1);
        let fill = if bar.is_gap { "░" } else { "█" };
        let lead = format!("{}{}", " ".repeat(first), fill.repeat(length));
        let rest = " ".repeat(self.bars.saturating_sub(first + length));
        let share = percent(bar.own, self.total);
        let name = cut(&bar.name, self.names - 1);
        let names = self.names;
        write!(out, "  {name:<names$}")?;
        if self.threads > 0 {
            let (thread, threads) = (cut(&bar.thread, self.threads - 1), self.threads);
            write!(out, "{FAINT}{thread:<threads$}{FAINT:#}")?;
        }
        writeln!(out, "{lead}{rest} {:>9} {share:>3} %", micros(bar.own))
    }

    /// The column of a moment.
    fn column(&self, at: u64) -> usize {
        let columns = u64::try_from(self.bars).unwrap_or(u64::MAX);
        let column = at.saturating_mul(columns) / self.total;
        usize::try_from(column).unwrap_or(self.bars).min(self.bars)
    }
}
