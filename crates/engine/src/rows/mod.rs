//! Reading stored rows: `cursor` reads them in chunks, `live_row` selects the live cells at a time,
//! `full_row` adds key and static row, `filter` matches them, `value` evaluates the terms they are
//! compared with. `short_list` spares reads allocations.

pub(crate) mod cursor;
pub(crate) mod filter;
pub(crate) mod full_row;
pub(crate) mod live_row;
pub(crate) mod short_list;
pub(crate) mod value;
