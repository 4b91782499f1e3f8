//! The legend of a picture: its heading and what its marks mean.

use super::picture::{Card, CardKind, Change, Level, Picture, PictureKind};

/// What a picture is: its kind, and what it comes to.
pub(crate) fn heading(picture: &Picture) -> String {
    let kind = match picture.kind {
        PictureKind::Chebotko(Level::Logical) => "Chebotko diagram, logical",
        PictureKind::Chebotko(Level::Physical) => "Chebotko diagram, physical",
        PictureKind::Entities => "Entity-relationship diagram",
        PictureKind::Workflow => "Application workflow",
        PictureKind::DataFlow => "Data flow",
        PictureKind::Changes => "Changes",
    };
    match picture.summary.as_str() {
        "" => kind.to_owned(),
        summary => format!("{kind} ({summary})"),
    }
}

/// The marks that a picture uses and what they mean.
pub(crate) fn marks(picture: &Picture) -> Vec<(&'static str, &'static str)> {
    let cards: Vec<_> = picture.frames.iter().flat_map(|frame| &frame.cards).collect();
    let links = || picture.frames.iter().flat_map(|frame| &frame.links);
    let used = |test: &dyn Fn(&Card) -> bool| cards.iter().any(|card| test(card));
    let marked = |test: fn(&str) -> bool| used(&|card| card.rows.iter().any(|row| test(&row.mark)));
    let named = |open: char| {
        used(&|card| !card.is_statement() && card.rows.iter().any(|row| row.name.starts_with(open)))
    };
    let is_entities = picture.kind == PictureKind::Entities;
    let dashed = links().any(|link| link.dashed);
    let changed = |change| used(&|card| card.rows.iter().any(|row| row.change == change));
    let sized = used(&|card| card.footer.iter().any(|line| line.starts_with("p99.9")));
    let explained = [
        (marked(|mark| mark.starts_with('K')), "K", "partition key"),
        (marked(|mark| mark.starts_with("C↑")), "C↑", "clustering, ascending"),
        (marked(|mark| mark.starts_with("C↓")), "C↓", "clustering, descending"),
        (marked(|mark| mark == "S"), "S", "static"),
        (marked(|mark| mark == "++"), "++", "counter"),
        (marked(|mark| mark.contains("IDX")), "IDX", "secondary index"),
        (marked(|mark| mark.contains("SAI")), "SAI", "storage-attached index"),
        (marked(|mark| mark.contains('⌛')), "⌛", "time bucket"),
        (marked(|mark| mark.contains('#')), "#n", "n hash shards"),
        (named('[') && !is_entities, "[a]", "list"),
        (named('{'), "{a}", if is_entities { "many values" } else { "set" }),
        (named('<'), "<a>", "map"),
        (named('*'), "*a*", if is_entities { "composite" } else { "user type" }),
        (named('('), "(a)", "tuple"),
        (marked(|mark| mark.contains("FK")), "FK", "refers to another entity"),
        (marked(|mark| mark.contains('U')), "U", "unique"),
        (used(&|card| card.kind == CardKind::View), "MV", "materialized view"),
        (sized, "p99.9", "size of a large partition"),
        (dashed && !picture.legend.is_empty(), "- - -", "in the same query"),
        (dashed && picture.kind == PictureKind::DataFlow, "- - -", "read first, or a further step"),
        (changed(Change::Added), "+", "added"),
        (changed(Change::Dropped), "−", "dropped"),
        (changed(Change::Altered), "→", "became"),
    ];
    explained.into_iter().filter(|(shown, ..)| *shown).map(|(_, mark, text)| (mark, text)).collect()
}
