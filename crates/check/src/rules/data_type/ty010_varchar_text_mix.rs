//! TY010: two names for one type.

use cql::type_name::{TypeName, TypeNameKind};
use cql::types::NativeType;
use cql::{Span, StatementKind};

use crate::{Check, FixKind, Location, Project, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ty010_varchar_text_mix.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let mut varchars: Vec<Location> = Vec::new();
    let mut has_text = false;
    for (_, seen) in project.definitions() {
        let Some(statement) = project.syntax(seen) else { continue };
        let StatementKind::CreateTable(create) = &statement.kind else { continue };
        for column in &create.columns {
            visit_text_names(&column.type_name, &mut |is_varchar, span| {
                if is_varchar {
                    varchars.push(Location { text: seen.place.text, span });
                } else {
                    has_text = true;
                }
            });
        }
    }
    for place in varchars.into_iter().filter(|_| has_text) {
        reporter
            .report(place, "varchar and text are synonyms, but this project uses both.")
            .help("use text")
            .fix(FixKind::Safe, "use text", place, "text");
    }
}

/// The names of texts in a type as written.
fn visit_text_names(ty: &TypeName, tell: &mut dyn FnMut(bool, Span)) {
    match &ty.kind {
        TypeNameKind::Native(name) if name.ty == NativeType::Text => tell(name.is_varchar, ty.span),
        TypeNameKind::List(part)
        | TypeNameKind::Set(part)
        | TypeNameKind::Vector(part, _)
        | TypeNameKind::Frozen(part) => visit_text_names(part, tell),
        TypeNameKind::Map(entry) => {
            visit_text_names(&entry.0, tell);
            visit_text_names(&entry.1, tell);
        }
        TypeNameKind::Tuple(parts) => parts.iter().for_each(|part| visit_text_names(part, tell)),
        TypeNameKind::Native(_)
        | TypeNameKind::User(_)
        | TypeNameKind::Custom(_)
        | TypeNameKind::Placeholder(_) => {}
    }
}
