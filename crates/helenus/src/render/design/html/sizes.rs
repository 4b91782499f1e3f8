//! The sizes: distributions of partitions, disk over the years, tombstones by day.

use crate::render::design::{DesignView, text};
use crate::render::html::{Section, write_prose};
use crate::render::size_charts;

/// The section.
pub(super) fn section(subject: DesignView<'_>) -> Section {
    let mut section = Section::new("sizes", "Sizes over time");
    let out = section.content();
    size_charts::write_basis(subject.series, out);
    size_charts::write_distributions(subject.series, out);
    size_charts::write_disk(subject.series, out);
    if let Some(line) = text::least_even_table(subject) {
        out.element("p", &[], |out| write_prose(&line, out));
    }
    size_charts::write_tombstones(subject.series, out);
    section
}
