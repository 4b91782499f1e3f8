//! CO012: tuples and user types of many fields.

use std::collections::BTreeSet;

use cql::StatementKind;
use cql::types::Type;

use crate::{Check, Limit, Location, Product, Project, Reporter, RuleEntry, Severity};

const TUPLE: Limit = Limit::new("tuple-fields", 10.0)
    .describe("number of fields above which a tuple should be a user type or columns");
const WIDE: Limit = Limit::new("type-fields", 30.0)
    .describe("number of fields above which a user type is wide (10 on Astra)");
const WIDER: Limit = Limit::new("type-fields-medium", 60.0)
    .describe("number of fields above which a user type should be columns");
const TOO_WIDE: Limit = Limit::new("type-fields-high", 100.0)
    .describe("number of fields above which a user type must be columns");
/// What classic Astra allows.
const ASTRA: f64 = 10.0;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("co012_wide_tuple_or_udt.md"), Check::Project(check))
        .with_limits(&[TUPLE, WIDE, WIDER, TOO_WIDE]);

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    check_types(project, reporter);
    for facts in project.tables.iter().filter(|facts| facts.view.is_none()) {
        for column in facts.table.columns() {
            let fields = widest_tuple(&column.ty);
            if to_f64(fields) > reporter.limit(&TUPLE) {
                let name = &column.name;
                reporter
                    .report(
                        project.type_location(facts, name),
                        format!("`{name}` is a tuple with {fields} fields."),
                    )
                    .with_column(&facts.table, column)
                    .help("use a column for each field, or a user type, whose fields have names");
            }
        }
    }
}

/// The user types, where they are created.
fn check_types(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let is_astra = project.settings.target.product == Product::Astra;
    let wide = if is_astra { reporter.limit(&WIDE).min(ASTRA) } else { reporter.limit(&WIDE) };
    let mut told = BTreeSet::new();
    for (_, seen) in project.definitions() {
        let Some(statement) = project.syntax(seen) else { continue };
        let StatementKind::CreateType(create) = &statement.kind else { continue };
        let name = &create.name.name;
        let stated = create.name.keyspace.as_ref().map(|name| &*name.text);
        let Some(keyspace) = stated.or(seen.keyspace.as_deref()) else { continue };
        let known =
            project.catalog.keyspace(keyspace).and_then(|known| known.types.get(&name.text));
        // Repeating the statement with IF NOT EXISTS creates nothing.
        let Some(known) = known.filter(|_| told.insert((keyspace, &name.text))) else { continue };
        let fields = known.fields.len();
        let severity = match to_f64(fields) {
            count if count > reporter.limit(&TOO_WIDE) => Severity::High,
            count if count > reporter.limit(&WIDER) => Severity::Medium,
            count if count > wide => Severity::Low,
            _ => continue,
        };
        let place = Location { text: seen.place.text, span: name.span };
        let finding = reporter.report(place, format!("Type {} has {fields} fields.", name.text));
        finding.with_keyspace(keyspace).severity(severity);
        finding.subject.table = Some(name.text.clone());
        finding.help("use a column for each field; use types only for fields that belong together");
    }
}

/// The most fields of a tuple within a type.
fn widest_tuple(ty: &Type) -> usize {
    let inside = ty.parts().into_iter().filter(|_| !matches!(ty, Type::User(..)));
    let widest = inside.map(widest_tuple).max().unwrap_or(0);
    match ty {
        Type::Tuple(fields) => fields.len().max(widest),
        _ => widest,
    }
}

fn to_f64(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
