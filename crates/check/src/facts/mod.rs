//! What names, types and statements tell: classes of columns, cardinality, growth.

mod cardinality;
mod class;
pub mod figures;
mod growth;
mod load;
mod wish;
mod written;

pub use cardinality::{Cardinality, of_column, of_partition_key};
pub use class::*;
pub use growth::{Growth, grows, is_registry, is_time_series};
pub use load::{hottest_share, read_rate, write_rate};
pub use wish::{Asked, Wish, wish};
pub use written::{Does, Written, is_given, literal, written};
