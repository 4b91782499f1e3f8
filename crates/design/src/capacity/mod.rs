//! Capacity: the nodes that a design needs for its work and for its bytes, its hottest partition and
//! node, and how evenly its partitions lie on the ring.
//!
//! Work is what the price model counts as time of server cores (`docs/COST.md`), on as many copies
//! as do it. What only delays the client or penalises a choice (round trips, sorts, heat) is left
//! out.

mod balance;
mod node_load;

pub use balance::{RingBalance, ring_balance};
pub use node_load::NodeLoad;

use model::concept::Concept;
use model::id::{IdList, ReadId, TableId, WriteId};
use model::plan::{Design, NoteSubject, PlannedTable};
use model::workload::Workload;

use crate::prices::{HELENUS, Prices};
use crate::volume::YEAR;
use crate::{Context, Options};

/// The node that capacities are stated in.
pub const NODE: NodeSize = NodeSize { cores: 8.0, busy_share: 0.5, bytes: 2e12 };

/// What one node can do and hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeSize {
    /// Its cores.
    pub cores: f64,
    /// The share of them for requests; compaction, repair and peaks need the rest.
    pub busy_share: f64,
    /// Bytes of data, before compression.
    pub bytes: f64,
}

/// The nodes that a design needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capacity {
    /// Nodes that the cluster has.
    pub nodes: f64,
    /// Nodes that the work needs.
    pub work_nodes: f64,
    /// Nodes that the bytes at the end of the planning period need.
    pub storage_nodes: f64,
    /// Those bytes, on all copies.
    pub bytes: f64,
    /// The read or write with the largest share of the work, and the share.
    pub heaviest: Option<(NoteSubject, f64)>,
    /// The copies on which a read and a write run.
    pub copies: (f64, f64),
}

impl NodeSize {
    /// Milliseconds of work per second.
    fn work(self) -> f64 {
        self.cores * self.busy_share * 1e3
    }
}

impl Capacity {
    /// The nodes of a design; `None` where the prices are no time of cores.
    pub fn new(
        concept: &Concept,
        workload: &Workload,
        options: &Options,
        design: &Design,
    ) -> Option<Self> {
        let context = Context { concept, workload, options };
        if options.search.prices.unit != HELENUS.unit {
            return None;
        }
        let work = list_work(context, design);
        let total: f64 = work.iter().map(|(_, work)| work).sum();
        let heaviest = work.into_iter().max_by(|one, other| one.1.total_cmp(&other.1));
        let copies = f64::from(concept.copies().max(1));
        let days = options.limits.years * YEAR;
        let stored: f64 = design.tables.iter().map(|it| it.volume.table_bytes_after(days)).sum();
        Some(Self {
            nodes: f64::from(concept.nodes.max(1)),
            work_nodes: total / NODE.work(),
            storage_nodes: stored * copies / NODE.bytes,
            bytes: stored * copies,
            heaviest: heaviest
                .filter(|(_, work)| *work > 0.0)
                .map(|(about, work)| (about, work / total)),
            copies: (read_copies(concept), copies),
        })
    }

    /// Whether the work fits into the cluster.
    pub fn has_room_for_work(&self) -> bool {
        self.work_nodes <= self.nodes
    }

    /// Whether the bytes fit into the cluster.
    pub fn has_room_for_bytes(&self) -> bool {
        self.storage_nodes <= self.nodes
    }
}

/// The hottest partition: its table, and its uses per second.
pub fn hottest_partition(design: &Design) -> Option<(TableId, &PlannedTable, f64)> {
    let uses = |table: &PlannedTable| table.volume.hottest_reads + table.volume.hottest_writes;
    let tables = design.tables.enumerate_ids().map(|(at, table)| (at, table, uses(table)));
    tables.filter(|(.., uses)| *uses > 0.0).max_by(|one, other| one.2.total_cmp(&other.2))
}

