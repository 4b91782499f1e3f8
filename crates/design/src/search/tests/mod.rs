//! Searches over small models, over the examples, and against published figures.

mod anti_patterns;
mod expert_keys;
mod expert_splits;
mod indexes;
mod nose;
mod ratios;
mod sums;

use std::path::{Path, PathBuf};

use model::plan::{ColumnRole, Design, DesignChoice, PlannedTable};
use model::sql::ModelFile;

use crate::prices::Prices;
use crate::{Options, SearchOptions, design};

/// A model file.
fn read(text: &str) -> ModelFile {
    model::sql::read(text, "sample").unwrap_or_else(|wrong| panic!("{wrong:#?}"))
}

/// A model file of the examples.
fn example(name: &str) -> ModelFile {
    let text = std::fs::read_to_string(folder().join(name)).expect("the example can be read");
    read(&text)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn options(prices: &Prices, explain: bool) -> Options {
    let search = SearchOptions { prices: prices.clone(), explain, ..SearchOptions::default() };
    Options { search, ..Options::default() }
}

/// The cheapest design, and what else there was.
fn search_file(file: &ModelFile, options: &Options) -> (Design, DesignChoice) {
    let design = design(&file.concept, &file.workload, options);
    let choice = design.choice.clone().unwrap_or_else(|| panic!("{:#?}", design.notes));
    (design, choice)
}

/// The key of a table: `K group, C user`.
fn key(table: &PlannedTable) -> String {
    let keys = table.columns.iter().filter(|column| column.is_key());
    let marked = keys.map(|column| match column.role {
        ColumnRole::Partition => format!("K {}", column.name),
        _ => format!("C {}", column.name),
    });
    marked.collect::<Vec<_>>().join(", ")
}
