//! `--fix` and `--diff`: texts after their fixes, written or shown.

use std::collections::BTreeMap;
use std::io::Write;

use check::Finding;

use super::Check;
use super::fixing;
use crate::outcome::{Failure, Outcome};
use crate::render::findings::{Problem, counted};
use crate::render::unified_diff;
use crate::replace;
use crate::source::Source;
use crate::workspace::baseline::Baseline;
use crate::workspace::choices::Choices;
use crate::workspace::inputs::{Input, Inputs};
use crate::workspace::{Checked, judge};

/// What is mended: the texts and their findings.
type Subject<'s> = (&'s mut Inputs, &'s mut Checked);

/// Texts as they were, by their positions.
type Before = BTreeMap<usize, String>;

/// Writes what fixing would change, as a unified diff; whether it is anything.
pub(super) fn diff(
    arguments: &Check,
    choices: &Choices,
    subject: Subject<'_>,
    baseline: &Baseline,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let (inputs, checked) = subject;
    let (before, mended) = mend(arguments, choices, (&mut *inputs, checked), baseline)?;
    for (at, old) in &before {
        if let Some(input) = inputs.all.get(*at) {
            unified_diff::write(&input.source.name, old, &input.source.text, out)?;
        }
    }
    let (mended, files) = (counted(mended, "finding"), counted(before.len(), "file"));
    anstream::eprintln!("--fix would mend {mended} in {files}");
    Ok(!before.is_empty())
}

/// Fixes the files; how many findings were mended.
pub(super) fn fix(
    arguments: &Check,
    choices: &Choices,
    subject: Subject<'_>,
    baseline: &Baseline,
) -> Result<usize, Failure> {
    let (inputs, checked) = subject;
    let (before, mended) = mend(arguments, choices, (&mut *inputs, checked), baseline)?;
    for (at, old) in &before {
        let Some(input) = inputs.all.get(*at) else { continue };
        if is_as_read(input, old) {
            write(input)?;
        } else {
            inputs.problems.push(Problem {
                file: input.source.name.clone(),
                message: "was changed while it was checked: not written".to_owned(),
                is_unread: true,
            });
        }
    }
    Ok(mended)
}

/// Whether a file still holds what was read; standard input always does.
fn is_as_read(input: &Input, old: &str) -> bool {
    input.path.as_ref().is_none_or(|path| {
        std::fs::read(path).is_ok_and(|bytes| input.encoding.encode(old) == Some(bytes))
    })
}

fn write(input: &Input) -> Result<(), Failure> {
    let failed = |message: String| Failure::Stopped(Outcome::EnvironmentFailed, message);
    let Some(path) = &input.path else {
        let message = "standard input cannot be fixed; --diff shows what would change".to_owned();
        return Err(Failure::Stopped(Outcome::BadInput, message));
    };
    let bytes = input
        .encoding
        .encode(&input.source.text)
        .ok_or_else(|| failed(format!("{} cannot be written in its encoding", path.display())))?;
    replace::replace(path, &bytes)
        .map_err(|error| failed(format!("cannot write {}: {error}", path.display())))
}

/// Applies fixes in memory, until none is left; the texts that changed, as they were, and how many findings were mended.
fn mend(
    arguments: &Check,
    choices: &Choices,
    (inputs, checked): Subject<'_>,
    baseline: &Baseline,
) -> Result<(Before, usize), Failure> {
    let (mut before, mut mended) = (Before::new(), 0);
    for _ in 0..fixing::ROUNDS {
        let can_be_mended =
            |place: check::Place| inputs.all.get(place.text).is_some_and(Input::can_be_mended);
        let told = |(finding, print): &(&Finding, &String)| {
            let edits = finding.fix.iter().flat_map(|fix| &fix.edits);
            finding.severity >= choices.min_severity
                && !baseline.knows(print)
                && can_be_mended(finding.place)
                && edits.into_iter().all(|edit| can_be_mended(edit.place))
        };
        let offered = checked.pairs().filter(told).map(|(finding, _)| finding);
        let (edits, fixes) = fixing::edits(offered, arguments.r#unsafe);
        let mut changed: Vec<(usize, String)> = Vec::new();
        for edits in edits.chunk_by(|one, next| one.place.text == next.place.text) {
            let Some(text) = edits.first().map(|edit| edit.place.text) else { continue };
            let Some(input) = inputs.all.get(text) else { continue };
            changed.extend(fixing::apply(&input.source.text, edits).map(|fixed| (text, fixed)));
        }
        if changed.is_empty() {
            break;
        }
        let mut parsed = checked.parsed.clone();
        let mut old = Before::new();
        for (at, text) in changed {
            if let (Some(input), Some(parsed)) = (inputs.all.get_mut(at), parsed.get_mut(at)) {
                let fixed = Source::new(input.source.name.clone(), text);
                old.insert(at, std::mem::replace(&mut input.source, fixed).text);
                *parsed = input.parse(choices.options());
            }
        }
        let fixed = judge(inputs, parsed, choices)?;
        if fixing::errors(&fixed.findings) > fixing::errors(&checked.findings) {
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
