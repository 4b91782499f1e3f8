//! The balance of a table over the ring: sampled partition keys, their Murmur3 tokens, and the
//! nodes that hold them.
//!
//! The tokens of the nodes are spread evenly, [`TOKENS`] for each, as Cassandra allocates them;
//! the copies of a partition are on the nodes that follow.

use cql::types::{NativeType, Type};
use model::concept::{Concept, ValueLimit};
use model::plan::{Bucket, Derivation, PlannedColumn, PlannedTable, Quantiles};
use schema::partitioner::{Token, partition_key};

use crate::volume;

/// At most this many partitions are placed on the ring.
const SAMPLE: u32 = 10_000;
/// Tokens of a node: the default of `num_tokens`.
const TOKENS: u64 = 16;
/// The day from which dates are counted back: 2026-01-01, in days since 1970.
const NEWEST_DAY: f64 = 20_454.0;
/// Zero of the type `date`.
const DATE_ZERO: f64 = 2_147_483_648.0;

/// How a table lies on the nodes of a datacenter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RingBalance {
    /// Nodes of the datacenter.
    pub nodes: u32,
    /// Nodes that hold nothing of it.
    pub unused: u32,
    /// Its bytes on the fullest node, as a multiple of the average.
    pub fullest: f64,
    /// Partitions that were placed.
    pub placed: u32,
    /// Whether these are all.
    pub is_whole: bool,
}

/// The balance of a table today; `None` where it has no partitions, or every node has a copy.
pub fn ring_balance(concept: &Concept, table: &PlannedTable) -> Option<RingBalance> {
    let (nodes, copies) = ring_nodes(concept);
    let partitions = table.volume.partitions;
    if partitions < 0.5 || copies >= nodes {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is clamped")]
    let placed = partitions.round().clamp(1.0, f64::from(SAMPLE)) as u32;
    let keys = KeySample::new(concept, table);
    let sizes = table.volume.bytes_after(0.0);
    let mut held = vec![0.0; usize::try_from(nodes).unwrap_or(1)];
    for at in 0..placed {
        let size = quantile(&sizes, (f64::from(at) + 0.5) / f64::from(placed), partitions);
        let first = node_of(&keys.key(at), nodes);
        for copy in 0..copies {
            let node = (first + copy) % nodes;
            if let Some(sum) = usize::try_from(node).ok().and_then(|node| held.get_mut(node)) {
                *sum += size;
            }
        }
    }
    let mean = held.iter().sum::<f64>() / f64::from(nodes);
    let fullest = held.iter().copied().fold(0.0, f64::max) / mean.max(f64::MIN_POSITIVE);
    let unused = held.iter().filter(|bytes| **bytes <= 0.0).count();
    Some(RingBalance {
        nodes,
        unused: u32::try_from(unused).unwrap_or(u32::MAX),
        fullest,
        placed,
        is_whole: partitions.round() <= f64::from(SAMPLE),
    })
}

/// The nodes of a datacenter, and the copies on them.
pub(super) fn ring_nodes(concept: &Concept) -> (u32, u32) {
    let centers = u32::try_from(concept.replication.len()).unwrap_or(1).max(1);
    let copies = concept.replication.iter().map(|(_, copies)| *copies).max().unwrap_or(1);
    ((concept.nodes / centers).max(1), copies)
}

/// The first of the nodes that hold a partition.
pub(super) fn node_of(key: &[u8], nodes: u32) -> u32 {
    u32::try_from(slot(Token::from_key(key), u64::from(nodes))).unwrap_or(0)
}

/// The node that owns a token.
fn slot(token: Token, nodes: u64) -> u64 {
    let place = u128::from(token.0.cast_unsigned() ^ (1 << 63));
    let slot = (place * u128::from(nodes * TOKENS)) >> 64;
    u64::try_from(slot).unwrap_or(0) % nodes
}

/// The size of the partition that a share of all exceeds, interpolated on a log scale of rarity.
fn quantile(sizes: &Quantiles, rarity: f64, partitions: f64) -> f64 {
    let rarest = (0.5 / partitions).min(0.000_5);
    let points = [
        (1.0, sizes.p50),
        (0.5, sizes.p50),
        (0.01, sizes.p99),
        (0.001, sizes.p999),
        (rarest, sizes.max),
    ];
    for pair in points.windows(2) {
        let [(common, low), (rare, high)] = [pair[0], pair[1]];
        if rarity >= rare {
            let way = ((common / rarity).ln() / (common / rare).ln()).clamp(0.0, 1.0);
            return if low > 0.0 { low * (high / low).powf(way) } else { high * way };
        }
    }
    sizes.max
}

/// Keys of a table: values of its partition key columns, each counted separately.
pub(super) struct KeySample<'a> {
    columns: Vec<(&'a PlannedColumn, KeyValues<'a>)>,
    /// The columns by the number of their values, fewest first, and that number.
    order: Vec<(usize, u32)>,
}

