//! HTML pages: one frame for the reports of `design`, `estimate`, `check` and `doctor`.
//!
//! A page is one file without references to others. It works from a disk, in light and dark, on paper
//! and on a phone. Its Content-Security-Policy allows the style sheets and the script in it, by their
//! hashes, and nothing else.
//!
//! - `markup`: elements and escaped texts. All text passes through it; what is not escaped is a literal
//!   of ours or a drawing of `diagram`.
//! - `page`: the frame, its contents and its sections. `content_policy`: what a browser may load.
//! - `anchor`: the ids of elements. `data_table`: tables. `prose`: sentences with code and lists.
//! - `chart`: charts as inline SVG, each with its figures as a table.

mod anchor;
pub(crate) mod chart;
mod content_policy;
mod data_table;
mod markup;
mod page;
mod prose;

pub(crate) use anchor::Anchor;
pub(crate) use data_table::{Cell, DataTable};
pub(crate) use markup::Markup;
pub(crate) use page::{Page, Section, Tile};
pub(crate) use prose::{Tone, write_badge, write_code, write_details, write_list, write_prose};
