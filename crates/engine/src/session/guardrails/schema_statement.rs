//! Guardrails of schema statements, and disabled features.

use cql::statement::StatementKind;
use cql::statement::table::{CreateTable, TableChange};
use cql::types::Type;
use schema::catalog::{Catalog, Keyspace, Replication, Table};
use schema::ddl::CatalogChange;

use super::GuardrailCheck;
use crate::error::{Error, Result};
use crate::node::settings::Threshold;
use crate::session::context::StatementContext;

/// Checks a schema statement and what it would change.
pub(crate) fn check(
    context: &StatementContext<'_>,
    catalog: &Catalog,
    statement: &StatementKind,
    change: &CatalogChange,
) -> Result<()> {
    check_features(context, statement)?;
    let Some(guard) = GuardrailCheck::for_context(context) else { return Ok(()) };
    guard.check_statement(statement)?;
    match change {
        CatalogChange::Keyspace(keyspace) => guard.check_keyspace(catalog, keyspace),
        CatalogChange::Table(table) => guard.check_table(catalog, statement, table),
        CatalogChange::Type(user) => guard.check_fields(&user.name, user.fields.len()),
        CatalogChange::View(view) => {
            let keyspace = catalog.keyspace(&view.table.keyspace);
            let views = keyspace.map_or(0, |own| own.views_of(&view.base_table).count()) + 1;
            let threshold = guard.settings.materialized_views_per_table;
            let what = format!("{} on table {}", view.table.name, view.base_table);
            guard.check_threshold("materialized_views_per_table", threshold, views, |is_warning, limit| {
                if is_warning {
                    format!("Creating materialized view {what}, current number of views {views} exceeds warning threshold of {limit}.")
                } else {
                    format!("Tables cannot have more than {limit} materialized views, aborting the creation of materialized view {what}")
                }
            })
        }
        _ => Ok(()),
    }
}

/// Refuses features that the node does not support or that are disabled.
fn check_features(context: &StatementContext<'_>, statement: &StatementKind) -> Result<()> {
    let settings = &context.node.settings;
    let refusal = match statement {
        StatementKind::CreateView(_) if !settings.materialized_views_enabled => {
            "Materialized views are disabled. Enable in cassandra.yaml to use."
        }
        StatementKind::CreateIndex(create)
            if !settings.sasi_indexes_enabled
                && create.class.as_deref() == Some(crate::session::schema_warnings::SASI_CLASS) =>
        {
            "SASI indexes are disabled. Enable in cassandra.yaml to use."
        }
        StatementKind::CreateFunction(_) if !settings.user_defined_functions_enabled => {
            "User-defined functions are disabled in cassandra.yaml - set user_defined_functions_enabled=true to enable"
        }
        StatementKind::AlterTable(alter)
            if !settings.drop_compact_storage_enabled
                && matches!(alter.change, TableChange::DropCompactStorage) =>
        {
            "DROP COMPACT STORAGE is disabled. Enable in cassandra.yaml to use."
        }
        other if !settings.dynamic_data_masking_enabled && has_mask(other) => {
            "Cannot mask columns because dynamic data masking is not enabled. You can enable it with the \
             dynamic_data_masking_enabled property on cassandra.yaml"
        }
        _ => return Ok(()),
    };
    Err(Error::invalid(refusal))
}

/// Whether a statement masks a column.
fn has_mask(statement: &StatementKind) -> bool {
    match statement {
        StatementKind::CreateTable(create) => {
            create.columns.iter().any(|column| column.mask.is_some())
        }
        StatementKind::AlterTable(alter) => match &alter.change {
            TableChange::Mask { mask, .. } => mask.is_some(),
            TableChange::Add { columns, .. } => columns.iter().any(|column| column.mask.is_some()),
            _ => false,
        },
        _ => false,
    }
}

