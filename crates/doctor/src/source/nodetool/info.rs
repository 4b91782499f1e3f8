//! `nodetool info`.

use super::super::collector::Target;
use super::super::phrase::rest_after;
use super::super::quantity::{parse_bytes, parse_count, parse_number, whole_number};
use super::super::section::{Format, SectionOutcome, SectionReader};

pub(in crate::source) const FORMAT: Format = Format { kind: "nodetool info", open };

fn open(line: &str) -> Option<Box<dyn SectionReader>> {
    let (label, _) = field_of(line)?;
    // The first line is the id; it is looked for with its label padded to the width of the others.
    let is_start = label == "ID" && rest_after(line, "ID  ").is_some() || label == "Gossip active";
    is_start.then(|| Box::new(InfoReader { fields: 0 }) as Box<dyn SectionReader>)
}

/// The label and the value of a line.
fn field_of(line: &str) -> Option<(&str, &str)> {
    let (label, value) = line.split_once(':')?;
    Some((label.trim(), value.trim()))
}

struct InfoReader {
    fields: u64,
}

impl SectionReader for InfoReader {
    fn is_own_line(&self, line: &str) -> bool {
        matches!(field_of(line), Some(("Gossip active", _)))
    }

    fn read_line(&mut self, line: &str, target: &mut Target<'_>) {
        let Some((label, value)) = field_of(line) else { return };
        let node = target.node();
        match label {
            "ID" => node.host_id = Some(value.to_owned()),
            "Load" => node.load_bytes = parse_bytes(value),
            "Uptime (seconds)" => node.uptime_seconds = parse_count(value),
            "Heap Memory (MB)" => {
                let megabytes = |text: &str| whole_number(parse_number(text)? * 1_048_576.0);
                if let Some((used, max)) = value.split_once('/') {
                    node.heap_used_bytes = megabytes(used);
                    node.heap_max_bytes = megabytes(max);
                }
            }
            "Data Center" => node.datacenter = Some(value.to_owned()),
            "Rack" => node.rack = Some(value.to_owned()),
            "Exceptions" => node.exceptions = parse_count(value),
            _ => return,
        }
        self.fields += 1;
    }

    fn finish(&mut self, _target: &mut Target<'_>) -> SectionOutcome {
        match self.fields {
            0..=2 => SectionOutcome::with_problem("most of its fields are missing"),
            _ => SectionOutcome::complete(),
        }
    }
}
