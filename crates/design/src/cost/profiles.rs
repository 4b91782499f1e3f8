//! The constants of the cost model, by profile.

use super::Prices;

/// All profiles.
pub const PROFILES: [&Prices; 2] = [&HELENUS, &NOSE];

/// Milliseconds of server time.
pub const HELENUS: Prices = Prices {
    name: "helenus",
    unit: "ms/s",
    request: 0.06,
    round: 0.0,
    partition: 0.04,
    node: 0.1,
    row: 0.001,
    byte: 0.000_001,
    tombstone: 0.001,
    sort: 0.0,
    sorted_row: 0.000_5,
    written: 0.06,
    written_byte: 0.000_002,
    deleted: 0.06,
    logged: 0.06,
    conditional: 0.6,
    counted: 0.1,
    stored_byte: 1e-10,
    table: 0.01,
    range_share: 0.1,
};

/// Seconds, as the published constants of `NoSE` for its `RUBiS` experiments count them.
pub const NOSE: Prices = Prices {
    name: "nose",
    unit: "s",
    // One index cost for a lookup, however many partitions it reads.
    request: 0.0,
    round: 0.007_839_564_5,
    partition: 0.001_369_278_6,
    node: 0.007_839_564_5,
    row: 1.170_936_38e-5,
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
