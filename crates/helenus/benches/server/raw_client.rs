//! A client that speaks every version and compression, which the Rust driver does not: one
//! connection that keeps a number of requests in flight.

use std::time::{Duration, Instant};

use wire::{FrameDecoder, FrameEncoder, Opcode, ProtocolVersion, frame};

use crate::encoding::{Encoding, Socket};
use crate::figures::{Figures, Workload};
use crate::process::cpu_seconds;
use crate::target::{INSERT, KEYS, PARTITIONS, SCHEMA, SELECT, SLICE, summarize};

const ROW_INSERT: &str = "INSERT INTO bench.rows (k, c, v) VALUES (?, ?, ?)";
const READ_BYTES: usize = 256 << 10;

/// A connection.
pub(crate) struct RawClient {
    socket: Box<dyn Socket>,
    encoder: FrameEncoder,
    decoder: FrameDecoder,
    /// Where responses are read to; so many bytes of it are filled.
    input: Vec<u8>,
    filled: usize,
    /// Requests as they go to the socket.
    output: Vec<u8>,
    version: ProtocolVersion,
    statements: Vec<(&'static str, Vec<u8>)>,
}

impl RawClient {
    /// Connects, creates the tables and fills that of the slices.
    pub(crate) fn open(address: &str, encoding: Encoding) -> Self {
        let version =
            if encoding == Encoding::V4 { ProtocolVersion::V4 } else { ProtocolVersion::V5 };
        let mut client = Self {
            socket: encoding.connect(address),
            encoder: FrameEncoder::default(),
            decoder: FrameDecoder::new(frame::RESPONSE_LIMIT),
            input: vec![0; READ_BYTES],
            filled: 0,
            output: Vec::new(),
            version,
            statements: Vec::new(),
        };
        let mut options = vec![("CQL_VERSION", "3.0.0")];
        options.extend(encoding.compression().map(|used| ("COMPRESSION", used.name())));
        let mut startup = u16::try_from(options.len()).unwrap().to_be_bytes().to_vec();
        for text in options.iter().flat_map(|(name, value)| [name, value]) {
            put_short(&mut startup, text.as_bytes());
        }
        assert_eq!(client.ask(Opcode::Startup, &startup).0, Opcode::Ready);
        client.encoder = FrameEncoder::new(encoding.framing());
        client.decoder.set_framing(encoding.framing());
        for text in SCHEMA {
            let mut body = u32::try_from(text.len()).unwrap().to_be_bytes().to_vec();
            body.extend_from_slice(text.as_bytes());
            body.extend_from_slice(&1_u16.to_be_bytes());
            client.put_flags(&mut body, 0);
            assert_eq!(client.ask(Opcode::Query, &body).0, Opcode::Result);
        }
        for text in [INSERT, SELECT, SLICE, ROW_INSERT] {
            let id = client.prepare(text);
            client.statements.push((text, id));
        }
        client.fill();
        client
    }

    /// Runs a workload for some time.
    pub(crate) fn run(
        &mut self,
        workload: Workload,
        in_flight: usize,
        time: Duration,
        pid: Option<u64>,
    ) -> Figures {
        let cpu_before = pid.and_then(cpu_seconds);
        let start = Instant::now();
        let mut number = 0;
        let mut latencies = Vec::new();
        self.keep_in_flight(
            in_flight,
            |client, out, stream| {
                if start.elapsed() >= time {
                    return false;
                }
                client.put_request(out, stream, workload.request(number), number);
                number = number.wrapping_add(1);
                true
            },
            &mut latencies,
        );
        let seconds = start.elapsed().as_secs_f64();
        summarize(latencies, seconds, cpu_before.zip(pid.and_then(cpu_seconds)))
    }

    /// Sends requests as long as there are any, with at most some in flight, and takes their times.
    fn keep_in_flight(
        &mut self,
        in_flight: usize,
        mut next: impl FnMut(&Self, &mut Vec<u8>, i16) -> bool,
        latencies: &mut Vec<Duration>,
    ) {
        let mut free: Vec<i16> = (0..i16::try_from(in_flight).unwrap()).collect();
        let mut sent = vec![Instant::now(); in_flight];
        let (mut frames, mut waiting) = (Vec::new(), 0);
        loop {
            frames.clear();
            free.retain(|stream| {
                let is_sent = next(self, &mut frames, *stream);
                if is_sent {
                    sent[usize::try_from(*stream).unwrap()] = Instant::now();
                    waiting += 1;
                }
                !is_sent
            });
            self.send(&frames);
            if waiting == 0 {
                return;
            }
            for (stream, opcode) in self.receive() {
                assert_eq!(opcode, Opcode::Result);
                latencies.push(sent[usize::try_from(stream).unwrap()].elapsed());
                free.push(stream);
                waiting -= 1;
            }
        }
    }

