//! The workloads that `NoSE` was measured on, with its constants: what it found, and what is found
//! here.
#![expect(clippy::print_stdout, reason = "the table of figures is a purpose of the test")]

use super::{example, options, search_file};
use crate::prices::NOSE;

/// A workload, and what `NoSE` made of it: tables, cost, bytes.
const MEASURED: [(&str, usize, f64, f64); 5] = [
    ("ebay", 4, 0.109_90, 4.90e6),
    ("rubis_browsing", 9, 1.006_00, 55.9e6),
    ("rubis_bidding", 18, 2.306_45, 96.0e6),
    ("rubis_write_medium", 18, 12.867_0, 94.0e6),
    ("rubis_write_heavy", 18, 112.893, 94.0e6),
];

#[test]
fn designs_are_no_dearer_than_those_of_nose() {
    println!("workload             NoSE: tables cost bytes      here: tables cost bytes gap");
    for (name, its_tables, its_cost, its_bytes) in MEASURED {
        let file = example(&format!("nose/{name}.sql"));
        let (design, choice) = search_file(&file, &options(&NOSE, false));
        let tables = design.tables.len();
        let cost = choice.price.total();
        let bytes: f64 =
            design.tables.iter().map(|table| table.volume.table_bytes_after(0.0)).sum();
        println!(
            "{name:<20} {its_tables:>3} {its_cost:>9.5} {its_bytes:>9.2e}   {tables:>3} {cost:>9.5} {bytes:>9.2e} {:.4}",
            choice.gap()
        );
        assert!(choice.gap() < 0.01, "{name}: {}", choice.gap());
        // Its figures are rounded.
        assert!(cost <= its_cost + 0.000_005, "{name}: {cost}");
        assert!(tables <= its_tables, "{name}: {tables}");
        if name == "rubis_bidding" {
            assert!(cost <= 1.93 && tables <= 13, "{cost} with {tables} tables");
        }
    }
}