/// Where the values of a key column come from.
enum KeyValues<'a> {
    /// The labels of an enum.
    Labels(&'a [String]),
    /// Time buckets of so many days.
    Days(f64),
    /// Values made from a number.
    Numbered,
}

impl<'a> KeySample<'a> {
    pub(super) fn new(concept: &'a Concept, table: &'a PlannedTable) -> Self {
        let columns: Vec<_> = table
            .partition_key()
            .map(|column| (column, KeyValues::new(concept, table, column)))
            .collect();
        let counts =
            columns.iter().map(|(column, values)| count_values(concept, table, column, values));
        let mut order: Vec<(usize, u32)> = counts.enumerate().collect();
        order.sort_by_key(|(_, count)| *count);
        Self { columns, order }
    }

    /// The serialised key of a partition. Different numbers have different keys as long as there are
    /// enough values.
    pub(super) fn key(&self, number: u32) -> Vec<u8> {
        let mut values = vec![Vec::new(); self.columns.len()];
        let mut rest = number;
        let last = self.order.len().saturating_sub(1);
        for (place, (at, count)) in self.order.iter().enumerate() {
            let value = if place == last { rest } else { rest % count };
            rest /= count;
            let (column, source) = &self.columns[*at];
            values[*at] = source.value(column, value);
        }
        partition_key(&values).unwrap_or_default()
    }
}

impl<'a> KeyValues<'a> {
    fn new(concept: &'a Concept, table: &'a PlannedTable, column: &PlannedColumn) -> Self {
        if let Derivation::Bucket(_, bucket) = column.derivation {
            return Self::Days(bucket.days().unwrap_or(1.0));
        }
        let of = volume::attribute_of(&column.derivation);
        match of.and_then(|of| volume::attribute(concept, table, of)?.limit.as_ref()) {
            Some(ValueLimit::Labels(labels)) if !labels.is_empty() => Self::Labels(labels),
            _ => Self::Numbered,
        }
    }

    /// The bytes of a value.
    fn value(&self, column: &PlannedColumn, number: u32) -> Vec<u8> {
        let days = match self {
            Self::Labels(labels) => {
                let at = usize::try_from(number).unwrap_or(0) % labels.len();
                return labels[at].as_bytes().to_vec();
            }
            Self::Days(width) => width.max(1.0 / 24.0),
            Self::Numbered => 1.0,
        };
        let day = NEWEST_DAY - days * f64::from(number);
        match &column.ty {
            Type::Native(native) => native_value(*native, number, day),
            _ => format!("{}-{number}", column.name).into_bytes(),
        }
    }
}

