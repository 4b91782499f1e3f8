//! Reading stored rows: `cursor` reads them in chunks, `live_row` selects the live cells at a time,
//! `full_row` adds key and static row, `filter` matches them, `value` evaluates the terms they are
//! compared with.

pub(crate) mod cursor;
pub(crate) mod filter;
pub(crate) mod full_row;
pub(crate) mod live_row;
pub(crate) mod value;
