//! Random writes.

use super::condition;
use super::schema::{TableUse, WorkloadColumn, WorkloadTable};
use super::statement::WorkloadStatement;
use super::value::{ColumnType, some_values};
use crate::rng::Rng;

/// Timestamps come from so many numbers at a time, so that writes tie and come out of order.
const TIMESTAMPS: usize = 8;
/// After so many statements the timestamps move on by one.
const TIMESTAMP_STEP: usize = 6;
/// The TTLs are days, and no two are the same: which of two writes that tie expires later is decided by their TTLs, never
/// by the second in which they came.
const TTL_FIRST: usize = 400_000;
const TTL_STEP: usize = 1_000;

/// Writes statements for the tables of a schema.
pub(super) struct WorkloadWriter<'a> {
    pub(super) rng: Rng,
    pub(super) tables: &'a [WorkloadTable],
    serial: usize,
}

impl<'a> WorkloadWriter<'a> {
    /// A writer for these tables.
    pub(super) fn new(rng: Rng, tables: &'a [WorkloadTable]) -> Self {
        Self { rng, tables, serial: 0 }
    }

    /// The next write.
    pub(super) fn next(&mut self) -> WorkloadStatement {
        let at = self.rng.number_below(self.tables.len());
        let table = &self.tables[at];
        if self.rng.roll(10) {
            return self.batch(at);
        }
        self.serial += 1;
        match table.used_for {
            TableUse::Counters => {
                WorkloadStatement::write(self.counter_write(table, true), vec![at])
            }
            TableUse::Conditions => {
                WorkloadStatement::write(self.conditional_write(table), vec![at])
            }
            TableUse::Plain => {
                let beside = self.rng.roll(15);
                let text = self.plain_write(table, !beside);
                let timestamp = beside.then(|| self.timestamp());
                WorkloadStatement { timestamp, ..WorkloadStatement::write(text, vec![at]) }
            }
        }
    }

    pub(super) fn timestamp(&mut self) -> i64 {
        let now = self.serial / TIMESTAMP_STEP + self.rng.number_below(TIMESTAMPS);
        i64::try_from(10 + now).unwrap_or(i64::MAX)
    }

    fn ttl(&mut self) -> usize {
        self.serial += 1;
        TTL_FIRST + self.serial * TTL_STEP
    }

    /// Several writes as one; in one partition where they are conditional.
    fn batch(&mut self, first: usize) -> WorkloadStatement {
        let used_for = self.tables[first].used_for;
        let (mut texts, mut tables) = (Vec::new(), vec![first]);
        let one_time = self.rng.roll(60);
        for _ in 0..2 + self.rng.number_below(4) {
            self.serial += 1;
            let mut at = *tables.last().unwrap_or(&first);
            if used_for == TableUse::Plain && self.rng.roll(30) {
                at = self.rng.number_below(self.tables.len());
                if self.tables[at].used_for != TableUse::Plain {
                    at = first;
                }
            }
            tables.push(at);
            let table = &self.tables[at];
            texts.push(match used_for {
                TableUse::Plain => self.plain_write(table, !one_time),
                // A counter that is deleted in the same breath lives on in the server's cache only.
                TableUse::Counters => self.counter_write(table, false),
                TableUse::Conditions => self.conditional_write(table),
            });
        }
        tables.sort_unstable();
        tables.dedup();
        let kind = match used_for {
            TableUse::Counters => "COUNTER ",
            TableUse::Plain if self.rng.roll(50) => "UNLOGGED ",
            _ => "",
        };
        let using = if used_for == TableUse::Plain && one_time {
            format!("USING TIMESTAMP {} ", self.timestamp())
        } else {
            String::new()
        };
        let text = format!("BEGIN {kind}BATCH {using}{}; APPLY BATCH", texts.join("; "));
        WorkloadStatement::write(text, tables)
    }

    fn plain_write(&mut self, table: &WorkloadTable, timed: bool) -> String {
        match self.rng.number_below(100) {
            0..38 => self.insert(table, timed),
            38..72 => self.update(table, timed),
            _ => self.delete(table, timed),
        }
    }

    /// ` USING TIMESTAMP 7 AND TTL 400000`, or parts of it.
    fn using_clause(&mut self, timed: bool, may_expire: bool) -> String {
        let mut parts = Vec::new();
        if timed {
            parts.push(format!("TIMESTAMP {}", self.timestamp()));
        }
        if may_expire && self.rng.roll(25) {
            parts.push(format!("TTL {}", self.ttl()));
        }
        if parts.is_empty() { String::new() } else { format!(" USING {}", parts.join(" AND ")) }
    }

