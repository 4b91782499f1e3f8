//! [`LargePartitions`]: finds the partitions above `partition_size_warn_threshold`, for the log.

use std::collections::BTreeMap;

use storage::DecoratedKey;

use super::violation_message;
use crate::node::Node;
use crate::node::handle::TableHandle;

const REASON: &str = "Too large partitions can cause performance problems.";

/// Remembers which partitions were reported.
#[derive(Debug, Default)]
pub struct LargePartitions {
    /// By table and key: the bytes when it was reported last.
    reported: BTreeMap<(String, Vec<u8>), usize>,
}

impl LargePartitions {
    /// A message for each partition that has passed a threshold, or doubled since it was reported.
    /// All partitions are measured, unless there is no threshold.
    pub(crate) fn find_new(&mut self, node: &Node) -> Vec<String> {
        let threshold = node.settings.guardrails.partition_size;
        let limits = [(threshold.fail, "failure"), (threshold.warn, "warning")];
        let limits: Vec<_> = limits
            .into_iter()
            .filter_map(|(limit, kind)| {
                Some((usize::try_from(limit).ok().filter(|it| *it > 0)?, kind))
            })
            .collect();
        let Some(lowest) = limits.iter().map(|(limit, _)| *limit).min() else { return Vec::new() };
        let mut messages = Vec::new();
        for handle in node.schema().tables().filter(|handle| !handle.is_computed) {
            for (key, bytes) in handle.rows.version().partitions_above(lowest) {
                let exceeded = limits.iter().find(|(limit, _)| bytes > *limit);
                if let Some((limit, kind)) = exceeded.filter(|_| self.is_news(handle, &key, bytes))
                {
                    let partition = print_partition(handle, &key);
                    let text = format!(
                        "Partition {partition} has size {bytes}, this exceeds the {kind} threshold of {limit}."
                    );
                    messages.push(violation_message("partition_size", &text, REASON));
                }
            }
        }
        messages
    }

    /// Remembers a size; whether it is to be reported.
    fn is_news(&mut self, handle: &TableHandle, key: &DecoratedKey, bytes: usize) -> bool {
        let place = (handle.definition.qualified_name(), key.as_bytes().to_vec());
        let reported = self.reported.entry(place).or_default();
        let is_news = bytes / 2 >= *reported;
        if is_news {
            *reported = bytes;
        }
        is_news
    }
}

/// The table and the values of the key, as the server prints them.
fn print_partition(handle: &TableHandle, key: &DecoratedKey) -> String {
    let columns = handle.definition.partition_key().iter();
    let values = columns.zip(handle.partition_values(key)).map(|(column, value)| {
        let text = cql::value::literal(&column.ty, Some(value)).unwrap_or_default();
        let quoted = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
        quoted.map_or_else(|| text.clone(), |inner| inner.replace("''", "'"))
    });
    let values: Vec<_> = values.collect();
    format!("{}:{}", handle.definition.qualified_name(), values.join(":"))
}
