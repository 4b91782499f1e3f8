//! `--fix` and `--diff`: texts after their fixes, written or shown.

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

/// What is mended: the texts and their findings.
type FixTarget<'s> = (&'s mut Inputs, &'s mut CheckResult);

/// Texts as they were, by their positions.
type OriginalTexts = BTreeMap<usize, String>;

/// Writes what fixing would change, as a unified diff; whether it is anything.
pub(super) fn write_diff(
    arguments: &CheckArguments,
    choices: &Choices,
    subject: FixTarget<'_>,
    baseline: &Baseline,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let (inputs, checked) = subject;
    let (before, mended) = apply_fixes(arguments, choices, (&mut *inputs, checked), baseline)?;
    for (at, old) in &before {
        if let Some(input) = inputs.all.get(*at) {
            unified_diff::write(&input.source.name, old, &input.source.text, out)?;
        }
    }
    let (mended, files) = (pluralise(mended, "finding"), pluralise(before.len(), "file"));
    anstream::eprintln!("--fix would mend {mended} in {files}");
    Ok(!before.is_empty())
}

/// Fixes the files; how many findings were mended.
pub(super) fn fix_files(
    arguments: &CheckArguments,
    choices: &Choices,
    subject: FixTarget<'_>,
    baseline: &Baseline,
) -> Result<usize, Failure> {
    let (inputs, checked) = subject;
    let (before, mended) = apply_fixes(arguments, choices, (&mut *inputs, checked), baseline)?;
    for (at, old) in &before {
        let Some(input) = inputs.all.get(*at) else { continue };
        if is_unchanged(input, old) {
            write_file(input)?;
        } else {
            inputs.problems.push(FileProblem {
                file: input.source.name.clone(),
                message: "was changed while it was checked: not written".to_owned(),
                is_unread: true,
            });
        }
    }
    Ok(mended)
}

/// Whether a file still holds what was read; standard input always does.
fn is_unchanged(input: &Input, old: &str) -> bool {
    input.path.as_ref().is_none_or(|path| {
        std::fs::read(path).is_ok_and(|bytes| input.encoding.encode(old) == Some(bytes))
    })
}

fn write_file(input: &Input) -> Result<(), Failure> {
    let failed = |message: String| Failure::Stopped(Outcome::EnvironmentFailed, message);
    let Some(path) = &input.path else {
        let message = "standard input cannot be fixed; --diff shows what would change".to_owned();
        return Err(Failure::Stopped(Outcome::BadInput, message));
    };
    let bytes = input
        .encoding
        .encode(&input.source.text)
        .ok_or_else(|| failed(format!("{} cannot be written in its encoding", path.display())))?;
    atomic_file::replace(path, &bytes)
        .map_err(|error| failed(format!("cannot write {}: {error}", path.display())))
}

/// Applies fixes in memory, until none is left; the texts that changed, as they were, and how many findings were mended.
fn apply_fixes(
    arguments: &CheckArguments,
    choices: &Choices,
    (inputs, checked): FixTarget<'_>,
    baseline: &Baseline,
) -> Result<(OriginalTexts, usize), Failure> {
    let (mut before, mut mended) = (OriginalTexts::new(), 0);
    for _ in 0..edits::ROUNDS_MAX {
        let can_be_mended =
            |place: check::Location| inputs.all.get(place.text).is_some_and(Input::is_fixable);
        let told = |(finding, print): &(&Finding, &String)| {
            let edits = finding.fix.iter().flat_map(|fix| &fix.edits);
            finding.severity >= choices.min_severity
                && !baseline.contains(print)
                && can_be_mended(finding.place)
                && edits.into_iter().all(|edit| can_be_mended(edit.place))
        };
        let offered = checked.pairs().filter(told).map(|(finding, _)| finding);
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
                "warning: a fix would have made the server refuse more: it is taken back"
            );
            break;
        }
        *checked = fixed;
        mended += fixes;
        for (at, text) in old {
            before.entry(at).or_insert(text);
        }
    }
    Ok((before, mended))
}
