//! Statements explained from a schema: access plan, figures, and what `check` finds.

use std::io::Write;

use check::Finding;
use cql::{Diagnostic, Statement};
use schema::access::{self, AccessPlan};
use schema::session::AcceptedStatement;

use super::{ExplainArguments, Explainer};
use crate::forecast::Forecast;
use crate::outcome::{Failure, Outcome};
use crate::render::{self, DiagnosticFormat, access_json, access_text};
use crate::source::Source;
use crate::source_diagnostic::SourceDiagnostic;

/// A statement with its explanation.
pub(in crate::cli) struct Explanation {
    pub(in crate::cli) statement: Statement,
    pub(in crate::cli) plan: AccessPlan,
    pub(in crate::cli) forecast: Forecast,
    pub(in crate::cli) findings: Vec<Finding>,
}

impl ExplainArguments {
    /// Explains all statements of a text.
    pub(super) fn explain_statements(
        &self,
        explainer: &Explainer,
        source: &Source,
        out: &mut dyn Write,
    ) -> Result<Outcome, Failure> {
        let (explanations, refused) = explainer.explain_text(source)?;
        if explanations.is_empty() && refused.is_empty() {
            return Err(Failure::Stopped(Outcome::BadInput, "no statement given".to_owned()));
        }
        let mut outcome = Outcome::Fine;
        if !refused.is_empty() {
            let format = DiagnosticFormat::from_json_flag(self.json);
            render::write_diagnostics(format, &SourceDiagnostic::list(source, refused), out)?;
            outcome = Outcome::Findings;
        }
        for explanation in &explanations {
            let Explanation { statement, plan, forecast, findings } = explanation;
            if self.json {
                writeln!(out, "{:#}", access_json::plan(statement, plan, forecast, findings))?;
            } else {
                access_text::write(statement, plan, (forecast, findings), self.columns(), out)?;
            }
        }
        Ok(outcome)
    }
}

impl Explainer {
    /// The explanations of all statements of a text, and what a server would refuse.
    pub(in crate::cli) fn explain_text(
        &self,
        source: &Source,
    ) -> Result<(Vec<Explanation>, Vec<Diagnostic>), Failure> {
        let parsed = cql::parse(&source.text);
        let mut refused: Vec<Diagnostic> =
            parsed.errors.iter().cloned().map(Diagnostic::from).collect();
        let mut explanations = Vec::new();
        if !refused.is_empty() {
            return Ok((explanations, refused));
        }
        let keyspace = self.keyspace.as_deref();
        let concept = self.concept.clone();
        let findings = self.schema.findings(keyspace, source, concept)?;
        let mut session = self.session.clone();
        for statement in parsed.statements {
            let plan = match session.run(&statement) {
                Ok(AcceptedStatement::Bound(bound)) => access::plan(&bound.kind),
                Ok(_) => AccessPlan::Nothing,
                Err(refusal) => {
                    refused.push((*refusal).into());
                    continue;
                }
            };
            let is_inside = |finding: &&Finding| {
                let (place, span) = (finding.place.span, statement.span);
                place.start >= span.start && place.start < span.end.max(span.start + 1)
            };
            let forecast = Forecast::new(&plan, &self.figures);
            let findings = findings.iter().filter(is_inside).cloned().collect();
            explanations.push(Explanation { statement, plan, forecast, findings });
        }
        Ok((explanations, refused))
    }
}
