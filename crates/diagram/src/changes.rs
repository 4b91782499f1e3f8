//! What changes between two designs or schemas: a diagram of the later one, marked.

use super::picture::{Card, CardRow, Change, Frame, Picture, PictureKind, RowKind};

/// The tables and types of both pictures: added, dropped, with another key, with other columns, or
/// unchanged, of which only the keys are shown. The pictures are Chebotko diagrams.
pub fn changes(before: &Picture, after: &Picture) -> Picture {
    let mut counts = Counts::default();
    let mut frames = Vec::new();
    for frame in &after.frames {
        let earlier = find_frame(before, after, frame);
        frames.push(compare_frames(earlier, frame, &mut counts));
    }
    for frame in &before.frames {
        if find_frame(after, before, frame).is_none() {
            let gone = Frame { title: frame.title.clone(), ..Frame::default() };
            frames.push(compare_frames(Some(frame), &gone, &mut counts));
        }
    }
    Picture {
        title: after.title.clone(),
        kind: PictureKind::Changes,
        summary: counts.summary(),
        frames,
        legend: Vec::new(),
    }
}

/// The frame of the same keyspace among those of `other`; where both have one, that is meant,
/// whatever its name.
fn find_frame<'a>(other: &'a Picture, own: &Picture, frame: &Frame) -> Option<&'a Frame> {
    match (other.frames.as_slice(), own.frames.as_slice()) {
        ([only], [_]) => Some(only),
        (frames, _) => frames.iter().find(|known| known.title == frame.title),
    }
}

