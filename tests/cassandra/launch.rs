//! Starting the node: its folder, its ports, its process, and the wait until it listens.

use std::fs;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::home::NodeHome;
use super::java::JavaRuntime;

/// The line of the log after which clients are served.
const READY: &str = "Starting listening for CQL clients";
/// Seven seconds on an idle machine; the rest is for busy ones.
const START_TIMEOUT: Duration = Duration::from_secs(180);
/// Somebody may take a free port between our look and the node's start, so a failed start is tried once more.
const ATTEMPTS: u32 = 2;

/// What is different about a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeSettings<'a> {
    /// Part of the name of its folder.
    pub(crate) name: &'a str,
    /// Lines that are added to cassandra.yaml.
    pub(crate) yaml: &'a str,
    /// The configuration of its logs.
    pub(crate) logback: &'a str,
    /// The address that it listens on.
    pub(crate) address: Ipv4Addr,
    /// Its token: with one node, any is all of the ring.
    pub(crate) token: i64,
    /// A node whose cluster it joins, without its data. It then listens on the same ports.
    pub(crate) seed: Option<&'a NodeHome>,
}

impl NodeSettings<'_> {
    /// The node that all tests share.
    pub(crate) const SHARED: NodeSettings<'static> = NodeSettings {
        name: "cassandra",
        yaml: "",
        logback: include_str!("conf/logback.xml"),
        address: Ipv4Addr::LOCALHOST,
        token: 0,
        seed: None,
    };
}

/// Starts a node and waits until it listens.
pub(super) fn start(
    java: &JavaRuntime,
    jars: &Path,
    settings: &NodeSettings<'_>,
) -> Result<(SocketAddr, NodeHome), String> {
    let mut failure = String::new();
    for attempt in 1..=ATTEMPTS {
        match try_start(java, jars, settings, attempt) {
            Ok(node) => return Ok(node),
            Err(e) => failure = e,
        }
    }
    Err(failure)
}

fn try_start(
    java: &JavaRuntime,
    jars: &Path,
    settings: &NodeSettings<'_>,
    attempt: u32,
) -> Result<(SocketAddr, NodeHome), String> {
    let name = format!("helenus-{}-{}-{attempt}", settings.name, std::process::id());
    let dir = std::env::temp_dir().join(name);
    let mut ports = free_ports().map_err(|e| format!("no free port: {e}"))?;
    if let Some(seed) = settings.seed {
        ports = [seed.ports[0], seed.ports[1], ports[2]];
    }
    prepare(&dir, ports, settings).map_err(|e| format!("{}: {e}", dir.display()))?;
    if super::jars::major_release(jars) < 5 {
        drop_newer_settings(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    }
    spawn(java, jars, &dir, ports[2]).map_err(|e| format!("the watcher: {e}"))?;
    let address = SocketAddr::from((settings.address, ports[0]));
    await_ready(&dir, address)?;
    let (java, jars) = (java.program.clone(), jars.to_owned());
    Ok((address, NodeHome { folder: dir, jars, java, ports }))
}

/// Free loopback ports: for clients, for the talk between nodes, and for nodetool.
fn free_ports() -> io::Result<[u16; 3]> {
    // All are held until all are known, so that they differ.
    let held = [0; 3].map(|any| TcpListener::bind(("127.0.0.1", any)));
    let [cql, storage, jmx] = held;
    let (cql, storage, jmx) = (cql?, storage?, jmx?);
    Ok([cql.local_addr()?.port(), storage.local_addr()?.port(), jmx.local_addr()?.port()])
}

fn prepare(
    dir: &Path,
    [cql_port, storage_port, _]: [u16; 3],
    settings: &NodeSettings<'_>,
) -> io::Result<()> {
    for part in ["conf", "data", "logs", "tmp", "triggers"] {
        fs::create_dir_all(dir.join(part))?;
    }
    let yaml = include_str!("conf/cassandra.yaml")
        .replace("{address}", &settings.address.to_string())
        .replace("{token}", &settings.token.to_string())
        .replace("{cql_port}", &cql_port.to_string())
        .replace("{storage_port}", &storage_port.to_string());
    fs::write(dir.join("conf/cassandra.yaml"), yaml + settings.yaml)?;
    fs::write(dir.join("conf/logback.xml"), settings.logback)?;
    let tools = include_str!("conf/logback.xml").replace("INFO", "ERROR");
    fs::write(dir.join("conf/logback-tools.xml"), tools)?;
    fs::write(dir.join("conf/jvm.args"), include_str!("conf/jvm.args"))
}

/// Removes the settings that releases before 5.0 refuse.
fn drop_newer_settings(dir: &Path) -> io::Result<()> {
    let file = dir.join("conf/cassandra.yaml");
    let yaml = fs::read_to_string(&file)?;
    let is_older = |line: &&str| !line.starts_with("dynamic_data_masking_enabled");
    let lines: Vec<&str> = yaml.lines().filter(is_older).collect();
    fs::write(file, lines.join("\n") + "\n")
}

/// Starts the watcher, which starts the node and ends it when this process is gone.
fn spawn(java: &JavaRuntime, jars: &Path, dir: &Path, jmx_port: u16) -> io::Result<()> {
    let place = dir.display();
    let mut command = Command::new("sh");
    command.args(["-c", include_str!("conf/watch.sh"), "watch"]).arg(dir).arg(&java.program);
    command.arg(format!("@{place}/conf/jvm.args"));
    if java.release > 17 {
        command.arg("-Djava.security.manager=allow");
    }
    command.arg(format!("-javaagent:{}", find_jamm(jars)?.display()));
    command.arg("-cp").arg(format!("{place}/conf:{}/*", jars.display()));
    command.arg(format!("-Djava.io.tmpdir={place}/tmp"));
    command.arg(format!("-Dcassandra.config=file://{place}/conf/cassandra.yaml"));
    command.arg(format!("-Dcassandra.storagedir={place}/data"));
    command.arg(format!("-Dcassandra.logdir={place}/logs"));
    command.arg(format!("-Dcassandra.triggers_dir={place}/triggers"));
    command.arg(format!("-Dcassandra.jmx.local.port={jmx_port}"));
    command.arg("-Dcom.sun.management.jmxremote.authenticate=false");
    command.arg("org.apache.cassandra.service.CassandraDaemon");
    // A group of its own: an interrupt at the terminal ends the tests, and the watcher then ends the node.
    command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut watcher = command.spawn()?;
    // The pipe must stay open as long as this process lives.
    std::mem::forget(watcher.stdin.take());
    Ok(())
}

/// The agent that measures objects; Cassandra does not start without it.
fn find_jamm(jars: &Path) -> io::Result<PathBuf> {
    for entry in fs::read_dir(jars)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with("jamm-") {
            return Ok(entry.path());
        }
    }
    Err(io::Error::new(io::ErrorKind::NotFound, format!("no jamm jar in {}", jars.display())))
}

fn await_ready(dir: &Path, address: SocketAddr) -> Result<(), String> {
    let deadline = Instant::now() + START_TIMEOUT;
    loop {
        let log = fs::read(dir.join("log")).unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        // The line is written just before the port is open.
        if log.contains(READY) && TcpStream::connect(address).is_ok() {
            return Ok(());
        }
        let exited = dir.join("exited").exists();
        if exited || Instant::now() > deadline {
            let what = if exited { "it ended" } else { "it does not listen" };
            return Err(format!("{what}; the end of its log:\n{}", tail(&log, 30)));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn tail(text: &str, lines: usize) -> String {
    let skipped = text.lines().count().saturating_sub(lines);
    text.lines().skip(skipped).collect::<Vec<_>>().join("\n")
}
