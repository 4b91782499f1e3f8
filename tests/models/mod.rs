//! Random model files: tables, references, volumes, queries and writes of every kind. Whatever they say, a design comes out
//! and the binder accepts every statement of it.
//!
//! `HELENUS_MODELS=first..last` looks at those seeds instead.

mod query;
mod schema;
mod write;

use std::fmt::Write;

use design::Options;
use model::plan::{Design, WriteStep};
use model::sql::ModelFile;

use crate::binder;
use crate::random::Rng;
use crate::verdict::Manner;

/// The seeds of an ordinary run.
const SEEDS: std::ops::Range<u64> = 0..250;

/// One model of so many is also searched for its cheapest design.
const SEARCHED: u64 = 5;

/// Seeds that failed once.
const FAILED: [u64; 4] = [620, 859, 971, 2099];

#[test]
fn designs_of_random_models_are_accepted() {
    let (mut designed, mut failures) = (0, Vec::new());
    for seed in seeds() {
        let text = model(seed);
        // A model may contradict itself (a counter that is also set), and is refused then; most do not.
        let Ok(file) = model::sql::read(&text, "random") else { continue };
        designed += 1;
        let by_rules = Options { rules_only: true, ..Options::default() };
        let searched = (seed % SEARCHED == 0).then(Options::default);
        for options in [by_rules, Options::of_method()].into_iter().chain(searched) {
            let design = design::design(&file.concept, &file.workload, &options);
            failures.extend(refused(&file, &design).map(|it| format!("seed {seed}: {it}\n{text}")));
        }
    }
    let seeds = seeds().len();
    assert!(designed * 10 > seeds * 8, "only {designed} of {seeds} models were read");
    let heads: Vec<_> = failures.iter().filter_map(|failure| failure.lines().next()).collect();
    assert!(heads.is_empty(), "{}\n\nthe first:\n{}", heads.join("\n"), failures[0]);
}

fn seeds() -> Vec<u64> {
    let wanted = std::env::var("HELENUS_MODELS").ok();
    let range = wanted.as_deref().and_then(|wanted| {
        let (first, last) = wanted.split_once("..")?;
        Some(first.parse().ok()?..last.parse().ok()?)
    });
    range.map_or_else(|| SEEDS.chain(FAILED).collect(), Iterator::collect)
}

/// The model file of a seed.
pub(crate) fn model(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let tables = schema::tables(&mut rng);
    let mut text = String::new();
    for table in &tables {
        schema::declare(&mut rng, &tables, table, &mut text);
    }
    for number in 0..=rng.below(3) {
        let query = query::query(&mut rng, &tables);
        let _ = writeln!(text, "-- name: Query{number} {query};");
    }
    for number in 0..rng.below(4) {
        let write = write::write(&mut rng, &tables);
        let _ = writeln!(text, "-- name: Write{number} {write};");
    }
    text
}

/// The first statement of a design that the binder refuses, or that has another number of operands than of `?`.
fn refused(file: &ModelFile, design: &Design) -> Option<String> {
    let mut session = binder::Session::new();
    let keyspace = design::create_statements::keyspace(&file.concept);
    let keyspace = keyspace.split_once(" WITH ").map_or(keyspace.as_str(), |(name, _)| name);
    let one = "replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";
    let mut verdict = |text: &str, prepare: bool| {
        let manner = Manner { prepare, ..Manner::default() };
        let refusal = session.verdict(text, manner).refusal;
        refusal.map(|(_, message)| format!("{message}\n{text}"))
    };
    let first = [format!("{keyspace} WITH {one}"), "USE random".to_owned()];
    for text in first.into_iter().chain(design::create_statements::tables(design)) {
        if let Some(refusal) = verdict(&text, false) {
            return Some(refusal);
        }
    }
    statements(design).into_iter().find_map(|(cql, operands)| {
        if cql.matches('?').count() != operands {
            return Some(format!("{operands} operands\n{cql}"));
        }
        verdict(cql, true)
    })
}

/// All statements of a design, with the number of their operands.
fn statements(design: &Design) -> Vec<(&str, usize)> {
    let reads = design.reads.iter().flat_map(|plan| &plan.steps);
    let mut found: Vec<_> = reads.map(|step| (step.cql.as_str(), step.operands.len())).collect();
    for step in design.writes.iter().flat_map(|plan| &plan.steps) {
        match step {
            WriteStep::Read(step, _) => found.push((&step.cql, step.operands.len())),
            WriteStep::Statement(sent) => found.push((&sent.cql, sent.operands.len())),
            WriteStep::Batch { statements, .. } => {
                found.extend(statements.iter().map(|sent| (&*sent.cql, sent.operands.len())));
            }
        }
    }
    found
}
