//! Tables of figures and texts.

use super::Markup;
use super::chart::figure_text;
use super::prose::write_prose;

/// A cell of a table.
#[derive(Clone, Debug)]
pub(crate) enum Cell {
    /// A sentence, with code between backticks.
    Prose(String),
    /// Code: a type, a statement.
    Code(String),
    /// A name with a link to it.
    Link {
        /// The name.
        name: String,
        /// What it leads to.
        to: String,
    },
    /// Several of them.
    Links(Vec<(String, String)>),
    /// A figure as a text, with its value for programs.
    Figure {
        /// As it is read.
        text: String,
        /// Its value.
        value: f64,
    },
}

/// A table with a caption for screen readers. The first cell of each row is its heading.
#[derive(Clone, Debug, Default)]
pub(crate) struct DataTable {
    caption: String,
    head: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

impl Cell {
    /// A sentence, or any other text.
    pub(crate) fn prose(text: impl Into<String>) -> Self {
        Self::Prose(text.into())
    }

    fn write(&self, out: &mut Markup) {
        match self {
            Self::Prose(text) => write_prose(text, out),
            Self::Code(text) => out.leaf("code", &[], text),
            Self::Link { name, to } => out.leaf("a", &[("href", to)], name),
            Self::Links(links) => {
                for (at, (name, to)) in links.iter().enumerate() {
                    out.text(if at == 0 { "" } else { ", " });
                    out.leaf("a", &[("href", to)], name);
                }
            }
            Self::Figure { text, .. } => out.text(text),
        }
    }
}

impl DataTable {
    /// A table without rows.
    pub(crate) fn new(caption: impl Into<String>, head: &[&str]) -> Self {
        let head = head.iter().map(|&name| name.to_owned()).collect();
        Self { caption: caption.into(), head, rows: Vec::new() }
    }

    /// The same with more columns.
    pub(crate) fn add_columns(&mut self, head: impl IntoIterator<Item = String>) {
        self.head.extend(head);
    }

    pub(crate) fn add_row(&mut self, row: impl Into<Vec<Cell>>) {
        self.rows.push(row.into());
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Writes the table into a frame that scrolls where the table is too wide. The script then gives it
    /// the focus, so that it scrolls by keys as well.
    pub(crate) fn write(&self, out: &mut Markup) {
        out.element("div", &[("class", "wide")], |out| {
            out.element("table", &[], |out| {
                out.leaf("caption", &[], &self.caption);
                out.element("thead", &[], |out| {
                    out.element("tr", &[], |out| {
                        for (at, name) in self.head.iter().enumerate() {
                            let class = if self.is_figure(at) { "number" } else { "" };
                            write_cell("th", &[("scope", "col"), ("class", class)], out, |out| {
                                out.text(name);
                            });
                        }
                    });
                });
                out.element("tbody", &[], |out| self.write_rows(out));
            });
        });
    }

    fn write_rows(&self, out: &mut Markup) {
        for row in &self.rows {
            out.element("tr", &[], |out| {
                for (at, cell) in row.iter().enumerate() {
                    let (tag, scope) = if at == 0 { ("th", "row") } else { ("td", "") };
                    let figure = match cell {
                        Cell::Figure { value, .. } => figure_text(*value),
                        _ => String::new(),
                    };
                    let attributes = [("scope", scope), ("data-value", figure.as_str())];
                    write_cell(tag, &attributes, out, |out| cell.write(out));
                }
            });
        }
    }

    /// Whether a column has figures.
    fn is_figure(&self, column: usize) -> bool {
        let mut cells = self.rows.iter().filter_map(|row| row.get(column));
        cells.any(|cell| matches!(cell, Cell::Figure { .. }))
    }
}

/// A cell with those of the attributes that have a value.
fn write_cell(
    tag: &'static str,
    attributes: &[(&'static str, &str)],
    out: &mut Markup,
    content: impl FnOnce(&mut Markup),
) {
    let stated: Vec<_> =
        attributes.iter().copied().filter(|(_, value)| !value.is_empty()).collect();
    out.element(tag, &stated, content);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_headings_and_figures_have_values() {
        let mut table = DataTable::new("Sizes", &["table", "today"]);
        let figure = Cell::Figure { text: "1.5 GB".to_owned(), value: 1.5e9 };
        table.add_row([Cell::Code("a<b".to_owned()), figure]);
        let mut out = Markup::default();
        table.write(&mut out);
        let html = out.html();
        assert!(html.contains("<caption>Sizes</caption>"), "{html}");
        assert!(html.contains(r#"<th scope="col" class="number">today</th>"#), "{html}");
        assert!(html.contains(r#"<th scope="row"><code>a&lt;b</code></th>"#), "{html}");
        assert!(html.contains(r#"<td data-value="1500000000">1.5 GB</td>"#), "{html}");
    }
}
