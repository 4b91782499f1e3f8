//! The proof can fail: designs of every example, made wrong in one place, are all found out.
//!
//! An ordinary run tries some mutants of each example, by turns of its best design and of the method's; `HELENUS_FULL=1` tries
//! all of both, on top of the designs themselves, which must stand. `HELENUS_EXAMPLE=text` tries the examples whose name holds
//! the text.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use model::plan::{Design, WriteStep};
use sim::{MemoryServer, Mutant, ProofSettings, ProofSubject, refute};

use crate::binder;
use crate::examples::{Example, design, example, examples, root};
use crate::print_uncaptured;
use crate::verdict::RunMode;

/// Mutants of an example that an ordinary run tries.
const MUTANTS_TRIED: usize = 2;

/// Examples that are tried at a time.
const EXAMPLES_AT_ONCE: usize = 2;

/// Models that a full run tries as well.
const LARGE: [&str; 5] = [
    "nose/ebay",
    "nose/rubis_bidding",
    "nose/rubis_browsing",
    "nose/rubis_write_heavy",
    "nose/rubis_write_medium",
];

/// What came of the mutants of an example.
#[derive(Default)]
struct MutantResults {
    /// Made and caught, by kind.
    counts: BTreeMap<&'static str, (usize, usize)>,
    /// What is not as it must be.
    wrong: Vec<String>,
}

/// A small proof, then the one that `helenus design` makes.
fn settings() -> [ProofSettings; 2] {
    let small = ProofSettings { rows: 300, bindings: 30, writes: 120, ..ProofSettings::default() };
    [small, ProofSettings::default()]
}

fn schema(example: &Example, design: &Design) -> Vec<String> {
    let mut schema = design::create_statements::types(&example.model.concept, design);
    schema.extend(design::create_statements::tables(design));
    schema
}

/// Whether a design is found to be wrong.
fn is_refuted(example: &Example, design: &Design, settings: ProofSettings) -> bool {
    let model = &example.model;
    let schema = schema(example, design);
    let subject = ProofSubject {
        concept: &model.concept,
        workload: &model.workload,
        design,
        schema: &schema,
    };
    let mut server = MemoryServer::new(settings.now_micros).expect("a database opens");
    refute(subject, settings, &mut server)
        .unwrap_or_else(|failure| panic!("{}: {failure:?}", example.name))
}

/// A statement of a design that the binder refuses: such a mutant would be found out without a proof.
fn refusal(example: &Example, design: &Design) -> Option<String> {
    let mut session = binder::BinderSession::new();
    let keyspace =
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";
    let setup =
        [keyspace.to_owned(), "USE k".to_owned()].into_iter().chain(schema(example, design));
    let statements =
        design.reads.iter().flat_map(|plan| plan.steps.iter().map(|step| step.select.to_string()));
    let written = design.writes.iter().flat_map(|plan| &plan.steps).flat_map(|step| match step {
        WriteStep::Read(read, _) => vec![read.select.to_string()],
        WriteStep::Batch { statements, .. } => {
            statements.iter().map(|one| one.modification.to_string()).collect()
        }
        WriteStep::Statement(statement) => vec![statement.modification.to_string()],
        WriteStep::Run(_) => Vec::new(),
    });
    let prepare = RunMode { prepare: true, ..RunMode::default() };
    let all = setup.map(|text| (text, RunMode::default()));
    let mut all = all.chain(statements.chain(written).map(|text| (text, prepare)));
    all.find_map(|(text, manner)| {
        let (_, words) = session.verdict(&text, manner).refusal?;
        Some(format!("{words}: {text}"))
    })
}

/// The designs of an example: the best one found, and that of the method where it is another.
fn designs(example: &Example) -> Vec<(&'static str, Design)> {
    let [best, method] = [true, false].map(|searched| make_design(example, searched));
    let is_same = best.tables == method.tables;
    let mut designs = vec![("", best)];
    designs.extend((!is_same).then_some((" by the method", method)));
    designs
}

fn make_design(example: &Example, searched: bool) -> Design {
    let mut options = design::Options::default();
    options.search.enabled = searched;
    options.search.explain = false;
    design(example, &options)
}

