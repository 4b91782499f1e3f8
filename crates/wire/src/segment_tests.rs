//! Segments and compressed bodies that no driver sends: what can be skipped is skipped, everything
//! else ends the connection, and nothing allocates more than the limit. The refusals are those of
//! Cassandra 5.0.8.

use crate::frame::FrameError;
use crate::segment;
use crate::{Compression, FrameDecoder, FrameEncoder, Framing, ProtocolVersion};

const LIMIT: usize = 1 << 20;
const OPTIONS: [u8; 9] = [5, 0, 0, 7, 5, 0, 0, 0, 0];

fn decoder(version: ProtocolVersion, compression: Option<Compression>) -> FrameDecoder {
    let mut decoder = FrameDecoder::new(LIMIT);
    decoder.set_framing(Framing::new(version, compression));
    decoder
}

/// The header of a frame of version 5 with a body of that length.
fn header(opcode: u8, body_length: u32) -> Vec<u8> {
    let mut out = vec![5, 0, 0, 7, opcode];
    out.extend(body_length.to_be_bytes());
    out
}

fn plain_segment(payload: &[u8], is_self_contained: bool) -> Vec<u8> {
    let mut out = Vec::new();
    segment::put(&mut out, payload, is_self_contained, None);
    out
}

/// What a decoder finds: the stream of each frame, the text of each refusal, with `!` if it is
/// fatal.
fn describe(decoder: &mut FrameDecoder, bytes: &[u8]) -> Vec<String> {
    let (mut found, mut input) = (Vec::new(), bytes);
    loop {
        let decoded = decoder.decode(input);
        let consumed = decoded.consumed;
        match decoded.frame {
            Ok(Some(frame)) => found.push(format!("{} on {}", frame.opcode, frame.stream)),
            Ok(None) => return found,
            Err(error) => {
                let (mark, message) = (error.is_fatal(), error.to_error_message().message);
                found.push(format!(
                    "{}{message} on {}",
                    if mark { "!" } else { "" },
                    error.stream()
                ));
                if error.is_fatal() {
                    return found;
                }
            }
        }
        input = &input[consumed..];
    }
}

fn describe_v5(bytes: &[u8]) -> Vec<String> {
    describe(&mut decoder(ProtocolVersion::V5, None), bytes)
}

/// OPTIONS on stream 7 in a segment that a node accepted.
const OPTIONS_SEGMENT: [u8; 19] = [
    0x09, 0x00, 0x02, 0xA4, 0xC8, 0xC1, 0x05, 0x00, 0x00, 0x07, 0x05, 0x00, 0x00, 0x00, 0x00, 0xA8,
    0xB6, 0x2D, 0x50,
];

#[test]
fn wrong_checksums_end_the_connection() {
    let good = plain_segment(&OPTIONS, true);
    assert_eq!(good, OPTIONS_SEGMENT);
    assert_eq!(describe_v5(&good), ["OPTIONS on 7"]);
    for at in 0..good.len() {
        for bit in 0..8 {
            let mut bytes = good.clone();
            bytes[at] ^= 1 << bit;
            bytes.extend(&good);
            let found = describe_v5(&bytes);
            let part = if at < 6 { "header" } else { "body" };
            let text = format!("unrecoverable CRC mismatch detected in frame {part}. Read ");
            assert!(found.len() == 1 && found[0].starts_with('!') && found[0].contains(&text));
        }
    }
    let mut bytes = good.clone();
    bytes[15] ^= 1;
    assert_eq!(
        describe_v5(&bytes),
        ["!connection invalid, unrecoverable CRC mismatch detected in frame body. \
          Read 1345173161, Computed 1345173160 on 0"]
    );
    for end in 0..good.len() {
        assert!(describe_v5(&good[..end]).is_empty());
    }
}

