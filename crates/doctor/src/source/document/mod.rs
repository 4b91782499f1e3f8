//! Documents in JSON and YAML: `nodetool -F json`, `nodetool -F yaml`, cassandra.yaml.

mod json;
mod value;

use super::cassandra_yaml;
use super::collector::Target;
use super::nodetool;
use super::section::{Format, SectionOutcome, SectionReader};
use crate::yaml;

pub(super) use value::DocumentValue;

/// The most bytes of a document that are kept.
const DOCUMENT_BYTES_MAX: usize = 64 << 20;

pub(super) const JSON_FORMAT: Format = Format { kind: "JSON", open: open_json };
pub(super) const YAML_FORMAT: Format = Format { kind: "YAML", open: open_yaml };

/// What a document may be: the name of the kind, whether it is of that kind, and its reader, which
/// returns a problem.
struct DocumentKind {
    kind: &'static str,
    is_of_kind: fn(&DocumentValue) -> bool,
    read: fn(&DocumentValue, &mut Target<'_>) -> Option<String>,
}

const KINDS: [DocumentKind; 4] = [
    DocumentKind {
        kind: nodetool::thread_pool_stats::FORMAT.kind,
        is_of_kind: nodetool::thread_pool_stats::is_document,
        read: nodetool::thread_pool_stats::read_document,
    },
    DocumentKind {
        kind: nodetool::compaction_history::FORMAT.kind,
        is_of_kind: nodetool::compaction_history::is_document,
        read: nodetool::compaction_history::read_document,
    },
    DocumentKind {
        kind: nodetool::gc_stats::FORMAT.kind,
        is_of_kind: nodetool::gc_stats::is_document,
        read: nodetool::gc_stats::read_document,
    },
    DocumentKind {
        kind: nodetool::table_stats::FORMAT.kind,
        is_of_kind: nodetool::table_stats::is_document,
        read: nodetool::table_stats::read_document,
    },
];

fn open_json(line: &str) -> Option<Box<dyn SectionReader>> {
    let mut signs = line.chars().filter(|sign| !sign.is_whitespace());
    let is_start = match signs.next()? {
        '{' => matches!(signs.next(), None | Some('"' | '}')),
        // A line of a GC log begins with a bracket, too.
        '[' => matches!(signs.next(), None | Some('{')),
        _ => false,
    };
    is_start.then(|| Box::new(JsonReader::default()) as Box<dyn SectionReader>)
}

/// Collects the lines of a document until its brackets are closed.
#[derive(Default)]
struct JsonReader {
    text: String,
    depth: usize,
    string: StringState,
    is_closed: bool,
    is_cut: bool,
}

/// Where in a string the end of a line is.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum StringState {
    #[default]
    Outside,
    Inside,
    Escaped,
}

impl SectionReader for JsonReader {
    fn is_own_line(&self, _line: &str) -> bool {
        !self.is_closed
    }

    fn read_line(&mut self, line: &str, _target: &mut Target<'_>) {
        if self.is_closed {
            return;
        }
        for byte in line.bytes() {
            self.string = match (self.string, byte) {
                (StringState::Inside, b'\\') => StringState::Escaped,
                (StringState::Inside, b'"') => StringState::Outside,
                (StringState::Inside | StringState::Escaped, _) => StringState::Inside,
                (StringState::Outside, b'"') => StringState::Inside,
                (StringState::Outside, b'{' | b'[') => {
                    self.depth += 1;
                    StringState::Outside
                }
                (StringState::Outside, b'}' | b']') => {
                    self.depth = self.depth.saturating_sub(1);
                    StringState::Outside
                }
                (StringState::Outside, _) => StringState::Outside,
            };
        }
        self.is_closed = self.depth == 0;
        if self.text.len() + line.len() > DOCUMENT_BYTES_MAX {
            self.is_cut = true;
        } else {
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    fn finish(&mut self, target: &mut Target<'_>) -> SectionOutcome {
        let (value, error) = json::read(&self.text);
        let outcome = read_value(&value, target);
        match error {
            Some(error) if outcome.problem.is_none() => {
                SectionOutcome { problem: Some(error.to_owned()), ..outcome }
            }
            None if self.is_cut => {
                SectionOutcome { problem: Some("it is larger than 64 MiB".to_owned()), ..outcome }
            }
            _ => outcome,
        }
    }
}

/// Reads a document that is no configuration.
fn read_value(value: &DocumentValue, target: &mut Target<'_>) -> SectionOutcome {
    match KINDS.iter().find(|kind| (kind.is_of_kind)(value)) {
        None => SectionOutcome::foreign(),
        Some(found) => SectionOutcome {
            kind: Some(found.kind),
            is_recognised: true,
            problem: (found.read)(value, target),
        },
    }
}

fn open_yaml(line: &str) -> Option<Box<dyn SectionReader>> {
    (line == "---" || is_name_line(line)).then(|| {
        Box::new(YamlDocumentReader { text: String::new(), is_cut: false })
            as Box<dyn SectionReader>
    })
}

/// Whether a line at the margin is `name:` or `name: value`.
fn is_name_line(line: &str) -> bool {
    let Some((name, rest)) = line.split_once(':') else { return false };
    let name = name.trim_matches(['"', '\'']);
    let is_word = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
    let is_setting = name.starts_with(|sign: char| sign.is_ascii_lowercase());
    !name.is_empty()
        && name.chars().all(is_word)
        && (rest.trim().is_empty() || is_setting && rest.starts_with(' '))
}

/// Collects the lines of a document.
struct YamlDocumentReader {
    text: String,
    is_cut: bool,
}

impl SectionReader for YamlDocumentReader {
    fn is_own_line(&self, line: &str) -> bool {
        line.starts_with([' ', '#', '-', '\t']) || line.is_empty() || is_name_line(line)
    }

    fn read_line(&mut self, line: &str, _target: &mut Target<'_>) {
        if self.text.len() + line.len() > DOCUMENT_BYTES_MAX {
            self.is_cut = true;
            return;
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn finish(&mut self, target: &mut Target<'_>) -> SectionOutcome {
        let (entries, error, skipped) = yaml::read_leniently(&self.text);
        let mut outcome = if cassandra_yaml::is_configuration(&entries) {
            cassandra_yaml::read(&entries, target)
        } else {
            read_value(&value::from_yaml(&entries), target)
        };
        if let Some(error) = error
            && outcome.problem.is_none()
        {
            let line = self.text[..].bytes().take(usize::try_from(error.span.start).unwrap_or(0));
            let line = line.filter(|byte| *byte == b'\n').count() + 1;
            let reason = error.message;
            outcome.problem = Some(match skipped {
                1 => format!("line {line} was skipped: {reason}"),
                _ => format!("{skipped} lines were skipped, the first is line {line}: {reason}"),
            });
        } else if self.is_cut {
            outcome.problem = Some("it is larger than 64 MiB".to_owned());
        }
        outcome
    }
}
