//! A real Apache Cassandra beside us: one node for the whole test run, from its published jars.
//!
//! `HELENUS_CASSANDRA=host:port` uses a running node instead, `HELENUS_CASSANDRA_JARS=folder` other jars: with those of 4.1,
//! and Java 11 in `JAVA_HOME`, the nodes that tests have for themselves are of that release. Without Java or the jars there is no node: one loud line,
//! and the tests that need it return. A node that should start and does not is a failure.

mod home;
mod jars;
mod java;
mod launch;

pub(crate) use home::NodeHome;
pub(crate) use launch::NodeSettings;

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::print_uncaptured;

/// The version that judges.
pub(crate) const VERSION: &str = "5.0.8";

/// Where the node listens, or nothing where there can be none.
///
/// The first caller starts it, the others wait. Statics are not dropped, so the node is stopped by a watcher process
/// that notices the end of this one (`conf/watch.sh`).
pub(crate) fn node() -> Option<SocketAddr> {
    start_node().map(|node| node.address)
}

/// The node with its folder, or nothing where there is none or its files cannot be read.
pub(crate) fn node_with_files() -> Option<(SocketAddr, &'static NodeHome)> {
    let node = start_node()?;
    if node.home.is_none() {
        print_uncaptured(
            "SKIPPED: tests of files: HELENUS_CASSANDRA names a node whose files cannot be read",
        );
    }
    Some((node.address, node.home.as_ref()?))
}

/// A node of its own for one test, or nothing where there can be none.
pub(crate) fn separate_node(settings: &NodeSettings<'_>) -> Option<(SocketAddr, NodeHome)> {
    let found = find_software();
    match found {
        Ok((java, jars)) => Some(
            launch::start(&java, &jars, settings)
                .unwrap_or_else(|failure| panic!("Cassandra {VERSION} did not start: {failure}")),
        ),
        Err(reason) => {
            let name = settings.name;
            print_uncaptured(&format!("SKIPPED: {name}: a node of Cassandra {VERSION}: {reason}"));
            None
        }
    }
}

/// The jars, and a Java that runs them.
fn find_software() -> Result<(java::JavaRuntime, PathBuf), String> {
    let named = std::env::var_os("HELENUS_CASSANDRA_JARS").map(PathBuf::from);
    // Without Java nothing is downloaded.
    let java = java::find(named.as_deref().map_or(5, jars::major_release))?;
    Ok((java, jars::find()?))
}

/// A node that runs.
struct RunningNode {
    address: SocketAddr,
    home: Option<NodeHome>,
}

fn start_node() -> Option<&'static RunningNode> {
    static NODE: OnceLock<Option<RunningNode>> = OnceLock::new();
    let node = NODE.get_or_init(|| match find() {
        Ok(node) => Some(node),
        Err(reason) => {
            print_uncaptured(&format!("SKIPPED: tests against Cassandra {VERSION}: {reason}"));
            None
        }
    });
    node.as_ref()
}

/// A running node, or the reason why this machine has none.
fn find() -> Result<RunningNode, String> {
    if let Ok(named) = std::env::var("HELENUS_CASSANDRA") {
        let found = named.to_socket_addrs().ok().and_then(|mut addresses| addresses.next());
        let address = found.unwrap_or_else(|| panic!("HELENUS_CASSANDRA={named} is no host:port"));
        return Ok(RunningNode { address, home: None });
    }
    let (java, jars) = find_software()?;
    match launch::start(&java, &jars, &NodeSettings::SHARED) {
        Ok((address, home)) => Ok(RunningNode { address, home: Some(home) }),
        Err(failure) => panic!("Cassandra {VERSION} did not start: {failure}"),
    }
}
