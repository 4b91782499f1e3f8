//! Text within the width of the terminal: longer lines continue on the next line, indented, and the
//! columns of wide tables are shown in blocks below one another.

use std::io::{self, Write};

use anstream::adapter::strip_str;
use unicode_width::UnicodeWidthStr;

use super::design::align_columns;

/// The width where there is no terminal.
pub(crate) const WIDTH_DEFAULT: usize = 80;
/// Text in fewer columns cannot be read.
const WIDTH_MIN: usize = 40;

/// The width of the terminal; else that of `COLUMNS`; else 80.
pub(crate) fn find_width() -> usize {
    let terminal = terminal_size::terminal_size_of(io::stdout());
    let terminal = terminal.map(|(width, _)| usize::from(width.0));
    let stated = || std::env::var("COLUMNS").ok()?.trim().parse().ok();
    terminal.or_else(stated).unwrap_or(WIDTH_DEFAULT).max(WIDTH_MIN)
}

/// The lines of the terminal, if the output goes to one.
pub(crate) fn find_height() -> Option<usize> {
    terminal_size::terminal_size_of(io::stdout()).map(|(_, height)| usize::from(height.0))
}

/// Writes text whose lines are wrapped at a width.
pub(crate) fn write_within<E: From<io::Error>>(
    width: usize,
    out: &mut dyn Write,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let mut page = PageWriter { out, width, open: Vec::new() };
    write(&mut page)?;
    if !page.open.is_empty() {
        page.write_line()?;
    }
    Ok(())
}

/// Wraps the lines that are written to it.
struct PageWriter<'a> {
    out: &'a mut dyn Write,
    width: usize,
    /// The start of a line whose end was not written yet.
    open: Vec<u8>,
}

impl PageWriter<'_> {
    fn write_line(&mut self) -> io::Result<()> {
        let line = String::from_utf8_lossy(&self.open).into_owned();
        self.open.clear();
        wrap(&line, self.width).iter().try_for_each(|line| writeln!(self.out, "{line}"))
    }
}

impl Write for PageWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let line = piece.strip_suffix(b"\n");
            self.open.extend_from_slice(line.unwrap_or(piece));
            if line.is_some() {
                self.write_line()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The columns that a text takes on a terminal, without the escape sequences of its style.
pub(crate) fn display_width(text: &str) -> usize {
    if text.contains('\x1b') { strip_str(text).to_string().width() } else { text.width() }
}

/// The lines of a text that is at most that wide. Rows of results (`a | b`) are not wrapped, and
/// nothing is wrapped within a quoted literal.
pub(crate) fn wrap(line: &str, width: usize) -> Vec<String> {
    if line.len() <= width || display_width(line) <= width || is_result_row(line) {
        return vec![line.to_owned()];
    }
    let margin = hanging_margin(line).min(width / 2);
    let mut lines = Vec::new();
    let (mut current, mut used, mut is_empty) = (String::new(), 0, true);
    for (gap, word) in split_words(line) {
        let word_width = display_width(word);
        if is_empty || used + gap.len() + word_width <= width {
            current.push_str(gap);
            used += gap.len();
        } else {
            lines.push(std::mem::replace(&mut current, " ".repeat(margin)));
            used = margin;
        }
        current.push_str(word);
        used += word_width;
        is_empty = false;
    }
    lines.push(current);
    lines
}

/// Whether a line is a row of a result, which is read by its columns.
fn is_result_row(line: &str) -> bool {
    line.contains(" | ") || line.contains("-+-")
}

/// Where the lines after the first begin: behind a bullet or a number, else a little further in.
fn hanging_margin(line: &str) -> usize {
    let plain = strip_str(line).to_string();
    let text = plain.trim_start_matches(' ');
    let indent = plain.len() - text.len();
    let marker = text.split(' ').next().unwrap_or_default();
    let is_marker = matches!(marker, "-" | "✓" | "✗" | "–")
        || marker.strip_suffix('.').is_some_and(|number| number.parse::<u32>().is_ok());
    indent + if is_marker { marker.width() + 1 } else { 2 }
}

/// The words of a line, each with the blanks before it.
fn split_words(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let word = rest.trim_start_matches(' ');
        if word.is_empty() {
            return None;
        }
        let gap = &rest[..rest.len() - word.len()];
        let (word, behind) = word.split_at(word_end(word));
        rest = behind;
        Some((gap, word))
    })
}

