//! Counts what rows of a base make of each row of a copy, where that row does not lead back to its
//! base: counts and sums, and rows without the key of their base.
//!
//! The groups are kept in memory, up to a limit. Beyond it, those of one half of the hashes are
//! dropped, and the base is read once more for them.

use std::collections::{BTreeSet, HashMap};

use cluster::Error;
use cql::printer::identifier;
use model::plan::{ColumnRole, PlannedColumn};
use sim::{Datum, normalise_value, to_whole_number};

use super::difference::{ColumnDifference, Difference, DifferenceKind, MendState, Origin};
use super::entity_join::JoinState;
use super::mended_table::{MendedTable, literal};
use super::row_comparison::RowComparer;
use super::stored_row::StoredRow;
use super::verification_plan::CopyKind;

/// Groups that are kept at one time.
pub(crate) const GROUPS_MAX: usize = 200_000;

/// The expected counters of rows of a copy by their keys; without counters, the keys alone.
#[derive(Debug)]
pub(super) struct GroupCounts {
    groups: HashMap<Vec<Datum>, Vec<i64>>,
    /// The hashes whose groups are kept: from the first to the last.
    first: u64,
    last: u64,
    limit: usize,
}

impl GroupCounts {
    /// The groups from a hash on.
    pub(super) fn new(first: u64, limit: usize) -> Self {
        Self { groups: HashMap::new(), first, last: u64::MAX, limit }
    }

    /// Where the next pass begins; `None` where this one covers the rest.
    pub(super) const fn next_first(&self) -> Option<u64> {
        self.last.checked_add(1)
    }

    /// The number of groups.
    pub(super) fn len(&self) -> usize {
        self.groups.len()
    }

    /// Whether the group of a key is among those that are kept.
    fn has_group(&self, key: &[Datum]) -> bool {
        (self.first..=self.last).contains(&hash(key))
    }

    /// Adds a row to its group.
    fn add(&mut self, key: Vec<Datum>, amounts: &[i64]) {
        if !self.has_group(&key) {
            return;
        }
        let sums = self.groups.entry(key).or_insert_with(|| vec![0; amounts.len()]);
        for (sum, amount) in sums.iter_mut().zip(amounts) {
            *sum = sum.saturating_add(*amount);
        }
        while self.groups.len() > self.limit && self.first < self.last {
            let (first, last) = (self.first, self.first + (self.last - self.first) / 2);
            self.last = last;
            self.groups.retain(|key, _| (first..=last).contains(&hash(key)));
        }
    }
}

/// A hash of a key. Lengths keep the values apart.
fn hash(key: &[Datum]) -> u64 {
    let mut bytes = Vec::new();
    for value in key.iter().flatten() {
        bytes.extend((value.len() as u64).to_be_bytes());
        bytes.extend(value);
    }
    schema::partitioner::hash(&bytes).0
}

impl RowComparer<'_, '_> {
    /// Adds rows of the base to their groups; of all keys, or of these. Returns the rows that refer
    /// to missing ones.
    pub(super) fn count_groups(
        &mut self,
        base: &[StoredRow],
        only: Option<&BTreeSet<Vec<Datum>>>,
        counts: &mut GroupCounts,
    ) -> Result<Vec<Origin>, Error> {
        let (joined, rows) = self.derive_rows(base)?;
        for (_, row) in rows {
            if only.is_none_or(|only| only.contains(&row.key)) {
                let amounts = self.amounts(&row.values);
                counts.add(row.key, &amounts);
            }
        }
        let dangling = joined.iter().filter(|row| matches!(row.state, JoinState::Dangling { .. }));
        Ok(dangling.map(|row| Origin::Base(row.origin.clone())).collect())
    }

