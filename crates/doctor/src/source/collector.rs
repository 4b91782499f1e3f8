//! [`Collector`]: files in, a snapshot out.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::BufRead;

use super::heading;
use super::line_reader::LineReader;
use super::section::{self, Format, SectionReader};
use super::sstable::KnownFiles;
use crate::snapshot::{Node, Snapshot, SourceRecord};

/// How many bytes are read of a file in which nothing is recognised.
const UNRECOGNISED_BYTES_MAX: usize = 4 << 20;
/// How many events are remembered to notice that two files report the same one.
const KNOWN_EVENTS_MAX: usize = 1 << 20;

/// Adds what files say to a snapshot.
#[derive(Debug, Default)]
pub struct Collector {
    snapshot: Snapshot,
    known_events: KnownEvents,
    known_files: KnownFiles,
}

impl Collector {
    /// A collector without a file.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a file of a node. `name` is its path in the folder; `node` the name of the node, empty
    /// if it is not known, in which case headings within the file may tell it. Errors of the stream
    /// are recorded as problems of the file.
    pub fn read(&mut self, name: &str, node: &str, stream: impl BufRead) {
        self.known_events.file += 1;
        let mut file = FileReader {
            target: Target {
                snapshot: &mut self.snapshot,
                known_events: &mut self.known_events,
                known_files: &mut self.known_files,
                node: node.to_owned(),
            },
            name,
            folder_node: node,
            section: None,
            unrecognised_bytes: 0,
            records: Vec::new(),
        };
        let mut lines = LineReader::new(stream);
        let result = lines.read(|line| file.read_line(line));
        file.close_section();
        let mut problems = Vec::new();
        if let Err(error) = result {
            problems.push(format!("reading stopped: {error}"));
        }
        if lines.has_cut_line {
            problems.push("lines longer than 256 KiB were cut".to_owned());
        }
        file.finish(problems);
    }

    /// What was collected.
    pub fn finish(mut self) -> Snapshot {
        super::nodetool::merge_addresses(&mut self.snapshot);
        self.snapshot
    }
}

/// Where readers put what they find.
pub(super) struct Target<'a> {
    pub(super) snapshot: &'a mut Snapshot,
    pub(super) known_events: &'a mut KnownEvents,
    pub(super) known_files: &'a mut KnownFiles,
    /// The name of the node that the lines are about.
    pub(super) node: String,
}

impl Target<'_> {
    /// The node that the lines are about.
    pub(super) fn node(&mut self) -> &mut Node {
        let node = self.snapshot.nodes.entry(self.node.clone()).or_default();
        node.is_told_by_others = false;
        node
    }
}

/// Events by their hash, with the number of the file that reported them first: debug.log repeats
/// what system.log says, and folders contain copies.
#[derive(Debug, Default)]
pub(super) struct KnownEvents {
    file: u32,
    files_by_hash: HashMap<u64, u32>,
}

impl KnownEvents {
    /// Remembers an event, and returns whether it is new: no other file reported it.
    pub(super) fn insert(&mut self, hash: u64) -> bool {
        if let Some(file) = self.files_by_hash.get(&hash) {
            return *file == self.file;
        }
        if self.files_by_hash.len() < KNOWN_EVENTS_MAX {
            self.files_by_hash.insert(hash, self.file);
        }
        true
    }
}

/// A part of a file that is being read.
struct OpenSection {
    format: &'static Format,
    reader: Box<dyn SectionReader>,
}

/// The state of reading one file.
struct FileReader<'a> {
    target: Target<'a>,
    name: &'a str,
    folder_node: &'a str,
    section: Option<OpenSection>,
    unrecognised_bytes: usize,
    records: Vec<SourceRecord>,
}

impl FileReader<'_> {
    /// Takes a line; `false` if the rest of the file is not wanted.
    fn read_line(&mut self, bytes: &[u8]) -> bool {
        let line = match std::str::from_utf8(bytes) {
            Ok(line) => Cow::Borrowed(line),
            Err(_) => String::from_utf8_lossy(bytes),
        };
        if let Some(section) = &mut self.section
            && section.reader.is_own_line(&line)
        {
            section.reader.read_line(&line, &mut self.target);
            return true;
        }
        let open = self.section.as_ref().map(|section| section.format.kind);
        if let Some((format, reader)) = section::open(&line, open) {
            self.close_section();
            self.section = Some(OpenSection { format, reader });
        } else if let Some(node) = heading::find_node(&line)
            && self.folder_node.is_empty()
        {
            self.close_section();
            node.clone_into(&mut self.target.node);
            return true;
        }
        if let Some(section) = &mut self.section {
            if !heading::is_separator(&line) {
                section.reader.read_line(&line, &mut self.target);
            }
            return true;
        }
        self.unrecognised_bytes += bytes.len() + 1;
        if let Some((kind, problem)) = section::find_binary(bytes, self.unrecognised_bytes) {
            self.record(Some(kind), Some(problem.to_owned()));
            return false;
        }
        !self.records.is_empty() || self.unrecognised_bytes < UNRECOGNISED_BYTES_MAX
    }

    fn close_section(&mut self) {
        if let Some(mut section) = self.section.take() {
            let outcome = section.reader.finish(&mut self.target);
            let kind = outcome.kind.unwrap_or(section.format.kind);
            if outcome.is_recognised {
                self.record(Some(kind), outcome.problem);
            }
        }
    }

    /// Adds a record, or the problem to the record of the same kind and node.
    fn record(&mut self, kind: Option<&'static str>, problem: Option<String>) {
        let node = &self.target.node;
        let same = |record: &&mut SourceRecord| record.kind == kind && record.node == *node;
        if let Some(record) = self.records.iter_mut().find(same) {
            if record.problem.is_none() {
                record.problem = problem;
            }
            return;
        }
        let (name, node) = (self.name.to_owned(), node.clone());
        self.records.push(SourceRecord { name, node, kind, problem });
    }

    fn finish(mut self, problems: Vec<String>) {
        if self.records.is_empty() {
            self.record(None, None);
        }
        if let Some(first) = self.records.first_mut() {
            let all = first.problem.take().into_iter().chain(problems).collect::<Vec<_>>();
            first.problem = (!all.is_empty()).then(|| all.join("; "));
        }
        self.target.snapshot.sources.append(&mut self.records);
    }
}
