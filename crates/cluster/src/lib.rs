//! The live system: one connection to an Apache Cassandra or `ScyllaDB` cluster.