/// Milliseconds of cores per second that each read and write takes, on all copies that do it.
fn list_work(context: Context<'_>, design: &Design) -> Vec<(NoteSubject, f64)> {
    let Context { concept, workload, options } = context;
    let (reading, writing) = split_prices(&options.search.prices);
    let (few, all) = (read_copies(concept), f64::from(concept.copies().max(1)));
    let price = |rate: f64, effort: &model::plan::Effort| {
        rate * (reading.price(effort) * few + writing.price(effort) * all)
    };
    let reads = workload.reads.iter().zip(&design.reads).enumerate().map(|(at, (read, plan))| {
        (NoteSubject::Read(ReadId::new(at)), price(read.rate.value, &plan.effort))
    });
    let writes =
        workload.writes.iter().zip(&design.writes).enumerate().map(|(at, (write, plan))| {
            (NoteSubject::Write(WriteId::new(at)), price(write.rate.value, &plan.effort))
        });
    reads.chain(writes).collect()
}

/// The copies that a read at a quorum of its datacenter contacts.
fn read_copies(concept: &Concept) -> f64 {
    let most = concept.replication.iter().map(|(_, copies)| *copies).max().unwrap_or(1);
    f64::from(most / 2 + 1)
}

/// The prices of what servers do for reads, and for writes.
fn split_prices(prices: &Prices) -> (Prices, Prices) {
    let server = || Prices { round: 0.0, hot: 0.0, sort: 0.0, sorted_row: 0.0, ..prices.clone() };
    let reading = Prices {
        written: 0.0,
        written_byte: 0.0,
        deleted: 0.0,
        logged: 0.0,
        conditional: 0.0,
        counted: 0.0,
        ..server()
    };
    let writing = Prices {
        request: 0.0,
        partition: 0.0,
        scattered: 0.0,
        node: 0.0,
        row: 0.0,
        cell: 0.0,
        byte: 0.0,
        tombstone: 0.0,
        ..server()
    };
    (reading, writing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design;

    fn capacity(text: &str) -> (Capacity, Design) {
        let file = model::sql::read(text, "shop").unwrap();
        let options = Options::default();
        let design = design(&file.concept, &file.workload, &options);
        let capacity = Capacity::new(&file.concept, &file.workload, &options, &design).unwrap();
        (capacity, design)
    }

    #[test]
    fn work_and_bytes_in_nodes() {
        let text = "
            -- @rows 1B
            CREATE TABLE readings (id uuid PRIMARY KEY, value text /* @bytes 1000 */);
            -- name: Reading :one
            -- @rate 1000/s
            SELECT value FROM readings WHERE id = ?;";
        let (found, _) = capacity(text);
        // A point read: request 0.03, partition 0.012, row 0.002, cell 0.0002, about 1,070 bytes of
        // 5 ns: 0.05 ms, on two copies; a node has 4,000 ms a second.
        assert!((found.work_nodes / (0.0495 * 2.0 * 1e3 / 4e3) - 1.0).abs() < 0.02, "{found:?}");
        assert!((found.storage_nodes / 1.58 - 1.0).abs() < 0.02, "{found:?}");
        assert_eq!(found.heaviest, Some((NoteSubject::Read(ReadId::new(0)), 1.0)));
        assert_eq!(found.copies, (2.0, 3.0));
        assert!(found.has_room_for_work() && found.has_room_for_bytes());
    }

    #[test]
    fn work_beyond_the_cluster() {
        let text = "
            -- @rows 100M
            CREATE TABLE tiles (id uuid PRIMARY KEY, region text NOT NULL /* @distinct 10k */, body text);
            -- name: TilesOfRegion :many
            -- @rate 10k/s
            SELECT * FROM tiles WHERE region = ?;";
        let (found, design) = capacity(text);
        assert!(!found.has_room_for_work(), "{found:?}");
        assert!(hottest_partition(&design).is_some());
    }
}
