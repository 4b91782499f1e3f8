//! Bytes that no driver sends: each is answered as a real node answers it, and the connection lives on.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use wire::{
    DecodedFrame, MarkerValue, MarkerValues, Opcode, ProtocolVersion, QueryOptions, Request,
    RequestHead, Response, frame,
};

use super::Server;
use super::server::parse_address;

/// A connection that says exactly what it is told to.
struct RawConnection(TcpStream);

impl RawConnection {
    fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("the server talks");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("the server talks");
        Self(stream)
    }

    fn open_and_start(address: SocketAddr) -> Self {
        let mut connection = Self::open(address);
        let startup = Request::Startup(vec![("CQL_VERSION", "3.0.0")]);
        assert_eq!(connection.ask(&startup), "Ready");
        connection
    }

    fn ask(&mut self, request: &Request<'_>) -> String {
        let mut bytes = Vec::new();
        request.encode(&RequestHead::new(ProtocolVersion::V4, 7), &mut bytes);
        self.send_bytes(&bytes)
    }

    /// Sends a frame of version 4 around any body.
    fn send_body(&mut self, opcode: Opcode, body: &[u8]) -> String {
        let mut bytes = vec![4, 0, 0, 7, opcode.number()];
        bytes.extend(u32::try_from(body.len()).expect("the server talks").to_be_bytes());
        bytes.extend(body);
        self.send_bytes(&bytes)
    }

    /// Sends bytes; the answer, in short.
    fn send_bytes(&mut self, bytes: &[u8]) -> String {
        self.0.write_all(bytes).expect("the server talks");
        let mut received = Vec::new();
        loop {
            if let DecodedFrame::Frame(frame, length) =
                frame::decode(&received, frame::RESPONSE_LIMIT)
            {
                assert_eq!(length, received.len());
                return match Response::decode(&frame).expect("the server talks").1 {
                    Response::Error(error) => {
                        format!("{:04x} {}", error.kind.code().number(), error.message)
                    }
                    Response::Supported(_) => "Supported".to_owned(),
                    other => format!("{other:?}"),
                };
            }
            let mut chunk = [0; 4096];
            let count = self.0.read(&mut chunk).expect("the server talks");
            assert!(count > 0, "the connection was closed");
            received.extend(&chunk[..count]);
        }
    }
}

#[test]
fn what_breaks_the_protocol_is_refused() {
    let server = Server::start();
    let mut new = RawConnection::open(server.address);
    assert_eq!(
        new.send_bytes(&[66, 0, 0, 7, 5, 0, 0, 0, 0]),
        "000a Invalid or unsupported protocol version (66); supported versions are (3/v3, 4/v4, 5/v5, 6/v6-beta)"
    );
    assert_eq!(new.send_bytes(&[4, 0, 0, 7, 99, 0, 0, 0, 0]), "000a Unknown opcode 99");
    assert_eq!(new.ask(&Request::Options), "Supported");
    assert_eq!(
        new.ask(&Request::Prepare("SELECT", None)),
        "000a Unexpected message PREPARE, expecting STARTUP or OPTIONS"
    );
    assert_eq!(
        new.ask(&Request::Startup(Vec::new())),
        "000a Missing value CQL_VERSION in STARTUP message"
    );
    assert_eq!(
        new.ask(&Request::Startup(vec![("CQL_VERSION", "abc")])),
        "000a Invalid version value: abc"
    );
    let mut ready = RawConnection::open_and_start(server.address);
    assert_eq!(
        ready.ask(&Request::Startup(vec![("CQL_VERSION", "3.0.0")])),
        "000a Unexpected message STARTUP, the connection is already initialized"
    );
    assert_eq!(
        ready.send_bytes(&[3, 0, 0, 7, 5, 0, 0, 0, 0]),
        "000a Invalid message version. Got 3/v3 but previous messages on this connection had version 4/v4"
    );
    assert_eq!(
        ready.send_body(Opcode::Query, &[0, 0, 0, 9, b'x']),
        "000a Not enough bytes to read an UTF8 serialized string preceded by its 4 bytes length"
    );
    let zero = QueryOptions { page_size: Some(0), ..QueryOptions::default() };
    assert_eq!(
        ready.ask(&Request::Query("SELECT * FROM system.local", zero)),
        "000a The page size cannot be 0"
    );
    assert!(
        ready
            .ask(&Request::Execute(&[1; 16], QueryOptions::default()))
            .starts_with("2500 Prepared query with ID 01010101010101010101010101010101 not found")
    );
    assert_eq!(ready.ask(&Request::Options), "Supported");
}

#[test]
fn a_frame_too_long_is_refused_and_skipped() {
    let server = Server::start();
    let mut connection = RawConnection::open_and_start(server.address);
    let mut bytes = vec![4, 0, 0, 7, Opcode::Query.number()];
    bytes.extend((20_u32 << 20).to_be_bytes());
    assert_eq!(
        connection.send_bytes(&bytes),
        "2200 Request is too big: length 20971529 exceeds maximum allowed length 16777216."
    );
    connection.0.write_all(&vec![0; 20 << 20]).expect("the server talks");
    assert_eq!(connection.ask(&Request::Options), "Supported");
    let long = vec![b'x'; 15 << 20];
    let values = MarkerValues::Positional(vec![MarkerValue::Bytes(&long)]);
    let options = QueryOptions { values, ..QueryOptions::default() };
    let text = "SELECT * FROM system.local WHERE key = ?";
    assert!(connection.ask(&Request::Query(text, options)).starts_with("2200 Key length of "));
}

#[test]
fn too_many_connections_are_closed() {
    let server = Server::start_with(&["--max-connections", "2"]);
    let first = RawConnection::open_and_start(server.address);
    let _second = RawConnection::open_and_start(server.address);
    let mut third = TcpStream::connect(server.address).expect("the server talks");
    assert_eq!(third.read(&mut [0; 16]).expect("the server talks"), 0);
    drop(first);
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let mut again = RawConnection::open(server.address);
        again.0.set_read_timeout(Some(Duration::from_millis(200))).expect("the server talks");
        let _ = again.0.write_all(&[4, 0, 0, 0, 5, 0, 0, 0, 0]);
        if again.0.read(&mut [0; 16]).is_ok_and(|count| count > 0) {
            break;
        }
        assert!(Instant::now() < deadline, "no place became free");
    }
}

#[test]
fn the_server_ends_when_told_to() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_helenus"))
        .args(["serve", "--port", "0"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server talks");
    let mut line = vec![0; 200];
    let count = server
        .stdout
        .as_mut()
        .expect("the server talks")
        .read(&mut line)
        .expect("the server talks");
    let address =
        parse_address(&String::from_utf8_lossy(&line[..count])).expect("the server talks");
    let _connection = RawConnection::open_and_start(address);
    Command::new("kill").arg(server.id().to_string()).status().expect("the server talks");
    assert!(server.wait().expect("the server talks").success());
}

#[test]
fn addresses_that_others_reach_ask_for_authentication() {
    let output = Command::new(env!("CARGO_BIN_EXE_helenus"))
        .args(["serve", "--port", "0", "--address", "0.0.0.0"])
        .output()
        .expect("the server talks");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("0.0.0.0 is not a loopback address: add --auth"), "{said}");
}
