//! Reading certificates and private keys from PEM files.

use std::path::Path;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::error::Error;

/// Reads all certificates of a PEM file, which must hold at least one.
pub(crate) fn read_certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, Error> {
    let missing =
        || Error::settings(format!("{} contains no certificate in PEM format", path.display()));
    let text = read(path)?;
    let certificates: Vec<_> =
        CertificateDer::pem_slice_iter(&text).collect::<Result<_, _>>().map_err(|_| missing())?;
    if certificates.is_empty() { Err(missing()) } else { Ok(certificates) }
}

/// Reads the private key of a PEM file. The parser's error is dropped, as it may show the key.
pub(crate) fn read_private_key(path: &Path) -> Result<PrivateKeyDer<'static>, Error> {
    PrivateKeyDer::from_pem_slice(&read(path)?).map_err(|_| {
        Error::settings(format!("{} contains no private key in PEM format", path.display()))
    })
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    regular_file::read(path).map_err(|error| Error::unreadable_file(path, &error))
}
