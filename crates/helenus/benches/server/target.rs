//! A server under load.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::{Duration, Instant};

use scylla::client::session::Session;
use scylla::client::session_builder::SessionBuilder;
use scylla::statement::prepared::PreparedStatement;

use crate::figures::{Figures, Workload};
use crate::process::cpu_seconds;

pub(crate) const KEYS: i32 = 200_000;
/// Partitions of 1,000 rows, of which a slice reads 100.
pub(crate) const PARTITIONS: i32 = 100;

pub(crate) const SCHEMA: [&str; 3] = [
    "CREATE KEYSPACE IF NOT EXISTS bench WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    "CREATE TABLE IF NOT EXISTS bench.points (k int PRIMARY KEY, v blob)",
    "CREATE TABLE IF NOT EXISTS bench.rows (k int, c int, v blob, PRIMARY KEY (k, c))",
];

pub(crate) const INSERT: &str = "INSERT INTO bench.points (k, v) VALUES (?, ?)";
pub(crate) const SELECT: &str = "SELECT k, v FROM bench.points WHERE k = ?";
pub(crate) const SLICE: &str = "SELECT c, v FROM bench.rows WHERE k = ? AND c >= ? LIMIT 100";

/// A server with the tables of the benchmark.
pub(crate) struct Target {
    session: Arc<Session>,
    statements: Arc<Statements>,
    pid: Option<u64>,
}

struct Statements {
    insert: PreparedStatement,
    select: PreparedStatement,
    slice: PreparedStatement,
}

impl Target {
    pub(crate) async fn open(address: &str, pid: Option<u64>) -> Self {
        let session = SessionBuilder::new().known_node(address).build().await.unwrap();
        for text in SCHEMA {
            session.query_unpaged(text, ()).await.unwrap();
        }
        let prepare = async |text: &str| session.prepare(text).await.unwrap();
        let row = prepare("INSERT INTO bench.rows (k, c, v) VALUES (?, ?, ?)").await;
        for partition in 0..PARTITIONS {
            let rows =
                (0..1000).map(|c| session.execute_unpaged(&row, (partition, c, vec![7_u8; 100])));
            for inserted in futures_util::future::join_all(rows).await {
                inserted.unwrap();
            }
        }
        let statements = Statements {
            insert: prepare(INSERT).await,
            select: prepare(SELECT).await,
            slice: prepare(SLICE).await,
        };
        Self { session: Arc::new(session), statements: Arc::new(statements), pid }
    }

    /// Runs a workload for some time.
    pub(crate) async fn run(
        &self,
        workload: Workload,
        in_flight: usize,
        time: Duration,
    ) -> Figures {
        let next = Arc::new(AtomicI32::new(0));
        let cpu_before = self.pid.and_then(cpu_seconds);
        let start = Instant::now();
        let clients: Vec<_> = (0..in_flight)
            .map(|_| {
                let (session, statements, next) =
                    (Arc::clone(&self.session), Arc::clone(&self.statements), Arc::clone(&next));
                tokio::spawn(async move {
                    let mut latencies = Vec::new();
                    while start.elapsed() < time {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let began = Instant::now();
                        statements.request(&session, workload.request(number), number).await;
                        latencies.push(began.elapsed());
                    }
                    latencies
                })
            })
            .collect();
        let mut latencies = Vec::new();
        for client in clients {
            latencies.extend(client.await.unwrap());
        }
        let seconds = start.elapsed().as_secs_f64();
        let cpu = cpu_before.zip(self.pid.and_then(cpu_seconds));
        summarize(latencies, seconds, cpu)
    }
}

impl Statements {
    async fn request(&self, session: &Session, workload: Workload, number: i32) {
        let key = number.rem_euclid(KEYS);
        let done = match workload {
            Workload::Inserts | Workload::Mix => {
                session.execute_unpaged(&self.insert, (key, vec![7_u8; 100])).await
            }
            Workload::Reads => session.execute_unpaged(&self.select, (key,)).await,
            Workload::Slices => {
                let values = (number.rem_euclid(PARTITIONS), number.rem_euclid(900));
                session.execute_unpaged(&self.slice, values).await
            }
        };
        done.unwrap();
    }
}

pub(crate) fn summarize(
    mut latencies: Vec<Duration>,
    seconds: f64,
    cpu: Option<(f64, f64)>,
) -> Figures {
    latencies.sort_unstable();
    let at = |share: f64| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index")]
        let index = (latencies.len() as f64 * share) as usize;
        latencies[index.min(latencies.len() - 1)].as_secs_f64() * 1e3
    };
    let count = latencies.len() as f64;
    Figures {
        per_second: count / seconds,
        p50_ms: at(0.5),
        p99_ms: at(0.99),
        cpu_us: cpu.map(|(before, after)| (after - before) * 1e6 / count),
    }
}