/// The end of the word that a text begins with: a blank outside of quoted literals.
fn word_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() && bytes[at] != b' ' {
        let is_opening = at == 0 || matches!(bytes[at - 1], b'(' | b',' | b'=' | b'[' | b'{');
        at = match bytes[at] {
            b'\'' if is_opening => literal_end(text, at).unwrap_or(at + 1),
            _ => at + 1,
        };
    }
    at
}

/// The end of the literal that begins with the quote at a place; doubled quotes belong to it.
fn literal_end(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = start + 1;
    loop {
        at += text.get(at..)?.find('\'')? + 1;
        if bytes.get(at) != Some(&b'\'') {
            return Some(at);
        }
        at += 1;
    }
}

/// Rows with aligned cells in lines of at most this width. The columns of a table that is wider are
/// shown in blocks, each beginning with the first column.
pub(crate) fn fit_columns(rows: &[Vec<String>], width: usize) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let column_width = |at: usize| {
        let cells = rows.iter().filter_map(|row| row.get(at));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let mut lines = Vec::new();
    let mut next = 1;
    loop {
        let mut used = column_width(0);
        let start = next;
        while next < columns && (next == start || used + 2 + column_width(next) <= width) {
            used += 2 + column_width(next);
            next += 1;
        }
        let cells = |row: &Vec<String>| -> Vec<String> {
            row.iter().take(1).chain(row.iter().take(next).skip(start)).cloned().collect()
        };
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(align_columns(&rows.iter().map(cells).collect::<Vec<_>>()));
        if next >= columns {
            return lines;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_continue_indented() {
        assert_eq!(wrap("  - one two three four", 14), ["  - one two", "    three four"]);
        assert_eq!(wrap("  12. one two three", 12), ["  12. one", "      two", "      three"]);
        assert_eq!(wrap("one two three", 9), ["one two", "  three"]);
        assert_eq!(wrap("one two three", 13), ["one two three"]);
        assert_eq!(wrap("", 13), [""]);
        let word = "x".repeat(20);
        assert_eq!(
            wrap(&format!("a {word} b"), 10),
            ["a".to_owned(), format!("  {word}"), "  b".to_owned()]
        );
    }

    #[test]
    fn styles_have_no_width() {
        let styled = "\x1b[1mone\x1b[0m two \x1b[2mthree\x1b[0m";
        assert_eq!(wrap(styled, 13), [styled]);
        assert_eq!(wrap(styled, 9), ["\x1b[1mone\x1b[0m two", "  \x1b[2mthree\x1b[0m"]);
        assert_eq!(wrap("  ✓ größer als früher", 16), ["  ✓ größer als", "    früher"]);
    }

    #[test]
    fn literals_and_results_stay_whole() {
        let text = "a = 'x y ''z w' AND it's b";
        assert_eq!(wrap(text, 17), ["a = 'x y ''z w'", "  AND it's b"]);
        assert_eq!(wrap("it's what 'he said", 10), ["it's what", "  'he said"]);
        assert_eq!(wrap("  aaaaaaaa | bbbbbbbb", 12), ["  aaaaaaaa | bbbbbbbb"]);
    }

    #[test]
    fn all_that_is_written_is_there() {
        let mut out = Vec::new();
        write_within(9, &mut out, |page| {
            write!(page, "one ")?;
            write!(page, "two three\n\nfour")
        })
        .unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "one two\n  three\n\nfour\n");
    }

    #[test]
    fn wide_tables_have_blocks() {
        let rows: Vec<Vec<String>> = [["table", "one", "two", "three"], ["a", "1", "2", "3"]]
            .iter()
            .map(|row| row.map(str::to_owned).to_vec())
            .collect();
        assert_eq!(fit_columns(&rows, 80), ["table  one  two  three", "a      1    2    3"]);
        let blocks =
            ["table  one  two", "a      1    2", "", "table  three", "a      3"].map(str::to_owned);
        assert_eq!(fit_columns(&rows, 15), blocks);
        assert_eq!(fit_columns(&rows[..0], 15), [""; 0]);
    }
}
