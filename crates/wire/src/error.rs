//! [`ErrorMessage`]: the ERROR message, with the additional fields of each error code.

use std::net::{IpAddr, Ipv4Addr};

use cql::ErrorCode;
use cql::protocol::Consistency;

use crate::protocol_version::ProtocolVersion;
use crate::reader::{DecodeError, Reader};
use crate::writer;

/// An ERROR message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorMessage {
    /// The code with its additional fields.
    pub kind: ErrorKind,
    /// The text for the client.
    pub message: String,
}

/// The kinds of errors, with the fields that the protocol sends besides the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A failure of the server.
    Server,
    /// A violation of the protocol by the client.
    Protocol,
    /// A wrong user name or password.
    BadCredentials,
    /// Too few replicas are alive.
    Unavailable {
        /// The requested consistency level.
        consistency: Consistency,
        /// The number of replicas needed.
        required: i32,
        /// The number of replicas alive.
        alive: i32,
    },
    /// The server is overloaded.
    Overloaded,
    /// The server is still starting.
    IsBootstrapping,
    /// TRUNCATE failed.
    Truncate,
    /// Too few replicas acknowledged the write in time.
    WriteTimeout(ReplicaResponses, WriteType),
    /// A conditional write was not acknowledged in time: how many others were in its way.
    CasWriteTimeout(ReplicaResponses, u16),
    /// Too few replicas responded in time; whether the one with the data did.
    ReadTimeout(ReplicaResponses, bool),
    /// Replicas failed to read, and whether data was received.
    ReadFailure(ReplicaResponses, ReplicaFailures, bool),
    /// A user function failed.
    FunctionFailure {
        /// The keyspace of the function.
        keyspace: String,
        /// The name of the function.
        function: String,
        /// The types of its arguments.
        arguments: Vec<String>,
    },
    /// Replicas failed to write.
    WriteFailure(ReplicaResponses, ReplicaFailures, WriteType),
    /// The space for change data capture is full.
    CdcWriteFailure,
    /// Whether a conditional write was applied is unknown.
    CasWriteUnknown(ReplicaResponses),
    /// The statement is not valid CQL.
    Syntax,
    /// The user lacks a permission.
    Unauthorized,
    /// The statement is valid CQL but cannot be executed.
    Invalid,
    /// A configuration problem, mostly of schema options.
    Config,
    /// The keyspace or table exists; the table is empty for keyspaces.
    AlreadyExists {
        /// The name of the keyspace.
        keyspace: String,
        /// The name of the table.
        table: String,
    },
    /// No statement is prepared under this id.
    Unprepared(Vec<u8>),
}

/// How many replicas responded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplicaResponses {
    /// The requested consistency level.
    pub consistency: Consistency,
    /// The number of responses.
    pub received: i32,
    /// The number of responses needed.
    pub required: i32,
}

/// The replicas that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplicaFailures {
    /// Their number.
    pub count: i32,
    /// The code of the reason of each, by address; from version 5 on.
    pub reasons: Vec<(IpAddr, u16)>,
}

impl ReplicaFailures {
    /// The failure of the only replica, for a reason that has no code.
    pub fn single_replica(address: IpAddr) -> Self {
        Self { count: 1, reasons: vec![(address, 0)] }
    }

    fn read(reader: &mut Reader<'_>, version: ProtocolVersion) -> Result<Self, DecodeError> {
        let count = reader.int()?;
        if version < ProtocolVersion::V5 {
            return Ok(Self { count, reasons: Vec::new() });
        }
        let reasons = (0..count).map(|_| Ok((reader.address()?, reader.short()?)));
        Ok(Self { count, reasons: reasons.collect::<Result<_, DecodeError>>()? })
    }

    fn put(&self, out: &mut Vec<u8>, version: ProtocolVersion) {
        if version < ProtocolVersion::V5 {
            writer::int(out, self.count);
            return;
        }
        writer::count(out, self.reasons.len());
        for (address, reason) in &self.reasons {
            writer::address(out, *address);
            writer::short(out, *reason);
        }
    }
}

cql::named_enum! {
    /// The kind of write that failed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum WriteType {
        /// One partition.
        Simple => "SIMPLE",
        /// A logged batch, after its batch log was written.
        Batch => "BATCH",
        /// An unlogged batch.
        UnloggedBatch => "UNLOGGED_BATCH",
        /// A counter update.
        Counter => "COUNTER",
        /// The batch log of a logged batch.
        BatchLog => "BATCH_LOG",
        /// A conditional write.
        Cas => "CAS",
        /// A view update.
        View => "VIEW",
        /// Change data capture.
        Cdc => "CDC",
    }
}

impl WriteType {
    /// The kind with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|write| write.name() == name)
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let text = reader.string()?;
        let unknown = || DecodeError::protocol(format!("Invalid value '{text}' for WriteType"));
        Self::from_name(text).ok_or_else(unknown)
    }
}

impl ReplicaResponses {
    fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let consistency = reader.consistency()?;
        Ok(Self { consistency, received: reader.int()?, required: reader.int()? })
    }

    fn put(self, out: &mut Vec<u8>) {
        writer::short(out, self.consistency.number());
        writer::int(out, self.received);
        writer::int(out, self.required);
    }
}

