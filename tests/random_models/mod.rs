//! Random model files: tables, references, volumes, queries and writes of every kind. Whatever they say, a design comes out
//! and the binder accepts every statement of it, with the types of its markers as the plan says them.
//!
//! `HELENUS_MODELS=first..last` looks at those seeds instead.

mod constructs;
mod query;
mod schema;
mod write;

pub(crate) use self::constructs::{SqlConstruct, construct_model};

use std::fmt::Write;

use design::Options;
use model::id::TableId;
use model::plan::{Design, PlannedTable, Receiver, StatementText, WriteStep};
use model::sql::ModelFile;

use crate::binder;
use crate::protocol::spell_type;
use crate::rng::Rng;
use crate::verdict::RunMode;

/// The seeds of an ordinary run.
const SEEDS: std::ops::Range<u64> = 0..250;

/// One model of so many is also searched for its cheapest design.
const SEARCH_EVERY: u64 = 5;

/// Seeds that failed once.
const REGRESSION_SEEDS: [u64; 4] = [620, 859, 971, 2099];

#[test]
fn designs_of_random_models_are_accepted() {
    let (mut designed, mut failures) = (0, Vec::new());
    for seed in seeds() {
        let text = model(seed);
        // A model may contradict itself (a counter that is also set), and is refused then; most do not.
        let Ok(file) = model::sql::read(&text, "random") else { continue };
        designed += 1;
        let by_rules = Options { rules_only: true, ..Options::default() };
        let searched = (seed % SEARCH_EVERY == 0).then(Options::default);
        for options in [by_rules, Options::for_method()].into_iter().chain(searched) {
            let design = design::design(&file.concept, &file.workload, &options);
            failures.extend(
                find_refusal(&file, &design).map(|it| format!("seed {seed}: {it}\n{text}")),
            );
        }
    }
    let seeds = seeds().len();
    assert!(designed * 10 > seeds * 8, "only {designed} of {seeds} models were read");
    let heads: Vec<_> = failures.iter().filter_map(|failure| failure.lines().next()).collect();
    assert!(heads.is_empty(), "{}\n\nthe first:\n{}", heads.join("\n"), failures[0]);
}

fn seeds() -> Vec<u64> {
    find_seeds().map_or_else(|| SEEDS.chain(REGRESSION_SEEDS).collect(), Iterator::collect)
}

/// The seeds that `HELENUS_MODELS=first..last` asks for.
pub(crate) fn find_seeds() -> Option<std::ops::Range<u64>> {
    let wanted = std::env::var("HELENUS_MODELS").ok()?;
    let (first, last) = wanted.split_once("..")?;
    Some(first.parse().ok()?..last.parse().ok()?)
}

/// The model file of a seed.
pub(crate) fn model(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let tables = schema::tables(&mut rng);
    let mut text = String::new();
    for table in &tables {
        schema::declare(&mut rng, &tables, table, &mut text);
    }
    let mut sorted = Vec::new();
    for number in 0..=rng.number_below(3) {
        let query = query::query(&mut rng, &tables);
        sorted.extend(query::list_sorted_columns(&query));
        let _ = writeln!(text, "-- name: Query{number} {query};");
    }
    for number in 0..rng.number_below(4) {
        let write = write::write(&mut rng, &tables, &sorted);
        let _ = writeln!(text, "-- name: Write{number} {write};");
    }
    text
}

/// The first statement of a design that the binder refuses, or whose markers have other types than the plan says.
fn find_refusal(file: &ModelFile, design: &Design) -> Option<String> {
    let mut session = binder::BinderSession::new();
    let keyspace = design::create_statements::keyspace(&file.concept);
    let keyspace = keyspace.split_once(" WITH ").map_or(keyspace.as_str(), |(name, _)| name);
    let one = "replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";
    let first = [format!("{keyspace} WITH {one}"), "USE random".to_owned()];
    for text in first.into_iter().chain(design::create_statements::tables(design)) {
        if let Some((_, message)) = session.verdict(&text, RunMode::default()).refusal {
            return Some(format!("{message}\n{text}"));
        }
    }
    let manner = RunMode { prepare: true, ..RunMode::default() };
    statements(design).into_iter().find_map(|(table, text)| {
        let verdict = session.verdict(&text.cql, manner);
        if let Some((_, message)) = verdict.refusal {
            return Some(format!("{message}\n{}", text.cql));
        }
        let bound = verdict.markers.unwrap_or_default();
        let bound = bound.split(" | key ").next().unwrap_or_default();
        let planned = markers(&design.tables[table], &text);
        (planned != bound).then(|| format!("{planned}\n{bound}\n{}", text.cql))
    })
}

/// The markers of a statement as the plan says them, spelt as verdicts are.
fn markers(table: &PlannedTable, text: &StatementText<'_>) -> String {
    let spelt = text.markers.iter().map(|marker| {
        let name = match marker.receiver {
            Receiver::Column(name) => name.to_owned(),
            Receiver::ListOf(name) => format!("in({name})"),
            Receiver::ElementOf(name) => format!("value({name})"),
            Receiver::Limit => "[limit]".to_owned(),
            Receiver::Timestamp => "[timestamp]".to_owned(),
        };
        let ty = marker.receiver.ty(table).map_or_else(String::new, |ty| spell_type(&ty));
        format!("{name} {ty}")
    });
    spelt.collect::<Vec<_>>().join(", ")
}

/// All statements of a design, with their tables.
fn statements(design: &Design) -> Vec<(TableId, StatementText<'_>)> {
    let reads = design.reads.iter().flat_map(|plan| &plan.steps);
    let mut found: Vec<_> = reads.map(|step| (step.table, step.select.text())).collect();
    for step in design.writes.iter().flat_map(|plan| &plan.steps) {
        let sent = match step {
            WriteStep::Read(step, _) => {
                found.push((step.table, step.select.text()));
                continue;
            }
            WriteStep::Statement(sent) => std::slice::from_ref(sent),
            WriteStep::Batch { statements, .. } => statements,
            WriteStep::Run(_) => &[],
        };
        found.extend(sent.iter().map(|sent| (sent.table, sent.modification.text())));
    }
    found
}
