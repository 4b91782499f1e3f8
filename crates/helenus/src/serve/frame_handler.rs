//! The protocol state of a connection: which messages are allowed when, and the responses to them.

use std::sync::Arc;

use engine::Session;
use tokio::sync::mpsc::Receiver;
use wire::{
    ErrorKind, ErrorMessage, Event, EventKind, Frame, Opcode, ProtocolVersion, Request,
    RequestHead, Response, ResponseHead,
};

use super::statement_handler::{self, StatementHandler};
use super::{ServerState, login, translation};

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

/// The server's side of a connection.
pub(super) struct FrameHandler {
    shared: Arc<ServerState>,
    session: Session,
    stage: Stage,
    /// The version of STARTUP; all later frames must have the same.
    version: Option<ProtocolVersion>,
    registration: Option<Receiver<Event>>,
    is_registered: bool,
}

/// The response to a request other than a statement.
type ResponseResult = Result<Response<'static>, ErrorMessage>;

impl FrameHandler {
    pub(super) fn new(shared: Arc<ServerState>) -> Self {
        let session = shared.database.session();
        Self {
            shared,
            session,
            stage: Stage::New,
            version: None,
            registration: None,
            is_registered: false,
        }
    }

    /// The maximum length of a frame.
    pub(super) fn frame_bytes_max(&self) -> usize {
        self.shared.limits.frame_bytes
    }

    /// The protocol version, once it is known.
    pub(super) fn version(&self) -> Option<ProtocolVersion> {
        self.version
    }

    /// The event channel of a REGISTER since the last call.
    pub(super) fn take_registration(&mut self) -> Option<Receiver<Event>> {
        self.registration.take()
    }

    /// Appends the response to a frame.
    pub(super) fn handle_frame(&mut self, frame: &Frame<'_>, out: &mut Vec<u8>) {
        let result = match self.check_frame(frame) {
            Ok(()) => match Request::decode(frame) {
                Ok((head, request)) => self.respond(&head, request, out),
                Err(malformed) => Some(Err(malformed.into())),
            },
            Err(refusal) => {
                // A request before STARTUP is answered on stream 0; no driver sends one.
                let stream = if self.version.is_none() { 0 } else { frame.stream };
                append(out, self.version.unwrap_or(frame.version), stream, Err(refusal));
                return;
            }
        };
        if let Some(result) = result {
            append(out, self.version.unwrap_or(frame.version), frame.stream, result);
        }
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

    /// The response to a request; `None` for statements, which append theirs to the output.
    fn respond(
        &mut self,
        head: &RequestHead<'_>,
        request: Request<'_>,
        out: &mut Vec<u8>,
    ) -> Option<ResponseResult> {
        Some(match request {
            Request::Options => Ok(options_response()),
            Request::Startup(options) => {
                self.version.get_or_insert(head.version);
                self.start_session(&options)
            }
            Request::Register(kinds) => Ok(self.register(&kinds)),
            Request::AuthResponse(token) => self.authenticate(token),
            Request::Prepare(text) => {
                statement_handler::prepare(&self.shared, &mut self.session, text)
                    .map(Response::Prepared)
            }
            Request::Query(text, options) => {
                return self.statement_handler(head).query(text, options, out).err().map(Err);
            }
            Request::Execute(id, options) => {
                return self.statement_handler(head).execute(id, options, out).err().map(Err);
            }
            Request::Batch(batch) => {
                return self.statement_handler(head).batch(batch, out).err().map(Err);
            }
        })
    }

    fn statement_handler<'a>(&'a mut self, head: &'a RequestHead<'a>) -> StatementHandler<'a> {
        StatementHandler { shared: &self.shared, session: &mut self.session, head }
    }

    fn start_session(&mut self, options: &[(&str, &str)]) -> ResponseResult {
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
        if let Some(compression) = option("COMPRESSION") {
            let name = compression.to_lowercase();
            return protocol_error(format!("Unknown compression algorithm: {name}"));
        }
        if self.shared.authentication {
            self.stage = Stage::Authenticating;
            return Ok(Response::Authenticate(AUTHENTICATOR.into()));
        }
        self.stage = Stage::Ready;
        Ok(Response::Ready)
    }

    fn register(&mut self, kinds: &[EventKind]) -> Response<'static> {
        // A single node has no topology or status events.
        if kinds.contains(&EventKind::SchemaChange) && !self.is_registered {
            self.registration = Some(self.shared.subscribers.subscribe());
            self.is_registered = true;
        }
        Response::Ready
    }

    fn authenticate(&mut self, token: &[u8]) -> ResponseResult {
        // Without authentication, any token is accepted.
        if self.stage == Stage::Authenticating {
            let (name, password) = login::parse_credentials(token)?;
            self.session.login(&name, &password).map_err(translation::error)?;
            self.stage = Stage::Ready;
        }
        Ok(Response::AuthSuccess(None))
    }
}

fn append(out: &mut Vec<u8>, version: ProtocolVersion, stream: i16, result: ResponseResult) {
    let response = result.unwrap_or_else(Response::Error);
    response.encode(&ResponseHead::new(version, stream), out);
}

fn protocol_error<T>(message: String) -> Result<T, ErrorMessage> {
    Err(ErrorMessage::new(ErrorKind::Protocol, message))
}

/// COMPRESSION is empty but must be present: the Python driver reads it.
fn options_response() -> Response<'static> {
    let versions = ProtocolVersion::ALL.map(|version| version.to_string()).to_vec();
    Response::Supported(vec![
        ("PROTOCOL_VERSIONS".to_owned(), versions),
        ("COMPRESSION".to_owned(), Vec::new()),
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
