//! The part of YAML in which cassandra.yaml and the output of `nodetool` are written: nested names
//! with values, and lists, by indentation. Anchors, tags, documents and texts of several lines are
//! refused; [`read_leniently`] skips what it cannot read.

use cql::Span;

/// The maximum nesting of names.
const DEPTH_MAX: usize = 16;

/// A value and its name; nested names are joined by dots, elements of lists have the name of the
/// list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlEntry {
    /// The full name.
    pub name: String,
    /// The name without those of the enclosing entries.
    pub key: String,
    /// The position of the entry that encloses it.
    pub parent: Option<usize>,
    /// Where the name is written.
    pub name_span: Span,
    /// The text of the value without quotes; a list as `[a, b]`; empty if there is none.
    pub value: String,
    /// Where the value is written.
    pub value_span: Span,
}

/// A line that cannot be read, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlError {
    /// Where it is.
    pub span: Span,
    /// What is wrong.
    pub message: &'static str,
}

/// Reads all entries in order.
pub fn read(text: &str) -> Result<Vec<YamlEntry>, YamlError> {
    let mut reader = YamlReader::default();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        reader.read_line(TextPart { start, text: line.trim_end() })?;
        start += line.len();
    }
    Ok(reader.entries)
}

/// Reads the entries of all lines that can be read, with the first error and the number of lines
/// that were skipped. Anchors are ignored, aliases have no value.
pub fn read_leniently(text: &str) -> (Vec<YamlEntry>, Option<YamlError>, usize) {
    let mut reader = YamlReader { is_lenient: true, ..YamlReader::default() };
    let (mut first, mut skipped, mut start) = (None, 0, 0);
    for line in text.split_inclusive('\n') {
        if let Err(error) = reader.read_line(TextPart { start, text: line.trim_end() }) {
            first.get_or_insert(error);
            skipped += 1;
        }
        start += line.len();
    }
    (reader.entries, first, skipped)
}

/// A part of the text, and its offset.
#[derive(Clone, Copy)]
struct TextPart<'a> {
    start: usize,
    text: &'a str,
}

impl TextPart<'_> {
    fn span(self) -> Span {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span::new(offset(self.start), offset(self.start + self.text.len()))
    }

    fn skip(self, bytes: usize) -> Self {
        Self { start: self.start + bytes, text: self.text.get(bytes..).unwrap_or_default() }
    }

    /// Without the blanks at both ends.
    fn trim(self) -> Self {
        let text = self.text.trim_start();
        Self { text: text.trim_end(), ..self.skip(self.text.len() - text.len()) }
    }

    fn take(self, bytes: usize) -> Self {
        Self { text: self.text.get(..bytes).unwrap_or(self.text), ..self }
    }

    fn refuse<T>(self, message: &'static str) -> Result<T, YamlError> {
        Err(YamlError { span: self.span(), message })
    }
}

/// A name that encloses the lines that are indented more.
struct EnclosingName {
    indent: usize,
    /// The position of its entry, which the elements of a list extend.
    entry: usize,
}

#[derive(Default)]
struct YamlReader {
    is_lenient: bool,
    entries: Vec<YamlEntry>,
    enclosing: Vec<EnclosingName>,
}

impl YamlReader {
    fn read_line(&mut self, line: TextPart<'_>) -> Result<(), YamlError> {
        let indent = line.text.len() - line.text.trim_start_matches(' ').len();
        let content = line.skip(indent);
        if content.text.starts_with('\t') && !content.text.trim().is_empty() {
            return content.take(1).refuse("indent with blanks, not with tabs");
        }
        let content = content.take(comment_start(content.text)).trim();
        if matches!(content.text, "" | "---" | "...") {
            return Ok(());
        }
        let Some(element) = content.text.strip_prefix('-').filter(|rest| starts_blank(rest)) else {
            self.enclosing.retain(|name| name.indent < indent);
            return self.read_name(content, indent);
        };
        self.enclosing.retain(|name| name.indent <= indent);
        let element = content.skip(content.text.len() - element.len()).trim();
        if name_end(element.text).is_some() {
            return self.read_name(element, indent + element.start - content.start);
        }
        self.add_element(element)
    }

