//! Guardrails of reads and writes.

use cql::Consistency;
use cql::statement::StatementKind;
use schema::bind::BoundKind;
use schema::bind::select::BoundSelect;
use schema::bind::write::{BoundConditions, BoundWrite};
use schema::catalog::Keyspace;

use super::GuardrailCheck;
use crate::error::{Error, Result};
use crate::session::context::StatementContext;

/// Checks a statement before its execution.
pub(crate) fn check(
    context: &StatementContext<'_>,
    statement: Option<&StatementKind>,
    bound: &BoundKind,
) -> Result<()> {
    if matches!(statement, Some(StatementKind::Use(_)))
        && !context.node.settings.use_statements_enabled
    {
        return Err(Error::invalid(
            "USE statements prohibited. (see use_statements_enabled in cassandra.yaml)",
        ));
    }
    let Some(guard) = GuardrailCheck::for_context(context) else { return Ok(()) };
    match statement {
        Some(StatementKind::Truncate(_)) => {
            let enabled = guard.settings.drop_truncate_table_enabled;
            let feature = "DROP and TRUNCATE TABLE functionality";
            guard.check_enabled("drop_truncate_table_enabled", enabled, feature, "")?;
        }
        Some(StatementKind::Select(select)) if !select.group_by.is_empty() => {
            let enabled = guard.settings.group_by_enabled;
            guard.check_enabled("group_by", enabled, "GROUP BY functionality", "")?;
        }
        _ => {}
    }
    match bound {
        BoundKind::Select(select) => guard.check_select(select),
        BoundKind::Write(write) => guard.check_writes(&[write]),
        BoundKind::Batch(batch) => guard.check_writes(&batch.statements.iter().collect::<Vec<_>>()),
        BoundKind::Command(_) | BoundKind::Unbound => Ok(()),
    }
}

impl GuardrailCheck<'_> {
    fn check_select(&self, select: &BoundSelect) -> Result<()> {
        let settings = self.settings;
        let is_system = Keyspace::is_local_system(&select.table.keyspace)
            || Keyspace::is_replicated_system(&select.table.keyspace);
        if select.allow_filtering && !is_system {
            let reason = "ALLOW FILTERING can potentially visit all the data in the table and have unpredictable \
                          performance.";
            let feature = "Querying with ALLOW FILTERING";
            self.check_enabled(
                "allow_filtering",
                settings.allow_filtering_enabled,
                feature,
                reason,
            )?;
        }
        let level = self.context.parameters.consistency.name();
        let levels = &settings.read_consistency_levels;
        self.check_values("read_consistency_levels", "read consistency levels", levels, &[level])?;
        if select.restrictions.uses_index && select.restrictions.partition.is_empty() {
            let reason = "Executing a query on secondary indexes without partition key restriction might degrade \
                          performance";
            let enabled = settings.non_partition_restricted_index_query_enabled;
            let name = "non_partition_restricted_index_query_enabled";
            self.check_enabled(name, enabled, "Non-partition key restricted query", reason)?;
        }
        let rows = self.context.parameters.page_rows().unwrap_or(0);
        let size = usize::try_from(rows).unwrap_or(usize::MAX);
        let table = &select.table.name;
        self.check_threshold("page_size", settings.page_size, size, |is_warning, limit| {
            if is_warning {
                format!("Query for table {table} with page size {size} exceeds warning threshold of {limit}.")
            } else {
                format!("Aborting query for table {table}, page size {size} exceeds fail threshold of {limit}.")
            }
        })?;
        self.check_select_keys(select)
    }

    fn check_writes(&self, writes: &[&BoundWrite]) -> Result<()> {
        if writes.iter().any(|write| write.using.timestamp.is_some()) {
            let feature = "User provided timestamps (USING TIMESTAMP)";
            self.check_enabled(
                "user_timestamps",
                self.settings.user_timestamps_enabled,
                feature,
                "",
            )?;
        }
        let parameters = self.context.parameters;
        let serial = parameters.serial_consistency.unwrap_or(Consistency::Serial).name();
        let given = [parameters.consistency.name(), serial];
        let levels = &self.settings.write_consistency_levels;
        self.check_values("write_consistency_levels", "write consistency levels", levels, &given)?;
        // Conditional writes store values only if their conditions hold.
        let stores =
            writes.iter().filter(|write| matches!(write.conditions, BoundConditions::None));
        stores.into_iter().try_for_each(|write| self.check_written_values(write))
    }
}
