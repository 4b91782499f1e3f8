//! Options that were removed or renamed.

use cql::property::{Property, PropertyValue};
use cql::statement::table::TableChange;
use cql::term::{Term, TermKind};
use cql::{Span, StatementKind, SyntaxError, SyntaxReason};
use schema::refusal::{CompactionReason, Reason};

use super::{RefusalCause, RefusalContext, TextChange, strip_last_word, text_length};
use crate::vocabulary::vendors::{REMOVED_BEFORE_4, REMOVED_IN_4};

/// Deletes an option that was removed, or one that is given twice with the same value.
pub(super) fn remove_unknown(refused: &RefusalContext<'_>) -> Option<TextChange> {
    let properties = properties(&refused.statement.kind)?;
    let own = find_property(refused, properties)?;
    let name = &*own.name.text;
    let is_repeated = matches!(
        refused.cause,
        RefusalCause::Syntax(SyntaxError { reason: SyntaxReason::RepeatedProperty { .. }, .. })
    );
    if is_repeated {
        let first = properties.iter().find(|other| *other.name.text == *name)?;
        let span =
            removal_span(refused, properties, own, |other| other.span.is_same_place(own.span))?;
        let same = first.value == own.value;
        let remove = if same { TextChange::new_safe } else { TextChange::new_unsafe };
        return remove("remove the second definition", vec![(span, String::new())]);
    }
    if name == "index_interval"
        && !properties.iter().any(|other| has_name(other, "min_index_interval"))
    {
        let edit = (own.name.span, "min_index_interval".to_owned());
        return TextChange::new_safe("rename it to min_index_interval", vec![edit]);
    }
    let is_removed = |name: &str| REMOVED_IN_4.contains(&name) || REMOVED_BEFORE_4.contains(&name);
    if !is_removed(name) {
        return None;
    }
    let span = removal_span(refused, properties, own, |other| is_removed(&other.name.text))?;
    TextChange::new_safe("remove the option", vec![(span, String::new())])
}

/// Deletes the time to live of a table of counters.
pub(super) fn remove_ttl(refused: &RefusalContext<'_>) -> Option<TextChange> {
    let properties = properties(&refused.statement.kind)?;
    let own = properties.iter().find(|other| has_name(other, "default_time_to_live"))?;
    let span =
        removal_span(refused, properties, own, |other| has_name(other, "default_time_to_live"))?;
    TextChange::new_unsafe("remove default_time_to_live", vec![(span, String::new())])
}

/// Removes COMPACT STORAGE, which changes the storage layout.
pub(super) fn remove_compact_storage(refused: &RefusalContext<'_>) -> Option<TextChange> {
    let StatementKind::CreateTable(create) = &refused.statement.kind else { return None };
    let words = create.options.compact_storage?;
    let span = single_removal_span(refused, words)?;
    TextChange::new_unsafe("remove COMPACT STORAGE", vec![(span, String::new())])
}

/// Rewrites caching as the map equivalent to the old keyword.
pub(super) fn rewrite_caching(refused: &RefusalContext<'_>) -> Option<TextChange> {
    let own = find_property(refused, properties(&refused.statement.kind)?)
        .filter(|own| has_name(own, "caching"))?;
    let word = match &own.value {
        PropertyValue::Constant(constant) => constant.text.to_lowercase(),
        PropertyValue::Keyword(word) => word.to_lowercase(),
        _ => return None,
    };
    let (keys, rows) = match word.as_str() {
        "keys_only" => ("ALL", "NONE"),
        "rows_only" => ("NONE", "ALL"),
        "all" => ("ALL", "ALL"),
        "none" => ("NONE", "NONE"),
        _ => return None,
    };
    let map = format!("caching = {{'keys': '{keys}', 'rows_per_partition': '{rows}'}}");
    TextChange::new_safe("use a map", vec![(own.span, map)])
}

/// Rewrites units in upper case, and a removed strategy as its successor.
pub(super) fn rewrite_compaction(refused: &RefusalContext<'_>) -> Option<TextChange> {
    let own = find_property(refused, properties(&refused.statement.kind)?)?;
    let PropertyValue::Map(entries) = &own.value else { return None };
    if map_entry(entries, "class")
        .is_some_and(|class| class.ends_with("DateTieredCompactionStrategy"))
    {
        let map = "compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'DAYS', \
                   'compaction_window_size': '1'}";
        let edit = (own.span, map.to_owned());
        return TextChange::new_unsafe("use TimeWindowCompactionStrategy", vec![edit]);
    }
    let unit =
        entries.iter().find(|(key, _)| constant_text(key) == Some("compaction_window_unit"))?;
    let capitals = constant_text(&unit.1)?.to_uppercase();
    let is_unit = matches!(capitals.as_str(), "MINUTES" | "HOURS" | "DAYS");
    let is_complaint = matches!(
        refused.cause,
        RefusalCause::Refusal(Reason::Compaction(CompactionReason::WindowUnit { name, .. }))
            if name == "compaction_window_unit"
    );
    if !is_unit || !is_complaint {
        return None;
    }
    TextChange::new_safe(
        "use upper case for the unit",
        vec![(unit.1.span, format!("'{capitals}'"))],
    )
}

