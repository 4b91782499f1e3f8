//! The compression that a client asks for in STARTUP.

use wire::{Compression, ErrorKind, ErrorMessage, ProtocolVersion};

/// The compression with that name. From version 5 on, LZ4 is the only one.
pub(super) fn choose(version: ProtocolVersion, name: &str) -> Result<Compression, ErrorMessage> {
    let refuse = |message: String| Err(ErrorMessage::new(ErrorKind::Protocol, message));
    match Compression::from_name(name) {
        Some(Compression::Snappy) if version.has_segments() => {
            refuse("Snappy compression is not supported in protocol V5".to_owned())
        }
        Some(known) => Ok(known),
        None => refuse(format!("Unknown compression algorithm: {}", name.to_lowercase())),
    }
}
