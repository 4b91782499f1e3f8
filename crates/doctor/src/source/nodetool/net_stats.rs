//! `nodetool netstats`: only whether the node is in its normal mode, and that the output is known.

use super::super::collector::Target;
use super::super::phrase::rest_after;
use super::super::section::{Format, SectionOutcome, SectionReader};
use crate::snapshot::NodeState;

pub(in crate::source) const FORMAT: Format = Format { kind: "nodetool netstats", open };

fn open(line: &str) -> Option<Box<dyn SectionReader>> {
    mode_of(line).map(|_| Box::new(NetStatsReader) as Box<dyn SectionReader>)
}

fn mode_of(line: &str) -> Option<Option<NodeState>> {
    match rest_after(line.trim_end(), "Mode: ")? {
        "NORMAL" => Some(Some(NodeState::Normal)),
        "JOINING" => Some(Some(NodeState::Joining)),
        "LEAVING" => Some(Some(NodeState::Leaving)),
        "MOVING" => Some(Some(NodeState::Moving)),
        "STARTING" | "DRAINED" | "DRAINING" | "DECOMMISSIONED" | "CLIENT" => Some(None),
        _ => None,
    }
}

struct NetStatsReader;

impl SectionReader for NetStatsReader {
    fn is_own_line(&self, line: &str) -> bool {
        // Its table of messages has nearly the heading of `tpstats`.
        rest_after(line, "Pool Name").is_some() && line.trim_end().ends_with("Dropped")
    }

    fn read_line(&mut self, line: &str, target: &mut Target<'_>) {
        if let Some(Some(state)) = mode_of(line) {
            target.node().state = Some(state);
        }
    }

    fn finish(&mut self, _target: &mut Target<'_>) -> SectionOutcome {
        SectionOutcome::complete()
    }
}
