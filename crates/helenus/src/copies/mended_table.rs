//! The statements that make a row of a copy agree with its base.
//!
//! Every statement has a write timestamp: that of the value in the base, so that a newer write of
//! the application wins, or one past that of the wrong value, so that it wins over that and over
//! nothing newer.

use std::collections::BTreeMap;

use cql::printer::identifier;
use cql::value;
use model::plan::{ColumnRole, PlannedColumn, PlannedTable};
use sim::Datum;

use super::stored_row::WriteTime;

/// A table that is mended.
#[derive(Clone, Copy, Debug)]
pub(super) struct MendedTable<'a> {
    pub(super) keyspace: &'a str,
    pub(super) table: &'a PlannedTable,
}

/// A value that a row must have.
#[derive(Clone, Debug)]
pub(super) struct ExpectedCell<'a> {
    pub(super) column: &'a PlannedColumn,
    pub(super) value: Datum,
    /// When the base got it.
    pub(super) written: WriteTime,
}

/// A value as CQL.
pub(super) fn literal(column: &PlannedColumn, value: &Datum) -> String {
    value::literal(&column.ty, value.as_deref()).unwrap_or_else(|_| "?".to_owned())
}

impl MendedTable<'_> {
    /// `keyspace.table`
    fn name(&self) -> String {
        format!("{}.{}", identifier(self.keyspace), identifier(&self.table.name))
    }

    /// The columns of the key with their values, as CQL; without clustering columns for what belongs
    /// to a partition.
    pub(super) fn key_texts(&self, key: &[Datum], partition_only: bool) -> Vec<(String, String)> {
        let columns = self.table.columns.iter().filter(|column| column.is_key());
        let columns = columns.zip(key);
        columns
            .filter(|(column, _)| !partition_only || column.role == ColumnRole::Partition)
            .map(|(column, value)| (identifier(&column.name), literal(column, value)))
            .collect()
    }

    fn condition(&self, key: &[Datum], partition_only: bool) -> String {
        let key = self.key_texts(key, partition_only).into_iter();
        key.map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(" AND ")
    }

    /// Inserts a row with the newest write time of its values and of the row of its base: a deletion
    /// of the copy that is older, from when the row had another key, must hide none of them. Values
    /// that expire earlier than others are written one by one.
    pub(super) fn insert(
        &self,
        key: &[Datum],
        cells: &[ExpectedCell<'_>],
        row: WriteTime,
    ) -> Vec<String> {
        let set: Vec<_> = cells.iter().filter(|cell| cell.value.is_some()).collect();
        let timestamp =
            set.iter().filter_map(|cell| cell.written.timestamp).chain(row.timestamp).max();
        let mut by_expiry: BTreeMap<i32, Vec<&ExpectedCell<'_>>> = BTreeMap::new();
        for cell in set {
            by_expiry.entry(cell.written.ttl.unwrap_or(i32::MAX)).or_default().push(cell);
        }
        let (last, cells) =
            by_expiry.pop_last().unwrap_or((row.ttl.unwrap_or(i32::MAX), Vec::new()));
        let written =
            |ttl: i32| WriteTime { timestamp, ttl: Some(ttl).filter(|it| *it < i32::MAX) };
        let pair = |cell: &&ExpectedCell<'_>| {
            (identifier(&cell.column.name), literal(cell.column, &cell.value))
        };
        let mut pairs = self.key_texts(key, false);
        pairs.extend(cells.iter().map(pair));
        let (names, values): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        let (name, using_last) = (self.name(), using(written(last)));
        let (names, values) = (names.join(", "), values.join(", "));
        let insert = format!("INSERT INTO {name} ({names}) VALUES ({values}){using_last};");
        let sooner = by_expiry.into_iter().map(|(ttl, cells)| {
            let set = cells.iter().map(pair).map(|(name, value)| format!("{name} = {value}"));
            let set = set.collect::<Vec<_>>().join(", ");
            let (using, condition) = (using(written(ttl)), self.condition(key, false));
            format!("UPDATE {name}{using} SET {set} WHERE {condition};")
        });
        std::iter::once(insert).chain(sooner).collect()
    }

    /// Sets a column, or deletes it where the value is null, past the wrong value.
    pub(super) fn set(
        &self,
        key: &[Datum],
        cell: &ExpectedCell<'_>,
        wrong: WriteTime,
        read_at: i64,
    ) -> String {
        let (name, condition) =
            (self.name(), self.condition(key, cell.column.role == ColumnRole::Static));
        let column = identifier(&cell.column.name);
        // Without the time of the wrong value (a collection), the moment it was read is after it.
        let is_timed = !cell.column.ty.is_multi_cell();
        let past = if is_timed {
            wrong.timestamp.map_or(i64::MIN, |it| it.saturating_add(1))
        } else {
            read_at
        };
        if cell.value.is_none() {
            return format!(
                "DELETE {column} FROM {name} USING TIMESTAMP {past} WHERE {condition};"
            );
        }
        let base = cell.written.timestamp.unwrap_or(read_at);
        let written = WriteTime { timestamp: Some(base.max(past)), ..cell.written };
        let value = literal(cell.column, &cell.value);
        format!("UPDATE {name}{} SET {column} = {value} WHERE {condition};", using(written))
    }

    /// Deletes a row, past its newest value.
    pub(super) fn delete(&self, key: &[Datum], newest: WriteTime, read_at: i64) -> String {
        let timestamp = newest.timestamp.map_or(read_at, |newest| newest.saturating_add(1));
        let condition = self.condition(key, false);
        format!("DELETE FROM {} USING TIMESTAMP {timestamp} WHERE {condition};", self.name())
    }

    /// Adds to counters.
    pub(super) fn add(&self, key: &[Datum], amounts: &[(&str, i64)]) -> String {
        let set = amounts.iter().filter(|(_, amount)| *amount != 0).map(|(name, amount)| {
            let name = identifier(name);
            let sign = if *amount < 0 { '-' } else { '+' };
            format!("{name} = {name} {sign} {}", amount.unsigned_abs())
        });
        let set = set.collect::<Vec<_>>().join(", ");
        format!("UPDATE {} SET {set} WHERE {};", self.name(), self.condition(key, false))
    }
}

/// ` USING TIMESTAMP 1 AND TTL 2`
fn using(written: WriteTime) -> String {
    let timestamp = written.timestamp.map(|timestamp| format!("TIMESTAMP {timestamp}"));
    let ttl = written.ttl.map(|ttl| format!("TTL {ttl}"));
    let parts: Vec<_> = timestamp.into_iter().chain(ttl).collect();
    if parts.is_empty() { String::new() } else { format!(" USING {}", parts.join(" AND ")) }
}
