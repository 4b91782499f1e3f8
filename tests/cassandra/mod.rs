//! A real Apache Cassandra beside us: one node for the whole test run, from its published jars.
//!
//! `HELENUS_CASSANDRA=host:port` uses a running node instead. Without Java or the jars there is no node: one loud line,
//! and the tests that need it return. A node that should start and does not is a failure.

mod jars;
mod java;
mod launch;

use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::OnceLock;

use crate::print_uncaptured;

/// The version that judges.
pub(crate) const VERSION: &str = "5.0.8";

/// Where the node listens, or nothing where there can be none.
///
/// The first caller starts it, the others wait. Statics are not dropped, so the node is stopped by a watcher process
/// that notices the end of this one (`conf/watch.sh`).
pub(crate) fn node() -> Option<SocketAddr> {
    static NODE: OnceLock<Option<SocketAddr>> = OnceLock::new();
    *NODE.get_or_init(|| match find() {
        Ok(address) => Some(address),
        Err(reason) => {
            print_uncaptured(&format!("SKIPPED: tests against Cassandra {VERSION}: {reason}"));
            None
        }
    })
}

/// A running node, or the reason why this machine has none.
fn find() -> Result<SocketAddr, String> {
    if let Ok(named) = std::env::var("HELENUS_CASSANDRA") {
        let found = named.to_socket_addrs().ok().and_then(|mut addresses| addresses.next());
        return Ok(found.unwrap_or_else(|| panic!("HELENUS_CASSANDRA={named} is no host:port")));
    }
    let java = java::find()?;
    let jars = jars::find()?;
    match launch::start(&java, &jars) {
        Ok(address) => Ok(address),
        Err(failure) => panic!("Cassandra {VERSION} did not start: {failure}"),
    }
}
