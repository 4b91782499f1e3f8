//! Snapshots of a cluster, by CQL alone.

use std::time::{SystemTime, UNIX_EPOCH};

use cluster::{ConnectionOptions, ErrorKind, SystemReader};
use doctor::Snapshot;
use doctor::system_tables::{SystemCollector, SystemQuery, SystemRows, list_queries};

/// Reads the tables of the server itself on every node.
pub(crate) fn read_cluster(
    options: &ConnectionOptions,
    show: &mut dyn FnMut(&str, u64, u64),
) -> Result<Snapshot, cluster::Error> {
    let mut reader = SystemReader::open(options)?;
    let nodes = reader.nodes();
    let mut collector = SystemCollector::default();
    let queries: Vec<&SystemQuery> = list_queries().collect();
    let total = (queries.len() * nodes.len()) as u64;
    let mut done = 0;
    let mut silent = vec![false; nodes.len()];
    for query in queries {
        for (at, node) in nodes.iter().enumerate() {
            done += 1;
            show(query.table, done, total);
            // A table of the whole cluster is read on the first node that answers.
            if silent[at] || !query.is_per_node && collector.has_read(query) {
                continue;
            }
            match reader.read(at, query.cql) {
                Ok(result) => {
                    let rows = SystemRows { columns: result.columns, rows: result.rows };
                    collector.add(query, node, &rows);
                }
                Err(error) => {
                    // A node that does not answer once is not asked again.
                    silent[at] = error.response.is_none()
                        && matches!(error.kind, ErrorKind::Lost | ErrorKind::Unreachable);
                    if silent[at] {
                        collector.add_silence(node);
                    }
                    collector.add_problem(query, node, describe(&error));
                }
            }
        }
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(collector.finish(i64::try_from(now.as_millis()).ok()))
}

/// The statements that would be sent, with where they run.
pub(crate) fn list_statements() -> impl Iterator<Item = (&'static str, bool)> {
    list_queries().map(|query| (query.cql, query.is_per_node))
}

/// Why a table could not be read: most often since the release does not have it.
fn describe(error: &cluster::Error) -> String {
    use cql::ErrorCode;
    let code = error.response.as_ref().map(|response| response.code);
    match (error.kind, code) {
        (_, Some(ErrorCode::Invalid | ErrorCode::Config)) => {
            "not available on this server".to_owned()
        }
        (_, Some(ErrorCode::Unauthorized)) => "the role may not read it".to_owned(),
        (ErrorKind::Lost, _) => "no response; the node was not asked for more".to_owned(),
        _ => error.message.clone(),
    }
}
