//! Bars beside one another's names: shares of a whole.

use super::scale::Scale;
use super::{
    Caption, LegendEntry, cut_name, figure_text, finite, plain, share, write_figure, write_label,
};
use crate::render::html::{Cell, DataTable, Markup};

/// The height of a bar with its name.
const ROW: f64 = 34.0;
/// The height of the bar itself.
const THICKNESS: f64 = 9.0;

/// Bars, in their order.
pub(crate) struct BarChart<'a> {
    pub(crate) caption: Caption<'a>,
    /// The kinds of bars with their classes.
    pub(crate) legend: &'a [LegendEntry<'a>],
    pub(crate) bars: Vec<ChartBar>,
    /// At most so many are drawn; the table has all.
    pub(crate) most: usize,
    /// The headings of the names and of the figures.
    pub(crate) head: [&'a str; 2],
    pub(crate) format: &'a dyn Fn(f64) -> String,
}

/// A bar.
pub(crate) struct ChartBar {
    pub(crate) class: &'static str,
    pub(crate) name: String,
    /// Where its name leads.
    pub(crate) link: Option<String>,
    pub(crate) value: f64,
    /// More about it.
    pub(crate) remark: String,
}

impl BarChart<'_> {
    pub(crate) fn write(&self, out: &mut Markup) {
        let shown = self.bars.len().min(self.most);
        #[expect(clippy::cast_precision_loss, reason = "few bars are drawn")]
        let height = shown as f64 * ROW;
        write_figure(&self.caption, (self.legend, height), &self.figures(), out, |out| {
            let scale = Scale::linear(self.bars.iter().map(|bar| finite(bar.value)));
            let mut y = 0.0;
            for bar in self.bars.iter().take(shown) {
                self.draw_bar(bar, scale, y, out);
                y += ROW;
            }
        });
    }

    fn draw_bar(&self, bar: &ChartBar, scale: Scale, y: f64, out: &mut Markup) {
        let value = (self.format)(bar.value);
        let remark =
            if bar.remark.is_empty() { String::new() } else { format!(" ({})", bar.remark) };
        out.element(
            "g",
            &[("data-name", &bar.name), ("data-value", &figure_text(bar.value))],
            |out| {
                out.leaf("title", &[], &format!("{}: {value}{remark}", bar.name));
                write_label("name", (0.0, y + 12.0), &cut_name(&bar.name), out);
                write_label("amount", (1.0, y + 12.0), &format!("{value}{remark}"), out);
                // Too short a bar is still there.
                let width = scale.position(finite(bar.value)).max(0.001);
                let (y, width) = (plain(y + 17.0), share(width));
                let (thickness, class) = (plain(THICKNESS), format!("bar {}", bar.class));
                let place = [
                    ("class", &*class),
                    ("x", "0"),
                    ("y", &*y),
                    ("width", &*width),
                    ("height", &*thickness),
                    ("rx", "2"),
                ];
                out.element("rect", &place, |_| {});
            },
        );
    }

    fn figures(&self) -> DataTable {
        let [names, figures] = self.head;
        let mut table = DataTable::new(self.caption.title, &[names, figures, ""]);
        for bar in &self.bars {
            let name = match &bar.link {
                Some(link) => Cell::Link { name: bar.name.clone(), to: link.clone() },
                None => Cell::prose(&bar.name),
            };
            let figure = Cell::Figure { text: (self.format)(bar.value), value: bar.value };
            table.add_row([name, figure, Cell::prose(&bar.remark)]);
        }
        table
    }
}
