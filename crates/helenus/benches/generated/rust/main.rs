//! Calls generated and hand-written functions, as the lines of standard input ask.
//!
//! A line has a side, a row, the calls in flight and the seconds. The line that is printed has the
//! seconds that it took, and the nanoseconds of each call.

mod by_hand;

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use by_hand::{ByHand, now_ms};
use killrvideo::KillrvideoAccess;
use metrics::MetricsAccess;
use scylla::client::session_builder::SessionBuilder;
use scylla::value::{CqlTimestamp, CqlTimeuuid};
use uuid::Uuid;

static NUMBERS: AtomicU32 = AtomicU32::new(1 << 24);

/// What is measured.
enum Side {
    Generated(KillrvideoAccess, MetricsAccess),
    Written(ByHand),
}

fn make_id(number: u32) -> Uuid {
    Uuid::from_fields(number, 0, 0x1000, &[0x80, 0, 0, 0, 0, 0, 0, 1])
}

impl Side {
    /// Calls the function of a row; returns how many rows it found.
    async fn call(&self, row: &str) -> Result<usize, Box<dyn Error + Send + Sync>> {
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        let since = CqlTimestamp(now_ms() - 24 * 3_600_000);
        let (commentid, videoid, userid) = (
            CqlTimeuuid::from(make_id(number)),
            make_id(500 + number % 500),
            make_id(number % 100),
        );
        Ok(match (self, row) {
            (Self::Generated(videos, _), "read") => {
                videos.video_by_id(make_id(number % 1000)).await?.iter().count()
            }
            (Self::Generated(videos, _), "slice") => {
                videos.comments_of_video(make_id(number % 100)).await?.len()
            }
            (Self::Generated(videos, _), "write") => {
                let text = "a comment".to_owned();
                videos.comment_on_video(commentid, videoid, userid, text).await?;
                1
            }
            (Self::Generated(_, metrics), _) => {
                metrics.recent_metrics("cpu".to_owned(), since).await?.len()
            }
            (Self::Written(code), "read") => {
                code.video_by_id(make_id(number % 1000)).await?.iter().count()
            }
            (Self::Written(code), "slice") => {
                code.comments_of_video(make_id(number % 100)).await?.len()
            }
            (Self::Written(code), "write") => {
                code.comment_on_video(commentid, videoid, userid, "a comment").await?;
                1
            }
            (Self::Written(code), _) => code.recent_metrics("cpu", since).await?.len(),
        })
    }
}

async fn run(side: &Arc<Side>, row: &str, in_flight: usize, time: Duration) -> String {
    let start = Instant::now();
    let repetitions: Vec<_> = (0..in_flight)
        .map(|_| {
            let (side, row) = (Arc::clone(side), row.to_owned());
            tokio::spawn(async move {
                let mut latencies = Vec::new();
                let mut began = Instant::now();
                while start.elapsed() < time {
                    side.call(&row).await.expect("the call succeeds");
                    let now = Instant::now();
                    latencies.push(now - began);
                    began = now;
                }
                latencies
            })
        })
        .collect();
    let mut latencies = Vec::new();
    for repetition in repetitions {
        latencies.extend(repetition.await.expect("the task ends"));
    }
    let mut line = start.elapsed().as_secs_f64().to_string();
    for latency in latencies {
        line.push(' ');
        line.push_str(&latency.as_nanos().to_string());
    }
    line
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let ports: Vec<String> = std::env::args().skip(1).collect();
    let [port, delayed] = &ports[..] else { panic!("two ports") };
    let connect = async |port: &str, keyspace: &str| {
        let builder = SessionBuilder::new().known_node(format!("127.0.0.1:{port}"));
        builder.use_keyspace(keyspace, true).build().await
    };
    let videos = KillrvideoAccess::new(Arc::new(connect(port, "killrvideo").await?));
    let metrics = MetricsAccess::new(Arc::new(connect(delayed, "metrics").await?));
    let generated = Arc::new(Side::Generated(videos, metrics));
    let sessions = (connect(port, "killrvideo").await?, connect(delayed, "metrics").await?);
    let code = ByHand::new(sessions.0, sessions.1).await?;
    let written = Arc::new(Side::Written(code));
    let found = generated.call("range").await?;
    assert!(found > 0 && found == written.call("range").await?, "{found} rows");
    for line in std::io::stdin().lines() {
        let line = line?;
        let words: Vec<&str> = line.split(' ').collect();
        let side = if words[0] == "generated" { &generated } else { &written };
        let time = Duration::from_secs_f64(words[3].parse()?);
        println!("{}", run(side, words[1], words[2].parse()?, time).await);
    }
    Ok(())
}
