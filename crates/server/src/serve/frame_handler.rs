//! The protocol state of a connection: which messages are allowed when, and the responses to those
//! of the handshake.

use std::sync::Arc;

use engine::Session;
use tokio::sync::mpsc::Receiver;
use wire::{
    Compression, ErrorKind, ErrorMessage, Event, EventKind, Frame, Framing, Opcode,
    ProtocolVersion, Request, RequestHead, Response, ResponseHead,
};

use super::client_connection::ClientConnection;
use super::login_service::Credentials;
use super::{compression, login, translation};

/// The CQL version reported to drivers.
const CQL_VERSION: &str = "3.4.7";
const AUTHENTICATOR: &str = "org.apache.cassandra.auth.PasswordAuthenticator";

/// The state of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Before STARTUP.
    New,
    /// The client has not logged in yet.
    Authenticating,
    /// Requests are accepted.
    Ready,
}

/// What a message asks for besides its response.
pub(super) enum HandshakeStep {
    /// Nothing.
    Done,
    /// The framing of everything after the response.
    Frame(Framing),
    /// A login, which answers the message.
    Login(LoginRequest),
    /// Events.
    Subscribe(Receiver<Event>),
}

/// A login that a client asks for.
pub(super) struct LoginRequest {
    pub(super) stream: i16,
    pub(super) credentials: Credentials,
}

/// The state of the protocol: which messages are allowed when, and the responses to those other
/// than statements.
pub(super) struct FrameHandler {
    connection: Arc<ClientConnection>,
    stage: Stage,
    /// The version of STARTUP; all later frames must have the same.
    version: Option<ProtocolVersion>,
    is_registered: bool,
    throws_on_overload: bool,
}

/// The response to a request other than a statement.
type ResponseResult = Result<Response<'static>, ErrorMessage>;

impl FrameHandler {
    pub(super) fn new(connection: Arc<ClientConnection>) -> Self {
        Self {
            connection,
            stage: Stage::New,
            version: None,
            is_registered: false,
            throws_on_overload: false,
        }
    }

    /// The protocol version, once it is known.
    pub(super) fn version(&self) -> Option<ProtocolVersion> {
        self.version
    }

    /// Whether the handshake and the login are done.
    pub(super) fn is_ready(&self) -> bool {
        self.stage == Stage::Ready
    }

    /// Whether the client wants an error instead of waiting when the server is overloaded.
    pub(super) fn has_overload_errors(&self) -> bool {
        self.throws_on_overload
    }

    /// Whether a frame is a statement that may run.
    pub(super) fn is_statement(&self, frame: &Frame<'_>) -> bool {
        let is_statement = matches!(
            frame.opcode,
            Opcode::Query | Opcode::Prepare | Opcode::Execute | Opcode::Batch
        );
        is_statement && self.is_ready() && self.version == Some(frame.version)
    }

    /// Appends the response to a frame that is not a statement.
    pub(super) fn handle_frame(&mut self, frame: &Frame<'_>, out: &mut Vec<u8>) -> HandshakeStep {
        if let Err(refusal) = self.check_frame(frame) {
            // A request before STARTUP is answered on stream 0; no driver sends one.
            let stream = if self.version.is_none() { 0 } else { frame.stream };
            append(out, self.version.unwrap_or(frame.version), stream, Err(refusal));
            return HandshakeStep::Done;
        }
        let mut step = HandshakeStep::Done;
        let result = match Request::decode(frame) {
            Ok((head, request)) => self.respond(&head, request, &mut step),
            Err(malformed) => Some(Err(malformed.into())),
        };
        if let Some(result) = result {
            append(out, self.version.unwrap_or(frame.version), frame.stream, result);
        }
        step
    }

    /// Appends the response to a login.
    pub(super) fn finish_login(
        &mut self,
        stream: i16,
        result: engine::Result<Session>,
        out: &mut Vec<u8>,
    ) {
        let result = result.map_err(translation::error).map(|session| {
            self.connection.set_session(session);
            self.stage = Stage::Ready;
            Response::AuthSuccess(None)
        });
        append(out, self.version.unwrap_or(ProtocolVersion::HIGHEST), stream, result);
    }

    /// Fails if a frame is not allowed in the current state.
    fn check_frame(&self, frame: &Frame<'_>) -> Result<(), ErrorMessage> {
        let opcode = frame.opcode;
        if let Some(version) = self.version.filter(|version| *version != frame.version) {
            return protocol_error(format!(
                "Invalid message version. Got {} but previous messages on this connection had version {version}",
                frame.version
            ));
        }
        match (self.stage, opcode) {
            (Stage::New, Opcode::Startup | Opcode::Options)
            | (Stage::Authenticating, Opcode::AuthResponse | Opcode::Credentials) => Ok(()),
            (Stage::New, _) => {
                protocol_error(format!("Unexpected message {opcode}, expecting STARTUP or OPTIONS"))
            }
            (Stage::Authenticating, _) => {
                protocol_error(format!("Unexpected message {opcode}, expecting SASL_RESPONSE"))
            }
            (Stage::Ready, Opcode::Startup) => protocol_error(
                "Unexpected message STARTUP, the connection is already initialized".to_owned(),
            ),
            (Stage::Ready, _) => Ok(()),
        }
    }

