//! What no price makes possible: ways beyond a bound, the tables chosen as they would be unsplit, arrays that are too large.

use model::figures;
use model::id::{Numbered, ReadId};
use model::plan::{About, Rejected};

use super::build::Asked;
use super::rejected::described;
use super::ways::bounds;
use super::{Solved, drawn};
use crate::{frame, mapping, volume};

/// Of each kind that many are listed for a read.
const LISTED: usize = 6;

/// What is forbidden for a read, each thing once.
pub(super) fn of(solved: &Solved<'_, '_>, read: ReadId) -> Vec<Rejected> {
    let about = About::Read(read);
    let rejected =
        |(what, because): (String, String)| Rejected { about, what, price: f64::INFINITY, because };
    let here = solved.built.beyond.iter().filter(|(of, ..)| *of == read);
    let mut all: Vec<(String, String)> =
        here.map(|(_, way, figure)| (described(solved, way), figure.clone())).collect();
    all.sort();
    all.dedup_by(|one, other| one.0 == other.0);
    all.truncate(LISTED);
    let mut whole = unsplit(solved, read);
    whole.extend(collections(solved, read));
    whole.sort();
    whole.dedup();
    all.extend(whole);
    all.into_iter().map(rejected).collect()
}

/// The tables that the read uses and that are split, as one partition for each value of their key.
fn unsplit(solved: &Solved<'_, '_>, read: ReadId) -> Vec<(String, String)> {
    let context = solved.space.context;
    let taken = solved.built.demands.iter().zip(&solved.solution.ways);
    let mains = taken.filter_map(|(asked, way)| {
        let Asked::Question(question, ways) = asked else { return None };
        let way = ways.at((*way)?)?;
        if question.of == read { way.main.as_ref() } else { None }
    });
    mains
        .filter_map(|main| {
            let frame = solved.space.frames.at(main.frame)?;
            let mut whole = frame.whole(context, &main.columns);
            whole.volume = volume::of(context, &whole);
            let figure = bounds::beyond(context, &whole)?;
            Some((format!("{}: not split", drawn::line(context.concept, &frame.table)), figure))
        })
        .collect()
}

/// Arrays that the read shows and that are too large for a collection.
fn collections(solved: &Solved<'_, '_>, read: ReadId) -> Vec<(String, String)> {
    let context = solved.space.context;
    let Some(read) = context.workload.reads.at(read) else { return Vec::new() };
    let columns = frame::mentioned(read);
    columns
        .filter_map(|column| {
            let source = read.sources.at(column.source)?;
            let entity = context.concept.entities.at(source.entity)?;
            let attribute = entity.attributes.at(column.attribute)?;
            mapping::is_too_large(attribute).then(|| {
                let elements = figures::count(attribute.items.value);
                let bytes = figures::bytes(attribute.items.value * attribute.bytes.value);
                let what = format!("{} with {} as a collection", entity.name, attribute.name);
                let why = format!("{elements} elements and {bytes} that are always read whole");
                (what, why)
            })
        })
        .collect()
}