impl GuardrailCheck<'_> {
    fn check_statement(&self, statement: &StatementKind) -> Result<()> {
        let settings = self.settings;
        match statement {
            StatementKind::CreateIndex(_) => {
                let enabled = settings.secondary_indexes_enabled;
                self.check_enabled("secondary_indexes", enabled, "Creating secondary indexes", "")
            }
            StatementKind::DropTable(_) => {
                let enabled = settings.drop_truncate_table_enabled;
                let feature = "DROP and TRUNCATE TABLE functionality";
                self.check_enabled("drop_truncate_table_enabled", enabled, feature, "")
            }
            StatementKind::DropKeyspace(_) => {
                let enabled = settings.drop_keyspace_enabled;
                self.check_enabled(
                    "drop_keyspace_enabled",
                    enabled,
                    "DROP KEYSPACE functionality",
                    "",
                )
            }
            StatementKind::AlterTable(alter)
                if matches!(
                    alter.change,
                    TableChange::Add { .. } | TableChange::Drop { .. } | TableChange::Rename { .. }
                ) =>
            {
                let enabled = settings.alter_table_enabled;
                self.check_enabled("alter_table", enabled, "ALTER TABLE changing columns", "")
            }
            StatementKind::CreateTable(create) => self.check_new_table(create),
            _ => Ok(()),
        }
    }

    fn check_new_table(&self, create: &CreateTable) -> Result<()> {
        let given: Vec<&str> =
            create.options.properties.iter().map(|property| &*property.name.text).collect();
        let warned = &self.settings.table_properties;
        self.check_values("table_properties", "Table Properties", warned, &given)?;
        if create.options.compact_storage.is_some() {
            let enabled = self.settings.compact_tables_enabled;
            self.check_enabled(
                "compact_tables",
                enabled,
                "Creation of new COMPACT STORAGE tables",
                "",
            )?;
        }
        Ok(())
    }

    fn check_keyspace(&self, catalog: &Catalog, keyspace: &Keyspace) -> Result<()> {
        let name = &keyspace.name;
        if catalog.keyspace(name).is_none() {
            let count = catalog.keyspaces.values().filter(|own| !own.system).count() + 1;
            self.check_threshold("keyspaces", self.settings.keyspaces, count, |is_warning, limit| {
                if is_warning {
                    format!("Creating keyspace {name}, current number of keyspaces {count} exceeds warning threshold of {limit}.")
                } else {
                    format!("Cannot have more than {limit} keyspaces, aborting the creation of keyspace {name}")
                }
            })?;
        }
        if keyspace.replication.class.ends_with(".SimpleStrategy") {
            let enabled = self.settings.simplestrategy_enabled;
            self.check_enabled("simplestrategy", enabled, "SimpleStrategy", "")?;
        }
        self.check_replication_factor(name, &keyspace.replication)
    }

    fn check_replication_factor(&self, keyspace: &str, replication: &Replication) -> Result<()> {
        for value in replication.options.values() {
            let Ok(copies) = value.parse::<i64>() else { continue };
            let text = |side: &str, kind: &str, limit: i64| {
                format!(
                    "The keyspace {keyspace} has a replication factor of {copies}, {side} the {kind} threshold of {limit}."
                )
            };
            let Threshold { warn, fail } = self.settings.minimum_replication_factor;
            let name = "minimum_replication_factor";
            if copies < fail {
                self.refuse(name, &text("below", "failure", fail), "")?;
            } else if copies < warn {
                self.warn(name, &text("below", "warning", warn), "");
            }
            let threshold = self.settings.maximum_replication_factor;
            let count = usize::try_from(copies).unwrap_or(0);
            self.check_threshold(
                "maximum_replication_factor",
                threshold,
                count,
                |is_warning, limit| {
                    text("above", if is_warning { "warning" } else { "failure" }, limit)
                },
            )?;
        }
        Ok(())
    }

    fn check_table(
        &self,
        catalog: &Catalog,
        statement: &StatementKind,
        table: &Table,
    ) -> Result<()> {
        let (name, settings) = (&table.name, self.settings);
        let columns = table.columns().len();
        self.check_threshold("columns_per_table", settings.columns_per_table, columns, |is_warning, limit| {
            if is_warning {
                format!("The table {name} has {columns} columns, this exceeds the warning threshold of {limit}.")
            } else {
                format!("Tables cannot have more than {limit} columns, but {columns} provided for table {name}")
            }
        })?;
        if matches!(statement, StatementKind::CreateTable(_)) {
            let own = catalog.keyspaces.values().filter(|keyspace| !keyspace.system);
            let count =
                own.map(|keyspace| keyspace.tables.len() + keyspace.views.len()).sum::<usize>() + 1;
            self.check_threshold("tables", settings.tables, count, |is_warning, limit| {
                if is_warning {
                    format!("Creating table {name}, current number of tables {count} exceeds warning threshold of {limit}.")
                } else {
                    format!("Cannot have more than {limit} tables, aborting the creation of table {name}")
                }
            })?;
            self.check_vectors(table)?;
        }
        if let StatementKind::CreateIndex(create) = statement {
            let count = table.indexes.len();
            let what = match &create.name {
                Some(index) => format!("{} on table {name}", index.text),
                None => format!("on table {name}"),
            };
            let threshold = settings.secondary_indexes_per_table;
            self.check_threshold("secondary_indexes_per_table", threshold, count, |is_warning, limit| {
                if is_warning {
                    format!("Creating secondary index {what}, current number of indexes {count} exceeds warning threshold of {limit}.")
                } else {
                    format!("Tables cannot have more than {limit} secondary indexes, aborting the creation of secondary index {what}")
                }
            })?;
        }
        self.check_options(table)
    }

    fn check_options(&self, table: &Table) -> Result<()> {
        let settings = self.settings;
        if table.params.compression.get("enabled").is_some_and(|enabled| &**enabled == "false") {
            let enabled = settings.uncompressed_tables_enabled;
            self.check_enabled("uncompressed_tables_enabled", enabled, "Uncompressed table", "")?;
        }
        let class = table.params.compaction.get("class");
        if table.params.default_time_to_live == 0
            && class.is_some_and(|class| class.ends_with("TimeWindowCompactionStrategy"))
        {
            let reason = "It is suspicious to use default_time_to_live set to 0 with such compaction strategy. Please \
                keep in mind that data will not start to automatically expire after they are older than a respective \
                compaction window unit of a certain size. Please set TTL for your INSERT or UPDATE statements if you \
                expect data to be expired as table settings will not do it. ";
            let feature = "0 default_time_to_live on a table with TimeWindowCompactionStrategy compaction strategy";
            let name = "zero_ttl_on_twcs";
            self.check_enabled(name, settings.zero_ttl_on_twcs_enabled, feature, reason)?;
            if settings.zero_ttl_on_twcs_warned {
                self.warn(name, &format!("{feature} is not recommended"), reason);
            }
        }
        Ok(())
    }

    fn check_vectors(&self, table: &Table) -> Result<()> {
        for column in table.columns() {
            let Type::Vector(_, dimension) = &column.ty else { continue };
            let enabled = self.settings.vector_type_enabled;
            self.check_enabled("vector_type_enabled", enabled, &column.name, "")?;
            let count = usize::try_from(*dimension).unwrap_or(usize::MAX);
            let threshold = self.settings.vector_dimensions;
            self.check_threshold("vector_dimensions", threshold, count, |is_warning, limit| {
                let kind = if is_warning { "warning" } else { "failure" };
                let name = &column.name;
                format!("{name} has a vector of {count} dimensions, this exceeds the {kind} threshold of {limit}.")
            })?;
        }
        Ok(())
    }

    fn check_fields(&self, name: &str, count: usize) -> Result<()> {
        self.check_threshold("fields_per_udt", self.settings.fields_per_udt, count, |is_warning, limit| {
            if is_warning {
                format!("The user type {name} has {count} columns, this exceeds the warning threshold of {limit}.")
            } else {
                format!("User types cannot have more than {limit} columns, but {count} provided for user type {name}.")
            }
        })
    }
}
