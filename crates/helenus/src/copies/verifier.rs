//! Verifies the copies of a design: finds rows that may differ, compares them a second time after a
//! while, and mends them.
//!
//! A write of the application that is under way makes rows differ for a moment. So a difference is
//! only a candidate, known by the row of the base or of the copy that it was found with, until both
//! are read again, at least the time to settle later.

use std::collections::BTreeSet;
use std::thread;
use std::time::{Duration, Instant};

use cluster::{Connection, Error};
use model::id::IdList;
use sim::Datum;

use super::confirmation::Candidates;
use super::definitions::Definitions;
use super::difference::{Difference, Origin};
use super::entity_join::TableAccess;
use super::group_count::GroupCounts;
use super::report::{BaseReport, CopyReport, VerificationReport};
use super::row_comparison::RowComparer;
use super::table_reader::TableReader;
use super::verification_plan::{CopyKind, CopyPlan, TableRole, VerificationPlan};

/// Candidates of a table that are kept before they are compared again.
const CANDIDATES_MAX: usize = 10_000;

/// What is verified, and how.
#[derive(Clone, Debug)]
pub(crate) struct VerificationOptions {
    /// The keyspace of the tables.
    pub(crate) keyspace: String,
    /// The tables to verify; all where there are none.
    pub(crate) tables: Vec<String>,
    /// Whether differences are mended.
    pub(crate) is_mending: bool,
    /// The time after which rows that differ are compared again.
    pub(crate) settle: Duration,
    /// Differences of each table that the report keeps.
    pub(crate) kept: usize,
    /// Groups of counters that are kept in memory.
    pub(crate) groups_max: usize,
}

/// How far a verification has got.
pub(crate) type ShowProgress<'a> = &'a mut dyn FnMut(&str, u64, u64);

/// Verifies copies on a cluster.
pub(crate) fn verify(
    definitions: &Definitions,
    connection: &mut Connection,
    options: &VerificationOptions,
    progress: ShowProgress<'_>,
) -> Result<VerificationReport, Error> {
    let plan = VerificationPlan::new(definitions);
    let readers: Vec<TableReader> =
        definitions.tables.iter().map(|table| TableReader::new(&options.keyspace, table)).collect();
    let is_wanted = |copy: &&CopyPlan| is_selected(options, definitions.table_name(copy.table));
    let copies: Vec<&CopyPlan> = plan.copies().into_iter().filter(is_wanted).collect();
    let total = copies.len() as u64 * 100;
    let mut verifier = Verifier { definitions, connection, options, readers: &readers };
    let mut checks = Vec::new();
    for (at, copy) in copies.iter().enumerate() {
        let name = definitions.table_name(copy.table);
        let mut show = |percent: u64| progress(name, at as u64 * 100 + percent, total);
        checks.push(verifier.check(copy, &mut show)?);
    }
    for check in &mut checks {
        verifier.settle(check)?;
    }
    let reports = checks.into_iter().map(|check| (check.plan.table, check.report));
    let mut reports: Vec<_> = reports.collect();
    reports.sort_by_key(|(table, _)| *table);
    Ok(VerificationReport {
        keyspace: options.keyspace.clone(),
        is_mending: options.is_mending,
        bases: list_bases(definitions, &plan, &copies),
        copies: reports.into_iter().map(|(_, report)| report).collect(),
        unverified: list_unverified(definitions, &plan, options),
    })
}

fn is_selected(options: &VerificationOptions, name: &str) -> bool {
    options.tables.is_empty() || options.tables.iter().any(|table| table == name)
}

fn list_bases(
    definitions: &Definitions,
    plan: &VerificationPlan,
    copies: &[&CopyPlan],
) -> Vec<BaseReport> {
    let bases = plan.bases.iter().map(|base| {
        let table = base.table.table;
        BaseReport {
            entity: definitions.entity_name(base.entity).to_owned(),
            table: definitions.table_name(table).to_owned(),
            reason: base.reason.clone(),
            has_copies: copies.iter().any(|copy| {
                copy.base.table == table && copy.kind != CopyKind::Columns
                    || copy.lookups.iter().flatten().any(|lookup| lookup.table == table)
            }),
        }
    });
    bases.collect()
}