/// The bytes of a value of a native type: the number itself, a day, or an id made from the number.
fn native_value(native: NativeType, number: u32, day: f64) -> Vec<u8> {
    use NativeType::{
        Bigint, Boolean, Counter, Date, Int, Smallint, Timestamp, Timeuuid, Tinyint, Uuid,
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "casts saturate")]
    let (date, millis) = ((DATE_ZERO + day) as u32, (day * 86_400e3) as i64);
    match native {
        Boolean => vec![u8::from(number % 2 == 1)],
        Tinyint => vec![number.to_be_bytes()[3]],
        Smallint => number.to_be_bytes()[2..].to_vec(),
        Int => number.to_be_bytes().to_vec(),
        Bigint | Counter => u64::from(number).to_be_bytes().to_vec(),
        Date => date.to_be_bytes().to_vec(),
        Timestamp => millis.to_be_bytes().to_vec(),
        Uuid | Timeuuid => {
            let (high, low) = schema::partitioner::hash(&number.to_be_bytes());
            [high.to_be_bytes(), low.to_be_bytes()].concat()
        }
        _ => format!("value-{number}").into_bytes(),
    }
}

/// The number of values of a key column.
fn count_values(
    concept: &Concept,
    table: &PlannedTable,
    column: &PlannedColumn,
    values: &KeyValues<'_>,
) -> u32 {
    let count = match (&column.derivation, values) {
        (Derivation::Shard { count, .. }, _) => return (*count).max(1),
        (Derivation::Constant, _) => return 1,
        (_, KeyValues::Labels(labels)) => return u32::try_from(labels.len()).unwrap_or(u32::MAX),
        (Derivation::Bucket(_, bucket), _) => bucket_count(table, *bucket),
        (derivation, _) => {
            let of = volume::attribute_of(derivation);
            let found = of.and_then(|of| volume::attribute(concept, table, of));
            found.map_or(f64::INFINITY, |found| found.distinct.value)
        }
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is clamped")]
    let count = count.clamp(1.0, f64::from(u32::MAX)) as u32;
    if column.ty == Type::Native(NativeType::Boolean) { count.min(2) } else { count }
}

/// The buckets of a key: those of a year.
fn bucket_count(table: &PlannedTable, bucket: Bucket) -> f64 {
    let days = bucket.days().unwrap_or(1.0);
    (volume::YEAR / days).clamp(1.0, table.volume.partitions.max(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, design};

    /// The balance of the first table of a design of one query.
    fn balance(head: &str, column: &str) -> Option<RingBalance> {
        let text = format!(
            "-- @nodes 12 @replication dc1:3

            {head}
            CREATE TABLE t (id uuid PRIMARY KEY, {column});
            -- name: Q :many
            SELECT id FROM t WHERE k = ?;"
        );
        let file = model::sql::read(&text, "ring").unwrap();
        let design = design(&file.concept, &file.workload, &Options::for_method());
        ring_balance(&file.concept, &design.tables[0])
    }

    #[test]
    fn many_partitions_are_even() {
        let found = balance("-- @rows 10M", "k uuid NOT NULL /* @distinct 1M */").unwrap();
        assert_eq!(
            (found.nodes, found.unused, found.placed, found.is_whole),
            (12, 0, 10_000, false)
        );
        assert!((1.0..1.1).contains(&found.fullest), "{found:?}");
    }

    #[test]
    fn few_partitions_leave_nodes_empty() {
        // Two values on three nodes each: six nodes at most hold all of it.
        let found = balance("-- @rows 10k", "k boolean NOT NULL").unwrap();
        assert_eq!((found.placed, found.is_whole), (2, true));
        assert!(found.unused >= 6, "{found:?}");
        assert!(found.fullest >= 2.0, "{found:?}");
    }

    #[test]
    fn tokens_are_cassandras() {
        // SELECT token(k) on Cassandra 5.0 for an int of 1.
        let key = partition_key(&[1_i32.to_be_bytes()]).unwrap();
        assert_eq!(Token::from_key(&key), Token(-4_069_959_284_402_364_209));
        assert_eq!(slot(Token(i64::MIN), 6), 0);
        assert_eq!(slot(Token(i64::MAX), 6), 5);
    }
}
