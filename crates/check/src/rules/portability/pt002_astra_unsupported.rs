//! PT002: violations of Astra's guardrails.

use cql::StatementKind;
use schema::catalog::IndexClass;

use crate::guardrails::{self, Violation};
use crate::project::StatementOutcome;
use crate::{
    Check, Limit, Location, Product, Project, ReplayedStatement, Reporter, RuleEntry, Severity,
    TableFacts, Target,
};

const LEGACY: Limit = Limit::new("astra-indexes", 1.0)
    .describe("maximum number of built-in indexes per table on Astra");
const SAI: Limit = Limit::new("astra-sai-indexes", 10.0)
    .describe("maximum number of storage-attached indexes per table on Astra");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("pt002_astra_unsupported.md"), Check::Project(check))
        .with_limits(&[LEGACY, SAI]);

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let target = project.settings.target;
    if target.product != Product::Astra {
        return;
    }
    check_guardrails(project, target, reporter);
    project.tables.iter().for_each(|facts| check_indexes(project, facts, reporter));
    for seen in &project.statements {
        check_functions(project, seen, reporter);
        check_consistency(seen, reporter);
    }
}

/// The guardrails that Astra sets.
fn check_guardrails(project: &Project<'_>, target: Target, reporter: &mut Reporter<'_>) {
    let mut crowded = false;
    for measure in guardrails::measure_project(project) {
        let Some(guardrail) = guardrails::find(measure.guardrail) else { continue };
        let bounds = guardrail.default_thresholds(target).unwrap_or_default();
        let Some(verdict) = guardrail.evaluate(bounds, measure.value) else { continue };
        let is_crowd = measure.guardrail == "tables";
        if is_crowd && std::mem::replace(&mut crowded, true) {
            continue;
        }
        let severity = match verdict {
            Violation::Fails => Severity::Error,
            Violation::Warns => Severity::Medium,
        };
        let message = guardrail.message(&measure, bounds, verdict);
        let finding = reporter.report(measure.place, message).severity(severity);
        finding.subject = measure.subject.clone();
        finding.guardrail = Some(measure.guardrail);
        finding.help(format!("stay within the limits of Astra; see {}", guardrail.rule));
    }
}

fn check_indexes(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let kinds = [
        (IndexClass::Legacy, "built-in indexes", reporter.limit(&LEGACY)),
        (IndexClass::Sai, "SAI indexes", reporter.limit(&SAI)),
        (IndexClass::Sasi, "SASI indexes", 0.0),
    ];
    for (class, what, most) in kinds {
        let all = || table.indexes.iter().filter(|index| index.class == class);
        let number = f64::from(u32::try_from(all().count()).unwrap_or(u32::MAX));
        let Some(last) = all().next_back().filter(|_| number > most) else { continue };
        let message = format!(
            "Astra does not allow that many {what}: {} has {number}, and the maximum is {most}.",
            table.name
        );
        reporter
            .report(project.index_location(facts, last), message)
            .with_table(table)
            .help("use storage-attached indexes, or create a table for the query");
    }
}

fn check_functions(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let span = match project.syntax(seen).map(|statement| &statement.kind) {
        Some(StatementKind::CreateFunction(create)) => create.name.name.span,
        Some(StatementKind::CreateAggregate(create)) => create.name.name.span,
        _ => return,
    };
    if !matches!(seen.outcome, StatementOutcome::Broken) {
        let place = Location { text: seen.place.text, span };
        reporter
            .report(place, "Astra does not support user-defined functions and aggregates.")
            .help("compute it in the application");
    }
}

fn check_consistency(seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(level) = seen.annotations.consistency.as_deref().filter(|_| seen.writes().len() > 0)
    else {
        return;
    };
    if matches!(level, "ONE" | "LOCAL_ONE" | "ANY") {
        let message = format!("Astra rejects writes at consistency level {level}.");
        reporter.report(seen.place, message).help("write at LOCAL_QUORUM");
    }
}
