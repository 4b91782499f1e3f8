//! The canonical printer: a syntax tree back to text.

mod text;

pub use text::identifier;
pub(crate) use text::{server_term, type_name};
