//! Editor features: hover, definitions, completion and the outline of a text.

mod completion;
mod hover;
mod names;
mod segment;
mod symbols;
#[cfg(test)]
mod tests;

pub use completion::{Completion, CompletionKind, completions};
pub use hover::{Hover, hover};
pub use names::definition;
pub use symbols::{Symbol, SymbolKind, symbols};
