//! `nodetool netstats`: only whether the node is in its normal mode, and that the output is known.

use super::super::collector::Target;
use super::super::phrase::rest_after;
use super::super::section::{Format, SectionOutcome, SectionReader};
use crate::snapshot::NodeState;

pub(in crate::source) const FORMAT: Format = Format { kind: "nodetool netstats", open };

fn open(line: &str) -> Option<Box<dyn SectionReader>> {
    mode_of(line).map(|_| Box::new(NetStatsReader) as Box<dyn SectionReader>)
}

/// The modes that a node can be in, with the states of the ring that they are.
const MODES: [(&str, Option<NodeState>); 9] = [
    ("NORMAL", Some(NodeState::Normal)),
    ("JOINING", Some(NodeState::Joining)),
    ("LEAVING", Some(NodeState::Leaving)),
    ("MOVING", Some(NodeState::Moving)),
    ("STARTING", None),
    ("DRAINING", None),
    ("DRAINED", None),
    ("DECOMMISSIONED", None),
    ("CLIENT", None),
];

fn mode_of(line: &str) -> Option<(&'static str, Option<NodeState>)> {
    let mode = rest_after(line.trim_end(), "Mode: ")?;
    MODES.iter().find(|(name, _)| *name == mode).copied()
}

struct NetStatsReader;

impl SectionReader for NetStatsReader {
    fn is_own_line(&self, line: &str) -> bool {
        // Its table of messages has nearly the heading of `tpstats`.
        rest_after(line, "Pool Name").is_some() && line.trim_end().ends_with("Dropped")
    }

    fn read_line(&mut self, line: &str, target: &mut Target<'_>) {
        if let Some((_, Some(state))) = mode_of(line) {
            target.node().state = Some(state);
        }
    }

    fn finish(&mut self, _target: &mut Target<'_>) -> SectionOutcome {
        SectionOutcome::complete()
    }
}
