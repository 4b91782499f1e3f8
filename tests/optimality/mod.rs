//! The claim that a design is the cheapest, checked by `HiGHS` on the exported integer program: the solution is one, it costs
//! what we say, and no solution costs less.
//!
//! An ordinary run looks at a dozen programs. `HELENUS_FULL=1` looks at all examples, without bounds and with bounds on tables
//! and storage, and at 200 random models:
//! `HELENUS_FULL=1 cargo test -p helenus --test main optimality -- --nocapture`.

mod highs;

use std::fs;
use std::path::{Path, PathBuf};

use design::{DesignProgram, Options, SearchOptions, prices};
use model::sql::ModelFile;

use crate::examples::root;
use crate::print_uncaptured;
use crate::random_models;
use highs::Verdict;

/// The examples of an ordinary run.
const SOME: [&str; 5] =
    ["killrvideo", "nose/ebay", "reference/hotel", "reference/messaging", "seeds/004_groups"];

/// Random models of an ordinary run, and of a full one.
const RANDOM: (usize, usize) = (6, 200);

/// The relative difference of costs that is none: solvers allow for as much.
const SAME: f64 = 1e-6;

/// Seconds for each program.
const SECONDS: u32 = 120;

/// A program that was exported, and how long we took for the design.
struct Export {
    name: String,
    program: DesignProgram,
    path: PathBuf,
}

#[test]
fn highs_finds_the_same_optimum() {
    let Some(python) = highs::python() else { return };
    let is_full = std::env::var_os("HELENUS_FULL").is_some();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("optimality");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the programs");
    let mut exports = Vec::new();
    for (name, file) in example_models(is_full) {
        export_example(&folder, &name, &file, is_full, &mut exports);
    }
    let count = if is_full { RANDOM.1 } else { RANDOM.0 };
    for (seed, file) in readable_models().take(count) {
        let name = format!("random {seed}");
        exports.push(export(&folder, &name, &file, &Options::default(), seed_number(seed)));
    }
    let paths: Vec<PathBuf> = exports.iter().map(|export| export.path.clone()).collect();
    let verdicts = highs::solve(python, &paths, SECONDS);
    let disagreements: Vec<String> = exports
        .iter()
        .zip(&verdicts)
        .filter_map(|(export, verdict)| {
            let reason = find_disagreement(&export.program, verdict)?;
            Some(format!("{} ({}): {reason}", export.name, export.path.display()))
        })
        .collect();
    report(&exports, &verdicts);
    assert!(disagreements.is_empty(), "{}", disagreements.join("\n"));
}

/// The model files of the examples: all of them, or some.
fn example_models(is_full: bool) -> Vec<(String, ModelFile)> {
    let folder = root().join("examples");
    let mut names = Vec::new();
    for part in ["", "nose", "reference", "seeds", "stories"] {
        for entry in fs::read_dir(folder.join(part)).expect("the examples can be read").flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|ending| ending == "sql") {
                let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
                names.push(if part.is_empty() { stem } else { format!("{part}/{stem}") });
            }
        }
    }
    names.sort();
    names.retain(|name| is_full || SOME.contains(&name.as_str()));
    assert!(names.len() >= SOME.len(), "{names:?}");
    let read = |name: String| {
        let path = folder.join(&name).with_extension("sql");
        let text = fs::read_to_string(&path).expect("the example can be read");
        let file = model::sql::read(&text, "example").unwrap_or_else(|wrong| panic!("{wrong:?}"));
        (name, file)
    };
    names.into_iter().map(read).collect()
}

/// The random models that have no mistakes.
fn readable_models() -> impl Iterator<Item = (u64, ModelFile)> {
    (0..).filter_map(|seed| {
        Some((seed, model::sql::read(&random_models::model(seed), "random").ok()?))
    })
}

fn seed_number(seed: u64) -> String {
    format!("random_{seed}")
}

