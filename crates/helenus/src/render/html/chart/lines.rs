//! Lines over time.

use super::scale::Scale;
use super::{
    Caption, LEFT, RIGHT, figure_text, finite, plain, share, write_figure, write_label, write_line,
};
use crate::render::html::{Cell, DataTable, Markup};

const TOP: f64 = 12.0;
const HEIGHT: f64 = 180.0;
/// Labels of dates that lie closer together, as a share of the width, are left out.
const DATE_GAP: f64 = 0.12;

/// Lines over time.
pub(crate) struct LineChart<'a> {
    pub(crate) caption: Caption<'a>,
    /// Days from today with their names, ascending.
    pub(crate) dates: &'a [(f64, String)],
    pub(crate) series: Vec<LineSeries<'a>>,
    /// Figures that should not be exceeded, with their names.
    pub(crate) limits: Vec<(f64, String)>,
    pub(crate) is_logarithmic: bool,
    pub(crate) format: fn(f64) -> String,
}

/// A line.
pub(crate) struct LineSeries<'a> {
    pub(crate) class: &'static str,
    pub(crate) name: &'a str,
    /// A figure for each date.
    pub(crate) values: Vec<f64>,
}

impl LineChart<'_> {
    pub(crate) fn write(&self, out: &mut Markup) {
        let legend: Vec<_> = self.series.iter().map(|line| (line.class, line.name)).collect();
        let height = TOP + HEIGHT + 26.0;
        write_figure(&self.caption, (&legend, height), &self.figures(), out, |out| {
            let scale = self.scale();
            self.draw_axes(scale, out);
            self.draw_limits(scale, out);
            self.series.iter().for_each(|line| self.draw_series(line, scale, out));
        });
    }

    fn scale(&self) -> Scale {
        let drawn = self.series.iter().flat_map(|line| &line.values).copied().map(finite);
        let limits = self.limits.iter().map(|(limit, _)| *limit);
        if self.is_logarithmic {
            return Scale::logarithmic(drawn.chain(limits));
        }
        let most = drawn.fold(0.0, f64::max);
        // A limit that is far away would flatten the lines.
        Scale::linear(limits.filter(|limit| *limit <= most * 3.0).chain([most]))
    }

    fn x(&self, days: f64) -> f64 {
        let last = self.dates.last().map_or(1.0, |(days, _)| days.max(1.0));
        LEFT + (RIGHT - LEFT) * days / last
    }

    fn draw_axes(&self, scale: Scale, out: &mut Markup) {
        for tick in scale.ticks() {
            let y = height(scale, tick);
            write_line("grid", (LEFT, y), (RIGHT, y), out);
            write_label("tick", (LEFT - 0.012, y + 4.0), &(self.format)(tick), out);
        }
        let mut last = f64::NEG_INFINITY;
        for (days, name) in self.dates {
            let x = self.x(*days);
            if x - last >= DATE_GAP {
                write_label("date", (x, TOP + HEIGHT + 18.0), name, out);
                last = x;
            }
        }
    }

    fn draw_limits(&self, scale: Scale, out: &mut Markup) {
        for (limit, name) in &self.limits {
            if scale.ticks().last().is_some_and(|most| limit <= most) {
                let y = height(scale, *limit);
                write_line("limit", (LEFT, y), (RIGHT, y), out);
                write_label("limit-name", (RIGHT, y - 4.0), name, out);
            }
        }
    }

    fn draw_series(&self, line: &LineSeries<'_>, scale: Scale, out: &mut Markup) {
        let places = || {
            let values = self.dates.iter().zip(&line.values);
            values.map(|((days, name), value)| (self.x(*days), *days, name, *value))
        };
        let points: Vec<String> = places()
            .map(|(x, _, _, value)| {
                let across = (x - LEFT) / (RIGHT - LEFT) * 1e3;
                let down = (height(scale, finite(value)) - TOP) / HEIGHT * 1e3;
                format!("{},{}", plain(across.round()), plain(down.round()))
            })
            .collect();
        let [x, width] = [LEFT, RIGHT - LEFT].map(share);
        let [top, tall] = [TOP, HEIGHT].map(plain);
        let plot = [
            ("x", &*x),
            ("y", &*top),
            ("width", &*width),
            ("height", &*tall),
            ("viewBox", "0 0 1000 1000"),
            ("preserveAspectRatio", "none"),
            ("class", "plot"),
        ];
        out.element("svg", &plot, |out| {
            let class = format!("line {}", line.class);
            out.element("polyline", &[("class", &class), ("points", &points.join(" "))], |_| {});
        });
        let group = [("class", line.class), ("data-series", line.name)];
        out.element("g", &group, |out| {
            for (x, days, name, value) in places() {
                let (x, y) = (share(x), plain(height(scale, finite(value))));
                let (days, figure) = (figure_text(days), figure_text(value));
                let place =
                    [("cx", &*x), ("cy", &*y), ("data-days", &*days), ("data-value", &*figure)];
                out.element("circle", &place, |out| {
                    let text = format!("{} {name}: {}", line.name, (self.format)(value));
                    out.leaf("title", &[], &text);
                });
            }
        });
    }

    fn figures(&self) -> DataTable {
        let mut table = DataTable::new(self.caption.title, &["date"]);
        table.add_columns(self.series.iter().map(|line| line.name.to_owned()));
        for (at, (_, date)) in self.dates.iter().enumerate() {
            let figures = self.series.iter().filter_map(|line| line.values.get(at));
            let figures =
                figures.map(|value| Cell::Figure { text: (self.format)(*value), value: *value });
            let row: Vec<Cell> = std::iter::once(Cell::prose(date)).chain(figures).collect();
            table.add_row(row);
        }
        table
    }
}

/// Where a figure is drawn.
fn height(scale: Scale, figure: f64) -> f64 {
    TOP + HEIGHT * (1.0 - scale.position(figure))
}
