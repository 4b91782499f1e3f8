//! The protocol versions, compressions and encryption that are measured apart.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use wire::{Compression, Framing, ProtocolVersion};

/// How requests and responses are put on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    V4,
    V5,
    V5Lz4,
    V5Lz4Tls,
}

/// A plain or an encrypted socket.
pub(crate) trait Socket: Read + Write {}

impl<T: Read + Write> Socket for T {}

impl Encoding {
    pub(crate) const ALL: [Self; 4] = [Self::V4, Self::V5, Self::V5Lz4, Self::V5Lz4Tls];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::V4 => "v4",
            Self::V5 => "v5",
            Self::V5Lz4 => "v5 with LZ4",
            Self::V5Lz4Tls => "v5 with LZ4 and TLS",
        }
    }

    pub(crate) fn framing(self) -> Framing {
        match self {
            Self::V4 => Framing::new(ProtocolVersion::V4, None),
            Self::V5 => Framing::new(ProtocolVersion::V5, None),
            Self::V5Lz4 | Self::V5Lz4Tls => Framing::new(ProtocolVersion::V5, self.compression()),
        }
    }

    pub(crate) fn compression(self) -> Option<Compression> {
        matches!(self, Self::V5Lz4 | Self::V5Lz4Tls).then_some(Compression::Lz4)
    }

    pub(crate) fn is_encrypted(self) -> bool {
        self == Self::V5Lz4Tls
    }

    /// The arguments of a server for it.
    pub(crate) fn server_arguments(self) -> Vec<String> {
        if !self.is_encrypted() {
            return Vec::new();
        }
        let path = |name| certificate_file(name).display().to_string();
        vec![
            "--tls-certificate".to_owned(),
            path("server.pem"),
            "--tls-key".to_owned(),
            path("server.key"),
        ]
    }

    pub(crate) fn connect(self, address: &str) -> Box<dyn Socket> {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        if !self.is_encrypted() {
            return Box::new(stream);
        }
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_file(certificate_file("ca.pem")).unwrap()).unwrap();
        let config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
        let name = ServerName::try_from("localhost").unwrap();
        let session = ClientConnection::new(Arc::new(config), name).unwrap();
        Box::new(StreamOwned::new(session, stream))
    }
}

fn certificate_file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/clients/tls").join(name)
}
