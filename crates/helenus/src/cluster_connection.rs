//! [`ClusterConnection`]: a cluster as the place where the statements of a shell run.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cluster::{Connection, ConnectionOptions, PageColumn, PageRequest, ResultPage};
use cql::{ErrorCode, StatementKind};
use engine::{
    Error, ExecutionResult, MarkerValue, MarkerValues, Parameters, Result, ResultColumn,
    ResultMessage, ResultSet,
};
use shell::{CopyStatement, ShellConnection};

/// A connection to a cluster, which duplicates share.
pub(crate) struct ClusterConnection {
    connection: Arc<Mutex<Connection>>,
    keyspace: Option<Box<str>>,
}

impl ClusterConnection {
    /// Connects.
    pub(crate) fn open(options: &ConnectionOptions) -> std::result::Result<Self, cluster::Error> {
        let connection = Arc::new(Mutex::new(Connection::open(options)?));
        Ok(Self { connection, keyspace: None })
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(
        &self,
        text: &str,
        values: Option<&[Option<Vec<u8>>]>,
        parameters: &Parameters<'_>,
    ) -> Result<ExecutionResult> {
        let request = PageRequest {
            cql: text,
            values,
            consistency: parameters.consistency,
            serial_consistency: parameters.serial_consistency,
            page_size: parameters.page_size,
            paging_state: parameters.paging_state,
            tracing: parameters.tracing,
        };
        let page = self.connection().run_page(&request).map_err(|error| refusal(text, error))?;
        Ok(result(page))
    }
}

impl ShellConnection for ClusterConnection {
    fn keyspace(&self) -> Option<&str> {
        self.keyspace.as_deref()
    }

    fn query(&mut self, text: &str, parameters: &Parameters<'_>) -> Result<ExecutionResult> {
        // All connections of the driver must use the keyspace, not only the one that runs this.
        if let Some(keyspace) = find_used_keyspace(text) {
            let used = self.connection().use_keyspace(&keyspace);
            used.map_err(|error| refusal(text, error))?;
            self.keyspace = Some(keyspace.clone());
            let outcome = ResultMessage::Keyspace(keyspace);
            return Ok(ExecutionResult { outcome, ..ExecutionResult::default() });
        }
        self.run(text, None, parameters)
    }

    fn prepare(&mut self, text: &str) -> Result<CopyStatement> {
        let markers = self.connection().prepare_markers(text);
        let markers = markers.map_err(|error| refusal(text, error))?;
        let markers = markers.into_iter().map(column).collect();
        Ok(CopyStatement { text: text.into(), markers, embedded: None })
    }

    fn execute(
        &mut self,
        statement: &CopyStatement,
        parameters: &Parameters<'_>,
    ) -> Result<ExecutionResult> {
        let values: Vec<Option<Vec<u8>>> = match &parameters.values {
            MarkerValues::Positional(values) => values
                .iter()
                .map(|value| match value {
                    MarkerValue::Bytes(bytes) => Some(bytes.to_vec()),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        };
        self.run(&statement.text, Some(&values), parameters)
    }

    fn duplicate(&self) -> Box<dyn ShellConnection> {
        let (connection, keyspace) = (Arc::clone(&self.connection), self.keyspace.clone());
        Box::new(Self { connection, keyspace })
    }
}

/// The keyspace of a USE statement.
fn find_used_keyspace(text: &str) -> Option<Box<str>> {
    let parsed = cql::parse(text);
    match parsed.statements.first().map(|statement| &statement.kind) {
        Some(StatementKind::Use(target)) if parsed.errors.is_empty() => {
            Some(target.keyspace.text.clone())
        }
        _ => None,
    }
}

/// The error of a statement. Where the server finds a syntax error, its place is where our parser
/// finds one.
fn refusal(text: &str, error: cluster::Error) -> Error {
    let Some(response) = error.response else { return Error::server(error.message) };
    let mut refusal = Error::new(response.code, response.message);
    if response.code == ErrorCode::Syntax {
        let syntax = cql::parse(text).errors.into_iter().next();
        refusal.diagnostic = syntax.and_then(|syntax| Error::from(syntax).diagnostic);
    }
    refusal
}

fn column(column: PageColumn) -> ResultColumn {
    ResultColumn {
        keyspace: column.keyspace.into(),
        table: column.table.into(),
        name: column.name.into(),
        ty: column.ty,
    }
}

fn result(page: ResultPage) -> ExecutionResult {
    let outcome = match page.columns {
        None => ResultMessage::Void,
        Some(columns) => {
            let mut rows = ResultSet::new(columns.into_iter().map(column).collect());
            for row in &page.rows {
                for value in row {
                    rows.push(value.as_deref());
                }
            }
            rows.count = page.rows.len();
            rows.paging_state = page.paging_state;
            ResultMessage::Rows(rows)
        }
    };
    let (warnings, trace_id) = (page.warnings, page.trace_id);
    ExecutionResult { outcome, warnings, trace_id, ..ExecutionResult::default() }
}
