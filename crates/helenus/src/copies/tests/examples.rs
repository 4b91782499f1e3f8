//! Every example: no findings where all copies agree, and one for each row that is removed.

use cluster::Connection;

use super::*;
use crate::copies::difference::DifferenceKind;
use crate::copies::mended_table::{ExpectedCell, MendedTable, literal};
use crate::copies::stored_definitions::{parse_design, to_json};
use crate::copies::verification_plan::CopyKind;
use crate::proof::run_on_local_server;

/// One in so many of the examples is verified in every run; `HELENUS_PUBLISHED=1` verifies all.
const EXAMPLES_EVERY: usize = 6;

#[derive(Debug, Default)]
struct Totals {
    models: usize,
    copies: usize,
    unverified: usize,
    rows: u64,
    expected: u64,
    damaged: usize,
    empty: usize,
}

#[test]
fn examples_are_verified() {
    let is_all = std::env::var_os("HELENUS_PUBLISHED").is_some();
    let wanted = std::env::var("HELENUS_EXAMPLE").ok();
    let mut files = Vec::new();
    for folder in ["", "seeds", "reference", "stories", "published", "nose"] {
        let entries = std::fs::read_dir(examples_folder().join(folder)).expect("a folder");
        files.extend(entries.flatten().map(|entry| entry.path()));
    }
    files.retain(|path| path.extension().is_some_and(|ending| ending == "sql"));
    files.sort();
    assert!(files.len() > 80, "{}", files.len());
    let mut totals = Totals::default();
    for (at, path) in files.iter().enumerate() {
        let is_wanted = match &wanted {
            Some(wanted) => path.to_string_lossy().contains(wanted.as_str()),
            None => is_all || at % EXAMPLES_EVERY == 0,
        };
        if is_wanted {
            verify_example(path, &mut totals);
        }
    }
    assert!(totals.damaged > 0, "{totals:?}");
}

fn verify_example(path: &Path, totals: &mut Totals) {
    let (model, design) = read_example(path);
    let definitions = Definitions::from_design(&model, &design);
    let plan = VerificationPlan::new(&definitions);
    let stored = serde_json::json!({ "copies": to_json(&definitions) }).to_string();
    let stored = VerificationPlan::new(&parse_design(&stored).expect("it can be read again"));
    assert_eq!(format!("{:?}", stored.roles), format!("{:?}", plan.roles), "{}", path.display());
    let done = run_on_local_server(|access, keyspace, server| {
        let (rows, _) = populate(&model, &design, server)?;
        let connection = Connection::open(access).expect("the server answers");
        let mut stage = Stage { definitions: &definitions, keyspace, connection };
        let report = stage.verify(&[], false);
        assert_eq!(report.count_found(), 0, "{}: {:#?}", path.display(), report.copies);
        totals.models += 1;
        totals.copies += report.copies.len();
        totals.unverified += report.unverified.len();
        totals.rows += rows;
        totals.expected += report.copies.iter().map(|copy| copy.expected_rows).sum::<u64>();
        for (at, copy) in plan.copies().into_iter().enumerate() {
            let is_damaged = stage.damage(copy, at);
            totals.damaged += usize::from(is_damaged);
            totals.empty += usize::from(!is_damaged);
        }
        Ok(())
    });
    done.expect("the server runs")
        .unwrap_or_else(|failure| panic!("{}: {failure:?}", path.display()));
}

impl Stage<'_> {
    /// Removes or changes a row of a copy and checks that just that is found, and mended where it
    /// can be. Returns false where the copy has no row for it.
    fn damage(&mut self, plan: &CopyPlan, at: usize) -> bool {
        let definitions = self.definitions;
        let table = &definitions.tables[plan.table];
        let rows = self.rows(table);
        let Some(row) = rows.get((at * 7 + 3) % rows.len().max(1)).cloned() else { return false };
        let mended = MendedTable { keyspace: self.keyspace, table };
        let key = mended.key_texts(&row.key, false);
        let condition: Vec<_> =
            key.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let condition = condition.join(" AND ");
        let name = format!("{}.{}", self.keyspace, cql::printer::identifier(&table.name));
        let mut restoration = None;
        let expected = match plan.kind {
            CopyKind::Rows => {
                self.run(&format!("DELETE FROM {name} WHERE {condition}"));
                DifferenceKind::Missing
            }
            CopyKind::Counters => {
                let counter = table.columns.last().expect("a counter").name.clone();
                let counter = cql::printer::identifier(&counter);
                self.run(&format!("UPDATE {name} SET {counter} = {counter} + 3 WHERE {condition}"));
                DifferenceKind::Counter
            }
            CopyKind::Ends => {
                let time = row.newest_write().timestamp.expect("it has a time");
                self.run(&format!("DELETE FROM {name} USING TIMESTAMP {time} WHERE {condition}"));
                DifferenceKind::BucketEnd
            }
            CopyKind::Columns => {
                let keys = row.key.len();
                let is_set = |position: &&usize| {
                    let cell = row.cells.get(**position - keys);
                    let column = &table.columns[**position];
                    cell.is_some_and(|it| it.value.is_some())
                        && column.role == model::plan::ColumnRole::Regular
                };
                let Some(position) = plan.compared.iter().find(is_set) else { return false };
                let value = literal(&table.columns[*position], &row.cells[*position - keys].value);
                let column = cql::printer::identifier(&table.columns[*position].name);
                self.run(&format!("DELETE {column} FROM {name} WHERE {condition}"));
                restoration =
                    Some(format!("UPDATE {name} SET {column} = {value} WHERE {condition}"));
                DifferenceKind::Different
            }
        };
        let report = self.verify_table(&table.name, false);
        let found: Vec<_> = report.differences.iter().map(|it| (it.kind, it.key.clone())).collect();
        assert_eq!(found, [(expected, key)], "{report:#?}");
        match expected {
            DifferenceKind::Counter | DifferenceKind::BucketEnd => return true,
            DifferenceKind::Missing => self.rewrite_base(plan, &report),
            _ => {}
        }
        if let Some(restoration) = restoration {
            // The deletion is newer than the value in the base, and may be what is right.
            let report = self.verify_table(&table.name, true);
            assert_eq!((report.count_found(), report.count_mended()), (1, 0), "{report:#?}");
            self.run(&restoration);
            return true;
        }
        let report = self.verify_table(&table.name, true);
        assert_eq!((report.count_found(), report.count_mended()), (1, 1), "{report:#?}");
        let report = self.verify_table(&table.name, false);
        assert_eq!(report.count_found(), 0, "{report:#?}");
        true
    }

    /// Writes the row of the base again: a deletion in the copy that is newer hides what is mended.
    fn rewrite_base(&mut self, plan: &CopyPlan, report: &CopyReport) {
        let definitions = self.definitions;
        let base = &definitions.tables[plan.base.table];
        let origin = report.differences.first().map(|it| it.origin.clone());
        let Some(crate::copies::difference::Origin::Base(key)) = origin else {
            panic!("{report:#?}")
        };
        let row = self.rows(base).into_iter().find(|row| row.key == key).expect("the base has it");
        let written = WriteTime { timestamp: Some(now_micros()), ttl: None };
        let columns = base.columns.iter().filter(|column| !column.is_key());
        let cells: Vec<_> = columns
            .zip(&row.cells)
            .map(|(column, cell)| ExpectedCell { column, value: cell.value.clone(), written })
            .collect();
        let mended = MendedTable { keyspace: self.keyspace, table: base };
        for statement in mended.insert(&key, &cells, written) {
            self.run(&statement);
        }
    }
}
