//! Journeys: whole command lines and what they print.
//!
//! `tests/journeys/<story>/command` holds the arguments, a line for each run (`<` names a file for standard input);
//! `expected.txt` what is printed and the exit code. The folder is where the command runs. The messages inside are the
//! server's and are proven by the cases; the rest is layout, so `BLESS=journeys` writes it anew for a reader to judge.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[test]
fn command_lines_print_what_they_should() {
    let bless = std::env::var("BLESS").is_ok_and(|value| value == "journeys");
    let mut wrong = Vec::new();
    for story in stories() {
        let printed = run(&story);
        let expected = story.join("expected.txt");
        if bless {
            fs::write(&expected, &printed).expect("the expectation can be written");
        } else if fs::read_to_string(&expected).unwrap_or_default() != printed {
            wrong.push(format!("{} printed:\n{printed}", story.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn stories() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/journeys");
    let entries = fs::read_dir(folder).expect("tests/journeys can be read");
    let mut stories: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    stories.sort();
    assert!(!stories.is_empty(), "there are no journeys");
    stories
}

fn run(story: &Path) -> String {
    let commands = fs::read_to_string(story.join("command")).expect("a journey has a command");
    commands.lines().map(|line| run_line(story, line)).collect()
}

fn run_line(folder: &Path, line: &str) -> String {
    // A `<` inside quotes is CQL.
    let redirection = line.rsplit_once(" < ").filter(|(_, file)| !file.contains(['\'', ' ']));
    let (arguments, input) = match redirection {
        None => (line, Stdio::null()),
        Some((arguments, file)) => {
            (arguments, fs::File::open(folder.join(file)).expect("the input can be read").into())
        }
    };
    let output = Command::new(env!("CARGO_BIN_EXE_helenus"))
        .args(words(arguments))
        .current_dir(folder)
        .env_remove("COLUMNS")
        .stdin(input)
        .output()
        .expect("the command runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let code = output.status.code().map_or("killed".to_owned(), |code| code.to_string());
    format!("$ helenus {line}\n{}{}[exit {code}]\n", text(&output.stdout), text(&output.stderr))
}

/// Splits a command line at blanks; single quotes keep words together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (position, part) in line.split('\'').enumerate() {
        if position % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}
