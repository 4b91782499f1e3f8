//! The baseline: findings that are known and wait to be mended. It only shrinks.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};

use super::CheckResult;
use super::inputs::Inputs;
use crate::atomic_file;
use crate::outcome::{Failure, Outcome};

/// A finding that is known: where it was, and what it says, for people who read the file.
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
    /// Reads a baseline; `None` if there is no such file.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>, Failure> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Failure::unreadable_file(path, &error)),
        };
        let wrong = |what: &str| {
            let message = format!("{} is no baseline: {what}", path.display());
            Failure::Stopped(Outcome::BadInput, message)
        };
        let value: Value =
            serde_json::from_str(&text).map_err(|error| wrong(&error.to_string()))?;
        let entries = value["findings"].as_array().ok_or_else(|| wrong("it has no findings"))?;
        let entry = |value: &Value| {
            let word = |key: &str| value[key].as_str().map(str::to_owned);
            Some((word("fingerprint")?, BaselineEntry { file: word("file")?, what: word("what")? }))
        };
        let entries: Option<BTreeMap<_, _>> = entries.iter().map(entry).collect();
        let entries = entries.ok_or_else(|| wrong("each has fingerprint, file and what"))?;
        Ok(Some(Self { entries }))
    }

    /// All findings that are told.
    pub(crate) fn from_findings<'a>(
        inputs: &Inputs,
        told: impl Iterator<Item = (&'a check::Finding, &'a String)>,
    ) -> Self {
        let entry = |(finding, fingerprint): (&check::Finding, &String)| {
            let names =
                [&finding.subject.keyspace, &finding.subject.table, &finding.subject.column];
            let names: Vec<&str> = names.into_iter().filter_map(|name| name.as_deref()).collect();
            let what = format!("{} {} {}", finding.rule.code, finding.rule.name, names.join("."));
            let file = inputs.name(finding.place.text).to_owned();
            (fingerprint.clone(), BaselineEntry { file, what: what.trim_end().to_owned() })
        };
        Self { entries: told.map(entry).collect() }
    }

    /// Whether it knows a finding.
    pub(crate) fn contains(&self, fingerprint: &str) -> bool {
        self.entries.contains_key(fingerprint)
    }

    /// The entries that do not occur any more. Those of files that were not checked may occur still, if the file exists.
    fn stale_entries<'a>(
        &'a self,
        inputs: &Inputs,
        checked: &'a CheckResult,
    ) -> impl Iterator<Item = (&'a String, &'a BaselineEntry)> {
        let found: BTreeSet<&String> = checked.fingerprints.iter().collect();
        let files: BTreeSet<String> =
            inputs.all.iter().map(|one| one.source.name.clone()).collect();
        self.entries.iter().filter(move |(fingerprint, entry)| {
            !found.contains(fingerprint)
                && (files.contains(&entry.file) || !Path::new(&entry.file).exists())
        })
    }

    /// The stale entries in words.
    pub(crate) fn describe_stale(&self, inputs: &Inputs, checked: &CheckResult) -> Vec<String> {
        let stale = self.stale_entries(inputs, checked);
        stale.map(|(_, entry)| format!("{} in {}", entry.what, entry.file)).collect()
    }

    /// Without its stale entries.
    pub(crate) fn prune(&self, inputs: &Inputs, checked: &CheckResult) -> Self {
        let stale: BTreeSet<String> = self
            .stale_entries(inputs, checked)
            .map(|(fingerprint, _)| fingerprint.clone())
            .collect();
        let mut entries = self.entries.clone();
        entries.retain(|fingerprint, _| !stale.contains(fingerprint));
        Self { entries }
    }

    /// Writes it, an entry to a line, so that two of them merge well.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Failure> {
        let line = |(fingerprint, entry): (&String, &BaselineEntry)| {
            let line =
                json!({ "fingerprint": fingerprint, "file": entry.file, "what": entry.what });
            format!("    {line}")
        };
        let lines: Vec<_> = self.entries.iter().map(line).collect();
        let text = format!("{{\n  \"findings\": [\n{}\n  ]\n}}\n", lines.join(",\n"));
        atomic_file::replace(path, text.as_bytes()).map_err(|error| {
            let message = format!("cannot write {}: {error}", path.display());
            Failure::Stopped(Outcome::EnvironmentFailed, message)
        })
    }

    /// How many entries there are.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }
}