/// An example without bounds, and with one table and a tenth of the bytes less than that takes.
fn export_example(
    folder: &Path,
    name: &str,
    file: &ModelFile,
    is_full: bool,
    exports: &mut Vec<Export>,
) {
    let prices = if name.starts_with("nose") { &prices::NOSE } else { &prices::HELENUS };
    let plain = SearchOptions { prices: prices.clone(), ..SearchOptions::default() };
    let options = |search: SearchOptions| Options { search, ..Options::default() };
    let slug = name.replace('/', "_");
    exports.push(export(folder, name, file, &options(plain.clone()), slug.clone()));
    if !is_full && name != SOME[0] {
        return;
    }
    let design = design::design(&file.concept, &file.workload, &options(plain.clone()));
    let bytes: f64 = design.tables.iter().map(|table| table.volume.table_bytes_after(0.0)).sum();
    let fewer =
        SearchOptions { tables_most: Some(design.tables.len().saturating_sub(1)), ..plain.clone() };
    let smaller = SearchOptions { bytes_most: Some(bytes * 0.9), ..plain.clone() };
    let both = SearchOptions { bytes_most: Some(bytes * 0.95), ..fewer.clone() };
    let views = SearchOptions { allow_views: true, ..plain };
    let bounded = [("tables", fewer), ("bytes", smaller), ("both", both), ("views", views)];
    for (kind, search) in bounded {
        let name = format!("{name}, {kind}");
        exports.push(export(folder, &name, file, &options(search), format!("{slug}_{kind}")));
    }
}

/// Writes the program of a model and its solution.
fn export(folder: &Path, name: &str, file: &ModelFile, options: &Options, stem: String) -> Export {
    let (_, program) = design::design_with_program(&file.concept, &file.workload, options);
    let program = program.unwrap_or_else(|| panic!("{name}: there is a search"));
    let path = folder.join(stem).with_extension("lp");
    fs::write(&path, program.program_text()).expect("the program can be written");
    fs::write(path.with_extension("sol"), program.solution_text()).expect("so can the solution");
    Export { name: name.to_owned(), program, path }
}

/// Where `HiGHS` contradicts what we claim.
fn find_disagreement(program: &DesignProgram, verdict: &Verdict) -> Option<String> {
    let close = |one: f64, other: f64| (one - other).abs() <= SAME * one.abs().max(1e-9);
    let Some((cost, bound)) = program.cost().zip(program.bound()) else {
        let is_same = verdict.status == "infeasible";
        let claim = if program.is_infeasible() { "infeasible" } else { "not solved" };
        return (!is_same).then(|| format!("{claim} by us, {verdict:?}"));
    };
    // A solution without variables is that of an empty program.
    let claim = verdict.claim.unwrap_or(0.0);
    if !close(claim, cost) || verdict.violation > SAME {
        return Some(format!("our solution of cost {cost} is none: {verdict:?}"));
    }
    match verdict.status.as_str() {
        "optimal" if close(cost, verdict.optimum) => None,
        // An honest gap: the optimum lies in it.
        "optimal" if bound <= verdict.optimum && verdict.optimum <= cost => None,
        "time-limit-reached" if verdict.bound <= cost * (1.0 + SAME) => None,
        _ => Some(format!("we claim {cost} and no less than {bound}: {verdict:?}")),
    }
}

/// Says what was compared.
fn report(exports: &[Export], verdicts: &[Verdict]) {
    let count = |status: &str| verdicts.iter().filter(|one| one.status == status).count();
    let with_gap = exports.iter().filter(|export| {
        let program = &export.program;
        program.cost().zip(program.bound()).is_some_and(|(cost, bound)| bound < cost * (1.0 - SAME))
    });
    let with_gap: Vec<&str> = with_gap.map(|export| export.name.as_str()).collect();
    let largest = exports.iter().map(|export| export.program.size()).max().unwrap_or_default();
    print_uncaptured(&format!(
        "HiGHS on {} programs (the largest of {} variables and {} constraints): {} optimal, {} infeasible, {} not \
         finished; we left a gap in {}; HiGHS took {:.1} s",
        exports.len(),
        largest.0,
        largest.1,
        count("optimal"),
        count("infeasible"),
        count("time-limit-reached"),
        with_gap.len(),
        verdicts.iter().map(|one| one.seconds).sum::<f64>(),
    ));
    // Without bounds, everything is expected to be proved.
    let unbounded: Vec<&&str> = with_gap.iter().filter(|name| !name.contains(", ")).collect();
    assert!(unbounded.is_empty(), "not proved without bounds: {unbounded:?}");
}
