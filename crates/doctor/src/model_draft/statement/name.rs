//! Names of statements.

use std::collections::BTreeSet;

use model::sql::Cardinality;
use model::vocabulary::to_singular;

use super::super::entity::Entity;
use super::translation::{StatementAction, Translation};

/// The columns that a name lists at most.
const COLUMNS_MAX: usize = 3;

/// A name for a statement that no other has: `UserByEmail`, `AddUser`, `UpdateStatusOfOrder`.
pub(super) fn name_statement(
    entity: &Entity<'_>,
    statement: &Translation,
    taken: &mut BTreeSet<String>,
) -> String {
    let one = to_camel(&to_singular(&entity.name));
    let many = to_camel(&entity.name);
    let columns: Vec<String> =
        statement.subjects.iter().take(COLUMNS_MAX).map(|name| to_camel(name)).collect();
    let by = if columns.is_empty() { String::new() } else { format!("By{}", columns.join("")) };
    let name = match statement.action {
        StatementAction::Read if statement.cardinality == Cardinality::One => format!("{one}{by}"),
        StatementAction::Read if columns.is_empty() => format!("All{many}"),
        StatementAction::Read => format!("{many}{by}"),
        StatementAction::Aggregate => format!("Count{many}{by}"),
        StatementAction::Insert => format!("Add{one}"),
        StatementAction::Update => format!("Update{}Of{one}", columns.join("")),
        StatementAction::Upsert => format!("Set{}Of{one}", columns.join("")),
        StatementAction::Delete if has_key(entity, statement) => format!("Delete{one}"),
        StatementAction::Delete => format!("Delete{many}{by}"),
    };
    let mut unique = name.clone();
    let mut number = 2;
    while !taken.insert(unique.clone()) {
        unique = format!("{name}{number}");
        number += 1;
    }
    unique
}

fn has_key(entity: &Entity<'_>, statement: &Translation) -> bool {
    entity.key.iter().all(|name| statement.subjects.iter().any(|own| own == name))
}

/// `user_id` as `UserId`; only letters and digits.
fn to_camel(name: &str) -> String {
    let words = name.split(|sign: char| !sign.is_ascii_alphanumeric());
    let parts = words.map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    let text: String = parts.collect();
    if text.starts_with(|sign: char| sign.is_ascii_alphabetic()) {
        text
    } else {
        format!("T{text}")
    }
}
