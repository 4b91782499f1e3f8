//! The task that reads a connection: it answers the messages of the handshake itself and queues
//! statements for the request pool.

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::net::TcpStream;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::Receiver;
use tokio::time::timeout;
use wire::{
    Decoded, DecodedFrame, ErrorKind, ErrorMessage, Event, FrameDecoder, FrameError,
    ProtocolVersion, Response, ResponseHead, frame,
};

use super::admission;
use super::client_connection::{ClientConnection, QueuedRequest};
use super::connection_registry::Registration;
use super::frame_handler::{FrameHandler, HandshakeStep};
use super::statement_memory;

/// The buffer space for one read.
const READ_BYTES: usize = 64 << 10;
/// The capacity that the buffer of an idle connection may keep.
const IDLE_BUFFER_BYTES: usize = 16 << 10;
/// Statements are queued when they reach this size, before all received frames are decoded.
const QUEUE_BYTES: usize = 256 << 10;
/// The memory of a queued request besides its frame.
const REQUEST_BYTES: usize = 128;
/// The maximum length of a frame before the login.
const HANDSHAKE_FRAME_BYTES: usize = 64 << 10;
/// How long a client may take for the handshake and the login.
const HANDSHAKE_DEADLINE: Duration = Duration::from_secs(10);
/// How long a client may pause in the middle of a frame.
const FRAME_DEADLINE: Duration = Duration::from_secs(30);

/// A frame of which so many bytes have arrived needs a permit before more of it is read.
const LARGE_FRAME_BYTES: usize = 256 << 10;
/// How long a client may wait for the permit, and take for the rest of the frame.
const LARGE_FRAME_DEADLINE: Duration = Duration::from_secs(60);
/// How long it may pause meanwhile if others wait for permits.
const LARGE_FRAME_PAUSE: Duration = Duration::from_secs(2);

/// Reads requests until either side ends the connection.
pub(super) async fn run(
    stream: Arc<TcpStream>,
    connection: Arc<ClientConnection>,
    registration: Registration,
) -> io::Result<()> {
    let handler = FrameHandler::new(Arc::clone(&connection));
    let decoder = FrameDecoder::new(HANDSHAKE_FRAME_BYTES);
    let encrypted = connection.is_encrypted().then(Vec::new);
    let _closed_on_drop = ClosedOnDrop(Arc::clone(&connection));
    let mut reader = ConnectionReader {
        stream,
        connection,
        registration,
        handler,
        opened: Instant::now(),
        encrypted,
        input: Vec::new(),
        decoder,
        large_frame: None,
    };
    loop {
        reader.receive().await?;
        reader.process().await?;
        reader.shrink();
    }
}

/// Closes the connection when its reader ends, for whatever reason.
struct ClosedOnDrop(Arc<ClientConnection>);

impl Drop for ClosedOnDrop {
    fn drop(&mut self) {
        self.0.close();
    }
}

struct ConnectionReader {
    stream: Arc<TcpStream>,
    connection: Arc<ClientConnection>,
    registration: Registration,
    handler: FrameHandler,
    opened: Instant,
    /// The buffer for received bytes that must be decrypted.
    encrypted: Option<Vec<u8>>,
    /// Received bytes that are not yet a complete frame.
    input: Vec<u8>,
    decoder: FrameDecoder,
    /// The permit for a large frame that has arrived in part.
    large_frame: Option<LargeFrame>,
}

/// The permit to receive a large frame, and since when.
struct LargeFrame {
    _permit: OwnedSemaphorePermit,
    since: Instant,
}

/// Frames of statements, one after another.
#[derive(Default)]
struct StatementFrames {
    bytes: Vec<u8>,
    ranges: Vec<Range<usize>>,
}

