//! The diagnosis of a cluster: where snapshots come from, and the report that is made of them.
//!
//! `live` reads a cluster, `folder` what was collected from one; `report` is what is shown and
//! stored, without user data unless asked; `difference` compares two reports.

mod archive;
mod difference;
mod folder;
mod live;
mod report;

pub(crate) use difference::{FindingChange, ReportDifference, compare_reports};
pub(crate) use folder::read_folder;
pub(crate) use live::{list_statements, read_cluster};
pub(crate) use report::{DoctorReport, FigureEntry, FindingEntry, ReportOptions};
