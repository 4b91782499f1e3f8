//! What to write instead: tables, keys, options and steps that fixes and plans show.

mod child_table;
mod compaction_window;
mod new_table_version;
mod option_fix;
mod query_table;
mod rekey;
mod render;
mod view_table;

pub(crate) use child_table::child_table;
pub(crate) use compaction_window::window_for_ttl;
pub(crate) use new_table_version::{next_version_name, relocation_steps};
pub(crate) use query_table::{lookup_table, query_table};
pub(crate) use rekey::NewKey;
pub(crate) use render::{column_names, render_map as cql_map};
pub(crate) use view_table::view_table;
