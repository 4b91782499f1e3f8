//! `--fix` and `--diff`: applies fixes round by round, then writes the files or shows the
//! difference.

use std::collections::BTreeMap;
use std::io::Write;

use check::Finding;

use super::CheckArguments;
use super::edits;
use crate::atomic_file;
use crate::outcome::{Failure, Outcome};
use crate::render::findings::{FileProblem, pluralise};
use crate::render::unified_diff;
use crate::source::Source;
use crate::workspace::baseline::Baseline;
use crate::workspace::choices::Choices;
use crate::workspace::inputs::{Input, Inputs};
use crate::workspace::{CheckResult, check_inputs};

/// The texts to fix and their findings.
type FixTarget<'s> = (&'s mut Inputs, &'s mut CheckResult);

/// The texts before any fix, by their index in the inputs.
type OriginalTexts = BTreeMap<usize, String>;

/// Writes what `--fix` would change, as a unified diff; returns whether there is any change.
pub(super) fn write_diff(
    arguments: &CheckArguments,
    choices: &Choices,
    subject: FixTarget<'_>,
    baseline: &Baseline,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let (inputs, checked) = subject;
    let (before, fixed_count) = apply_fixes(arguments, choices, (&mut *inputs, checked), baseline)?;
    for (at, old) in &before {
        if let Some(input) = inputs.all.get(*at) {
            unified_diff::write(&input.source.name, old, &input.source.text, out)?;
        }
    }
    let (findings, files) = (pluralise(fixed_count, "finding"), pluralise(before.len(), "file"));
    anstream::eprintln!("--fix would fix {findings} in {files}");
    Ok(!before.is_empty())
}

/// Fixes the files; returns the number of fixed findings.
pub(super) fn fix_files(
    arguments: &CheckArguments,
    choices: &Choices,
    subject: FixTarget<'_>,
    baseline: &Baseline,
) -> Result<usize, Failure> {
    let (inputs, checked) = subject;
    let (before, fixed_count) = apply_fixes(arguments, choices, (&mut *inputs, checked), baseline)?;
    for (at, old) in &before {
        let Some(input) = inputs.all.get(*at) else { continue };
        if is_unchanged(input, old) {
            write_file(input)?;
        } else {
            inputs.problems.push(FileProblem {
                file: input.source.name.clone(),
                message: "changed while it was being checked; not written".to_owned(),
                is_unread: true,
            });
        }
    }
    Ok(fixed_count)
}

/// Whether a file still has the content that was read; true for standard input.
fn is_unchanged(input: &Input, old: &str) -> bool {
    input.path.as_ref().is_none_or(|path| {
        std::fs::read(path).is_ok_and(|bytes| input.encoding.encode(old) == Some(bytes))
    })
}

fn write_file(input: &Input) -> Result<(), Failure> {
    let failed = |message: String| Failure::Stopped(Outcome::EnvironmentFailed, message);
    let Some(path) = &input.path else {
        let message = "standard input cannot be fixed; use --diff to show the changes".to_owned();
        return Err(Failure::Stopped(Outcome::BadInput, message));
    };
    let bytes = input
        .encoding
        .encode(&input.source.text)
        .ok_or_else(|| failed(format!("{} cannot be written in its encoding", path.display())))?;
    atomic_file::replace(path, &bytes)
        .map_err(|error| failed(format!("cannot write {}: {error}", path.display())))
}

/// Applies fixes in memory until none is left. Returns the original texts of those that changed,
/// and the number of fixed findings. A round that makes the server reject more statements is
/// reverted.
fn apply_fixes(
    arguments: &CheckArguments,
    choices: &Choices,
    (inputs, checked): FixTarget<'_>,
    baseline: &Baseline,
) -> Result<(OriginalTexts, usize), Failure> {
    let (mut before, mut fixed_count) = (OriginalTexts::new(), 0);
    for _ in 0..edits::ROUNDS_MAX {
        let is_fixable =
            |place: check::Location| inputs.all.get(place.text).is_some_and(Input::is_fixable);
        let is_offered = |(finding, print): &(&Finding, &String)| {
            let edits = finding.fix.iter().flat_map(|fix| &fix.edits);
            finding.severity >= choices.min_severity
                && !baseline.contains(print)
                && is_fixable(finding.place)
                && edits.into_iter().all(|edit| is_fixable(edit.place))
        };
        let offered = checked.pairs().filter(is_offered).map(|(finding, _)| finding);
        let (edits, fixes) = edits::collect_edits(offered, arguments.r#unsafe);
        let mut changed: Vec<(usize, String)> = Vec::new();
        for edits in edits.chunk_by(|one, next| one.place.text == next.place.text) {
            let Some(text) = edits.first().map(|edit| edit.place.text) else { continue };
            let Some(input) = inputs.all.get(text) else { continue };
            changed.extend(edits::apply(&input.source.text, edits).map(|fixed| (text, fixed)));
        }
        if changed.is_empty() {
            break;
        }
        let mut parsed = checked.parsed.clone();
        let mut old = OriginalTexts::new();
        for (at, text) in changed {
            if let (Some(input), Some(parsed)) = (inputs.all.get_mut(at), parsed.get_mut(at)) {
                let fixed = Source::new(input.source.name.clone(), text);
                old.insert(at, std::mem::replace(&mut input.source, fixed).text);
                *parsed = input.parse(choices.parse_options());
            }
        }
        let fixed = check_inputs(inputs, parsed, choices)?;
        if edits::count_errors(&fixed.findings) > edits::count_errors(&checked.findings) {
            for (at, text) in old {
                if let Some(input) = inputs.all.get_mut(at) {
                    input.source = Source::new(input.source.name.clone(), text);
                }
            }
            anstream::eprintln!(
                "warning: the last fixes were reverted: the server would reject more statements"
            );
            break;
        }
        *checked = fixed;
        fixed_count += fixes;
        for (at, text) in old {
            before.entry(at).or_insert(text);
        }
    }
    Ok((before, fixed_count))
}
