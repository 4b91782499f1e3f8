//! `helenus serve` over the wire, beside a real Cassandra in one run, with the Rust `scylla` driver
//! and 64 requests in flight.
//!
//! ```text
//! HELENUS_CASSANDRA=127.0.0.1:9042 HELENUS_CASSANDRA_PID=1234 cargo bench -p helenus --bench server
//! ```
//!
//! The node is warmed up first (`HELENUS_WARM_UP` seconds, 120 without it), since its figures grow
//! for minutes. Without a node only our own figures are printed. CPU is that of the server's
//! process, from `/proc`.

#![expect(clippy::disallowed_methods, reason = "a benchmark has files and a clock")]
#![expect(clippy::print_stdout, reason = "a benchmark prints")]
#![expect(clippy::unwrap_used, reason = "a benchmark may panic on errors")]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::{Duration, Instant};

use scylla::client::session::Session;
use scylla::client::session_builder::SessionBuilder;
use scylla::statement::prepared::PreparedStatement;

const IN_FLIGHT: usize = 64;
const KEYS: i32 = 200_000;

fn main() {
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    // One core for the client, so that the server has the other.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(compare());
}

async fn compare() {
    let seconds = Duration::from_secs(number("HELENUS_SECONDS").unwrap_or(10));
    let node = std::env::var("HELENUS_CASSANDRA").ok();
    let theirs = match &node {
        None => None,
        Some(address) => {
            let pid = number("HELENUS_CASSANDRA_PID");
            let target = Target::open(address, pid).await;
            let warm = Duration::from_secs(number("HELENUS_WARM_UP").unwrap_or(120));
            println!("warming Cassandra up for {} s", warm.as_secs());
            target.inserts(warm / 2).await;
            target.reads(warm / 2).await;
            Some((target.inserts(seconds).await, target.reads(seconds).await))
        }
    };
    let folder = std::env::temp_dir().join(format!("helenus-server-bench-{}", std::process::id()));
    let mut server = Server::start(&folder);
    let target = Target::open(&server.address, Some(u64::from(server.child.id()))).await;
    target.inserts(Duration::from_secs(2)).await;
    let ours = (target.inserts(seconds).await, target.reads(seconds).await);
    server.stop();
    let _ = std::fs::remove_dir_all(folder);
    print("inserts of 100 bytes", &ours.0, theirs.as_ref().map(|theirs| &theirs.0));
    print("point reads", &ours.1, theirs.as_ref().map(|theirs| &theirs.1));
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// What was measured.
struct Figures {
    per_second: f64,
    p50_ms: f64,
    p99_ms: f64,
    cpu_us: Option<f64>,
}

fn print(what: &str, ours: &Figures, theirs: Option<&Figures>) {
    let line = |who: &str, one: &Figures| {
        let cpu = one.cpu_us.map_or_else(|| "?".to_owned(), |cpu| format!("{cpu:.2}"));
        println!(
            "{what}, {who}: {:.0}/s, p50 {:.2} ms, p99 {:.2} ms, {cpu} us of server CPU each",
            one.per_second, one.p50_ms, one.p99_ms
        );
    };
    line("helenus", ours);
    if let Some(theirs) = theirs {
        line("Cassandra", theirs);
        println!(
            "{what}, ratio: {:.1} x the rate, {:.2} x the p99, {} x the CPU",
            ours.per_second / theirs.per_second,
            ours.p99_ms / theirs.p99_ms,
            match (ours.cpu_us, theirs.cpu_us) {
                (Some(ours), Some(theirs)) => format!("1/{:.1}", theirs / ours),
                _ => "?".to_owned(),
            }
        );
    }
}

/// A server under load.
struct Target {
    session: Arc<Session>,
    insert: PreparedStatement,
    select: PreparedStatement,
    pid: Option<u64>,
}

impl Target {
    async fn open(address: &str, pid: Option<u64>) -> Self {
        let session = SessionBuilder::new().known_node(address).build().await.unwrap();
        for text in [
            "CREATE KEYSPACE IF NOT EXISTS bench WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
            "CREATE TABLE IF NOT EXISTS bench.points (k int PRIMARY KEY, v blob)",
        ] {
            session.query_unpaged(text, ()).await.unwrap();
        }
        let insert =
            session.prepare("INSERT INTO bench.points (k, v) VALUES (?, ?)").await.unwrap();
        let select = session.prepare("SELECT k, v FROM bench.points WHERE k = ?").await.unwrap();
        Self { session: Arc::new(session), insert, select, pid }
    }

    async fn inserts(&self, time: Duration) -> Figures {
        let statement = self.insert.clone();
        self.load(time, move |session, key| {
            let statement = statement.clone();
            async move {
                session.execute_unpaged(&statement, (key, vec![7_u8; 100])).await.unwrap();
            }
        })
        .await
    }

    async fn reads(&self, time: Duration) -> Figures {
        let statement = self.select.clone();
        self.load(time, move |session, key| {
            let statement = statement.clone();
            async move {
                session.execute_unpaged(&statement, (key,)).await.unwrap();
            }
        })
        .await
    }

    async fn load<F, R>(&self, time: Duration, request: F) -> Figures
    where
        F: Fn(Arc<Session>, i32) -> R + Clone + Send + 'static,
        R: Future<Output = ()> + Send,
    {
        let next = Arc::new(AtomicI32::new(0));
        let cpu_before = self.pid.and_then(cpu_seconds);
        let start = Instant::now();
        let workers: Vec<_> = (0..IN_FLIGHT)
            .map(|_| {
                let (session, next, request) =
                    (Arc::clone(&self.session), Arc::clone(&next), request.clone());
                tokio::spawn(async move {
                    let mut latencies = Vec::new();
                    while start.elapsed() < time {
                        let key = next.fetch_add(1, Ordering::Relaxed).rem_euclid(KEYS);
                        let began = Instant::now();
                        request(Arc::clone(&session), key).await;
                        latencies.push(began.elapsed());
                    }
                    latencies
                })
            })
            .collect();
        let mut latencies = Vec::new();
        for worker in workers {
            latencies.extend(worker.await.unwrap());
        }
        let seconds = start.elapsed().as_secs_f64();
        latencies.sort_unstable();
        let at = |share: f64| {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index")]
            let index = (latencies.len() as f64 * share) as usize;
            latencies[index.min(latencies.len() - 1)].as_secs_f64() * 1e3
        };
        let count = latencies.len() as f64;
        let cpu = cpu_before.zip(self.pid.and_then(cpu_seconds));
        Figures {
            per_second: count / seconds,
            p50_ms: at(0.5),
            p99_ms: at(0.99),
            cpu_us: cpu.map(|(before, after)| (after - before) * 1e6 / count),
        }
    }
}

/// The CPU time of a process so far, in seconds.
fn cpu_seconds(pid: u64) -> Option<f64> {
    const TICKS_PER_SECOND: f64 = 100.0;
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / TICKS_PER_SECOND)
}

/// Our own server, on a port of its choice.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(folder: &std::path::Path) -> Self {
        let began = Instant::now();
        let mut child = Command::new(env!("CARGO_BIN_EXE_helenus"))
            .args(["serve", "--port", "0", "--data"])
            .arg(folder)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split_whitespace().find(|word| word.contains(':')).unwrap();
        println!("serve: ready after {:.1} ms", began.elapsed().as_secs_f64() * 1e3);
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
        let status = status.unwrap_or_default();
        for resident in status.lines().filter(|line| line.starts_with("VmRSS")) {
            println!("serve: idle {resident}");
        }
        let address = address.trim_end_matches([',', '.']).to_owned();
        Self { child, address }
    }

    fn stop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
