//! What no price makes possible: ways beyond a bound, the tables chosen as they would be unsplit, arrays that are too large.

use model::figures;
use model::id::{IdList, ReadId};
use model::plan::{NoteSubject, RejectedAlternative};

use super::program::DemandKind;
use super::rejections::describe_way;
use super::ways::bounds;
use super::{SearchSolution, one_line};
use crate::{candidate, mapping, volume};

/// Of each kind that many are listed for a read.
const LISTED: usize = 6;

/// What is forbidden for a read, each thing once.
pub(super) fn find_exclusions(
    solved: &SearchSolution<'_, '_>,
    read: ReadId,
) -> Vec<RejectedAlternative> {
    let about = NoteSubject::Read(read);
    let rejected = |(what, because): (String, String)| RejectedAlternative {
        about,
        what,
        price: f64::INFINITY,
        because,
    };
    let here = solved.built.exclusions.iter().filter(|(of, ..)| *of == read);
    let mut all: Vec<(String, String)> =
        here.map(|(_, way, figure)| (describe_way(solved, way), figure.clone())).collect();
    all.sort();
    all.dedup_by(|one, other| one.0 == other.0);
    all.truncate(LISTED);
    let mut whole = unsplit_tables(solved, read);
    whole.extend(large_collections(solved, read));
    whole.sort();
    whole.dedup();
    all.extend(whole);
    all.into_iter().map(rejected).collect()
}

/// The tables that the read uses and that are split, as one partition for each value of their key.
fn unsplit_tables(solved: &SearchSolution<'_, '_>, read: ReadId) -> Vec<(String, String)> {
    let context = solved.space.context;
    let taken = solved.built.demands.iter().zip(&solved.solution.ways);
    let mains = taken.filter_map(|(asked, way)| {
        let DemandKind::Read(question, ways) = asked else { return None };
        let way = ways.member((*way)?)?;
        if question.of == read { way.main.as_ref() } else { None }
    });
    mains
        .filter_map(|main| {
            let frame = solved.space.candidates.member(main.frame)?;
            let mut whole = frame.unsplit_table(context, &main.columns);
            whole.volume = volume::estimate_volume(context, &whole);
            let figure = bounds::limit_violation(context, &whole)?;
            Some((
                format!("{}: not split", one_line::describe_table(context.concept, &frame.table)),
                figure,
            ))
        })
        .collect()
}

/// Arrays that the read shows and that are too large for a collection.
fn large_collections(solved: &SearchSolution<'_, '_>, read: ReadId) -> Vec<(String, String)> {
    let context = solved.space.context;
    let Some(read) = context.workload.reads.member(read) else { return Vec::new() };
    let columns = candidate::columns_used(read);
    columns
        .filter_map(|column| {
            let source = read.sources.member(column.source)?;
            let entity = context.concept.entities.member(source.entity)?;
            let attribute = entity.attributes.member(column.attribute)?;
            mapping::is_too_large(attribute).then(|| {
                let elements = figures::format_count(attribute.items.value);
                let bytes = figures::format_bytes(attribute.items.value * attribute.bytes.value);
                let what = format!("{} with {} as a collection", entity.name, attribute.name);
                let why = format!("{elements} elements and {bytes}, always read as a whole");
                (what, why)
            })
        })
        .collect()
}
