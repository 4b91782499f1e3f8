//! [`LogThread`]: the background thread of a database on disk, which runs the log's ticks and
//! writes checkpoints.

use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use super::Node;

/// The background thread, which stops when this is dropped.
#[derive(Debug)]
pub(crate) struct LogThread {
    stop: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

/// The longest time that the thread sleeps.
const IDLE: Duration = Duration::from_millis(50);

impl LogThread {
    pub(crate) fn start(node: &Arc<Node>) -> Self {
        let stop = Arc::new((Mutex::new(false), Condvar::new()));
        let (signal, node) = (Arc::clone(&stop), Arc::downgrade(node));
        let thread = std::thread::Builder::new().name("helenus-log".to_owned());
        let thread = thread.spawn(move || while !run_tick(&signal, &node) {}).ok();
        Self { stop, thread }
    }
}

/// Waits for the next tick and runs it; `true` if the thread must stop. The node is held only
/// weakly in between, so that the thread does not keep it alive.
fn run_tick(signal: &(Mutex<bool>, Condvar), node: &Weak<Node>) -> bool {
    let next = |node: Arc<Node>| node.store.log().map(storage::commit_log::CommitLog::next_tick);
    let pause = node.upgrade().and_then(next).unwrap_or(IDLE).min(IDLE);
    let stopped = signal.0.lock().unwrap_or_else(PoisonError::into_inner);
    // The predicate is checked before waiting: the signal may have come earlier.
    let waited = signal.1.wait_timeout_while(stopped, pause, |stopped| !*stopped);
    let (stopped, _) = waited.unwrap_or_else(PoisonError::into_inner);
    if *stopped {
        return true;
    }
    drop(stopped);
    let Some(node) = node.upgrade() else { return true };
    // Errors are not lost: after a failure the log refuses the next write and reports the reason.
    if let Some(log) = node.store.log() {
        let _ = log.tick();
    }
    if node.store.is_checkpoint_due() {
        let _ = node.checkpoint();
    }
    false
}

impl Drop for LogThread {
    fn drop(&mut self) {
        *self.stop.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.stop.1.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
