//! Facts about tables: what they hold, copy, refer to and are for.

mod column_comments;
mod copies;
mod families;
mod normal_form;
mod references;
mod registry;
mod replication;
mod test_schema;
mod views;

pub(crate) use column_comments::column_comments;
pub(crate) use copies::copies;
pub(crate) use families::table_families;
pub(crate) use normal_form::find_detached_children;
pub(crate) use references::EntityTables;
pub(crate) use registry::{is_registry, is_system_table};
pub(crate) use replication::replica_count;
pub(crate) use test_schema::{is_migration_program, is_test_schema};
pub(crate) use views::{base_table, extra_key_column};
