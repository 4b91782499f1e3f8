//! The mapping of the driver's errors to [`Error`]: unreachable, login refused, connection lost, or
//! an error of the server.

use cql::ErrorCode;
use scylla::errors::{
    ConnectionError, ConnectionPoolError, ConnectionSetupRequestErrorKind, DbError, ExecutionError,
    MetadataError, MetadataFetchErrorKind, NewSessionError, NextPageError, NextRowError,
    PrepareError, RequestAttemptError, RequestError, UseKeyspaceError,
};

use crate::connection_options::ConnectionOptions;
use crate::error::{Error, ErrorResponse};
use crate::raw_row::ValueCountError;
use crate::tls;

/// Something responds at the address, but not with the native protocol.
const NOT_CASSANDRA: &str = "the server there is not Cassandra";

impl Error {
    /// The error of a session that could not be opened.
    pub(crate) fn from_new_session(options: &ConnectionOptions, error: &NewSessionError) -> Self {
        let hosts = &options.contact_points();
        match error {
            NewSessionError::FailedToResolveAnyHostname(_) => {
                Self::unreachable(hosts, "unknown host")
            }
            NewSessionError::MetadataError(MetadataError::ConnectionPoolError(pool)) => {
                Self::from_connection_pool(options, pool)
            }
            NewSessionError::MetadataError(MetadataError::FetchError(fetch)) => {
                match &fetch.error {
                    MetadataFetchErrorKind::PrepareError(attempt) => Self::from_attempt(attempt),
                    MetadataFetchErrorKind::NextRowError(NextRowError::NextPageError(page)) => {
                        Self::from_next_page(page)
                    }
                    _ => Self::unreachable(hosts, NOT_CASSANDRA),
                }
            }
            _ => Self::unreachable(hosts, NOT_CASSANDRA),
        }
    }

    /// The error of a connection pool without connections.
    fn from_connection_pool(options: &ConnectionOptions, pool: &ConnectionPoolError) -> Self {
        let hosts = &options.contact_points();
        // A server closes a connection without a word when TLS is on at one end only, or when it
        // does not accept the client's certificate.
        let closed = || {
            let needed = if options.tls.is_some() { "another certificate" } else { "TLS" };
            Self::unreachable(
                hosts,
                &format!("the server closed the connection; it may require {needed}"),
            )
        };
        let ConnectionPoolError::Broken { last_connection_error: error } = pool else {
            return Self::unreachable(hosts, "no node is ready");
        };
        match error {
            ConnectionError::ConnectTimeout => Self::unreachable(hosts, "no response"),
            ConnectionError::IoError(error) => Self::unreachable(hosts, &describe_io_error(error)),
            ConnectionError::ConnectionSetupRequestError(setup) => match setup.get_error() {
                ConnectionSetupRequestErrorKind::MissingAuthentication => {
                    Self::login_refused("a user name and a password are required")
                }
                ConnectionSetupRequestErrorKind::DbError(DbError::AuthenticationError, message) => {
                    Self::login_refused(message)
                }
                ConnectionSetupRequestErrorKind::DbError(_, message) => {
                    Self::server(message.clone())
                }
                ConnectionSetupRequestErrorKind::BrokenConnection(_) => closed(),
                _ => Self::unreachable(hosts, NOT_CASSANDRA),
            },
            _ => closed(),
        }
    }

    fn from_attempt(error: &RequestAttemptError) -> Self {
        let response = match error {
            RequestAttemptError::DbError(kind, message) => error_code(kind)
                .map(|code| Box::new(ErrorResponse { code, message: message.clone() })),
            _ => None,
        };
        Self { response, ..Self::describe_attempt(error) }
    }

    fn describe_attempt(error: &RequestAttemptError) -> Self {
        match error {
            RequestAttemptError::DbError(DbError::AuthenticationError, message) => {
                Self::login_refused(message)
            }
            RequestAttemptError::DbError(kind, message) if is_transient(kind) => {
                Self::connection_lost(&first_sentence(message))
            }
            RequestAttemptError::DbError(_, message) => Self::server(message.clone()),
            RequestAttemptError::BrokenConnectionError(_) => {
                Self::connection_lost("the server closed the connection")
            }
            RequestAttemptError::SerializationError(_) => Self::server(ValueCountError.to_string()),
            other => Self::connection_lost(&first_sentence(&other.to_string())),
        }
    }

