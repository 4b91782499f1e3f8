//! Events, and the changes of schema that are both events and results.

use std::net::{IpAddr, SocketAddr};

use crate::reader::{Malformed, Reader};
use crate::version::Version;
use crate::writer;

/// What a client may register for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// Nodes come, go and move.
    TopologyChange,
    /// Nodes go up and down.
    StatusChange,
    /// The schema changes.
    SchemaChange,
}

impl EventKind {
    const ALL: [Self; 3] = [Self::TopologyChange, Self::StatusChange, Self::SchemaChange];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TopologyChange => "TOPOLOGY_CHANGE",
            Self::StatusChange => "STATUS_CHANGE",
            Self::SchemaChange => "SCHEMA_CHANGE",
        }
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        read_word(reader, "Type", Self::ALL.map(|kind| (kind.name(), kind)))
    }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A node came (`NEW_NODE`), went (`REMOVED_NODE`) or moved (`MOVED_NODE`).
    Topology(String, SocketAddr),
    /// A node is `UP` or `DOWN`.
    Status(String, SocketAddr),
    /// The schema changed.
    Schema(SchemaChange),
}

impl Event {
    /// What one registers for to hear it.
    pub fn kind(&self) -> EventKind {
        match self {
            Self::Topology(..) => EventKind::TopologyChange,
            Self::Status(..) => EventKind::StatusChange,
            Self::Schema(_) => EventKind::SchemaChange,
        }
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(match EventKind::read(reader)? {
            EventKind::TopologyChange => {
                Self::Topology(reader.string()?.to_owned(), read_address(reader)?)
            }
            EventKind::StatusChange => {
                Self::Status(reader.string()?.to_owned(), read_address(reader)?)
            }
            EventKind::SchemaChange => Self::Schema(SchemaChange::read(reader)?),
        })
    }

    pub(super) fn put(&self, out: &mut Vec<u8>, version: Version) {
        writer::string(out, self.kind().name());
        match self {
            Self::Topology(change, address) | Self::Status(change, address) => {
                writer::string(out, change);
                put_address(out, *address);
            }
            Self::Schema(change) => change.put(out, version),
        }
    }
}

/// How something changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// It is new.
    Created,
    /// It is not what it was.
    Updated,
    /// It is gone.
    Dropped,
}

impl Change {
    const ALL: [Self; 3] = [Self::Created, Self::Updated, Self::Dropped];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Created => "CREATED",
            Self::Updated => "UPDATED",
            Self::Dropped => "DROPPED",
        }
    }
}

/// What changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The keyspace.
    Keyspace,
    /// A table or view.
    Table(String),
    /// A user type.
    Type(String),
    /// A function, with the types of its arguments.
    Function(String, Vec<String>),
    /// An aggregate, with the types of its arguments.
    Aggregate(String, Vec<String>),
}

/// A change of the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaChange {
    /// How.
    pub change: Change,
    /// In which keyspace.
    pub keyspace: String,
    /// What.
    pub target: Target,
}

impl SchemaChange {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let change = read_word(reader, "Change", Change::ALL.map(|it| (it.name(), it)))?;
        let kinds = ["KEYSPACE", "TABLE", "TYPE", "FUNCTION", "AGGREGATE"];
        let kind = read_word(reader, "Target", kinds.map(|name| (name, name)))?;
        let keyspace = reader.string()?.to_owned();
        let mut name = || reader.string().map(str::to_owned);
        let target = match kind {
            "KEYSPACE" => Target::Keyspace,
            "TABLE" => Target::Table(name()?),
            "TYPE" => Target::Type(name()?),
            "FUNCTION" => Target::Function(name()?, reader.string_list()?),
            _ => Target::Aggregate(name()?, reader.string_list()?),
        };
        Ok(Self { change, keyspace, target })
    }

    /// Version 3 knows no functions: there, the keyspace was updated.
    pub(super) fn put(&self, out: &mut Vec<u8>, version: Version) {
        let unknown = matches!(self.target, Target::Function(..) | Target::Aggregate(..))
            && version < Version::V4;
        let (change, target) = if unknown {
            (Change::Updated, &Target::Keyspace)
        } else {
            (self.change, &self.target)
        };
        let (kind, name, arguments) = match target {
            Target::Keyspace => ("KEYSPACE", None, None),
            Target::Table(name) => ("TABLE", Some(name), None),
            Target::Type(name) => ("TYPE", Some(name), None),
            Target::Function(name, arguments) => ("FUNCTION", Some(name), Some(arguments)),
            Target::Aggregate(name, arguments) => ("AGGREGATE", Some(name), Some(arguments)),
        };
        for word in [change.name(), kind, &self.keyspace] {
            writer::string(out, word);
        }
        if let Some(name) = name {
            writer::string(out, name);
        }
        if let Some(arguments) = arguments {
            writer::string_list(out, arguments);
        }
    }
}

/// Reads one of some words, in upper or lower case.
fn read_word<T, const N: usize>(
    reader: &mut Reader<'_>,
    what: &str,
    words: [(&str, T); N],
) -> Result<T, Malformed> {
    let text = reader.string()?;
    let found = words.into_iter().find(|(word, _)| word.eq_ignore_ascii_case(text));
    let unknown = || Malformed::protocol(format!("Invalid value '{text}' for {what}"));
    found.map(|(_, value)| value).ok_or_else(unknown)
}

fn read_address(reader: &mut Reader<'_>) -> Result<SocketAddr, Malformed> {
    let length = reader.byte()?;
    let bytes = reader.take(usize::from(length))?;
    let address = <[u8; 4]>::try_from(bytes)
        .map(IpAddr::from)
        .or_else(|_| <[u8; 16]>::try_from(bytes).map(IpAddr::from))
        .map_err(|_| Malformed::protocol("Invalid IP address while deserializing inet address"))?;
    let port = reader.int()?;
    let port = u16::try_from(port)
        .map_err(|_| Malformed::protocol(format!("port out of range:{port}")))?;
    Ok(SocketAddr::new(address, port))
}

fn put_address(out: &mut Vec<u8>, address: SocketAddr) {
    match address.ip() {
        IpAddr::V4(ip) => {
            out.push(4);
            out.extend(ip.octets());
        }
        IpAddr::V6(ip) => {
            out.push(16);
            out.extend(ip.octets());
        }
    }
    writer::int(out, i32::from(address.port()));
}
