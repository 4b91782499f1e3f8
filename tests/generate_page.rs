//! docs/GENERATE.md shows what is generated now.
//!
//! A block after `<!-- generated: MODEL LANGUAGE FILE -->` has lines of that file, without their common indentation;
//! a line `...` stands for any number of lines.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::examples::root;
use crate::readme::compare;

/// A block of the page.
struct Excerpt<'a> {
    model: &'a str,
    language: &'a str,
    file: &'a str,
    lines: Vec<&'a str>,
}

#[test]
fn excerpts_are_those_of_the_generated_code() {
    let page = fs::read_to_string(root().join("docs/GENERATE.md")).expect("the page can be read");
    let excerpts = list_excerpts(&page);
    assert!(excerpts.len() >= 3, "only {} excerpts found", excerpts.len());
    for excerpt in excerpts {
        let printed = generate(&excerpt);
        let printed: Vec<&str> = printed.lines().map(str::trim_start).collect();
        // Lines before and after the excerpt are not shown.
        let mut shown = vec!["...".to_owned()];
        shown.extend(excerpt.lines.iter().map(|line| line.trim_start().to_owned()));
        shown.push("...".to_owned());
        if let Err(line) = compare(&shown, &printed.join("\n")) {
            panic!("{} has no lines that begin with `{line}`", excerpt.file);
        }
    }
}

fn list_excerpts(page: &str) -> Vec<Excerpt<'_>> {
    let starts = page.split("<!-- generated: ").skip(1);
    starts
        .map(|text| {
            let (head, rest) = text.split_once(" -->\n").expect("the comment ends");
            let words: Vec<&str> = head.split(' ').collect();
            let [model, language, file] = words[..] else { panic!("{head}: three words") };
            let block = rest.lines().skip(1).take_while(|line| !line.starts_with("```"));
            Excerpt { model, language, file, lines: block.collect() }
        })
        .collect()
}

fn generate(excerpt: &Excerpt<'_>) -> String {
    let name = excerpt.model.replace(['/', '.'], "-");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("generate-page").join(name);
    let output = Command::new(env!("CARGO_BIN_EXE_helenus"))
        .args(["generate", excerpt.model, "--lang", excerpt.language, "-o"])
        .arg(&folder)
        .current_dir(root())
        .output()
        .expect("helenus runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read_to_string(folder.join(excerpt.file)).expect("the file was generated")
}