impl ErrorKind {
    /// The error code.
    pub const fn code(&self) -> ErrorCode {
        match self {
            Self::Server => ErrorCode::Server,
            Self::Protocol => ErrorCode::Protocol,
            Self::BadCredentials => ErrorCode::BadCredentials,
            Self::Unavailable { .. } => ErrorCode::Unavailable,
            Self::Overloaded => ErrorCode::Overloaded,
            Self::IsBootstrapping => ErrorCode::IsBootstrapping,
            Self::Truncate => ErrorCode::Truncate,
            Self::WriteTimeout(..) | Self::CasWriteTimeout(..) => ErrorCode::WriteTimeout,
            Self::ReadTimeout(..) => ErrorCode::ReadTimeout,
            Self::ReadFailure(..) => ErrorCode::ReadFailure,
            Self::FunctionFailure { .. } => ErrorCode::FunctionFailure,
            Self::WriteFailure(..) => ErrorCode::WriteFailure,
            Self::CdcWriteFailure => ErrorCode::CdcWriteFailure,
            Self::CasWriteUnknown(_) => ErrorCode::CasWriteUnknown,
            Self::Syntax => ErrorCode::Syntax,
            Self::Unauthorized => ErrorCode::Unauthorized,
            Self::Invalid => ErrorCode::Invalid,
            Self::Config => ErrorCode::Config,
            Self::AlreadyExists { .. } => ErrorCode::AlreadyExists,
            Self::Unprepared(_) => ErrorCode::Unprepared,
        }
    }

    /// The kind for a code whose fields are unknown; those on replicas say that the only one did
    /// not respond.
    pub fn from_code(code: ErrorCode) -> Self {
        let replicas = ReplicaResponses { consistency: Consistency::One, received: 0, required: 1 };
        let failures = ReplicaFailures::single_replica(Ipv4Addr::LOCALHOST.into());
        let (keyspace, function, arguments) = (String::new(), String::new(), Vec::new());
        match code {
            ErrorCode::Server => Self::Server,
            ErrorCode::Protocol => Self::Protocol,
            ErrorCode::BadCredentials => Self::BadCredentials,
            ErrorCode::Unavailable => {
                Self::Unavailable { consistency: Consistency::One, required: 1, alive: 0 }
            }
            ErrorCode::Overloaded => Self::Overloaded,
            ErrorCode::IsBootstrapping => Self::IsBootstrapping,
            ErrorCode::Truncate => Self::Truncate,
            ErrorCode::WriteTimeout => Self::WriteTimeout(replicas, WriteType::Simple),
            ErrorCode::ReadTimeout => Self::ReadTimeout(replicas, false),
            ErrorCode::ReadFailure => Self::ReadFailure(replicas, failures, false),
            ErrorCode::FunctionFailure => Self::FunctionFailure { keyspace, function, arguments },
            ErrorCode::WriteFailure => Self::WriteFailure(replicas, failures, WriteType::Simple),
            ErrorCode::CdcWriteFailure => Self::CdcWriteFailure,
            ErrorCode::CasWriteUnknown => Self::CasWriteUnknown(replicas),
            ErrorCode::Syntax => Self::Syntax,
            ErrorCode::Unauthorized => Self::Unauthorized,
            ErrorCode::Invalid => Self::Invalid,
            ErrorCode::Config => Self::Config,
            ErrorCode::AlreadyExists => Self::AlreadyExists { keyspace, table: String::new() },
            ErrorCode::Unprepared => Self::Unprepared(Vec::new()),
        }
    }

    fn read(
        reader: &mut Reader<'_>,
        number: i32,
        version: ProtocolVersion,
    ) -> Result<Self, DecodeError> {
        let code = u16::try_from(number).ok().and_then(ErrorCode::from_number);
        let unknown = || DecodeError::protocol(format!("Unknown error code {number}"));
        Ok(match code.ok_or_else(unknown)? {
            ErrorCode::Unavailable => {
                let consistency = reader.consistency()?;
                Self::Unavailable { consistency, required: reader.int()?, alive: reader.int()? }
            }
            ErrorCode::WriteTimeout => {
                match (ReplicaResponses::read(reader)?, WriteType::read(reader)?) {
                    (replicas, WriteType::Cas) if version >= ProtocolVersion::V5 => {
                        Self::CasWriteTimeout(replicas, reader.short()?)
                    }
                    (replicas, write) => Self::WriteTimeout(replicas, write),
                }
            }
            ErrorCode::CasWriteUnknown => Self::CasWriteUnknown(ReplicaResponses::read(reader)?),
            ErrorCode::ReadTimeout => {
                Self::ReadTimeout(ReplicaResponses::read(reader)?, reader.byte()? != 0)
            }
            ErrorCode::ReadFailure => Self::ReadFailure(
                ReplicaResponses::read(reader)?,
                ReplicaFailures::read(reader, version)?,
                reader.byte()? != 0,
            ),
            ErrorCode::FunctionFailure => Self::FunctionFailure {
                keyspace: reader.string()?.to_owned(),
                function: reader.string()?.to_owned(),
                arguments: reader.string_list()?,
            },
            ErrorCode::WriteFailure => Self::WriteFailure(
                ReplicaResponses::read(reader)?,
                ReplicaFailures::read(reader, version)?,
                WriteType::read(reader)?,
            ),
            ErrorCode::AlreadyExists => Self::AlreadyExists {
                keyspace: reader.string()?.to_owned(),
                table: reader.string()?.to_owned(),
            },
            ErrorCode::Unprepared => Self::Unprepared(reader.short_bytes()?.to_vec()),
            other => Self::from_code(other),
        })
    }

