//! A small blocking client of the native protocol, v4 and v5: enough to ask a node and hear all it says.
//!
//! One request at a time, no compression, no authentication. Rows stay raw bytes beside their column types.

mod answer;
mod bytes;
mod segment;
mod types;

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

pub(crate) use answer::{
    Answer, ColumnSpec, Outcome, Page, PreparedStatement, Refusal, spell as spell_columns,
};
pub(crate) use types::spell as spell_type;

use crate::clients::Server;
use answer::AnswerHeader;
use bytes::{AnswerReader, put_bytes, put_long_string, put_short, put_short_bytes, put_string};

/// How long a request may take; the node's own longest limit is a minute (TRUNCATE).
const TIMEOUT: Duration = Duration::from_secs(90);
/// The largest answer we read: the node's own limit for a frame.
const FRAME_BYTES_MAX: usize = 256 * 1024 * 1024;
const HEADER_BYTES: usize = 9;

const STARTUP: u8 = 0x01;
const QUERY: u8 = 0x07;
const PREPARE: u8 = 0x09;
const EXECUTE: u8 = 0x0A;

/// The two versions we speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    V4 = 4,
    V5 = 5,
}

/// How a statement is to be run.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// The consistency level's number; 1 is ONE.
    pub(crate) consistency: u16,
    /// Rows in a page; nothing turns paging off.
    pub(crate) page_size: Option<i32>,
    /// Where the page begins; nothing for the first.
    pub(crate) paging_state: Option<Vec<u8>>,
    /// The timestamp of writes that name none, in microseconds.
    pub(crate) timestamp: Option<i64>,
    /// Values of the bind markers, in order.
    pub(crate) values: Vec<BindValue>,
}

/// The value of a bind marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BindValue {
    Unset,
    Null,
    Bytes(Vec<u8>),
}

impl Default for Options {
    /// As drivers ask: consistency ONE, pages of 5,000 rows.
    fn default() -> Self {
        Self {
            consistency: 1,
            page_size: Some(5000),
            paging_state: None,
            timestamp: None,
            values: Vec::new(),
        }
    }
}

/// A connection to a node.
pub(crate) struct Connection {
    stream: TcpStream,
    version: Version,
    /// Bytes of an answer that came in a segment before the current one was read; v5 only.
    segments: Option<segment::SegmentReader>,
}

impl Connection {
    /// Connects and starts up.
    pub(crate) fn open(address: SocketAddr, version: Version) -> io::Result<Self> {
        let stream = TcpStream::connect_timeout(&address, Duration::from_secs(10))?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        stream.set_write_timeout(Some(TIMEOUT))?;
        stream.set_nodelay(true)?;
        let mut connection = Self { stream, version, segments: None };
        let mut body = Vec::new();
        put_short(&mut body, 1);
        put_string(&mut body, "CQL_VERSION");
        put_string(&mut body, "3.0.0");
        let ready = connection.send_request(STARTUP, &body)?;
        if let Err(refusal) = ready.result {
            return Err(io::Error::new(io::ErrorKind::ConnectionRefused, refusal.message));
        }
        if version == Version::V5 {
            connection.segments = Some(segment::SegmentReader::default());
        }
        Ok(connection)
    }

    /// Runs a text as it is.
    pub(crate) fn query(&mut self, text: &str, options: &Options) -> io::Result<Outcome> {
        let mut body = Vec::new();
        put_long_string(&mut body, text);
        self.put_options(&mut body, options);
        self.send_request(QUERY, &body)
    }

    /// Prepares a text.
    pub(crate) fn prepare(&mut self, text: &str) -> io::Result<Outcome> {
        let mut body = Vec::new();
        put_long_string(&mut body, text);
        if self.version == Version::V5 {
            body.extend(0_u32.to_be_bytes());
        }
        self.send_request(PREPARE, &body)
    }

    /// Runs a prepared statement.
    pub(crate) fn execute(
        &mut self,
        prepared: &PreparedStatement,
        options: &Options,
    ) -> io::Result<Outcome> {
        let mut body = Vec::new();
        put_short_bytes(&mut body, &prepared.id);
        if self.version == Version::V5 {
            put_short_bytes(&mut body, &prepared.result_id);
        }
        self.put_options(&mut body, options);
        self.send_request(EXECUTE, &body)
    }

