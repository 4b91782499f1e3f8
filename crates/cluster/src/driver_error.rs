//! The driver's errors, each as what is wrong with the cluster.

use scylla::errors::{
    ConnectionError, ConnectionPoolError, ConnectionSetupRequestErrorKind, DbError, ExecutionError,
    MetadataError, MetadataFetchErrorKind, NewSessionError, NextPageError, NextRowError,
    PrepareError, RequestAttemptError, RequestError, UseKeyspaceError,
};

use crate::connection_options::ConnectionOptions;
use crate::error::Error;
use crate::tls;

impl Error {
    /// A session that was not made.
    pub(crate) fn from_new_session(access: &ConnectionOptions, error: &NewSessionError) -> Self {
        let hosts = &access.contact_points();
        match error {
            NewSessionError::FailedToResolveAnyHostname(_) => {
                Self::unreachable(hosts, "no such host")
            }
            NewSessionError::MetadataError(MetadataError::ConnectionPoolError(pool)) => {
                Self::from_connection_pool(access, pool)
            }
            NewSessionError::MetadataError(MetadataError::FetchError(fetch)) => {
                match &fetch.error {
                    MetadataFetchErrorKind::PrepareError(attempt) => Self::from_attempt(attempt),
                    MetadataFetchErrorKind::NextRowError(NextRowError::NextPageError(page)) => {
                        Self::from_next_page(page)
                    }
                    _ => Self::unreachable(hosts, "what answers there is no Cassandra"),
                }
            }
            _ => Self::unreachable(hosts, "what answers there is no Cassandra"),
        }
    }

    /// A connection that was not made.
    fn from_connection_pool(access: &ConnectionOptions, pool: &ConnectionPoolError) -> Self {
        let hosts = &access.contact_points();
        let hung_up = || {
            let wants = if access.tls.is_some() { "another certificate" } else { "TLS" };
            Self::unreachable(hosts, &format!("the other side hung up: perhaps it wants {wants}"))
        };
        let ConnectionPoolError::Broken { last_connection_error: error } = pool else {
            return Self::unreachable(hosts, "no node is ready");
        };
        match error {
            ConnectionError::ConnectTimeout => Self::unreachable(hosts, "no answer"),
            ConnectionError::IoError(error) => Self::unreachable(hosts, &describe_io_error(error)),
            ConnectionError::ConnectionSetupRequestError(setup) => match setup.get_error() {
                ConnectionSetupRequestErrorKind::MissingAuthentication => {
                    Self::login_refused("it asks for a user and a password")
                }
                ConnectionSetupRequestErrorKind::DbError(DbError::AuthenticationError, words) => {
                    Self::login_refused(words)
                }
                ConnectionSetupRequestErrorKind::DbError(_, words) => Self::server(words.clone()),
                ConnectionSetupRequestErrorKind::BrokenConnection(_) => hung_up(),
                _ => Self::unreachable(hosts, "what answers there is no Cassandra"),
            },
            _ => hung_up(),
        }
    }

    fn from_attempt(error: &RequestAttemptError) -> Self {
        match error {
            RequestAttemptError::DbError(DbError::AuthenticationError, words) => {
                Self::login_refused(words)
            }
            RequestAttemptError::DbError(kind, words) if is_transient(kind) => {
                Self::connection_lost(&first_sentence(words))
            }
            RequestAttemptError::DbError(_, words) => Self::server(words.clone()),
            RequestAttemptError::BrokenConnectionError(_) => {
                Self::connection_lost("the other side hung up")
            }
            RequestAttemptError::SerializationError(_) => {
                Self::server("the statement has another number of values")
            }
            other => Self::connection_lost(&first_sentence(&other.to_string())),
        }
    }

    fn from_next_page(error: &NextPageError) -> Self {
        match error {
            NextPageError::RequestFailure(error) => match error {
                RequestError::LastAttemptError(attempt) => Self::from_attempt(attempt),
                RequestError::RequestTimeout(_) => Self::connection_lost("no answer in time"),
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
            ExecutionError::RequestTimeout(_) => Self::connection_lost("no answer in time"),
            ExecutionError::ConnectionPoolError(_) | ExecutionError::EmptyPlan => {
                Self::connection_lost("no node is connected")
            }
            ExecutionError::UseKeyspaceError(error) => error.into(),
            ExecutionError::BadQuery(bad) => Self::server(first_sentence(&bad.to_string())),
            ExecutionError::SchemaAgreementError(_) => {
                Self::connection_lost("the nodes do not agree on the schema")
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
            UseKeyspaceError::RequestTimeout(_) => Self::connection_lost("no answer in time"),
            other => Self::server(first_sentence(&other.to_string())),
        }
    }
}

/// Whether the cluster would answer if it were well: the statement is not to blame.
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

/// An error of the system without its number, or what is wrong with TLS.
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

/// The driver explains itself at length; its first words do.
fn first_sentence(text: &str) -> String {
    text.split(['.', ';', '\n']).next().unwrap_or_default().trim().to_owned()
}
