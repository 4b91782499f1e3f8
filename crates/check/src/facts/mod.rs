//! What names, types and statements tell: classes of columns, cardinality, growth.

mod cardinality;
mod class;
mod growth;

pub use cardinality::{Cardinality, of_column, of_partition_key};
pub use class::*;
pub use growth::{Growth, grows, is_registry, is_time_series};