#[test]
fn refused_frames_of_a_segment_are_skipped() {
    let segment = |frames: &[Vec<u8>]| plain_segment(&frames.concat(), true);
    let (good, unknown) = (OPTIONS.to_vec(), [header(99, 3), b"abc".to_vec()].concat());
    let refusal = "Unknown opcode 99 on 7";
    assert_eq!(describe_v5(&segment(&[unknown.clone(), good.clone()])), [refusal, "OPTIONS on 7"]);
    // Two in a row mean that the rest of the segment is garbage.
    assert_eq!(
        describe_v5(&segment(&[unknown.clone(), unknown.clone(), good.clone()])),
        [refusal.to_owned(), format!("!{refusal}")]
    );
    let two = [vec![unknown.clone()], vec![unknown], vec![good.clone()]];
    let two = two.map(|frames| segment(&frames));
    assert_eq!(describe_v5(&two.concat()), [refusal, refusal, "OPTIONS on 7"]);
    let mut older = good.clone();
    older[0] = 4;
    assert_eq!(
        describe_v5(&segment(&[older, good.clone()])),
        [
            "Invalid message version. Got 4/v4 but previousmessages on this connection had version 5/v5 on 7",
            "OPTIONS on 7"
        ]
    );
    let mut other = good.clone();
    other[0] = 66;
    assert_eq!(
        describe_v5(&segment(&[other, good.clone()])),
        [
            "Invalid or unsupported protocol version (66); supported versions are (3/v3, 4/v4, 5/v5, 6/v6-beta) on 7",
            "OPTIONS on 7"
        ]
    );
    assert_eq!(
        describe_v5(&[plain_segment(&[], true), segment(&[good])].concat()),
        ["OPTIONS on 7"]
    );
}

#[test]
fn frames_that_do_not_fit_their_segments_end_the_connection() {
    let truncation = ["!java.io.IOException: Error decoding CQL Message on 0"];
    assert_eq!(describe_v5(&plain_segment(&OPTIONS[..5], true)), truncation);
    assert_eq!(describe_v5(&plain_segment(&header(5, 50), true)), truncation);
    assert_eq!(describe_v5(&plain_segment(&OPTIONS[..5], false)), truncation);
    assert_eq!(describe_v5(&plain_segment(&[], false)), truncation);
    let long = [plain_segment(&header(7, 10), false), plain_segment(&[0; 20], false)].concat();
    assert_eq!(describe_v5(&long), truncation);
    assert_eq!(
        describe_v5(&plain_segment(&header(7, u32::MAX), false)),
        ["!Invalid value for envelope header body length field: -1 on 0"]
    );
}

#[test]
fn frames_of_several_segments_are_joined() {
    let first = [header(7, 200_000), vec![1; 131_000]].concat();
    let (first, last) = (plain_segment(&first, false), plain_segment(&vec![2; 69_000], false));
    let other = plain_segment(&OPTIONS, true);
    assert_eq!(
        describe_v5(&[first.as_slice(), &last, &other].concat()),
        ["QUERY on 7", "OPTIONS on 7"]
    );
    // A self-contained segment may come between the parts.
    assert_eq!(describe_v5(&[first, other, last].concat()), ["OPTIONS on 7", "QUERY on 7"]);
    // The first part alone may be the whole frame.
    assert_eq!(describe_v5(&plain_segment(&OPTIONS, false)), ["OPTIONS on 7"]);
}

#[test]
fn frames_longer_than_the_limit_are_skipped() {
    let length = u32::try_from(LIMIT).unwrap();
    let mut bytes = plain_segment(&[header(7, length), vec![0; 100_000]].concat(), false);
    let mut rest = LIMIT - 100_000;
    while rest > 0 {
        let part = rest.min(131_071);
        bytes.extend(plain_segment(&vec![0; part], false));
        rest -= part;
    }
    bytes.extend(plain_segment(&OPTIONS, true));
    let refusal = "Request is too big: length 1048585 exceeds maximum allowed length 1048576. on 7";
    assert_eq!(describe_v5(&bytes), [refusal, "OPTIONS on 7"]);
}