/// The tables and columns that are not compared.
fn list_unverified(
    definitions: &Definitions,
    plan: &VerificationPlan,
    options: &VerificationOptions,
) -> Vec<(String, String)> {
    let mut unverified = Vec::new();
    for (table, role) in definitions.tables.iter().zip(&plan.roles) {
        if !is_selected(options, &table.name) {
            continue;
        }
        match role {
            TableRole::Base => {}
            TableRole::Unverified(reason) => unverified.push((table.name.clone(), reason.clone())),
            TableRole::Copy(copy) => {
                let columns = copy.skipped.iter();
                unverified.extend(columns.map(|(column, reason)| {
                    (format!("{}.{column}", table.name), format!("it is {reason}"))
                }));
            }
        }
    }
    unverified
}

/// A verification on a cluster.
pub(super) struct Verifier<'a> {
    pub(super) definitions: &'a Definitions,
    pub(super) connection: &'a mut Connection,
    pub(super) options: &'a VerificationOptions,
    pub(super) readers: &'a [TableReader],
}

/// The verification of one copy.
pub(super) struct CopyCheck<'p> {
    pub(super) plan: &'p CopyPlan,
    pub(super) candidates: Candidates,
    pub(super) report: CopyReport,
}

impl Verifier<'_> {
    /// The comparer of a copy.
    pub(super) fn comparer<'s, 'p>(
        &'s mut self,
        plan: &'p CopyPlan,
    ) -> Option<RowComparer<'p, 's>> {
        let definitions = self.definitions;
        let table = definitions.tables.member(plan.table)?;
        let access =
            TableAccess { definitions, connection: self.connection, readers: self.readers };
        Some(RowComparer { access, keyspace: &self.options.keyspace, plan, table })
    }

    /// Finds the candidates of a copy.
    fn check<'p>(
        &mut self,
        plan: &'p CopyPlan,
        show: &mut dyn FnMut(u64),
    ) -> Result<CopyCheck<'p>, Error> {
        let name = |table| self.definitions.table_name(table).to_owned();
        let lookups: BTreeSet<_> = plan.lookups.iter().flatten().map(|it| name(it.table)).collect();
        let report = CopyReport {
            table: name(plan.table),
            content: plan.kind.content(),
            base: name(plan.base.table),
            lookups: lookups.into_iter().collect(),
            ..CopyReport::default()
        };
        let mut check = CopyCheck { plan, candidates: Candidates::default(), report };
        if plan.kind != CopyKind::Counters {
            self.compare_base(&mut check, &mut |percent| show(percent / 2))?;
        }
        match plan.kind {
            CopyKind::Rows if plan.is_reversible => {
                self.search_orphans(&mut check, &mut |percent| show(50 + percent / 2))?;
            }
            CopyKind::Rows | CopyKind::Counters => self.compare_groups(&mut check)?,
            // The rows of a base are not copies, and recorded ends may outlive their rows.
            CopyKind::Columns | CopyKind::Ends => {}
        }
        Ok(check)
    }

    /// Compares all rows of the base with the copy.
    fn compare_base(
        &mut self,
        check: &mut CopyCheck<'_>,
        show: &mut dyn FnMut(u64),
    ) -> Result<(), Error> {
        let readers = self.readers;
        let Some(reader) = readers.get(check.plan.base.table.index()) else { return Ok(()) };
        let mut scan = reader.scan();
        while let Some(rows) = scan.next_rows(self.connection)? {
            show(scan.percent());
            check.report.base_rows += rows.len() as u64;
            let Some(mut comparer) = self.comparer(check.plan) else { return Ok(()) };
            let compared = comparer.compare(&rows)?;
            check.report.expected_rows += compared.rows;
            self.add_candidates(check, compared.differences)?;
        }
        Ok(())
    }

    /// Looks up the base of all rows of the copy.
    fn search_orphans(
        &mut self,
        check: &mut CopyCheck<'_>,
        show: &mut dyn FnMut(u64),
    ) -> Result<(), Error> {
        let readers = self.readers;
        let Some(reader) = readers.get(check.plan.table.index()) else { return Ok(()) };
        let mut scan = reader.scan();
        while let Some(rows) = scan.next_rows(self.connection)? {
            show(scan.percent());
            check.report.copy_rows += rows.len() as u64;
            let Some(mut comparer) = self.comparer(check.plan) else { return Ok(()) };
            let orphans = comparer.find_orphans(&rows)?;
            self.add_candidates(check, orphans)?;
        }
        Ok(())
    }

    /// Counts the groups of the base and compares them with all rows of the copy.
    fn compare_groups(&mut self, check: &mut CopyCheck<'_>) -> Result<(), Error> {
        let readers = self.readers;
        let Some(copy) = readers.get(check.plan.table.index()) else { return Ok(()) };
        let is_counter = check.plan.kind == CopyKind::Counters;
        let mut first = Some(0);
        let mut is_first_pass = true;
        while let Some(from) = first {
            let mut counts = GroupCounts::new(from, self.options.groups_max);
            let base_rows = self.count_base(check, None, &mut counts)?;
            if is_first_pass && is_counter {
                check.report.base_rows = base_rows;
            }
            check.report.expected_rows += if is_counter { counts.len() as u64 } else { 0 };
            let mut scan = copy.scan();
            while let Some(rows) = scan.next_rows(self.connection)? {
                if is_first_pass {
                    check.report.copy_rows += rows.len() as u64;
                }
                let Some(comparer) = self.comparer(check.plan) else { return Ok(()) };
                let found = comparer.compare_groups(&rows, &mut counts);
                self.add_candidates(check, found)?;
            }
            if let Some(comparer) = self.comparer(check.plan) {
                let absent = comparer.list_absent_groups(&counts);
                self.add_candidates(check, absent)?;
            }
            first = counts.next_first();
            is_first_pass = false;
        }
        Ok(())
    }

    /// Adds all rows of the base to their groups; of all keys, or of these. Returns their number.
    pub(super) fn count_base(
        &mut self,
        check: &mut CopyCheck<'_>,
        only: Option<&BTreeSet<Vec<Datum>>>,
        counts: &mut GroupCounts,
    ) -> Result<u64, Error> {
        let readers = self.readers;
        let Some(reader) = readers.get(check.plan.base.table.index()) else { return Ok(0) };
        let mut scan = reader.scan();
        let mut count = 0;
        while let Some(rows) = scan.next_rows(self.connection)? {
            count += rows.len() as u64;
            let Some(mut comparer) = self.comparer(check.plan) else { break };
            let dangling = comparer.count_groups(&rows, only, counts)?;
            if check.plan.kind == CopyKind::Counters {
                check.candidates.add(dangling);
            }
        }
        Ok(count)
    }

    /// Notes candidates; where they are many, they are compared again at once.
    fn add_candidates(
        &mut self,
        check: &mut CopyCheck<'_>,
        differences: Vec<Difference>,
    ) -> Result<(), Error> {
        let origins: Vec<Origin> = differences.into_iter().map(|it| it.origin).collect();
        check.candidates.add(origins);
        if check.candidates.len() >= CANDIDATES_MAX { self.settle(check) } else { Ok(()) }
    }

    /// Compares the candidates of a copy again, once they had the time to settle, and mends them.
    fn settle(&mut self, check: &mut CopyCheck<'_>) -> Result<(), Error> {
        let Some(last) = check.candidates.last_found() else { return Ok(()) };
        let is_over = Instant::now().saturating_duration_since(last);
        thread::sleep(self.options.settle.saturating_sub(is_over));
        for difference in self.confirm(check)? {
            check.report.add(difference, self.options.kept);
        }
        Ok(())
    }
}
