//! The judgement of the reader of models: what it refuses becomes a comment with the reason.

use cql::Diagnostic;

use super::super::ModelFile;
use super::dump_schema::{DumpItem, DumpSchema, ItemKind};
use super::model_text::{ModelPart, ModelText};

/// The model is read again after parts of it were refused.
const ROUNDS_MAX: usize = 200;
/// The codes of defaults and generated columns that cannot be carried.
const DEFAULT_CODES: [&str; 4] = ["MF220", "MF221", "MF251", "MF363"];

/// Reads a schema as a model, after what is refused was made a comment.
pub(super) fn verify(
    head: &str,
    name: &str,
    schema: &mut DumpSchema,
) -> Result<ModelFile, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    for _ in 0..ROUNDS_MAX {
        let model = ModelText::new(head, schema);
        errors = match super::super::read(&model.text, name) {
            Ok(file) => return Ok(file),
            Err(errors) => errors,
        };
        let mut refused: Vec<ModelPart> = Vec::new();
        for error in &errors {
            let place = error.span.start as usize;
            let found = model.places.iter().rev().find(|(range, _)| range.contains(&place));
            let Some((_, part)) = found.filter(|(_, part)| !refused.contains(part)) else {
                continue;
            };
            refused.push(*part);
            refuse(schema, *part, error);
        }
        if refused.is_empty() {
            return Err(errors);
        }
    }
    Err(errors)
}

fn refuse(schema: &mut DumpSchema, part: ModelPart, error: &Diagnostic) {
    let reason = Some(format!("{} ({})", error.message, error.rule));
    match part {
        ModelPart::Type(at) => schema.types[at].refusal = reason,
        ModelPart::Table(at) => schema.tables[at].refusal = reason,
        ModelPart::Item(table, at) => {
            let item = &mut schema.tables[table].items[at];
            if !weaken(item, error) {
                item.refusal = reason;
            }
        }
        ModelPart::Change(table, at) => schema.tables[table].changes[at].refusal = reason,
        ModelPart::Rest(at) => schema.rest[at].refusal = reason,
        ModelPart::Query(at) => schema.queries[at].refusal = reason,
    }
}

/// Keeps a refused column without its default, or as a text; whether that is still to be tried.
fn weaken(item: &mut DumpItem, error: &Diagnostic) -> bool {
    let ItemKind::Column(name) = &item.kind else { return false };
    let options = [" NOT NULL", " PRIMARY KEY", " UNIQUE"];
    let suffix: String = options.into_iter().filter(|it| item.text.contains(it)).collect();
    let default = [" DEFAULT ", " GENERATED "].iter().filter_map(|it| item.text.find(it)).min();
    let weaker = match default.filter(|_| DEFAULT_CODES.contains(&error.rule)) {
        Some(at) => format!("{}{suffix}", item.text.get(..at).unwrap_or_default()),
        None => format!("{} text{suffix}", crate::sql_name::quote(name)),
    };
    if weaker == item.text {
        return false;
    }
    item.note.get_or_insert(format!("in the dump: {}; {}", item.text, error.message));
    item.text = weaker;
    true
}
