//! How sure a finding is, and what that does to its severity.

pub use cql::Severity;

/// How sure a finding is: what it rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// Names alone.
    Low,
    /// Types and structure.
    Medium,
    /// Statements, volumes, or the server's own rules.
    High,
}

impl Confidence {
    /// One step milder, where only names speak for a finding. What the server refuses stays an error.
    #[must_use]
    pub(crate) const fn lower(self, severity: Severity) -> Severity {
        match (self, severity) {
            (Self::Medium | Self::High, same) | (_, same @ Severity::Error) => same,
            (Self::Low, Severity::Critical) => Severity::High,
            (Self::Low, Severity::High) => Severity::Medium,
            (Self::Low, Severity::Medium) => Severity::Low,
            (Self::Low, Severity::Low | Severity::Info) => Severity::Info,
        }
    }

    /// As it is written in reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// How bad so many elements are: above each step medium, high, critical.
pub(crate) fn elements_severity(elements: f64, steps: [f64; 3]) -> Option<Severity> {
    let [some, many, too_many] = steps;
    match elements {
        count if count > too_many => Some(Severity::Critical),
        count if count > many => Some(Severity::High),
        count if count > some => Some(Severity::Medium),
        _ => None,
    }
}
