//! Traces that a real Apache Cassandra 5.0.8 wrote and cqlsh 6.2 printed (blanks shortened, except
//! in `POINT`), for tests. `ABORTED` is `SELECT JSON` of a read that failed, of which cqlsh prints
//! no trace. `TOMBSTONES_4_1` is a SELECT of the events on Cassandra 4.1.10. `REPLICAS` and `SCYLLA` are composed by hand from the sentences in the sources of Cassandra 4.1 and `ScyllaDB`: a read with three nodes.

pub(crate) const POINT: &str = include_str!("samples/point.txt");
pub(crate) const SLICE: &str = include_str!("samples/slice.txt");
pub(crate) const FILTERING: &str = include_str!("samples/filtering.txt");
pub(crate) const FILTERING_ALL: &str = include_str!("samples/filtering_all.txt");
pub(crate) const INDEX: &str = include_str!("samples/index2i.txt");
pub(crate) const SAI: &str = include_str!("samples/sai.txt");
pub(crate) const IN_100: &str = include_str!("samples/in100.txt");
pub(crate) const TOMBSTONES: &str = include_str!("samples/tombstones.txt");
pub(crate) const TOMBSTONES_4_1: &str = include_str!("samples/tombstones_4_1.txt");
pub(crate) const LWT: &str = include_str!("samples/lwt.txt");
pub(crate) const LWT_APPLIED: &str = include_str!("samples/lwt_applied.txt");
pub(crate) const BATCH: &str = include_str!("samples/batch.txt");
pub(crate) const COUNTER: &str = include_str!("samples/counter.txt");
pub(crate) const AGGREGATE: &str = include_str!("samples/aggregate.txt");
pub(crate) const INSERT: &str = include_str!("samples/insert.txt");
pub(crate) const PAGING: &str = include_str!("samples/paging.txt");
pub(crate) const ABORTED: &str = include_str!("samples/aborted.json");
pub(crate) const REPLICAS: &str = include_str!("samples/replicas.txt");
pub(crate) const SCYLLA: &str = include_str!("samples/scylla.txt");

/// All of them.
pub(crate) const ALL: [&str; 19] = [
    POINT,
    SLICE,
    FILTERING,
    FILTERING_ALL,
    INDEX,
    SAI,
    IN_100,
    TOMBSTONES,
    TOMBSTONES_4_1,
    LWT,
    LWT_APPLIED,
    BATCH,
    COUNTER,
    AGGREGATE,
    INSERT,
    PAGING,
    ABORTED,
    REPLICAS,
    SCYLLA,
];
