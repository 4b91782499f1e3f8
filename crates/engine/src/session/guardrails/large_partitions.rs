//! [`LargePartitions`]: finds the partitions above `partition_size_warn_threshold`, for the log.

use std::collections::BTreeMap;

use cql::TableId;
use storage::DecoratedKey;

use super::violation_message;
use crate::execute::row_text::print_key;
use crate::node::Node;
use crate::node::handle::TableHandle;

const REASON: &str = "Too large partitions can cause performance problems.";

/// What the log says about a partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionReport {
    /// Whether it is above the failure threshold, rather than the warning threshold.
    pub is_failure: bool,
    /// The sentence.
    pub message: String,
}

impl PartitionReport {
    /// A report about a partition with that many bytes. A server names the file as well.
    fn new(partition: &str, bytes: usize, (limit, is_failure): (usize, bool)) -> Self {
        let kind = if is_failure { "failure" } else { "warning" };
        let text = format!(
            "Partition {partition} has size {bytes}, this exceeds the {kind} threshold of {limit}."
        );
        Self { is_failure, message: violation_message("partition_size", &text, REASON) }
    }
}

/// The thresholds of the settings, the highest first, each with whether it is that of failures.
fn thresholds(node: &Node) -> Vec<(usize, bool)> {
    let threshold = node.settings.guardrails.partition_size;
    let limits = [(threshold.fail, true), (threshold.warn, false)];
    let is_set = |(limit, is_failure): (i64, bool)| {
        Some((usize::try_from(limit).ok().filter(|it| *it > 0)?, is_failure))
    };
    limits.into_iter().filter_map(is_set).collect()
}

/// Whether partitions are to be measured at all.
pub(crate) fn has_thresholds(node: &Node) -> bool {
    !thresholds(node).is_empty()
}

/// Remembers which partitions were reported.
#[derive(Debug, Default)]
pub struct LargePartitions {
    /// By table and key: the bytes when it was reported last. Those that are gone, or no longer
    /// above a threshold, are not in it.
    reported: BTreeMap<(TableId, Vec<u8>), usize>,
}

impl LargePartitions {
    /// A report for each partition that has passed a threshold, or doubled since it was reported.
    /// All partitions are measured, unless there is no threshold.
    pub(crate) fn find_new(&mut self, node: &Node) -> Vec<PartitionReport> {
        let limits = thresholds(node);
        let Some(lowest) = limits.iter().map(|(limit, _)| *limit).min() else { return Vec::new() };
        let before = std::mem::take(&mut self.reported);
        let mut reports = Vec::new();
        for handle in node.schema().tables().filter(|handle| !handle.is_computed) {
            for (key, bytes) in handle.rows.version().partitions_above(lowest) {
                let place = (handle.id, key.as_bytes().to_vec());
                let last = before.get(&place).copied().unwrap_or(0);
                let exceeded = limits.iter().find(|(limit, _)| bytes > *limit);
                let news = exceeded.filter(|_| bytes / 2 >= last);
                if let Some(limit) = news {
                    let partition = print_partition(handle, &key);
                    reports.push(PartitionReport::new(&partition, bytes, *limit));
                }
                self.reported.insert(place, if news.is_some() { bytes } else { last });
            }
        }
        reports
    }
}

/// The table and the key, as the server prints them.
fn print_partition(handle: &TableHandle, key: &DecoratedKey) -> String {
    format!("{}:{}", handle.definition.qualified_name(), print_key(handle, key))
}

#[cfg(test)]
mod tests {
    use super::{LargePartitions, PartitionReport};
    use crate::{Database, Options, Parameters};

