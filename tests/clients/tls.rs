//! TLS: the Rust and the Python driver connect encrypted, with and without a certificate of their own.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use cluster::{Connection, ConnectionOptions, Tls};

use super::{Server, python_environment};

fn file(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/clients/tls");
    folder.join(name).display().to_string()
}

fn start(further: &[&str]) -> Server {
    let (certificate, key) = (file("server.pem"), file("server.key"));
    let mut arguments = vec!["--tls-certificate", &certificate, "--tls-key", &key];
    arguments.extend(further);
    Server::start_with(&arguments)
}

/// Reads how the clients are connected.
fn connect(address: SocketAddr, tls: Option<Tls>) -> Result<Vec<Vec<u8>>, String> {
    let options = ConnectionOptions::from_contact_points(&address.to_string()).expect("an address");
    let options = ConnectionOptions { tls, ..options };
    let mut connection = Connection::open(&options).map_err(|error| error.message)?;
    let text = "SELECT ssl_protocol FROM system_views.clients";
    let rows = connection.run(text, &[]).map_err(|error| error.message)?;
    Ok(rows.rows.into_iter().flatten().flatten().collect())
}

fn settings(client: Option<(&str, &str)>) -> Tls {
    let path = |name| PathBuf::from(file(name));
    let client = client.map(|(certificate, key)| (path(certificate), path(key)));
    Tls { authority: Some(path("ca.pem")), client, ..Tls::default() }
}

#[test]
fn clients_connect_encrypted() {
    let server = start(&[]);
    let protocols = connect(server.address, Some(settings(None))).expect("it connects");
    assert!(!protocols.is_empty() && protocols.iter().all(|it| it == b"TLSv1.3"), "{protocols:?}");
    assert!(connect(server.address, None).is_err(), "a plain connection is refused");
    run_python(&server, &[]);
}

#[test]
fn clients_without_a_certificate_are_refused_if_it_is_required() {
    let server = start(&["--tls-client-ca", &file("ca.pem")]);
    connect(server.address, Some(settings(Some(("client.pem", "client.key")))))
        .expect("it connects");
    assert!(connect(server.address, Some(settings(None))).is_err());
    run_python(&server, &[&file("client.pem"), &file("client.key")]);
}

fn run_python(server: &Server, client: &[&str]) {
    let Some(programs) = python_environment::programs() else { return };
    let _alone = python_environment::lock_python();
    let script =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/clients/python/encrypted.py");
    let address = server.address;
    let output = Command::new(programs.join("python"))
        .arg(script)
        .args([&address.ip().to_string(), &address.port().to_string(), &file("ca.pem")])
        .args(client)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("Python runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("done"), "{text}");
}

#[test]
fn wrong_files_are_reported_at_the_start() {
    let (certificate, key, authority) = (file("server.pem"), file("server.key"), file("ca.pem"));
    let cases: [(&[&str], &str); 5] = [
        (&["--tls-certificate", &certificate], "--tls-key"),
        (&["--tls-certificate", "nothing.pem", "--tls-key", &key], "cannot read nothing.pem"),
        (&["--tls-certificate", &key, "--tls-key", &key], "contains no certificate in PEM format"),
        (
            &["--tls-certificate", &certificate, "--tls-key", &certificate],
            "contains no private key in PEM format",
        ),
        (
            &["--tls-certificate", &authority, "--tls-key", &key],
            "does not belong to the certificate",
        ),
    ];
    for (arguments, expected) in cases {
        // A file that cannot be read is a failure of the environment.
        let code = if expected.starts_with("cannot read") { 3 } else { 2 };
        let output = Command::new(env!("CARGO_BIN_EXE_helenus"))
            .args(["serve", "--port", "0"])
            .args(arguments)
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(expected), "{said}");
        assert!(!said.contains("PRIVATE KEY"), "{said}");
    }
}
