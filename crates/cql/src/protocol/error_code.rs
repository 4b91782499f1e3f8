//! [`ErrorCode`]: the error codes of the native protocol.

/// The class of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorCode {
    /// 0x0000: a failure of the server, in place of a proper error.
    Server = 0x0000,
    /// 0x000A: a violation of the protocol by the client.
    Protocol = 0x000A,
    /// 0x0100: a wrong user name or password.
    BadCredentials = 0x0100,
    /// 0x1000: too few replicas are alive.
    Unavailable = 0x1000,
    /// 0x1001: the server is overloaded.
    Overloaded = 0x1001,
    /// 0x1002: the server is still starting.
    IsBootstrapping = 0x1002,
    /// 0x1003: TRUNCATE failed.
    Truncate = 0x1003,
    /// 0x1100: too few replicas acknowledged the write in time.
    WriteTimeout = 0x1100,
    /// 0x1200: too few replicas responded in time.
    ReadTimeout = 0x1200,
    /// 0x1300: replicas failed to read.
    ReadFailure = 0x1300,
    /// 0x1400: a user function failed.
    FunctionFailure = 0x1400,
    /// 0x1500: replicas failed to write.
    WriteFailure = 0x1500,
    /// 0x1600: the space for change data capture is full.
    CdcWriteFailure = 0x1600,
    /// 0x1700: whether a conditional write was applied is unknown.
    CasWriteUnknown = 0x1700,
    /// 0x2000: the statement is not valid CQL.
    Syntax = 0x2000,
    /// 0x2100: the user lacks a permission.
    Unauthorized = 0x2100,
    /// 0x2200: the statement is valid CQL but cannot be executed.
    Invalid = 0x2200,
    /// 0x2300: a configuration problem, mostly of schema options.
    Config = 0x2300,
    /// 0x2400: the keyspace or table already exists.
    AlreadyExists = 0x2400,
    /// 0x2500: no statement is prepared under this id.
    Unprepared = 0x2500,
}

impl ErrorCode {
    /// All codes, in numeric order.
    pub const ALL: [Self; 20] = [
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
        Self::CasWriteUnknown,
        Self::Syntax,
        Self::Unauthorized,
        Self::Invalid,
        Self::Config,
        Self::AlreadyExists,
        Self::Unprepared,
    ];

    /// The number in the protocol.
    pub const fn number(self) -> u16 {
        self as u16
    }

    /// The code with that number.
    pub fn from_number(number: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.number() == number)
    }
}
