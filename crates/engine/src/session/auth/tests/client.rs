//! A minimal client of the native protocol, version 4, with one request at a time.

use std::io::{Read, Write};
use std::net::TcpStream;

use super::{ResponseLines, render_row};

/// A connection of a logged-in user.
pub(super) struct Client {
    stream: TcpStream,
}

impl Client {
    /// Logs in; an error is in the format of the script.
    pub(super) fn login(address: &str, user: &str) -> Result<Self, String> {
        let (name, password) = user.split_once('/').unwrap_or((user, user));
        let mut client = Self { stream: TcpStream::connect(address).expect("the server is there") };
        let mut startup = vec![0, 1];
        put_string(&mut startup, "CQL_VERSION");
        put_string(&mut startup, "3.0.0");
        client.send_request(0x01, &startup);
        let token = format!("\0{name}\0{password}");
        let mut body = encode_length(token.len()).to_vec();
        body.extend(token.as_bytes());
        let (opcode, _, body) = client.send_request(0x0f, &body);
        if opcode == 0 { Err(BodyReader(&body).error()) } else { Ok(client) }
    }

    /// Executes a statement and formats the result for the script.
    pub(super) fn query(&mut self, text: &str) -> ResponseLines {
        let mut body = encode_length(text.len()).to_vec();
        body.extend(text.as_bytes());
        body.extend([0, 1, 0]);
        let (opcode, flags, body) = self.send_request(0x07, &body);
        let mut reader = BodyReader(&body);
        let mut warnings = Vec::new();
        if flags & 0x08 != 0 {
            for _ in 0..reader.short() {
                warnings.push(format!("warned: {}", reader.string()));
            }
        }
        if opcode == 0 {
            return vec![reader.error()];
        }
        if reader.int() == 2 {
            warnings.extend(reader.rows());
        }
        warnings
    }

    fn send_request(&mut self, opcode: u8, body: &[u8]) -> (u8, u8, Vec<u8>) {
        let mut frame = vec![4, 0, 0, 0, opcode];
        frame.extend(encode_length(body.len()));
        frame.extend(body);
        self.stream.write_all(&frame).expect("the server listens");
        let mut head = [0; 9];
        self.stream.read_exact(&mut head).expect("the server answers");
        let size = u32::from_be_bytes([head[5], head[6], head[7], head[8]]);
        let mut body = vec![0; usize::try_from(size).expect("a length")];
        self.stream.read_exact(&mut body).expect("the server answers");
        (head[4], head[1], body)
    }
}

fn encode_length(length: usize) -> [u8; 4] {
    u32::try_from(length).expect("a length").to_be_bytes()
}

fn put_string(out: &mut Vec<u8>, text: &str) {
    out.extend(u16::try_from(text.len()).expect("a length").to_be_bytes());
    out.extend(text.as_bytes());
}

/// The rest of a response.
struct BodyReader<'a>(&'a [u8]);

impl<'a> BodyReader<'a> {
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken
    }

    fn short(&mut self) -> u16 {
        u16::from_be_bytes(self.take(2).try_into().expect("two bytes"))
    }

    fn int(&mut self) -> i32 {
        i32::from_be_bytes(self.take(4).try_into().expect("four bytes"))
    }

    fn string(&mut self) -> String {
        let length = usize::from(self.short());
        String::from_utf8_lossy(self.take(length)).into_owned()
    }

    fn error(&mut self) -> String {
        format!("{:04x} {}", self.int(), self.string())
    }

    fn rows(&mut self) -> ResponseLines {
        let (flags, columns) = (self.int(), self.int());
        if flags & 1 != 0 {
            let _table = (self.string(), self.string());
        }
        let mut names = Vec::new();
        for _ in 0..columns {
            if flags & 1 == 0 {
                let _table = (self.string(), self.string());
            }
            names.push(self.string());
            self.skip_type();
        }
        let mut lines = vec![names.join(" | ")];
        for _ in 0..self.int() {
            let row: Vec<Option<&[u8]>> = (0..columns).map(|_| self.value()).collect();
            lines.push(render_row(&row));
        }
        lines
    }

    fn value(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.int()).ok()?;
        Some(self.take(length))
    }

    fn skip_type(&mut self) {
        match self.short() {
            0 => drop(self.string()),
            0x20 | 0x22 => self.skip_type(),
            0x21 => {
                self.skip_type();
                self.skip_type();
            }
            _ => {}
        }
    }
}
