//! Error codes of the native protocol.

/// The class of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorCode {
    /// 0x0000: the server failed where it should have refused.
    Server = 0x0000,
    /// 0x000A: the client breaks the protocol.
    Protocol = 0x000A,
    /// 0x0100: wrong name or password.
    BadCredentials = 0x0100,
    /// 0x1000: too few replicas are alive.
    Unavailable = 0x1000,
    /// 0x1001: the server has too much to do.
    Overloaded = 0x1001,
    /// 0x1002: the server is not ready.
    IsBootstrapping = 0x1002,
    /// 0x1003: TRUNCATE failed.
    Truncate = 0x1003,
    /// 0x1100: too few replicas said in time that they wrote.
    WriteTimeout = 0x1100,
    /// 0x1200: too few replicas answered in time.
    ReadTimeout = 0x1200,
    /// 0x1300: replicas failed to read.
    ReadFailure = 0x1300,
    /// 0x1400: a function failed while it ran.
    FunctionFailure = 0x1400,
    /// 0x1500: a replica failed to store what it was sent.
    WriteFailure = 0x1500,
    /// 0x1600: the space for change data capture is full.
    CdcWriteFailure = 0x1600,
    /// 0x2000: the text is not CQL.
    Syntax = 0x2000,
    /// 0x2100: not allowed to do that.
    Unauthorized = 0x2100,
    /// 0x2200: CQL, but not valid for this schema.
    Invalid = 0x2200,
    /// 0x2300: a configuration problem, mostly of schema options.
    Config = 0x2300,
    /// 0x2400: the keyspace or table exists.
    AlreadyExists = 0x2400,
    /// 0x2500: nothing was prepared under this id.
    Unprepared = 0x2500,
}

impl ErrorCode {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 19] = [
        Self::Server,
        Self::Protocol,
        Self::BadCredentials,
        Self::Unavailable,
        Self::Overloaded,
        Self::IsBootstrapping,
        Self::Truncate,
        Self::WriteTimeout,
        Self::ReadTimeout,
        Self::ReadFailure,
        Self::FunctionFailure,
        Self::WriteFailure,
        Self::CdcWriteFailure,
        Self::Syntax,
        Self::Unauthorized,
        Self::Invalid,
        Self::Config,
        Self::AlreadyExists,
        Self::Unprepared,
    ];

    /// The number on the wire.
    pub const fn number(self) -> u16 {
        self as u16
    }

    /// The code of that number.
    pub fn from_number(number: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.number() == number)
    }
}
