//! [`SystemReader`]: reads tables of the server itself on each node of a cluster, and nothing else.
//!
//! Statements pass [`check_read_only`], run one at a time with a pause before each, in pages, at
//! the weakest consistency level, and on the node that was asked for.

use std::sync::Arc;
use std::time::{Duration, Instant};

use scylla::cluster::Node;
use scylla::policies::load_balancing::{NodeIdentifier, SingleTargetLoadBalancingPolicy};
use scylla::response::{PagingState, PagingStateResponse};
use scylla::statement::Consistency;
use scylla::statement::unprepared::Statement;

use crate::connection::{Connection, ResultSet, append_page};
use crate::connection_options::ConnectionOptions;
use crate::error::Error;
use crate::read_only::{ROWS_MAX, check_read_only};

/// Rows of a page.
const PAGE_ROWS: i32 = 500;
/// The time between two requests: at most fifty a second.
const PAUSE: Duration = Duration::from_millis(20);
/// Time for a response.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A connection that only reads tables of the server itself.
pub struct SystemReader {
    connection: Connection,
    nodes: Vec<Arc<Node>>,
    last_request: Option<Instant>,
    requests: u64,
}

impl std::fmt::Debug for SystemReader {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("SystemReader").field("requests", &self.requests).finish_non_exhaustive()
    }
}

impl SystemReader {
    /// Connects to a cluster.
    pub fn open(options: &ConnectionOptions) -> Result<Self, Error> {
        let connection = Connection::open(options)?;
        let mut nodes = connection.session.get_cluster_state().get_nodes_info().to_vec();
        nodes.sort_by_key(|node| (node.address.ip(), node.address.port()));
        Ok(Self { connection, nodes, last_request: None, requests: 0 })
    }

    /// The addresses of the nodes: `127.0.0.1:9042`, or without the port if all listen on one.
    pub fn nodes(&self) -> Vec<String> {
        let port = self.nodes.first().map(|node| node.address.port());
        let is_shared = self.nodes.iter().all(|node| Some(node.address.port()) == port);
        let name = |node: &Arc<Node>| {
            let (ip, port) = (node.address.ip(), node.address.port());
            if is_shared { ip.to_string() } else { format!("{ip}:{port}") }
        };
        self.nodes.iter().map(name).collect()
    }

    /// Requests that were sent.
    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// Runs a statement on the node at a position in [`Self::nodes`]. One that is not on the
    /// allow-list is not sent.
    pub fn read(&mut self, node: usize, cql: &str) -> Result<ResultSet, Error> {
        check_read_only(cql)
            .map_err(|violation| Error::settings(format!("not sent, since {violation}: {cql}")))?;
        let node = self.nodes.get(node).ok_or_else(|| Error::settings("no such node"))?;
        let target = NodeIdentifier::Node(Arc::clone(node));
        let mut statement = Statement::new(cql);
        statement.set_page_size(PAGE_ROWS);
        statement.set_consistency(Consistency::LocalOne);
        statement.set_request_timeout(Some(TIMEOUT));
        statement
            .set_load_balancing_policy(Some(SingleTargetLoadBalancingPolicy::new(target, None)));
        let rows_max = usize::try_from(ROWS_MAX).unwrap_or(usize::MAX);
        let mut result = ResultSet::default();
        let mut paging = PagingState::start();
        loop {
            self.wait();
            let session = &self.connection.session;
            let page = session.query_single_page(statement.clone(), (), paging);
            let (page, next) = self.connection.runtime.block_on(page)?;
            append_page(page, &mut result)?;
            match next {
                PagingStateResponse::HasMorePages { state } if result.rows.len() < rows_max => {
                    paging = state;
                }
                _ => return Ok(result),
            }
        }
    }

    /// Waits until the pause after the last request is over.
    fn wait(&mut self) {
        if let Some(rest) = self.last_request.and_then(|last| PAUSE.checked_sub(last.elapsed())) {
            std::thread::sleep(rest);
        }
        self.last_request = Some(Instant::now());
        self.requests += 1;
    }
}
