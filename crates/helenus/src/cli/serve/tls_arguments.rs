//! The files of the server's TLS: its certificate, and optionally the verification of the clients'.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::crypto::aws_lc_rs;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};

use crate::outcome::{Failure, Outcome};

/// The files of the server's TLS.
#[derive(clap::Args)]
#[expect(clippy::struct_field_names, reason = "the fields are options of the command line")]
pub(super) struct TlsArguments {
    /// Accept only TLS connections, with the certificate chain in this PEM file
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_certificate: Option<PathBuf>,
    /// Private key of --tls-certificate, in PEM format
    #[arg(long, value_name = "FILE", requires = "tls_certificate")]
    tls_key: Option<PathBuf>,
    /// Require clients to present a certificate signed by a CA in this PEM file
    #[arg(long, value_name = "FILE", requires = "tls_certificate")]
    tls_client_ca: Option<PathBuf>,
}

impl TlsArguments {
    /// Reads the files; `None` if the server does not use TLS.
    pub(super) fn server_config(&self) -> Result<Option<Arc<ServerConfig>>, Failure> {
        let (Some(certificate), Some(key)) = (&self.tls_certificate, &self.tls_key) else {
            return Ok(None);
        };
        server_config(certificate, key, self.tls_client_ca.as_deref()).map(Arc::new).map(Some)
    }
}

fn server_config(
    certificate: &Path,
    key: &Path,
    client_ca: Option<&Path>,
) -> Result<ServerConfig, Failure> {
    let chain = read_certificates(certificate)?;
    let key_bytes =
        regular_file::read(key).map_err(|error| Failure::unreadable_file(key, &error))?;
    // The parser's error is dropped, as it may show the key.
    let private_key = PrivateKeyDer::from_pem_slice(&key_bytes).map_err(|_| {
        invalid_file(format!("{} contains no private key in PEM format", key.display()))
    })?;
    let provider = Arc::new(aws_lc_rs::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| Failure::Stopped(Outcome::EnvironmentFailed, error.to_string()))?;
    let builder = match client_ca {
        None => builder.with_no_client_auth(),
        Some(path) => {
            let mut roots = RootCertStore::empty();
            for authority in read_certificates(path)? {
                roots.add(authority).map_err(|_| {
                    invalid_file(format!("{} contains an invalid certificate", path.display()))
                })?;
            }
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
            builder.with_client_cert_verifier(verifier.build().map_err(|_| {
                invalid_file(format!("{} contains no usable CA certificate", path.display()))
            })?)
        }
    };
    builder.with_single_cert(chain, private_key).map_err(|_| {
        invalid_file(format!(
            "the private key in {} does not belong to the certificate in {}",
            key.display(),
            certificate.display()
        ))
    })
}

/// Reads all certificates of a PEM file, which must hold at least one.
fn read_certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, Failure> {
    let bytes = regular_file::read(path).map_err(|error| Failure::unreadable_file(path, &error))?;
    let certificates: Option<Vec<_>> =
        CertificateDer::pem_slice_iter(&bytes).map(Result::ok).collect();
    certificates.filter(|found| !found.is_empty()).ok_or_else(|| {
        invalid_file(format!("{} contains no certificate in PEM format", path.display()))
    })
}

fn invalid_file(message: String) -> Failure {
    Failure::Stopped(Outcome::BadInput, message)
}
