//! `helenus serve` over the wire, beside a real Cassandra in one run, with the Rust `scylla` driver.
//!
//! ```text
//! HELENUS_CASSANDRA=127.0.0.1:9042 HELENUS_CASSANDRA_PID=1234 cargo bench -p helenus --bench server
//! ```
//!
//! Inserts, point reads, slices and a mix, each with 64 and 256 requests in flight. A node is warmed
//! up first (`HELENUS_WARM_UP` seconds, 120 without it), since its figures grow for minutes.
//! `HELENUS_CASSANDRA_BATCH` is a node with `commitlog_sync: batch`, for the rows of that mode,
//! `HELENUS_CASSANDRA_TLS` one that accepts TLS, for those of TLS. The argument `driver` measures
//! with the driver only, `encodings` the versions, LZ4 and TLS only.
//! Without a node only our own figures are printed. CPU is that of the server's process, from
//! `/proc`.
//!
//! The ceiling is what socket, protocol and client allow: a server that answers every request with
//! the response that ours gave to the first of its kind (`replay_server`).

#![expect(clippy::disallowed_methods, reason = "a benchmark has files and a clock")]
#![expect(clippy::print_stdout, reason = "a benchmark prints")]
#![expect(clippy::unwrap_used, reason = "a benchmark may panic on errors")]

mod encoding;
mod figures;
mod process;
mod raw_client;
mod replay_server;
mod target;

use std::time::Duration;

use encoding::Encoding;
use figures::{Figures, Workload};
use process::ServerProcess;
use raw_client::RawClient;
use target::Target;

/// The numbers of requests in flight.
const IN_FLIGHT: [usize; 2] = [64, 256];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.iter().any(|argument| argument == "--test") {
        return;
    }
    // One core for each side.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    if let Some(upstream) = arguments.iter().position(|argument| argument == "--canned") {
        runtime.block_on(replay_server::serve(&arguments[upstream + 1]));
        return;
    }
    let is_asked = |name: &str| {
        let names: Vec<_> = arguments.iter().skip(1).filter(|it| !it.starts_with('-')).collect();
        names.is_empty() || names.iter().any(|it| *it == name)
    };
    if is_asked("driver") {
        runtime.block_on(compare());
    }
    if is_asked("encodings") {
        compare_encodings();
    }
}

/// The versions, LZ4, TLS and sync modes, with a client of our own: it takes less CPU than the driver, so that servers are not
/// measured by their client's speed.
fn compare_encodings() {
    for encoding in Encoding::ALL {
        let theirs =
            if encoding.is_encrypted() { "HELENUS_CASSANDRA_TLS" } else { "HELENUS_CASSANDRA" };
        let depths = if encoding == Encoding::V4 { &IN_FLIGHT[..] } else { &IN_FLIGHT[..1] };
        compare_encoding(encoding, "periodic", depths, theirs);
    }
    compare_encoding(Encoding::V4, "batch", &IN_FLIGHT, "HELENUS_CASSANDRA_BATCH");
}

/// One encoding in a sync mode; `variable` names the address of a node.
fn compare_encoding(encoding: Encoding, mode: &str, depths: &[usize], variable: &str) {
    let folder = std::env::temp_dir().join(format!("helenus-encodings-{}", std::process::id()));
    let theirs = std::env::var(variable).ok().map(|address| {
        let mut client = RawClient::open(&address, encoding);
        let pid = number(&format!("{variable}_PID"));
        measure_raw(&mut client, mode, depths, pid)
    });
    let mut server = ServerProcess::start(&folder, mode, &encoding.server_arguments());
    let mut client = RawClient::open(&server.address, encoding);
    let ours = measure_raw(&mut client, mode, depths, Some(server.pid()));
    for (at, (name, figures)) in ours.iter().enumerate() {
        let name = format!("{name} ({}, {mode})", encoding.name());
        figures::print(&name, figures, theirs.as_ref().map(|theirs| theirs[at].1), None);
    }
    server.stop();
    let _ = std::fs::remove_dir_all(&folder);
}

/// All workloads of a sync mode through the client of our own, each run in for half of the time.
fn measure_raw(
    client: &mut RawClient,
    mode: &str,
    depths: &[usize],
    pid: Option<u64>,
) -> Vec<(String, Figures)> {
    let seconds = Duration::from_secs(number("HELENUS_SECONDS").unwrap_or(10));
    let mut measured = Vec::new();
    for depth in depths {
        for workload in Workload::ALL {
            if mode == "batch" && !workload.has_writes() {
                continue;
            }
            client.run(workload, *depth, seconds / 2, pid);
            let figures = client.run(workload, *depth, seconds, pid);
            measured.push((format!("{}, {depth} in flight", workload.name()), figures));
        }
    }
    measured
}

async fn compare() {
    let seconds = Duration::from_secs(number("HELENUS_SECONDS").unwrap_or(10));
    let warm_up = Duration::from_secs(number("HELENUS_WARM_UP").unwrap_or(120));
    for (mode, variable) in
        [("periodic", "HELENUS_CASSANDRA"), ("batch", "HELENUS_CASSANDRA_BATCH")]
    {
        let theirs = match std::env::var(variable) {
            Err(_) => None,
            Ok(address) => {
                let pid = number(&format!("{variable}_PID"));
                let target = Target::open(&address, pid).await;
                println!("warming Cassandra ({mode}) up for {} s", warm_up.as_secs());
                target.run(Workload::Inserts, 64, warm_up / 2).await;
                target.run(Workload::Mix, 64, warm_up / 2).await;
                Some(measure(&target, mode, seconds).await)
            }
        };
        let folder = std::env::temp_dir().join(format!("helenus-bench-{}", std::process::id()));
        let mut server = ServerProcess::start(&folder, mode, &[]);
        let target = Target::open(&server.address, Some(server.pid())).await;
        target.run(Workload::Inserts, 64, Duration::from_secs(2)).await;
        let ours = measure(&target, mode, seconds).await;
        let ceiling = if mode == "periodic" {
            let mut canned = ServerProcess::start_canned(&server.address);
            let target = Target::open(&canned.address, Some(canned.pid())).await;
            target.run(Workload::Inserts, 64, Duration::from_secs(1)).await;
            let ceiling = measure(&target, mode, seconds).await;
            canned.stop();
            Some(ceiling)
        } else {
            None
        };
        server.stop();
        let _ = std::fs::remove_dir_all(folder);
        for (at, (name, figures)) in ours.iter().enumerate() {
            let other = |all: &Option<Vec<(String, Figures)>>| {
                all.as_ref().and_then(|all| all.get(at)).map(|(_, figures)| *figures)
            };
            figures::print(name, figures, other(&theirs), other(&ceiling));
        }
    }
}

/// All workloads of a sync mode; reads do not depend on it.
async fn measure(target: &Target, mode: &str, time: Duration) -> Vec<(String, Figures)> {
    let mut measured = Vec::new();
    for in_flight in IN_FLIGHT {
        for workload in Workload::ALL {
            if mode == "batch" && !workload.has_writes() {
                continue;
            }
            let figures = target.run(workload, in_flight, time).await;
            measured
                .push((format!("{} ({mode}, {in_flight} in flight)", workload.name()), figures));
        }
    }
    measured
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}
