//! [`Opcode`]: the kind of a message.

use std::fmt;

cql::named_enum! {
    /// The kind of a message.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Opcode {
        /// The server reports an error.
        Error = 0x00 => "ERROR",
        /// The first request of a connection.
        Startup = 0x01 => "STARTUP",
        /// The connection is ready for requests.
        Ready = 0x02 => "READY",
        /// The server requires authentication.
        Authenticate = 0x03 => "AUTHENTICATE",
        /// The login of version 1.
        Credentials = 0x04 => "CREDENTIALS",
        /// Asks for the options that the server supports.
        Options = 0x05 => "OPTIONS",
        /// The response to OPTIONS.
        Supported = 0x06 => "SUPPORTED",
        /// Executes a statement by its text.
        Query = 0x07 => "QUERY",
        /// The result of a statement.
        Result = 0x08 => "RESULT",
        /// Prepares a statement.
        Prepare = 0x09 => "PREPARE",
        /// Executes a prepared statement.
        Execute = 0x0A => "EXECUTE",
        /// Registers for events.
        Register = 0x0B => "REGISTER",
        /// A server event.
        Event = 0x0C => "EVENT",
        /// Executes several statements as a batch.
        Batch = 0x0D => "BATCH",
        /// The server continues the authentication.
        AuthChallenge = 0x0E => "AUTH_CHALLENGE",
        /// The client's authentication data.
        AuthResponse = 0x0F => "AUTH_RESPONSE",
        /// The authentication succeeded.
        AuthSuccess = 0x10 => "AUTH_SUCCESS",
    }
}

impl Opcode {
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
        f.write_str(self.name())
    }
}
