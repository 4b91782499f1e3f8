//! How bad a finding is, and how sure.

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

    /// One step milder, where only names speak for a finding. What the server refuses stays an error.
    #[must_use]
    pub(crate) const fn with_confidence(self, confidence: Confidence) -> Self {
        match (confidence, self) {
            (Confidence::Medium | Confidence::High, same) | (_, same @ Self::Error) => same,
            (Confidence::Low, Self::Critical) => Self::High,
            (Confidence::Low, Self::High) => Self::Medium,
            (Confidence::Low, Self::Medium) => Self::Low,
            (Confidence::Low, Self::Low | Self::Info) => Self::Info,
        }
    }
}

impl Confidence {
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
