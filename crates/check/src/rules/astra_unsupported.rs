//! PT002: what the guardrails of Astra refuse.

use cql::StatementKind;
use schema::catalog::IndexClass;

use crate::guardrails::{self, Verdict};
use crate::project::Outcome;
use crate::{
    Asks, Category, Check, Limit, Place, Product, Project, Reporter, Rule, Seen, Severity,
    TableFacts, Target,
};

const LEGACY: Limit =
    Limit { name: "astra-indexes", default: 1.0, what: "built-in indexes of a table on Astra" };
const SAI: Limit = Limit {
    name: "astra-sai-indexes",
    default: 10.0,
    what: "storage-attached indexes of a table on Astra",
};

pub(super) static RULE: Rule = Rule {
    code: "PT002",
    name: "astra-unsupported",
    category: Category::Profile,
    severity: Severity::Error,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes, Asks::Target],
    by_default: true,
    limits: &[LEGACY, SAI],
    check: Check::Project(check),
    page: include_str!("astra_unsupported.md"),
};

fn check(project: &Project<'_>, found: &mut Reporter<'_>) {
    let target = project.settings.target;
    if target.product != Product::Astra {
        return;
    }
    bounds(project, target, found);
    project.tables.iter().for_each(|facts| indexes(project, facts, found));
    for seen in &project.statements {
        functions(project, seen, found);
        consistency(seen, found);
    }
}

/// The guardrails that Astra sets.
fn bounds(project: &Project<'_>, target: Target, found: &mut Reporter<'_>) {
    let mut crowded = false;
    for measure in guardrails::measures(project) {
        let Some(guardrail) = guardrails::find(measure.guardrail) else { continue };
        let bounds = guardrail.default_on(target).unwrap_or_default();
        let Some(verdict) = guardrail.judge(bounds, measure.value) else { continue };
        let is_crowd = measure.guardrail == "tables";
        if is_crowd && std::mem::replace(&mut crowded, true) {
            continue;
        }
        let severity = match verdict {
            Verdict::Fails => Severity::Error,
            Verdict::Warns => Severity::Medium,
        };
        let message = guardrail.message(&measure, bounds, verdict);
        let finding = found.at(measure.place, message).severity(severity);
        finding.subject = measure.subject.clone();
        finding.guardrail = Some(measure.guardrail);
        finding.help(format!("keep to what Astra allows; {} says how", guardrail.rule));
    }
}

fn indexes(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let table = &facts.table;
    let kinds = [
        (IndexClass::Legacy, "built-in indexes", found.limit(&LEGACY)),
        (IndexClass::Sai, "SAI indexes", found.limit(&SAI)),
        (IndexClass::Sasi, "SASI indexes", 0.0),
    ];
    for (class, what, most) in kinds {
        let all = || table.indexes.iter().filter(|index| index.class == class);
        let number = f64::from(u32::try_from(all().count()).unwrap_or(u32::MAX));
        let Some(last) = all().next_back().filter(|_| number > most) else { continue };
        let message =
            format!("Too many {what} for Astra: {} has {number}, and {most} may be.", table.name);
        found
            .at(project.index_place(facts, last), message)
            .of_table(table)
            .help("use storage-attached indexes, or keep a table for the query");
    }
}

fn functions(project: &Project<'_>, seen: &Seen, found: &mut Reporter<'_>) {
    let span = match project.syntax(seen).map(|statement| &statement.kind) {
        Some(StatementKind::CreateFunction(create)) => create.name.name.span,
        Some(StatementKind::CreateAggregate(create)) => create.name.name.span,
        _ => return,
    };
    if !matches!(seen.outcome, Outcome::Broken) {
        let place = Place { text: seen.place.text, span };
        found
            .at(place, "Astra has no user functions and aggregates.")
            .help("compute it in the application");
    }
}

fn consistency(seen: &Seen, found: &mut Reporter<'_>) {
    let Some(level) = seen.said.consistency.as_deref().filter(|_| seen.writes().len() > 0) else {
        return;
    };
    if matches!(level, "ONE" | "LOCAL_ONE" | "ANY") {
        let message = format!("Astra refuses writes at {level}.");
        found.at(seen.place, message).help("write at LOCAL_QUORUM");
    }
}
