//! [`Opcode`]: the kind of a message.

use std::fmt;

/// The kind of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opcode {
    /// The server reports an error.
    Error = 0x00,
    /// The first request of a connection.
    Startup = 0x01,
    /// The connection is ready for requests.
    Ready = 0x02,
    /// The server requires authentication.
    Authenticate = 0x03,
    /// The login of version 1.
    Credentials = 0x04,
    /// Asks for the options that the server supports.
    Options = 0x05,
    /// The response to OPTIONS.
    Supported = 0x06,
    /// Executes a statement by its text.
    Query = 0x07,
    /// The result of a statement.
    Result = 0x08,
    /// Prepares a statement.
    Prepare = 0x09,
    /// Executes a prepared statement.
    Execute = 0x0A,
    /// Registers for events.
    Register = 0x0B,
    /// A server event.
    Event = 0x0C,
    /// Executes several statements as a batch.
    Batch = 0x0D,
    /// The server continues the authentication.
    AuthChallenge = 0x0E,
    /// The client's authentication data.
    AuthResponse = 0x0F,
    /// The authentication succeeded.
    AuthSuccess = 0x10,
}

impl Opcode {
    /// All opcodes, in numeric order.
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

    /// The opcode with that number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// The number in the protocol.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Whether clients send it.
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
    /// The name in error messages: `AUTH_RESPONSE`.
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
