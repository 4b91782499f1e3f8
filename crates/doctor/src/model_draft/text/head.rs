//! The head of the file: what it was made from, what is missing and what to edit first.

use std::collections::BTreeMap;
use std::fmt::Write;

use schema::catalog::Keyspace;

use super::super::open_point::OpenPointKind;
use super::super::statement::StatementList;
use super::super::volume::count_copies;
use super::FileContent;
use crate::snapshot::{StatementOrigin, TableMeasurements};
use model::sql_name::comment_text;

impl FileContent<'_, '_> {
    /// The comments and directives above the first table.
    pub(super) fn write_head(&self, list: &StatementList) -> String {
        let mut text = format!(
            "-- A draft of the model of keyspace {}, made from what was collected from its cluster.\n--\n",
            comment_text(&self.keyspace.name)
        );
        self.write_sources(&mut text);
        self.write_missing(&mut text, list);
        let _ = writeln!(
            text,
            "-- Edit first: the lines marked \"unknown\" and \"assumed\" ({} and {}), then the rates that are lower\n\
             -- bounds, then the statements at the end that are not translated ({}). \"evidence\" says what was\n\
             -- seen, \"left out\" what the design decides anew. Then run: helenus design model.sql",
            self.count_points(list, OpenPointKind::Unknown),
            self.count_points(list, OpenPointKind::Assumption),
            list.untranslated.len()
        );
        let _ = write!(
            text,
            "\n-- @dialect postgresql  @keyspace {}",
            keyspace_word(&self.keyspace.name)
        );
        let _ = writeln!(text, "  @replication {}{}\n", replication(self.keyspace), self.nodes());
        text
    }

    fn count_points(&self, list: &StatementList, kind: OpenPointKind) -> usize {
        let of_tables = self.entities.iter().flat_map(|entity| &entity.points);
        let of_statements =
            list.statements.iter().flat_map(|it| it.points.iter().chain([&it.rate.point]));
        of_tables.chain(of_statements).filter(|point| point.kind() == kind).count()
    }

    fn nodes(&self) -> String {
        let count = self.snapshot.nodes.len();
        if count > 1 { format!("  @nodes {count}") } else { String::new() }
    }

    fn write_sources(&self, text: &mut String) {
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        for source in self.snapshot.sources.iter().filter_map(|source| source.kind) {
            *kinds.entry(source).or_default() += 1;
        }
        let kinds: Vec<String> = kinds
            .into_iter()
            .map(
                |(kind, count)| {
                    if count == 1 { kind.to_owned() } else { format!("{count} x {kind}") }
                },
            )
            .collect();
        if !kinds.is_empty() {
            let _ = writeln!(text, "-- Made from: {}.", comment_text(&kinds.join(", ")));
        }
        let mut origins: BTreeMap<StatementOrigin, usize> = BTreeMap::new();
        for statement in self.snapshot.statements.values() {
            for origin in &statement.origins {
                *origins.entry(*origin).or_default() += 1;
            }
        }
        let origins = origins
            .into_iter()
            .map(|(origin, count)| format!("{count} from the {}", origin.name()));
        let origins: Vec<String> = origins.collect();
        let _ = match origins.as_slice() {
            [] => writeln!(
                text,
                "-- No statements were seen: write the queries and writes of the application below."
            ),
            _ => writeln!(text, "-- Different statements: {}.", origins.join(", ")),
        };
    }

    fn write_missing(&self, text: &mut String, list: &StatementList) {
        let statements = || self.snapshot.statements.values();
        let has_origin = |origin| statements().any(|statement| statement.origins.contains(&origin));
        let is_complete =
            has_origin(StatementOrigin::FullQueryLog) || has_origin(StatementOrigin::AuditLog);
        let tables = || self.snapshot.nodes.values().flat_map(|node| node.tables.values());
        let mut missing = Vec::new();
        if !is_complete {
            missing.push("a full query log or an audit log, without which statements may be absent and rates are too low");
        }
        let has_partitions = |table: &TableMeasurements| {
            table.partitions.is_some() || table.ranges.is_some_and(|ranges| ranges.partitions > 0)
        };
        if !tables().any(has_partitions) {
            missing.push("nodetool tablestats, for the number of partitions");
        }
        if !tables().any(|table| table.partition_cells.is_some()) {
            missing.push("nodetool tablehistograms, for the rows of a partition");
        }
        if !self.snapshot.nodes.values().any(|node| node.uptime_seconds.is_some()) {
            missing.push("nodetool info, for the time in which requests were counted");
        }
        for what in missing {
            let _ = writeln!(text, "-- Missing: {what}.");
        }
        if list.rare > 0 {
            let _ =
                writeln!(text, "-- Left out: {} statements that were seen least often.", list.rare);
        }
        if !self.other_keyspaces.is_empty() {
            let names = comment_text(&self.other_keyspaces.join(", "));
            let _ = writeln!(
                text,
                "-- Other keyspaces, each a model of its own (--keyspace): {names}; {} statements were theirs.",
                list.elsewhere
            );
        }
    }
}

/// A name as the value of a directive.
fn keyspace_word(name: &str) -> String {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
    let word: String = name.chars().map(|sign| if is_plain(sign) { sign } else { '_' }).collect();
    word.to_ascii_lowercase()
}

/// The datacenters with their copies.
fn replication(keyspace: &Keyspace) -> String {
    let is_by_center = keyspace.replication.class.ends_with("NetworkTopologyStrategy");
    let centers = keyspace.replication.options.iter().filter_map(|(name, copies)| {
        let copies: u64 = copies.split('/').next()?.parse().ok()?;
        let is_name =
            name.chars().all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-'));
        (is_by_center && is_name && copies > 0 && &**name != "replication_factor")
            .then(|| format!("{name}:{copies}"))
    });
    let centers: Vec<String> = centers.collect();
    if centers.is_empty() {
        format!("datacenter1:{}", count_copies(keyspace))
    } else {
        centers.join(", ")
    }
}