/// Renames the entries of a compression map to their names since 3.0.
pub(super) fn rewrite_compression(refused: &RefusalContext<'_>) -> Option<TextChange> {
    let own = find_property(refused, properties(&refused.statement.kind)?)?;
    let PropertyValue::Map(entries) = &own.value else { return None };
    if map_entry(entries, "sstable_compression") == Some("") {
        let edit = (own.span, "compression = {'enabled': 'false'}".to_owned());
        return TextChange::new_safe("disable compression", vec![edit]);
    }
    let renamed = [("sstable_compression", "class"), ("chunk_length_kb", "chunk_length_in_kb")];
    let mut edits = Vec::new();
    for (old, new) in renamed {
        let found = entries.iter().find(|(key, _)| constant_text(key) == Some(old));
        if let (Some((key, _)), None) = (found, map_entry(entries, new)) {
            edits.push((key.span, format!("'{new}'")));
        }
    }
    TextChange::new_safe("use the new names", edits)
}

fn has_name(property: &Property, name: &str) -> bool {
    &*property.name.text == name
}

fn constant_text(term: &Term) -> Option<&str> {
    match &term.kind {
        TermKind::Constant(constant) => Some(&constant.text),
        _ => None,
    }
}

fn map_entry<'t>(entries: &'t [(Term, Term)], name: &str) -> Option<&'t str> {
    entries
        .iter()
        .find(|(key, _)| constant_text(key) == Some(name))
        .and_then(|(_, value)| constant_text(value))
}

fn properties(statement: &StatementKind) -> Option<&[Property]> {
    Some(match statement {
        StatementKind::CreateTable(create) => &create.options.properties,
        StatementKind::CreateView(create) => &create.options.properties,
        StatementKind::AlterView(alter) => &alter.properties,
        StatementKind::CreateKeyspace(create) => &create.properties,
        StatementKind::AlterKeyspace(alter) => &alter.properties,
        StatementKind::AlterTable(alter) => match &alter.change {
            TableChange::With(properties) => properties,
            _ => return None,
        },
        _ => return None,
    })
}

/// The option that the refusal refers to.
fn find_property<'p>(
    refused: &RefusalContext<'_>,
    properties: &'p [Property],
) -> Option<&'p Property> {
    properties.iter().find(|property| property.span.is_same_place(refused.span()))
}

/// The text to remove with an option: its AND, or WITH if no option remains. `goes` has the other
/// options that are removed as well, so that no two removals overlap.
fn removal_span(
    refused: &RefusalContext<'_>,
    properties: &[Property],
    own: &Property,
    goes: impl Fn(&Property) -> bool,
) -> Option<Span> {
    let starts = |property: &Property| {
        strip_last_word(refused.text_before(property.span.start), "with").is_some()
    };
    let first = properties.iter().position(starts);
    let chain: Vec<&Property> = match first {
        Some(first) => {
            let mut chain: Vec<&Property> = Vec::new();
            for property in properties.get(first..).unwrap_or_default() {
                let follows = chain.last().is_none_or(|last| {
                    next_option_start(refused, last.span.end) == Some(property.span.start)
                });
                if !goes(property) || !follows {
                    break;
                }
                chain.push(property);
            }
            chain
        }
        None => Vec::new(),
    };
    let position = chain.iter().position(|property| property.span.is_same_place(own.span));
    let (Some(position), Some(last)) = (position, chain.last()) else {
        return single_removal_span(refused, own.span);
    };
    let follows = next_option_start(refused, last.span.end).is_some();
    if follows {
        return Some(Span::new(own.span.start, next_option_start(refused, own.span.end)?));
    }
    let is_alter = matches!(
        refused.statement.kind,
        StatementKind::AlterTable(_) | StatementKind::AlterView(_)
    );
    if is_alter {
        return None;
    }
    if let Some(before) = position.checked_sub(1).and_then(|before| chain.get(before)) {
        return Some(Span::new(before.span.end, own.span.end));
    }
    let kept = strip_last_word(refused.text_before(own.span.start), "with")?;
    Some(Span::new(text_length(kept), own.span.end))
}

/// The text to remove with an option that follows another one, or is the only one.
fn single_removal_span(refused: &RefusalContext<'_>, own: Span) -> Option<Span> {
    let before = refused.text_before(own.start);
    if let Some(kept) = strip_last_word(before, "and") {
        return Some(Span::new(text_length(kept), own.end));
    }
    let kept = strip_last_word(before, "with")?;
    match next_option_start(refused, own.end) {
        Some(next) => Some(Span::new(own.start, next)),
        None => Some(Span::new(text_length(kept), own.end)),
    }
}

/// Where the next option starts, if one follows.
fn next_option_start(refused: &RefusalContext<'_>, end: u32) -> Option<u32> {
    let rest = refused.text_after(end);
    let word = skip_blanks(rest);
    let is_and = word.get(..3).is_some_and(|and| and.eq_ignore_ascii_case("and"));
    let behind = word.get(3..).filter(|_| is_and)?;
    let next = skip_blanks(behind);
    (next.len() < behind.len()).then(|| end + text_length(rest) - text_length(next))
}

/// The text without blanks and comments at its start.
fn skip_blanks(text: &str) -> &str {
    let mut text = text.trim_start();
    loop {
        let behind = if text.starts_with("--") || text.starts_with("//") {
            text.split_once('\n').map_or("", |(_, rest)| rest)
        } else if text.starts_with("/*") {
            text.split_once("*/").map_or("", |(_, rest)| rest)
        } else {
            return text;
        };
        text = behind.trim_start();
    }
}
