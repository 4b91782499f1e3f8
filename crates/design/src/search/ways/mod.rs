//! Ways to answer a read from candidate tables.
//!
//! - `candidate_ways`: from one candidate, directly or with lookups for columns it does not store.
//! - `index_ways`: by an index on a column outside the key.
//! - `keys_first`: find keys of a joined entity first, then read the rows that refer to them.
//!
//! They are built on `fit` (does a candidate have all rows of the read?), `column_needs` (which
//! columns must it store?), `lookups` (which parts can be left out?), `main_step` (the plan and its
//! effort) and `bounds` (limits that no price makes up for). `synthetic` builds the reads that are
//! parts of others.

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

/// A way to answer a read from a candidate, possibly with further reads before or after.
#[derive(Clone, Debug)]
pub(crate) struct ReadWay {
    /// The candidate that has the rows; `None` where the rows, too, come from a further read.
    pub(crate) main: Option<MainCandidate>,
    /// The further reads.
    pub(crate) further: Vec<FurtherRead>,
    /// A description for reports, such as `index table and 20 lookups of users`.
    pub(crate) words: String,
}

/// The candidate that has the rows of a read.
#[derive(Clone, Debug)]
pub(crate) struct MainCandidate {
    /// The candidate.
    pub(crate) candidate: CandidateId,
    /// For each source of the read the matching source of the candidate; `None` where it is looked
    /// up.
    pub(crate) sources: Vec<Option<SourceId>>,
    /// Columns that it must store beside its key.
    pub(crate) columns: BTreeSet<Column>,
    /// The one of them by whose index rows are found.
    pub(crate) index: Option<Column>,
    /// The effort of its statements, for each run of the read.
    pub(crate) effort: Effort,
    /// Why the candidate cannot be used: its partitions exceed a limit and nothing splits them.
    pub(crate) violation: Option<String>,
}

/// A further read of a way.
#[derive(Clone, Debug)]
pub(crate) struct FurtherRead {
    /// The read, built for this purpose.
    pub(crate) read: Read,
    /// For each of its sources the source of the original read.
    pub(crate) sources: Vec<SourceId>,
    /// How often it runs each time the read runs, all at once (`crate::cost::parallel_effort`).
    pub(crate) times: f64,
    /// The part that it provides.
    pub(crate) part: ReadPart,
}

/// The ways to answer a read from these candidates. `parts`: including those with further reads,
/// which is false for further reads themselves, so that reads nest one level deep.
pub(crate) fn find_ways(
    context: Context<'_>,
    candidates: &[CandidateTable],
    read: &Read,
    parts: bool,
) -> Vec<ReadWay> {
    let variants = if parts { lookups::variants(read) } else { Vec::new() };
    let each = candidates.enumerate_ids();
    let mut found: Vec<WayCandidate> = each
        .clone()
        .flat_map(|candidate| candidate_ways::find_ways(context, candidate, read, &variants))
        .collect();
    if index_ways::is_allowed(context, read) {
        found.extend(
            each.flat_map(|candidate| index_ways::find_ways(context, candidate, read, &variants)),
        );
    }
    if parts {
        found.extend(keys_first::find_ways(context, read));
    } else {
        // Counters in a separate table are a further read, too.
        found.retain(|found| found.way.further.is_empty());
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
    exclude_long_walks(&mut found);
    found.into_iter().map(|found| found.way).collect()
}

/// Excludes walks over more buckets than are requested at once, where one table answers the read
/// from half as many partitions: keys with fewer rows than the average one need even more of them.
fn exclude_long_walks(found: &mut [WayCandidate]) {
    let direct = found.iter().filter(|found| !found.long_walk && found.way.further.is_empty());
    let mains = direct.filter_map(|found| found.way.main.as_ref());
    let usable = mains.filter(|main| main.violation.is_none());
    let fewest = usable.map(|main| main.effort.partitions).fold(f64::INFINITY, f64::min);
    let walks = found.iter_mut().filter(|found| found.long_walk);
    for main in walks.filter_map(|found| found.way.main.as_mut()) {
        if fewest * 2.0 <= main.effort.partitions {
            main.violation.get_or_insert_with(|| bounds::walk_violation(&main.effort));
        }
    }
}

/// The further reads that ways of a read may need: candidates are generated for them as well.
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
    further.extend(keys_first.flat_map(|found| found.way.further));
    further
}
