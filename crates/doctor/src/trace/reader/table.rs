//! Tables as cqlsh prints them: with any width, behind log prefixes or in Markdown, coloured, and
//! vertical after EXPAND ON.

use super::record::{Records, TraceRecord, column};
use crate::trace::sentence::fields;

/// Lines that one row may be wrapped to.
const WRAPPED_MAX: usize = 16;

/// The header of a table.
struct Header {
    names: Vec<String>,
    /// Characters before the first column, such as the prefix of a log.
    prefix: usize,
    /// The column whose values may contain the separator.
    wide: usize,
    /// Whether rows end with a separator, as in Markdown.
    is_closed: bool,
}

/// Reads the tables of a text.
pub(super) fn read(text: &str, records: &mut Records) {
    let mut header: Option<Header> = None;
    let mut pending = String::new();
    let mut pending_lines = 0;
    let mut vertical = TraceRecord::default();
    let mut has_vertical = false;
    for line in text.lines() {
        let line = clean(line);
        if let Some(id) = session_id(&line) {
            (records.session, header) = (Some(id), None);
            continue;
        }
        if let Some(found) = Header::parse(&line) {
            records.found = true;
            (header, pending_lines) = (Some(found), 0);
            pending.clear();
            continue;
        }
        if let Some(header) = &header {
            let rest: String = line.chars().skip(header.prefix).collect();
            if is_rule(&rest) || (rest.trim().is_empty() && pending.is_empty()) {
                continue;
            }
            if pending_lines > 0 {
                pending.push(' ');
            }
            pending.push_str(rest.trim());
            pending_lines += 1;
            let row = header.row(&pending);
            let is_complete = row.is_some();
            if let Some(row) = row {
                records.add(row);
            }
            if is_complete || pending_lines >= WRAPPED_MAX {
                (pending, pending_lines) = (String::new(), 0);
            }
            continue;
        }
        // After EXPAND ON, each value has its own line, and each row a title.
        if fields::<1>("@ Row {}", line.trim_start()).is_some() {
            if has_vertical {
                records.add(std::mem::take(&mut vertical));
            }
            has_vertical = false;
        } else if let Some((name, value)) = line.split_once('|')
            && column(name).is_some()
        {
            vertical.set(name, value.to_owned());
            has_vertical = true;
        }
    }
    if has_vertical {
        records.add(vertical);
    }
}

impl Header {
    fn parse(line: &str) -> Option<Self> {
        let mut cells: Vec<&str> = line.split('|').collect();
        let is_closed = cells.len() > 2 && cells.last()?.trim().is_empty();
        if is_closed {
            cells.pop();
        }
        // A prefix ends before the first name; a leading separator belongs to it.
        let first = cells.iter().position(|cell| last_word(cell).and_then(column).is_some())?;
        let cells = cells.get(first..)?;
        let names: Vec<String> =
            cells.iter().map(|cell| last_word(cell).unwrap_or_default().to_owned()).collect();
        let known: Vec<_> = names.iter().map(|name| column(name)).collect();
        let has = |name: &str| known.contains(&Some(name));
        let is_events = has("activity") && has("source_elapsed");
        let is_sessions = has("session_id") && has("duration");
        if !is_events && !is_sessions {
            return None;
        }
        let wide = if is_events { "activity" } else { "parameters" };
        let wide = names.iter().position(|name| column(name) == Some(wide) || name == wide);
        let name = names.first()?;
        let before = line.find(&**name)?;
        let prefix = line.get(..before)?.trim_end().chars().count();
        Some(Self { wide: wide.unwrap_or_default(), names, prefix, is_closed })
    }

    /// A row, `None` if it is not complete.
    fn row(&self, line: &str) -> Option<TraceRecord> {
        let mut cells: Vec<&str> = line.split('|').collect();
        if self.is_closed && cells.last().is_some_and(|cell| cell.trim().is_empty()) {
            cells.pop();
        }
        let extra = cells.len().checked_sub(self.names.len())?;
        let mut record = TraceRecord::default();
        let mut rest = cells.into_iter();
        for (position, name) in self.names.iter().enumerate() {
            let taken = if position == self.wide { extra + 1 } else { 1 };
            let value = rest.by_ref().take(taken).collect::<Vec<_>>().join("|");
            if name == "parameters" {
                record.parameters = parameters(&value);
            } else {
                record.set(name, value);
            }
        }
        self.is_complete(&record).then_some(record)
    }

    /// Whether the row has what its form always has: a row that was wrapped by a terminal lacks its
    /// last cells until its last line.
    fn is_complete(&self, record: &TraceRecord) -> bool {
        let has_elapsed = self.names.iter().any(|name| column(name) == Some("source_elapsed"));
        !has_elapsed || record.has_number("source_elapsed")
    }
}

/// The last word of a cell: the name of a column behind the prefix of a log.
fn last_word(cell: &str) -> Option<&str> {
    cell.split_whitespace().next_back()
}

/// Removes colours, and writes the borders of other tables as cqlsh's.
fn clean(line: &str) -> String {
    let mut cleaned = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(char) = chars.next() {
        match char {
            '\u{1b}' => {
                // The sequence ends with a letter.
                let _ = chars.by_ref().find(char::is_ascii_alphabetic);
            }
            '│' | '┃' | '║' => cleaned.push('|'),
            _ => cleaned.push(char),
        }
    }
    cleaned
}

/// Whether a line is a border between rows.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    let is_border = |char: char| {
        matches!(
            char,
            '-' | '+'
                | '='
                | '|'
                | ':'
                | ' '
                | '─'
                | '┼'
                | '━'
                | '╋'
                | '├'
                | '┤'
                | '┌'
                | '┐'
                | '└'
                | '┘'
                | '┬'
                | '┴'
        )
    };
    !line.is_empty() && line.chars().all(is_border)
}

/// The id in `Tracing session: 7c2b0a50-...`.
fn session_id(line: &str) -> Option<String> {
    let [_, id] = fields("{}Tracing session:{}", line)?;
    let id = id.split_whitespace().next()?;
    cql::value::Uuid::parse(id).map(|_| id.to_owned())
}

/// A map as cqlsh prints it: `{'consistency_level': 'ONE', 'query': 'SELECT ...'}`.
fn parameters(text: &str) -> std::collections::BTreeMap<String, String> {
    let mut strings = Vec::new();
    let mut chars = text.chars().peekable();
    while chars.by_ref().any(|char| char == '\'') {
        let mut string = String::new();
        while let Some(char) = chars.next() {
            if char != '\'' {
                string.push(char);
            } else if chars.peek() == Some(&'\'') {
                string.push('\'');
                chars.next();
            } else {
                break;
            }
        }
        strings.push(string);
    }
    let mut pairs = std::collections::BTreeMap::new();
    let mut strings = strings.into_iter();
    while let (Some(name), Some(value)) = (strings.next(), strings.next()) {
        pairs.insert(name, value);
    }
    pairs
}
