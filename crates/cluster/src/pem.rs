//! Files of certificates and keys.

use std::path::Path;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::error::Error;

/// All certificates of a PEM file, of which there must be one.
pub(crate) fn read_certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, Error> {
    let wrong = || Error::settings(format!("{} holds no certificate in PEM", path.display()));
    let readable = || Error::settings(format!("cannot read {}", path.display()));
    let text = std::fs::read(path).map_err(|_| readable())?;
    let found: Vec<_> =
        CertificateDer::pem_slice_iter(&text).collect::<Result<_, _>>().map_err(|_| wrong())?;
    if found.is_empty() { Err(wrong()) } else { Ok(found) }
}

/// The key of a PEM file. What is wrong with it is not said: it may show the key.
pub(crate) fn read_private_key(path: &Path) -> Result<PrivateKeyDer<'static>, Error> {
    PrivateKeyDer::from_pem_file(path)
        .map_err(|_| Error::settings(format!("{} holds no private key in PEM", path.display())))
}
