//! Any bytes are read as frames without a panic; a request or an answer that was read is written as bytes that read the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wire::{DecodedFrame, Request, Response, frame};

fuzz_target!(|data: &[u8]| {
    let mut rest = data;
    while let DecodedFrame::Frame(frame, length) = frame::decode(rest, 1 << 20) {
        rest = &rest[length..];
        let mut out = Vec::new();
        if frame.opcode.is_request() {
            let Ok((head, request)) = Request::decode(&frame) else { continue };
            request.encode(&head, &mut out);
            let DecodedFrame::Frame(again, _) = frame::decode(&out, 1 << 20) else { panic!("{request:?}") };
            assert_eq!(Request::decode(&again), Ok((head, request)));
        } else {
            let Ok((head, response)) = Response::decode(&frame) else { continue };
            response.encode(&head, &mut out);
            let DecodedFrame::Frame(again, _) = frame::decode(&out, 1 << 20) else { panic!("{response:?}") };
            assert!(Response::decode(&again).is_ok(), "{response:?}");
        }
    }
});
