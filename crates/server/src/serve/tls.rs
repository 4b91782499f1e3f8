//! TLS for clients: the encryption of a connection.

use std::io::{self, Read, Write};
use std::sync::Arc;

use rustls::{ServerConfig, ServerConnection};

/// The encryption of one connection. It does no I/O: encrypted bytes come in and go out.
pub(super) struct TlsSession(ServerConnection);

impl TlsSession {
    pub(super) fn new(config: Arc<ServerConfig>) -> io::Result<Self> {
        let mut connection = ServerConnection::new(config).map_err(io::Error::other)?;
        // What is written is encrypted at once, so it is bounded by the caller.
        connection.set_buffer_limit(None);
        Ok(Self(connection))
    }

    /// Decrypts received bytes, and appends what they say; what the handshake answers is appended
    /// to the bytes to send, even if it fails.
    pub(super) fn receive(
        &mut self,
        mut received: &[u8],
        input: &mut Vec<u8>,
        output: &mut Vec<u8>,
    ) -> io::Result<()> {
        while !received.is_empty() {
            self.0.read_tls(&mut received)?;
            let processed = self.0.process_new_packets();
            self.take_output(output)?;
            let available = processed.map_err(io::Error::other)?.plaintext_bytes_to_read();
            let start = input.len();
            input.resize(start + available, 0);
            self.0.reader().read_exact(input.get_mut(start..).unwrap_or_default())?;
        }
        Ok(())
    }

    /// Appends the encrypted form of bytes.
    pub(super) fn encrypt(&mut self, bytes: &[u8], output: &mut Vec<u8>) -> io::Result<()> {
        self.0.writer().write_all(bytes)?;
        self.take_output(output)
    }

    fn take_output(&mut self, output: &mut Vec<u8>) -> io::Result<()> {
        while self.0.wants_write() {
            self.0.write_tls(output)?;
        }
        Ok(())
    }

    /// The protocol and the cipher suite, as Java names them, once the handshake is done.
    pub(super) fn parameters(&self) -> Option<TlsParameters> {
        let protocol = match self.0.protocol_version()? {
            rustls::ProtocolVersion::TLSv1_3 => "TLSv1.3",
            _ => "TLSv1.2",
        };
        let suite = self.0.negotiated_cipher_suite()?.suite().as_str()?;
        Some(TlsParameters { protocol, cipher_suite: suite.replace("TLS13_", "TLS_") })
    }
}

/// What a client and the server agreed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TlsParameters {
    pub(super) protocol: &'static str,
    pub(super) cipher_suite: String,
}
