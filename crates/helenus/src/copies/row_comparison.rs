//! Compares the rows that a base makes with those of the copy: which are missing, and which have
//! other values.

use std::collections::BTreeMap;

use cluster::Error;
use cql::printer::identifier;
use model::id::IdList;
use model::plan::{ColumnRole, Derivation, PlannedColumn, PlannedTable};
use sim::{Datum, DerivedRow, RowDerivation, end_timestamp, is_end_beyond, normalise_value};

use super::difference::{ColumnDifference, Difference, DifferenceKind, MendState, Origin};
use super::entity_join::{JoinState, JoinedRow, TableAccess};
use super::mended_table::{ExpectedCell, MendedTable, literal};
use super::stored_row::{StoredRow, WriteTime};
use super::verification_plan::{CopyKind, CopyPlan};

/// Compares rows of one copy.
pub(super) struct RowComparer<'p, 'a> {
    pub(super) access: TableAccess<'a>,
    pub(super) keyspace: &'a str,
    pub(super) plan: &'p CopyPlan,
    pub(super) table: &'a PlannedTable,
}

/// Rows of the copy, each with the position of the joined row that makes it.
type DerivedRows = Vec<(usize, DerivedRow)>;

/// The differences of some rows.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    /// Rows of the copy that were compared.
    pub(super) rows: u64,
    pub(super) differences: Vec<Difference>,
}

