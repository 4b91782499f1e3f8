//! How a read can be answered from candidate tables.

pub(super) mod bounds;
mod candidate_ways;
mod column_needs;
mod fit;
mod index_ways;
mod keys_first;
mod lookups;
mod main_step;
mod synthetic;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use model::id::{IdList, SourceId};
use model::plan::{Effort, ReadPart};
use model::workload::{Column, OutputValue, Read};

use crate::Context;
use crate::candidate::{CandidateId, CandidateTable};
use candidate_ways::WayCandidate;
pub(crate) use index_ways::index_on;
use lookups::LookupUnit;

/// A way to answer a read from a frame, perhaps with more reads before or after.
#[derive(Clone, Debug)]
pub(crate) struct ReadWay {
    /// The frame that has the rows; `None` where the rows, too, are one of the reads asked for.
    pub(crate) main: Option<MainCandidate>,
    /// What is read beside it.
    pub(crate) asks: Vec<FurtherRead>,
    /// A few words for reports, such as `index table and 20 lookups`.
    pub(crate) words: String,
}

/// The frame that has the rows of a read.
#[derive(Clone, Debug)]
pub(crate) struct MainCandidate {
    /// The frame.
    pub(crate) frame: CandidateId,
    /// For each source of the read the source of the frame that it is; `None` where it is left to a lookup.
    pub(crate) sources: Vec<Option<SourceId>>,
    /// Columns that it must have beside its key.
    pub(crate) columns: BTreeSet<Column>,
    /// The one of them by whose index rows are found.
    pub(crate) index: Option<Column>,
    /// What its statements take, each time the read runs.
    pub(crate) effort: Effort,
    /// The table would be larger than the bound, or hotter, and nothing splits it: why it cannot be used.
    pub(crate) violation: Option<String>,
}

/// A further read that a way asks for.
#[derive(Clone, Debug)]
pub(crate) struct FurtherRead {
    /// The read, made for this.
    pub(crate) read: Read,
    /// For each of its sources the source of the read that it is made for.
    pub(crate) sources: Vec<SourceId>,
    /// How often it runs each time the read runs, all at once (`crate::cost::parallel_effort`).
    pub(crate) times: f64,
    /// What it is for.
    pub(crate) part: ReadPart,
}

/// The ways to answer a read from these frames. `parts`: also those that ask for further reads.
pub(crate) fn find_ways(
    context: Context<'_>,
    frames: &[CandidateTable],
    read: &Read,
    parts: bool,
) -> Vec<ReadWay> {
    let variants = if parts { lookups::variants(read) } else { Vec::new() };
    let each = frames.enumerate_ids();
    let mut found: Vec<WayCandidate> = each
        .clone()
        .flat_map(|frame| candidate_ways::find_ways(context, frame, read, &variants))
        .collect();
    if index_ways::is_allowed(context, read) {
        found.extend(each.flat_map(|frame| index_ways::find_ways(context, frame, read, &variants)));
    }
    if parts {
        found.extend(keys_first::find_ways(context, read));
    } else {
        // Counters that stand apart are a further read, too.
        found.retain(|found| found.way.asks.is_empty());
    }
    // Reading very many partitions is a way only where there is no other.
    let usable = |found: &WayCandidate| {
        !found.scan && found.way.main.as_ref().is_none_or(|main| main.violation.is_none())
    };
    if found.iter().any(usable) {
        found.retain(|found| !found.scan || found.way.main.is_some());
        let scans = found.iter_mut().filter(|found| found.scan);
        for main in scans.filter_map(|found| found.way.main.as_mut()) {
            main.violation.get_or_insert_with(|| bounds::scan_violation(context, &main.effort));
        }
    }
    found.into_iter().map(|found| found.way).collect()
}

/// The further reads that ways of a read may ask for: what frames are to be made for beside the read itself.
pub(crate) fn further_reads(context: Context<'_>, read: &Read) -> Vec<FurtherRead> {
    let mut units: Vec<LookupUnit> = lookups::variants(read).into_iter().flatten().collect();
    units.sort();
    units.dedup();
    let outputs = || {
        read.outputs.iter().filter_map(|output| match output.value {
            OutputValue::Column(column) => Some(column),
            _ => None,
        })
    };
    let is_counter = |column: &Column| lookups::is_counter(context, read, *column);
    let mut further = Vec::new();
    for unit in &units {
        let within = |column: &Column| unit.members.contains(&column.source);
        let columns = outputs().filter(|column| within(column) && !is_counter(column)).collect();
        further.extend(lookups::lookup_read(
            context,
            read,
            unit,
            &columns,
            (ReadPart::Columns, 1.0),
        ));
    }
    for root in read.sources.ids() {
        let unit = LookupUnit { root, members: vec![root] };
        let columns: BTreeSet<Column> =
            outputs().filter(|column| column.source == root && is_counter(column)).collect();
        if !columns.is_empty() {
            further.extend(lookups::lookup_read(
                context,
                read,
                &unit,
                &columns,
                (ReadPart::Counters, 1.0),
            ));
        }
    }
    let keys_first = keys_first::find_ways(context, read).into_iter();
    further.extend(keys_first.flat_map(|found| found.way.asks));
    further
}
