//! [`QueryOptions`]: the options with which a statement is executed.

use cql::protocol::{Consistency, MarkerValues};

use crate::protocol_version::ProtocolVersion;
use crate::reader::{DecodeError, Reader};
use crate::{values, writer};

const VALUES: u32 = 0x01;
const SKIP_METADATA: u32 = 0x02;
const PAGE_SIZE: u32 = 0x04;
const PAGING_STATE: u32 = 0x08;
const SERIAL_CONSISTENCY: u32 = 0x10;
const TIMESTAMP: u32 = 0x20;
const NAMES: u32 = 0x40;
/// The flag of version 5 for a keyspace, which the server accepts in any version.
const KEYSPACE: u32 = 0x80;
/// From version 5 on: earlier versions have flags of one byte.
const NOW_IN_SECONDS: u32 = 0x100;

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
    /// The current time of the statement, in seconds since the epoch, in place of the server's clock.
    pub now_in_seconds: Option<u32>,
    /// The id of the result columns that the client knows; in EXECUTE from version 5 on.
    pub metadata_id: Option<&'a [u8]>,
}

impl<'a> QueryOptions<'a> {
    pub(super) fn read(
        reader: &mut Reader<'a>,
        version: ProtocolVersion,
    ) -> Result<Self, DecodeError> {
        let consistency = reader.consistency()?;
        let flags = if version >= ProtocolVersion::V5 {
            reader.int()?.cast_unsigned()
        } else {
            u32::from(reader.byte()?)
        };
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
        let now_in_seconds = has(NOW_IN_SECONDS).then(|| reader.int()).transpose()?;
        Ok(Self {
            consistency,
            values,
            skip_metadata: has(SKIP_METADATA),
            page_size,
            paging_state,
            serial_consistency,
            timestamp,
            keyspace,
            now_in_seconds: now_in_seconds.map(i32::cast_unsigned),
            metadata_id: None,
        })
    }

    pub(super) fn put(&self, out: &mut Vec<u8>, version: ProtocolVersion) {
        writer::short(out, self.consistency.number());
        if version >= ProtocolVersion::V5 {
            out.extend(self.flags().to_be_bytes());
        } else {
            out.push(u8::try_from(self.flags() & 0xFF).unwrap_or_default());
        }
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
        if let Some(seconds) = self.now_in_seconds.filter(|_| version >= ProtocolVersion::V5) {
            out.extend(seconds.to_be_bytes());
        }
    }

    fn flags(&self) -> u32 {
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
            (self.now_in_seconds.is_some(), NOW_IN_SECONDS),
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
