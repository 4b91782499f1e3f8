//! Boxes of user types.

use std::sync::Arc;

use cql::types::{Type, UserType};

use super::marks;
use super::picture::{Card, CardKind, CardRow, Level, RowKind};

/// A box for each user type among the columns and inside other such types. At the logical level a
/// box has the marked name of the column, at the physical level the name of the type.
pub(crate) fn cards<'a>(
    level: Level,
    columns: impl Iterator<Item = (&'a str, &'a Type)>,
) -> Vec<Card> {
    let mut cards: Vec<Card> = Vec::new();
    let mut open: Vec<(String, &Arc<UserType>)> = Vec::new();
    let found = |name: &str, ty: &'a Type| {
        let types = marks::user_types(ty).into_iter();
        let title = marks::name_with_marks(name, ty);
        types.map(|user| (title.clone(), user)).collect::<Vec<_>>()
    };
    for (name, ty) in columns {
        open.extend(found(name, ty));
    }
    let mut at = 0;
    while let Some((column, user)) = open.get(at).cloned() {
        at += 1;
        let card = card(level, &column, user);
        if !cards.contains(&card) {
            for (name, ty) in &user.fields {
                open.extend(found(name, ty));
            }
            cards.push(card);
        }
    }
    cards
}

fn card(level: Level, column: &str, user: &UserType) -> Card {
    let row = |(name, ty): &(Box<str>, Type)| CardRow {
        kind: RowKind::Plain,
        name: marks::name_with_marks(name, ty),
        ty: marks::type_text(level, ty),
        ..CardRow::default()
    };
    let title = match level {
        Level::Logical => column.to_owned(),
        Level::Physical => user.name.to_string(),
    };
    Card {
        kind: CardKind::UserType,
        title,
        rows: user.fields.iter().map(row).collect(),
        ..Card::default()
    }
}
