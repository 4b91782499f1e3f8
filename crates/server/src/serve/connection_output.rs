//! [`ConnectionOutput`]: the responses of a connection on their way to the socket.
//!
//! Threads of the request pool write to the socket themselves as far as it takes the bytes at once;
//! the rest waits here for the task that writes when the socket is ready.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::timeout;
use wire::Framing;

use super::output_encoding::OutputEncoding;
use super::tls::{TlsParameters, TlsSession};

/// How long a client may take no bytes of its responses before it is disconnected.
const WRITE_DEADLINE: Duration = Duration::from_secs(30);
/// With this many bytes pending, the connection's further requests wait.
const CONGESTED_BYTES: usize = 4 << 20;
/// The capacity that an empty buffer may keep.
const IDLE_BYTES: usize = 16 << 10;

/// The output of a connection.
pub(super) struct ConnectionOutput {
    stream: Arc<TcpStream>,
    pending: Mutex<PendingBytes>,
    /// Wakes the task that writes.
    wakeup: Notify,
    /// The pending bytes of all connections.
    total: Arc<AtomicUsize>,
}

struct PendingBytes {
    encoding: OutputEncoding,
    bytes: Vec<u8>,
    /// How many of them are written.
    written: usize,
    is_closed: bool,
}

impl PendingBytes {
    fn len(&self) -> usize {
        self.bytes.len() - self.written
    }
}

impl ConnectionOutput {
    pub(super) fn new(
        stream: Arc<TcpStream>,
        tls: Option<TlsSession>,
        total: Arc<AtomicUsize>,
    ) -> Self {
        let pending = PendingBytes {
            encoding: OutputEncoding::new(tls),
            bytes: Vec::new(),
            written: 0,
            is_closed: false,
        };
        Self { stream, pending: Mutex::new(pending), wakeup: Notify::new(), total }
    }

    /// Sets the framing of the frames that are sent from now on.
    pub(super) fn set_framing(&self, framing: Framing) {
        self.lock().encoding.set_framing(framing);
    }

    /// Sends whole frames, now or when the socket is ready.
    pub(super) fn send(&self, frames: &[u8]) {
        if frames.is_empty() {
            return;
        }
        let mut pending = self.lock();
        let pending = &mut *pending;
        let is_idle = pending.len() == 0;
        match pending.encoding.encode(frames) {
            Ok(bytes) if !pending.is_closed => {
                self.send_encoded(bytes, &mut pending.bytes, is_idle);
            }
            Ok(_) => {}
            // The client cannot read any further: the task that writes closes the connection.
            Err(_) => {
                pending.is_closed = true;
                self.wakeup.notify_one();
            }
        }
    }

    /// Appends what received bytes of an encrypted connection say, and sends what the handshake
    /// answers.
    pub(super) fn decrypt(&self, received: &[u8], input: &mut Vec<u8>) -> io::Result<()> {
        let mut pending = self.lock();
        let pending = &mut *pending;
        let is_idle = pending.len() == 0;
        let (answer, result) = pending.encoding.decrypt(received, input);
        if !pending.is_closed {
            self.send_encoded(answer, &mut pending.bytes, is_idle);
        }
        result
    }

    /// What the handshake agreed on; `None` if the connection is not encrypted.
    pub(super) fn tls_parameters(&self) -> Option<TlsParameters> {
        self.lock().encoding.tls_parameters()
    }

    /// Writes bytes, and appends those that the socket does not take to the pending ones. Their lock
    /// is held during the write, so that responses are not interleaved.
    fn send_encoded(&self, bytes: &[u8], pending: &mut Vec<u8>, is_idle: bool) {
        let written = if is_idle { self.write_available(bytes) } else { 0 };
        let rest = bytes.get(written..).unwrap_or_default();
        if !rest.is_empty() {
            pending.extend_from_slice(rest);
            self.total.fetch_add(rest.len(), Ordering::Relaxed);
            self.wakeup.notify_one();
        }
    }

    /// Writes what the socket takes at once. Errors are left to the task that writes.
    fn write_available(&self, bytes: &[u8]) -> usize {
        let mut written = 0;
        while let Some(rest) = bytes.get(written..).filter(|rest| !rest.is_empty()) {
            match self.stream.try_write(rest) {
                Ok(count) if count > 0 => written += count,
                _ => break,
            }
        }
        written
    }

    /// Whether so much is pending that further requests must wait.
    pub(super) fn is_congested(&self) -> bool {
        self.lock().len() > CONGESTED_BYTES
    }

    /// Drops what is pending, and everything that comes later.
    pub(super) fn close(&self) {
        let mut pending = self.lock();
        self.total.fetch_sub(pending.len(), Ordering::Relaxed);
        pending.bytes = Vec::new();
        pending.written = 0;
        pending.is_closed = true;
        drop(pending);
        self.wakeup.notify_one();
    }

    /// Writes pending bytes whenever the socket is ready, until the output is closed; calls
    /// `relieved` whenever nothing is pending any more.
    pub(super) async fn write_pending(&self, relieved: impl Fn()) -> io::Result<()> {
        loop {
            self.wakeup.notified().await;
            loop {
                match self.write_once()? {
                    WriteProgress::Closed => return Ok(()),
                    WriteProgress::Done => break,
                    WriteProgress::Blocked => {
                        let ready = timeout(WRITE_DEADLINE, self.stream.writable()).await;
                        ready.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
                    }
                }
            }
            relieved();
        }
    }

    fn write_once(&self) -> io::Result<WriteProgress> {
        let mut pending = self.lock();
        if pending.is_closed {
            return Ok(WriteProgress::Closed);
        }
        while pending.len() > 0 {
            let rest = pending.bytes.get(pending.written..).unwrap_or_default();
            match self.stream.try_write(rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => {
                    pending.written += count;
                    self.total.fetch_sub(count, Ordering::Relaxed);
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    return Ok(WriteProgress::Blocked);
                }
                Err(error) => return Err(error),
            }
        }
        pending.bytes.clear();
        pending.bytes.shrink_to(IDLE_BYTES);
        pending.written = 0;
        Ok(WriteProgress::Done)
    }

    fn lock(&self) -> MutexGuard<'_, PendingBytes> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How far a write came.
enum WriteProgress {
    /// Nothing is pending.
    Done,
    /// The socket takes no more bytes now.
    Blocked,
    /// The output was closed.
    Closed,
}
