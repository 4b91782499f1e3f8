//! The model as far as it is read, with what is wrong in it.

use cql::{Diagnostic, Severity, Span};

use super::table::TableDeclarations;
use super::types::TypeRegistry;
use crate::assumption::Assumption;
use crate::diagnostics::error;

/// More mistakes than anybody reads: looking for what was meant takes time for each.
const ERRORS_MAX: usize = 1_000;

/// What is read so far, with what is wrong.
#[derive(Debug, Default)]
pub(super) struct ModelDraft {
    /// The types.
    pub types: TypeRegistry,
    /// The tables.
    pub tables: TableDeclarations,
    /// What is wrong.
    pub errors: Vec<Diagnostic>,
    /// What is understood and still worth a warning.
    pub warnings: Vec<Diagnostic>,
    /// What is assumed.
    pub assumptions: Vec<Assumption>,
}

impl ModelDraft {
    /// So much is wrong that the rest need not be looked at.
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
        self.warnings.push(Diagnostic { severity: Severity::Warning, ..warning });
    }
}
