//! Finds rows of a copy that no row of its base makes: their row was deleted, or has another value
//! in the key of the copy.

use std::collections::BTreeSet;

use cluster::Error;
use model::id::IdList;
use sim::{Datum, convert_value, normalise_value};

use super::difference::{Difference, DifferenceKind, MendState, Origin};
use super::entity_join::JoinState;
use super::mended_table::MendedTable;
use super::row_comparison::RowComparer;
use super::stored_row::StoredRow;

impl RowComparer<'_, '_> {
    /// The rows of the copy that its base does not make.
    pub(super) fn find_orphans(&mut self, copies: &[StoredRow]) -> Result<Vec<Difference>, Error> {
        let keys: Vec<Option<Vec<Datum>>> = copies.iter().map(|row| self.base_key(row)).collect();
        let wanted: BTreeSet<&Vec<Datum>> = keys.iter().flatten().collect();
        let wanted: Vec<Vec<Datum>> = wanted.into_iter().cloned().collect();
        let base = self.access.find(self.plan.base.table, &wanted)?;
        let base: Vec<StoredRow> = base.into_iter().flatten().collect();
        let (joined, rows) = self.derive_rows(&base)?;
        // What cannot be derived is reported where the base is compared with the copy.
        let open: BTreeSet<&Vec<Datum>> = joined
            .iter()
            .filter(|row| matches!(row.state, JoinState::Dangling { .. }))
            .map(|row| &row.origin)
            .collect();
        let made: BTreeSet<&Vec<Datum>> = rows.iter().map(|(_, row)| &row.key).collect();
        let orphans = copies.iter().zip(&keys).filter(|(row, key)| {
            let is_open = key.as_ref().is_some_and(|key| open.contains(key));
            !is_open && !made.contains(&self.normal_key(row))
        });
        let orphans = orphans.map(|(row, key)| {
            let is_stale = key.as_ref().is_some_and(|key| base.iter().any(|base| base.key == *key));
            self.orphan(row, is_stale, Origin::Copy(row.key.clone()))
        });
        Ok(orphans.collect())
    }

    /// The key of a row in the normal form in which keys are derived.
    pub(super) fn normal_key(&self, row: &StoredRow) -> Vec<Datum> {
        let columns = self.table.columns.iter().zip(&row.key);
        columns.map(|(column, value)| normalise_value(column, value.clone())).collect()
    }

    /// The key of the row of the base that a row of the copy is made from.
    fn base_key(&self, row: &StoredRow) -> Option<Vec<Datum>> {
        let entity = self.access.definitions.concept.entities.member(self.plan.shape.entity)?;
        let values = row.key.iter().cloned().chain(row.cells.iter().map(|cell| cell.value.clone()));
        let known = self.table.columns.iter().zip(values).filter_map(|(column, value)| {
            let attribute = self.plan.shape.driver_attribute(column)?;
            let ty = &entity.attributes.member(attribute)?.ty;
            Some((attribute, convert_value(&column.ty, value, ty)))
        });
        self.access.key_of(&self.plan.base, known)
    }

    /// A row of the copy that should not be there.
    pub(super) fn orphan(&self, row: &StoredRow, is_stale: bool, origin: Origin) -> Difference {
        let mended = MendedTable { keyspace: self.keyspace, table: self.table };
        let base = self.access.definitions.table_name(self.plan.base.table);
        let remark = if is_stale {
            format!("the row of {base} has other values in this key")
        } else {
            format!("{base} has no row for it")
        };
        Difference {
            kind: DifferenceKind::Orphan,
            key: mended.key_texts(&row.key, false),
            columns: Vec::new(),
            statements: vec![mended.delete(&row.key, row.newest_write(), row.read_at)],
            remark: Some(remark),
            state: MendState::Open,
            origin,
        }
    }
}
