//! Conversations of the Python driver with Cassandra 5.0.8, recorded byte by byte, are decoded
//! however they are cut, and our encoding of them is decoded to the same.

use crate::frame::{DEFAULT_LIMIT, RESPONSE_LIMIT};
use crate::{
    Compression, ErrorKind, Frame, FrameDecoder, FrameEncoder, Framing, MarkerValues, Opcode,
    ProtocolVersion, Request, Response, StatementRef, compute_metadata_id,
};

/// The two directions of a conversation.
struct Recording {
    framing: Framing,
    requests: &'static [u8],
    responses: &'static [u8],
}

macro_rules! recording {
    ($name:literal, $version:ident, $compression:expr) => {
        Recording {
            framing: Framing::new(ProtocolVersion::$version, $compression),
            requests: include_bytes!(concat!("recordings/", $name, ".requests")),
            responses: include_bytes!(concat!("recordings/", $name, ".responses")),
        }
    };
}

/// A frame with its body copied.
#[derive(Clone, Debug, PartialEq, Eq)]
struct OwnedFrame {
    version: ProtocolVersion,
    flags: u8,
    stream: i16,
    opcode: Opcode,
    body: Vec<u8>,
}

impl OwnedFrame {
    fn new(frame: &Frame<'_>) -> Self {
        let Frame { version, flags, stream, opcode, body } = *frame;
        Self { version, flags, stream, opcode, body: body.to_vec() }
    }

    fn as_frame(&self) -> Frame<'_> {
        let Self { version, flags, stream, opcode, ref body } = *self;
        Frame { version, flags, stream, opcode, body }
    }

    /// The frame as it is, without a framing.
    fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.as_frame().encode(&mut out);
        out
    }
}

/// Decodes a direction that arrives in pieces; segments begin after STARTUP and READY.
fn decode(bytes: &[u8], framing: Framing, piece: usize) -> Vec<OwnedFrame> {
    let mut decoder = FrameDecoder::new(RESPONSE_LIMIT);
    if !framing.has_segments() {
        decoder.set_framing(framing);
    }
    let (mut frames, mut input) = (Vec::new(), Vec::new());
    for received in bytes.chunks(piece) {
        input.extend(received);
        loop {
            let decoded = decoder.decode(&input);
            let frame = decoded.frame.unwrap().map(|frame| OwnedFrame::new(&frame));
            input.drain(..decoded.consumed);
            let Some(frame) = frame else { break };
            if matches!(frame.opcode, Opcode::Startup | Opcode::Ready) && frames.len() == 1 {
                decoder.set_framing(framing);
            }
            frames.push(frame);
        }
        decoder.shrink();
    }
    assert!(input.is_empty());
    frames
}

fn recordings() -> [Recording; 4] {
    [
        recording!("v5", V5, None),
        recording!("v5_lz4", V5, Some(Compression::Lz4)),
        recording!("v4_lz4", V4, Some(Compression::Lz4)),
        recording!("v4_snappy", V4, Some(Compression::Snappy)),
    ]
}

#[test]
fn recordings_are_decoded_however_they_are_cut() {
    for recording in recordings() {
        for bytes in [recording.requests, recording.responses] {
            let whole = decode(bytes, recording.framing, bytes.len());
            assert!(whole.len() >= 6);
            for piece in [1, 7, 100, 4096] {
                assert_eq!(decode(bytes, recording.framing, piece), whole);
            }
            for frame in whole {
                if frame.opcode.is_request() {
                    Request::decode(&frame.as_frame()).unwrap();
                } else {
                    Response::decode(&frame.as_frame()).unwrap();
                }
            }
        }
    }
}

#[test]
fn what_we_encode_is_decoded_to_the_same() {
    for recording in recordings() {
        for bytes in [recording.requests, recording.responses] {
            let frames = decode(bytes, recording.framing, bytes.len());
            for together in [1, 2, frames.len()] {
                let mut encoder = FrameEncoder::new(recording.framing);
                let mut out = Vec::new();
                for group in frames.chunks(together) {
                    let plain: Vec<u8> = group.iter().flat_map(OwnedFrame::bytes).collect();
                    encoder.encode_into(&plain, &mut out);
                }
                let mut decoder = FrameDecoder::new(RESPONSE_LIMIT);
                decoder.set_framing(recording.framing);
                let mut input = out.as_slice();
                for frame in &frames {
                    let decoded = decoder.decode(input);
                    assert_eq!(OwnedFrame::new(&decoded.frame.unwrap().unwrap()), *frame);
                    input = &input[decoded.consumed..];
                }
                assert!(input.is_empty());
            }
        }
    }
}