#[test]
fn malformed_compression_is_refused() {
    let compression = Some(Compression::Lz4);
    let compressed = |payload: &[u8]| {
        let mut out = Vec::new();
        let framing = Framing::new(ProtocolVersion::V5, compression);
        FrameEncoder::new(framing).encode_into(payload, &mut out);
        out
    };
    let decoder_v5 = || decoder(ProtocolVersion::V5, compression);
    let many = OPTIONS.repeat(20);
    let bytes = compressed(&many);
    assert!(bytes.len() < many.len());
    assert_eq!(describe(&mut decoder_v5(), &bytes), ["OPTIONS on 7"; 20]);
    assert_eq!(describe(&mut decoder_v5(), &compressed(&OPTIONS)), ["OPTIONS on 7"]);

    let frame = |flags: u8, body: &[u8]| {
        let mut out = vec![4, flags, 0, 7, 5];
        out.extend(u32::try_from(body.len()).unwrap().to_be_bytes());
        out.extend(body);
        out
    };
    for (compression, garbage) in [
        (Compression::Lz4, &b"\0\0\0\x10\xFF\xFF\xFF\xFF"[..]),
        (Compression::Lz4, b""),
        (Compression::Lz4, b"\0\0\0\x02\x1F\xFF"),
        (Compression::Snappy, b"\xFF\xFF\xFF"),
        (Compression::Snappy, b""),
    ] {
        let bytes = [frame(1, garbage), frame(0, &[])].concat();
        let found = describe(&mut decoder(ProtocolVersion::V4, Some(compression)), &bytes);
        assert!(found.len() == 2 && found[0].ends_with("on 0"), "{found:?}");
        assert_eq!(found[1], "OPTIONS on 7");
        // Without compression, the flag means nothing.
        let found = describe(&mut decoder(ProtocolVersion::V4, None), &bytes);
        assert_eq!(found, ["OPTIONS on 7"; 2]);
    }
    // A body of a few bytes that claims to be gigabytes.
    for (compression, bomb) in [
        (Compression::Lz4, &b"\x7F\xFF\xFF\xFF\x1F\0\x01\0\xFF\xFF"[..]),
        (Compression::Snappy, b"\xFF\xFF\xFF\xFF\x07\xFE\x01\0"),
    ] {
        let mut decoder = decoder(ProtocolVersion::V4, Some(compression));
        let error = decoder.decode(&frame(1, bomb)).frame.unwrap_err();
        let FrameError::Body(error) = error else { panic!("{error:?}") };
        assert_eq!(
            error.message,
            "Request is too big: length 2147483647 exceeds maximum allowed length 1048576."
        );
    }
}

#[test]
fn no_bytes_bring_the_decoder_down() {
    let mut seed = 7_u64;
    let mut next = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed.to_be_bytes()[1]
    };
    for round in 0..20_000 {
        let version = if round % 2 == 0 { ProtocolVersion::V4 } else { ProtocolVersion::V5 };
        let compression = [None, Some(Compression::Lz4), Some(Compression::Snappy)][round % 3]
            .filter(|it| version == ProtocolVersion::V4 || *it == Compression::Lz4);
        let mut frames = Vec::new();
        for _ in 0..next() % 3 {
            let body: Vec<u8> = (0..next()).map(|_| next() & 1).collect();
            frames.extend([version.number(), next() & 1, 0, next(), next() % 16]);
            frames.extend(u32::try_from(body.len()).unwrap().to_be_bytes());
            frames.extend(body);
        }
        let mut bytes = Vec::new();
        FrameEncoder::new(Framing::new(version, compression)).encode_into(&frames, &mut bytes);
        for _ in 0..next() % 3 {
            let at = usize::from(next());
            if let Some(byte) = bytes.get_mut(at) {
                *byte = next();
            }
        }
        describe(&mut decoder(version, compression), &bytes);
    }
}
