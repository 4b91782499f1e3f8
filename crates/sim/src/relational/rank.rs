//! Results with their ties: rows that are equal in the ORDER BY.

use model::workload::Read;
use rusqlite::params_from_iter;
use rusqlite::types::Value;

use super::sqlite_value::decode;
use super::{RelationalDatabase, bind};
use crate::dataset::Datum;

/// A row of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RankedRow {
    /// Its outputs.
    pub(crate) values: Vec<Datum>,
    /// Equal for rows that are equal in the ORDER BY, and greater for later ones.
    pub(crate) rank: usize,
}

impl RelationalDatabase {
    /// The result of a read without its LIMIT, up to the end of the tie that contains the row at
    /// `limit`.
    pub(crate) fn read_ranked(
        &mut self,
        read: &Read,
        values: &[Datum],
        limit: Option<usize>,
    ) -> Result<Vec<RankedRow>, String> {
        let rewritten = self.rewrite_statement(&read.sql, &read.parameters, true)?;
        let describe_error = |error: rusqlite::Error| format!("{error} in {}", rewritten.sql);
        let bound = bind(&rewritten, values)?;
        let mut statement =
            self.connection.prepare_cached(&rewritten.sql).map_err(describe_error)?;
        let columns = statement.column_count();
        let mut rows = statement.query(params_from_iter(bound)).map_err(describe_error)?;
        let mut found: Vec<RankedRow> = Vec::new();
        let mut rank = 0;
        let mut before: Option<Vec<Value>> = None;
        while let Some(row) = rows.next().map_err(describe_error)? {
            let mut key = Vec::new();
            for at in rewritten.outputs.len()..columns {
                key.push(row.get::<_, Value>(at).map_err(describe_error)?);
            }
            if before.as_ref().is_some_and(|before| *before != key) {
                if limit.is_some_and(|limit| found.len() >= limit) {
                    break;
                }
                rank += 1;
            }
            before = Some(key);
            let mut values = Vec::with_capacity(rewritten.outputs.len());
            for (at, ty) in rewritten.outputs.iter().enumerate() {
                values.push(decode(ty, row.get::<_, Value>(at).map_err(describe_error)?)?);
            }
            found.push(RankedRow { values, rank });
        }
        Ok(found)
    }
}
