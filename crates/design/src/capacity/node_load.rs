//! The requests of the hottest node: from the rates, the popularity of keys and their Murmur3
//! tokens.
//!
//! The share of a table's hottest partition is known ([`model::plan::Volume`]). The others follow it
//! by the Zipf distribution that has this share at its head; the most popular keys are placed on the
//! ring one by one, and what is left is spread evenly. Which keys are popular is not known, so that
//! sampled ones stand for them.

use model::concept::{Concept, zipf_share};
use model::id::{IdList, ReadId, TableId};
use model::plan::{Design, PlannedTable, WriteStep};
use model::workload::Workload;

use super::balance::{KeySample, node_of, ring_nodes};
use super::read_copies;
use crate::read_plan::price;
use crate::{Context, Options};

/// The most popular keys of a table that are placed on the ring.
const PLACED: u32 = 1_000;
/// The exponent that stands for a table of which one partition gets everything.
const STEEPEST: f64 = 64.0;
/// Steps by which the exponent is found.
const HALVINGS: u32 = 40;

/// The requests that the nodes of a datacenter get.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeLoad {
    /// Nodes of the datacenter.
    pub nodes: u32,
    /// Requests per second of a node, on average.
    pub average: f64,
    /// Requests per second of the hottest node.
    pub hottest: f64,
    /// The table with most of these.
    pub table: TableId,
    /// The share of that table among them.
    pub share: f64,
}

/// Requests per second to a table.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    all: f64,
    /// The share of its hottest partition.
    hottest: f64,
    /// The copies on which each runs.
    copies: f64,
}

impl NodeLoad {
    /// The load of the nodes by a design; `None` where there are no requests, or every node has
    /// everything.
    pub fn new(
        concept: &Concept,
        workload: &Workload,
        options: &Options,
        design: &Design,
    ) -> Option<Self> {
        let context = Context { concept, workload, options };
        let (nodes, copies) = ring_nodes(concept);
        if copies >= nodes {
            return None;
        }
        let (reads, writes) = (count_reads(context, design), count_writes(context, design));
        let rate = |read: ReadId| workload.reads.member(read).map_or(0.0, |read| read.rate.value);
        let share = |part: f64, whole: f64| if whole > 0.0 { (part / whole).min(1.0) } else { 0.0 };
        let size = usize::try_from(nodes).unwrap_or(1);
        let mut total = vec![0.0; size];
        let mut of_tables: Vec<Vec<f64>> = Vec::new();
        for (at, table) in design.tables.enumerate_ids() {
            let figure = |all: &[f64]| all.get(at.index()).copied().unwrap_or_default();
            let served: f64 = table.serves.iter().map(|it| rate(it.read)).sum();
            let reads = Uses {
                all: figure(&reads),
                hottest: share(table.volume.hottest_reads, served),
                copies: read_copies(concept),
            };
            let writes = Uses {
                all: figure(&writes),
                hottest: share(table.volume.hottest_writes, figure(&writes)),
                copies: f64::from(copies),
            };
            let mut load = vec![0.0; size];
            for uses in [reads, writes] {
                spread(concept, table, uses, &mut load);
            }
            for (sum, one) in total.iter_mut().zip(&load) {
                *sum += one;
            }
            of_tables.push(load);
        }
        let hottest = total.iter().copied().fold(0.0, f64::max);
        let node = total.iter().position(|load| *load >= hottest)?;
        let own = of_tables.iter().map(|load| load[node]).enumerate();
        let (table, most) = own.max_by(|one, other| one.1.total_cmp(&other.1))?;
        (hottest > 0.0).then(|| Self {
            nodes,
            average: total.iter().sum::<f64>() / f64::from(nodes),
            hottest,
            table: TableId::new(table),
            share: most / hottest,
        })
    }

    /// The requests of the hottest node, as a multiple of the average.
    pub fn ratio(&self) -> f64 {
        self.hottest / self.average.max(f64::MIN_POSITIVE)
    }
}

/// Requests per second that read each table.
fn count_reads(context: Context<'_>, design: &Design) -> Vec<f64> {
    let mut sums = vec![0.0; design.tables.len()];
    for (read, plan) in context.workload.reads.iter().zip(&design.reads) {
        let runs = price::count_requests(context, &design.tables, read, plan);
        for (step, requests) in plan.steps.iter().zip(runs) {
            if let Some(sum) = sums.get_mut(step.table.index()) {
                *sum += read.rate.value * requests;
            }
        }
    }
    sums
}

