//! Any bytes are decoded in any framing without a panic, and frames that were decoded are encoded as bytes that decode to the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wire::{Compression, FrameDecoder, FrameEncoder, Framing, ProtocolVersion};

const LIMIT: usize = 1 << 20;

fuzz_target!(|data: &[u8]| {
    let Some((choice, data)) = data.split_first() else { return };
    let framing = match choice % 5 {
        0 => Framing::new(ProtocolVersion::V4, None),
        1 => Framing::new(ProtocolVersion::V4, Some(Compression::Lz4)),
        2 => Framing::new(ProtocolVersion::V4, Some(Compression::Snappy)),
        3 => Framing::new(ProtocolVersion::V5, None),
        _ => Framing::new(ProtocolVersion::V5, Some(Compression::Lz4)),
    };
    // As received, and as the content of frames in the right framing: checksums keep most bytes out.
    let mut framed = Vec::new();
    FrameEncoder::new(framing).encode_into(data, &mut framed);
    for input in [data, &framed] {
        let frames = decode(framing, input);
        let mut again = Vec::new();
        FrameEncoder::new(framing).encode_into(&frames.concat(), &mut again);
        assert_eq!(decode(framing, &again), frames);
    }
});

/// The frames at the start of some bytes, up to a fatal error.
fn decode(framing: Framing, mut input: &[u8]) -> Vec<Vec<u8>> {
    let mut decoder = FrameDecoder::new(LIMIT);
    decoder.set_framing(framing);
    let mut frames = Vec::new();
    loop {
        let decoded = decoder.decode(input);
        match decoded.frame {
            Ok(Some(frame)) => {
                let mut bytes = Vec::new();
                frame.encode(&mut bytes);
                frames.push(bytes);
            }
            Ok(None) => return frames,
            Err(error) if error.is_fatal() => return frames,
            Err(_) => {}
        }
        input = &input[decoded.consumed..];
    }
}
