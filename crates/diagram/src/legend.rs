//! The legend of a picture: its heading and what its marks mean.

use super::picture::{Card, CardKind, Level, Picture, PictureKind};

/// The heading of a picture's kind.
pub(crate) fn heading(kind: PictureKind) -> &'static str {
    match kind {
        PictureKind::Chebotko(Level::Logical) => "Chebotko diagram, logical",
        PictureKind::Chebotko(Level::Physical) => "Chebotko diagram, physical",
        PictureKind::Entities => "Entity-relationship diagram",
    }
}

/// The marks that a picture uses and what they mean.
pub(crate) fn marks(picture: &Picture) -> Vec<(&'static str, &'static str)> {
    let cards: Vec<_> = picture.frames.iter().flat_map(|frame| &frame.cards).collect();
    let links = || picture.frames.iter().flat_map(|frame| &frame.links);
    let used = |test: &dyn Fn(&Card) -> bool| cards.iter().any(|card| test(card));
    let marked = |test: fn(&str) -> bool| used(&|card| card.rows.iter().any(|row| test(&row.mark)));
    let named = |open: char| used(&|card| card.rows.iter().any(|row| row.name.starts_with(open)));
    let is_entities = picture.kind == PictureKind::Entities;
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
        (
            links().any(|link| link.dashed) && !picture.legend.is_empty(),
            "- - -",
            "in the same query",
        ),
    ];
    explained.into_iter().filter(|(shown, ..)| *shown).map(|(_, mark, text)| (mark, text)).collect()
}
