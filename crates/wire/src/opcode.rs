//! What a message is.

use std::fmt;

/// The kind of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opcode {
    /// The server refuses or fails.
    Error = 0x00,
    /// The first request of a connection.
    Startup = 0x01,
    /// The connection may be used.
    Ready = 0x02,
    /// The server wants to know who speaks.
    Authenticate = 0x03,
    /// The login of version 1.
    Credentials = 0x04,
    /// What does the server support?
    Options = 0x05,
    /// The answer to that.
    Supported = 0x06,
    /// Run a text.
    Query = 0x07,
    /// What a statement gave.
    Result = 0x08,
    /// Prepare a text.
    Prepare = 0x09,
    /// Run what was prepared.
    Execute = 0x0A,
    /// Send me events.
    Register = 0x0B,
    /// An event.
    Event = 0x0C,
    /// Run several statements as one.
    Batch = 0x0D,
    /// The server wants to know more.
    AuthChallenge = 0x0E,
    /// Who speaks.
    AuthResponse = 0x0F,
    /// Known and welcome.
    AuthSuccess = 0x10,
}

impl Opcode {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 17] = [
        Self::Error,
        Self::Startup,
        Self::Ready,
        Self::Authenticate,
        Self::Credentials,
        Self::Options,
        Self::Supported,
        Self::Query,
        Self::Result,
        Self::Prepare,
        Self::Execute,
        Self::Register,
        Self::Event,
        Self::Batch,
        Self::AuthChallenge,
        Self::AuthResponse,
        Self::AuthSuccess,
    ];

    /// The kind of that number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Whether the client sends it.
    pub const fn is_request(self) -> bool {
        matches!(
            self,
            Self::Startup
                | Self::Credentials
                | Self::Options
                | Self::Query
                | Self::Prepare
                | Self::Execute
                | Self::Register
                | Self::Batch
                | Self::AuthResponse
        )
    }
}

impl fmt::Display for Opcode {
    /// As refusals name it: `AUTH_RESPONSE`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "ERROR",
            Self::Startup => "STARTUP",
            Self::Ready => "READY",
            Self::Authenticate => "AUTHENTICATE",
            Self::Credentials => "CREDENTIALS",
            Self::Options => "OPTIONS",
            Self::Supported => "SUPPORTED",
            Self::Query => "QUERY",
            Self::Result => "RESULT",
            Self::Prepare => "PREPARE",
            Self::Execute => "EXECUTE",
            Self::Register => "REGISTER",
            Self::Event => "EVENT",
            Self::Batch => "BATCH",
            Self::AuthChallenge => "AUTH_CHALLENGE",
            Self::AuthResponse => "AUTH_RESPONSE",
            Self::AuthSuccess => "AUTH_SUCCESS",
        })
    }
}
