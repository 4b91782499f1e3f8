//! `nodetool status` and `nodetool ring`: the nodes of each data center.

use std::collections::BTreeMap;

use super::super::collector::Target;
use super::super::phrase::Phrase;
use super::super::quantity::{parse_bytes, parse_number};
use super::super::section::{Format, SectionOutcome, SectionReader};
use super::address::find_told_node;
use crate::snapshot::NodeState;

pub(in crate::source) const FORMAT: Format = Format { kind: "nodetool status or ring", open };

/// The most nodes that are kept.
const NODES_MAX: usize = 10_000;

fn open(line: &str) -> Option<Box<dyn SectionReader>> {
    datacenter_of(line).map(|_| Box::new(RingReader::default()) as Box<dyn SectionReader>)
}

fn datacenter_of(line: &str) -> Option<&str> {
    let mut phrase = Phrase::new(line.trim());
    phrase.skip("Datacenter: ")?;
    Some(phrase.rest().trim())
}

/// Which of the two commands printed the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RingLayout {
    /// `UN  10.0.0.1  1.2 GiB  256  33.3%  host-id  rack1`
    Status,
    /// `10.0.0.1  rack1  Up  Normal  1.2 GiB  33.33%  token`, once for each token.
    Ring,
}

#[derive(Default)]
struct RingReader {
    datacenter: String,
    layout: Option<RingLayout>,
    kind: Option<&'static str>,
    /// How much of the ring the tokens of a node own together, if each row has its own share.
    shares: BTreeMap<String, f64>,
    rows: u64,
    skipped: u64,
}

impl SectionReader for RingReader {
    fn is_own_line(&self, line: &str) -> bool {
        datacenter_of(line).is_some()
            || line.starts_with(['=', '|', '-', ' '])
            || state_of(line.get(..2).unwrap_or_default()).is_some()
                && self.layout == Some(RingLayout::Status)
    }

    fn read_line(&mut self, line: &str, target: &mut Target<'_>) {
        if let Some(datacenter) = datacenter_of(line) {
            datacenter.clone_into(&mut self.datacenter);
            self.layout = None;
            return;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        match *words {
            ["--", "Address", ..] => self.layout = Some(RingLayout::Status),
            ["Address", ..] => self.layout = Some(RingLayout::Ring),
            _ => {}
        }
        let read = match self.layout {
            Some(RingLayout::Status) if state_of(words.first().unwrap_or(&"")).is_some() => {
                self.kind = Some("nodetool status");
                self.read_status(&words, target)
            }
            Some(RingLayout::Ring) if matches!(words.get(2), Some(&("Up" | "Down"))) => {
                self.kind = Some("nodetool ring");
                self.read_ring(&words, target)
            }
            _ => return,
        };
        self.rows += u64::from(read.is_some());
        self.skipped += u64::from(read.is_none());
    }

    fn finish(&mut self, target: &mut Target<'_>) -> SectionOutcome {
        let shares = std::mem::take(&mut self.shares);
        for (address, share) in shares {
            find_told_node(target.snapshot, &address).owns_percent = Some(share);
        }
        let outcome = match self.rows {
            0 => SectionOutcome::with_problem("it contains no node"),
            _ => SectionOutcome::with_skipped_lines(self.skipped),
        };
        SectionOutcome { kind: self.kind, ..outcome }
    }
}

/// The state that two letters mean: up or down, and what the node does.
fn state_of(letters: &str) -> Option<NodeState> {
    match letters.as_bytes() {
        [b'D', b'N' | b'L' | b'J' | b'M' | b'S'] => Some(NodeState::Down),
        [b'U' | b'?', b'N'] => Some(NodeState::Normal),
        [b'U', b'L'] => Some(NodeState::Leaving),
        [b'U', b'J'] => Some(NodeState::Joining),
        [b'U', b'M'] => Some(NodeState::Moving),
        _ => None,
    }
}

/// Whether a text is an id of a host.
fn is_host_id(text: &str) -> bool {
    text.len() == 36 && text.bytes().filter(|byte| *byte == b'-').count() == 4
}

impl RingReader {
    /// Reads a row of `status`. The load is two words, or `?`; some columns depend on the options.
    fn read_status(&self, words: &[&str], target: &mut Target<'_>) -> Option<()> {
        let [state, address, rest @ ..] = words else { return None };
        if target.snapshot.nodes.len() >= NODES_MAX {
            return None;
        }
        let load = match rest {
            [number, unit, ..] => parse_bytes(&format!("{number} {unit}")),
            _ => None,
        };
        let node = find_told_node(target.snapshot, address_of(address));
        node.state = state_of(state);
        node.datacenter = Some(self.datacenter.clone());
        node.load_bytes = load.or(node.load_bytes);
        node.host_id = rest.iter().find(|word| is_host_id(word)).map(|id| (*id).to_owned());
        node.rack = rest.last().map(|rack| (*rack).to_owned());
        let share = rest.iter().find_map(|word| parse_number(word.strip_suffix('%')?));
        node.owns_percent = share.or(node.owns_percent);
        Some(())
    }

    /// Reads a row of `ring`.
    fn read_ring(&mut self, words: &[&str], target: &mut Target<'_>) -> Option<()> {
        let [address, rack, status, state, rest @ ..] = words else { return None };
        if target.snapshot.nodes.len() >= NODES_MAX {
            return None;
        }
        let load = match rest {
            [number, unit, ..] => parse_bytes(&format!("{number} {unit}")),
            _ => None,
        };
        let address = address_of(address);
        if let Some(share) = rest.iter().find_map(|word| parse_number(word.strip_suffix('%')?)) {
            // With a keyspace, or if all have the same settings, each row has the share of the node.
            let known = self.shares.entry(address.to_owned()).or_insert(share);
            *known = known.max(share);
        }
        let node = find_told_node(target.snapshot, address);
        node.datacenter = Some(self.datacenter.clone());
        node.rack = Some((*rack).to_owned());
        node.load_bytes = load.or(node.load_bytes);
        node.state = match (*status, *state) {
            ("Down", _) => Some(NodeState::Down),
            (_, "Normal") => Some(NodeState::Normal),
            (_, "Leaving") => Some(NodeState::Leaving),
            (_, "Joining") => Some(NodeState::Joining),
            (_, "Moving") => Some(NodeState::Moving),
            _ => node.state,
        };
        Some(())
    }
}

/// An address without the port that `-pp` adds.
fn address_of(word: &str) -> &str {
    match word.rsplit_once(':') {
        Some((host, port)) if port.parse::<u16>().is_ok() && !host.contains(':') => host,
        _ => word,
    }
}
