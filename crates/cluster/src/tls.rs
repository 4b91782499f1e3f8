//! TLS: the driver's configuration, and the verification of the servers' certificates.

use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, aws_lc_rs, verify_tls12_signature,
    verify_tls13_signature,
};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
};

use crate::connection_options::{ConnectionOptions, Tls};
use crate::error::Error;
use crate::pem;

/// Builds the driver's TLS configuration.
pub(crate) fn client_config(
    options: &ConnectionOptions,
    tls: &Tls,
) -> Result<Arc<ClientConfig>, Error> {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let verifier = build_verifier(options, tls, &provider)?;
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|_| Error::settings("no supported TLS version is available"))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier));
    let config = match &tls.client {
        None => builder.with_no_client_auth(),
        Some((certificate, key)) => builder
            .with_client_auth_cert(
                pem::read_certificates(certificate)?,
                pem::read_private_key(key)?,
            )
            .map_err(|_| {
                Error::settings("the client certificate and the private key do not match")
            })?,
    };
    Ok(Arc::new(config))
}

/// The reason why a TLS handshake failed.
pub(crate) fn describe_error(error: &rustls::Error) -> &'static str {
    match error {
        rustls::Error::InvalidCertificate(certificate) => match certificate {
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                "the server's certificate is issued for another host name"
            }
            CertificateError::UnknownIssuer => {
                "the server's certificate is not signed by a CA in --tls-ca"
            }
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
                "the server's certificate has expired"
            }
            _ => "the server's certificate is invalid",
        },
        rustls::Error::InvalidMessage(_) => "the server does not use TLS",
        rustls::Error::AlertReceived(_) => "the server rejected the TLS handshake",
        _ => "the TLS handshake failed",
    }
}

fn build_verifier(
    options: &ConnectionOptions,
    tls: &Tls,
    provider: &Arc<CryptoProvider>,
) -> Result<CertificateVerifier, Error> {
    let algorithms = provider.signature_verification_algorithms;
    if tls.trusts_anybody {
        return Ok(CertificateVerifier { signed: None, names: Vec::new(), algorithms });
    }
    let Some(authority) = &tls.authority else {
        return Err(Error::settings(
            "TLS requires --tls-ca FILE with the CA certificates of the cluster",
        ));
    };
    let mut roots = RootCertStore::empty();
    let unusable =
        || Error::settings(format!("{} contains no usable CA certificate", authority.display()));
    for certificate in pem::read_certificates(authority)? {
        roots.add(certificate).map_err(|_| unusable())?;
    }
    let signed = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider))
        .build()
        .map_err(|_| unusable())?;
    let names = options.hosts.iter().filter_map(|host| server_name(host)).collect();
    Ok(CertificateVerifier { signed: Some(signed), names, algorithms })
}

/// The host name of a contact point.
fn server_name(host: &str) -> Option<ServerName<'static>> {
    let (host, _) = host.rsplit_once(':')?;
    ServerName::try_from(host.trim_matches(['[', ']']).to_owned()).ok()
}

/// Accepts certificates that are signed by the CA and issued for the node's address or for one of
/// the contact points' names. The names are needed because the driver resolves contact points and
/// discovers the other nodes by address, so it verifies against addresses, which certificates
/// seldom contain. Accepting any of the contact points' names is no weaker: the user trusts each.
#[derive(Debug)]
struct CertificateVerifier {
    /// The verifier of the CA's signature; without it, any certificate is accepted (insecure), and
    /// only the signature of the handshake is checked.
    signed: Option<Arc<WebPkiServerVerifier>>,
    names: Vec<ServerName<'static>>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl ServerCertVerifier for CertificateVerifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        revocation: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let Some(signed) = &self.signed else { return Ok(ServerCertVerified::assertion()) };
        let verify = |name: &ServerName<'_>| {
            signed.verify_server_cert(certificate, intermediates, name, revocation, now)
        };
        let by_address = verify(name);
        match &by_address {
            Err(rustls::Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => self.names.iter().find_map(|name| verify(name).ok()).map_or(by_address, Ok),
            _ => by_address,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signature, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signature, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use rustls::{ClientConnection, ServerConfig, ServerConnection};

    use super::*;

    fn file(name: &str) -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/cluster/tls").join(name)
    }

    /// A handshake in memory, with a server that the driver connects to by address.
    fn handshake(hosts: &str, tls: &Tls) -> Result<(), String> {
        let options = ConnectionOptions::from_contact_points(hosts).expect("valid contact points");
        let client = client_config(&options, tls).map_err(|error| error.message)?;
        let server = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("there are versions")
            .with_no_client_auth()
            .with_single_cert(
                pem::read_certificates(&file("server.pem")).expect("a certificate"),
                pem::read_private_key(&file("server.key")).expect("a key"),
            )
            .expect("they belong together");
        let address = ServerName::try_from("127.0.0.1").expect("an address");
        let mut client = ClientConnection::new(client, address).expect("a client");
        let mut server = ServerConnection::new(Arc::new(server)).expect("a server");
        while client.is_handshaking() || server.is_handshaking() {
            let mut sent = Vec::new();
            client.write_tls(&mut sent).expect("memory takes it");
            server.read_tls(&mut sent.as_slice()).expect("it is read");
            server.process_new_packets().map_err(|error| error.to_string())?;
            let mut sent = Vec::new();
            server.write_tls(&mut sent).expect("memory takes it");
            client.read_tls(&mut sent.as_slice()).expect("it is read");
            client.process_new_packets().map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    fn tls_with_authority(authority: &str) -> Tls {
        Tls { authority: Some(file(authority)), ..Tls::default() }
    }

    #[test]
    fn a_signed_certificate_of_the_name_given_is_trusted() {
        assert_eq!(handshake("db.test:9142", &tls_with_authority("ca.pem")), Ok(()));
        let client = Some((file("server.pem"), file("server.key")));
        let both = Tls { client, ..tls_with_authority("ca.pem") };
        assert_eq!(handshake("db.test:9142", &both), Ok(()));
    }

    #[test]
    fn other_names_and_other_authorities_are_rejected() {
        let wrong_name = handshake("other.test:9142", &tls_with_authority("ca.pem"));
        assert!(
            wrong_name.as_ref().is_err_and(|why| why.contains("certificate")),
            "{wrong_name:?}"
        );
        let wrong_authority = handshake("db.test:9142", &tls_with_authority("other.pem"));
        assert!(wrong_authority.is_err(), "{wrong_authority:?}");
    }

    #[test]
    fn insecure_mode_accepts_any_certificate() {
        let tls = Tls { trusts_anybody: true, ..Tls::default() };
        assert_eq!(handshake("other.test:9142", &tls), Ok(()));
        let message = handshake("db.test:9142", &Tls::default()).expect_err("no CA is given");
        assert!(message.contains("--tls-ca"), "{message}");
    }

    #[test]
    fn files_that_hold_something_else_are_named() {
        let tls = tls_with_authority("README.md");
        let message = handshake("db.test:9142", &tls).expect_err("it is not a certificate");
        assert!(message.contains("README.md contains no certificate"), "{message}");
        let client = Some((file("server.pem"), file("ca.pem")));
        let result = handshake("db.test:9142", &Tls { client, ..tls_with_authority("ca.pem") });
        assert!(result.expect_err("it is not a key").contains("contains no private key"));
        let result = handshake("db.test:9142", &tls_with_authority("missing.pem"));
        assert!(result.expect_err("the file is missing").contains("cannot read"));
    }
}
