//! What a refused type was meant to be: the server wants it frozen, or frozen is where it means nothing.

use cql::type_name::{TypeName, TypeNameKind};
use cql::{Statement, StatementKind};
use schema::Refusal;

/// Writes the types of a CREATE as the server wants them; false if the refusal is about something else, or nothing changes.
pub(super) fn mend(statement: &mut Statement, refusal: &Refusal) -> bool {
    let rule = refusal.rule();
    match &mut statement.kind {
        StatementKind::CreateTable(create) => {
            let keys: Vec<&str> = create
                .primary_keys
                .iter()
                .flat_map(|key| key.partition.iter().chain(&key.clustering))
                .map(|name| &*name.text)
                .collect();
            let mut is_mended = false;
            for column in &mut create.columns {
                let is_key = column.primary_key || keys.contains(&&*column.name.text);
                is_mended |= mend_type(&mut column.type_name, rule, is_key);
            }
            is_mended
        }
        StatementKind::CreateType(create) => {
            let mut is_mended = false;
            for (_, field) in &mut create.fields {
                is_mended |= mend_type(field, rule, false);
            }
            is_mended
        }
        _ => false,
    }
}

fn mend_type(written: &mut TypeName, rule: &str, is_key: bool) -> bool {
    match rule {
        "SV003" if is_key => freeze(written),
        "SV009" => freeze_parts(written),
        "SV012" => thaw(written),
        _ => false,
    }
}

/// Freezes a collection or user type.
fn freeze(written: &mut TypeName) -> bool {
    use TypeNameKind::{Frozen, List, Map, Set, User};
    if !matches!(written.kind, List(_) | Set(_) | Map(_) | User(_)) {
        return false;
    }
    written.kind = Frozen(Box::new(written.clone()));
    true
}

/// Freezes what is inside of a collection.
fn freeze_parts(written: &mut TypeName) -> bool {
    match &mut written.kind {
        TypeNameKind::List(part) | TypeNameKind::Set(part) => freeze(part),
        TypeNameKind::Map(parts) => freeze(&mut parts.0) | freeze(&mut parts.1),
        _ => false,
    }
}

/// Takes a frozen away that is around a value.
fn thaw(written: &mut TypeName) -> bool {
    match &mut written.kind {
        TypeNameKind::Frozen(inner) if matches!(inner.kind, TypeNameKind::Native(_)) => {
            *written = (**inner).clone();
            true
        }
        TypeNameKind::List(part) | TypeNameKind::Set(part) | TypeNameKind::Frozen(part) => {
            thaw(part)
        }
        TypeNameKind::Map(parts) => thaw(&mut parts.0) | thaw(&mut parts.1),
        _ => false,
    }
}