    /// A value of a column of the key.
    pub(super) fn key_value(&mut self, column: &WorkloadColumn) -> &'static str {
        column.values[self.rng.number_below(column.values.len())]
    }

    pub(super) fn value(&mut self, column: &WorkloadColumn) -> String {
        if self.rng.roll(12) { "null".to_owned() } else { column.ty.literal(&mut self.rng) }
    }

    fn insert(&mut self, table: &WorkloadTable, timed: bool) -> String {
        let text = self.insert_values(table);
        text + &self.using_clause(timed, true)
    }

    /// An INSERT but for what comes after the values.
    pub(super) fn insert_values(&mut self, table: &WorkloadTable) -> String {
        let (mut names, mut values) = (Vec::new(), Vec::new());
        let only_statics = !table.statics.is_empty() && self.rng.roll(15);
        let key: Vec<_> =
            if only_statics { table.partition.iter().collect() } else { table.key().collect() };
        for column in key {
            names.push(column.name.as_str());
            values.push(self.key_value(column).to_owned());
        }
        let others: Vec<_> =
            if only_statics { table.statics.iter().collect() } else { table.others().collect() };
        for column in others {
            if self.rng.roll(60) {
                names.push(column.name.as_str());
                values.push(self.value(column));
            }
        }
        format!("INSERT INTO {} ({}) VALUES ({})", table.name, names.join(", "), values.join(", "))
    }

    fn update(&mut self, table: &WorkloadTable, timed: bool) -> String {
        let only_statics = !table.statics.is_empty() && self.rng.roll(25);
        let sets = self.assignments(table, only_statics);
        let using = self.using_clause(timed, true);
        let place = self.row_condition(table, !only_statics);
        format!("UPDATE {}{using} SET {} WHERE {place}", table.name, sets.join(", "))
    }

    /// What an UPDATE sets: one thing at least.
    pub(super) fn assignments(&mut self, table: &WorkloadTable, only_statics: bool) -> Vec<String> {
        let columns: Vec<_> =
            if only_statics { table.statics.iter().collect() } else { table.others().collect() };
        let sure = self.rng.number_below(columns.len());
        let mut sets = Vec::new();
        for (at, column) in columns.iter().enumerate() {
            if at == sure || self.rng.roll(30) {
                sets.push(self.assignment(column));
            }
        }
        sets
    }

    fn assignment(&mut self, column: &WorkloadColumn) -> String {
        let name = &column.name;
        if !column.ty.is_multi_cell() || self.rng.roll(30) {
            return format!("{name} = {}", self.value(column));
        }
        let literal = column.ty.literal(&mut self.rng);
        match column.ty {
            ColumnType::List(element) => match self.rng.number_below(10) {
                0..5 => format!("{name} = {name} + {literal}"),
                5..7 => format!("{name} = {literal} + {name}"),
                7 => format!("{name} = {name} - {literal}"),
                _ => {
                    let value = *self.rng.pick(element.values);
                    format!("{name}[{}] = {value}", self.rng.number_below(2))
                }
            },
            ColumnType::Set(_) => {
                let sign = if self.rng.roll(65) { '+' } else { '-' };
                format!("{name} = {name} {sign} {literal}")
            }
            ColumnType::Map(key, value) => match self.rng.number_below(10) {
                0..4 => format!("{name} = {name} + {literal}"),
                4..6 => {
                    format!("{name} = {name} - {{{}}}", some_values(key, &mut self.rng).join(", "))
                }
                _ => {
                    let value =
                        if self.rng.roll(80) { *self.rng.pick(value.values) } else { "null" };
                    format!("{name}[{}] = {value}", self.rng.pick(key.values))
                }
            },
            _ if self.rng.roll(50) => format!("{name}.a = {}", self.rng.number_below(3)),
            _ => format!("{name}.b = {}", self.rng.pick(&["'0'", "'1'", "null"])),
        }
    }

    /// `p0 = 1 AND c0 = 2`: a whole row, or a partition.
    pub(super) fn row_condition(&mut self, table: &WorkloadTable, row: bool) -> String {
        let columns: Vec<_> =
            if row { table.key().collect() } else { table.partition.iter().collect() };
        let several = self.rng.roll(12);
        let mut parts = Vec::new();
        for column in columns {
            parts.push(self.equality(column, several));
        }
        parts.join(" AND ")
    }

    fn equality(&mut self, column: &WorkloadColumn, several: bool) -> String {
        let value = self.key_value(column);
        // IN does not take a collection, whose values would need a list of their own.
        if several && matches!(column.ty, ColumnType::Scalar(scalar) if !scalar.name.contains('<'))
        {
            let other = self.key_value(column);
            return format!("{} IN ({value}, {other})", column.name);
        }
        format!("{} = {value}", column.name)
    }

    fn delete(&mut self, table: &WorkloadTable, timed: bool) -> String {
        let using = self.using_clause(timed, false);
        let (what, place) = match self.rng.number_below(100) {
            0..45 => {
                let only_statics = !table.statics.is_empty() && self.rng.roll(25);
                let what = self.deletion_targets(table, only_statics);
                (what, self.row_condition(table, !only_statics))
            }
            45..70 => (String::new(), self.row_condition(table, true)),
            70..92 => (String::new(), self.range(table)),
            _ => (String::new(), self.row_condition(table, false)),
        };
        format!("DELETE {what}FROM {}{using} WHERE {place}", table.name)
    }

    /// The columns and elements of a DELETE, with a blank after them.
    pub(super) fn deletion_targets(&mut self, table: &WorkloadTable, only_statics: bool) -> String {
        let columns: Vec<_> = if only_statics {
            table.statics.iter().collect()
        } else {
            table.regulars.iter().collect()
        };
        let column = columns[self.rng.number_below(columns.len())];
        let name = &column.name;
        let whole = self.rng.roll(40);
        let what = match column.ty {
            ColumnType::Map(key, _) | ColumnType::Set(key) if !whole => {
                format!("{name}[{}]", self.rng.pick(key.values))
            }
            ColumnType::List(_) if !whole => format!("{name}[{}]", self.rng.number_below(2)),
            ColumnType::Pair if !whole => format!("{name}.{}", self.rng.pick(&["a", "b"])),
            _ => name.clone(),
        };
        what + " "
    }

    /// A partition and a slice of it.
    pub(super) fn range(&mut self, table: &WorkloadTable) -> String {
        let mut parts = vec![self.row_condition(table, false)];
        let fixed = self.rng.number_below(table.clustering.len() + 1);
        for column in table.clustering.iter().take(fixed) {
            parts.push(self.equality(column, false));
        }
        let rest = table.clustering.get(fixed..).unwrap_or_default();
        parts.extend(self.bounds(rest));
        parts.join(" AND ")
    }

    /// Bounds on the next clustering column, or on all that are left at once.
    fn bounds(&mut self, rest: &[WorkloadColumn]) -> Vec<String> {
        let Some(first) = rest.first() else { return Vec::new() };
        let (columns, together) =
            if rest.len() > 1 && self.rng.roll(35) { (rest, true) } else { (&rest[..1], false) };
        let mut bounds = Vec::new();
        for operators in [[">", ">="], ["<", "<="]] {
            if self.rng.roll(65) {
                let operator = *self.rng.pick(&operators);
                let values: Vec<_> = columns.iter().map(|column| self.key_value(column)).collect();
                let bound = if together {
                    let names: Vec<_> = columns.iter().map(|one| one.name.as_str()).collect();
                    format!("({}) {operator} ({})", names.join(", "), values.join(", "))
                } else {
                    format!("{} {operator} {}", first.name, values[0])
                };
                bounds.push(bound);
            }
        }
        bounds
    }

    fn counter_write(&mut self, table: &WorkloadTable, may_delete: bool) -> String {
        let only_statics = !table.statics.is_empty() && self.rng.roll(25);
        match self.rng.number_below(if may_delete { 100 } else { 85 }) {
            0..85 => {
                let columns = if only_statics { &table.statics } else { &table.regulars };
                let name = columns[self.rng.number_below(columns.len())].name.clone();
                let sign = if self.rng.roll(70) { '+' } else { '-' };
                let by = self.rng.number_below(20);
                let place = self.row_condition(table, !only_statics);
                format!("UPDATE {} SET {name} = {name} {sign} {by} WHERE {place}", table.name)
            }
            85..95 => {
                format!("DELETE FROM {} WHERE {}", table.name, self.row_condition(table, true))
            }
            _ => format!("DELETE FROM {} WHERE {}", table.name, self.range(table)),
        }
    }

    fn conditional_write(&mut self, table: &WorkloadTable) -> String {
        condition::write(self, table)
    }
}
