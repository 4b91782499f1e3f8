//! Facts about the workload: what statements read and write, how, and how often.

mod batch;
mod column_writes;
mod element_predicates;
mod function_calls;
mod index_mismatch;
mod index_reads;
mod key_lists;
mod mutation_size;
mod queue;
mod rates;
mod statement_values;
mod table_usage;
mod use_case;
mod write_pattern;

pub(crate) use batch::{BatchWork, batch_work};
pub(crate) use column_writes::{
    ColumnOperation, ColumnWrite, column_writes, has_column_write, is_write_to, table_column_writes,
};
pub(crate) use element_predicates::{element_predicate, is_element_filter};
pub(crate) use function_calls::{expressions, function_calls};
pub(crate) use index_mismatch::{IndexMismatch, index_mismatches};
pub(crate) use index_reads::index_reads;
pub(crate) use key_lists::{count_combinations, key_lists, partition_count};
pub(crate) use queue::queue_evidence;
pub(crate) use rates::{hottest_share, read_rate, write_rate};
pub(crate) use statement_values::{
    StatementValues, StatementVerb, is_parameter, literal_text, statement_values,
};
pub(crate) use table_usage::{TableUsage, is_column_used, is_runtime_statement};
pub(crate) use use_case::is_same_use_case;
pub(crate) use write_pattern::{is_append_only, is_time_series};
