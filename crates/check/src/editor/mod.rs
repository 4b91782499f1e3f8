//! Help for editors: what stands at a place, where it comes from, what may come next.

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
