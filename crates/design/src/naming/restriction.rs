//! The words for the rows that a table holds, where it does not hold all: `unread` messages,
//! employees `without_manager`.

use cql::types::{NativeType, Type};
use model::concept::{Attribute, Concept};
use model::plan::PlannedTable;
use model::workload::{Column, Comparison, Predicate, Value};

/// Values of a list that a name spells out.
const VALUES_MAX: usize = 3;
/// Characters of a value that a name spells out.
const VALUE_MAX: usize = 20;
/// Opposites that no prefix makes.
const OPPOSITES: [(&str, &str); 7] = [
    ("active", "inactive"),
    ("complete", "incomplete"),
    ("enabled", "disabled"),
    ("open", "closed"),
    ("public", "private"),
    ("valid", "invalid"),
    ("visible", "hidden"),
];

/// Words before and after the name of the rows.
#[derive(Debug, Default)]
pub(super) struct RestrictionWords {
    before: Vec<String>,
    after: Vec<String>,
}

impl RestrictionWords {
    /// The words for the rows of a table; those that `is_named` are in its name already.
    pub(super) fn new(
        concept: &Concept,
        table: &PlannedTable,
        is_named: impl Fn(Column) -> bool,
    ) -> Self {
        let mut words = Self::default();
        let holds = &table.holds;
        for filter in &holds.filters {
            let Some(column) = filter.predicate.columns().first().copied() else { continue };
            if let Some(attribute) = holds.attribute(concept, column) {
                words.add(attribute, &filter.predicate);
            }
        }
        for column in holds.not_null_columns(concept).into_iter().filter(|it| !is_named(*it)) {
            if let Some(attribute) = holds.attribute(concept, column) {
                words.describe_time_bound(&attribute.name, "with", |stem| stem);
            }
        }
        words.before.dedup();
        words.after.dedup();
        words
    }

    /// The name of the rows with these words.
    pub(super) fn apply(&self, entity: &str) -> String {
        let entity = [entity.to_owned()];
        let words = self.before.iter().chain(&entity).chain(&self.after);
        words.cloned().collect::<Vec<String>>().join("_")
    }

    fn add(&mut self, attribute: &Attribute, predicate: &Predicate) {
        let name = attribute.name.to_lowercase();
        match predicate {
            Predicate::Compare { comparison: Comparison::Equal, value, .. }
                if attribute.ty == Type::Native(NativeType::Boolean) =>
            {
                match literal(value) {
                    Some("false") => self.before.push(opposite(&name)),
                    _ => self.before.push(adjective(&name)),
                }
            }
            Predicate::Compare { comparison: Comparison::Equal, value, .. } => {
                self.before.push(value_word(&name, value));
            }
            Predicate::Compare { comparison, value, .. } => {
                let relation = match comparison {
                    Comparison::Less => "below",
                    Comparison::LessOrEqual => "up_to",
                    Comparison::Greater => "above",
                    Comparison::Equal | Comparison::GreaterOrEqual => "from",
                };
                let value = literal(value).and_then(word).unwrap_or_default();
                self.after.push(format!("with_{name}_{relation}_{value}"));
            }
            Predicate::In { values, .. } if values.len() <= VALUES_MAX => {
                let words: Vec<String> =
                    values.iter().map(|value| value_word(&name, value)).collect();
                self.before.push(words.join("_or_"));
            }
            Predicate::NotNull { .. } => self.describe_time_bound(&name, "with", |stem| stem),
            Predicate::Null { .. } => {
                self.describe_time_bound(&name, "without", |stem| format!("un{stem}"));
            }
            _ => self.after.push(format!("of_some_{name}")),
        }
    }

    /// A participle comes before the rows (`deleted`), a noun after them (`with_manager`).
    fn describe_time_bound(
        &mut self,
        name: &str,
        preposition: &str,
        make: impl FnOnce(String) -> String,
    ) {
        let stem = stem(name);
        if is_participle(&stem) {
            self.before.push(make(stem));
        } else {
            self.after.push(format!("{preposition}_{stem}"));
        }
    }
}

/// The text of a literal without its quotes.
fn literal(value: &Value) -> Option<&str> {
    match value {
        Value::Literal(text) => {
            Some(text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')).unwrap_or(text))
        }
        Value::Parameter(_) => None,
    }
}

/// A value as a word; `None` where it has other characters or is long.
fn word(text: &str) -> Option<String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.');
    let fits = !text.is_empty() && text.len() <= VALUE_MAX && text.chars().all(is_plain);
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    fits.then(|| text.chars().map(letter).collect())
}

/// The word for rows with a value of an attribute: the value, where it is a word.
fn value_word(name: &str, value: &Value) -> String {
    match literal(value).and_then(word) {
        Some(value) if value.starts_with(|c: char| c.is_ascii_lowercase()) => value,
        Some(value) => format!("{name}_{value}"),
        None => format!("some_{name}"),
    }
}

/// The word for rows of which a flag is set.
fn adjective(name: &str) -> String {
    let bare = ["is_", "has_", "was_"].iter().find_map(|prefix| name.strip_prefix(prefix));
    bare.unwrap_or(name).to_owned()
}

/// The word for rows of which a flag is not set.
fn opposite(name: &str) -> String {
    let bare = adjective(name);
    if let Some((_, opposite)) = OPPOSITES.iter().find(|(word, _)| *word == bare) {
        return (*opposite).to_owned();
    }
    if is_participle(&bare) { format!("un{bare}") } else { format!("not_{bare}") }
}

/// The name of an attribute without what says that it is a time, a person or an id.
fn stem(name: &str) -> String {
    let name = name.to_lowercase();
    let ends = ["_at", "_on", "_by", "_date", "_time", "_id"];
    let stem = ends.iter().find_map(|end| name.strip_suffix(end));
    stem.filter(|stem| !stem.is_empty()).map_or_else(|| name.clone(), str::to_owned)
}

/// Whether a word looks like what was done to a row: `deleted`, `read`, `sent`, `paid`, `seen`.
fn is_participle(word: &str) -> bool {
    const IRREGULAR: [&str; 12] = [
        "done", "paid", "read", "sent", "set", "seen", "sold", "shown", "taken", "told", "used",
        "written",
    ];
    !word.contains('_') && (word.ends_with("ed") || IRREGULAR.contains(&word))
}
