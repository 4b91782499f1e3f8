//! The types of the native protocol that server, engine and shell share: error codes, consistency
//! levels, marker values, schema changes.

mod consistency;
mod error_code;
mod marker_value;
mod schema_change;

pub use consistency::Consistency;
pub use error_code::ErrorCode;
pub use marker_value::{MarkerValue, MarkerValues};
pub use schema_change::{ChangeKind, ChangeTarget, SchemaChange};
