//! What `helenus design` prints: a screen by default, within the width.

use std::path::Path;

use super::{command, make_folder, remove_folder, run, text};
use crate::examples::root;

/// The lines of a screen, about.
const LINES_MAX: usize = 45;
/// Models of several sizes.
const MODELS: [&str; 3] =
    ["examples/killrvideo.sql", "tests/journeys/design/notes.sql", "examples/seeds/ecommerce.sql"];

fn example(name: &str) -> String {
    root().canonicalize().expect("the tree is there").join(name).display().to_string()
}

/// The lines that are wider, but for words that are wider themselves.
fn wide_lines(shown: &str, width: usize) -> Vec<&str> {
    let is_wide = |line: &&str| {
        let words = line.trim().split(' ').map(|word| word.chars().count()).max();
        line.chars().count() > width && words.is_some_and(|longest| longest < width / 2)
    };
    shown.lines().filter(is_wide).collect()
}

#[test]
fn the_summary_fits_on_a_screen() {
    let folder = make_folder("summary");
    for model in MODELS.iter().filter(|model| Path::new(&example(model)).exists()) {
        let model = example(model);
        for (columns, width) in [("", 80), ("120", 120)] {
            let mut helenus = command(&folder, &["design", &model, "--no-prove"]);
            if !columns.is_empty() {
                helenus.env("COLUMNS", columns);
            }
            let shown = text(&helenus.output().unwrap().stdout);
            assert!(shown.lines().count() <= LINES_MAX, "{} lines\n{shown}", shown.lines().count());
            let wide = wide_lines(&shown, width);
            assert!(wide.is_empty(), "{wide:#?}\n{shown}");
            let last: Vec<&str> = shown.lines().rev().take(2).collect();
            assert!(last[0].starts_with("proof: ") && last[1].starts_with("optimal: "), "{shown}");
        }
    }
    remove_folder(&folder);
}

/// Figures are those that people say: no year has a prefix.
#[test]
fn every_part_is_within_the_width() {
    let folder = make_folder("parts");
    let model = example("examples/killrvideo.sql");
    let shown =
        |option: &str| text(&run(&folder, &["design", &model, "--no-prove", option]).stdout);
    let full = shown("--full");
    assert!(wide_lines(&full, 80).is_empty(), "{:#?}", wide_lines(&full, 80));
    for unit in ["k years", "M years", "B years", "T years"] {
        assert!(!full.contains(unit), "{unit}");
    }
    let headings = |text: &str| -> Vec<String> {
        let is_heading = |line: &&str| ["TABLES", "READS", "WRITES"].contains(line);
        text.lines().filter(is_heading).map(str::to_owned).collect()
    };
    assert_eq!(headings(&full), ["TABLES", "READS", "WRITES"]);
    assert_eq!(headings(&shown("--tables")), ["TABLES"]);
    assert_eq!(headings(&shown("--reads")), ["READS"]);
    assert_eq!(headings(&shown("--writes")), ["WRITES"]);
    remove_folder(&folder);
}

#[test]
fn written_files_are_named() {
    let folder = make_folder("files");
    let output = run(&folder, &["design", "model.sql", "--no-prove", "-o", "design"]);
    let shown = text(&output.stdout);
    let mut names: Vec<String> = std::fs::read_dir(folder.join("design"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert!(names.len() >= 6, "{names:?}");
    let line = shown.lines().skip_while(|line| *line != "FILES").skip(1);
    let line = line.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    for name in names {
        assert!(line.contains(&name), "{name} is not named\n{shown}");
    }
    assert!(!shown.contains("READS"), "{shown}");
    remove_folder(&folder);
}