impl ConnectionReader {
    /// Reads the available bytes into the buffer; an error at the end and at a deadline.
    async fn receive(&mut self) -> io::Result<()> {
        self.admit_large_frame().await?;
        loop {
            self.await_input().await?;
            let buffer = self.encrypted.as_mut().unwrap_or(&mut self.input);
            if buffer.capacity() - buffer.len() < IDLE_BUFFER_BYTES {
                buffer.reserve(if buffer.is_empty() { IDLE_BUFFER_BYTES } else { READ_BYTES });
            }
            match self.stream.try_read_buf(buffer) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(_) => return self.decrypt(),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Waits until there are bytes to read; an error at a deadline. A large frame that does not go on
    /// must make room for others.
    async fn await_input(&self) -> io::Result<()> {
        let Some(limit) = self.deadline() else { return self.stream.readable().await };
        let began = Instant::now();
        loop {
            let left = limit.saturating_sub(began.elapsed());
            let pause = if self.large_frame.is_some() { LARGE_FRAME_PAUSE } else { left };
            match timeout(left.min(pause), self.stream.readable()).await {
                Ok(readable) => return readable,
                Err(_) if pause < left && !self.is_frame_memory_short() => {}
                Err(_) => return Err(io::ErrorKind::TimedOut.into()),
            }
        }
    }

    fn is_frame_memory_short(&self) -> bool {
        self.connection.server().frame_memory.free() < self.frame_bytes_max()
    }

    /// Waits for the memory of the rest of a large frame: all connections together hold a bounded
    /// number of half frames.
    async fn admit_large_frame(&mut self) -> io::Result<()> {
        if self.input.len() + self.decoder.partial_bytes() < LARGE_FRAME_BYTES {
            self.large_frame = None;
        } else if self.large_frame.is_none() {
            let memory = &self.connection.server().frame_memory;
            let admitted =
                timeout(LARGE_FRAME_DEADLINE, memory.acquire(self.frame_bytes_max())).await;
            let permit = admitted.ok().flatten();
            let permit = permit.ok_or_else(|| io::Error::from(io::ErrorKind::TimedOut))?;
            self.large_frame = Some(LargeFrame { _permit: permit, since: Instant::now() });
        }
        Ok(())
    }

    /// Decrypts what was received, if the connection is encrypted.
    fn decrypt(&mut self) -> io::Result<()> {
        if let Some(encrypted) = &mut self.encrypted {
            self.connection.decrypt(encrypted, &mut self.input)?;
            encrypted.clear();
        }
        Ok(())
    }

    /// How long to wait for bytes; forever for an idle client.
    fn deadline(&self) -> Option<Duration> {
        if !self.handler.is_ready() {
            return Some(HANDSHAKE_DEADLINE.saturating_sub(self.opened.elapsed()));
        }
        let is_inside_frame = !self.input.is_empty() || self.decoder.has_partial_frame();
        let left = self
            .large_frame
            .as_ref()
            .map(|it| FRAME_DEADLINE.min(LARGE_FRAME_DEADLINE.saturating_sub(it.since.elapsed())));
        left.or(is_inside_frame.then_some(FRAME_DEADLINE))
    }

    /// Answers or queues every complete frame that was received.
    async fn process(&mut self) -> io::Result<()> {
        let mut done = 0;
        let mut statements = StatementFrames::default();
        loop {
            self.decoder.set_limit(self.frame_bytes_max());
            let rest = self.input.get(done..).unwrap_or_default();
            let Decoded { consumed, frame } = self.decoder.decode(rest);
            done += consumed;
            match frame {
                Ok(Some(frame)) if self.handler.is_statement(&frame) => {
                    let start = statements.bytes.len();
                    frame.encode(&mut statements.bytes);
                    statements.ranges.push(start..statements.bytes.len());
                }
                Ok(Some(frame)) => {
                    let mut out = Vec::new();
                    self.connection.count_requests(1);
                    let step = self.handler.handle_frame(&frame, &mut out);
                    self.connection.send(&out);
                    self.follow(step).await;
                }
                Ok(None) => break,
                Err(error) => self.refuse(&error)?,
            }
            if statements.bytes.len() >= QUEUE_BYTES {
                self.queue(std::mem::take(&mut statements)).await;
            }
        }
        self.input.drain(..done.min(self.input.len()));
        self.queue(statements).await;
        Ok(())
    }

    fn frame_bytes_max(&self) -> usize {
        let limit = self.connection.server().limits.frame_bytes;
        if self.handler.is_ready() { limit } else { limit.min(HANDSHAKE_FRAME_BYTES) }
    }

    /// Does what a message of the handshake asks for besides its response.
    async fn follow(&mut self, step: HandshakeStep) {
        match step {
            HandshakeStep::Done => {}
            HandshakeStep::Frame(framing) => {
                self.decoder.set_framing(framing);
                self.connection.set_framing(framing);
            }
            HandshakeStep::Login(attempt) => {
                let shared = self.connection.server();
                let address = self.connection.peer.ip();
                let session = self.connection.session();
                let login = shared.login.login(address, session, attempt.credentials);
                let result = login.await;
                let mut out = Vec::new();
                self.handler.finish_login(attempt.stream, result, &mut out);
                self.connection.send(&out);
            }
            HandshakeStep::Subscribe(events) => {
                let forward = forward_events(events, Arc::clone(&self.connection), self.version());
                tokio::spawn(forward);
            }
        }
        if self.handler.is_ready() {
            self.registration.set_ready();
        }
    }

    /// Queues statements.
    async fn queue(&self, frames: StatementFrames) {
        if frames.ranges.is_empty() {
            return;
        }
        let (bytes, mut statements) = (Bytes::from(frames.bytes), frames.ranges);
        self.connection.count_requests(statements.len());
        let Some(memory) = self.admit_memory(&bytes, &mut statements).await else { return };
        let size = bytes.len() + statements.len() * REQUEST_BYTES;
        let all = &self.connection.server().request_memory;
        let of_address = &self.registration.memory;
        let permit = match admission::try_admit(all, of_address, size) {
            Some(permit) => Some(permit),
            None if self.handler.has_overload_errors() => {
                return self.refuse_overload(&bytes, &statements);
            }
            None => admission::admit(all, of_address, size).await,
        };
        let Some(permit) = permit.map(|permit| Arc::new(permit.with_statements(memory))) else {
            return;
        };
        let received = Instant::now();
        self.connection.push_requests(statements.iter().map(|range| QueuedRequest {
            bytes: bytes.slice(range.clone()),
            received,
            _permit: Arc::clone(&permit),
        }));
    }

    /// Waits for the memory of long statements; those that need too much are refused and removed.
    /// `None` if no statement is left.
    async fn admit_memory(
        &self,
        bytes: &Bytes,
        statements: &mut Vec<Range<usize>>,
    ) -> Option<Option<OwnedSemaphorePermit>> {
        let memory = &self.connection.server().statement_memory;
        let mut weights = statement_memory::weigh(bytes, statements).await.into_iter();
        let mut total = 0;
        statements.retain(|range| {
            let weight = weights.next().unwrap_or(0);
            let is_admitted = weight <= memory.limit();
            if is_admitted {
                total += weight;
            } else {
                self.refuse_statement(&bytes.slice(range.clone()), weight, memory.limit());
            }
            is_admitted
        });
        if statements.is_empty() {
            return None;
        }
        if total == 0 { Some(None) } else { memory.acquire(total).await.map(Some) }
    }

    fn refuse_statement(&self, bytes: &Bytes, needed: usize, limit: usize) {
        let message = format!(
            "The statement needs up to {needed} bytes of memory, and the limit is {limit}: divide it into several statements"
        );
        self.refuse_request(bytes, ErrorMessage::new(ErrorKind::Invalid, message));
    }

    fn refuse_request(&self, bytes: &Bytes, error: ErrorMessage) {
        if let DecodedFrame::Frame(frame, _) = frame::decode(bytes, usize::MAX) {
            let mut out = Vec::new();
            append_error(self.version(), frame.stream, error, &mut out);
            self.connection.send(&out);
        }
    }

    fn refuse_overload(&self, bytes: &Bytes, statements: &[Range<usize>]) {
        for range in statements {
            let message =
                "Server is in overloaded state. Cannot accept more requests at this point";
            let error = ErrorMessage::new(ErrorKind::Overloaded, message);
            self.refuse_request(&bytes.slice(range.clone()), error);
        }
    }

    /// Refuses a frame; an error if nothing can be decoded after it.
    fn refuse(&self, error: &FrameError) -> io::Result<()> {
        let mut out = Vec::new();
        if let FrameError::Version(number) = error {
            frame::refuse_version(&mut out, *number);
        } else {
            append_error(self.version(), error.stream(), error.to_error_message(), &mut out);
        }
        self.connection.send(&out);
        if error.is_fatal() { Err(io::ErrorKind::InvalidData.into()) } else { Ok(()) }
    }

    fn version(&self) -> ProtocolVersion {
        self.handler.version().unwrap_or(ProtocolVersion::HIGHEST)
    }

    /// Releases the memory of large frames, so that idle connections stay small.
    fn shrink(&mut self) {
        if self.input.is_empty() && self.input.capacity() > IDLE_BUFFER_BYTES {
            self.input.shrink_to(IDLE_BUFFER_BYTES);
        }
        self.decoder.shrink();
    }
}

/// Sends events until the connection ends or falls too far behind.
async fn forward_events(
    mut events: Receiver<Event>,
    connection: Arc<ClientConnection>,
    version: ProtocolVersion,
) {
    while let Some(event) = events.recv().await {
        if connection.is_closed() {
            return;
        }
        let mut out = Vec::new();
        Response::Event(event).encode(&ResponseHead::new(version, -1), &mut out);
        connection.send(&out);
    }
    connection.close();
}

fn append_error(version: ProtocolVersion, stream: i16, error: ErrorMessage, out: &mut Vec<u8>) {
    Response::Error(error).encode(&ResponseHead::new(version, stream), out);
}