    /// Reads `name: value`.
    fn read_name(&mut self, content: TextPart<'_>, indent: usize) -> Result<(), YamlError> {
        let Some(end) = name_end(content.text) else {
            return content.refuse("expected `name: value`");
        };
        let name = content.take(end).trim();
        let mut value = content.skip(end + 1).trim();
        if self.is_lenient {
            value = value.skip(anchor_end(value.text)).trim();
        }
        let enclosing = self.enclosing.last().map(|name| name.entry);
        let parent = enclosing.and_then(|entry| self.entries.get(entry));
        let key = read_scalar(name)?;
        let full_name = match parent {
            None if indent > 0 => return name.refuse("unexpected indentation"),
            None => key.clone(),
            Some(parent) if !parent.value.is_empty() => {
                return name.refuse("unexpected indentation: the name above has a value already");
            }
            Some(parent) => format!("{}.{key}", parent.name),
        };
        if self.enclosing.len() >= DEPTH_MAX {
            return name.refuse("nested too deeply");
        }
        self.enclosing.push(EnclosingName { indent, entry: self.entries.len() });
        self.entries.push(YamlEntry {
            name: full_name,
            key,
            parent: enclosing,
            name_span: name.span(),
            value: read_scalar(value)?,
            value_span: value.span(),
        });
        Ok(())
    }

    /// Adds an element to the list of the enclosing name.
    fn add_element(&mut self, element: TextPart<'_>) -> Result<(), YamlError> {
        let value = read_scalar(element)?;
        let list = self.enclosing.last().and_then(|name| self.entries.get_mut(name.entry));
        let Some(list) = list else { return element.refuse("expected `name: value`") };
        // In place: a list may have as many elements as the text has lines.
        if list.value.is_empty() {
            list.value.push('[');
        } else if list.value.ends_with(']') {
            list.value.pop();
            list.value.push_str(", ");
        } else {
            return element.refuse("the name above has a value already");
        }
        list.value.push_str(&value);
        list.value.push(']');
        list.value_span = element.span();
        Ok(())
    }
}

/// The length of an anchor (`&id001 {}`) or alias (`*id001`) before a value.
fn anchor_end(value: &str) -> usize {
    if value.starts_with(['&', '*']) { value.find(' ').unwrap_or(value.len()) } else { 0 }
}

fn starts_blank(text: &str) -> bool {
    text.is_empty() || text.starts_with(' ')
}

/// The offset of the comment of a line, or its end.
fn comment_start(line: &str) -> usize {
    let outside = bytes_outside_quotes(line);
    let mut before = b' ';
    for (at, byte) in outside {
        if byte == b'#' && before.is_ascii_whitespace() {
            return at;
        }
        before = byte;
    }
    line.len()
}

/// The offset of the colon after a name.
fn name_end(content: &str) -> Option<usize> {
    if content.starts_with(['[', '{']) {
        return None;
    }
    let colons = bytes_outside_quotes(content).filter(|(_, byte)| *byte == b':');
    colons.map(|(at, _)| at).find(|at| content.get(at + 1..).is_some_and(starts_blank))
}

/// The bytes outside quotes. A quote opens only where a value starts: `it's` has none.
fn bytes_outside_quotes(text: &str) -> impl Iterator<Item = (usize, u8)> {
    let (mut quote, mut before) = (None, b' ');
    text.bytes().enumerate().filter(move |(_, byte)| {
        let was_quoted = quote.is_some();
        match quote {
            Some(open) if open == *byte && before != b'\\' => quote = None,
            None if matches!(byte, b'"' | b'\'') && b" [{,".contains(&before) => {
                quote = Some(*byte);
            }
            _ => {}
        }
        before = *byte;
        !was_quoted
    })
}

