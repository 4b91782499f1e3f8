//! Channel routing: the horizontal pieces of lines in a channel, stacked in tracks.

use super::ladder::Ladder;
use super::ports::PortPositions;

/// Between two pieces on one track.
const PIECE_GAP: f64 = 14.0;
/// Nearer than this, two vertical pieces must not run beside one another.
pub(super) const CLEARANCE: f64 = 7.0;
/// The weight of such a pair against crossings.
const OVERLAP: usize = 1_000;
/// Above so many pieces their order is not improved by trying.
const PIECES_TRIED_MAX: usize = 160;

/// The tracks of a channel.
#[derive(Debug, Default)]
pub(super) struct Tracks {
    /// For each net of the channel its track, counted from the top; `None` for one that goes
    /// straight through.
    pub(super) by_net: Vec<Option<usize>>,
    /// How many there are.
    pub(super) count: usize,
}

/// A horizontal piece and the vertical ones that end in it.
struct LinePiece {
    at: usize,
    low: f64,
    high: f64,
    above: Vec<f64>,
    below: Vec<f64>,
}

/// Two nets of a channel whose vertical pieces would overlap: one comes from above where the other
/// goes below.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clash {
    /// Which of the channel's nets goes below.
    pub(super) goes_below: usize,
    /// Which comes from above.
    pub(super) comes_from_above: usize,
    /// Where.
    pub(super) place: f64,
}

/// Stacks the pieces of a channel; returns the clashes that remain.
pub(super) fn stack(
    ladder: &Ladder,
    channel: usize,
    ports: &PortPositions,
    centres: &[f64],
) -> (Tracks, Vec<Clash>) {
    let mut pieces = Vec::new();
    for (at, taps) in ladder.channels[channel].iter().enumerate() {
        let (mut above, mut below) = ports.places(taps, centres);
        above.sort_by(f64::total_cmp);
        below.sort_by(f64::total_cmp);
        let all = || above.iter().chain(&below).copied();
        let low = all().fold(f64::MAX, f64::min);
        let high = all().fold(f64::MIN, f64::max);
        if high - low > 1e-6 {
            pieces.push(LinePiece { at, low, high, above, below });
        }
    }
    let (pieces, clashes) = separate(arrange(pieces));
    let mut tracks = Tracks { by_net: vec![None; ladder.channels[channel].len()], count: 0 };
    let mut placed: Vec<(&LinePiece, usize)> = Vec::new();
    for piece in &pieces {
        let before = placed.iter().filter(|(other, _)| has_conflict(other, piece));
        let track = before.map(|(_, track)| track + 1).max().unwrap_or(0);
        tracks.by_net[piece.at] = Some(track);
        tracks.count = tracks.count.max(track + 1);
        placed.push((piece, track));
    }
    (tracks, clashes)
}

/// Sorts the pieces so that where one comes from above and another goes below at one position, the
/// former is on top (the vertical constraints of channel routing); returns the cycles of such
/// constraints as clashes.
fn separate(pieces: Vec<LinePiece>) -> (Vec<LinePiece>, Vec<Clash>) {
    let mut downward: Vec<(f64, usize)> = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        downward.extend(piece.below.iter().map(|place| (*place, at)));
    }
    downward.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    // For each piece those that must come after it, with the position that requires it.
    let mut after: Vec<Vec<(usize, f64)>> = vec![Vec::new(); pieces.len()];
    let mut waiting = vec![0_usize; pieces.len()];
    for (at, piece) in pieces.iter().enumerate() {
        for place in &piece.above {
            let start = downward.partition_point(|(other, _)| *other <= place - CLEARANCE);
            let near = downward[start..].iter().take_while(|(other, _)| *other < place + CLEARANCE);
            for (_, other) in near.filter(|(_, other)| *other != at) {
                after[at].push((*other, *place));
                waiting[*other] += 1;
            }
        }
    }
    let mut clashes = Vec::new();
    let mut left: Vec<_> = (0..pieces.len()).collect();
    let mut order = Vec::with_capacity(pieces.len());
    while !left.is_empty() {
        // In a cycle any piece may go first.
        let free = left.iter().position(|piece| waiting[*piece] == 0).unwrap_or(0);
        let next = left.remove(free);
        if waiting[next] > 0 {
            for before in &left {
                let kept = after[*before].iter().filter(|(other, _)| *other == next);
                clashes.extend(kept.map(|(_, place)| Clash {
                    goes_below: pieces[next].at,
                    comes_from_above: pieces[*before].at,
                    place: *place,
                }));
            }
        }
        for (other, _) in &after[next] {
            waiting[*other] = waiting[*other].saturating_sub(1);
        }
        order.push(next);
    }
    let mut pieces: Vec<_> = pieces.into_iter().map(Some).collect();
    (order.into_iter().filter_map(|at| pieces[at].take()).collect(), clashes)
}

/// Whether two pieces must not share a track, or must keep their order.
fn has_conflict(a: &LinePiece, b: &LinePiece) -> bool {
    a.low < b.high + PIECE_GAP && b.low < a.high + PIECE_GAP
}

/// The pieces in the order from top to bottom in which they cross least.
fn arrange(mut pieces: Vec<LinePiece>) -> Vec<LinePiece> {
    // Of pieces that lead right the rightmost goes on top, of those that lead left the leftmost:
    // then they nest.
    let key = |piece: &LinePiece| {
        let mean = |places: &[f64]| {
            let sum: f64 = places.iter().sum();
            if places.is_empty() {
                f64::midpoint(piece.low, piece.high)
            } else {
                sum / super::super::geometry::to_measure(places.len())
            }
        };
        let (top, bottom) = (mean(&piece.above), mean(&piece.below));
        if bottom >= top { -top } else { top }
    };
    pieces.sort_by(|a, b| key(a).total_cmp(&key(b)).then(a.at.cmp(&b.at)));
    if pieces.len() > PIECES_TRIED_MAX {
        return pieces;
    }
    let mut order: Vec<LinePiece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        // Moving up past a piece changes the cost by the difference between the two orders of the
        // pair.
        let mut best = (order.len(), 0);
        let mut price = 0_i64;
        for (at, other) in order.iter().enumerate().rev() {
            price += to_signed(crossings(&piece, other)) - to_signed(crossings(other, &piece));
            if price < best.1 {
                best = (at, price);
            }
        }
        order.insert(best.0, piece);
    }
    order
}

fn to_signed(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX / 4)
}

/// How often two pieces cross when the first is above the second.
fn crossings(upper: &LinePiece, lower: &LinePiece) -> usize {
    let within = |places: &[f64], low: f64, high: f64| {
        places.partition_point(|place| *place <= high)
            - places.partition_point(|place| *place < low)
    };
    let crossed =
        within(&lower.above, upper.low, upper.high) + within(&upper.below, lower.low, lower.high);
    // Vertical pieces of both at one position would overlap.
    let beside = |place: &f64| within(&upper.below, place - CLEARANCE, place + CLEARANCE);
    crossed + OVERLAP * lower.above.iter().map(beside).sum::<usize>()
}
