//! Tables, views, their indexes and triggers.

use schema::catalog::{IndexClass, TableFlags, TableParams, View};

use super::encode_text_map;
use super::where_clause::where_clause;
use crate::node::handle::TableHandle;
use crate::session::system::builder::{ColumnValue, TableRows};
use crate::session::system::bytes::{boolean, double, int, list, map, text};

/// The row of a table.
pub(super) fn table_row(handle: &TableHandle) -> Vec<ColumnValue<'static>> {
    let table = &handle.definition;
    let mut fields = param_fields(&table.params);
    fields.extend([
        ("keyspace_name", text(&table.keyspace)),
        ("table_name", text(&table.name)),
        ("id", handle.id.0.to_vec()),
        ("flags", encode_flags(table.flags)),
    ]);
    fields
}

/// The row of a view.
pub(super) fn view_row(
    handle: &TableHandle,
    view: &View,
    base: &TableHandle,
) -> Vec<ColumnValue<'static>> {
    let table = &handle.definition;
    let mut fields = param_fields(&table.params);
    fields.extend([
        ("keyspace_name", text(&table.keyspace)),
        ("view_name", text(&table.name)),
        ("id", handle.id.0.to_vec()),
        ("base_table_id", base.id.0.to_vec()),
        ("base_table_name", text(&view.base_table)),
        ("include_all_columns", boolean(view.include_all)),
        ("where_clause", text(&where_clause(view))),
    ]);
    fields
}

/// The options. Those that older servers do not know are present only if they differ from the
/// default.
fn param_fields(params: &TableParams) -> Vec<ColumnValue<'static>> {
    let extensions = params.extensions.iter().map(|(key, value)| {
        let bytes = value.strip_prefix("0x").and_then(cql::value::hex_to_bytes);
        (key.as_bytes(), bytes.unwrap_or_default())
    });
    let mut fields = vec![
        ("bloom_filter_fp_chance", double(params.bloom_filter_fp_chance)),
        ("comment", text(&params.comment)),
        ("dclocal_read_repair_chance", double(0.0)),
        ("default_time_to_live", int(params.default_time_to_live)),
        ("gc_grace_seconds", int(params.gc_grace_seconds)),
        ("max_index_interval", int(params.max_index_interval)),
        ("memtable_flush_period_in_ms", int(params.memtable_flush_period_in_ms)),
        ("min_index_interval", int(params.min_index_interval)),
        ("read_repair_chance", double(0.0)),
        ("speculative_retry", text(&params.speculative_retry)),
        ("additional_write_policy", text(&params.additional_write_policy)),
        ("crc_check_chance", double(params.crc_check_chance)),
        ("caching", encode_text_map(&params.caching)),
        ("compaction", encode_text_map(&params.compaction)),
        ("compression", encode_text_map(&params.compression)),
        ("read_repair", text(&params.read_repair)),
        ("extensions", map(extensions)),
    ];
    if &*params.memtable != "default" {
        fields.push(("memtable", text(&params.memtable)));
    }
    if !params.allow_auto_snapshot {
        fields.push(("allow_auto_snapshot", boolean(false)));
    }
    if !params.incremental_backups {
        fields.push(("incremental_backups", boolean(false)));
    }
    fields
}

fn encode_flags(flags: TableFlags) -> Vec<u8> {
    let named = [
        (flags.compound, "compound"),
        (flags.counter, "counter"),
        (flags.dense, "dense"),
        (flags.is_super, "super"),
    ];
    list(named.iter().filter(|(set, _)| *set).map(|(_, name)| name))
}

/// The triggers of a table.
pub(super) fn add_triggers(handle: &TableHandle, rows: &mut TableRows<'_>) {
    let table = &handle.definition;
    for trigger in &table.triggers {
        rows.add([
            ("keyspace_name", text(&table.keyspace)),
            ("table_name", text(&table.name)),
            ("trigger_name", text(&trigger.name)),
            ("options", map([("class", trigger.class.as_bytes())])),
        ]);
    }
}

/// The indexes of a table.
pub(super) fn add_indexes(handle: &TableHandle, rows: &mut TableRows<'_>) {
    let table = &handle.definition;
    for index in &table.indexes {
        let kind = match index.class {
            IndexClass::Legacy => "COMPOSITES",
            IndexClass::Sai | IndexClass::Sasi | IndexClass::Custom(_) => "CUSTOM",
        };
        rows.add([
            ("keyspace_name", text(&table.keyspace)),
            ("table_name", text(&table.name)),
            ("index_name", text(&index.name)),
            ("kind", text(kind)),
            ("options", encode_text_map(&index.options)),
        ]);
    }
}
