//! What no price makes possible: ways that violate a limit, the chosen tables without their split,
//! arrays too large for a collection.

use model::figures;
use model::id::{IdList, ReadId};
use model::plan::{NoteSubject, RejectedAlternative};

use super::program::DemandKind;
use super::rejections::describe_way;
use super::ways::bounds;
use super::{SearchSolution, one_line};
use crate::partition_split::columns;
use crate::{candidate, mapping, volume};

/// The number listed for each read and kind.
const LISTED: usize = 6;

/// The exclusions of a read, each once.
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

/// The split tables that the read uses, as they would be without the split.
fn unsplit_tables(solved: &SearchSolution<'_, '_>, read: ReadId) -> Vec<(String, String)> {
    let context = solved.space.context;
    let taken = solved.built.demands.iter().zip(&solved.solution.ways);
    let mains = taken.filter_map(|(kind, way)| {
        let DemandKind::Read(read_demand, ways) = kind else { return None };
        let way = ways.member((*way)?)?;
        if read_demand.of == read { way.main.as_ref() } else { None }
    });
    mains
        .filter_map(|main| {
            let candidate = solved.space.candidates.member(main.candidate)?;
            let mut whole = columns::unsplit(&candidate.unsplit_table(context, &main.columns));
            whole.volume = volume::estimate_volume(context, &whole);
            let figure = bounds::limit_violation(context, &whole)?;
            Some((format!("{}: not split", one_line::describe_table(solved.space, &whole)), figure))
        })
        .collect()
}

/// Arrays that the read returns and that are too large for a collection.
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
