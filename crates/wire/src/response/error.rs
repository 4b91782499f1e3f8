//! Refusals and failures, each with the fields of its code.

use std::fmt::Write;

use crate::consistency::Consistency;
use crate::reader::{Malformed, Reader};
use crate::version::Version;
use crate::writer;

/// An ERROR.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorMessage {
    /// What it is.
    pub kind: ErrorKind,
    /// What it says.
    pub message: String,
}

/// The kinds of errors, with what clients are told beside the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The server failed.
    Server,
    /// The client breaks the protocol.
    Protocol,
    /// Wrong name or password.
    BadCredentials,
    /// Too few replicas are alive.
    Unavailable {
        /// The level asked for.
        consistency: Consistency,
        /// Replicas needed.
        required: i32,
        /// Replicas alive.
        alive: i32,
    },
    /// The server has too much to do.
    Overloaded,
    /// The server is not ready.
    IsBootstrapping,
    /// TRUNCATE failed.
    Truncate,
    /// Too few replicas said in time that they wrote.
    WriteTimeout(Replicas, WriteType),
    /// Too few replicas answered in time; whether the one with the data did.
    ReadTimeout(Replicas, bool),
    /// Replicas failed to read: so many, and whether the data was there.
    ReadFailure(Replicas, i32, bool),
    /// A function failed.
    FunctionFailure {
        /// Its keyspace.
        keyspace: String,
        /// Its name.
        function: String,
        /// The types of its arguments.
        arguments: Vec<String>,
    },
    /// Replicas failed to write: so many.
    WriteFailure(Replicas, i32, WriteType),
    /// The space for change data capture is full.
    CdcWriteFailure,
    /// The text is not CQL.
    Syntax,
    /// Not allowed.
    Unauthorized,
    /// CQL, but not valid.
    Invalid,
    /// A configuration problem, mostly of schema options.
    Config,
    /// The keyspace or table exists; the table is empty for keyspaces.
    AlreadyExists {
        /// The keyspace.
        keyspace: String,
        /// The table.
        table: String,
    },
    /// Nothing was prepared under this id.
    Unprepared(Vec<u8>),
}

/// How many replicas answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replicas {
    /// The level asked for.
    pub consistency: Consistency,
    /// Replicas that answered.
    pub received: i32,
    /// Replicas needed.
    pub required: i32,
}

/// What kind of write failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteType {
    /// One partition.
    Simple,
    /// A logged batch whose log was written.
    Batch,
    /// An unlogged batch.
    UnloggedBatch,
    /// A counter.
    Counter,
    /// The log of a batch.
    BatchLog,
    /// A conditional write.
    Cas,
    /// A view.
    View,
    /// Change data capture.
    Cdc,
}

impl WriteType {
    const ALL: [(&'static str, Self); 8] = [
        ("SIMPLE", Self::Simple),
        ("BATCH", Self::Batch),
        ("UNLOGGED_BATCH", Self::UnloggedBatch),
        ("COUNTER", Self::Counter),
        ("BATCH_LOG", Self::BatchLog),
        ("CAS", Self::Cas),
        ("VIEW", Self::View),
        ("CDC", Self::Cdc),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|(_, known)| *known == self).map_or("", |(name, _)| name)
    }

    /// The one of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, write)| write)
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let text = reader.string()?;
        let unknown = || Malformed::protocol(format!("Invalid value '{text}' for WriteType"));
        Self::from_name(text).ok_or_else(unknown)
    }
}

impl Replicas {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let consistency = Consistency::from_number(reader.short()?)?;
        Ok(Self { consistency, received: reader.int()?, required: reader.int()? })
    }

    fn put(self, out: &mut Vec<u8>) {
        writer::short(out, self.consistency.number());
        writer::int(out, self.received);
        writer::int(out, self.required);
    }
}

impl ErrorKind {
    /// Its number.
    pub const fn code(&self) -> u16 {
        match self {
            Self::Server => 0x0000,
            Self::Protocol => 0x000A,
            Self::BadCredentials => 0x0100,
            Self::Unavailable { .. } => 0x1000,
            Self::Overloaded => 0x1001,
            Self::IsBootstrapping => 0x1002,
            Self::Truncate => 0x1003,
            Self::WriteTimeout(..) => 0x1100,
            Self::ReadTimeout(..) => 0x1200,
            Self::ReadFailure(..) => 0x1300,
            Self::FunctionFailure { .. } => 0x1400,
            Self::WriteFailure(..) => 0x1500,
            Self::CdcWriteFailure => 0x1600,
            Self::Syntax => 0x2000,
            Self::Unauthorized => 0x2100,
            Self::Invalid => 0x2200,
            Self::Config => 0x2300,
            Self::AlreadyExists { .. } => 0x2400,
            Self::Unprepared(_) => 0x2500,
        }
    }

