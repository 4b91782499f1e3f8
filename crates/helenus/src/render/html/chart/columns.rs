//! Columns of layers over time: what a whole consists of.

use super::scale::Scale;
use super::{
    COLOURS, Caption, LEFT, RIGHT, figure_text, finite, plain, share, write_figure, write_label,
    write_line,
};
use crate::render::html::{Cell, DataTable, Markup};

const TOP: f64 = 20.0;
const HEIGHT: f64 = 200.0;
/// The width of a column as a share of the room that it has.
const COLUMN_SHARE: f64 = 0.62;

/// Columns over time, each of the same layers.
pub(crate) struct ColumnChart<'a> {
    pub(crate) caption: Caption<'a>,
    /// Days from today with their names, ascending.
    pub(crate) dates: &'a [(f64, String)],
    /// The layers with a figure for each date.
    pub(crate) layers: Vec<(String, Vec<f64>)>,
    pub(crate) format: fn(f64) -> String,
}

/// A layer as it is drawn.
struct Layer {
    class: &'static str,
    name: String,
    values: Vec<f64>,
}

impl ColumnChart<'_> {
    pub(crate) fn write(&self, out: &mut Markup) {
        let layers = self.main_layers();
        let legend: Vec<_> = layers.iter().map(|it| (it.class, it.name.as_str())).collect();
        let height = TOP + HEIGHT + 26.0;
        write_figure(&self.caption, (&legend, height), &self.figures(), out, |out| {
            let totals: Vec<f64> = (0..self.dates.len()).map(|at| self.total(at)).collect();
            let scale = Scale::linear(totals.iter().copied());
            for tick in scale.ticks() {
                let y = TOP + HEIGHT * (1.0 - scale.position(tick));
                write_line("grid", (LEFT, y), (RIGHT, y), out);
                write_label("tick", (LEFT - 0.012, y + 4.0), &(self.format)(tick), out);
            }
            for at in 0..self.dates.len() {
                self.draw_column(at, &layers, scale, out);
            }
        });
    }

    fn draw_column(&self, at: usize, layers: &[Layer], scale: Scale, out: &mut Markup) {
        let Some((days, date)) = self.dates.get(at) else { return };
        #[expect(clippy::cast_precision_loss, reason = "few columns are drawn")]
        let (number, of) = (at as f64, self.dates.len() as f64);
        let room = (RIGHT - LEFT) / of;
        let middle = LEFT + room * (number + 0.5);
        let [x, width] = [middle - room * COLUMN_SHARE / 2.0, room * COLUMN_SHARE].map(share);
        let mut below = 0.0;
        for layer in layers {
            let value = finite(layer.values.get(at).copied().unwrap_or_default());
            let (bottom, top) = (scale.position(below), scale.position(below + value));
            below += value;
            let (y, tall) = (plain(TOP + HEIGHT * (1.0 - top)), plain(HEIGHT * (top - bottom)));
            let (class, days, figure) =
                (format!("bar {}", layer.class), figure_text(*days), figure_text(value));
            let place = [
                ("class", &*class),
                ("x", &*x),
                ("y", &*y),
                ("width", &*width),
                ("height", &*tall),
                ("data-series", &*layer.name),
                ("data-days", &*days),
                ("data-value", &*figure),
            ];
            out.element("rect", &place, |out| {
                let text = format!("{} {date}: {}", layer.name, (self.format)(value));
                out.leaf("title", &[], &text);
            });
        }
        let top = TOP + HEIGHT * (1.0 - scale.position(below));
        write_label("total", (middle, top - 5.0), &(self.format)(below), out);
        write_label("date", (middle, TOP + HEIGHT + 18.0), date, out);
    }

    fn total(&self, at: usize) -> f64 {
        self.layers.iter().filter_map(|(_, values)| values.get(at)).copied().map(finite).sum()
    }

    /// The layers that are the largest in the end, and the sum of the others.
    fn main_layers(&self) -> Vec<Layer> {
        let mut order: Vec<&(String, Vec<f64>)> = self.layers.iter().collect();
        let last = |values: &[f64]| values.last().copied().map_or(0.0, finite);
        order.sort_by(|(_, one), (_, other)| last(other).total_cmp(&last(one)));
        let others = COLOURS.len() - 1;
        // One more is no reason for a sum.
        let drawn = if order.len() == COLOURS.len() { COLOURS.len() } else { others };
        let (main, rest) = order.split_at(order.len().min(drawn));
        let mut layers: Vec<Layer> = main
            .iter()
            .zip(COLOURS)
            .map(|((name, values), class)| Layer {
                class,
                name: name.clone(),
                values: values.clone(),
            })
            .collect();
        if !rest.is_empty() {
            let sum = |at: usize| rest.iter().filter_map(|(_, values)| values.get(at)).sum();
            layers.push(Layer {
                class: COLOURS[others],
                name: format!("{} others", rest.len()),
                values: (0..self.dates.len()).map(sum).collect(),
            });
        }
        layers
    }

    fn figures(&self) -> DataTable {
        let mut table = DataTable::new(self.caption.title, &["table"]);
        table.add_columns(self.dates.iter().map(|(_, date)| date.clone()));
        let figure = |value: f64| Cell::Figure { text: (self.format)(value), value };
        for (name, values) in &self.layers {
            let figures = values.iter().copied().map(figure);
            table.add_row(std::iter::once(Cell::prose(name)).chain(figures).collect::<Vec<_>>());
        }
        let totals = (0..self.dates.len()).map(|at| figure(self.total(at)));
        table.add_row(std::iter::once(Cell::prose("total")).chain(totals).collect::<Vec<_>>());
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_layers_are_added_up() {
        let layers = (1..=9).map(|size| (format!("t{size}"), vec![f64::from(size)]));
        let chart = ColumnChart {
            caption: Caption { title: "", summary: "" },
            dates: &[(0.0, "today".to_owned())],
            layers: layers.collect(),
            format: |value| value.to_string(),
        };
        let drawn = chart.main_layers();
        let names: Vec<&str> = drawn.iter().map(|layer| layer.name.as_str()).collect();
        assert_eq!(names, ["t9", "t8", "t7", "t6", "t5", "t4", "3 others"]);
        assert_eq!(drawn[6].values, [6.0]);
        let mut out = Markup::default();
        chart.write(&mut out);
        // All of them are in the table, and so is their sum.
        assert_eq!(out.html().matches("<th scope=\"row\">").count(), 10);
        assert!(out.html().contains("data-value=\"45\""));
    }
}
