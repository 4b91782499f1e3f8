//! [`Event`]: server events, and schema changes, which are both events and results.

use std::net::SocketAddr;

use cql::protocol::{ChangeKind, ChangeTarget, SchemaChange};

use crate::protocol_version::ProtocolVersion;
use crate::reader::{DecodeError, Reader};
use crate::writer;

cql::named_enum! {
    /// The kinds of events that a client may register for.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum EventKind {
        /// Nodes are added, removed or moved.
        TopologyChange => "TOPOLOGY_CHANGE",
        /// Nodes go up and down.
        StatusChange => "STATUS_CHANGE",
        /// Changes of the schema.
        SchemaChange => "SCHEMA_CHANGE",
    }
}

impl EventKind {
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        read_enum_value(reader, "Type", Self::ALL.map(|kind| (kind.name(), kind)))
    }
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A node was added (`NEW_NODE`), removed (`REMOVED_NODE`) or moved (`MOVED_NODE`).
    Topology(String, SocketAddr),
    /// A node is `UP` or `DOWN`.
    Status(String, SocketAddr),
    /// The schema changed.
    Schema(SchemaChange),
}

impl Event {
    /// The kind that clients register for.
    pub fn kind(&self) -> EventKind {
        match self {
            Self::Topology(..) => EventKind::TopologyChange,
            Self::Status(..) => EventKind::StatusChange,
            Self::Schema(_) => EventKind::SchemaChange,
        }
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(match EventKind::read(reader)? {
            EventKind::TopologyChange => {
                Self::Topology(reader.string()?.to_owned(), read_address(reader)?)
            }
            EventKind::StatusChange => {
                Self::Status(reader.string()?.to_owned(), read_address(reader)?)
            }
            EventKind::SchemaChange => Self::Schema(read_change(reader)?),
        })
    }

    pub(super) fn put(&self, out: &mut Vec<u8>, version: ProtocolVersion) {
        writer::string(out, self.kind().name());
        match self {
            Self::Topology(change, address) | Self::Status(change, address) => {
                writer::string(out, change);
                put_address(out, *address);
            }
            Self::Schema(change) => put_change(out, change, version),
        }
    }
}

pub(super) fn read_change(reader: &mut Reader<'_>) -> Result<SchemaChange, DecodeError> {
    let change = read_enum_value(reader, "Change", ChangeKind::ALL.map(|it| (it.name(), it)))?;
    let kinds = ["KEYSPACE", "TABLE", "TYPE", "FUNCTION", "AGGREGATE"];
    let kind = read_enum_value(reader, "Target", kinds.map(|name| (name, name)))?;
    let keyspace = reader.string()?.into();
    let mut name = || reader.string().map(Into::into);
    let target = match kind {
        "KEYSPACE" => ChangeTarget::Keyspace,
        "TABLE" => ChangeTarget::Table(name()?),
        "TYPE" => ChangeTarget::Type(name()?),
        "FUNCTION" => ChangeTarget::Function(name()?, reader.string_list()?),
        _ => ChangeTarget::Aggregate(name()?, reader.string_list()?),
    };
    Ok(SchemaChange { change, keyspace, target })
}

/// Appends a schema change. Version 3 has no events on functions: their keyspace is reported as
/// updated.
pub(super) fn put_change(
    out: &mut Vec<u8>,
    schema_change: &SchemaChange,
    version: ProtocolVersion,
) {
    let is_function =
        matches!(schema_change.target, ChangeTarget::Function(..) | ChangeTarget::Aggregate(..));
    let (change, target) = if is_function && version < ProtocolVersion::V4 {
        (ChangeKind::Updated, &ChangeTarget::Keyspace)
    } else {
        (schema_change.change, &schema_change.target)
    };
    for word in [change.name(), target.kind(), &schema_change.keyspace] {
        writer::string(out, word);
    }
    if let Some(name) = target.name() {
        writer::string(out, name);
    }
    if let ChangeTarget::Function(_, arguments) | ChangeTarget::Aggregate(_, arguments) = target {
        writer::string_list(out, arguments);
    }
}

/// Reads one of several words, in upper or lower case.
fn read_enum_value<T, const N: usize>(
    reader: &mut Reader<'_>,
    what: &str,
    words: [(&str, T); N],
) -> Result<T, DecodeError> {
    let text = reader.string()?;
    let entry = words.into_iter().find(|(word, _)| word.eq_ignore_ascii_case(text));
    let unknown = || DecodeError::protocol(format!("Invalid value '{text}' for {what}"));
    entry.map(|(_, value)| value).ok_or_else(unknown)
}

fn read_address(reader: &mut Reader<'_>) -> Result<SocketAddr, DecodeError> {
    let address = reader.address()?;
    let port = reader.int()?;
    let port = u16::try_from(port)
        .map_err(|_| DecodeError::protocol(format!("port out of range:{port}")))?;
    Ok(SocketAddr::new(address, port))
}

fn put_address(out: &mut Vec<u8>, address: SocketAddr) {
    writer::address(out, address.ip());
    writer::int(out, i32::from(address.port()));
}
