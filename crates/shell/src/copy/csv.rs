//! CSV in the format of Python's csv module.

use std::io::{self, BufRead, Write};

/// A longer record is assumed to have an unclosed quote.
const RECORD_BYTES_MAX: usize = 256 << 20;

/// The special characters of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    pub(super) delimiter: u8,
    pub(super) quote: u8,
    /// The escape character; without one, quotes are doubled.
    pub(super) escape: Option<u8>,
}

impl Default for Dialect {
    fn default() -> Self {
        Self { delimiter: b',', quote: b'"', escape: Some(b'\\') }
    }
}

impl Dialect {
    /// Writes a record.
    pub(crate) fn write(self, fields: &[String], out: &mut dyn Write) -> io::Result<()> {
        let mut line = Vec::new();
        for (at, field) in fields.iter().enumerate() {
            if at > 0 {
                line.push(self.delimiter);
            }
            // A single empty field is quoted, because readers skip empty lines.
            self.append_field(field, fields.len() == 1 && field.is_empty(), &mut line);
        }
        line.extend(b"\r\n");
        out.write_all(&line)
    }

    fn append_field(self, field: &str, must_quote: bool, line: &mut Vec<u8>) {
        let start = line.len();
        let mut is_quoted = must_quote;
        for byte in field.bytes() {
            if byte == self.quote && self.escape.is_none() {
                line.push(self.quote);
                is_quoted = true;
            } else if byte == self.quote || Some(byte) == self.escape {
                line.extend(self.escape);
            } else if byte == self.delimiter || byte == b'\r' || byte == b'\n' {
                is_quoted = true;
            }
            line.push(byte);
        }
        if is_quoted {
            line.insert(start, self.quote);
            line.push(self.quote);
        }
    }
}

/// A record: the bytes of its fields, and the end of each.
#[derive(Debug, Default)]
pub(super) struct Record {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Record {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The fields in order.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| self.bytes.get(start..*end).unwrap_or_default())
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    fn end_field(&mut self) {
        self.ends.push(self.bytes.len());
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ReaderState {
    RecordStart,
    FieldStart,
    InField,
    InQuotes,
    EscapedInField,
    EscapedInQuotes,
    QuoteInQuotes,
}

/// A streaming reader of records.
pub(super) struct CsvReader<R> {
    input: R,
    dialect: Dialect,
    lines: u64,
}

impl<R: BufRead> CsvReader<R> {
    pub(crate) fn new(input: R, dialect: Dialect) -> Self {
        Self { input, dialect, lines: 0 }
    }

    /// Reads the next record and returns its first line; `None` at the end. Empty lines are
    /// skipped.
    pub(crate) fn read(&mut self, record: &mut Record) -> io::Result<Option<u64>> {
        record.clear();
        let mut state = ReaderState::RecordStart;
        let mut line = self.lines + 1;
        loop {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                if state == ReaderState::RecordStart {
                    return Ok(None);
                }
                record.end_field();
                return Ok(Some(line));
            }
            let mut used = 0;
            let mut is_done = false;
            for byte in buffer {
                used += 1;
                if *byte == b'\n' {
                    self.lines += 1;
                }
                state = next_state(self.dialect, state, *byte, record);
                if state == ReaderState::RecordStart {
                    if record.len() > 0 {
                        is_done = true;
                        break;
                    }
                    line = self.lines + 1;
                }
            }
            self.input.consume(used);
            if is_done {
                return Ok(Some(line));
            }
            if record.bytes.len() > RECORD_BYTES_MAX {
                let message = format!("line {line}: unclosed quote");
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
        }
    }
}

fn next_state(dialect: Dialect, state: ReaderState, byte: u8, record: &mut Record) -> ReaderState {
    let is_escape = Some(byte) == dialect.escape;
    let is_end = byte == b'\n' || byte == b'\r';
    match state {
        ReaderState::RecordStart if is_end => ReaderState::RecordStart,
        ReaderState::RecordStart | ReaderState::FieldStart if byte == dialect.quote => {
            ReaderState::InQuotes
        }
        ReaderState::InQuotes if is_escape => ReaderState::EscapedInQuotes,
        ReaderState::InQuotes if byte == dialect.quote && dialect.escape.is_none() => {
            ReaderState::QuoteInQuotes
        }
        ReaderState::InQuotes if byte == dialect.quote => ReaderState::InField,
        ReaderState::QuoteInQuotes if byte == dialect.quote => {
            record.bytes.push(byte);
            ReaderState::InQuotes
        }
        ReaderState::InQuotes | ReaderState::EscapedInQuotes => {
            record.bytes.push(byte);
            ReaderState::InQuotes
        }
        ReaderState::EscapedInField => {
            record.bytes.push(byte);
            ReaderState::InField
        }
        _ if is_escape => ReaderState::EscapedInField,
        _ if byte == dialect.delimiter => {
            record.end_field();
            ReaderState::FieldStart
        }
        _ if is_end => {
            record.end_field();
            ReaderState::RecordStart
        }
        _ => {
            record.bytes.push(byte);
            ReaderState::InField
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, dialect: Dialect) -> Vec<(u64, Vec<String>)> {
        // A small buffer, so that records cross its end.
        let mut reader = CsvReader::new(io::BufReader::with_capacity(3, text.as_bytes()), dialect);
        let mut record = Record::default();
        let mut found = Vec::new();
        while let Some(line) = reader.read(&mut record).unwrap() {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            found.push((line, record.fields().map(text).collect()));
        }
        found
    }

    fn to_strings(fields: &[&str]) -> Vec<String> {
        fields.iter().map(|field| (*field).to_owned()).collect()
    }

    #[test]
    fn records_are_read() {
        let escaping = Dialect::default();
        let doubling = Dialect { escape: None, ..escaping };
        assert_eq!(
            read("a,,\"b,\\\"c\\\"\"\r\n\r\nx\\,y,z,\n", escaping),
            [(1, to_strings(&["a", "", "b,\"c\""])), (3, to_strings(&["x,y", "z", ""]))]
        );
        assert_eq!(
            read("\"two\nlines\",\"a\"\"b\"\nlast", doubling),
            [(1, to_strings(&["two\nlines", "a\"b"])), (3, to_strings(&["last"]))]
        );
        assert_eq!(read("\"\"\r\n", escaping), [(1, to_strings(&[""]))]);
    }

    #[test]
    fn records_survive_a_round_trip() {
        let records = [
            to_strings(&["plain", "", "co,mma", "qu\"ote", "back\\slash", "new\nline\r", "é"]),
            to_strings(&[""]),
            to_strings(&["", ""]),
        ];
        for escape in [Some(b'\\'), None] {
            let dialect = Dialect { escape, ..Dialect::default() };
            let mut out = Vec::new();
            for record in &records {
                dialect.write(record, &mut out).unwrap();
            }
            let found = read(&String::from_utf8(out).unwrap(), dialect);
            let found: Vec<Vec<String>> = found.into_iter().map(|(_, record)| record).collect();
            assert_eq!(found, records);
        }
    }

    #[test]
    fn lines_as_in_python() {
        let mut out = Vec::new();
        Dialect::default().write(&to_strings(&["x,y", "a\\b", "\"q\""]), &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "\"x,y\",a\\\\b,\\\"q\\\"\r\n");
    }
}