/// Rows per second that writes put into each table, one copy of it.
fn count_writes(context: Context<'_>, design: &Design) -> Vec<f64> {
    let mut sums = vec![0.0; design.tables.len()];
    for (write, plan) in context.workload.writes.iter().zip(&design.writes) {
        for step in &plan.steps {
            let statements = match step {
                WriteStep::Read(..) | WriteStep::Run(_) => &[][..],
                WriteStep::Batch { statements, .. } => statements,
                WriteStep::Statement(statement) => std::slice::from_ref(statement),
            };
            for statement in statements {
                if let Some(sum) = sums.get_mut(statement.table.index()) {
                    *sum += write.rate.value * statement.rows;
                }
            }
        }
    }
    sums
}

/// Adds the requests to a table to the nodes that answer them.
fn spread(concept: &Concept, table: &PlannedTable, uses: Uses, load: &mut [f64]) {
    let (nodes, copies) = ring_nodes(concept);
    let partitions = table.volume.partitions.max(1.0);
    let (even, each) = (uses.all * uses.copies, uses.copies / f64::from(copies));
    let exponent = find_exponent(partitions, uses.hottest);
    let first = zipf_share(partitions, exponent);
    let keys = KeySample::new(concept, table);
    let mut placed = 0.0;
    for at in 0..PLACED {
        if f64::from(at) >= partitions.round() {
            break;
        }
        let share = first * f64::from(at + 1).powf(-exponent);
        placed += share;
        let owner = node_of(&keys.key(at), nodes);
        for copy in 0..copies {
            let node = usize::try_from((owner + copy) % nodes).unwrap_or(0);
            if let Some(sum) = load.get_mut(node) {
                *sum += uses.all * share * each;
            }
        }
    }
    let rest = even * (1.0 - placed).max(0.0) / f64::from(nodes);
    for sum in load.iter_mut() {
        *sum += rest;
    }
}

/// The exponent of the Zipf distribution over so many partitions whose most popular one has this
/// share.
fn find_exponent(partitions: f64, share: f64) -> f64 {
    if share * partitions <= 1.0 {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, STEEPEST);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if zipf_share(partitions, middle) < share {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design;

    fn load(head: &str, column: &str, order: &str) -> NodeLoad {
        let text = format!(
            "-- @nodes 12 @replication dc1:3

            {head}
            CREATE TABLE t (id uuid PRIMARY KEY, at timestamp NOT NULL, {column});
            -- name: Q :many
            -- @rate 1000/s
            SELECT id, at FROM t {order} LIMIT 10;"
        );
        let file = model::sql::read(&text, "ring").unwrap();
        let options = Options::for_method();
        let design = design(&file.concept, &file.workload, &options);
        NodeLoad::new(&file.concept, &file.workload, &options, &design).unwrap()
    }

    #[test]
    fn even_keys_load_all_nodes_alike() {
        let by_key = "WHERE k = ?";
        let found = load("-- @rows 10M", "k uuid NOT NULL /* @distinct 1M */", by_key);
        // A read runs on two of three copies.
        assert!((found.average - 2_000.0 / 12.0).abs() < 1e-6, "{found:?}");
        assert!((1.0..1.01).contains(&found.ratio()), "{found:?}");
    }

    #[test]
    fn a_popular_key_heats_its_nodes() {
        let column = "k uuid NOT NULL /* @distinct 1M @skew zipf 1.2 */";
        let found = load("-- @rows 10M", column, "WHERE k = ?");
        // The most popular key has 1 / zeta(1.2, up to a million) = 19 %: on each of its three nodes
        // two thirds of that, against a sixth of all on average.
        let share = zipf_share(1e6, 1.2);
        let alone = 1_000.0 * share * 2.0 / 3.0;
        assert!(found.hottest > alone && found.ratio() > 1.4, "{found:?} {alone}");
    }

    #[test]
    fn exponents_by_the_head() {
        for exponent in [0.5, 1.0, 1.1, 2.0] {
            let found = find_exponent(1e6, zipf_share(1e6, exponent));
            assert!((found - exponent).abs() < 1e-6, "{found} {exponent}");
        }
        assert!(find_exponent(1e6, 1e-6).abs() < 1e-12);
        assert!(zipf_share(1e6, find_exponent(1e6, 1.0)) > 0.999);
    }
}
