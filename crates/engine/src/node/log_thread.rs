//! The one thread of a database on disk: it keeps the log moving and writes checkpoints.

use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use super::Node;

/// The thread; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct LogThread {
    stop: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

/// What the thread does next, at the latest after this time.
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

/// Waits for the next tick and carries it out; `true` when it is over.
fn run_tick(signal: &(Mutex<bool>, Condvar), node: &Weak<Node>) -> bool {
    let next = |node: Arc<Node>| node.store.log().map(storage::commit_log::CommitLog::next_tick);
    let pause = node.upgrade().and_then(next).unwrap_or(IDLE).min(IDLE);
    let stopped = signal.0.lock().unwrap_or_else(PoisonError::into_inner);
    // The signal may have come before anybody waited for it.
    let waited = signal.1.wait_timeout_while(stopped, pause, |stopped| !*stopped);
    let (stopped, _) = waited.unwrap_or_else(PoisonError::into_inner);
    if *stopped {
        return true;
    }
    drop(stopped);
    let Some(node) = node.upgrade() else { return true };
    // A log that failed refuses the next write, which says why; there is nobody to tell here.
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
