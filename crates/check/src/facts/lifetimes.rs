//! How long rows last.

use cql::property::PropertyValue;
use schema::catalog::Table;

use crate::project::Ttl;
use crate::{Project, TableFacts};

/// Whether the table itself lets rows expire; a template may say how soon.
fn has_default_ttl(project: &Project<'_>, facts: &TableFacts) -> bool {
    let written = project.table_option(facts, "default_time_to_live");
    facts.table.params.default_time_to_live > 0
        || written.is_some_and(|option| matches!(option.value, PropertyValue::Placeholder(_)))
}

/// Whether rows of a table expire: by its default, or by a TTL of at least one of the statements that write it.
pub(crate) fn has_ttl(project: &Project<'_>, facts: &TableFacts) -> bool {
    let by_statement = || {
        let mut writes = facts.own_writes(project);
        writes.any(|write| !matches!(write.ttl(), Ttl::TableDefault | Ttl::Seconds(0)))
    };
    let expires = || has_default_ttl(project, facts) || by_statement();
    *facts.cached.expires.get_or_init(expires)
}

/// Whether everything that is written expires: by the table's default, or by a TTL of every statement.
pub(crate) fn has_ttl_everywhere(project: &Project<'_>, facts: &TableFacts) -> bool {
    let mut writes = facts.row_writes(project).peekable();
    let by_table = has_default_ttl(project, facts);
    let has_writes = writes.peek().is_some();
    (by_table || has_writes)
        && writes.all(|write| match write.ttl() {
            Ttl::TableDefault => by_table,
            Ttl::Seconds(seconds) => seconds > 0,
            Ttl::Unknown => true,
        })
}

/// The last part of the class name of a table's compaction: `TimeWindowCompactionStrategy`.
pub(crate) fn compaction_class(table: &Table) -> &str {
    let class = table.params.compaction.get("class").map_or("", |class| &**class);
    class.rsplit('.').next().unwrap_or(class)
}
