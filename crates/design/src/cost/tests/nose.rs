//! The designs that `NoSE` published, priced with its constants: the costs that it measured for
//! them.

use std::collections::BTreeSet;

use super::super::design_cost;
use super::{KeySpec, design_with, example, options};
use crate::prices::NOSE;

/// The tables that `NoSE` chose for the browsing mix, by the reads that each serves.
const BROWSING: [KeySpec<'_>; 11] = [
    ("BrowseCategories_user", "id", ""),
    ("BrowseCategories_categories", "dummy", "id"),
    ("ViewBidHistory_item", "id", ""),
    ("ViewBidHistory_bids", "item", "date id bidder"),
    ("ViewItem_item", "id", ""),
    ("ViewItem_bids", "item", "id"),
    ("SearchItemsByCategory_items", "category", "end_date id"),
    ("ViewUserInfo_user", "id", ""),
    ("ViewUserInfo_comments", "to_user", "id"),
    ("SearchItemsByRegion_items", "region", "category end_date id seller"),
    ("BrowseRegions_regions", "dummy", "id"),
];

#[test]
fn its_browsing_design_costs_what_it_measured() {
    let file = example("nose/rubis_browsing.sql");
    let options = options(&BROWSING, &NOSE);
    let design = design_with(&file, &options);
    let keys: BTreeSet<_> = design
        .tables
        .iter()
        .map(|table| {
            let key = table.columns.iter().filter(|column| column.is_key());
            let key: Vec<_> = key.map(|column| (column.name.as_str(), column.role)).collect();
            let entities: Vec<_> = table.holds.sources.iter().map(|of| of.entity).collect();
            (entities, key)
        })
        .collect();
    assert_eq!(keys.len(), 9, "{keys:#?}");
    let efforts = file.workload.reads.iter().zip(&design.reads);
    let (lookups, rows) = efforts.fold((0.0, 0.0), |(lookups, rows), (read, plan)| {
        let (rate, effort) = (read.rate.value, plan.effort);
        (lookups + rate * effort.rounds, rows + rate * effort.rows)
    });
    assert!((lookups - 107.6).abs() < 0.01, "{lookups} lookups");
    // It counts half a row for the regions of a dummy, where there is one or none.
    assert!((rows - 1292.1).abs() < 2.0, "{rows} rows");
    let price = design_cost(&file.concept, &file.workload, &design, &options);
    assert!((price.total() - 1.0060).abs() < 0.0005, "{price:?}");
    assert!(price.writes == 0.0 && price.storage == 0.0, "{price:?}");
}

#[test]
fn its_design_for_likes_costs_what_it_measured() {
    let file = example("nose/ebay.sql");
    let keys = [
        ("User", "id", ""),
        ("Item", "id", ""),
        ("LikedByUser", "user_id", "liked_at id item"),
        ("WhoLiked", "item", "liked_at id user_id"),
    ];
    let options = options(&keys, &NOSE);
    let design = design_with(&file, &options);
    assert_eq!(design.tables.len(), 4);
    let price = design_cost(&file.concept, &file.workload, &design, &options);
    assert!((price.total() - 0.1099).abs() < 0.0005, "{price:?} {:#?}", design.writes);
}
