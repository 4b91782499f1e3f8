//! The constants of the cost model, by profile. `docs/COST.md` gives the origin of each.

use super::Prices;

/// All profiles.
pub const PROFILES: [&Prices; 2] = [&HELENUS, &NOSE];

/// Milliseconds of the time of one core, for each second of the workload.
pub const HELENUS: Prices = Prices {
    name: "helenus",
    unit: "ms/s",
    request: 0.03,
    round: 0.005,
    partition: 0.012,
    scattered: 0.05,
    hot: 0.05,
    node: 0.05,
    row: 0.002,
    cell: 0.000_2,
    byte: 0.000_005,
    tombstone: 0.002,
    sort: 0.01,
    sorted_row: 0.000_5,
    written: 0.043,
    written_byte: 0.000_05,
    deleted: 0.043,
    logged: 0.04,
    conditional: 0.4,
    counted: 0.06,
    stored_byte: 2e-10,
    table: 0.01,
    range_share: 0.1,
};

/// Seconds: the published constants of `NoSE` for its `RUBiS` experiments.
pub const NOSE: Prices = Prices {
    name: "nose",
    unit: "s",
    request: 0.0,
    // One index cost for a lookup, however many partitions it reads.
    round: 0.007_839_564_5,
    partition: 0.001_369_278_6,
    scattered: 0.0,
    hot: 0.0,
    node: 0.0,
    row: 1.170_936_38e-5,
    cell: 0.0,
    byte: 0.0,
    tombstone: 0.0,
    sort: 1.0,
    sorted_row: 0.0,
    written: 0.013_329_108,
    written_byte: 0.0,
    deleted: 0.001_328_790_3,
    logged: 0.0,
    conditional: 0.0,
    counted: 0.0,
    stored_byte: 0.0,
    table: 0.0,
    range_share: 0.1,
};
