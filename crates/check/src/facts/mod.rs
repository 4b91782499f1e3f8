//! What names, types and statements tell: classes of columns, cardinality, growth.

mod cardinality;
mod class;
mod collections;
pub mod figures;
mod growth;
mod load;
mod purpose;
mod remarks;
mod views;
mod wish;
mod written;

pub use cardinality::{Cardinality, of_column, of_partition_key};
pub use class::*;
pub use collections::{Touch, Touched, child_table, touches, touches_of, writes_to};
pub use growth::{Growth, grows, is_registry, is_time_series};
pub use load::{hottest_share, read_rate, write_rate};
pub use purpose::*;
pub use remarks::remarks;
pub use views::{added_key, base_of};
pub use wish::{Asked, Wish, wish};
pub use written::{Does, Written, is_given, literal, written};
