//! Reports of `helenus doctor`: text, JSON, one HTML file, SARIF; and what changed between two.

mod difference;
mod figures;
mod html;
mod sarif;
mod text;

pub(crate) use difference::{write_difference, write_difference_json};
pub(crate) use html::page;
pub(crate) use sarif::write_sarif;
pub(crate) use text::{write_report, write_summary};