    /// Compares rows of the copy with their groups, which are then done.
    pub(super) fn compare_groups(
        &self,
        copies: &[StoredRow],
        counts: &mut GroupCounts,
    ) -> Vec<Difference> {
        let mut found = Vec::new();
        for row in copies {
            let key = self.normal_key(row);
            if !counts.has_group(&key) {
                continue;
            }
            let expected = counts.groups.remove(&key);
            match (self.plan.kind, expected) {
                (CopyKind::Counters, expected) => {
                    let values: Vec<Datum> =
                        row.cells.iter().map(|cell| cell.value.clone()).collect();
                    let expected = expected.unwrap_or_else(|| vec![0; values.len()]);
                    found.extend(self.compare_counters(&key, &expected, &values));
                }
                (_, None) => {
                    found.push(self.orphan(row, false, Origin::Group(key, Vec::new())));
                }
                (_, Some(_)) => {}
            }
        }
        found
    }

    /// The groups that no row of the copy was compared with: counters that are not there. (Missing
    /// rows are found when the base is compared with the copy.)
    pub(super) fn list_absent_groups(&self, counts: &GroupCounts) -> Vec<Difference> {
        if self.plan.kind != CopyKind::Counters {
            return Vec::new();
        }
        let mut keys: Vec<_> = counts.groups.keys().collect();
        keys.sort_unstable();
        let absent = |key: &Vec<Datum>| {
            let expected = counts.groups.get(key)?;
            self.compare_counters(key, expected, &vec![None; expected.len()])
        };
        keys.into_iter().filter_map(absent).collect()
    }

    fn counters(&self) -> impl Iterator<Item = &PlannedColumn> {
        self.table.columns.iter().filter(|column| !column.is_key())
    }

    /// What a row adds to the counters of its group.
    fn amounts(&self, values: &[Datum]) -> Vec<i64> {
        let numbers = self.counters().zip(values).map(|(column, value)| {
            let is_counter = column.role == ColumnRole::Counter;
            to_whole_number(&column.ty, value).filter(|_| is_counter).unwrap_or(0)
        });
        numbers.collect()
    }

    fn compare_counters(
        &self,
        key: &[Datum],
        expected: &[i64],
        values: &[Datum],
    ) -> Option<Difference> {
        let (mut columns, mut amounts, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        for ((column, value), expected) in self.counters().zip(values).zip(expected) {
            let known = normalise_value(column, value.clone());
            let actual = to_whole_number(&column.ty, &known).unwrap_or(0);
            let error = expected.saturating_sub(actual);
            errors.push(error);
            amounts.push((column.name.as_str(), error));
            if error != 0 {
                let actual =
                    if value.is_none() { "no value".to_owned() } else { literal(column, value) };
                let expected = expected.to_string();
                columns.push(ColumnDifference { name: identifier(&column.name), expected, actual });
            }
        }
        let mended = MendedTable { keyspace: self.keyspace, table: self.table };
        (!columns.is_empty()).then(|| Difference {
            kind: DifferenceKind::Counter,
            key: mended.key_texts(key, false),
            columns,
            statements: vec![mended.add(key, &amounts)],
            remark: Some(
                "counters are never mended: run the statement once, with no writes in flight"
                    .to_owned(),
            ),
            state: MendState::Open,
            origin: Origin::Group(key.to_vec(), errors),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Many small passes count every group once.
    #[test]
    fn passes_cover_all_groups() {
        let key = |number: u32| vec![Some(number.to_be_bytes().to_vec())];
        let (mut first, mut passes, mut seen) = (Some(0), 0, 0);
        while let Some(from) = first {
            let mut counts = GroupCounts::new(from, 10);
            for number in 0..100 {
                counts.add(key(number), &[1]);
                counts.add(key(number), &[2]);
            }
            assert!(counts.groups.values().all(|sums| sums == &[3]), "{counts:?}");
            (passes, seen) = (passes + 1, seen + counts.groups.len());
            first = counts.next_first();
        }
        assert_eq!(seen, 100);
        assert!(passes > 9, "{passes}");
    }
}