    fn put_fields(&self, out: &mut Vec<u8>, version: ProtocolVersion) {
        match self {
            Self::Unavailable { consistency, required, alive } => {
                writer::short(out, consistency.number());
                writer::int(out, *required);
                writer::int(out, *alive);
            }
            Self::WriteTimeout(replicas, write) => {
                replicas.put(out);
                writer::string(out, write.name());
                if *write == WriteType::Cas && version >= ProtocolVersion::V5 {
                    writer::short(out, 0);
                }
            }
            Self::CasWriteTimeout(replicas, contentions) => {
                replicas.put(out);
                writer::string(out, WriteType::Cas.name());
                if version >= ProtocolVersion::V5 {
                    writer::short(out, *contentions);
                }
            }
            Self::CasWriteUnknown(replicas) => replicas.put(out),
            Self::ReadTimeout(replicas, data_present) => {
                replicas.put(out);
                out.push(u8::from(*data_present));
            }
            Self::ReadFailure(replicas, failures, data_present) => {
                replicas.put(out);
                failures.put(out, version);
                out.push(u8::from(*data_present));
            }
            Self::FunctionFailure { keyspace, function, arguments } => {
                writer::string(out, keyspace);
                writer::string(out, function);
                writer::string_list(out, arguments);
            }
            Self::WriteFailure(replicas, failures, write) => {
                replicas.put(out);
                failures.put(out, version);
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
    /// An error of a kind with a text.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// The error for an id under which no statement is prepared, with the server's text.
    pub fn for_unprepared(id: &[u8]) -> Self {
        let digits = cql::value::bytes_to_hex(id);
        let message = format!(
            "Prepared query with ID {digits} not found (either the query was not prepared on this host \
             (maybe the host has been restarted?) or you have prepared too many queries and it has been \
             evicted from the internal cache)"
        );
        Self::new(ErrorKind::Unprepared(id.to_vec()), message)
    }

    pub(crate) fn read(
        reader: &mut Reader<'_>,
        version: ProtocolVersion,
    ) -> Result<Self, DecodeError> {
        let code = reader.int()?;
        let message = reader.string()?.to_owned();
        Ok(Self { kind: ErrorKind::read(reader, code, version)?, message })
    }

    pub(crate) fn put_body(&self, out: &mut Vec<u8>, version: ProtocolVersion) {
        let older = match version {
            ProtocolVersion::V3 => self.downgrade_to_v3(),
            ProtocolVersion::V4 => self.downgrade_to_v4(),
            ProtocolVersion::V5 | ProtocolVersion::V6 => None,
        };
        older.as_ref().unwrap_or(self).put(out, version);
    }

    fn put(&self, out: &mut Vec<u8>, version: ProtocolVersion) {
        writer::int(out, i32::from(self.kind.code().number()));
        writer::string(out, &self.message);
        self.kind.put_fields(out, version);
    }

    /// The error that version 4 has instead of one that it does not know.
    fn downgrade_to_v4(&self) -> Option<Self> {
        let ErrorKind::CasWriteUnknown(replicas) = &self.kind else { return None };
        let message = format_timeout(replicas);
        Some(Self::new(ErrorKind::WriteTimeout(*replicas, WriteType::Cas), message))
    }

    /// The error that version 3 has instead of one that it does not know.
    fn downgrade_to_v3(&self) -> Option<Self> {
        Some(match &self.kind {
            ErrorKind::ReadFailure(replicas, _, data_present) => Self::new(
                ErrorKind::ReadTimeout(*replicas, *data_present),
                format_timeout(replicas),
            ),
            ErrorKind::WriteFailure(replicas, _, write) => {
                Self::new(ErrorKind::WriteTimeout(*replicas, *write), format_timeout(replicas))
            }
            ErrorKind::FunctionFailure { .. } => {
                let message = format!("ERROR FUNCTION_FAILURE: {}", self.message);
                Self::new(ErrorKind::Invalid, message)
            }
            ErrorKind::CdcWriteFailure => {
                let message = format!("ERROR CDC_WRITE_FAILURE: {}", self.message);
                Self::new(ErrorKind::Invalid, message)
            }
            _ => return self.downgrade_to_v4(),
        })
    }
}

fn format_timeout(replicas: &ReplicaResponses) -> String {
    format!("Operation timed out - received only {} responses.", replicas.received)
}

impl From<DecodeError> for ErrorMessage {
    fn from(malformed: DecodeError) -> Self {
        Self::new(ErrorKind::from_code(malformed.code()), malformed.message)
    }
}
