//! What designs cost.

mod anti_patterns;
mod nose;
mod sums;

use std::path::Path;

use model::plan::Design;
use model::sql::ModelFile;

use crate::prices::Prices;
use crate::{ForcedKey, Options, SearchOptions, design};

/// A key: the read, its partition key, its clustering columns.
type KeySpec<'a> = (&'a str, &'a str, &'a str);

/// A model file of the examples.
fn example(name: &str) -> ModelFile {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    let text = std::fs::read_to_string(path).expect("the example can be read");
    read(&text)
}

/// A model file.
fn read(text: &str) -> ModelFile {
    model::sql::read(text, "sample").unwrap_or_else(|wrong| panic!("{wrong:#?}"))
}

/// One table for each read, with these keys, at these prices.
fn options(keys: &[KeySpec<'_>], prices: &Prices) -> Options {
    let names = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let forced = |(read, partition, clustering): &KeySpec<'_>| ForcedKey {
        read: (*read).to_owned(),
        partition: names(partition),
        clustering: names(clustering).into_iter().map(|name| (name, false)).collect(),
    };
    Options {
        rules_only: true,
        keys: keys.iter().map(forced).collect(),
        search: SearchOptions { prices: prices.clone(), ..SearchOptions::default() },
        ..Options::default()
    }
}

/// The design of a file with these options, every read of which has a table.
fn design_with(file: &ModelFile, options: &Options) -> Design {
    let design = design(&file.concept, &file.workload, options);
    for (read, plan) in file.workload.reads.iter().zip(&design.reads) {
        assert!(!plan.steps.is_empty(), "{}: {:#?}", read.name, design.notes);
    }
    design
}
