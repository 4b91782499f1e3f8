//! [`Severity`]: how bad a finding is.

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Costs something.
    Low,
    /// Will hurt some day.
    Medium,
    /// Hurts at production volumes.
    High,
    /// Brings a cluster down.
    Critical,
    /// The server refuses it, or data is lost for certain.
    Error,
}

impl Severity {
    /// All, the mildest first.
    pub const ALL: [Self; 6] =
        [Self::Info, Self::Low, Self::Medium, Self::High, Self::Critical, Self::Error];

    /// As it is written on the command line and in reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
            Self::Error => "error",
        }
    }

    /// The severity of that name.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.word() == word)
    }
}
