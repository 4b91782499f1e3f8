//! Distributions: for each name a line from the median to the largest figure, by powers of ten.

use super::scale::Scale;
use super::{
    Caption, cut_name, figure_text, finite, plain, share, write_figure, write_label, write_line,
};
use crate::render::html::{Cell, DataTable, Markup};

/// The height of a distribution with its name.
const ROW: f64 = 46.0;
const TOP: f64 = 22.0;
/// Where the plot begins and ends, as shares of the width.
const ENDS: (f64, f64) = (0.02, 0.97);

/// Distributions of the same quantity.
pub(crate) struct RangeChart<'a> {
    pub(crate) caption: Caption<'a>,
    /// The names of the quantiles, ascending.
    pub(crate) quantiles: &'a [&'a str],
    /// When the figures of a row are: a class and a name for each.
    pub(crate) moments: &'a [(&'static str, &'a str)],
    /// The rows, the most important first.
    pub(crate) rows: Vec<RangeRow>,
    /// At most so many are drawn; the table has all.
    pub(crate) most: usize,
    pub(crate) limit: Option<(f64, String)>,
    pub(crate) format: fn(f64) -> String,
}

/// The distributions of one name.
pub(crate) struct RangeRow {
    pub(crate) name: String,
    pub(crate) link: String,
    /// A figure for each quantile, at each moment.
    pub(crate) values: Vec<Vec<f64>>,
}

impl RangeChart<'_> {
    pub(crate) fn write(&self, out: &mut Markup) {
        let shown = self.rows.len().min(self.most);
        #[expect(clippy::cast_precision_loss, reason = "few rows are drawn")]
        let height = TOP + shown as f64 * ROW;
        write_figure(&self.caption, (self.moments, height), &self.figures(), out, |out| {
            let scale = self.scale();
            self.draw_axis(scale, height, out);
            let mut y = TOP;
            for row in self.rows.iter().take(shown) {
                self.draw_row(row, scale, y, out);
                y += ROW;
            }
        });
    }

    fn scale(&self) -> Scale {
        let rows = self.rows.iter().flat_map(|row| row.values.iter().flatten());
        let limit = self.limit.as_ref().map(|(limit, _)| limit);
        Scale::logarithmic(rows.chain(limit).copied().map(finite))
    }

    fn draw_axis(&self, scale: Scale, height: f64, out: &mut Markup) {
        let ticks = scale.ticks();
        for (at, tick) in ticks.iter().enumerate() {
            let x = across(scale, *tick);
            write_line("grid", (x, TOP), (x, height), out);
            let class = match at {
                0 => "tick-first",
                last if last + 1 == ticks.len() => "tick",
                _ => "tick-middle",
            };
            write_label(class, (x, 13.0), &(self.format)(*tick), out);
        }
        if let Some((limit, name)) = &self.limit {
            let x = across(scale, *limit);
            out.element("g", &[], |out| {
                out.leaf("title", &[], name);
                write_line("limit", (x, TOP - 4.0), (x, height), out);
            });
        }
    }

    fn draw_row(&self, row: &RangeRow, scale: Scale, y: f64, out: &mut Markup) {
        out.element("g", &[("data-name", &row.name)], |out| {
            write_label("name", (ENDS.0, y + 15.0), &cut_name(&row.name), out);
            let mut line = y + 25.0;
            for ((class, moment), values) in self.moments.iter().zip(&row.values) {
                self.draw_range((class, moment), values, (scale, line), out);
                line += 9.0;
            }
        });
    }

    fn draw_range(
        &self,
        (class, moment): (&str, &str),
        values: &[f64],
        (scale, y): (Scale, f64),
        out: &mut Markup,
    ) {
        let (Some(least), Some(most)) = (values.first(), values.last()) else { return };
        let ends = [least, most].map(|value| across(scale, finite(*value)));
        out.element("g", &[("class", class), ("data-moment", moment)], |out| {
            write_line("range", (ends[0], y), (ends[1], y), out);
            for (at, (name, value)) in self.quantiles.iter().zip(values).enumerate() {
                let (x, y) = (share(across(scale, finite(*value))), plain(y));
                let figure = figure_text(*value);
                let mut place = vec![
                    ("cx", &*x),
                    ("cy", &*y),
                    ("data-series", *name),
                    ("data-value", &*figure),
                ];
                // The figure that counts is the last but one.
                if at + 2 == values.len() {
                    place.push(("class", "main"));
                }
                out.element("circle", &place, |out| {
                    out.leaf("title", &[], &format!("{name} {moment}: {}", (self.format)(*value)));
                });
            }
        });
    }

    fn figures(&self) -> DataTable {
        let mut table = DataTable::new(self.caption.title, &["table"]);
        let moments = self.moments.iter().flat_map(|(_, moment)| {
            self.quantiles.iter().map(move |name| format!("{name} {moment}"))
        });
        table.add_columns(moments);
        for row in &self.rows {
            let name = Cell::Link { name: row.name.clone(), to: row.link.clone() };
            let figure = |value: &f64| Cell::Figure { text: (self.format)(*value), value: *value };
            let figures = row.values.iter().flatten().map(figure);
            table.add_row(std::iter::once(name).chain(figures).collect::<Vec<_>>());
        }
        table
    }
}

/// Where a figure is drawn.
fn across(scale: Scale, figure: f64) -> f64 {
    ENDS.0 + (ENDS.1 - ENDS.0) * scale.position(figure)
}
