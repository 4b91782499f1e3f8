//! What stored rows give a statement: cursors over them, what lives of them at a second, the values of their columns and
//! of the terms they are compared with, and the filter that checks them one by one.

pub(crate) mod cursor;
pub(crate) mod filter;
pub(crate) mod full_row;
pub(crate) mod live_row;
pub(crate) mod value;
