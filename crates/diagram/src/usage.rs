//! Leaves out what no query touches.

use super::picture::{Card, Frame, Link, LinkEnd, Picture};

impl Picture {
    /// The picture without the cards that no query (of entities: no query or write) touches, the
    /// types that none of the others has, and the links that lead to them.
    #[must_use]
    pub fn leave_out_unused(mut self) -> Self {
        self.frames.iter_mut().for_each(filter_cards);
        self
    }
}

fn filter_cards(frame: &mut Frame) {
    let is_asked = |at: usize, card: &Card| {
        let is_end = |link: &Link| {
            let ends = link.from.iter().chain(&link.to);
            ends.into_iter().any(|end| end.card == at && !end.queries.is_empty())
        };
        !card.queries.is_empty() || frame.links.iter().any(is_end)
    };
    let mut kept: Vec<bool> = frame
        .cards
        .iter()
        .enumerate()
        .map(|(at, card)| !card.is_type() && is_asked(at, card))
        .collect();
    // A type is needed by a table or by a type that is.
    while let Some(at) = next_type(frame, &kept) {
        kept[at] = true;
    }
    let mut places = Vec::with_capacity(kept.len());
    let mut count = 0;
    for is_kept in &kept {
        places.push(is_kept.then_some(count));
        count += usize::from(*is_kept);
    }
    let mut flags = kept.iter();
    frame.cards.retain(|_| flags.next().copied().unwrap_or_default());
    frame.links.retain_mut(|link| {
        let is_entry = link.is_entry();
        move_ends(&mut link.from, &places);
        move_ends(&mut link.to, &places);
        // A link that lost its sources is no entry.
        link.is_entry() == is_entry && !link.to.is_empty()
    });
}

/// Leaves out the ends at cards that are gone; the others follow their cards.
fn move_ends(ends: &mut Vec<LinkEnd>, places: &[Option<usize>]) {
    ends.retain_mut(|end| {
        let place = places.get(end.card).copied().flatten();
        end.card = place.unwrap_or(end.card);
        place.is_some()
    });
}

/// A type that is left out although a card that is kept has it.
fn next_type(frame: &Frame, kept: &[bool]) -> Option<usize> {
    let shown = || frame.cards.iter().zip(kept).filter(|(_, kept)| **kept).map(|(card, _)| card);
    frame.cards.iter().zip(kept).position(|(card, is_kept)| {
        !is_kept && card.is_type() && shown().any(|other| has_type(other, &card.title))
    })
}

/// Whether a row of a card is of a type: by the name of the type, or by that of the column, which
/// the logical level shows instead.
fn has_type(card: &Card, name: &str) -> bool {
    let is_word = |text: &str| {
        text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
    };
    card.rows.iter().any(|row| row.name == name || is_word(&row.ty))
}
