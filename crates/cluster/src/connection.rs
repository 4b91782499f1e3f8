//! [`Connection`]: a synchronous connection to a cluster. It owns the runtime of the asynchronous
//! driver, the prepared statements and the timeouts.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use cql::BatchKind;
use cql::types::Type;
use futures_util::TryStreamExt;
use futures_util::stream::{self, StreamExt};
use scylla::client::execution_profile::ExecutionProfile;
use scylla::client::session::{Session, TlsContext};
use scylla::client::session_builder::SessionBuilder;
use scylla::policies::timestamp_generator::MonotonicTimestampGenerator;
use scylla::response::query_result::QueryResult;
use scylla::response::{PagingState, PagingStateResponse};
use scylla::statement::batch::{Batch, BatchType};
use scylla::statement::prepared::PreparedStatement;
use scylla::statement::unprepared::Statement;
use tokio::runtime::{Builder, Runtime};

use crate::connection_options::ConnectionOptions;
use crate::error::Error;
use crate::raw_row::{RawRow, RawValues};
use crate::{tls, types};

/// Time for one node to accept a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Time for connecting, over all contact points.
const CONNECT_ALL_TIMEOUT: Duration = Duration::from_secs(12);
/// Time for a response.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// Time for the response to a schema change, which waits for schema agreement.
const SCHEMA_TIMEOUT: Duration = Duration::from_secs(60);
/// Statements in flight at one time.
const IN_FLIGHT_MAX: usize = 64;

/// A connection to a cluster.
pub struct Connection {
    // Declared before the runtime, so that it is dropped first: the driver's tasks run there.
    pub(crate) session: Session,
    pub(crate) runtime: Runtime,
    prepared: BTreeMap<String, PreparedStatement>,
}

/// A statement with the values of its markers.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The text of the statement.
    pub cql: &'a str,
    /// A value for each marker, as serialised by the native protocol; `None` is null.
    pub values: &'a [Option<Vec<u8>>],
}

/// The rows that a statement returned, of all pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResultSet {
    /// Names and types of the columns.
    pub columns: Vec<(String, Type)>,
    /// The rows: a value for each column, as serialised by the native protocol.
    pub rows: Vec<Vec<Option<Vec<u8>>>>,
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Connection").finish_non_exhaustive()
    }
}

