//! One connection: reads bytes, answers the complete frames, writes the responses and events.

use std::future::poll_fn;
use std::io;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::mpsc::Receiver;
use wire::{
    DecodedFrame, ErrorMessage, Event, FrameError, ProtocolVersion, Response, ResponseHead, frame,
};

use super::ServerState;
use super::frame_handler::FrameHandler;

/// The buffer space for one read.
const READ_BYTES: usize = 64 * 1024;
/// Responses are sent when they reach this size, before all received frames are answered.
const WRITE_BYTES: usize = 256 * 1024;
/// The capacity that the buffer of an idle connection may keep.
const IDLE_BUFFER_BYTES: usize = 16 * 1024;

/// An event that ends the wait of a connection.
enum Wakeup {
    Received(usize),
    Event(Event),
    /// The client did not read its events fast enough.
    Overrun,
}

/// Serves one connection until either side ends it.
pub(super) async fn run(stream: TcpStream, shared: &Arc<ServerState>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut connection = Connection {
        stream,
        handler: FrameHandler::new(Arc::clone(shared)),
        events: None,
        input: Vec::new(),
        skip: 0,
        output: Vec::new(),
    };
    connection.run().await
}

struct Connection {
    stream: TcpStream,
    handler: FrameHandler,
    events: Option<Receiver<Event>>,
    /// Received bytes that are not yet a complete frame.
    input: Vec<u8>,
    /// The number of bytes still to come of a frame that was refused.
    skip: u64,
    /// Encoded responses to send.
    output: Vec<u8>,
}

impl Connection {
    async fn run(&mut self) -> io::Result<()> {
        loop {
            match self.wait().await? {
                Wakeup::Received(0) | Wakeup::Overrun => return Ok(()),
                Wakeup::Received(_) => self.answer().await?,
                Wakeup::Event(event) => self.append_event(event),
            }
            self.send().await?;
            self.shrink();
        }
    }

    /// Waits for bytes or events.
    async fn wait(&mut self) -> io::Result<Wakeup> {
        let Self { stream, events, input, .. } = self;
        poll_fn(|context| {
            if let Some(events) = events.as_mut()
                && let Poll::Ready(event) = events.poll_recv(context)
            {
                return Poll::Ready(Ok(event.map_or(Wakeup::Overrun, Wakeup::Event)));
            }
            receive(stream, input, context).map_ok(Wakeup::Received)
        })
        .await
    }

    /// Answers every complete frame that was received.
    async fn answer(&mut self) -> io::Result<()> {
        let mut done = self.skip_refused();
        let limit = self.handler.frame_bytes_max();
        loop {
            let rest = self.input.get(done..).unwrap_or_default();
            match frame::decode(rest, limit) {
                DecodedFrame::Frame(frame, length) => {
                    self.handler.handle_frame(&frame, &mut self.output);
                    done += length;
                }
                DecodedFrame::Incomplete { .. } => break,
                DecodedFrame::Refused(error) => {
                    let length = self.refuse(&error, rest.len());
                    done += length;
                }
            }
            if self.output.len() >= WRITE_BYTES {
                self.send().await?;
            }
        }
        self.input.drain(..done.min(self.input.len()));
        if let Some(events) = self.handler.take_registration() {
            self.events = Some(events);
        }
        Ok(())
    }

    /// The number of received bytes that belong to a frame that was refused.
    fn skip_refused(&mut self) -> usize {
        let skipped = usize::try_from(self.skip).unwrap_or(usize::MAX).min(self.input.len());
        self.skip -= skipped as u64;
        skipped
    }

    /// Refuses a frame; returns how many of the received bytes belong to it.
    fn refuse(&mut self, error: &FrameError, received: usize) -> usize {
        if let FrameError::Version(number) = error {
            frame::refuse_version(&mut self.output, *number);
            return received;
        }
        let version = self.handler.version().unwrap_or(ProtocolVersion::HIGHEST);
        self.append_error(version, error.stream(), error.to_error_message());
        let (FrameError::Kind { length, .. } | FrameError::TooLong { length, .. }) = error else {
            return received;
        };
        let available = usize::try_from(*length).unwrap_or(usize::MAX).min(received);
        self.skip = length - available as u64;
        available
    }

    fn append_error(&mut self, version: ProtocolVersion, stream: i16, error: ErrorMessage) {
        let head = ResponseHead::new(version, stream);
        Response::Error(error).encode(&head, &mut self.output);
    }

    fn append_event(&mut self, event: Event) {
        let version = self.handler.version().unwrap_or(ProtocolVersion::HIGHEST);
        Response::Event(event).encode(&ResponseHead::new(version, -1), &mut self.output);
    }

    async fn send(&mut self) -> io::Result<()> {
        if !self.output.is_empty() {
            self.stream.write_all(&self.output).await?;
            self.output.clear();
        }
        Ok(())
    }

    /// Releases the memory of large frames, so that idle connections stay small.
    fn shrink(&mut self) {
        if self.input.is_empty() && self.input.capacity() > IDLE_BUFFER_BYTES {
            self.input.shrink_to(IDLE_BUFFER_BYTES);
        }
        if self.output.capacity() > WRITE_BYTES {
            self.output.shrink_to(IDLE_BUFFER_BYTES);
        }
    }
}

/// Reads the available bytes into the buffer; returns their number, 0 at the end.
fn receive(
    stream: &TcpStream,
    input: &mut Vec<u8>,
    context: &mut Context<'_>,
) -> Poll<io::Result<usize>> {
    loop {
        ready!(stream.poll_read_ready(context))?;
        if input.capacity() - input.len() < IDLE_BUFFER_BYTES {
            input.reserve(if input.is_empty() { IDLE_BUFFER_BYTES } else { READ_BYTES });
        }
        match stream.try_read_buf(input) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            other => return Poll::Ready(other),
        }
    }
}
