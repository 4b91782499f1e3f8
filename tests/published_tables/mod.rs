//! The reference cases: published models, and the tables that their authors drew for each query.
//!
//! `examples/{seeds,reference,published,stories}` hold the models; beside this file, under the same names, stand the
//! tables, written from the published sources and never from what we print. Keys must be the same column for column, or
//! the query stands in `examples/DIFFERENCES.md` with both keys and the reason.

mod design_notation;
mod difference;
mod notation;

use std::collections::BTreeSet;
use std::fs;

use difference::KnownDifference;
use model::id::IdList;

use crate::examples::{Example, design, examples, load_published, root};
use notation::PublishedTable;

/// Of the reference queries at most one in so many may differ.
const QUERIES_PER_DIFFERENCE_MIN: usize = 8;

#[test]
fn tables_are_the_published_ones_or_listed() {
    let listed = difference::read_differences();
    let mut wrong = Vec::new();
    let mut met = BTreeSet::new();
    let with_tables = examples().into_iter().filter(|example| example.name.contains('/'));
    for example in &with_tables.chain(load_published()).collect::<Vec<_>>() {
        for finding in compare(example) {
            let place = format!("{}: {}", example.name, finding.query);
            let line = listed.iter().find(|line| line.is_about(&example.name, &finding.query));
            met.extend(line.map(|line| (line.file.clone(), line.query.clone())));
            wrong.extend(disagreement(&finding, line).map(|text| format!("{place}: {text}")));
        }
    }
    let stale =
        listed.iter().filter(|line| !met.contains(&(line.file.clone(), line.query.clone())));
    wrong.extend(stale.map(|line| {
        format!("DIFFERENCES.md lists {}: {}, which has no expectation", line.file, line.query)
    }));
    assert!(wrong.is_empty(), "{} disagree:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn few_reference_queries_differ() {
    let queries: usize = examples()
        .iter()
        .filter(|example| example.name.starts_with("reference/"))
        .map(|example| expectations(example).iter().filter(|line| !line.columns.is_empty()).count())
        .sum();
    let different = difference::read_differences()
        .iter()
        .filter(|line| line.file.starts_with("reference/"))
        .count();
    assert!(
        different * QUERIES_PER_DIFFERENCE_MIN <= queries,
        "{different} of {queries} reference queries differ"
    );
}

/// Under 50 ms each when optimised; this is far more than the difference that a debug build makes.
#[test]
fn designs_take_no_time() {
    for example in examples().into_iter().chain(load_published()) {
        let started = std::time::Instant::now();
        design(&example, &design::Options::for_method());
        let taken = started.elapsed();
        assert!(taken.as_millis() < 2_000, "{} took {taken:?}", example.name);
    }
}

/// What was published for a query and what we design for it.
struct TableComparison {
    query: String,
    published: String,
    ours: String,
    /// The same key, statics and counters.
    same: bool,
    /// What the query returns and the table does not hold; or what the published table holds and ours does not.
    missing: Vec<String>,
}

/// What is wrong with a finding, given its line in the list of differences.
fn disagreement(finding: &TableComparison, line: Option<&KnownDifference>) -> Option<String> {
    let TableComparison { published, ours, missing, .. } = finding;
    if !missing.is_empty() {
        return Some(format!("ours lacks {}: {ours}", missing.join(", ")));
    }
    match line {
        None if finding.same => None,
        None => Some(format!("\n  published {published}\n  ours      {ours}")),
        Some(_) if finding.same => Some("listed as a difference, and is none".to_owned()),
        Some(line) if line.published != *published || line.ours != *ours => Some(format!(
            "the list has\n  {}\n  {}\n where it should have\n  {published}\n  {ours}",
            line.published, line.ours
        )),
        Some(_) => None,
    }
}

/// Compares the tables of an example with the published ones.
fn compare(example: &Example) -> Vec<TableComparison> {
    let designed = design(example, &design::Options { rules_only: true, ..Default::default() });
    let expectations = expectations(example);
    let reads = &example.model.workload.reads;
    for line in &expectations {
        assert!(
            reads.iter().any(|read| read.name == line.query),
            "{}: {} is expected and not asked",
            example.name,
            line.query
        );
    }
    let mut findings = Vec::new();
    for (at, read) in reads.enumerate_ids() {
        let expected = expectations.iter().find(|line| line.query == read.name);
        let expected = expected
            .unwrap_or_else(|| panic!("{}: {} has no expectation", example.name, read.name));
        if expected.columns.is_empty() {
            continue;
        }
        let ours = design_notation::table(&designed, at);
        findings.push(TableComparison {
            query: read.name.clone(),
            published: expected.key(),
            ours: ours.map_or("no table".to_owned(), |table| design_notation::key(table, expected)),
            same: ours.is_some_and(|table| expected.matches(table)),
            missing: ours.map_or(Vec::new(), |table| {
                let mut missing =
                    design_notation::missing_outputs(&designed, &example.model.concept, read, at);
                missing.extend(expected.missing_columns(table));
                missing
            }),
        });
    }
    findings
}

/// The published tables for an example's queries.
fn expectations(example: &Example) -> Vec<PublishedTable> {
    let path = root().join("tests/published_tables").join(format!("{}.txt", example.name));
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            PublishedTable::read(line).unwrap_or_else(|e| panic!("{}: {line}: {e}", path.display()))
        })
        .collect()
}