    fn fill(&mut self) {
        let mut row = 0;
        let next = |client: &Self, out: &mut Vec<u8>, stream: i16| {
            if row == PARTITIONS * 1000 {
                return false;
            }
            let values: [&[u8]; 3] =
                [&(row / 1000).to_be_bytes(), &(row % 1000).to_be_bytes(), &[7; 100]];
            client.put_execute(out, stream, ROW_INSERT, &values);
            row += 1;
            true
        };
        self.keep_in_flight(64, next, &mut Vec::new());
    }

    fn put_request(&self, out: &mut Vec<u8>, stream: i16, workload: Workload, number: i32) {
        let key = number.rem_euclid(KEYS).to_be_bytes();
        match workload {
            Workload::Inserts | Workload::Mix => {
                self.put_execute(out, stream, INSERT, &[&key, &[7; 100]]);
            }
            Workload::Reads => self.put_execute(out, stream, SELECT, &[&key]),
            Workload::Slices => {
                let partition = number.rem_euclid(PARTITIONS).to_be_bytes();
                let from = number.rem_euclid(900).to_be_bytes();
                self.put_execute(out, stream, SLICE, &[&partition, &from]);
            }
        }
    }

    fn put_execute(&self, out: &mut Vec<u8>, stream: i16, text: &str, values: &[&[u8]]) {
        const VALUES_WITHOUT_METADATA: u8 = 0x03;
        let (_, id) = self.statements.iter().find(|(known, _)| *known == text).unwrap();
        let mut body = Vec::with_capacity(256);
        body.extend_from_slice(id);
        body.extend_from_slice(&1_u16.to_be_bytes());
        self.put_flags(&mut body, VALUES_WITHOUT_METADATA);
        body.extend_from_slice(&u16::try_from(values.len()).unwrap().to_be_bytes());
        for value in values {
            body.extend_from_slice(&u32::try_from(value.len()).unwrap().to_be_bytes());
            body.extend_from_slice(value);
        }
        self.put_frame(out, stream, Opcode::Execute, &body);
    }

    /// Prepares a statement; returns its id, with that of its result from version 5 on, as EXECUTE
    /// has them.
    fn prepare(&mut self, text: &str) -> Vec<u8> {
        let mut body = u32::try_from(text.len()).unwrap().to_be_bytes().to_vec();
        body.extend_from_slice(text.as_bytes());
        if self.version == ProtocolVersion::V5 {
            body.extend_from_slice(&[0; 4]);
        }
        let (opcode, response) = self.ask(Opcode::Prepare, &body);
        assert_eq!(opcode, Opcode::Result);
        let mut end = 4;
        for _ in 0..if self.version == ProtocolVersion::V5 { 2 } else { 1 } {
            end += 2 + usize::from(u16::from_be_bytes([response[end], response[end + 1]]));
        }
        response[4..end].to_vec()
    }

    fn put_flags(&self, body: &mut Vec<u8>, flags: u8) {
        if self.version == ProtocolVersion::V5 {
            body.extend_from_slice(&[0; 3]);
        }
        body.push(flags);
    }

    fn put_frame(&self, out: &mut Vec<u8>, stream: i16, opcode: Opcode, body: &[u8]) {
        wire::Frame { version: self.version, flags: 0, stream, opcode, body }.encode(out);
    }

    /// The response to a request, with no other in flight.
    fn ask(&mut self, opcode: Opcode, body: &[u8]) -> (Opcode, Vec<u8>) {
        let mut frames = Vec::new();
        self.put_frame(&mut frames, 0, opcode, body);
        self.send(&frames);
        let mut response = None;
        while response.is_none() {
            self.receive_frames(|frame| response = Some((frame.opcode, frame.body.to_vec())));
        }
        response.unwrap()
    }

    fn send(&mut self, frames: &[u8]) {
        self.output.clear();
        self.encoder.encode_into(frames, &mut self.output);
        self.socket.write_all(&self.output).unwrap();
        self.socket.flush().unwrap();
    }

    /// The responses that have arrived, at least one byte.
    fn receive(&mut self) -> Vec<(i16, Opcode)> {
        let mut received = Vec::new();
        self.receive_frames(|frame| received.push((frame.stream, frame.opcode)));
        received
    }

    fn receive_frames(&mut self, mut each: impl FnMut(&wire::Frame<'_>)) {
        if self.filled == self.input.len() {
            self.input.resize(self.filled * 2, 0);
        }
        let count = self.socket.read(&mut self.input[self.filled..]).unwrap();
        assert!(count > 0, "the server has closed the connection");
        self.filled += count;
        let mut done = 0;
        loop {
            let decoded = self.decoder.decode(&self.input[done..self.filled]);
            done += decoded.consumed;
            match decoded.frame.unwrap() {
                Some(frame) => each(&frame),
                None => break,
            }
        }
        self.input.copy_within(done..self.filled, 0);
        self.filled -= done;
    }
}

fn put_short(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(&u16::try_from(bytes.len()).unwrap().to_be_bytes());
    out.extend_from_slice(bytes);
}
