//! `nodetool describecluster`: the name, the schema and the version of each node.

use super::super::collector::Target;
use super::super::section::{Format, SectionOutcome, SectionReader};
use super::address::find_told_node;
use crate::snapshot::{NodeState, Product, ServerVersion};

pub(in crate::source) const FORMAT: Format = Format { kind: "nodetool describecluster", open };

/// The most nodes that are kept.
const NODES_MAX: usize = 10_000;

fn open(line: &str) -> Option<Box<dyn SectionReader>> {
    let is_start = line.trim_end() == "Cluster Information:";
    is_start.then(|| {
        Box::new(ClusterDescriptionReader { part: Part::Cluster, versions: 0 })
            as Box<dyn SectionReader>
    })
}

/// The part of the output that is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Cluster,
    SchemaVersions,
    DatabaseVersions,
    Other,
}

struct ClusterDescriptionReader {
    part: Part,
    versions: u64,
}

impl SectionReader for ClusterDescriptionReader {
    fn is_own_line(&self, line: &str) -> bool {
        line.starts_with('\t')
            || matches!(
                line.trim_end(),
                "Stats for all nodes:" | "Data Centers:" | "Database versions:" | "Keyspaces:"
            )
    }

    fn read_line(&mut self, line: &str, target: &mut Target<'_>) {
        let content = line.trim();
        match content {
            "" | "Cluster Information:" => return,
            "Schema versions:" => return self.part = Part::SchemaVersions,
            "Database versions:" => return self.part = Part::DatabaseVersions,
            "Stats for all nodes:" | "Data Centers:" | "Keyspaces:" => {
                return self.part = Part::Other;
            }
            _ => {}
        }
        let Some((label, value)) = content.split_once(": ") else { return };
        match self.part {
            Part::Cluster if label == "Name" => {
                target.snapshot.cluster_name = Some(value.to_owned());
            }
            Part::SchemaVersions => {
                self.versions += 1;
                set_schema_version(label, value, target);
            }
            Part::DatabaseVersions => set_version(label, value, target),
            _ => {}
        }
    }

    fn finish(&mut self, _target: &mut Target<'_>) -> SectionOutcome {
        match self.versions {
            0 => SectionOutcome::with_problem("it contains no version of the schema"),
            _ => SectionOutcome::complete(),
        }
    }
}

/// The addresses of a list, without ports: `[10.0.0.1, 10.0.0.2:7000]`.
fn addresses(list: &str) -> impl Iterator<Item = &str> {
    let inside = list.trim_start_matches('[').trim_end_matches(']');
    let words = inside.split(", ").filter(|word| !word.is_empty()).take(NODES_MAX);
    words.map(|word| match word.rsplit_once(':') {
        Some((host, port)) if port.parse::<u16>().is_ok() && !host.contains(':') => host,
        _ => word,
    })
}

/// The version of the schema of some nodes, or `UNREACHABLE`.
fn set_schema_version(version: &str, list: &str, target: &mut Target<'_>) {
    for address in addresses(list) {
        let node = find_told_node(target.snapshot, address);
        if version == "UNREACHABLE" {
            node.state = Some(NodeState::Down);
        } else {
            node.schema_version = Some(version.to_owned());
        }
    }
}

fn set_version(version: &str, list: &str, target: &mut Target<'_>) {
    for address in addresses(list) {
        let node = find_told_node(target.snapshot, address);
        node.version = ServerVersion::parse(version).or(node.version);
        node.product = node.product.or(Some(Product::Cassandra));
    }
}
