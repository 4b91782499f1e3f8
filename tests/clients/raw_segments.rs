//! Segments of version 5 that no driver sends: they are refused as a real node refuses them, and what can be skipped is
//! skipped.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use wire::{
    Compression, FrameDecoder, FrameEncoder, Framing, ProtocolVersion, QueryOptions, Request,
    RequestHead, Response, frame,
};

use super::Server;

/// A connection of version 5 after STARTUP.
struct SegmentConnection {
    stream: TcpStream,
    encoder: FrameEncoder,
    decoder: FrameDecoder,
    received: Vec<u8>,
}

impl SegmentConnection {
    fn open(server: &Server, compression: Option<Compression>) -> Self {
        let stream = TcpStream::connect(server.address).expect("the server talks");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("the server talks");
        let decoder = FrameDecoder::new(frame::RESPONSE_LIMIT);
        let encoder = FrameEncoder::default();
        let mut connection = Self { stream, encoder, decoder, received: Vec::new() };
        let mut options = vec![("CQL_VERSION", "3.0.0")];
        options.extend(compression.map(|it| ("COMPRESSION", it.name())));
        let startup = connection.encode(&Request::Startup(options));
        connection.send(&startup);
        assert_eq!(connection.receive().as_deref(), Some("Ready"));
        let framing = Framing::new(ProtocolVersion::V5, compression);
        connection.encoder = FrameEncoder::new(framing);
        connection.decoder.set_framing(framing);
        connection
    }

    /// A request in the framing of the connection.
    fn encode(&mut self, request: &Request<'_>) -> Vec<u8> {
        let (mut frame, mut out) = (Vec::new(), Vec::new());
        request.encode(&RequestHead::new(ProtocolVersion::V5, 7), &mut frame);
        self.encoder.encode_into(&frame, &mut out);
        out
    }

    fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).expect("the server talks");
    }

    /// The next answer, in short; nothing if the server closed the connection.
    fn receive(&mut self) -> Option<String> {
        loop {
            let decoded = self.decoder.decode(&self.received);
            let response =
                decoded.frame.expect("our segments are right").map(|frame| match Response::decode(
                    &frame,
                )
                .expect("our messages are right")
                .1
                {
                    Response::Error(error) => {
                        format!("{:04x} {}", error.kind.code().number(), error.message)
                    }
                    Response::Supported(_) => "Supported".to_owned(),
                    Response::Rows(rows) => format!("{} rows", rows.count),
                    other => format!("{other:?}"),
                });
            let consumed = decoded.consumed;
            self.received.drain(..consumed);
            if response.is_some() {
                return response;
            }
            let mut chunk = [0; 4096];
            match self.stream.read(&mut chunk) {
                Ok(0) => return None,
                Ok(count) => self.received.extend(&chunk[..count]),
                Err(error) if error.kind() == ErrorKind::ConnectionReset => return None,
                Err(error) => panic!("{error}"),
            }
        }
    }

    fn ask(&mut self, request: &Request<'_>) -> String {
        let bytes = self.encode(request);
        self.send(&bytes);
        self.receive().expect("the connection stays open")
    }
}

#[test]
fn damaged_segments_end_the_connection() {
    let server = Server::start();
    for (compression, part) in [
        (None, "header"),
        (None, "body"),
        (Some(Compression::Lz4), "header"),
        (Some(Compression::Lz4), "body"),
    ] {
        let mut connection = SegmentConnection::open(&server, compression);
        assert_eq!(connection.ask(&Request::Options), "Supported");
        let mut bytes = connection.encode(&Request::Options);
        let at = if part == "header" { 1 } else { bytes.len() - 6 };
        bytes[at] ^= 0x10;
        connection.send(&bytes);
        let refusal = connection.receive().expect("a refusal");
        let text = format!("invalid, unrecoverable CRC mismatch detected in frame {part}. Read ");
        assert!(refusal.starts_with("000a ") && refusal.contains(&text), "{refusal}");
        assert_eq!(connection.receive(), None);
    }
}

#[test]
fn segments_may_come_byte_by_byte() {
    let server = Server::start();
    let mut connection = SegmentConnection::open(&server, Some(Compression::Lz4));
    let text = "SELECT key FROM system.local";
    let bytes = connection.encode(&Request::Query(text, QueryOptions::default()));
    connection.stream.set_nodelay(true).expect("the server talks");
    for byte in bytes {
        connection.send(&[byte]);
    }
    assert_eq!(connection.receive().as_deref(), Some("1 rows"));
}

#[test]
fn frames_that_do_not_fit_are_refused() {
    let server = Server::start();
    let mut connection = SegmentConnection::open(&server, None);
    // Longer than a segment, and than the limit: skipped, and the connection lives on.
    let long = "x".repeat(20 << 20);
    assert_eq!(
        connection.ask(&Request::Query(&long, QueryOptions::default())),
        "2200 Request is too big: length 20971539 exceeds maximum allowed length 16777216."
    );
    let text = format!("SELECT (text)'{}' FROM system.local", "y".repeat(300_000));
    assert_eq!(connection.ask(&Request::Query(&text, QueryOptions::default())), "1 rows");
    // A frame of another version, and one that claims to be longer than its segment.
    let mut frames = vec![4, 0, 0, 9, 5, 0, 0, 0, 0];
    let mut bytes = Vec::new();
    connection.encoder.encode_into(&frames, &mut bytes);
    connection.send(&bytes);
    assert_eq!(
        connection.receive().as_deref(),
        Some(
            "000a Invalid message version. Got 4/v4 but previousmessages on this connection had version 5/v5"
        )
    );
    assert_eq!(connection.ask(&Request::Options), "Supported");
    frames = vec![5, 0, 0, 9, 5, 0, 0, 0, 50];
    bytes.clear();
    connection.encoder.encode_into(&frames, &mut bytes);
    connection.send(&bytes);
    assert_eq!(
        connection.receive().as_deref(),
        Some("0000 java.io.IOException: Error decoding CQL Message")
    );
    assert_eq!(connection.receive(), None);
}

#[test]
fn a_time_of_the_request_replaces_the_clock() {
    let server = Server::start();
    let mut connection = SegmentConnection::open(&server, Some(Compression::Lz4));
    let mut run = |text: &str, now_in_seconds| {
        let options = QueryOptions { now_in_seconds, ..QueryOptions::default() };
        connection.ask(&Request::Query(text, options))
    };
    for text in [
        "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
        "CREATE TABLE ks.t (k int PRIMARY KEY)",
    ] {
        assert!(run(text, None).starts_with("SchemaChange"));
    }
    assert_eq!(run("INSERT INTO ks.t (k) VALUES (1) USING TTL 100", Some(1_000_000_000)), "Void");
    assert_eq!(run("SELECT * FROM ks.t", Some(1_000_000_099)), "1 rows");
    assert_eq!(run("SELECT * FROM ks.t", Some(1_000_000_100)), "0 rows");
    assert_eq!(run("SELECT * FROM ks.t", None), "0 rows");
}
