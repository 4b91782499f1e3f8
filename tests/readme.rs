//! README.md, docs/COMMANDS.md and docs/TUTORIAL.md show what the program prints: their commands are run and compared.
//!
//! A fenced block that begins with `$ helenus ...` is a command and its output; so is the block after `cargo run --release --`.
//! A line `...` stands for any number of lines, `...` at the end of a line for the rest of it.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::examples::root;

/// Commands whose output is not the same twice.
const NOT_RUN: [&str; 2] = ["helenus serve", "cqlsh"];

/// The pages whose commands are run in the root of the tree.
const PAGES: [&str; 2] = ["README.md", "docs/COMMANDS.md"];

#[test]
fn the_pages_show_what_is_printed() {
    let mut wrong = Vec::new();
    let count: usize = PAGES.iter().map(|page| check_page(page, &root(), &mut wrong)).sum();
    assert!(count > 20, "only {count} commands found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The commands of the tutorial depend on one another, and write files: they run in a folder of their own.
#[test]
fn the_tutorial_shows_what_is_printed() {
    let folder = std::env::temp_dir().join(format!("helenus-tutorial-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder");
    for name in ["docs", "examples"] {
        let target = fs::canonicalize(root().join(name)).expect("the folder is there");
        std::os::unix::fs::symlink(target, folder.join(name)).expect("the folder is new");
    }
    let mut wrong = Vec::new();
    let count = check_page("docs/TUTORIAL.md", &folder, &mut wrong);
    fs::remove_dir_all(&folder).expect("it was made here");
    assert!(count > 8, "only {count} commands found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Runs the commands of a page in a folder, and notes those that print something else; how many there are.
fn check_page(page: &str, folder: &Path, wrong: &mut Vec<String>) -> usize {
    let text = fs::read_to_string(root().join(page)).expect("the page can be read");
    let examples = examples(&text);
    for (command, expected) in &examples {
        let printed = run(command, folder);
        if let Err(line) = compare(expected, &printed) {
            wrong.push(format!(
                "{page}: $ {command}\ndoes not print `{line}`; it prints:\n{printed}"
            ));
        }
    }
    examples.len()
}

/// The commands of a text that can be run, each with the lines that are shown for it.
fn examples(text: &str) -> Vec<(String, Vec<String>)> {
    let mut examples = Vec::new();
    let mut before: Option<String> = None;
    for block in blocks(text) {
        let first = block.first().copied().unwrap_or_default();
        let own = first.strip_prefix("$ ").map(str::to_owned);
        let shown = &block[usize::from(own.is_some())..];
        let is_run = |command: &String| !NOT_RUN.iter().any(|start| command.starts_with(start));
        if let Some(command) = own.or_else(|| before.take()).filter(is_run) {
            examples.push((command, shown.iter().map(|line| (*line).to_owned()).collect()));
        }
        before = first.strip_prefix("cargo run --release -- ").map(|it| format!("helenus {it}"));
    }
    examples
}

/// The fenced blocks that have no language.
fn blocks(text: &str) -> Vec<Vec<&str>> {
    let mut blocks = Vec::new();
    let mut open: Option<(&str, Vec<&str>)> = None;
    for line in text.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(language), None) => open = Some((language, Vec::new())),
            (Some(_), Some(_)) => {
                blocks
                    .extend(open.take().filter(|(language, _)| language.is_empty()).map(|it| it.1));
            }
            (None, Some((_, lines))) => lines.push(line),
            (None, None) => {}
        }
    }
    blocks
}

fn run(command: &str, folder: &Path) -> String {
    let program = env!("CARGO_BIN_EXE_helenus");
    let output = Command::new("sh")
        .args([
            "-c",
            &command.replacen("helenus", program, 1).replace("| helenus", &format!("| {program}")),
        ])
        .current_dir(folder)
        .env_remove("COLUMNS")
        .output()
        .expect("sh runs");
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The first of the shown lines that are not printed together, in their order. The lines between two `...` are searched
/// for; those before the first one begin the output, those after the last one end it.
pub(crate) fn compare(shown: &[String], printed: &str) -> Result<(), String> {
    let printed: Vec<&str> = printed.lines().collect();
    let runs: Vec<&[String]> = shown.split(|line| line == "...").collect();
    let mut at = 0;
    for (number, run) in runs.iter().enumerate() {
        let Some(first) = run.first() else { continue };
        let last = printed.len().checked_sub(run.len()).ok_or_else(|| first.clone())?;
        let (is_start, is_end) = (number == 0, number + 1 == runs.len());
        let starts = if is_end {
            last..=last
        } else if is_start {
            0..=0
        } else {
            at..=last
        };
        let found =
            starts.into_iter().find(|start| *start >= at && is_run_at(run, &printed[*start..]));
        at = found.ok_or_else(|| first.clone())? + run.len();
        if is_start && is_end && at != run.len() {
            return Err(first.clone());
        }
    }
    Ok(())
}

fn is_run_at(run: &[String], printed: &[&str]) -> bool {
    run.iter().zip(printed).all(|(line, printed)| match line.strip_suffix("...") {
        Some(start) => printed.starts_with(start),
        None => printed == line,
    })
}

#[test]
fn other_output_is_noticed() {
    let shown = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(compare(&shown("a\n...\nd\ne..."), "a\nb\nc\nd\nef\n"), Ok(()));
    assert!(compare(&shown("a\nc"), "a\nb\nc\n").is_err());
    assert!(compare(&shown("a"), "a\nb\n").is_err());
    assert!(compare(&shown("a\nb"), "").is_err());
    assert!(compare(&shown("a\n...\nb"), "a\n").is_err());
    assert_eq!(compare(&shown("a\n...\n\nc"), "a\n\nb\n\nc\n"), Ok(()));
    assert_eq!(compare(&shown("a\n...\nb\n..."), "a\nx\nb\ny\n"), Ok(()));
    assert!(compare(&shown("a\n...\nc\n...\nb"), "a\nb\nc\nb\nc\n").is_err());
    let text = "x\n\n```\ncargo run --release -- rules\n```\n\n```\nout\n```\n\n```\n$ helenus rule X\npage\n```\n";
    let commands: Vec<_> = examples(text).into_iter().map(|(command, _)| command).collect();
    assert_eq!(commands, ["helenus rules", "helenus rule X"]);
}