/// Segments without compression are the same bytes on both sides.
#[test]
fn segments_are_encoded_as_the_server_does() {
    let recording = recording!("v5", V5, None);
    for (bytes, start) in [(recording.requests, 109), (recording.responses, 120)] {
        let mut encoder = FrameEncoder::new(recording.framing);
        let mut out = Vec::new();
        for frame in decode(bytes, recording.framing, bytes.len()).iter().skip(2) {
            encoder.encode_into(&frame.bytes(), &mut out);
        }
        assert_eq!(out, bytes[start..]);
    }
}

/// What the driver asked for in version 5, and how the node answered.
#[test]
fn messages_of_version_5_are_decoded() {
    let recording = recording!("v5_lz4", V5, Some(Compression::Lz4));
    let requests = decode(recording.requests, recording.framing, usize::MAX);
    let responses = decode(recording.responses, recording.framing, usize::MAX);
    let request = |stream: i16| {
        let frame = requests.iter().find(|frame| frame.stream == stream).unwrap();
        Request::decode(&frame.as_frame()).unwrap().1
    };
    let response = |stream: i16| {
        let frame = responses.iter().find(|frame| frame.stream == stream).unwrap();
        Response::decode(&frame.as_frame()).unwrap()
    };
    assert_eq!(request(9), Request::Prepare("INSERT INTO t(k,v) VALUES(?,?)", Some("rec")));
    let (head, Response::Prepared(insert)) = response(9) else { panic!() };
    assert!(head.warnings[0].starts_with("`USE <keyspace>` with prepared statements"));
    assert_eq!(insert.metadata_id, compute_metadata_id(std::iter::empty()));
    let Request::Query("SELECT * FROM t WHERE k=1", options) = request(10) else { panic!() };
    assert_eq!((options.keyspace, options.page_size), (Some("rec"), Some(5000)));
    let Request::Execute(id, options) = request(11) else { panic!() };
    assert_eq!((id, options.metadata_id), (&insert.id[..], Some(&insert.metadata_id[..])));

    // The columns of a prepared SELECT changed: the client learns their new id with the rows.
    let (_, Response::Prepared(old)) = response(14) else { panic!() };
    let (_, Response::Error(unprepared)) = response(19) else { panic!() };
    assert_eq!(unprepared.kind, ErrorKind::Unprepared(old.id.clone()));
    let (_, Response::Prepared(new)) = response(20) else { panic!() };
    for prepared in [&old, &new] {
        let columns = prepared.columns.columns().iter().map(crate::ColumnSpec::as_column_ref);
        assert_eq!(prepared.metadata_id, compute_metadata_id(columns));
    }
    let Request::Execute(_, options) = request(21) else { panic!() };
    assert_eq!(options.metadata_id, Some(&old.metadata_id[..]));
    let (_, Response::Rows(rows)) = response(21) else { panic!() };
    assert_eq!(rows.metadata_id.as_deref(), Some(&new.metadata_id[..]));
    assert_eq!(rows.columns.count(), 4);

    let Request::Batch(batch) = request(24) else { panic!() };
    assert_eq!(batch.statements[0].text, StatementRef::Prepared(&insert.id));
    let Request::Execute(_, options) = request(25) else { panic!() };
    let MarkerValues::Positional(values) = options.values else { panic!() };
    assert_eq!(values[1].bytes().map(<[u8]>::len), Some(260_000));
    let (_, Response::Rows(rows)) = response(26) else { panic!() };
    let value = rows.values().next().unwrap().unwrap();
    assert!(value == b"ABCDEFGHIJKLMNOPQRSTUVWXYZ".repeat(10_000));
    assert!(DEFAULT_LIMIT > value.len());
}
