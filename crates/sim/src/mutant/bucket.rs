//! Mutants of buckets and shards: a bucket off by one, a shard that is not read.
//!
//! One statement computes the bucket of a value with another width; or a walk uses another width,
//! or visits only its newest bucket. The table that records the oldest bucket is left alone: an
//! older entry is harmless.

use model::id::{IdList, LoopId};
use model::plan::{Bucket, BucketWalk, Design, Loop, Operand};

use super::statement::{ReadPlace, read_step_mut, read_steps, statement_mut, write_statements};
use super::{Mutant, OriginalDesign};

const KIND: &str = "a bucket off by one";

pub(super) fn shift_buckets(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (place, statement) in write_statements(of.design) {
        let remembers =
            of.design.tables.member(statement.table).is_some_and(|table| table.remembers.is_some());
        if remembers || !statement.modification.operands().into_iter().any(has_bucket) {
            continue;
        }
        let what = format!(
            "{} writes to the adjacent bucket: {}",
            of.write_name(place.write),
            statement.modification
        );
        mutants.extend(of.build_mutant(KIND, what, |design| {
            change_widths(statement_mut(design, place)?.modification.operands_mut());
            Some(())
        }));
    }
    for (place, step) in read_steps(of.design) {
        if step.select.operands().into_iter().any(has_bucket) {
            let what =
                format!("{} reads the adjacent bucket: {}", requester_name(of, place), step.select);
            mutants.extend(of.build_mutant(KIND, what, |design| {
                change_widths(read_step_mut(design, place)?.select.operands_mut());
                Some(())
            }));
        }
        for (at, turn) in step.loops.enumerate_ids() {
            if let Loop::Buckets(walk) = turn {
                mutants.extend(mutate_walk(of, place, at, walk));
            }
        }
    }
    mutants
}

/// The name of the read or write of a statement.
fn requester_name(of: OriginalDesign<'_>, place: ReadPlace) -> &str {
    match place {
        ReadPlace::Read(read, _) => of.read_name(read),
        ReadPlace::Write(write, _) => of.write_name(write),
    }
}

fn has_bucket(operand: &Operand) -> bool {
    matches!(operand, Operand::BucketOf(..)) || operand.parts().into_iter().any(has_bucket)
}

/// Another width for all buckets of a statement.
fn change_widths(operands: Vec<&mut Operand>) {
    for operand in operands {
        if let Operand::BucketOf(_, width) = operand {
            *width = neighbour_width(*width);
        }
    }
}

/// Another width with a column of the same type.
const fn neighbour_width(width: Bucket) -> Bucket {
    match width {
        Bucket::DAY => Bucket::WEEK,
        Bucket::WEEK | Bucket::YEAR => Bucket::MONTH,
        Bucket::MONTH => Bucket::YEAR,
        Bucket::Hours(count) => Bucket::Hours(count.saturating_mul(2)),
        Bucket::Days(count) => Bucket::Days(count.saturating_mul(2)),
        Bucket::Weeks(count) => Bucket::Weeks(count.saturating_mul(2)),
        Bucket::Months(count) => Bucket::Months(count.saturating_mul(2)),
        Bucket::Range(width) => Bucket::Range(width.saturating_mul(2)),
    }
}

/// Mutants of a walk.
fn mutate_walk(
    of: OriginalDesign<'_>,
    place: ReadPlace,
    at: LoopId,
    walk: &BucketWalk,
) -> Vec<Mutant> {
    let name = requester_name(of, place);
    let change = |what: String, change: &dyn Fn(&mut BucketWalk) -> Option<()>| {
        of.build_mutant(KIND, what, |design| change(walk_mut(design, place, at)?))
    };
    // Between two recorded buckets the walk counts, whatever their width.
    let is_counted = walk.newest.is_some() && walk.from.is_none() && walk.to.is_none();
    let wide = change(format!("{name} walks over buckets of another width"), &|walk| {
        walk.bucket = neighbour_width(walk.bucket);
        Some(())
    });
    let mut mutants: Vec<_> = wide.into_iter().filter(|_| !is_counted).collect();
    if walk.from != walk.to && walk.from.is_some() && walk.to.is_some() {
        mutants.extend(change(format!("{name} walks over its newest bucket only"), &|walk| {
            walk.from = walk.to.clone();
            Some(())
        }));
    }
    mutants
}

fn walk_mut(design: &mut Design, place: ReadPlace, at: LoopId) -> Option<&mut BucketWalk> {
    match read_step_mut(design, place)?.loops.member_mut(at)? {
        Loop::Buckets(walk) => Some(walk),
        _ => None,
    }
}

/// Records the wrong end of the buckets of an integer: the timestamps of the two are confused.
pub(super) fn confuse_ends(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let is_newest = |operand: &&Operand| matches!(operand, Operand::NewestWins(_));
    let statements = write_statements(of.design).into_iter();
    let ends = statements.filter(|(_, it)| it.modification.operands().iter().any(is_newest));
    let confused = ends.filter_map(|(place, statement)| {
        let what = format!(
            "{} lets the oldest bucket win: {}",
            of.write_name(place.write),
            statement.modification
        );
        of.build_mutant("an end of the buckets confused", what, |design| {
            for operand in statement_mut(design, place)?.modification.operands_mut() {
                if let Operand::NewestWins(bucket) = operand {
                    *operand = Operand::OldestWins(bucket.clone());
                }
            }
            Some(())
        })
    });
    confused.collect()
}

/// Omits a shard in reads and writes.
pub(super) fn skip_shards(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    let kind = "a shard not read";
    for (place, step) in read_steps(of.design) {
        let what =
            format!("{} omits a shard of {}", requester_name(of, place), of.table_name(step.table));
        let sharded = step.loops.find_id(is_sharded);
        mutants.extend(sharded.and_then(|at| {
            of.build_mutant(kind, what, |design| {
                drop_shard(read_step_mut(design, place)?.loops.member_mut(at)?)
            })
        }));
    }
    for (place, statement) in write_statements(of.design) {
        let (name, table) = (of.write_name(place.write), of.table_name(statement.table));
        let what = format!("{name} omits a shard of {table}");
        let sharded = statement.loops.find_id(is_sharded);
        mutants.extend(sharded.and_then(|at| {
            of.build_mutant(kind, what, |design| {
                drop_shard(statement_mut(design, place)?.loops.member_mut(at)?)
            })
        }));
    }
    mutants
}

fn is_sharded(turn: &Loop) -> bool {
    matches!(turn, Loop::Shards(count) if *count > 1)
}

fn drop_shard(turn: &mut Loop) -> Option<()> {
    let Loop::Shards(count) = turn else { return None };
    *count = count.checked_sub(1)?;
    Some(())
}
