//! What a rule found: figures and remedies as data.

use cql::Severity;

use super::rule::Rule;
use crate::snapshot::{StatementShape, TableName};

/// What a rule found.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// How bad it is here.
    pub severity: Severity,
    /// The table.
    pub table: Option<TableName>,
    /// The nodes that measured it; empty if it concerns the cluster.
    pub nodes: Vec<String>,
    /// The partition key. It is user data: output shows it hashed unless asked.
    pub key: Option<String>,
    /// The statement, without values.
    pub statement: Option<StatementShape>,
    /// The figures, the one that decided first.
    pub evidence: Vec<Evidence>,
    /// What to do, the best first.
    pub remedies: Vec<Remedy>,
    /// For ranking findings of one severity: how many times a figure exceeds its limit.
    pub impact: f64,
}

/// A figure that speaks for a finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// What was measured: `largest partition`.
    pub what: &'static str,
    /// How much.
    pub value: Quantity,
    /// The limit that it exceeds.
    pub limit: Option<Quantity>,
    /// The node that measured it, where that matters.
    pub node: Option<String>,
}

/// A figure with its unit.
#[derive(Clone, Debug, PartialEq)]
pub enum Quantity {
    /// Bytes.
    Bytes(f64),
    /// A number of things.
    Count(f64),
    /// Milliseconds.
    Milliseconds(f64),
    /// Seconds.
    Seconds(f64),
    /// 0 to 100.
    Percent(f64),
    /// A factor: 3 is three times as much.
    Times(f64),
    /// A word of the server: a setting, a strategy, a name. Never user data.
    Word(String),
    /// A moment, in milliseconds since 1970.
    Moment(i64),
}

/// What to do about a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// One imperative sentence.
    pub advice: &'static str,
    /// The statement that does it.
    pub cql: Option<String>,
    /// The command that does it, or that tells more.
    pub command: Option<String>,
}

impl Evidence {
    /// A figure.
    pub(super) fn new(what: &'static str, value: Quantity) -> Self {
        Self { what, value, limit: None, node: None }
    }

    /// A figure with the limit that it exceeds.
    pub(super) fn with_limit(what: &'static str, value: Quantity, limit: Quantity) -> Self {
        Self { what, value, limit: Some(limit), node: None }
    }
}

impl Remedy {
    /// Advice without a statement or command.
    pub(super) const fn new(advice: &'static str) -> Self {
        Self { advice, cql: None, command: None }
    }

    /// The same with a statement.
    pub(super) fn with_cql(self, cql: impl Into<String>) -> Self {
        Self { cql: Some(cql.into()), ..self }
    }

    /// The same with a command.
    pub(super) fn with_command(self, command: impl Into<String>) -> Self {
        Self { command: Some(command.into()), ..self }
    }
}

impl Finding {
    /// How bad it is here, where that is not the rule's usual severity.
    pub(super) fn severity(&mut self, severity: Severity) -> &mut Self {
        self.severity = severity;
        self
    }

    /// It concerns a table.
    pub(super) fn table(&mut self, table: &TableName) -> &mut Self {
        self.table = Some(table.clone());
        self
    }

    /// A node that measured it.
    pub(super) fn node(&mut self, node: &str) -> &mut Self {
        if !self.nodes.iter().any(|known| known == node) {
            self.nodes.push(node.to_owned());
        }
        self
    }

    /// The partition that it concerns.
    pub(super) fn key(&mut self, key: Option<&str>) -> &mut Self {
        self.key = key.map(str::to_owned);
        self
    }

    /// The statement that it concerns.
    pub(super) fn statement(&mut self, shape: &StatementShape) -> &mut Self {
        self.statement = Some(shape.clone());
        self
    }

    /// A figure.
    pub(super) fn evidence(&mut self, what: &'static str, value: Quantity) -> &mut Self {
        self.evidence.push(Evidence::new(what, value));
        self
    }

    /// A figure, if it is known.
    pub(super) fn evidence_if(&mut self, what: &'static str, value: Option<Quantity>) -> &mut Self {
        self.evidence.extend(value.map(|value| Evidence::new(what, value)));
        self
    }

    /// A figure with the limit that it exceeds; their quotient is the impact.
    pub(super) fn exceed(
        &mut self,
        what: &'static str,
        value: Quantity,
        limit: Quantity,
    ) -> &mut Self {
        if let Some((value, limit)) = value.amount().zip(limit.amount()) {
            self.impact = self.impact.max(value / limit.max(f64::MIN_POSITIVE));
        }
        self.evidence.push(Evidence::with_limit(what, value, limit));
        self
    }

    /// What to do.
    pub(super) fn remedy(&mut self, remedy: Remedy) -> &mut Self {
        self.remedies.push(remedy);
        self
    }
}

impl Quantity {
    /// The figure without its unit; `None` for a word or a moment.
    pub fn amount(&self) -> Option<f64> {
        match self {
            Self::Bytes(value)
            | Self::Count(value)
            | Self::Milliseconds(value)
            | Self::Seconds(value)
            | Self::Percent(value)
            | Self::Times(value) => Some(*value),
            Self::Word(_) | Self::Moment(_) => None,
        }
    }

    /// The name of the unit, for programs.
    pub const fn unit(&self) -> &'static str {
        match self {
            Self::Bytes(_) => "bytes",
            Self::Count(_) => "count",
            Self::Milliseconds(_) => "ms",
            Self::Seconds(_) => "s",
            Self::Percent(_) => "percent",
            Self::Times(_) => "times",
            Self::Word(_) => "word",
            Self::Moment(_) => "ms since 1970",
        }
    }
}