    fn put_options(&self, body: &mut Vec<u8>, options: &Options) {
        put_short(body, options.consistency);
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        let flags = flag(!options.values.is_empty(), 0x01)
            | flag(options.page_size.is_some(), 0x04)
            | flag(options.paging_state.is_some(), 0x08)
            | flag(options.timestamp.is_some(), 0x20);
        match self.version {
            Version::V4 => body.push(flags),
            Version::V5 => body.extend(u32::from(flags).to_be_bytes()),
        }
        if !options.values.is_empty() {
            put_short(body, u16::try_from(options.values.len()).expect("at most 65,535 values"));
            for value in &options.values {
                match value {
                    BindValue::Unset => body.extend((-2_i32).to_be_bytes()),
                    BindValue::Null => put_bytes(body, None),
                    BindValue::Bytes(bytes) => put_bytes(body, Some(bytes)),
                }
            }
        }
        if let Some(page_size) = options.page_size {
            body.extend(page_size.to_be_bytes());
        }
        if let Some(state) = &options.paging_state {
            put_bytes(body, Some(state));
        }
        if let Some(timestamp) = options.timestamp {
            body.extend(timestamp.to_be_bytes());
        }
    }

    fn send_request(&mut self, opcode: u8, body: &[u8]) -> io::Result<Outcome> {
        let length = u32::try_from(body.len()).map_err(io::Error::other)?;
        let mut frame = vec![self.version as u8, 0, 0, 0, opcode];
        frame.extend(length.to_be_bytes());
        frame.extend(body);
        match &self.segments {
            None => self.stream.write_all(&frame)?,
            Some(_) => self.stream.write_all(&segment::wrap(&frame))?,
        }
        self.read_answer()
    }

    fn read_answer(&mut self) -> io::Result<Outcome> {
        let mut header = [0; HEADER_BYTES];
        self.read_exact(&mut header)?;
        let [version, flags, _, _, opcode, length @ ..] = header;
        let length = u32::from_be_bytes(length) as usize;
        if length > FRAME_BYTES_MAX {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("a frame of {length} bytes"),
            ));
        }
        let mut body = vec![0; length];
        self.read_exact(&mut body)?;
        let frame = AnswerHeader { version: version & 0x7F, flags, opcode };
        answer::decode(&frame, &mut AnswerReader::new(&body))
    }

    fn read_exact(&mut self, target: &mut [u8]) -> io::Result<()> {
        match &mut self.segments {
            None => self.stream.read_exact(target),
            Some(segments) => segments.read_exact(&mut self.stream, target),
        }
    }
}

#[test]
fn both_versions_are_spoken() {
    let server = Server::start();
    speak_both_versions(server.address);
    if let Some(node) = crate::cassandra::node() {
        speak_both_versions(node);
    }
}

fn speak_both_versions(address: SocketAddr) {
    for version in [Version::V4, Version::V5] {
        let mut connection = Connection::open(address, version).expect("the server answers");
        let text = "SELECT key, tokens FROM system.local WHERE key = ?";
        let outcome = connection.prepare(text).expect("the server answers");
        let Ok(Answer::Prepared(prepared)) = outcome.result else { panic!("{outcome:?}") };
        assert_eq!(prepared.markers_line(), "key text | key 0");
        assert_eq!(prepared.columns_line(), "key text, tokens set<text>");
        let options =
            Options { values: vec![BindValue::Bytes(b"local".to_vec())], ..Options::default() };
        let outcome = connection.execute(&prepared, &options).expect("the server answers");
        let Ok(Answer::Rows(rows)) = outcome.result else { panic!("{outcome:?}") };
        assert_eq!(rows.rows.first().and_then(|row| row[0].as_deref()), Some(&b"local"[..]));
        // Longer than one segment of v5 (128 KiB), both ways.
        let long = "x".repeat(300_000);
        let outcome = connection
            .query(&format!("SELECT (text)'{long}' AS x FROM system.local"), &Options::default())
            .expect("the server answers");
        let Ok(Answer::Rows(rows)) = outcome.result else { panic!("not rows") };
        assert_eq!(rows.columns.len(), 1);
        assert!(rows.rows[0][0].as_deref() == Some(long.as_bytes()));
        let outcome = connection
            .query("SELECT nothing FROM system.local", &Options::default())
            .expect("the server answers");
        let refusal = outcome.result.expect_err("it is refused");
        assert_eq!(
            (refusal.code, refusal.message.as_str()),
            (0x2200, "Undefined column name nothing in table system.local")
        );
    }
}
