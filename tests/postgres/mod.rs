//! A real `PostgreSQL` beside us: it judges what a model file means.
//!
//! One cluster for the whole test run, in a temporary folder, on a Unix socket. Without `PostgreSQL` there is none: one loud
//! line, and the tests that need it return. A cluster that should start and does not is a failure.

mod agreement;
mod client;
mod cluster;
mod judge;
mod measured_design;
mod psql;
mod random;
mod replay;
mod schema_load;
mod statement;
mod statistics;
mod value;

use std::sync::OnceLock;

use self::cluster::PostgresCluster;
pub(crate) use self::schema_load::load_schema;
use crate::print_uncaptured;

/// The cluster, or nothing where there can be none.
pub(crate) fn cluster() -> Option<&'static PostgresCluster> {
    static CLUSTER: OnceLock<Option<PostgresCluster>> = OnceLock::new();
    let started = CLUSTER.get_or_init(|| match cluster::find_programs() {
        Ok(programs) => match cluster::start(&programs) {
            Ok(cluster) => Some(cluster),
            Err(failure) => panic!("PostgreSQL did not start: {failure}"),
        },
        Err(reason) => {
            print_uncaptured(&format!("SKIPPED: tests against PostgreSQL: {reason}"));
            None
        }
    });
    started.as_ref()
}