/// Changed first, then added, dropped and unchanged ones.
fn compare_frames(earlier: Option<&Frame>, later: &Frame, counts: &mut Counts) -> Frame {
    let empty = Frame::default();
    let earlier = earlier.unwrap_or(&empty);
    let same =
        |card: &Card, other: &Card| card.title == other.title && card.is_type() == other.is_type();
    let (mut altered, mut added, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    for card in &later.cards {
        let Some(before) = earlier.cards.iter().find(|before| same(before, card)) else {
            counts.added += 1;
            added.push(mark(card, "added", Change::Added));
            continue;
        };
        let compared = compare_cards(before, card, counts);
        if compared.change == Change::None { kept.push(compared) } else { altered.push(compared) }
    }
    let gone = earlier.cards.iter().filter(|card| !later.cards.iter().any(|it| same(it, card)));
    let dropped: Vec<_> = gone.map(|card| mark(card, "dropped", Change::Dropped)).collect();
    counts.dropped += dropped.len();
    let cards = altered.into_iter().chain(added).chain(dropped).chain(kept).collect();
    Frame { title: later.title.clone(), cards, links: Vec::new() }
}

fn mark(card: &Card, badge: &str, change: Change) -> Card {
    let badges = card.badges.iter().cloned().chain([badge.to_owned()]).collect();
    Card { badges, change, ..card.clone() }
}

/// A card with what is different from before.
fn compare_cards(before: &Card, after: &Card, counts: &mut Counts) -> Card {
    let mut rows: Vec<CardRow> = Vec::new();
    for row in &after.rows {
        let earlier = before.rows.iter().find(|earlier| is_same_column(earlier, row));
        rows.push(compare_rows(earlier, row));
    }
    let gone =
        before.rows.iter().filter(|row| !after.rows.iter().any(|it| is_same_column(row, it)));
    rows.extend(gone.map(|row| CardRow {
        name: format!("− {}", row.name),
        change: Change::Dropped,
        ..row.clone()
    }));
    let is_rekeyed = key(before) != key(after);
    let is_altered = is_rekeyed
        || before.badges != after.badges
        || before.kind != after.kind
        || rows.iter().any(|row| row.change != Change::None);
    if !is_altered {
        counts.unchanged += 1;
        return Card {
            rows: key_rows(after),
            footer: vec![describe_unchanged(after)],
            ..after.clone()
        };
    }
    *(if is_rekeyed { &mut counts.rekeyed } else { &mut counts.altered }) += 1;
    let mut footer = Vec::new();
    if is_rekeyed {
        footer.push(format!("key before: {}", key_text(before)));
    }
    if before.badges != after.badges {
        let badges = before.badges.join(", ");
        footer.push(format!(
            "before: {}",
            if badges.is_empty() { "no TTL" } else { badges.as_str() }
        ));
    }
    let badge = if is_rekeyed { "key changed" } else { "changed" };
    Card { rows, footer, ..mark(after, badge, Change::Altered) }
}

fn describe_unchanged(card: &Card) -> String {
    match card.rows.len() {
        1 => "unchanged, 1 column".to_owned(),
        count => format!("unchanged, {count} columns"),
    }
}

/// The row of a column with what is different from before.
fn compare_rows(before: Option<&CardRow>, after: &CardRow) -> CardRow {
    let Some(before) = before else {
        return CardRow {
            name: format!("+ {}", after.name),
            change: Change::Added,
            ..after.clone()
        };
    };
    let arrow = |before: &str, after: &str| {
        let or_none = |text: &str| (if text.is_empty() { "–" } else { text }).to_owned();
        if before == after {
            after.to_owned()
        } else {
            format!("{} → {}", or_none(before), or_none(after))
        }
    };
    let is_same = place(before) == place(after) && before.ty == after.ty;
    if is_same {
        return after.clone();
    }
    let mark = if place(before) == place(after) {
        after.mark.clone()
    } else {
        arrow(&before.mark, &after.mark)
    };
    CardRow { ty: arrow(&before.ty, &after.ty), mark, change: Change::Altered, ..after.clone() }
}

/// Whether two rows show the same column; the marks of collections around its name may differ.
fn is_same_column(row: &CardRow, other: &CardRow) -> bool {
    let name = |row: &CardRow| {
        row.name.trim_matches(['{', '}', '[', ']', '<', '>', '*', '(', ')']).to_owned()
    };
    name(row) == name(other)
}

/// The role of a column and its direction; not what derives its values, which a schema does not say.
fn place(row: &CardRow) -> (RowKind, bool) {
    (row.kind, row.mark.starts_with("C↓"))
}

fn is_key(row: &CardRow) -> bool {
    matches!(row.kind, RowKind::Partition | RowKind::Clustering)
}

fn key_rows(card: &Card) -> Vec<CardRow> {
    card.rows.iter().filter(|row| is_key(row)).cloned().collect()
}

/// The columns of the key, in order, with their roles.
fn key(card: &Card) -> Vec<(&str, RowKind, bool)> {
    let rows = card.rows.iter().filter(|row| is_key(row));
    rows.map(|row| (row.name.as_str(), place(row).0, place(row).1)).collect()
}

/// `(userid, week), added ↓`
fn key_text(card: &Card) -> String {
    let names = |kind| {
        let rows = card.rows.iter().filter(move |row| row.kind == kind);
        rows.map(|row| format!("{}{}", row.name, if place(row).1 { " ↓" } else { "" }))
    };
    let partition: Vec<_> = names(RowKind::Partition).collect();
    let clustering = names(RowKind::Clustering).map(|name| format!(", {name}"));
    format!("({}){}", partition.join(", "), clustering.collect::<String>())
}

/// How many tables and types changed in which way.
#[derive(Default)]
struct Counts {
    added: usize,
    dropped: usize,
    rekeyed: usize,
    altered: usize,
    unchanged: usize,
}

impl Counts {
    /// `1 added, 2 with another key, 5 unchanged`
    fn summary(&self) -> String {
        let parts = [
            (self.added, "added"),
            (self.dropped, "dropped"),
            (self.rekeyed, "with another key"),
            (self.altered, "otherwise changed"),
            (self.unchanged, "unchanged"),
        ];
        let parts = parts.iter().filter(|(count, _)| *count > 0);
        let parts: Vec<_> = parts.map(|(count, what)| format!("{count} {what}")).collect();
        if parts.is_empty() { "no tables".to_owned() } else { parts.join(", ") }
    }
}