impl Connection {
    /// Connects, and fails within 12 seconds if no contact point responds.
    pub fn open(options: &ConnectionOptions) -> Result<Self, Error> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("cluster")
            .enable_all()
            .build()
            .map_err(|error| Error::settings(format!("cannot start threads: {error}")))?;
        let builder = session_builder(options)?;
        let session = runtime.block_on(async {
            tokio::time::timeout(CONNECT_ALL_TIMEOUT, builder.build())
                .await
                .map_err(|_| Error::unreachable(&options.contact_points(), "no response"))?
                .map_err(|error| Error::from_new_session(options, &error))
        })?;
        Ok(Self { session, runtime, prepared: BTreeMap::new() })
    }

    /// Makes this the keyspace of unqualified names (USE).
    pub fn use_keyspace(&mut self, keyspace: &str) -> Result<(), Error> {
        self.prepared.clear();
        Ok(self.runtime.block_on(self.session.use_keyspace(keyspace, true))?)
    }

    /// Runs a statement, prepared if it has values, and returns all pages of its result.
    pub fn run(&mut self, cql: &str, values: &[Option<Vec<u8>>]) -> Result<ResultSet, Error> {
        if values.is_empty() {
            return self.run_text(cql);
        }
        let prepared = self.prepare(cql)?;
        self.runtime.block_on(execute(&self.session, &prepared, values))
    }

    /// Runs independent statements, up to 64 at a time; the results are in the order of the
    /// statements.
    pub fn run_all(&mut self, requests: &[Request<'_>]) -> Result<Vec<ResultSet>, Error> {
        self.run_all_within(requests, IN_FLIGHT_MAX)
    }

    /// The same with a limit on the statements in flight, to spare a cluster that others use.
    pub fn run_all_within(
        &mut self,
        requests: &[Request<'_>],
        in_flight: usize,
    ) -> Result<Vec<ResultSet>, Error> {
        let mut statements = Vec::with_capacity(requests.len());
        for request in requests {
            statements.push((self.prepare(request.cql)?, request.values));
        }
        let session = &self.session;
        let results =
            statements.iter().map(|(statement, values)| execute(session, statement, values));
        self.runtime.block_on(stream::iter(results).buffered(in_flight.max(1)).try_collect())
    }

    /// Runs prepared statements as one batch.
    pub fn run_batch(&mut self, kind: BatchKind, requests: &[Request<'_>]) -> Result<(), Error> {
        let mut batch = Batch::new(match kind {
            BatchKind::Logged => BatchType::Logged,
            BatchKind::Unlogged => BatchType::Unlogged,
            BatchKind::Counter => BatchType::Counter,
        });
        for request in requests {
            batch.append_statement(self.prepare(request.cql)?);
        }
        let values: Vec<_> = requests.iter().map(|request| RawValues(request.values)).collect();
        self.runtime.block_on(self.session.batch(&batch, &values))?;
        Ok(())
    }

    fn run_text(&mut self, cql: &str) -> Result<ResultSet, Error> {
        let mut statement = Statement::new(cql);
        self.prepare_for_change(&mut statement);
        let session = &self.session;
        self.runtime.block_on(async {
            let mut result = ResultSet::default();
            let mut paging = PagingState::start();
            loop {
                let (page, next) = session.query_single_page(statement.clone(), (), paging).await?;
                append_page(page, &mut result)?;
                match next {
                    PagingStateResponse::HasMorePages { state } => paging = state,
                    PagingStateResponse::NoMorePages => return Ok(result),
                }
            }
        })
    }

    /// Gives a schema change more time, and forgets prepared statements: they may refer to a table
    /// that it replaces.
    pub(crate) fn prepare_for_change(&mut self, statement: &mut Statement) {
        if is_schema_change(&statement.contents) {
            self.prepared.clear();
            statement.set_request_timeout(Some(SCHEMA_TIMEOUT));
        }
    }

    pub(crate) fn prepare(&mut self, cql: &str) -> Result<PreparedStatement, Error> {
        if let Some(prepared) = self.prepared.get(cql) {
            return Ok(prepared.clone());
        }
        let prepared = self.runtime.block_on(self.session.prepare(cql))?;
        self.prepared.insert(cql.to_owned(), prepared.clone());
        Ok(prepared)
    }
}

fn session_builder(options: &ConnectionOptions) -> Result<SessionBuilder, Error> {
    let tls = options.tls.as_ref().map(|tls| tls::client_config(options, tls)).transpose()?;
    let profile = ExecutionProfile::builder().request_timeout(Some(REQUEST_TIMEOUT)).build();
    let mut builder = SessionBuilder::new()
        .known_nodes(&options.hosts)
        .connection_timeout(CONNECT_TIMEOUT)
        .hostname_resolution_timeout(Some(CONNECT_TIMEOUT))
        .default_execution_profile_handle(profile.into_handle())
        .tls_context(tls.map(TlsContext::Rustls023))
        // Timestamps of the client, so that writes keep their order whichever node coordinates.
        .timestamp_generator(Arc::new(MonotonicTimestampGenerator::new()))
        // The schema may be large, and nothing here reads it from the driver.
        .fetch_schema_metadata(false)
        .refresh_metadata_on_auto_schema_agreement(false);
    if let Some(credentials) = &options.credentials {
        builder = builder.user(&credentials.user, credentials.password.reveal());
    }
    Ok(builder)
}

/// Runs a prepared statement and returns all pages of its result.
async fn execute(
    session: &Session,
    statement: &PreparedStatement,
    values: &[Option<Vec<u8>>],
) -> Result<ResultSet, Error> {
    let mut result = ResultSet::default();
    let mut paging = PagingState::start();
    loop {
        let (page, next) =
            session.execute_single_page(statement, RawValues(values), paging).await?;
        append_page(page, &mut result)?;
        match next {
            PagingStateResponse::HasMorePages { state } => paging = state,
            PagingStateResponse::NoMorePages => return Ok(result),
        }
    }
}

/// Appends a page to a result set; a response that is not of kind Rows appends nothing.
pub(crate) fn append_page(page: QueryResult, result: &mut ResultSet) -> Result<(), Error> {
    let unreadable = || Error::server("the server sent rows that cannot be decoded");
    if !page.is_rows() {
        return Ok(());
    }
    let page = page.into_rows_result().map_err(|_| unreadable())?;
    if result.columns.is_empty() {
        for column in page.column_specs().iter() {
            let ty = types::from_driver(column.typ()).ok_or_else(unreadable)?;
            result.columns.push((column.name().to_owned(), ty));
        }
    }
    for row in page.rows::<RawRow>().map_err(|_| unreadable())? {
        result.rows.push(row.map_err(|_| unreadable())?.0);
    }
    Ok(())
}

/// Whether a statement is CREATE, ALTER, DROP or TRUNCATE. TRUNCATE changes no schema, but takes
/// as long: every node must respond.
fn is_schema_change(cql: &str) -> bool {
    let first = cql.split_whitespace().next().unwrap_or_default();
    ["CREATE", "ALTER", "DROP", "TRUNCATE"].iter().any(|word| first.eq_ignore_ascii_case(word))
}