    /// The response to a request; `None` for a login, which comes later.
    fn respond(
        &mut self,
        head: &RequestHead<'_>,
        request: Request<'_>,
        step: &mut HandshakeStep,
    ) -> Option<ResponseResult> {
        Some(match request {
            Request::Options => Ok(options_response()),
            Request::Startup(options) => {
                let version = *self.version.get_or_insert(head.version);
                self.start_session(version, &options).map(|(response, framing)| {
                    *step = HandshakeStep::Frame(framing);
                    response
                })
            }
            Request::Register(kinds) => {
                *step = self.register(&kinds);
                Ok(Response::Ready)
            }
            Request::AuthResponse(token) if self.stage == Stage::Authenticating => {
                match login::parse_credentials(token) {
                    Ok(credentials) => {
                        let stream = head.stream;
                        *step = HandshakeStep::Login(LoginRequest { stream, credentials });
                        return None;
                    }
                    Err(error) => Err(error),
                }
            }
            // Without authentication, any token is accepted.
            Request::AuthResponse(_) => Ok(Response::AuthSuccess(None)),
            Request::Prepare(..)
            | Request::Query(..)
            | Request::Execute(..)
            | Request::Batch(_) => protocol_error("Unexpected message".to_owned()),
        })
    }

    fn start_session(
        &mut self,
        protocol: ProtocolVersion,
        options: &[(&str, &str)],
    ) -> Result<(Response<'static>, Framing), ErrorMessage> {
        let option = |name: &str| {
            options
                .iter()
                .rev()
                .find(|(key, _)| key.eq_ignore_ascii_case(name))
                .map(|(_, value)| *value)
        };
        let version = option("CQL_VERSION").ok_or_else(|| {
            let message = "Missing value CQL_VERSION in STARTUP message";
            ErrorMessage::new(ErrorKind::Protocol, message)
        })?;
        check_cql_version(version)?;
        let compression = option("COMPRESSION");
        let compression =
            compression.map(|name| compression::choose(protocol, name)).transpose()?;
        let framing = Framing::new(protocol, compression);
        self.connection.set_client_options(protocol, options);
        self.throws_on_overload = option("THROW_ON_OVERLOAD") == Some("1");
        if self.connection.server().authentication {
            self.stage = Stage::Authenticating;
            return Ok((Response::Authenticate(AUTHENTICATOR.into()), framing));
        }
        self.stage = Stage::Ready;
        Ok((Response::Ready, framing))
    }

    fn register(&mut self, kinds: &[EventKind]) -> HandshakeStep {
        // A single node has no topology or status events.
        if !kinds.contains(&EventKind::SchemaChange) || self.is_registered {
            return HandshakeStep::Done;
        }
        self.is_registered = true;
        HandshakeStep::Subscribe(self.connection.server().subscribers.subscribe())
    }
}

fn append(out: &mut Vec<u8>, version: ProtocolVersion, stream: i16, result: ResponseResult) {
    let response = result.unwrap_or_else(Response::Error);
    response.encode(&ResponseHead::new(version, stream), out);
}

fn protocol_error<T>(message: String) -> Result<T, ErrorMessage> {
    Err(ErrorMessage::new(ErrorKind::Protocol, message))
}

fn options_response() -> Response<'static> {
    let versions = ProtocolVersion::ALL.map(|version| version.to_string()).to_vec();
    let compressions = Compression::ALL.map(|compression| compression.name().to_owned()).to_vec();
    Response::Supported(vec![
        ("PROTOCOL_VERSIONS".to_owned(), versions),
        ("COMPRESSION".to_owned(), compressions),
        ("CQL_VERSION".to_owned(), vec![CQL_VERSION.to_owned()]),
    ])
}

/// Accepts any CQL version from 3 on (2.99 and up, as in Cassandra).
fn check_cql_version(version: &str) -> Result<(), ErrorMessage> {
    let mut parts = version.split(['.', '-', '+']);
    let mut number = || parts.next().and_then(|part| part.parse::<u32>().ok());
    let (Some(major), Some(minor)) = (number(), number()) else {
        return protocol_error(format!("Invalid version value: {version}"));
    };
    if (major, minor) < (2, 99) {
        return protocol_error(format!(
            "CQL version {version} is not supported by the binary protocol (supported version are >= 3.0.0)"
        ));
    }
    Ok(())
}
