//! [`LogWriter`]: writes lines of the log on a thread of its own.
//!
//! A pipe that nobody reads, such as the standard error of a server that a test suite has started,
//! blocks its writer once it is full. Statements must not wait for it: lines wait in a queue of
//! bounded size, and are dropped, which the log states, when that is full.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use tracing_subscriber::fmt::MakeWriter;

/// The lines that may wait, in bytes.
const QUEUE_BYTES: usize = 4 << 20;
/// How long the end of the server waits for the lines in the queue.
const FLUSH_TIME: Duration = Duration::from_millis(500);

/// The queue of the log.
#[derive(Clone)]
pub(super) struct LogWriter {
    queue: Sender<LogItem>,
    state: Arc<QueueState>,
}

#[derive(Default)]
struct QueueState {
    bytes: AtomicUsize,
    dropped: AtomicUsize,
}

enum LogItem {
    Line(Vec<u8>),
    /// Everything before is written when this is dropped.
    Flush(#[expect(dead_code, reason = "only its end is noticed")] Sender<()>),
}

impl LogWriter {
    /// Starts the thread.
    pub(super) fn start(sink: impl Write + Send + 'static) -> io::Result<Self> {
        let (queue, items) = channel();
        let state = Arc::new(QueueState::default());
        let shared = Arc::clone(&state);
        let thread = thread::Builder::new().name("helenus-log".to_owned());
        thread.spawn(move || write_lines(sink, &items, &shared))?;
        Ok(Self { queue, state })
    }

    /// Waits until the lines so far are written, but not for long.
    fn await_written(&self) {
        let (done, written) = channel();
        if self.queue.send(LogItem::Flush(done)).is_ok() {
            let _ = written.recv_timeout(FLUSH_TIME);
        }
    }
}

fn write_lines(mut sink: impl Write, items: &Receiver<LogItem>, state: &QueueState) {
    while let Ok(item) = items.recv() {
        let LogItem::Line(line) = item else { continue };
        let dropped = state.dropped.swap(0, Ordering::Relaxed);
        // There is no place to report an error of the log itself.
        if dropped > 0 {
            let _ = writeln!(sink, "{dropped} lines of the log were dropped: it was not read");
        }
        let _ = sink.write_all(&line);
        state.bytes.fetch_sub(line.len(), Ordering::Relaxed);
    }
}

/// Flushes the log when the server ends.
pub(super) struct FlushedOnDrop(pub(super) LogWriter);

impl Drop for FlushedOnDrop {
    fn drop(&mut self) {
        self.0.await_written();
    }
}

/// One line.
impl Write for LogWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let waiting = self.state.bytes.fetch_add(line.len(), Ordering::Relaxed);
        if waiting + line.len() > QUEUE_BYTES
            || self.queue.send(LogItem::Line(line.into())).is_err()
        {
            self.state.bytes.fetch_sub(line.len(), Ordering::Relaxed);
            self.state.dropped.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for LogWriter {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}
