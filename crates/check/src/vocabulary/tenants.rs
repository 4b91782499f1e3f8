//! Names of tenants.

use schema::catalog::Column;

use super::matcher::{lowercase, matches_any};
use super::status::is_low_cardinality;

/// Those whom rows belong to, in systems that they share.
const OWNER_PATTERNS: &[&str] = &[
    "account",
    "account_id",
    "accountid",
    "customer",
    "customer_id",
    "customerid",
    "project",
    "project_id",
    "projectid",
];

/// Tenants in the strict sense.
const TENANT_STEMS: &[&str] =
    &["tenant", "org", "organization", "organisation", "realm", "workspace", "namespace"];

/// Whether a column names whom rows belong to, of those that share a system.
pub(crate) fn is_tenant(column: &Column) -> bool {
    is_tenant_id(column) || matches_any(&column.name, OWNER_PATTERNS) && !is_low_cardinality(column)
}

/// Whether a column names a tenant in the strict sense: one of those that a system is shared by, each with all its data.
pub(crate) fn is_tenant_id(column: &Column) -> bool {
    let name = lowercase(&column.name);
    let stem = name.strip_suffix("uuid").or_else(|| name.strip_suffix("id")).unwrap_or(&name);
    TENANT_STEMS.contains(&stem.trim_end_matches('_'))
}
