//! [`QueryOptions`]: the options with which a statement is executed.

use cql::protocol::{Consistency, MarkerValues};

use crate::protocol_version::ProtocolVersion;
use crate::reader::{DecodeError, Reader};
use crate::{values, writer};

const VALUES: u8 = 0x01;
const SKIP_METADATA: u8 = 0x02;
const PAGE_SIZE: u8 = 0x04;
const PAGING_STATE: u8 = 0x08;
const SERIAL_CONSISTENCY: u8 = 0x10;
const TIMESTAMP: u8 = 0x20;
const NAMES: u8 = 0x40;
/// The flag of version 5 for a keyspace, which the server accepts in any version.
const KEYSPACE: u8 = 0x80;

/// The options of a statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueryOptions<'a> {
    /// The consistency level.
    pub consistency: Consistency,
    /// The values of its markers.
    pub values: MarkerValues<'a>,
    /// Whether the client already knows the columns of the result.
    pub skip_metadata: bool,
    /// The number of rows in a page.
    pub page_size: Option<i32>,
    /// The paging state of the previous page.
    pub paging_state: Option<&'a [u8]>,
    /// The serial consistency level, for conditional writes.
    pub serial_consistency: Option<Consistency>,
    /// The timestamp of writes, in microseconds.
    pub timestamp: Option<i64>,
    /// The keyspace of unqualified names, in place of the connection's.
    pub keyspace: Option<&'a str>,
}

impl<'a> QueryOptions<'a> {
    pub(super) fn read(
        reader: &mut Reader<'a>,
        version: ProtocolVersion,
    ) -> Result<Self, DecodeError> {
        let consistency = reader.consistency()?;
        let flags = reader.byte()?;
        let has = |flag| flags & flag != 0;
        let values = match (has(VALUES), has(NAMES)) {
            (false, _) => MarkerValues::default(),
            (true, false) => {
                MarkerValues::from_positional(values::read_positional(reader, version)?)
            }
            (true, true) => values::read_named(reader, version)?,
        };
        let page_size = has(PAGE_SIZE).then(|| reader.int()).transpose()?;
        let paging_state =
            has(PAGING_STATE).then(|| reader.bytes()).transpose().map(Option::flatten)?;
        let serial_consistency =
            has(SERIAL_CONSISTENCY).then(|| reader.consistency()).transpose()?;
        let timestamp = has(TIMESTAMP).then(|| read_timestamp(reader)).transpose()?;
        let keyspace = has(KEYSPACE).then(|| reader.string()).transpose()?;
        Ok(Self {
            consistency,
            values,
            skip_metadata: has(SKIP_METADATA),
            page_size,
            paging_state,
            serial_consistency,
            timestamp,
            keyspace,
        })
    }

    pub(super) fn put(&self, out: &mut Vec<u8>) {
        writer::short(out, self.consistency.number());
        out.push(self.flags());
        if !self.values.is_empty() {
            values::put(out, &self.values);
        }
        if let Some(page_size) = self.page_size {
            writer::int(out, page_size);
        }
        if let Some(state) = self.paging_state {
            writer::bytes(out, Some(state));
        }
        if let Some(consistency) = self.serial_consistency {
            writer::short(out, consistency.number());
        }
        if let Some(timestamp) = self.timestamp {
            out.extend(timestamp.to_be_bytes());
        }
        if let Some(keyspace) = self.keyspace {
            writer::string(out, keyspace);
        }
    }

    fn flags(&self) -> u8 {
        let named = matches!(self.values, MarkerValues::Named(_)) && !self.values.is_empty();
        let set = [
            (!self.values.is_empty(), VALUES),
            (self.skip_metadata, SKIP_METADATA),
            (self.page_size.is_some(), PAGE_SIZE),
            (self.paging_state.is_some(), PAGING_STATE),
            (self.serial_consistency.is_some(), SERIAL_CONSISTENCY),
            (self.timestamp.is_some(), TIMESTAMP),
            (named, NAMES),
            (self.keyspace.is_some(), KEYSPACE),
        ];
        set.into_iter().filter(|(is_set, _)| *is_set).fold(0, |flags, (_, flag)| flags | flag)
    }
}

fn read_timestamp(reader: &mut Reader<'_>) -> Result<i64, DecodeError> {
    let timestamp = reader.long()?;
    if timestamp == i64::MIN {
        return Err(DecodeError::protocol(format!(
            "Out of bound timestamp, must be in [{}, {}] (got {timestamp})",
            i64::MIN + 1,
            i64::MAX
        )));
    }
    Ok(timestamp)
}
