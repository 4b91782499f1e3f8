//! Fixes of findings: applies them round by round, then writes the files (`--fix`) or the
//! difference (`--diff`).
//!
//! `edits` selects compatible fixes and applies their edits to a text.

mod edits;

use std::collections::BTreeMap;
use std::io::Write;

use check::{Finding, Location};

use crate::outcome::{Failure, Outcome};
use crate::render::findings::{FileProblem, pluralise};
use crate::render::unified_diff;
use crate::source::Source;
use crate::workspace::baseline::Baseline;
use crate::workspace::choices::Choices;
use crate::workspace::inputs::{Input, Inputs};
use crate::workspace::{CheckResult, check_inputs, text_file};

/// Fixes may enable further fixes; this bounds the rounds.
const ROUNDS_MAX: usize = 10;

/// The texts before any fix, by their index in the inputs.
type OriginalTexts = BTreeMap<usize, String>;

/// Which findings are fixed.
pub(crate) struct Fixer<'a> {
    pub(crate) choices: &'a Choices,
    /// Its findings are not fixed.
    pub(crate) baseline: &'a Baseline,
    /// Whether fixes that change what statements do are applied, too.
    pub(crate) include_unsafe: bool,
}

impl Fixer<'_> {
    /// Writes what `--fix` would change, as a unified diff; returns whether there is any change.
    pub(crate) fn write_diff(
        &self,
        inputs: &mut Inputs,
        checked: &mut CheckResult,
        out: &mut dyn Write,
    ) -> Result<bool, Failure> {
        let (before, fixed_count) = self.apply_fixes(inputs, checked)?;
        for (at, old) in &before {
            if let Some(input) = inputs.all.get(*at) {
                unified_diff::write(&input.source.name, old, &input.source.text, out)?;
            }
        }
        let (findings, files) =
            (pluralise(fixed_count, "finding"), pluralise(before.len(), "file"));
        anstream::eprintln!("--fix would fix {findings} in {files}");
        Ok(!before.is_empty())
    }

    /// Fixes the files; returns the number of fixed findings.
    pub(crate) fn fix_files(
        &self,
        inputs: &mut Inputs,
        checked: &mut CheckResult,
    ) -> Result<usize, Failure> {
        let (before, fixed_count) = self.apply_fixes(inputs, checked)?;
        for (at, old) in &before {
            let Some(input) = inputs.all.get(*at) else { continue };
            if is_unchanged(input, old) {
                write_file(input)?;
            } else {
                inputs.problems.push(FileProblem {
                    file: input.source.name.clone(),
                    message: "changed while it was being checked; not written".to_owned(),
                    failure: Some(Outcome::Findings),
                });
            }
        }
        Ok(fixed_count)
    }

    /// Applies fixes in memory until none is left. Returns the original texts of those that
    /// changed, and the number of fixed findings. A round that makes the server reject more
    /// statements is reverted.
    fn apply_fixes(
        &self,
        inputs: &mut Inputs,
        checked: &mut CheckResult,
    ) -> Result<(OriginalTexts, usize), Failure> {
        let (mut before, mut fixed_count) = (OriginalTexts::new(), 0);
        for _ in 0..ROUNDS_MAX {
            let (changes, fix_count) = self.plan_round(inputs, checked);
            if changes.is_empty() {
                break;
            }
            let mut parsed = checked.parsed.clone();
            let mut old = OriginalTexts::new();
            for (at, text) in changes {
                if let (Some(input), Some(parsed)) = (inputs.all.get_mut(at), parsed.get_mut(at)) {
                    let fixed = Source::new(input.source.name.clone(), text);
                    old.insert(at, std::mem::replace(&mut input.source, fixed).text);
                    *parsed = input.parse(self.choices.parse_options());
                }
            }
            let fixed = check_inputs(inputs, parsed, self.choices)?;
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
            fixed_count += fix_count;
            for (at, text) in old {
                before.entry(at).or_insert(text);
            }
        }
        Ok((before, fixed_count))
    }

    /// The texts after one round of fixes, by their index in the inputs, and the number of fixes.
    fn plan_round(&self, inputs: &Inputs, checked: &CheckResult) -> (Vec<(usize, String)>, usize) {
        let is_fixable =
            |place: Location| inputs.all.get(place.text).is_some_and(Input::is_fixable);
        let is_offered = |(finding, fingerprint): &(&Finding, &String)| {
            let mut edits = finding.fix.iter().flat_map(|fix| &fix.edits);
            finding.severity >= self.choices.min_severity
                && !self.baseline.contains(fingerprint)
                && is_fixable(finding.place)
                && edits.all(|edit| is_fixable(edit.place))
        };
        let offered = checked.pairs().filter(is_offered).map(|(finding, _)| finding);
        let (edits, fix_count) = edits::collect_edits(offered, self.include_unsafe);
        let mut changes = Vec::new();
        for edits in edits.chunk_by(|edit, next| edit.place.text == next.place.text) {
            let Some(text) = edits.first().map(|edit| edit.place.text) else { continue };
            let Some(input) = inputs.all.get(text) else { continue };
            changes.extend(edits::apply(&input.source.text, edits).map(|fixed| (text, fixed)));
        }
        (changes, fix_count)
    }
}

/// Whether a file still has the content that was read; true for standard input.
fn is_unchanged(input: &Input, old: &str) -> bool {
    input.path.as_ref().is_none_or(|path| {
        regular_file::read(path).is_ok_and(|bytes| input.encoding.encode(old) == Some(bytes))
    })
}

fn write_file(input: &Input) -> Result<(), Failure> {
    let Some(path) = &input.path else {
        let message = "standard input cannot be fixed; use --diff to show the changes".to_owned();
        return Err(Failure::Stopped(Outcome::BadInput, message));
    };
    text_file::write(path, &input.source.text, input.encoding)
}
