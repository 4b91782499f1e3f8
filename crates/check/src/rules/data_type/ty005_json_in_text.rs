//! TY005: JSON in texts.

use cql::term::{ConstantKind, Term, TermKind};
use cql::types::NativeType;

use crate::facts::workload::{ColumnWrite, column_writes, is_write_to};
use crate::vocabulary::matcher::matches_any;
use crate::vocabulary::types::native_type;
use crate::{Check, Confidence, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ty005_json_in_text.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if facts.view.is_some() {
        return;
    }
    let json_writes: Vec<ColumnWrite<'_>> = facts
        .writes(project)
        .flat_map(|seen| column_writes(project, seen))
        .filter(|write| write.value.is_some_and(is_json) && is_write_to(write.write, table))
        .collect();
    for column in table.columns().iter().filter(|column| !column.is_primary_key()) {
        if native_type(&column.ty) != Some(NativeType::Text) {
            continue;
        }
        let name = &column.name;
        let written = json_writes.iter().find(|write| write.column.name == *name);
        if written.is_none() && !matches_any(name, &["json", "*_json", "json_*"]) {
            continue;
        }
        let finding = reporter.report(
            project.type_location(facts, name),
            format!("`{name}` stores JSON, which cannot be updated or indexed in part."),
        );
        finding.with_column(table, column).confidence(Confidence::Medium).help(
            "use a column, a user type or a map for fields that are changed or queried separately",
        );
        if let Some(write) = written {
            finding.with_related(write.place, "this statement writes JSON");
        }
    }
}

/// Whether a literal is a JSON object, or an array of them. It need not be well-formed: programs put
/// values into it.
fn is_json(value: &Term) -> bool {
    let TermKind::Constant(constant) = &value.kind else { return false };
    let text = constant.text.trim();
    constant.kind == ConstantKind::String
        && (text.starts_with("{\"") && text.ends_with('}')
            || text.starts_with("[{") && text.ends_with(']'))
}
