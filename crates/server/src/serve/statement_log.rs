//! [`StatementWatch`]: what the log says about a statement: its warnings, that it was slow, and with
//! `--verbose` its time and outcome.

use std::time::{Duration, Instant};

use engine::{Error, ExecutionResult, PreparedStatement, ResultMessage};
use tracing::{Level, debug, enabled, warn};

/// Takes the time of a statement, if the log may need it.
pub(super) struct StatementWatch {
    started: Option<Instant>,
    /// From when on a statement is slow.
    limit: Duration,
}

impl StatementWatch {
    pub(super) fn start(limit: Duration) -> Self {
        Self { started: Some(Instant::now()), limit }
    }

    /// Starts for a prepared statement. Those on a single row take microseconds: without
    /// `--verbose` no time is taken, which would cost more than all the rest of the log.
    pub(super) fn start_for(statement: &PreparedStatement, limit: Duration) -> Self {
        let is_timed = !statement.is_single_row() || enabled!(Level::DEBUG);
        Self { started: is_timed.then(Instant::now), limit }
    }

    /// Logs a statement. Values and passwords are replaced in its text.
    pub(super) fn log(self, text: &str, result: &engine::Result<ExecutionResult>) {
        let warnings = match result {
            Ok(result) => &result.warnings,
            Err(error) => &error.warnings,
        };
        for warning in warnings {
            warn!("{warning}");
        }
        let Some(elapsed) = self.started.map(|started| started.elapsed()) else { return };
        if elapsed >= self.limit {
            warn!(
                "<{}>, time {} msec - slow timeout {} msec",
                cql::redact(text),
                elapsed.as_millis(),
                self.limit.as_millis()
            );
        }
        if enabled!(Level::DEBUG) {
            let micros = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX);
            debug!(statement = cql::redact(text), micros, outcome = describe(result), "executed");
        }
    }
}

/// The outcome of a statement, without values: messages of errors may have some.
fn describe(result: &engine::Result<ExecutionResult>) -> String {
    match result.as_ref().map(|result| &result.outcome) {
        Ok(ResultMessage::Rows(rows)) => format!("{} rows", rows.count),
        Ok(ResultMessage::Void) => "done".to_owned(),
        Ok(ResultMessage::Keyspace(_)) => "keyspace set".to_owned(),
        Ok(ResultMessage::Schema(_)) => "schema changed".to_owned(),
        Err(Error { code, .. }) => format!("error 0x{:04X} {code:?}", code.number()),
    }
}
