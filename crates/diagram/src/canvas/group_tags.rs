//! Ids and data attributes of groups, for the pages that the picture is part of.

use super::super::picture::{Card, CardKind, Frame, LegendEntry, Link, LinkEnd};

/// How a group can be found.
#[derive(Debug, Default)]
pub(crate) struct GroupTag {
    pub(crate) class: &'static str,
    /// Its id; made unique where it is written.
    pub(crate) id: Option<String>,
    /// The attributes behind `data-`, with their values.
    pub(crate) data: Vec<(&'static str, String)>,
}

/// The group of a card; `space` is the keyspace where ids need it.
pub(super) fn tag_card(space: Option<&str>, card: &Card) -> GroupTag {
    let kind = match card.kind {
        CardKind::Table | CardKind::Counter | CardKind::View => "table",
        CardKind::UserType => "type",
        CardKind::Entity | CardKind::Relationship => "entity",
        CardKind::Query => "query",
        CardKind::Write => "write",
    };
    let space = space.map_or_else(String::new, |space| format!("{space}."));
    let id = id(kind, &format!("{space}{}", card.title));
    let mut data = vec![(kind, card.title.clone())];
    data.extend(names("queries", card.queries.iter().map(String::as_str)));
    GroupTag { class: "", id: Some(id), data }
}

/// The group of a query in the legend.
pub(super) fn tag_query(entry: &LegendEntry) -> GroupTag {
    let mut data = vec![("query", entry.query().to_owned())];
    data.extend(entry.table.as_ref().map(|table| ("table", table.clone())));
    GroupTag { class: "", id: Some(id("query", entry.query())), data }
}

/// The group of a line.
pub(super) fn tag_link(frame: &Frame, link: &Link) -> GroupTag {
    let queries = link.to.iter().flat_map(|end| &end.queries).map(String::as_str);
    let data = [
        names("queries", queries),
        names("from", titles(frame, &link.from)),
        names("to", titles(frame, &link.to)),
    ];
    GroupTag { class: "link", id: None, data: data.into_iter().flatten().collect() }
}

/// The group of the text beside an end of a line.
pub(super) fn tag_label(frame: &Frame, end: &LinkEnd) -> GroupTag {
    let queries = end.queries.iter().map(String::as_str);
    let to = titles(frame, std::slice::from_ref(end));
    let data = [names("queries", queries), names("to", to)];
    GroupTag { class: "link-label", id: None, data: data.into_iter().flatten().collect() }
}

fn titles<'a>(frame: &'a Frame, ends: &'a [LinkEnd]) -> impl Iterator<Item = &'a str> {
    ends.iter().filter_map(|end| frame.cards.get(end.card)).map(|card| card.title.as_str())
}

/// Names as a list; blanks inside a name would separate, so they become `_`.
fn names<'a>(
    attribute: &'static str,
    names: impl Iterator<Item = &'a str>,
) -> Option<(&'static str, String)> {
    let names: Vec<_> = names.map(join_words).collect();
    (!names.is_empty()).then(|| (attribute, names.join(" ")))
}

fn id(kind: &str, name: &str) -> String {
    format!("{kind}-{}", join_words(name))
}

fn join_words(name: &str) -> String {
    name.replace(|c: char| c.is_whitespace() || c.is_control(), "_")
}
