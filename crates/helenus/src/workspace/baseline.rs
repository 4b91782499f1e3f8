//! The baseline: a file of known findings, which are not reported again. Entries are only removed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};

use super::CheckResult;
use super::choices::Choices;
use super::inputs::Inputs;
use crate::atomic_file;
use crate::outcome::{Failure, Outcome};
use crate::render::findings::pluralise;

/// A known finding: its file, and its rule and subject for readers of the baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BaselineEntry {
    file: String,
    what: String,
}

/// The entries, by their fingerprints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Baseline {
    entries: BTreeMap<String, BaselineEntry>,
}

impl Baseline {
    /// The configured baseline, empty if there is none. With `write`, it is first created, or its
    /// stale entries are removed.
    pub(crate) fn prepare(
        choices: &Choices,
        inputs: &Inputs,
        checked: &CheckResult,
        write: bool,
    ) -> Result<Self, Failure> {
        let Some(path) = &choices.baseline else { return Ok(Self::default()) };
        let existing = Self::read(path)?;
        if !write {
            return existing.ok_or_else(|| {
                let message = format!(
                    "baseline {} does not exist; create it with --write-baseline",
                    path.display()
                );
                Failure::Stopped(Outcome::BadInput, message)
            });
        }
        let reported =
            checked.pairs().filter(|(finding, _)| finding.severity >= choices.min_severity);
        let baseline = match &existing {
            Some(existing) => existing.prune(inputs, checked),
            None => Self::from_findings(inputs, reported),
        };
        if existing.as_ref() != Some(&baseline) {
            baseline.write(path)?;
            let count = pluralise(baseline.entries.len(), "known finding");
            anstream::eprintln!("wrote {}: {count}", path.display());
        }
        Ok(baseline)
    }

    /// Reads a baseline; `None` if there is no such file.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>, Failure> {
        let text = match regular_file::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Failure::unreadable_file(path, &error)),
        };
        let wrong = |what: &str| {
            let message = format!("{} is not a valid baseline: {what}", path.display());
            Failure::Stopped(Outcome::BadInput, message)
        };
        let value: Value =
            serde_json::from_str(&text).map_err(|error| wrong(&error.to_string()))?;
        let entries =
            value["findings"].as_array().ok_or_else(|| wrong("missing array \"findings\""))?;
        let entry = |value: &Value| {
            let field = |key: &str| value[key].as_str().map(str::to_owned);
            Some((
                field("fingerprint")?,
                BaselineEntry { file: field("file")?, what: field("what")? },
            ))
        };
        let entries: Option<BTreeMap<_, _>> = entries.iter().map(entry).collect();
        let entries = entries
            .ok_or_else(|| wrong("a finding lacks \"fingerprint\", \"file\" or \"what\""))?;
        Ok(Some(Self { entries }))
    }

    /// A baseline of the reported findings.
    fn from_findings<'a>(
        inputs: &Inputs,
        reported: impl Iterator<Item = (&'a check::Finding, &'a String)>,
    ) -> Self {
        let entry = |(finding, fingerprint): (&check::Finding, &String)| {
            let names =
                [&finding.subject.keyspace, &finding.subject.table, &finding.subject.column];
            let names: Vec<&str> = names.into_iter().filter_map(|name| name.as_deref()).collect();
            let what = format!("{} {} {}", finding.rule.code, finding.rule.name, names.join("."));
            let file = inputs.name(finding.place.text).to_owned();
            (fingerprint.clone(), BaselineEntry { file, what: what.trim_end().to_owned() })
        };
        Self { entries: reported.map(entry).collect() }
    }

    /// Whether a finding is known.
    pub(crate) fn contains(&self, fingerprint: &str) -> bool {
        self.entries.contains_key(fingerprint)
    }

    /// The entries whose findings no longer occur. An entry of an existing file that was not
    /// checked is kept: its finding may still occur.
    fn stale_entries<'a>(
        &'a self,
        inputs: &Inputs,
        checked: &'a CheckResult,
    ) -> impl Iterator<Item = (&'a String, &'a BaselineEntry)> {
        let current: BTreeSet<&String> = checked.fingerprints.iter().collect();
        let files: BTreeSet<String> =
            inputs.all.iter().map(|input| input.source.name.clone()).collect();
        self.entries.iter().filter(move |(fingerprint, entry)| {
            !current.contains(fingerprint)
                && (files.contains(&entry.file) || !Path::new(&entry.file).exists())
        })
    }

    /// Describes the stale entries, for the report.
    pub(crate) fn describe_stale(&self, inputs: &Inputs, checked: &CheckResult) -> Vec<String> {
        let stale = self.stale_entries(inputs, checked);
        stale.map(|(_, entry)| format!("{} in {}", entry.what, entry.file)).collect()
    }

    /// The baseline without its stale entries.
    fn prune(&self, inputs: &Inputs, checked: &CheckResult) -> Self {
        let stale: BTreeSet<String> = self
            .stale_entries(inputs, checked)
            .map(|(fingerprint, _)| fingerprint.clone())
            .collect();
        let mut entries = self.entries.clone();
        entries.retain(|fingerprint, _| !stale.contains(fingerprint));
        Self { entries }
    }

    /// Writes one entry per line, so that versions of the file merge well.
    fn write(&self, path: &Path) -> Result<(), Failure> {
        let line = |(fingerprint, entry): (&String, &BaselineEntry)| {
            let line =
                json!({ "fingerprint": fingerprint, "file": entry.file, "what": entry.what });
            format!("    {line}")
        };
        let lines: Vec<_> = self.entries.iter().map(line).collect();
        let text = format!("{{\n  \"findings\": [\n{}\n  ]\n}}\n", lines.join(",\n"));
        atomic_file::replace(path, text.as_bytes())
            .map_err(|error| Failure::unwritable_file(path, &error))
    }
}