    /// Lines of the log of Apache Cassandra 5.0.8 with thresholds of 1 and 2 MiB, after a flush and
    /// a compaction; `{}` stands for the path of the file.
    const RECORDED: &str = "\
        WARN Guardrail partition_size violated: Partition big.w:one on sstable {} has size 1525199, \
        this exceeds the warning threshold of 1048576. Too large partitions can cause performance problems.\n\
        ERROR Guardrail partition_size violated: Partition big.u:5 on sstable {} has size 3050878, this \
        exceeds the failure threshold of 2097152. Too large partitions can cause performance problems.\n\
        ERROR Guardrail partition_size violated: Partition big.t:a\\:b it's:01fe on sstable {} has size \
        3050891, this exceeds the failure threshold of 2097152. Too large partitions can cause performance \
        problems.";

    fn print(report: &PartitionReport) -> String {
        let level = if report.is_failure { "ERROR" } else { "WARN" };
        format!("{level} {}", report.message)
    }

    #[test]
    fn sentences_are_those_of_a_node_without_the_file() {
        let (warn, fail) = ((1 << 20, false), (2 << 20, true));
        let reports = [
            PartitionReport::new("big.w:one", 1_525_199, warn),
            PartitionReport::new("big.u:5", 3_050_878, fail),
            PartitionReport::new("big.t:a\\:b it's:01fe", 3_050_891, fail),
        ];
        let found = reports.iter().map(print).collect::<Vec<_>>().join("\n");
        assert_eq!(found, RECORDED.replace(" on sstable {}", ""));
    }

    #[test]
    fn partitions_above_the_thresholds_are_reported_once() {
        let mut options = Options::default();
        options.settings.guardrails.partition_size.warn = 1 << 20;
        options.settings.guardrails.partition_size.fail = 2 << 20;
        let database = Database::open_in_memory(options).unwrap();
        let mut session = database.session();
        let mut run = |text: &str| {
            session.query(text, &Parameters::default()).unwrap_or_else(|e| panic!("{text}: {e}"));
        };
        run(
            "CREATE KEYSPACE big WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
        );
        run("CREATE TABLE big.t (k text, k2 blob, c int, v text, PRIMARY KEY ((k, k2), c))");
        run("CREATE TABLE big.w (k text, c int, v text, PRIMARY KEY (k, c))");
        let value = "x".repeat(100_000);
        for row in 0..30 {
            run(&format!(
                "INSERT INTO big.t (k, k2, c, v) VALUES ('a:b it''s', 0x01fe, {row}, '{value}')"
            ));
        }
        for row in 0..15 {
            run(&format!("INSERT INTO big.w (k, c, v) VALUES ('one', {row}, '{value}')"));
        }
        let mut reported = LargePartitions::default();
        let mut found: Vec<_> =
            database.find_large_partitions(&mut reported).iter().map(print).collect();
        found.sort();
        let start = "Guardrail partition_size violated: Partition";
        assert!(found[0].starts_with(&format!("ERROR {start} big.t:a\\:b it's:01fe has size 3")));
        assert!(found[1].starts_with(&format!("WARN {start} big.w:one has size 1")));
        assert_eq!(found.len(), 2);
        assert!(database.find_large_partitions(&mut reported).is_empty());
        // One that is gone is forgotten, and reported again if it comes back.
        run("TRUNCATE big.w");
        assert!(database.find_large_partitions(&mut reported).is_empty());
        assert_eq!(reported.reported.len(), 1);
        for row in 0..15 {
            run(&format!("INSERT INTO big.w (k, c, v) VALUES ('one', {row}, '{value}')"));
        }
        let found = database.find_large_partitions(&mut reported);
        assert_eq!(found.iter().filter(|it| it.message.contains("big.w:one")).count(), 1);
        assert_eq!(found.len(), 1);
    }

    #[test]
    fn without_a_threshold_nothing_is_measured() {
        let mut options = Options::default();
        assert!(!Database::open_in_memory(Options::default()).unwrap().has_partition_thresholds());
        options.settings.guardrails.partition_size.fail = 1 << 20;
        assert!(Database::open_in_memory(options).unwrap().has_partition_thresholds());
    }
}
