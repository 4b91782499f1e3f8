//! Compares candidates a second time, and mends those that still differ.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use cluster::Error;
use sim::Datum;

use super::difference::{Difference, DifferenceKind, MendState, Origin};
use super::group_count::GroupCounts;
use super::stored_row::StoredRow;
use super::verification_plan::CopyPlan;
use super::verifier::{CopyCheck, Verifier};

/// Rows that are compared at one time.
const ROWS_AT_ONCE: usize = 500;

/// Rows that differed once.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    origins: BTreeSet<Origin>,
    last_found: Option<Instant>,
}

/// A row of a copy: what is wrong with it, and its key.
type RowName = (DifferenceKind, Vec<(String, String)>);

impl Candidates {
    /// Notes rows that differ.
    pub(super) fn add(&mut self, origins: Vec<Origin>) {
        if !origins.is_empty() {
            self.last_found = Some(Instant::now());
            self.origins.extend(origins);
        }
    }

    /// Their number.
    pub(super) fn len(&self) -> usize {
        self.origins.len()
    }

    /// When the last one was found.
    pub(super) const fn last_found(&self) -> Option<Instant> {
        self.last_found
    }

    fn take(&mut self) -> BTreeSet<Origin> {
        self.last_found = None;
        std::mem::take(&mut self.origins)
    }
}

impl Verifier<'_> {
    /// The candidates that still differ; they are mended where that is asked for.
    pub(super) fn confirm(&mut self, check: &mut CopyCheck<'_>) -> Result<Vec<Difference>, Error> {
        let origins = check.candidates.take();
        let mut found = self.compare_again(check, &origins)?;
        if self.options.is_mending {
            let mendable = || found.values().filter(|difference| difference.kind.can_mend());
            for statement in mendable().flat_map(|difference| &difference.statements) {
                self.connection.run(statement, &[])?;
            }
            let origins: BTreeSet<Origin> = mendable().map(|it| it.origin.clone()).collect();
            let left = self.compare_again(check, &origins)?;
            for (name, difference) in &mut found {
                if !difference.kind.can_mend() {
                    continue;
                }
                let is_left = left.contains_key(name);
                difference.state = if is_left { MendState::Persistent } else { MendState::Mended };
                if is_left {
                    difference.remark = Some(persistence_remark(difference.kind).to_owned());
                }
            }
        }
        // What was found on the way, such as dangling references, was just compared.
        check.candidates.take();
        Ok(found.into_values().collect())
    }

    /// The differences of the rows of some origins, which are read again.
    fn compare_again(
        &mut self,
        check: &mut CopyCheck<'_>,
        origins: &BTreeSet<Origin>,
    ) -> Result<BTreeMap<RowName, Difference>, Error> {
        let plan = check.plan;
        let (mut base, mut copies, mut groups) = (Vec::new(), Vec::new(), BTreeMap::new());
        for origin in origins {
            match origin {
                Origin::Base(key) => base.push(key.clone()),
                Origin::Copy(key) => copies.push(key.clone()),
                Origin::Group(key, errors) => {
                    groups.insert(key.clone(), errors.clone());
                }
            }
        }
        let mut found = Vec::new();
        for keys in base.chunks(ROWS_AT_ONCE) {
            let rows = self.read_again(plan, plan.base.table, keys)?;
            let Some(mut comparer) = self.comparer(plan) else { continue };
            found.extend(comparer.compare(&rows)?.differences);
        }
        for keys in copies.chunks(ROWS_AT_ONCE) {
            let rows = self.read_again(plan, plan.table, keys)?;
            let Some(mut comparer) = self.comparer(plan) else { continue };
            found.extend(comparer.find_orphans(&rows)?);
        }
        if !groups.is_empty() {
            found.extend(self.count_again(check, &groups)?);
        }
        let name = |difference: &Difference| (difference.kind, difference.key.clone());
        Ok(found.into_iter().map(|difference| (name(&difference), difference)).collect())
    }

    fn read_again(
        &mut self,
        plan: &CopyPlan,
        table: model::id::TableId,
        keys: &[Vec<Datum>],
    ) -> Result<Vec<StoredRow>, Error> {
        let Some(mut comparer) = self.comparer(plan) else { return Ok(Vec::new()) };
        Ok(comparer.access.find(table, keys)?.into_iter().flatten().collect())
    }

    /// The groups that differ again, and counters by just as much as before: others are changing.
    fn count_again(
        &mut self,
        check: &mut CopyCheck<'_>,
        groups: &BTreeMap<Vec<Datum>, Vec<i64>>,
    ) -> Result<Vec<Difference>, Error> {
        let only: BTreeSet<Vec<Datum>> = groups.keys().cloned().collect();
        let mut counts = GroupCounts::new(0, usize::MAX);
        self.count_base(check, Some(&only), &mut counts)?;
        let keys: Vec<Vec<Datum>> = only.into_iter().collect();
        let mut found = Vec::new();
        for keys in keys.chunks(ROWS_AT_ONCE) {
            let rows = self.read_again(check.plan, check.plan.table, keys)?;
            if let Some(comparer) = self.comparer(check.plan) {
                found.extend(comparer.compare_groups(&rows, &mut counts));
            }
        }
        if let Some(comparer) = self.comparer(check.plan) {
            found.extend(comparer.list_absent_groups(&counts));
        }
        found.retain(|difference| match &difference.origin {
            Origin::Group(key, errors) => groups.get(key) == Some(errors),
            _ => true,
        });
        Ok(found)
    }
}

/// Why a difference is still there after its statements were run.
const fn persistence_remark(kind: DifferenceKind) -> &'static str {
    match kind {
        DifferenceKind::Missing => {
            "not mended: a deletion in the copy is newer than the row of the base; delete that one, or write it again"
        }
        _ => {
            "not mended: the copy has a newer write or deletion; if it stays, write the value of the base again"
        }
    }
}
