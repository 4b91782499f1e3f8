//! [`OutputEncoding`]: how the frames of a connection become the bytes that are sent: their framing,
//! then encryption.

use std::io;

use wire::{FrameEncoder, Framing};

use super::tls::{TlsParameters, TlsSession};

/// The capacity that a buffer keeps.
const IDLE_BYTES: usize = 16 << 10;

/// The encoding of the output of a connection.
pub(super) struct OutputEncoding {
    encoder: FrameEncoder,
    tls: Option<TlsSession>,
    framed: Vec<u8>,
    encrypted: Vec<u8>,
}

impl OutputEncoding {
    pub(super) fn new(tls: Option<TlsSession>) -> Self {
        Self { encoder: FrameEncoder::default(), tls, framed: Vec::new(), encrypted: Vec::new() }
    }

    /// Sets the framing of what follows.
    pub(super) fn set_framing(&mut self, framing: Framing) {
        self.encoder = FrameEncoder::new(framing);
    }

    /// The bytes to send for some whole frames.
    pub(super) fn encode<'a>(&'a mut self, frames: &'a [u8]) -> io::Result<&'a [u8]> {
        shrink(&mut self.framed);
        shrink(&mut self.encrypted);
        let framed = if self.encoder.framing().is_plain() {
            frames
        } else {
            self.encoder.encode_into(frames, &mut self.framed);
            &self.framed
        };
        match &mut self.tls {
            None => Ok(framed),
            Some(tls) => {
                tls.encrypt(framed, &mut self.encrypted)?;
                Ok(&self.encrypted)
            }
        }
    }

    /// Appends what received bytes say, and returns what the handshake answers, even if it fails.
    pub(super) fn decrypt(
        &mut self,
        received: &[u8],
        input: &mut Vec<u8>,
    ) -> (&[u8], io::Result<()>) {
        shrink(&mut self.encrypted);
        let result = match &mut self.tls {
            None => {
                input.extend_from_slice(received);
                Ok(())
            }
            Some(tls) => tls.receive(received, input, &mut self.encrypted),
        };
        (&self.encrypted, result)
    }

    /// What the handshake agreed on; `None` if the connection is not encrypted.
    pub(super) fn tls_parameters(&self) -> Option<TlsParameters> {
        self.tls.as_ref().and_then(TlsSession::parameters)
    }
}

fn shrink(buffer: &mut Vec<u8>) {
    buffer.clear();
    buffer.shrink_to(IDLE_BYTES);
}