impl<'a> RowComparer<'_, 'a> {
    /// The rows of the copy that rows of the base make, each with the joined row that makes it.
    pub(super) fn derive_rows(
        &mut self,
        base: &[StoredRow],
    ) -> Result<(Vec<JoinedRow>, DerivedRows), Error> {
        let joined = self.access.join(self.plan, base)?;
        let definitions = self.access.definitions;
        let derivation = RowDerivation::new(&definitions.concept, &definitions.tables, self.table);
        let complete =
            joined.iter().enumerate().filter(|(_, row)| row.state == JoinState::Complete);
        let rows = complete
            .flat_map(|(at, row)| derivation.derive(&row.rows).into_iter().map(move |it| (at, it)))
            .collect();
        Ok((joined, rows))
    }

    /// Compares what rows of the base make with the copy.
    pub(super) fn compare(&mut self, base: &[StoredRow]) -> Result<Comparison, Error> {
        let (joined, rows) = self.derive_rows(base)?;
        let mut found: BTreeMap<(DifferenceKind, Vec<(String, String)>), Difference> =
            BTreeMap::new();
        let mut add = |difference: Difference| {
            found.entry((difference.kind, difference.key.clone())).or_insert(difference);
        };
        for row in &joined {
            if let JoinState::Dangling { .. } = row.state {
                add(self.dangling(row));
            }
        }
        if self.plan.kind == CopyKind::Counters {
            return Ok(Comparison { rows: 0, differences: found.into_values().collect() });
        }
        let rows = if self.plan.kind == CopyKind::Ends { self.outermost(rows) } else { rows };
        let keys: Vec<Vec<Datum>> = rows.iter().map(|(_, row)| row.key.clone()).collect();
        let stored = self.access.find(self.plan.table, &keys)?;
        let count = rows.len() as u64;
        for ((at, expected), stored) in rows.iter().zip(&stored) {
            let Some(joined) = joined.get(*at) else { continue };
            let expected = ExpectedRow { joined, row: expected };
            match (self.plan.kind, stored) {
                (CopyKind::Ends, _) => {
                    self.compare_ends(expected, stored.as_ref()).into_iter().for_each(&mut add);
                }
                (_, Some(stored)) => {
                    self.compare_values(expected, stored).into_iter().for_each(&mut add);
                }
                // The row of the base itself: it is gone since it was read.
                (CopyKind::Columns, None) => {}
                (_, None) => add(self.missing(expected)),
            }
        }
        Ok(Comparison { rows: count, differences: found.into_values().collect() })
    }

    /// The columns after the key, with the value that each must have.
    fn cells(&self, expected: ExpectedRow<'_>) -> Vec<(usize, ExpectedCell<'a>)> {
        let keys = expected.row.key.len();
        let others = self.table.columns.iter().enumerate().skip(keys).zip(&expected.row.values);
        let compared = others.filter(|((position, _), _)| self.plan.compared.contains(position));
        compared
            .map(|((position, column), value)| {
                let inputs = self.plan.shape.inputs(&column.derivation);
                let times = inputs.iter().map(|input| expected.joined.write_time(*input));
                let written = times.max().unwrap_or_default();
                let value =
                    self.base_value(column, expected.joined).unwrap_or_else(|| value.clone());
                (position - keys, ExpectedCell { column, value, written })
            })
            .collect()
    }

    /// The value of the base as it is stored there, where the column has just that.
    fn base_value(&self, column: &PlannedColumn, joined: &JoinedRow) -> Option<Datum> {
        let Derivation::Attribute(of) = column.derivation else { return None };
        let source = self.table.holds.sources.member(of.source)?;
        let entity = self.access.definitions.concept.entities.member(source.entity)?;
        let is_same = entity.attributes.member(of.attribute)?.ty == column.ty;
        let value = joined.rows.get(of.source.index())?.get(of.attribute.index())?;
        is_same.then(|| value.clone())
    }

    const fn copy_table(&self) -> MendedTable<'a> {
        MendedTable { keyspace: self.keyspace, table: self.table }
    }

    fn missing(&self, expected: ExpectedRow<'_>) -> Difference {
        let (key, joined) = (&expected.row.key, expected.joined);
        let cells: Vec<_> = self.cells(expected).into_iter().map(|(_, cell)| cell).collect();
        let known = joined.newest_write(self.plan.shape.driver);
        // A base of key columns only has no write time: the moment it was read is after it.
        let timestamp = known.timestamp.or(Some(joined.read_at));
        let row = WriteTime { timestamp, ..known };
        let values =
            cells.iter().filter(|cell| cell.value.is_some()).map(|cell| ColumnDifference {
                name: identifier(&cell.column.name),
                expected: literal(cell.column, &cell.value),
                actual: "no row".to_owned(),
            });
        let skipped: Vec<&str> = self.plan.skipped.iter().map(|(name, _)| name.as_str()).collect();
        let remark = (!skipped.is_empty()).then(|| {
            format!("the value of {} cannot be derived and stays empty", skipped.join(", "))
        });
        Difference {
            kind: DifferenceKind::Missing,
            key: self.copy_table().key_texts(key, false),
            columns: values.collect(),
            statements: self.copy_table().insert(key, &cells, row),
            remark,
            state: MendState::Open,
            origin: Origin::Base(joined.origin.clone()),
        }
    }

    /// The differences of a row: one of its own columns, one of the static columns, which belong to
    /// the partition.
    fn compare_values(&self, expected: ExpectedRow<'_>, stored: &StoredRow) -> Vec<Difference> {
        let mut found = Vec::new();
        let cells = self.cells(expected);
        for is_static in [false, true] {
            let own = cells
                .iter()
                .filter(|(_, cell)| (cell.column.role == ColumnRole::Static) == is_static);
            let wrong: Vec<_> = own
                .filter_map(|(at, cell)| Some((cell, stored.cells.get(*at)?)))
                .filter(|(cell, actual)| {
                    normalise_value(cell.column, cell.value.clone())
                        != normalise_value(cell.column, actual.value.clone())
                })
                .collect();
            if wrong.is_empty() {
                continue;
            }
            let key = &expected.row.key;
            let columns = wrong.iter().map(|(cell, actual)| ColumnDifference {
                name: identifier(&cell.column.name),
                expected: literal(cell.column, &cell.value),
                actual: literal(cell.column, &actual.value),
            });
            let statements = wrong.iter().map(|(cell, actual)| {
                self.copy_table().set(key, cell, actual.written, stored.read_at)
            });
            found.push(Difference {
                kind: DifferenceKind::Different,
                key: self.copy_table().key_texts(key, is_static),
                columns: columns.collect(),
                statements: statements.collect(),
                remark: None,
                state: MendState::Open,
                origin: Origin::Base(expected.joined.origin.clone()),
            });
        }
        found
    }

    /// Of the rows that record ends of buckets under one key those with an outermost one.
    fn outermost(&self, rows: DerivedRows) -> DerivedRows {
        let mut outermost: BTreeMap<(Vec<Datum>, usize), (usize, DerivedRow)> = BTreeMap::new();
        let ends = || self.table.columns.iter().filter(|column| !column.is_key());
        for (at, row) in rows {
            for (end, column) in ends().enumerate() {
                let is_inside = outermost.get(&(row.key.clone(), end)).is_some_and(|(_, known)| {
                    known
                        .values
                        .get(end)
                        .zip(row.values.get(end))
                        .is_some_and(|(known, value)| is_end_beyond(column, known, value))
                });
                if !is_inside {
                    outermost.insert((row.key.clone(), end), (at, row.clone()));
                }
            }
        }
        outermost.into_values().collect()
    }

    fn compare_ends(
        &self,
        expected: ExpectedRow<'_>,
        stored: Option<&StoredRow>,
    ) -> Option<Difference> {
        let key = &expected.row.key;
        let ends = self.table.columns.iter().filter(|column| !column.is_key());
        let (mut columns, mut statements) = (Vec::new(), Vec::new());
        for (at, (column, bucket)) in ends.zip(&expected.row.values).enumerate() {
            let recorded = stored.and_then(|row| row.cells.get(at)).map(|cell| &cell.value);
            if bucket.is_none() || is_end_beyond(column, recorded.unwrap_or(&None), bucket) {
                continue;
            }
            columns.push(ColumnDifference {
                name: identifier(&column.name),
                expected: literal(column, bucket),
                actual: recorded.map_or_else(|| "no row".to_owned(), |it| literal(column, it)),
            });
            let written = WriteTime { timestamp: end_timestamp(column, bucket), ttl: None };
            let cell = ExpectedCell { column, value: bucket.clone(), written };
            statements.extend(self.copy_table().insert(key, &[cell], written));
        }
        (!columns.is_empty()).then(|| Difference {
            kind: DifferenceKind::BucketEnd,
            key: self.copy_table().key_texts(key, false),
            columns,
            statements,
            remark: None,
            state: MendState::Open,
            origin: Origin::Base(expected.joined.origin.clone()),
        })
    }

    /// A row of the base that refers to a row which is not there.
    fn dangling(&self, joined: &JoinedRow) -> Difference {
        let definitions = self.access.definitions;
        let base = definitions.tables.member(self.plan.base.table).unwrap_or(self.table);
        let remark = match joined.state {
            JoinState::Dangling { entity, table } => format!(
                "the row of {} in {} refers to a row of {} that {} does not have",
                definitions.entity_name(self.plan.shape.entity),
                base.name,
                definitions.entity_name(entity),
                definitions.table_name(table)
            ),
            _ => String::new(),
        };
        let mended = MendedTable { keyspace: self.keyspace, table: base };
        Difference {
            kind: DifferenceKind::Dangling,
            key: mended.key_texts(&joined.origin, false),
            columns: Vec::new(),
            statements: Vec::new(),
            remark: Some(remark),
            state: MendState::Open,
            origin: Origin::Base(joined.origin.clone()),
        }
    }
}

/// A row that a copy must have, and the joined row that makes it.
#[derive(Clone, Copy, Debug)]
struct ExpectedRow<'e> {
    joined: &'e JoinedRow,
    row: &'e DerivedRow,
}
