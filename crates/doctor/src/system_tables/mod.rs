//! The tables of the server itself, read by CQL: the statements, and the snapshot that their rows
//! become. Which of the tables exist depends on product and release; those that do not are noted.
//!
//! - `QUERIES` are the statements, each with the function that reads its rows;
//! - `schema_text` turns the rows of `system_schema` into statements, which build the catalog.

mod cluster_tables;
mod estimate_tables;
mod log_lines;
mod membership_tables;
mod query_tables;
mod rows;
mod schema_text;
mod scylla_tables;
mod statistics_tables;
#[cfg(test)]
mod tests;
mod trace_tables;

use schema::Session;

pub use rows::SystemRows;
pub use schema_text::SchemaRows;
pub use trace_tables::TraceRows;

use crate::Snapshot;
use crate::snapshot::{Node, NodeState, SourceRecord};
use crate::source::Collector;

/// How a table is called in the record of what was read.
const SOURCE_KIND: &str = "system table";

/// A statement that is sent to nodes.
#[derive(Clone, Copy, Debug)]
pub struct SystemQuery {
    /// The name of the table, with its keyspace.
    pub table: &'static str,
    /// The statement.
    pub cql: &'static str,
    /// Whether every node has its own rows; the others are read on one node.
    pub is_per_node: bool,
    read: RowReader,
}

/// What reads the rows of a statement.
#[derive(Clone, Copy, Debug)]
enum RowReader {
    /// Figures of the node.
    Node(fn(&SystemRows, &mut Node)),
    /// Figures of the cluster, its statements or other nodes; the name is that of the node.
    Cluster(fn(&SystemRows, &str, &mut Snapshot)),
    /// Part of the schema.
    Schema(fn(&SystemRows, &mut SchemaRows)),
    /// Part of the traces.
    Trace(fn(&mut TraceRows, &SystemRows)),
    /// Lines of the log.
    Log(fn(&SystemRows) -> String),
}

impl SystemQuery {
    /// The LIMIT of the statement.
    fn rows_max(&self) -> Option<usize> {
        self.cql.rsplit(' ').next()?.parse().ok()
    }
}

/// All statements, in the order in which they are sent.
pub fn list_queries() -> impl Iterator<Item = &'static SystemQuery> {
    let lists = [
        cluster_tables::QUERIES,
        membership_tables::QUERIES,
        schema_text::QUERIES,
        estimate_tables::QUERIES,
        statistics_tables::QUERIES,
        query_tables::QUERIES,
        trace_tables::QUERIES,
        log_lines::QUERIES,
        scylla_tables::QUERIES,
    ];
    lists.into_iter().flatten()
}

/// A snapshot in the making.
#[derive(Debug, Default)]
pub struct SystemCollector {
    /// What was read so far.
    pub snapshot: Snapshot,
    schema: SchemaRows,
    traces: TraceRows,
    logs: Collector,
}

impl SystemCollector {
    /// Whether a node has returned the rows of a statement.
    pub fn has_read(&self, query: &SystemQuery) -> bool {
        let mut sources = self.snapshot.sources.iter();
        sources.any(|source| source.name == query.table && source.problem.is_none())
    }

    /// Adds the rows that a node returned.
    pub fn add(&mut self, query: &SystemQuery, node: &str, rows: &SystemRows) {
        self.snapshot.nodes.entry(node.to_owned()).or_default();
        match query.read {
            RowReader::Node(read) => {
                if let Some(known) = self.snapshot.nodes.get_mut(node) {
                    read(rows, known);
                }
            }
            RowReader::Cluster(read) => read(rows, node, &mut self.snapshot),
            RowReader::Schema(read) => read(rows, &mut self.schema),
            RowReader::Trace(read) => read(&mut self.traces, rows),
            RowReader::Log(read) => {
                self.logs.read(query.table, node, read(rows).as_bytes());
            }
        }
        let is_cut = query.rows_max().is_some_and(|most| rows.rows.len() >= most && most > 1);
        let problem = is_cut.then(|| format!("only the first {} rows were read", rows.rows.len()));
        self.record(query, node, problem);
    }

    /// Notes that a node did not return rows.
    pub fn add_problem(&mut self, query: &SystemQuery, node: &str, problem: String) {
        self.record(query, node, Some(problem));
    }

    /// Notes that a node does not answer. What it told before is kept.
    pub fn add_silence(&mut self, node: &str) {
        let told = || Node { is_told_by_others: true, ..Node::default() };
        let known = self.snapshot.nodes.entry(node.to_owned()).or_insert_with(told);
        known.state = Some(NodeState::Silent);
    }

    fn record(&mut self, query: &SystemQuery, node: &str, problem: Option<String>) {
        self.snapshot.sources.push(SourceRecord {
            name: query.table.to_owned(),
            node: node.to_owned(),
            kind: Some(SOURCE_KIND),
            problem,
        });
    }

    /// The snapshot, with the schema, as of a moment in milliseconds since 1970.
    pub fn finish(mut self, now_ms: Option<i64>) -> Snapshot {
        let (session, refused): (Session, usize) = self.schema.build();
        if session.catalog.keyspaces.values().next().is_some() {
            self.snapshot.schema = Some(session.catalog);
        }
        if refused > 0 {
            self.snapshot.sources.push(SourceRecord {
                name: "system_schema".to_owned(),
                node: String::new(),
                kind: Some(SOURCE_KIND),
                problem: Some(format!("{refused} objects could not be rebuilt")),
            });
        }
        self.traces.observe(&mut self.snapshot);
        log_lines::merge(self.logs.finish(), &mut self.snapshot);
        self.snapshot.collected_at_ms = now_ms;
        for node in self.snapshot.nodes.values_mut() {
            let seconds = now_ms.zip(node.started_ms).map(|(now, start)| (now - start) / 1_000);
            node.uptime_seconds = seconds.and_then(|seconds| u64::try_from(seconds).ok());
        }
        self.snapshot
    }
}
