//! Prints rows as in cqlsh: as a table, or as a list of fields per row.

use std::io::{self, Write};

use super::cell::Cell;

/// The rows of one page, with the column names.
pub(super) struct ResultPage {
    pub(super) names: Vec<Cell>,
    pub(super) rows: Vec<Vec<Cell>>,
}

impl ResultPage {
    /// Prints a table; only the header if there are no rows.
    pub(crate) fn print(&self, with_header: bool, out: &mut dyn Write) -> io::Result<()> {
        let mut widths: Vec<usize> = self.names.iter().map(|name| name.width).collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.width.max(*width);
            }
        }
        if with_header {
            self.print_header(&widths, out)?;
        }
        if self.rows.is_empty() {
            return writeln!(out);
        }
        for row in &self.rows {
            let mut line = String::new();
            for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
                line.push_str(if at == 0 { " " } else { " | " });
                line.extend(std::iter::repeat_n(' ', width - cell.width));
                line.push_str(&cell.text);
            }
            writeln!(out, "{line}")?;
        }
        Ok(())
    }

    fn print_header(&self, widths: &[usize], out: &mut dyn Write) -> io::Result<()> {
        let mut header = String::new();
        for (at, (name, width)) in self.names.iter().zip(widths).enumerate() {
            header.push_str(if at == 0 { " " } else { " | " });
            header.push_str(&name.text);
            header.extend(std::iter::repeat_n(' ', width - name.width));
        }
        writeln!(out, "{}", header.trim_end())?;
        let lines: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
        writeln!(out, "-{}-", lines.join("-+-"))
    }

    /// Prints a list per row; rows are numbered from `before + 1`.
    pub(crate) fn print_expanded(&self, before: usize, out: &mut dyn Write) -> io::Result<()> {
        let widest = |cells: &mut dyn Iterator<Item = &Cell>| cells.map(|cell| cell.width).max();
        let names = widest(&mut self.names.iter()).unwrap_or(0);
        let values = widest(&mut self.rows.iter().flatten()).unwrap_or(0);
        for (at, row) in self.rows.iter().enumerate() {
            writeln!(out, "@ Row {}", before + at + 1)?;
            writeln!(out, "-{}-+-{}-", "-".repeat(names), "-".repeat(values))?;
            for (name, cell) in self.names.iter().zip(row) {
                let blanks = " ".repeat(names - name.width);
                writeln!(out, " {}{blanks} | {}", name.text, cell.text)?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

/// Arranges names in as many columns as fit into 80 characters, filled from top to bottom, like
/// Python's `cmd.Cmd.columnize`.
pub(crate) fn columnize(names: &[String]) -> String {
    const LINE: usize = 80;
    let width = |name: &String| name.chars().count();
    let layout = |rows: usize| -> Option<Vec<usize>> {
        let widths: Vec<usize> =
            names.chunks(rows).map(|column| column.iter().map(width).max().unwrap_or(0)).collect();
        let total = widths.iter().sum::<usize>() + 2 * (widths.len().saturating_sub(1));
        (total <= LINE).then_some(widths)
    };
    if names.is_empty() {
        return "<empty>\n".to_owned();
    }
    if names.len() == 1 {
        return format!("{}\n", names[0]);
    }
    let fitting = (1..=names.len()).find_map(|rows| layout(rows).map(|widths| (rows, widths)));
    let (rows, widths) = fitting.unwrap_or_else(|| (names.len(), vec![0]));
    let mut out = String::new();
    for row in 0..rows {
        let mut cells: Vec<&str> = (0..widths.len())
            .map(|column| names.get(row + rows * column).map_or("", String::as_str))
            .collect();
        while cells.last().is_some_and(|last| last.is_empty()) {
            cells.pop();
        }
        let padded: Vec<String> = cells
            .iter()
            .zip(&widths)
            .map(|(cell, width)| {
                format!("{cell}{}", " ".repeat(width.saturating_sub(cell.chars().count())))
            })
            .collect();
        out.push_str(&padded.join("  "));
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::CellFormat;

    fn page(names: &[&str], rows: &[&[&str]]) -> ResultPage {
        let format = CellFormat::for_tables(false);
        let cells = |texts: &[&str]| texts.iter().map(|text| format.name(text, "")).collect();
        ResultPage { names: cells(names), rows: rows.iter().map(|row| cells(row)).collect() }
    }

    #[test]
    fn tables_and_lists_as_in_cqlsh() {
        let mut out = Vec::new();
        page(&["id", "name"], &[&["1", "漢字"], &["200", "x"]]).print(true, &mut out).unwrap();
        let table = " id  | name\n-----+------\n   1 | 漢字\n 200 |    x\n";
        assert_eq!(String::from_utf8(out).unwrap(), table);
        let mut out = Vec::new();
        page(&["id"], &[]).print(true, &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), " id\n----\n\n");
        let mut out = Vec::new();
        page(&["id", "name"], &[&["1", "abc"]]).print_expanded(6, &mut out).unwrap();
        let list = "@ Row 7\n------+-----\n id   | 1\n name | abc\n\n";
        assert_eq!(String::from_utf8(out).unwrap(), list);
    }

    #[test]
    fn names_in_columns() {
        let names = [
            "shell",
            "system",
            "system_auth",
            "system_distributed",
            "system_schema",
            "system_traces",
            "system_views",
            "system_virtual_schema",
            "w_write_fuzz",
            "workload_5",
            "workload_6",
        ];
        let names: Vec<String> = names.map(str::to_owned).to_vec();
        let expected = concat!(
            "shell        system_distributed  system_views           workload_5\n",
            "system       system_schema       system_virtual_schema  workload_6\n",
            "system_auth  system_traces       w_write_fuzz         \n",
        );
        assert_eq!(columnize(&names), expected);
    }
}
