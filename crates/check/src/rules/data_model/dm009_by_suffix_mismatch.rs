//! DM009: a table name that implies another key.

use model::vocabulary::to_singular;
use schema::catalog::Column;

use crate::{Check, Confidence, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dm009_by_suffix_mismatch.md"), Check::Table(check));

fn check(_: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let Some((_, by)) = table.name.rsplit_once("_by_") else { return };
    let words: Vec<&str> =
        by.split('_').filter(|word| !matches!(*word, "and" | "") && !is_version(word)).collect();
    let fits = |column: &Column| {
        words.iter().any(|word| is_word_for(word, &column.name))
            || is_word_for(&words.concat(), &column.name)
    };
    // A name may describe how a partition is sorted.
    if words.is_empty() || table.primary_key().iter().any(fits) {
        return;
    }
    let keys: Vec<&str> = table.partition_key().iter().map(|column| &*column.name).collect();
    let Some(first) = table.partition_key().first() else { return };
    reporter
        .report(
            facts.place,
            format!(
                "The name of {} implies a key by {by}, but its key is {}.",
                table.name,
                keys.join(", ")
            ),
        )
        .with_column(table, first)
        .confidence(Confidence::Low)
        .help("rename the table, or change its key to match the name");
}

fn is_version(word: &str) -> bool {
    word.strip_prefix('v').unwrap_or(word).bytes().all(|letter| letter.is_ascii_digit())
}

/// Whether a word of a name may mean a column: `user` for `userid`, `user_id` and `username`,
/// `hotels` for `hotel_id`, `poi` for `poi_name`.
fn is_word_for(word: &str, column: &str) -> bool {
    let fold = |text: &str| text.to_lowercase().replace('_', "");
    let (word, column) = (fold(word), fold(column));
    // The id of what the name refers to.
    if column == "id" {
        return true;
    }
    let start: String = column.chars().take(4).collect();
    let initials = column.len() >= 4 && word.starts_with(&start);
    initials
        || column.contains(&to_singular(&word))
        || word.contains(column.trim_end_matches("id")) && column.len() > 3
}
