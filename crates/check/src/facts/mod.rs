//! What schemas, statements and volumes tell together: facts about tables, volumes, the workload, keys and lifetimes.

pub(crate) mod keys;
pub(crate) mod lifetimes;
pub(crate) mod migration;
pub(crate) mod tables;
pub(crate) mod volumes;
pub(crate) mod workload;
