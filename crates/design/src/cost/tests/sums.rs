//! Prices add up: of the parts of a design they come to that of the whole.

use model::plan::Effort;

use super::super::{design_cost, parallel_effort, table_cost};
use super::{design_with, example, options};
use crate::Context;
use crate::prices::{HELENUS, NOSE};

#[test]
fn a_design_costs_what_its_parts_cost() {
    let file = example("killrvideo.sql");
    let options = options(&[], &HELENUS);
    let design = design_with(&file, &options);
    let context = Context { concept: &file.concept, workload: &file.workload, options: &options };
    let price = design_cost(&file.concept, &file.workload, &design, &options);
    let tables: f64 = design.tables.iter().map(|table| table_cost(context, table)).sum();
    assert!((price.storage - tables).abs() < 1e-9 * tables);
    let reads = file.workload.reads.iter().zip(&design.reads);
    let reads: f64 = reads.map(|(read, plan)| read.rate.value * HELENUS.price(&plan.effort)).sum();
    assert!((price.reads - reads).abs() < 1e-9 * reads);
    assert!(price.reads > 0.0 && price.writes > 0.0 && price.storage > 0.0, "{price:?}");
    assert!((price.total() - price.reads - price.writes - price.storage).abs() < 1e-9);
}

#[test]
fn a_lookup_for_each_row_costs_as_much_alone_as_in_the_plan() {
    let file = super::read(
        "-- @rows 50
        CREATE TABLE shelves (shelf int PRIMARY KEY, name text NOT NULL);
        -- @rows 20000
        CREATE TABLE goods (id uuid PRIMARY KEY, title text NOT NULL, views bigint NOT NULL,
          shelf int NOT NULL REFERENCES shelves);
        -- name: Query :many
        -- @rate 1/s
        SELECT id, title, views FROM goods WHERE shelf = ?;
        -- name: Views :one
        -- @rate 1/s
        SELECT views FROM goods WHERE id = ?;
        -- name: Rows :many
        -- @rate 1/s
        SELECT id, title FROM goods WHERE shelf = ?;
        -- name: See :exec
        -- @rate 1/s
        UPDATE goods SET views = views + 1 WHERE id = ?;",
    );
    let options = options(&[], &HELENUS);
    let design = design_with(&file, &options);
    let context = Context { concept: &file.concept, workload: &file.workload, options: &options };
    let [whole, lookup, rows] = &design.reads[..] else { panic!("{design:#?}") };
    let parts = rows.effort + parallel_effort(context, lookup.effort, 400.0);
    let difference = HELENUS.price(&whole.effort) - HELENUS.price(&parts);
    assert!(difference.abs() < 1e-6, "{:?}\n{parts:?}", whole.effort);
}

#[test]
fn every_figure_has_its_price() {
    // Each figure alone, by its position.
    let figures = Effort::default().counts().len();
    let of = |at: usize| {
        let mut things = [0.0; 18];
        things[at] = 2.0;
        let [
            requests,
            rounds,
            partitions,
            scattered,
            hot,
            nodes,
            rows,
            cells,
            bytes,
            tombstones,
            sorts,
            sorted,
            written,
            written_bytes,
            deleted,
            logged,
            conditional,
            counted,
        ] = things;
        Effort {
            requests,
            rounds,
            partitions,
            scattered,
            hot,
            nodes,
            rows,
            cells,
            bytes,
            tombstones,
            sorts,
            sorted,
            written,
            written_bytes,
            deleted,
            logged,
            conditional,
            counted,
        }
    };
    for prices in [HELENUS, NOSE] {
        for at in 0..figures {
            let price = prices.price(&of(at));
            assert!((price - 2.0 * prices.unit_prices()[at]).abs() < 1e-12, "{at}");
        }
    }
    // A lookup of one row by its key, as the published constants have it.
    let lookup =
        Effort { requests: 1.0, rounds: 1.0, partitions: 1.0, rows: 1.0, ..Effort::default() };
    assert!(
        (NOSE.price(&lookup) - (0.007_839_564_5 + 0.001_369_278_6 + 1.170_936_38e-5)).abs() < 1e-12
    );
}
