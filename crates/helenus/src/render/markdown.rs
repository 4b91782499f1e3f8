//! Pages of the documentation for the terminal.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

const HEADING: Style = Style::new().bold();
const CODE: Style = AnsiColor::Cyan.on_default();

/// Writes a page: headings in bold, code indented, and each row of a table as a list of its cells,
/// so that no line is longer than that of the page.
pub(crate) fn write(page: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut in_code = false;
    let mut table = Table::default();
    for line in page.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
        } else if in_code {
            writeln!(out, "    {CODE}{line}{CODE:#}")?;
        } else if line.starts_with('|') {
            table.write_row(line, out)?;
        } else {
            table = Table::default();
            match line.trim_start_matches('#').strip_prefix(' ') {
                Some(heading) if line.starts_with('#') => {
                    writeln!(out, "{HEADING}{heading}{HEADING:#}")?;
                }
                _ => writeln!(out, "{line}")?,
            }
        }
    }
    Ok(())
}

/// The table that is being written.
#[derive(Default)]
struct Table {
    /// The headings of its columns.
    headings: Vec<String>,
}

impl Table {
    fn write_row(&mut self, line: &str, out: &mut dyn Write) -> io::Result<()> {
        let cells = split_cells(line);
        if self.headings.is_empty() {
            self.headings = cells;
            return Ok(());
        }
        if cells.iter().all(|cell| cell.chars().all(|c| matches!(c, '-' | ':'))) {
            return Ok(());
        }
        for (position, (heading, cell)) in self.headings.iter().zip(&cells).enumerate() {
            if position == 0 {
                writeln!(out, "  {CODE}{cell}{CODE:#}")?;
            } else if !cell.is_empty() {
                writeln!(out, "      {heading}: {cell}")?;
            }
        }
        Ok(())
    }
}

/// The cells of a row, without the marks of code; `\|` is a stroke.
fn split_cells(line: &str) -> Vec<String> {
    let line = line.trim().trim_start_matches('|').trim_end_matches('|').replace("\\|", "\u{1}");
    let clean = |cell: &str| cell.trim().replace('`', "").replace('\u{1}', "|");
    line.split('|').map(clean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_become_lists() {
        let page = "## A\n\ntext\n\n| a | b | c |\n|---|:-:|---|\n| `x \\| y` | 1 | |\n\n```sql\nSELECT\n```\n";
        let mut out = anstream::StripStream::new(Vec::new());
        write(page, &mut out).unwrap();
        let text = String::from_utf8(out.into_inner()).unwrap();
        assert_eq!(text, "A\n\ntext\n\n  x | y\n      b: 1\n\n    SELECT\n");
    }
}
