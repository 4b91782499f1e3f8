//! [`TableReader`]: reads a table in token ranges, page by page, or rows by their keys.

use std::time::{SystemTime, UNIX_EPOCH};

use cluster::{Connection, Error, PageRequest, Request};
use cql::Consistency;
use cql::printer::identifier;
use model::plan::{ColumnRole, PlannedColumn, PlannedTable};
use sim::Datum;

use super::stored_row::{StoredCell, StoredRow, WriteTime};

/// Rows of a page.
const PAGE_ROWS: i32 = 500;
/// Token ranges of a table.
const RANGES: u64 = 16;
/// Rows that are looked up at one time.
pub(super) const LOOKUPS_IN_FLIGHT: usize = 32;

/// The statements that read a table.
#[derive(Clone, Debug)]
pub(super) struct TableReader {
    scan: String,
    find: String,
    keys: usize,
    /// For each column after the key whether its write time is selected.
    timed: Vec<bool>,
}

/// A scan of a whole table.
#[derive(Debug)]
pub(super) struct TableScan<'r> {
    reader: &'r TableReader,
    range: u64,
    paging_state: Option<Vec<u8>>,
}

impl TableReader {
    /// A reader of a table.
    pub(super) fn new(keyspace: &str, table: &PlannedTable) -> Self {
        let name = |column: &PlannedColumn| identifier(&column.name);
        let keys: Vec<_> = table.columns.iter().filter(|it| it.is_key()).map(name).collect();
        let others = || table.columns.iter().filter(|column| !column.is_key());
        let timed: Vec<bool> = others().map(has_write_time).collect();
        let mut selected = keys.clone();
        selected.extend(others().map(name));
        for column in others().filter(|column| has_write_time(column)).map(name) {
            selected.push(format!("WRITETIME({column})"));
            selected.push(format!("TTL({column})"));
        }
        let from = format!("{}.{}", identifier(keyspace), identifier(&table.name));
        let select = format!("SELECT {} FROM {from} WHERE", selected.join(", "));
        let partition: Vec<_> = table.partition_key().map(name).collect();
        let token = format!("token({})", partition.join(", "));
        let key: Vec<_> = keys.iter().map(|name| format!("{name} = ?")).collect();
        Self {
            scan: format!("{select} {token} >= ? AND {token} <= ?"),
            find: format!("{select} {}", key.join(" AND ")),
            keys: keys.len(),
            timed,
        }
    }

    /// Starts a scan of the table.
    pub(super) fn scan(&self) -> TableScan<'_> {
        TableScan { reader: self, range: 0, paging_state: None }
    }

    /// The rows of these keys, in their order.
    pub(super) fn find(
        &self,
        connection: &mut Connection,
        keys: &[Vec<Datum>],
    ) -> Result<Vec<Option<StoredRow>>, Error> {
        let read_at = now_micros();
        let requests: Vec<_> =
            keys.iter().map(|key| Request { cql: &self.find, values: key }).collect();
        let results = connection.run_all_within(&requests, LOOKUPS_IN_FLIGHT)?;
        let row = |result: cluster::ResultSet| {
            let row = result.rows.into_iter().next()?;
            Some(self.decode(row, read_at))
        };
        Ok(results.into_iter().map(row).collect())
    }

    fn decode(&self, row: Vec<Datum>, read_at: i64) -> StoredRow {
        let mut values = row.into_iter();
        let key = values.by_ref().take(self.keys).collect();
        let plain: Vec<Datum> = values.by_ref().take(self.timed.len()).collect();
        let cells = plain.into_iter().zip(&self.timed).map(|(value, timed)| {
            let mut written = WriteTime::default();
            if *timed {
                let mut next = || values.next().flatten();
                written.timestamp =
                    next().and_then(|it| Some(i64::from_be_bytes(it.try_into().ok()?)));
                written.ttl = next().and_then(|it| Some(i32::from_be_bytes(it.try_into().ok()?)));
            }
            StoredCell { value, written }
        });
        StoredRow { key, cells: cells.collect(), read_at }
    }
}

impl TableScan<'_> {
    /// The share of the token ranges that are read, in percent.
    pub(super) fn percent(&self) -> u64 {
        self.range * 100 / RANGES
    }

    /// The next rows; `None` at the end. Partitions without rows, which have static columns only,
    /// are left out.
    pub(super) fn next_rows(
        &mut self,
        connection: &mut Connection,
    ) -> Result<Option<Vec<StoredRow>>, Error> {
        if self.range >= RANGES {
            return Ok(None);
        }
        let (first, last) = token_range(self.range);
        let values = [first, last].map(|token| Some(token.to_be_bytes().to_vec()));
        let read_at = now_micros();
        let page = connection.run_page(&PageRequest {
            cql: &self.reader.scan,
            values: Some(&values),
            consistency: Consistency::LocalQuorum,
            serial_consistency: None,
            page_size: Some(PAGE_ROWS),
            paging_state: self.paging_state.as_deref(),
            tracing: false,
        })?;
        self.paging_state = page.paging_state;
        if self.paging_state.is_none() {
            self.range += 1;
        }
        let rows = page.rows.into_iter().map(|row| self.reader.decode(row, read_at));
        Ok(Some(rows.filter(|row| row.key.iter().all(Option::is_some)).collect()))
    }
}

/// Whether the server says when a column was written: it does not of counters and, before version
/// 5.0, of collections.
fn has_write_time(column: &PlannedColumn) -> bool {
    column.role != ColumnRole::Counter && !column.ty.is_multi_cell()
}

/// The first and the last token of a range.
fn token_range(range: u64) -> (i64, i64) {
    let width = u64::MAX / RANGES + 1;
    let shift = |offset: u64| offset.wrapping_sub(1 << 63).cast_signed();
    (shift(range * width), shift(range * width + (width - 1)))
}

/// The time of the machine: microseconds since 1970.
pub(super) fn now_micros() -> i64 {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(elapsed.as_micros()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_ranges_cover_the_ring() {
        assert_eq!(token_range(0).0, i64::MIN);
        assert_eq!(token_range(RANGES - 1).1, i64::MAX);
        for range in 1..RANGES {
            assert_eq!(token_range(range - 1).1 + 1, token_range(range).0);
        }
    }
}
