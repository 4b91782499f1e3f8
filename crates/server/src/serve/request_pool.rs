//! [`RequestPool`]: the threads that run statements, apart from those that poll sockets.
//!
//! A connection with requests is queued here once; a thread takes it and runs its requests
//! (`ClientConnection::run_requests`). There are a few threads per processor, started when they are
//! needed. If all of them are busy with long statements while connections wait, further threads are
//! started, up to `native_transport_max_threads`. Threads that are idle end, which also returns the
//! memory that the allocator keeps for them. The thread that went to sleep last is woken first, so
//! that those that are not needed sleep long enough to end.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::client_connection::ClientConnection;

/// How long the queue may stand still before another thread is started.
const STALL: Duration = Duration::from_millis(3);
/// How long a thread waits for work before it ends, beyond the usual number of threads and within.
const SPARE_IDLE: Duration = Duration::from_secs(1);
const USUAL_IDLE: Duration = Duration::from_secs(10);
/// The usual number of threads per processor.
const THREADS_PER_PROCESSOR: usize = 2;

/// The pool.
pub(super) struct RequestPool {
    state: Mutex<PoolState>,
    /// Wakes the supervisor.
    stalled: Condvar,
    threads_max: usize,
}

#[derive(Default)]
struct PoolState {
    queue: VecDeque<Arc<ClientConnection>>,
    threads: usize,
    /// The number of threads that are started without waiting.
    usual: usize,
    processors: usize,
    /// What wakes each of the sleeping threads, the one that fell asleep last at the end.
    sleeping: Vec<Arc<Condvar>>,
    /// The number of connections that were taken from the queue, to notice that it stands still.
    taken: u64,
    is_stopped: bool,
}

impl PoolState {
    /// The number of threads that run requests.
    fn active_count(&self) -> usize {
        self.threads - self.sleeping.len()
    }
}

impl RequestPool {
    /// Starts the supervisor.
    pub(super) fn start(threads_max: usize) -> io::Result<Arc<Self>> {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let usual = (processors * THREADS_PER_PROCESSOR).min(threads_max.max(1));
        let pool = Arc::new(Self {
            state: Mutex::new(PoolState { usual, processors, ..PoolState::default() }),
            stalled: Condvar::new(),
            threads_max: threads_max.max(usual),
        });
        let supervisor = Arc::clone(&pool);
        spawn("helenus-pool", move || supervisor.supervise())?;
        Ok(pool)
    }

    /// Queues a connection that has requests.
    pub(super) fn submit(self: &Arc<Self>, connection: Arc<ClientConnection>) {
        let mut state = self.lock();
        state.queue.push_back(connection);
        let sleeping = state.sleeping.pop();
        // If no thread can be started, the supervisor tries again.
        if sleeping.is_none()
            && state.threads < state.usual
            && self.start_thread(&mut state).is_ok()
        {
            return;
        }
        drop(state);
        sleeping.as_deref().unwrap_or(&self.stalled).notify_one();
    }

    /// Whether other connections wait.
    pub(super) fn has_queue(&self) -> bool {
        !self.lock().queue.is_empty()
    }

    /// Whether fewer threads run requests than there are processors.
    pub(super) fn has_free_processor(&self) -> bool {
        let state = self.lock();
        state.queue.is_empty() && state.active_count() < state.processors
    }

    /// Ends the threads that wait for work, and the others after their current request.
    pub(super) fn stop(&self) {
        let mut state = self.lock();
        state.is_stopped = true;
        state.queue.clear();
        state.sleeping.drain(..).for_each(|thread| thread.notify_one());
        self.stalled.notify_all();
    }

    /// The number of threads that run requests.
    pub(super) fn active_count(&self) -> usize {
        self.lock().active_count()
    }

    fn lock(&self) -> MutexGuard<'_, PoolState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start_thread(self: &Arc<Self>, state: &mut PoolState) -> io::Result<()> {
        let pool = Arc::clone(self);
        spawn("helenus-request", move || {
            let wake = Arc::new(Condvar::new());
            while let Some(connection) = pool.take(&wake) {
                connection.run_requests(&pool);
            }
        })?;
        state.threads += 1;
        Ok(())
    }

    /// The next connection; `None` if the thread must end. `wake` is what wakes the thread.
    fn take(&self, wake: &Arc<Condvar>) -> Option<Arc<ClientConnection>> {
        let mut state = self.lock();
        loop {
            if let Some(connection) = state.queue.pop_front() {
                state.taken += 1;
                return Some(connection);
            }
            if state.is_stopped {
                state.threads -= 1;
                return None;
            }
            state.sleeping.push(Arc::clone(wake));
            let limit = if state.threads > state.usual { SPARE_IDLE } else { USUAL_IDLE };
            let waited = wake.wait_timeout(state, limit);
            let (woken, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            state = woken;
            state.sleeping.retain(|sleeping| !Arc::ptr_eq(sleeping, wake));
            if timeout.timed_out() && state.queue.is_empty() {
                state.threads -= 1;
                return None;
            }
        }
    }

    /// Starts a thread whenever connections wait and none was taken for a while.
    fn supervise(self: &Arc<Self>) {
        let mut state = self.lock();
        while !state.is_stopped {
            if state.queue.is_empty() {
                state = self.stalled.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let taken = state.taken;
            drop(state);
            thread::sleep(STALL);
            state = self.lock();
            let stands_still = state.taken == taken && !state.queue.is_empty();
            if stands_still && state.threads < self.threads_max {
                // Without a new thread the others serve the queue when they are done.
                let _ = self.start_thread(&mut state);
            }
        }
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}