    fn read(reader: &mut Reader<'_>, code: i32) -> Result<Self, Malformed> {
        Ok(match code {
            0x0000 => Self::Server,
            0x000A => Self::Protocol,
            0x0100 => Self::BadCredentials,
            0x1000 => {
                let consistency = Consistency::from_number(reader.short()?)?;
                Self::Unavailable { consistency, required: reader.int()?, alive: reader.int()? }
            }
            0x1001 => Self::Overloaded,
            0x1002 => Self::IsBootstrapping,
            0x1003 => Self::Truncate,
            0x1100 => Self::WriteTimeout(Replicas::read(reader)?, WriteType::read(reader)?),
            0x1200 => Self::ReadTimeout(Replicas::read(reader)?, reader.byte()? != 0),
            0x1300 => {
                Self::ReadFailure(Replicas::read(reader)?, reader.int()?, reader.byte()? != 0)
            }
            0x1400 => Self::FunctionFailure {
                keyspace: reader.string()?.to_owned(),
                function: reader.string()?.to_owned(),
                arguments: reader.string_list()?,
            },
            0x1500 => {
                Self::WriteFailure(Replicas::read(reader)?, reader.int()?, WriteType::read(reader)?)
            }
            0x1600 => Self::CdcWriteFailure,
            0x2000 => Self::Syntax,
            0x2100 => Self::Unauthorized,
            0x2200 => Self::Invalid,
            0x2300 => Self::Config,
            0x2400 => Self::AlreadyExists {
                keyspace: reader.string()?.to_owned(),
                table: reader.string()?.to_owned(),
            },
            0x2500 => Self::Unprepared(reader.short_bytes()?.to_vec()),
            _ => return Err(Malformed::protocol(format!("Unknown error code {code}"))),
        })
    }

    fn put_fields(&self, out: &mut Vec<u8>) {
        match self {
            Self::Unavailable { consistency, required, alive } => {
                writer::short(out, consistency.number());
                writer::int(out, *required);
                writer::int(out, *alive);
            }
            Self::WriteTimeout(replicas, write) => {
                replicas.put(out);
                writer::string(out, write.name());
            }
            Self::ReadTimeout(replicas, data_present) => {
                replicas.put(out);
                out.push(u8::from(*data_present));
            }
            Self::ReadFailure(replicas, failures, data_present) => {
                replicas.put(out);
                writer::int(out, *failures);
                out.push(u8::from(*data_present));
            }
            Self::FunctionFailure { keyspace, function, arguments } => {
                writer::string(out, keyspace);
                writer::string(out, function);
                writer::string_list(out, arguments);
            }
            Self::WriteFailure(replicas, failures, write) => {
                replicas.put(out);
                writer::int(out, *failures);
                writer::string(out, write.name());
            }
            Self::AlreadyExists { keyspace, table } => {
                writer::string(out, keyspace);
                writer::string(out, table);
            }
            Self::Unprepared(id) => writer::short_bytes(out, id),
            _ => {}
        }
    }
}

impl ErrorMessage {
    /// An error.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// The refusal of an id under which nothing was prepared.
    pub fn unprepared(id: &[u8]) -> Self {
        let digits = hexadecimal(id);
        let message = format!(
            "Prepared query with ID {digits} not found (either the query was not prepared on this host \
             (maybe the host has been restarted?) or you have prepared too many queries and it has been \
             evicted from the internal cache)"
        );
        Self::new(ErrorKind::Unprepared(id.to_vec()), message)
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let code = reader.int()?;
        let message = reader.string()?.to_owned();
        Ok(Self { kind: ErrorKind::read(reader, code)?, message })
    }

    pub(crate) fn put_body(&self, out: &mut Vec<u8>, version: Version) {
        match self.in_version_3().filter(|_| version < Version::V4) {
            Some(older) => older.put(out),
            None => self.put(out),
        }
    }

    fn put(&self, out: &mut Vec<u8>) {
        writer::int(out, i32::from(self.kind.code()));
        writer::string(out, &self.message);
        self.kind.put_fields(out);
    }

    /// What version 3 says instead of what it does not know.
    fn in_version_3(&self) -> Option<Self> {
        let timeout = |replicas: &Replicas| {
            format!("Operation timed out - received only {} responses.", replicas.received)
        };
        Some(match &self.kind {
            ErrorKind::ReadFailure(replicas, _, data_present) => {
                Self::new(ErrorKind::ReadTimeout(*replicas, *data_present), timeout(replicas))
            }
            ErrorKind::WriteFailure(replicas, _, write) => {
                Self::new(ErrorKind::WriteTimeout(*replicas, *write), timeout(replicas))
            }
            ErrorKind::FunctionFailure { .. } => {
                let message = format!("ERROR FUNCTION_FAILURE: {}", self.message);
                Self::new(ErrorKind::Invalid, message)
            }
            ErrorKind::CdcWriteFailure => {
                let message = format!("ERROR CDC_WRITE_FAILURE: {}", self.message);
                Self::new(ErrorKind::Invalid, message)
            }
            _ => return None,
        })
    }
}

/// Bytes as digits.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

impl From<Malformed> for ErrorMessage {
    fn from(malformed: Malformed) -> Self {
        Self::new(malformed.kind(), malformed.message)
    }
}
