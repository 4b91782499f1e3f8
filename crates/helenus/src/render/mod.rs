//! Output formats.
//!
//! - Diagnostics (of commands that read files): `write_diagnostics`, as text or JSON. Findings (of
//!   `helenus check`): `findings`, in seven formats. Both write text with `message_text`, which
//!   shows the lines that `excerpt` cuts out, and locations with `region`.
//! - `markdown_text`: text of users within Markdown; `markdown`: pages of the documentation on the terminal.
//! - `page`: the width of the terminal, which all text is fitted to.
//! - `brief`: answers for coding assistants.
//! - `unified_diff`: the changes of `check --diff`.
//! - `design`: designs as text, JSON, CQL files and a Markdown report.
//! - `html`: the frame, the tables and the charts of HTML pages; `size_charts`: those of sizes.
//! - `copies_*`: what `helenus verify-copies` found.
//! - `doctor`: what `helenus doctor` found.
//! - `access_*`: access plans of `helenus explain`; `forecast_*` and
//!   `trace`: how much they read, and traces of requests; `estimate_*`: estimates, for `planning_dates` and with
//!   the balance of `ring_text`.

pub(crate) mod access_json;
pub(crate) mod access_text;
pub(crate) mod brief;
pub(crate) mod copies_json;
pub(crate) mod copies_text;
pub(crate) mod design;
mod diagnostics;
pub(crate) mod doctor;
pub(crate) mod estimate_html;
pub(crate) mod estimate_json;
mod estimate_limits;
pub(crate) mod estimate_report;
mod estimate_series_json;
mod estimate_sizes;
pub(crate) mod estimate_text;
mod estimate_tombstones;
pub(crate) mod excerpt;
pub(crate) mod findings;
pub(crate) mod forecast_json;
pub(crate) mod forecast_text;
pub(crate) mod html;
pub(crate) mod markdown;
pub(crate) mod markdown_text;
mod message_text;
pub(crate) mod page;
pub(crate) mod planning_dates;
mod region;
pub(crate) mod ring_text;
mod size_charts;
pub(crate) mod trace;
pub(crate) mod unified_diff;

pub(crate) use diagnostics::{DiagnosticFormat, write_diagnostics};
