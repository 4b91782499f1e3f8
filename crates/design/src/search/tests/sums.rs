//! What the program counts is what the finished design costs.
#![expect(clippy::print_stdout, reason = "the differences are a purpose of the test")]

use std::path::PathBuf;

use model::plan::{Design, WriteStep};
use model::sql::ModelFile;

use super::{folder, options, read};
use crate::cost;
use crate::prices::{HELENUS, NOSE, Prices};
use crate::{Context, Detail, finish_design, map_reads, search_tables};

/// Differences above this share are mistakes.
const MOST: f64 = 0.01;

/// What the program counts for batches that are none: a write that is one plain statement in one
/// partition.
fn not_batched(file: &ModelFile, design: &Design, prices: &Prices) -> f64 {
    let writes = file.workload.writes.iter().zip(&design.writes);
    let alone = writes.filter(|(_, plan)| {
        let plain = plan.steps.iter().any(|step| match step {
            WriteStep::Statement(statement) => statement.condition.is_none(),
            WriteStep::Batch { .. } => true,
            WriteStep::Read(..) | WriteStep::Run(_) => false,
        });
        plain && plan.effort.logged == 0.0 && plan.effort.counted == 0.0
    });
    alone.map(|(write, _)| write.rate.value * prices.logged).sum()
}

#[test]
fn the_program_counts_what_the_design_costs() {
    let mut wrong = Vec::new();
    for path in files() {
        let file = read(&std::fs::read_to_string(&path).expect("the example can be read"));
        let is_nose = path.to_string_lossy().contains("nose");
        let prices = if is_nose { NOSE } else { HELENUS };
        let options = options(&prices, false);
        let context =
            Context { concept: &file.concept, workload: &file.workload, options: &options };
        let mapped = map_reads(context, &mut Vec::new());
        let Ok(found) = search_tables(context, &mapped, false).0 else { continue };
        let (counted, left) = (found.cost, found.left.len());
        let design = finish_design(context, found.tables, Vec::new(), Detail::Draft);
        let price = cost::design_cost(&file.concept, &file.workload, &design, &options).total();
        let besides = has_method_tables(&file, &design);
        let counted = counted - not_batched(&file, &design, &prices);
        let share = (price - counted) / price;
        println!(
            "{:>9.4} % of {price:>12.5} {} {}",
            share * 100.0,
            path.display(),
            if besides || left > 0 { "(tables beside the search)" } else { "" }
        );
        if share.abs() > MOST && !besides && left == 0 {
            wrong.push(path.display().to_string());
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Whether tables come from the method: those that keep counters, or elements that are looked up.
fn has_method_tables(file: &ModelFile, design: &Design) -> bool {
    let counters = file.concept.entities.iter().flat_map(|entity| &entity.attributes);
    counters.into_iter().any(|attribute| attribute.counter)
        || design.tables.iter().any(|table| !table.holds.elements.is_empty())
}

fn files() -> Vec<PathBuf> {
    let mut open = vec![folder()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "sql") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
