//! [`LoginService`]: checks passwords on a thread of its own, since a check takes as long as
//! thousands of statements, and slows down clients that guess.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use engine::Session;
use tokio::sync::oneshot;

/// After a failed attempt, the next ones of the same address or role wait their turn at this
/// interval, which doubles with every failure up to the maximum.
const INTERVAL_MIN: Duration = Duration::from_millis(25);
const INTERVAL_MAX: Duration = Duration::from_millis(250);
/// Failures are forgotten after this time.
const MEMORY: Duration = Duration::from_secs(60);
/// With this many entries, old ones are removed.
const ENTRIES_MAX: usize = 10_000;

/// An attempt to log in.
pub(super) struct Credentials {
    pub(super) name: String,
    pub(super) password: String,
}

struct LoginAttempt {
    session: Session,
    credentials: Credentials,
    outcome: oneshot::Sender<engine::Result<Session>>,
}

/// The service.
pub(super) struct LoginService {
    attempts: Sender<LoginAttempt>,
    failures: Mutex<HashMap<AttemptSource, FailureRecord>>,
}

/// What attempts are counted by: the address, and the role from that address.
type AttemptSource = (IpAddr, Option<String>);

struct FailureRecord {
    count: u32,
    last: Instant,
    /// When the next attempt may start.
    next: Instant,
}

impl LoginService {
    pub(super) fn start() -> io::Result<Self> {
        let (attempts, receiver) = channel();
        let thread = thread::Builder::new().name("helenus-login".to_owned());
        thread.spawn(move || check_all(&receiver))?;
        Ok(Self { attempts, failures: Mutex::default() })
    }

    /// Logs in; the session has the role afterwards.
    pub(super) async fn login(
        &self,
        address: IpAddr,
        session: Session,
        credentials: Credentials,
    ) -> engine::Result<Session> {
        let sources = [(address, None), (address, Some(credentials.name.clone()))];
        tokio::time::sleep(self.reserve_turn(&sources)).await;
        let (outcome, receiver) = oneshot::channel();
        let _ = self.attempts.send(LoginAttempt { session, credentials, outcome });
        let stopped = |_| Err(engine::Error::server("the server is stopping"));
        let result = receiver.await.unwrap_or_else(stopped);
        self.record(sources, result.is_ok());
        result
    }

    /// How long an attempt must wait for its turn.
    fn reserve_turn(&self, sources: &[AttemptSource]) -> Duration {
        let now = Instant::now();
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        let mut wait = Duration::ZERO;
        for source in sources {
            if let Some(record) = failures.get_mut(source) {
                let turn = record.next.max(now);
                record.next = turn + interval(record.count);
                wait = wait.max(turn.duration_since(now));
            }
        }
        wait
    }

    fn record(&self, sources: [AttemptSource; 2], succeeded: bool) {
        let now = Instant::now();
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        if failures.len() >= ENTRIES_MAX {
            failures.retain(|_, record| now.duration_since(record.last) < MEMORY);
        }
        if failures.len() >= ENTRIES_MAX {
            failures.clear();
        }
        for source in sources {
            if succeeded {
                failures.remove(&source);
                continue;
            }
            let record =
                failures.entry(source).or_insert(FailureRecord { count: 0, last: now, next: now });
            if now.duration_since(record.last) >= MEMORY {
                record.count = 0;
            }
            record.count = record.count.saturating_add(1);
            record.last = now;
            record.next = record.next.max(now + interval(record.count));
        }
    }
}

fn interval(failures: u32) -> Duration {
    INTERVAL_MIN.saturating_mul(1 << failures.saturating_sub(1).min(10)).min(INTERVAL_MAX)
}

fn check_all(attempts: &Receiver<LoginAttempt>) {
    while let Ok(LoginAttempt { mut session, credentials, outcome }) = attempts.recv() {
        if outcome.is_closed() {
            continue;
        }
        let result = session.login(&credentials.name, &credentials.password);
        let _ = outcome.send(result.map(|()| session));
    }
}
