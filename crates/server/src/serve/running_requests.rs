//! [`RunningRequests`]: the requests that run now, for `system_views.queries`. Prepared statements on
//! a single row are not registered: they take less time than that.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use cql::obfuscate_password;
use cql::value::bytes_to_hex;
use engine::RunningRequest;
use wire::{MarkerValues, Request, StatementRef};

/// The number of parts, so that threads do not wait for each other.
const SHARDS: usize = 16;
/// The length of a task that is kept, in bytes; what is beyond it is cut.
const TASK_MAX: usize = 64 << 10;

/// The requests that run now, by the number of their thread.
#[derive(Default)]
pub(super) struct RunningRequests {
    shards: [Mutex<HashMap<u64, StartedRequest>>; SHARDS],
}

struct StartedRequest {
    task: String,
    received: Instant,
    started: Instant,
}

/// A request that runs until this is dropped.
pub(super) struct RequestRegistration<'a> {
    requests: &'a RunningRequests,
    thread: u64,
}

impl RunningRequests {
    /// Registers a request on this thread.
    pub(super) fn start(
        &self,
        request: &Request<'_>,
        received: Instant,
    ) -> RequestRegistration<'_> {
        let (thread, started) = (thread_number(), Instant::now());
        let request = StartedRequest { task: describe(request), received, started };
        if let Some(mut shard) = self.lock(thread) {
            shard.insert(thread, request);
        }
        RequestRegistration { requests: self, thread }
    }

    /// All requests that run now.
    pub(super) fn list(&self) -> Vec<RunningRequest> {
        let now = Instant::now();
        let shards = self.shards.iter().map(|shard| shard.lock());
        let mut running = Vec::new();
        for shard in shards.map(|shard| shard.unwrap_or_else(PoisonError::into_inner)) {
            running.extend(shard.iter().map(|(thread, request)| RunningRequest {
                thread: *thread,
                queued: request.started.saturating_duration_since(request.received),
                running: now.saturating_duration_since(request.started),
                task: request.task.clone(),
            }));
        }
        running
    }

    fn lock(&self, thread: u64) -> Option<MutexGuard<'_, HashMap<u64, StartedRequest>>> {
        let at = usize::try_from(thread).ok()? % SHARDS;
        Some(self.shards.get(at)?.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for RequestRegistration<'_> {
    fn drop(&mut self) {
        if let Some(mut shard) = self.requests.lock(self.thread) {
            shard.remove(&self.thread);
        }
    }
}

/// The number of this thread, from 1 on.
fn thread_number() -> u64 {
    thread_local! {
        static NUMBER: u64 = {
            static NEXT: AtomicU64 = AtomicU64::new(1);
            NEXT.fetch_add(1, Ordering::Relaxed)
        };
    }
    NUMBER.with(|number| *number)
}

/// A request as the server prints it, without passwords.
fn describe(request: &Request<'_>) -> String {
    let mut task = match request {
        Request::Prepare(text, _) => format!("PREPARE {}", obfuscate_password(text)),
        Request::Query(text, options) => format!(
            "QUERY {} [pageSize = {}] at consistency {}",
            obfuscate_password(text),
            options.page_size.unwrap_or(-1),
            options.consistency
        ),
        Request::Execute(id, options) => {
            let values = match &options.values {
                MarkerValues::None => 0,
                MarkerValues::Positional(values) => values.len(),
                MarkerValues::Named(values) => values.len(),
            };
            let (id, consistency) = (bytes_to_hex(id), options.consistency);
            format!("EXECUTE {id} with {values} values at consistency {consistency}")
        }
        Request::Batch(batch) => {
            let mut text = String::from("BATCH of [");
            for (at, statement) in batch.statements.iter().enumerate() {
                if text.len() > TASK_MAX {
                    break;
                }
                let separator = if at > 0 { ", " } else { "" };
                let name = match statement.text {
                    StatementRef::Text(text) => obfuscate_password(text).into_owned(),
                    StatementRef::Prepared(id) => bytes_to_hex(id),
                };
                // Writing to a string cannot fail.
                let _ = write!(text, "{separator}{name} with {} values", statement.values.len());
            }
            text + &format!("] at consistency {}", batch.options.consistency)
        }
        _ => String::new(),
    };
    if task.len() > TASK_MAX {
        let end = (0..=TASK_MAX).rev().find(|end| task.is_char_boundary(*end));
        task.truncate(end.unwrap_or(0));
    }
    task
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use wire::{QueryOptions, Request};

    use super::RunningRequests;

    #[test]
    fn a_request_is_listed_until_it_ends() {
        let requests = RunningRequests::default();
        let options = QueryOptions { page_size: Some(7), ..QueryOptions::default() };
        let request = Request::Query("CREATE ROLE r WITH PASSWORD = 'secret'", options);
        let registration = requests.start(&request, Instant::now());
        let listed = requests.list();
        assert_eq!(listed.len(), 1);
        assert!(listed[0].task.starts_with("QUERY CREATE ROLE r WITH PASSWORD"), "{listed:?}");
        assert!(listed[0].task.contains("[pageSize = 7] at consistency "), "{listed:?}");
        assert!(!listed[0].task.contains("secret"), "{listed:?}");
        drop(registration);
        assert!(requests.list().is_empty());
    }
}