/// Some of the mutants: of other kinds for each example.
fn sample(mutants: Vec<Mutant>, at: usize) -> Vec<Mutant> {
    let mut kinds: BTreeMap<&str, Vec<Mutant>> = BTreeMap::new();
    for mutant in mutants {
        kinds.entry(mutant.kind).or_default().push(mutant);
    }
    let count = kinds.len();
    let mut kinds: Vec<_> = kinds.into_values().collect();
    kinds.rotate_left(if count > 0 { at * MUTANTS_TRIED % count } else { 0 });
    let one = |mut of: Vec<Mutant>| of.swap_remove(at % of.len());
    kinds.into_iter().take(MUTANTS_TRIED).map(one).collect()
}

/// Tries the mutants of an example.
fn try_mutants(example: &Example, at: usize, full: bool) -> MutantResults {
    let mut tried = MutantResults::default();
    let designs = if full {
        designs(example)
    } else {
        vec![("", make_design(example, at.is_multiple_of(2)))]
    };
    for (how, design) in designs {
        let name = format!("{}{how}", example.name);
        let mutants = sim::build_mutants(&example.model.concept, &example.model.workload, &design);
        let mutants = if full { mutants } else { sample(mutants, at) };
        if full && settings().iter().any(|settings| is_refuted(example, &design, *settings)) {
            tried.wrong.push(format!("{name}: the design itself is refuted"));
            continue;
        }
        for mutant in mutants {
            let (made, caught) = tried.counts.entry(mutant.kind).or_default();
            *made += 1;
            if let Some(refusal) = refusal(example, &mutant.design) {
                tried.wrong.push(format!("{name}: {}: {}: {refusal}", mutant.kind, mutant.what));
            } else if settings().iter().any(|of| is_refuted(example, &mutant.design, *of)) {
                *caught += 1;
            } else {
                tried.wrong.push(format!("{name}: survives: {}: {}", mutant.kind, mutant.what));
            }
        }
    }
    tried
}

#[test]
fn mutants_are_caught() {
    let wanted = std::env::var("HELENUS_EXAMPLE").unwrap_or_default();
    let full = std::env::var_os("HELENUS_FULL").is_some();
    let mut all = examples();
    all.extend(LARGE.iter().filter(|_| full).map(|name| example(name)));
    all.retain(|example| example.name.contains(&wanted));
    let (next, results) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..EXAMPLES_AT_ONCE {
            scope.spawn(|| {
                while let Some((at, example)) = {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    all.get(at).map(|example| (at, example))
                } {
                    let tried = try_mutants(example, at, full);
                    results.lock().expect("no other thread panics").insert(at, tried);
                }
            });
        }
    });
    let mut sum = MutantResults::default();
    for (_, tried) in results.into_inner().expect("no thread panicked") {
        for (kind, (made, caught)) in tried.counts {
            let count = sum.counts.entry(kind).or_default();
            *count = (count.0 + made, count.1 + caught);
        }
        sum.wrong.extend(tried.wrong);
    }
    for (kind, (made, caught)) in &sum.counts {
        print_uncaptured(&format!("mutants: {made} made, {caught} caught: {kind}"));
    }
    let (made, caught) = sum.counts.values().fold((0, 0), |sum, of| (sum.0 + of.0, sum.1 + of.1));
    let which = if full { "all" } else { "some of each example; HELENUS_FULL=1 makes all" };
    print_uncaptured(&format!("mutants: {made} made, {caught} caught ({which})"));
    assert!(sum.wrong.is_empty(), "{}:\n{}", sum.wrong.len(), sum.wrong.join("\n"));
}

/// Models of nulls, optional references and exact numbers.
const NULL_MODELS: [&str; 5] =
    ["soft_delete", "exact_number", "optional_chain", "left_in_bulk", "is_null"];

/// The kinds of mutants that only such models have.
const NULL_KINDS: [&str; 3] =
    ["the wrong branch of a partial table", "a LEFT JOIN made inner", "an IF dropped"];

/// Models of writes that return rows.
const RETURNING_MODELS: [&str; 5] =
    ["returning", "returning_cascade", "returning_number", "returning_rows", "returning_upsert"];

/// The kinds of mutants that only such models have.
const RETURNING_KINDS: [&str; 6] = [
    "an old value returned",
    "the old number returned",
    "the old array returned",
    "a returned value forgotten",
    "a row returned that is none",
    "a returned row forgotten",
];

#[test]
fn mutants_of_nulls_are_caught() {
    try_models("nulls", &NULL_MODELS, &NULL_KINDS);
}

#[test]
fn mutants_of_returned_rows_are_caught() {
    try_models("returned rows", &RETURNING_MODELS, &RETURNING_KINDS);
}

