//! The data from which estimates are rendered, as text and as JSON.

use std::collections::BTreeMap;

use design::Options;
use design::capacity::{NodeLoad, RingBalance};
use design::estimate::{Estimate, SplitAlternative, TableSeries};
use model::assumption::Assumption;
use model::concept::Concept;

use crate::calendar::Date;

/// The estimates of a model file or schema.
pub(crate) struct EstimateReport<'a> {
    pub(crate) concept: &'a Concept,
    pub(crate) options: &'a Options,
    pub(crate) as_of: Date,
    pub(crate) tables: Vec<TableEstimate>,
    pub(crate) assumptions: &'a [Assumption],
    /// The hottest node and the name of the table with most of its requests, where there are any.
    pub(crate) load: Option<&'a (NodeLoad, String)>,
    /// The columns of the output.
    pub(crate) width: usize,
}

/// The estimates of one table.
pub(crate) struct TableEstimate {
    pub(crate) estimate: Estimate,
    pub(crate) series: TableSeries,
    pub(crate) alternatives: Vec<SplitAlternative>,
    pub(crate) balance: Option<RingBalance>,
    /// The columns that indexes search on all nodes.
    pub(crate) indexed: Vec<String>,
}

/// The columns of tables that indexes search on all nodes, by the name of the table.
pub(crate) type IndexedColumns = BTreeMap<String, Vec<String>>;

impl EstimateReport<'_> {
    /// The tables of which nothing is stated.
    pub(crate) fn list_assumed(&self) -> Vec<&str> {
        let assumed = self.tables.iter().filter(|table| !table.series.is_stated);
        assumed.map(|table| table.series.table.as_str()).collect()
    }

    /// Whether nothing is stated of any table.
    pub(crate) fn is_assumed(&self) -> bool {
        self.tables.iter().all(|table| !table.series.is_stated)
    }

    /// What is to be known before any figure, where volumes are not stated.
    pub(crate) fn notice(&self) -> Option<String> {
        const HOW: &str = "State @rows, @grows and @each in comments, or measure them with \
                           `helenus stats`.";
        let assumed = self.list_assumed();
        if assumed.is_empty() {
            return None;
        }
        if self.is_assumed() {
            return Some(format!(
                "No volumes are stated. All figures are assumptions: they say what would be, not \
                 what is. {HOW}"
            ));
        }
        Some(format!(
            "No volumes are stated for {}: the figures of {} say what would be, not what is. {HOW}",
            assumed.join(", "),
            if assumed.len() == 1 { "this table" } else { "these tables" }
        ))
    }
}