    fn from_next_page(error: &NextPageError) -> Self {
        match error {
            NextPageError::RequestFailure(error) => match error {
                RequestError::LastAttemptError(attempt) => Self::from_attempt(attempt),
                RequestError::RequestTimeout(_) => Self::connection_lost("request timed out"),
                _ => Self::connection_lost("no node is connected"),
            },
            other => Self::connection_lost(&first_sentence(&other.to_string())),
        }
    }
}

impl From<ExecutionError> for Error {
    fn from(error: ExecutionError) -> Self {
        match error {
            ExecutionError::LastAttemptError(attempt) => Self::from_attempt(&attempt),
            ExecutionError::PrepareError(prepare) => prepare.into(),
            ExecutionError::RequestTimeout(_) => Self::connection_lost("request timed out"),
            ExecutionError::ConnectionPoolError(_) | ExecutionError::EmptyPlan => {
                Self::connection_lost("no node is connected")
            }
            ExecutionError::UseKeyspaceError(error) => error.into(),
            ExecutionError::BadQuery(bad) => Self::server(first_sentence(&bad.to_string())),
            ExecutionError::SchemaAgreementError(_) => {
                Self::connection_lost("no schema agreement between the nodes")
            }
            other => Self::connection_lost(&first_sentence(&other.to_string())),
        }
    }
}

impl From<PrepareError> for Error {
    fn from(error: PrepareError) -> Self {
        match error {
            PrepareError::AllAttemptsFailed { first_attempt } => Self::from_attempt(&first_attempt),
            _ => Self::connection_lost("no node is connected"),
        }
    }
}

impl From<UseKeyspaceError> for Error {
    fn from(error: UseKeyspaceError) -> Self {
        match error {
            UseKeyspaceError::RequestError(attempt) => Self::from_attempt(&attempt),
            UseKeyspaceError::RequestTimeout(_) => Self::connection_lost("request timed out"),
            other => Self::server(first_sentence(&other.to_string())),
        }
    }
}

/// The error code of the protocol; `None` for one that Cassandra does not have.
fn error_code(kind: &DbError) -> Option<ErrorCode> {
    Some(match kind {
        DbError::SyntaxError => ErrorCode::Syntax,
        DbError::Invalid => ErrorCode::Invalid,
        DbError::AlreadyExists { .. } => ErrorCode::AlreadyExists,
        DbError::FunctionFailure { .. } => ErrorCode::FunctionFailure,
        DbError::AuthenticationError => ErrorCode::BadCredentials,
        DbError::Unauthorized => ErrorCode::Unauthorized,
        DbError::ConfigError => ErrorCode::Config,
        DbError::Unavailable { .. } => ErrorCode::Unavailable,
        DbError::Overloaded => ErrorCode::Overloaded,
        DbError::IsBootstrapping => ErrorCode::IsBootstrapping,
        DbError::TruncateError => ErrorCode::Truncate,
        DbError::ReadTimeout { .. } => ErrorCode::ReadTimeout,
        DbError::WriteTimeout { .. } => ErrorCode::WriteTimeout,
        DbError::ReadFailure { .. } => ErrorCode::ReadFailure,
        DbError::WriteFailure { .. } => ErrorCode::WriteFailure,
        DbError::ServerError => ErrorCode::Server,
        DbError::ProtocolError => ErrorCode::Protocol,
        _ => return None,
    })
}

/// Whether the error is a state of the cluster, not a fault of the statement.
fn is_transient(kind: &DbError) -> bool {
    matches!(
        kind,
        DbError::Unavailable { .. }
            | DbError::Overloaded
            | DbError::IsBootstrapping
            | DbError::ReadTimeout { .. }
            | DbError::WriteTimeout { .. }
    )
}

/// The text of an I/O error without its number (`(os error 111)`), or the TLS problem inside it.
fn describe_io_error(error: &std::io::Error) -> String {
    let tls = error.get_ref().and_then(|error| error.downcast_ref::<rustls::Error>());
    if let Some(error) = tls {
        return tls::describe_error(error).to_owned();
    }
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect::<String>())
}

/// The first sentence of a message: the driver's messages are chains of explanations, of which the
/// first names the problem.
fn first_sentence(text: &str) -> String {
    text.split(['.', ';', '\n']).next().unwrap_or_default().trim().to_owned()
}