/// The text of a value, without quotes.
fn read_scalar(part: TextPart<'_>) -> Result<String, YamlError> {
    let text = part.text;
    let inside =
        |open: &str, close: &str| text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    match text.bytes().next() {
        None => Ok(String::new()),
        Some(b'\'') => match inside("'", "'") {
            Some(inside) => Ok(inside.replace("''", "'")),
            None => part.refuse("the quote is not closed in this line"),
        },
        Some(b'"') => match inside("\"", "\"") {
            Some(inside) => Ok(inside.replace("\\\"", "\"").replace("\\\\", "\\")),
            None => part.refuse("the quote is not closed in this line"),
        },
        Some(b'[') if inside("[", "]").is_none() => part.refuse("write the list in one line"),
        Some(b'{') if inside("{", "}").is_none() => part.refuse("write the map in one line"),
        Some(b'|' | b'>' | b'&' | b'*' | b'!' | b'%' | b'@' | b'`') => {
            part.refuse("this form of YAML is not supported: write a plain or quoted value")
        }
        Some(_) if matches!(text, "~" | "null") => Ok(String::new()),
        Some(_) => Ok(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> Vec<(String, String)> {
        let entries = read(text).unwrap();
        entries.into_iter().map(|entry| (entry.name, entry.value)).collect()
    }

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn names_with_values() {
        let text = "# a comment\n---\na: 1\nb: 'x # y' # z\r\n\"c\": \"q\\\"\"\nd: it's # no\ne: ~\nf: [1, 'b']\n";
        let expected = [
            pair("a", "1"),
            pair("b", "x # y"),
            pair("c", "q\""),
            pair("d", "it's"),
            pair("e", ""),
            pair("f", "[1, 'b']"),
        ];
        assert_eq!(pairs(text), expected);
    }

    #[test]
    fn nested_names_and_lists() {
        let text = "seed_provider:\n    - class_name: S\n      parameters:\n          - seeds: \"a:1\"\nfolders:\n- /x\n- /y\nlast:\n  b:\n    c: 1\n  d: 2\n";
        let expected = [
            pair("seed_provider", ""),
            pair("seed_provider.class_name", "S"),
            pair("seed_provider.parameters", ""),
            pair("seed_provider.parameters.seeds", "a:1"),
            pair("folders", "[/x, /y]"),
            pair("last", ""),
            pair("last.b", ""),
            pair("last.b.c", "1"),
            pair("last.d", "2"),
        ];
        assert_eq!(pairs(text), expected);
    }

    #[test]
    fn lenient_reading_skips_lines() {
        let (entries, error, skipped) =
            read_leniently("a: &id001 {}\nb: *id001\nbad\nc:\n  - x: 1\n    y: 2\n  - x: 3\n");
        let found: Vec<_> =
            entries.iter().map(|entry| (&*entry.key, &*entry.value, entry.parent)).collect();
        let expected = [
            ("a", "{}", None),
            ("b", "", None),
            ("c", "", None),
            ("x", "1", Some(2)),
            ("y", "2", Some(2)),
            ("x", "3", Some(2)),
        ];
        assert_eq!(found, expected);
        assert_eq!((error.unwrap().span.start, skipped), (23, 1));
    }

    #[test]
    fn errors_have_their_places() {
        let refused = |text: &str| {
            let error = read(text).unwrap_err();
            (error.span.start, error.message)
        };
        assert_eq!(refused("a: 1\nb\n"), (5, "expected `name: value`"));
        assert_eq!(refused("  a: 1"), (2, "unexpected indentation"));
        assert_eq!(refused("a: 1\n\tb: 2"), (5, "indent with blanks, not with tabs"));
        assert_eq!(refused("a: 'x").1, "the quote is not closed in this line");
        assert_eq!(refused("a: [1,\n  2]").1, "write the list in one line");
        assert_eq!(refused("- a").1, "expected `name: value`");
        assert!(refused("a: |\n  x").1.starts_with("this form of YAML"));
        assert!(refused("a: 1\n  b: 2").1.starts_with("unexpected indentation"));
        let deep: Vec<_> = (0..40).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
        assert_eq!(refused(&deep.concat()).1, "nested too deeply");
    }
}
