//! Whom a TLS connection trusts.

use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
};

use crate::connection_options::{ConnectionOptions, Tls};
use crate::error::Error;
use crate::pem;

/// How the driver encrypts.
pub(crate) fn client_config(
    access: &ConnectionOptions,
    tls: &Tls,
) -> Result<Arc<ClientConfig>, Error> {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let verifier = build_verifier(access, tls, &provider)?;
    let unusable = |_| Error::settings("the TLS versions cannot be used");
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(unusable)?
        .dangerous()
        .with_custom_certificate_verifier(verifier);
    let config = match &tls.client {
        None => builder.with_no_client_auth(),
        Some((certificate, key)) => builder
            .with_client_auth_cert(
                pem::read_certificates(certificate)?,
                pem::read_private_key(key)?,
            )
            .map_err(|_| {
                Error::settings("the client's certificate and key do not belong together")
            })?,
    };
    Ok(Arc::new(config))
}

/// Why there is no encrypted connection.
pub(crate) fn describe_error(error: &rustls::Error) -> &'static str {
    match error {
        rustls::Error::InvalidCertificate(certificate) => match certificate {
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                "its certificate is made out to another name"
            }
            CertificateError::UnknownIssuer => {
                "its certificate is not signed by the one of --tls-ca"
            }
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
                "its certificate has expired"
            }
            _ => "its certificate is not valid",
        },
        rustls::Error::InvalidMessage(_) => "it does not speak TLS",
        rustls::Error::AlertReceived(_) => "it refuses to speak TLS with us",
        _ => "TLS failed",
    }
}

fn build_verifier(
    access: &ConnectionOptions,
    tls: &Tls,
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<dyn ServerCertVerifier>, Error> {
    if tls.trusts_anybody {
        return Ok(Arc::new(InsecureVerifier(Arc::clone(provider))));
    }
    let Some(authority) = &tls.authority else {
        return Err(Error::settings(
            "TLS needs --tls-ca FILE: who signed the servers' certificates",
        ));
    };
    let mut roots = RootCertStore::empty();
    let unusable =
        || Error::settings(format!("{} holds no usable certificate", authority.display()));
    for certificate in pem::read_certificates(authority)? {
        roots.add(certificate).map_err(|_| unusable())?;
    }
    let signed = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider))
        .build()
        .map_err(|_| unusable())?;
    let names = access.hosts.iter().filter_map(|host| server_name(host)).collect();
    Ok(Arc::new(HostNameVerifier { signed, names }))
}

/// The name of a contact point.
fn server_name(host: &str) -> Option<ServerName<'static>> {
    let (host, _) = host.rsplit_once(':')?;
    ServerName::try_from(host.trim_matches(['[', ']']).to_owned()).ok()
}

/// Trusts certificates that are signed, and made out to the address or to one of the names that the user gave: the driver
/// knows the nodes by their addresses only.
#[derive(Debug)]
struct HostNameVerifier {
    signed: Arc<WebPkiServerVerifier>,
    names: Vec<ServerName<'static>>,
}

impl ServerCertVerifier for HostNameVerifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        revocation: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let verify = |name: &ServerName<'_>| {
            self.signed.verify_server_cert(certificate, between, name, revocation, now)
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
        self.signed.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.signed.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.signed.supported_verify_schemes()
    }
}

/// Trusts anybody who has the key of the certificate shown: only where the user said so.
#[derive(Debug)]
struct InsecureVerifier(Arc<CryptoProvider>);

impl ServerCertVerifier for InsecureVerifier {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
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

    /// A handshake in memory, with a server that the driver knows by its address.
    fn handshake(hosts: &str, tls: &Tls) -> Result<(), String> {
        let access = ConnectionOptions::from_contact_points(hosts).expect("a place");
        let client = client_config(&access, tls).map_err(|error| error.message)?;
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
    fn nobody_else_is() {
        let wrong_name = handshake("other.test:9142", &tls_with_authority("ca.pem"));
        assert!(
            wrong_name.as_ref().is_err_and(|why| why.contains("certificate")),
            "{wrong_name:?}"
        );
        let wrong_authority = handshake("db.test:9142", &tls_with_authority("other.pem"));
        assert!(wrong_authority.is_err(), "{wrong_authority:?}");
    }

    #[test]
    fn anybody_is_where_the_user_said_so() {
        let tls = Tls { trusts_anybody: true, ..Tls::default() };
        assert_eq!(handshake("other.test:9142", &tls), Ok(()));
        let said = handshake("db.test:9142", &Tls::default()).expect_err("nobody is named");
        assert!(said.contains("--tls-ca"), "{said}");
    }

    #[test]
    fn files_that_hold_something_else_are_named() {
        let tls = tls_with_authority("README.md");
        let said = handshake("db.test:9142", &tls).expect_err("it is no certificate");
        assert!(said.contains("README.md holds no certificate"), "{said}");
        let client = Some((file("server.pem"), file("ca.pem")));
        let said = handshake("db.test:9142", &Tls { client, ..tls_with_authority("ca.pem") });
        assert!(said.expect_err("it is no key").contains("holds no private key"));
        let said = handshake("db.test:9142", &tls_with_authority("missing.pem"));
        assert!(said.expect_err("it is not there").contains("cannot read"));
    }
}
