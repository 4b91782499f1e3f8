//! Figures of rules that a configuration may change.

/// A figure, as `[limits]` of `helenus.toml` names it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// Its name: `hot-partition-rate`.
    pub name: &'static str,
    /// Without a configuration.
    pub default: f64,
    /// What it counts: `operations per second on one partition`.
    pub what: &'static str,
}

impl Limit {
    pub(crate) const fn new(name: &'static str, default: f64) -> Self {
        Self { name, default, what: "" }
    }

    pub(crate) const fn describe(self, what: &'static str) -> Self {
        Self { what, ..self }
    }
}