/// Models of constraints on values.
const VALUE_MODELS: [&str; 4] = ["text_length", "number_digits", "enum_labels", "check_constraint"];

#[test]
fn mutants_of_constraints_are_caught() {
    try_models("constraints", &VALUE_MODELS, &["a check forgotten", "a rounding forgotten"]);
}

/// Models of keys, unique values and foreign keys.
const REFUSAL_MODELS: [&str; 4] =
    ["restrict", "unique_nullable", "unique_partial", "unique_several"];

/// The kinds of mutants that do not exclude a violation.
const REFUSAL_KINDS: [&str; 5] = [
    "a key not stated to be free",
    "a reference not stated to exist",
    "a row not stated to be unreferenced",
    "values not stated to be unique",
    "an IF NOT EXISTS dropped",
];

#[test]
fn mutants_of_refusals_are_caught() {
    try_models("refusals", &REFUSAL_MODELS, &REFUSAL_KINDS);
}

/// Tries the mutants of some kinds, each of which the models must have: all in a full run, else a
/// few of each.
fn try_models(what: &str, names: &[&str], kinds: &[&str]) {
    let full = std::env::var_os("HELENUS_FULL").is_some();
    let most = if full { usize::MAX } else { MUTANTS_TRIED };
    let mut sum = MutantResults::default();
    for name in names {
        let path = root().join(format!("tests/postgres/models/{name}.sql"));
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let model = model::sql::read(&text, name).expect("the model is right");
        let example = Example { name: (*name).to_owned(), model };
        for (how, design) in designs(&example) {
            let model = &example.model;
            let mutants = sim::build_mutants(&model.concept, &model.workload, &design);
            let mut tried: BTreeMap<&str, usize> = BTreeMap::new();
            for mutant in mutants.into_iter().filter(|it| kinds.contains(&it.kind)) {
                let of_kind = tried.entry(mutant.kind).or_default();
                *of_kind += 1;
                if *of_kind > most {
                    continue;
                }
                let (made, caught) = sum.counts.entry(mutant.kind).or_default();
                *made += 1;
                if settings().iter().any(|of| is_refuted(&example, &mutant.design, *of)) {
                    *caught += 1;
                } else {
                    sum.wrong.push(format!("{name}{how}: {}: {}", mutant.kind, mutant.what));
                }
            }
        }
    }
    for (kind, (made, caught)) in &sum.counts {
        print_uncaptured(&format!("mutants of {what}: {made} made, {caught} caught: {kind}"));
    }
    assert_eq!(sum.counts.len(), kinds.len(), "{:?}", sum.counts);
    assert!(sum.wrong.is_empty(), "{}:\n{}", sum.wrong.len(), sum.wrong.join("\n"));
}

/// A model in which statements leave values to the tables: defaults and generated columns.
const DEFAULTS: &str = "
CREATE TABLE people (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  first text NOT NULL,
  last text,
  name text GENERATED ALWAYS AS (lower(first) || ' ' || coalesce(last, '?')) STORED,
  points integer NOT NULL DEFAULT 7,
  hidden boolean NOT NULL DEFAULT false,
  created timestamp NOT NULL DEFAULT now()
);
-- name: Person :one
SELECT name, points, hidden, created FROM people WHERE id = ?;
-- name: ByName :many
SELECT id, points FROM people WHERE name = ? ORDER BY created DESC;
-- name: Add :exec
INSERT INTO people (first, last) VALUES (?, ?);
-- name: Rename :exec
UPDATE people SET last = ? WHERE id = ?;";

#[test]
fn values_that_statements_leave_out() {
    let model = model::sql::read(DEFAULTS, "defaults").expect("the model is right");
    let example = Example { name: "defaults".to_owned(), model };
    let design = make_design(&example, true);
    let [small, _] = settings();
    assert!(!is_refuted(&example, &design, small), "the design itself stands");
    let (concept, workload) = (&example.model.concept, &example.model.workload);
    let kinds = ["a default dropped", "a generated column not recomputed"];
    for kind in kinds {
        let mutants = sim::build_mutants(concept, workload, &design);
        let mutants: Vec<_> = mutants.into_iter().filter(|it| it.kind == kind).collect();
        assert!(!mutants.is_empty(), "{kind}");
        for mutant in mutants {
            assert!(is_refuted(&example, &mutant.design, small), "{}", mutant.what);
        }
    }
}
