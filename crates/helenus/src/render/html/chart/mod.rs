//! Charts as inline SVG. Across, positions are shares of the width, so that a chart fits a phone and a
//! sheet of paper while its texts keep their size; down, they are pixels.
//!
//! Every mark carries its figure as an attribute (`data-value`), and every chart has all its figures as a
//! table, for screen readers and for whoever wants to know exactly.

mod bars;
mod columns;
mod lines;
mod ranges;
mod scale;

pub(crate) use bars::{BarChart, ChartBar};
pub(crate) use columns::ColumnChart;
pub(crate) use lines::{LineChart, LineSeries};
pub(crate) use ranges::{RangeChart, RangeRow};

use super::markup::Attribute;
use super::{DataTable, Markup, write_details};

/// Where plots with an axis at their left begin, as a share of the width.
const LEFT: f64 = 0.13;
/// Where they end.
const RIGHT: f64 = 0.97;
/// Longer names are cut, so that they fit a phone.
const NAME_CHARACTERS: usize = 30;

/// What a chart shows, in words.
pub(crate) struct Caption<'a> {
    /// Its title.
    pub(crate) title: &'a str,
    /// What is to be seen, in a sentence: for those who do not see it.
    pub(crate) summary: &'a str,
}

/// A value of a legend: its class and its name.
type LegendEntry<'a> = (&'static str, &'a str);

/// The classes of the colours of series, in their order. The last is for what is added up.
pub(crate) const COLOURS: [&str; 7] = ["c0", "c1", "c2", "c3", "c4", "c5", "rest"];

/// Writes a chart with its title, its legend and its figures.
fn write_figure(
    caption: &Caption<'_>,
    (legend, height): (&[LegendEntry<'_>], f64),
    figures: &DataTable,
    out: &mut Markup,
    draw: impl FnOnce(&mut Markup),
) {
    out.element("figure", &[("class", "chart")], |out| {
        out.leaf("figcaption", &[], caption.title);
        if !legend.is_empty() {
            out.element("ul", &[("class", "legend")], |out| {
                for (class, name) in legend {
                    out.element("li", &[], |out| {
                        out.leaf("span", &[("class", &format!("swatch {class}"))], "");
                        out.text(name);
                    });
                }
            });
        }
        let label = format!("{}. {}", caption.title, caption.summary);
        let (height, label) = (plain(height), label.as_str());
        let attributes =
            [("role", "img"), ("width", "100%"), ("height", &*height), ("aria-label", label)];
        out.element("svg", &attributes, draw);
        write_details(&format!("Figures: {}", caption.title), out, |out| figures.write(out));
    });
}

/// A share of the width.
fn share(part: f64) -> String {
    format!("{}%", plain(part * 100.0))
}

/// A coordinate.
fn plain(number: f64) -> String {
    round(number, 1e2)
}

/// A figure for programs: rounded, so that it is the same on every platform.
pub(crate) fn figure_text(value: f64) -> String {
    // Prices are small, bytes are not.
    let factor = match value.abs() {
        small if small < 1e3 => 1e6,
        middle if middle < 1e6 => 1e3,
        _ => 1.0,
    };
    round(value, factor)
}

fn round(number: f64, factor: f64) -> String {
    let rounded = (number * factor).round() / factor;
    // Without a negative zero.
    (rounded + 0.0).to_string()
}

/// A figure that can be drawn.
fn finite(value: f64) -> f64 {
    if value.is_finite() { value.max(0.0) } else { 0.0 }
}

/// A text at a place.
fn write_label(class: &str, (x, y): (f64, f64), text: &str, out: &mut Markup) {
    let (x, y) = (share(x), plain(y));
    out.leaf("text", &[("class", class), ("x", &x), ("y", &y)], text);
}

/// A straight line.
fn write_line(class: &str, from: (f64, f64), to: (f64, f64), out: &mut Markup) {
    let [x1, x2] = [from.0, to.0].map(share);
    let [y1, y2] = [from.1, to.1].map(plain);
    let place: [Attribute<'_>; 5] =
        [("class", class), ("x1", &x1), ("y1", &y1), ("x2", &x2), ("y2", &y2)];
    out.element("line", &place, |_| {});
}

/// A name cut to the room that there is for it.
fn cut_name(name: &str) -> String {
    if name.chars().count() <= NAME_CHARACTERS {
        return name.to_owned();
    }
    name.chars().take(NAME_CHARACTERS - 1).chain(['…']).collect()
}
