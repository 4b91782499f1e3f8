//! Random models with every construct of SQL: `PostgreSQL`, `SQLite` and the designed tables agree on all of them.
//!
//! An ordinary run judges a few. `HELENUS_RANDOM_MODELS=2000` judges so many (`100..200` those seeds; a single one is printed),
//! `HELENUS_RANDOM_CASSANDRA=300` proves so many on a real Cassandra as well, through the command line.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::judge::{Judgement, create_database, judge, settings};
use crate::cassandra;
use crate::print_uncaptured;
use crate::random_models::{SqlConstruct, construct_model, model};

/// The models of an ordinary run.
const MODELS: u64 = 300;

/// One model of so many is of the other generator, which knows more forms of queries.
const PLAIN_EVERY: u64 = 8;

/// Models that are judged at a time.
const MODELS_AT_ONCE: usize = 2;

/// At least so many of a hundred models must be accepted.
const ACCEPTED_LEAST: u64 = 95;

/// A model that takes longer is named.
const SLOW: Duration = Duration::from_secs(20);

/// What came of many models.
#[derive(Default)]
struct RandomTally {
    agreed: u64,
    steps: usize,
    refused: u64,
    /// The rules of the refusals.
    rules: BTreeMap<String, u64>,
    constructs: BTreeMap<SqlConstruct, u64>,
    wrong: BTreeMap<u64, String>,
}

impl RandomTally {
    fn add(&mut self, seed: u64, used: &[SqlConstruct], judgement: Judgement, text: &str) {
        let why = match judgement {
            Judgement::Agreement(steps) => {
                self.agreed += 1;
                self.steps += steps;
                for construct in used {
                    *self.constructs.entry(*construct).or_default() += 1;
                }
                return;
            }
            Judgement::Refused(why) => {
                for rule in why.lines().filter_map(|line| line.split(':').next()) {
                    *self.rules.entry(rule.to_owned()).or_default() += 1;
                }
                self.refused += 1;
                return;
            }
            Judgement::Unproven(why) => format!("not proven: {why}"),
            Judgement::Schema(why) | Judgement::Difference(why) => why,
        };
        // A long run shows at once what it finds.
        print_uncaptured(&format!("random models: seed {seed}: {why}"));
        self.wrong.insert(seed, format!("seed {seed}: {why}\n{text}"));
    }
}

/// The model of a seed and the constructs it uses.
fn draw_model(seed: u64) -> (String, Vec<SqlConstruct>) {
    if seed % PLAIN_EVERY == PLAIN_EVERY - 1 {
        return (model(seed), Vec::new());
    }
    let drawn = construct_model(seed);
    (drawn.text, drawn.used.into_iter().collect())
}

/// The seeds of a run: a count, or a range.
fn read_seeds(variable: &str) -> Option<std::ops::Range<u64>> {
    let wanted = std::env::var(variable).ok()?;
    Some(match wanted.split_once("..") {
        Some((first, last)) => first.parse().ok()?..last.parse().ok()?,
        None => 0..wanted.parse().ok()?,
    })
}

#[test]
fn random_models_mean_what_postgres_says() {
    let wanted = read_seeds("HELENUS_RANDOM_MODELS");
    let seeds = wanted.clone().unwrap_or(0..MODELS);
    let cluster = super::cluster();
    let (next, tally) = (AtomicU64::new(seeds.start), Mutex::new(RandomTally::default()));
    std::thread::scope(|scope| {
        for _ in 0..MODELS_AT_ONCE {
            scope.spawn(|| {
                let database = cluster.map(|cluster| (cluster, create_database(cluster)));
                let place = database.as_ref().map(|(cluster, name)| (*cluster, name.as_str()));
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        break;
                    }
                    let (text, used) = draw_model(seed);
                    if wanted.is_none() && used.is_empty() {
                        continue;
                    }
                    if seeds.end - seeds.start == 1 {
                        print_uncaptured(&text);
                    }
                    let options = design::Options::default();
                    let start = Instant::now();
                    let judgement = judge(place, &text, &options, settings(seed));
                    if start.elapsed() > SLOW {
                        let time = start.elapsed().as_secs();
                        print_uncaptured(&format!("random models: seed {seed} took {time} s"));
                    }
                    tally.lock().expect("no thread panics").add(seed, &used, judgement, &text);
                }
            });
        }
    });
    let tally = tally.into_inner().expect("no thread panicked");
    report(&tally, &seeds);
    let unused: Vec<_> =
        SqlConstruct::ALL.iter().filter(|it| !tally.constructs.contains_key(it)).collect();
    let wrong: Vec<_> = tally.wrong.values().map(String::as_str).collect();
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(wanted.is_some() || unused.is_empty(), "never used: {unused:?}");
    let judged = tally.agreed + tally.refused;
    assert!(tally.agreed * 100 >= judged * ACCEPTED_LEAST, "{} of {judged} agree", tally.agreed);
}

fn report(tally: &RandomTally, seeds: &std::ops::Range<u64>) {
    print_uncaptured(&format!(
        "random models {seeds:?}: {} agree in {} reads and writes, {} refused {:?}, {} wrong\n{:?}",
        tally.agreed,
        tally.steps,
        tally.refused,
        tally.rules,
        tally.wrong.len(),
        tally.constructs
    ));
}

/// The long form: random models on a real node, through the command line.
#[test]
fn random_models_are_proven_on_cassandra() {
    let Some(seeds) = read_seeds("HELENUS_RANDOM_CASSANDRA") else { return };
    let Some(address) = cassandra::node() else { return };
    let folder = std::env::temp_dir().join(format!("helenus-random-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (mut passed, mut refused, mut wrong) = (0, 0, Vec::new());
    for seed in seeds {
        let (text, _) = draw_model(seed);
        if model::sql::read(&text, "random").is_err() {
            refused += 1;
            continue;
        }
        let file = folder.join(format!("random{seed}.sql"));
        std::fs::write(&file, &text).expect("a file");
        let output = Command::new(env!("CARGO_BIN_EXE_helenus"))
            .args(["design", "--on", &address.to_string(), "--prove", "300", "--seed"])
            .arg(seed.to_string())
            .arg(&file)
            .output()
            .expect("the command runs");
        let said = String::from_utf8_lossy(&output.stdout);
        let proof = said.lines().find(|line| line.starts_with("proof: ")).unwrap_or("no proof");
        // A file that no design serves within the limits is bad input, not a failed proof.
        if proof.starts_with("proof: passed") {
            passed += 1;
        } else if output.status.code() == Some(2) && proof == "no proof" {
            refused += 1;
        } else {
            let heard = String::from_utf8_lossy(&output.stderr);
            wrong.push(format!("seed {seed}: {proof}\n{heard}\n{text}"));
        }
    }
    // Nothing depends on whether the folder is gone.
    let _ = std::fs::remove_dir_all(&folder);
    print_uncaptured(&format!(
        "random models on Cassandra: {passed} proven, {refused} refused, {} wrong",
        wrong.len()
    ));
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n\n"));
}
