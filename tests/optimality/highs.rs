//! `HiGHS`, a solver that shares no code with ours: `highspy` from `PyPI`, in a virtual environment under the target folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use crate::examples::root;
use crate::print_uncaptured;

/// The version installed; the folder is named for it, and `crates/design/benches/search.rs` looks for it there.
const VERSION: &str = "1.15.1";

/// What `HiGHS` makes of a program.
#[derive(Debug)]
pub(super) struct Verdict {
    /// `optimal`, `infeasible`, `time-limit-reached`, `unreadable`, ...
    pub(super) status: String,
    /// The cost of the best solution.
    pub(super) optimum: f64,
    /// The lower bound.
    pub(super) bound: f64,
    pub(super) seconds: f64,
    /// The cost of the solution that we claim, in `HiGHS`' reading of the program.
    pub(super) claim: Option<f64>,
    /// By how much the solution that we claim violates a constraint at most.
    pub(super) violation: f64,
}

/// The Python that has `HiGHS`, or nothing where there can be none.
pub(super) fn python() -> Option<&'static Path> {
    static PYTHON: OnceLock<Option<PathBuf>> = OnceLock::new();
    let found = PYTHON.get_or_init(|| match install() {
        Ok(python) => Some(python),
        Err(reason) => {
            print_uncaptured(&format!("SKIPPED: comparison with HiGHS: {reason}"));
            None
        }
    });
    found.as_deref()
}

fn install() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("highspy-{VERSION}"));
    let python = folder.join("bin/python");
    let finished = folder.join("finished");
    if finished.is_file() {
        return Ok(python);
    }
    print_uncaptured(&format!("installing highspy in {}", folder.display()));
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))?;
    let package = format!("highspy=={VERSION}");
    run(Command::new(&python).args(["-m", "pip", "install", "--quiet", &package]))?;
    run(Command::new(&python).args(["-c", "import highspy"]))?;
    fs::write(&finished, "").map_err(|error| error.to_string())?;
    Ok(python)
}

fn run(command: &mut Command) -> Result<Output, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() {
        return Ok(output);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{program}: {}", said.lines().last().unwrap_or("failed without a word")))
}

/// Solves programs, each in at most so many seconds.
pub(super) fn solve(python: &Path, files: &[PathBuf], seconds: u32) -> Vec<Verdict> {
    let script = root().join("tests/optimality/solve.py");
    let mut command = Command::new(python);
    command.arg(script).arg(seconds.to_string()).args(files);
    let output = run(&mut command).unwrap_or_else(|error| panic!("{error}"));
    let text = String::from_utf8(output.stdout).expect("HiGHS says text");
    let verdicts: Vec<Verdict> = text.lines().map(parse).collect();
    assert_eq!(verdicts.len(), files.len(), "{text}");
    verdicts
}

fn parse(line: &str) -> Verdict {
    let words: Vec<&str> = line.split(' ').collect();
    let [.., status, optimum, bound, seconds, claim, violation] = words.as_slice() else {
        panic!("{line}");
    };
    let number = |word: &str| word.parse::<f64>().unwrap_or(f64::NAN);
    Verdict {
        status: (*status).to_owned(),
        optimum: number(optimum),
        bound: number(bound),
        seconds: number(seconds),
        claim: claim.parse().ok(),
        violation: number(violation),
    }
}
