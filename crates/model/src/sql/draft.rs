//! The model as far as it is read, with its errors, warnings and assumptions.

use std::collections::{HashMap, HashSet};

use cql::{Diagnostic, DiagnosticLevel, Span};

use super::comparison::ComparisonTraits;
use super::mysql::MysqlTraits;
use super::table::TableDeclarations;
use super::trigger::TriggerDeclarations;
use super::types::TypeRegistry;
use crate::assumption::Assumption;
use crate::diagnostics::error;
use crate::id::{AttributeId, EntityId};

/// Reading stops at this many errors: nobody reads more, and each costs a search for similar names.
const ERRORS_MAX: usize = 1_000;

/// The columns of keys, by table and the name of the constraint.
pub(super) type ConstraintKeys = HashMap<(EntityId, String), Vec<AttributeId>>;

/// The model as far as it is read.
#[derive(Clone, Debug, Default)]
pub(super) struct ModelDraft {
    /// The types.
    pub types: TypeRegistry,
    /// The tables.
    pub tables: TableDeclarations,
    /// The columns of keys, by the names of their constraints.
    pub constraints: ConstraintKeys,
    /// The names of the views.
    pub views: HashSet<String>,
    /// The triggers.
    pub triggers: TriggerDeclarations,
    /// What declarations say about comparisons.
    pub comparisons: ComparisonTraits,
    /// What a model of `MySQL` says beyond that.
    pub mysql: MysqlTraits,
    /// The errors so far.
    pub errors: Vec<Diagnostic>,
    /// Warnings about what is accepted.
    pub warnings: Vec<Diagnostic>,
    /// The assumptions so far.
    pub assumptions: Vec<Assumption>,
}

impl ModelDraft {
    /// Whether there are so many errors that the rest is not read.
    pub(super) fn has_too_many_errors(&self) -> bool {
        self.errors.len() >= ERRORS_MAX
    }

    pub(super) fn report(
        &mut self,
        rule: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.errors.push(error(rule, span, message, help));
    }

    pub(super) fn warn(
        &mut self,
        rule: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let warning = error(rule, span, message, help);
        self.warnings.push(Diagnostic { level: DiagnosticLevel::Warning, ..warning });
    }
}
