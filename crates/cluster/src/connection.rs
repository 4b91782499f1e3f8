//! A connection to a cluster, for those who wait for every answer.

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

/// How long a node may take to answer a call.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long all contact points together may take.
const CONNECT_ALL_TIMEOUT: Duration = Duration::from_secs(12);
/// How long an answer may take.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a change of the schema may take.
const SCHEMA_TIMEOUT: Duration = Duration::from_secs(60);
/// Statements under way at one time.
const IN_FLIGHT_MAX: usize = 64;

/// A connection to a cluster.
pub struct Connection {
    // Before the runtime: it is dropped first.
    session: Session,
    runtime: Runtime,
    prepared: BTreeMap<String, PreparedStatement>,
}

/// A statement with the values of its markers, in CQL's bytes.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The statement.
    pub cql: &'a str,
    /// The values.
    pub values: &'a [Option<Vec<u8>>],
}

/// What a statement returned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResultSet {
    /// Names and types of the columns.
    pub columns: Vec<(String, Type)>,
    /// The rows, a value for each column in CQL's bytes.
    pub rows: Vec<Vec<Option<Vec<u8>>>>,
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Connection").finish_non_exhaustive()
    }
}

impl Connection {
    /// Connects; fails within seconds where nobody answers.
    pub fn open(access: &ConnectionOptions) -> Result<Self, Error> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("cluster")
            .enable_all()
            .build()
            .map_err(|error| Error::settings(format!("cannot start threads: {error}")))?;
        let builder = session_builder(access)?;
        let session = runtime.block_on(async {
            tokio::time::timeout(CONNECT_ALL_TIMEOUT, builder.build())
                .await
                .map_err(|_| Error::unreachable(&access.contact_points(), "no answer"))?
                .map_err(|error| Error::from_new_session(access, &error))
        })?;
        Ok(Self { session, runtime, prepared: BTreeMap::new() })
    }

    /// Unqualified names are of this keyspace from now on.
    pub fn use_keyspace(&mut self, keyspace: &str) -> Result<(), Error> {
        self.prepared.clear();
        Ok(self.runtime.block_on(self.session.use_keyspace(keyspace, true))?)
    }

    /// Runs a statement, prepared if it has values; all pages of its answer.
    pub fn run(&mut self, cql: &str, values: &[Option<Vec<u8>>]) -> Result<ResultSet, Error> {
        if values.is_empty() {
            return self.run_text(cql);
        }
        let prepared = self.prepare(cql)?;
        self.runtime.block_on(execute(&self.session, &prepared, values))
    }

    /// Runs statements that do not depend on one another, many at a time; the answers are in their order.
    pub fn run_all(&mut self, requests: &[Request<'_>]) -> Result<Vec<ResultSet>, Error> {
        let mut ready = Vec::with_capacity(requests.len());
        for request in requests {
            ready.push((self.prepare(request.cql)?, request.values));
        }
        let session = &self.session;
        let answers = ready.iter().map(|(statement, values)| execute(session, statement, values));
        self.runtime.block_on(stream::iter(answers).buffered(IN_FLIGHT_MAX).try_collect())
    }

    /// Runs a batch.
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
        if is_schema_change(cql) {
            // What was prepared may speak of a table that is another one now.
            self.prepared.clear();
            statement.set_request_timeout(Some(SCHEMA_TIMEOUT));
        }
        let session = &self.session;
        self.runtime.block_on(async {
            let mut found = ResultSet::default();
            let mut at = PagingState::start();
            loop {
                let (page, next) = session.query_single_page(statement.clone(), (), at).await?;
                append_page(page, &mut found)?;
                match next {
                    PagingStateResponse::HasMorePages { state } => at = state,
                    PagingStateResponse::NoMorePages => return Ok(found),
                }
            }
        })
    }

    fn prepare(&mut self, cql: &str) -> Result<PreparedStatement, Error> {
        if let Some(known) = self.prepared.get(cql) {
            return Ok(known.clone());
        }
        let prepared = self.runtime.block_on(self.session.prepare(cql))?;
        self.prepared.insert(cql.to_owned(), prepared.clone());
        Ok(prepared)
    }
}

fn session_builder(access: &ConnectionOptions) -> Result<SessionBuilder, Error> {
    let tls = access.tls.as_ref().map(|tls| tls::client_config(access, tls)).transpose()?;
    let profile = ExecutionProfile::builder().request_timeout(Some(REQUEST_TIMEOUT)).build();
    let mut builder = SessionBuilder::new()
        .known_nodes(&access.hosts)
        .connection_timeout(CONNECT_TIMEOUT)
        .hostname_resolution_timeout(Some(CONNECT_TIMEOUT))
        .default_execution_profile_handle(profile.into_handle())
        .tls_context(tls.map(TlsContext::Rustls023))
        // One after the other, whichever node takes them.
        .timestamp_generator(Arc::new(MonotonicTimestampGenerator::new()))
        // Nothing here asks the driver for the schema, which may be large.
        .fetch_schema_metadata(false)
        .refresh_metadata_on_auto_schema_agreement(false);
    if let Some(who) = &access.credentials {
        builder = builder.user(&who.user, who.password.reveal());
    }
    Ok(builder)
}

/// Runs a prepared statement; all pages of its answer.
async fn execute(
    session: &Session,
    statement: &PreparedStatement,
    values: &[Option<Vec<u8>>],
) -> Result<ResultSet, Error> {
    let mut found = ResultSet::default();
    let mut at = PagingState::start();
    loop {
        let (page, next) = session.execute_single_page(statement, RawValues(values), at).await?;
        append_page(page, &mut found)?;
        match next {
            PagingStateResponse::HasMorePages { state } => at = state,
            PagingStateResponse::NoMorePages => return Ok(found),
        }
    }
}

/// Adds a page to what was found; an answer without rows adds nothing.
fn append_page(page: QueryResult, found: &mut ResultSet) -> Result<(), Error> {
    let unreadable = || Error::server("the server sent rows that cannot be read");
    if !page.is_rows() {
        return Ok(());
    }
    let page = page.into_rows_result().map_err(|_| unreadable())?;
    if found.columns.is_empty() {
        for column in page.column_specs().iter() {
            let ty = types::from_driver(column.typ()).ok_or_else(unreadable)?;
            found.columns.push((column.name().to_owned(), ty));
        }
    }
    for row in page.rows::<RawRow>().map_err(|_| unreadable())? {
        found.rows.push(row.map_err(|_| unreadable())?.0);
    }
    Ok(())
}

/// CREATE, ALTER, DROP.
fn is_schema_change(cql: &str) -> bool {
    let first = cql.split_whitespace().next().unwrap_or_default();
    ["CREATE", "ALTER", "DROP", "TRUNCATE"].iter().any(|word| first.eq_ignore_ascii_case(word))
}
