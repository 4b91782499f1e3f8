//! Buckets off by one, and shards that are not read.
//!
//! A bucket of another width is found for a value, in one statement; or a walk is over buckets of another width, or is over one
//! of its ends only. What remembers the oldest bucket is left alone: an older one is no harm.

use model::id::{LoopId, Numbered};
use model::plan::{Bucket, Design, Loop, Operand, Walk};

use super::statement::{ReadPlace, reading, reading_mut, statement_mut, written};
use super::{Mutant, Original};

const KIND: &str = "a bucket off by one";

pub(super) fn off_by_one(of: Original<'_>) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (place, statement) in written(of.design) {
        let remembers =
            of.design.tables.at(statement.table).is_some_and(|table| table.remembers.is_some());
        if remembers || !statement.modification.operands().into_iter().any(has_bucket) {
            continue;
        }
        let what = format!(
            "{} writes to the bucket beside: {}",
            of.write_name(place.write),
            statement.modification
        );
        mutants.extend(of.mutant(KIND, what, |design| {
            change_all(statement_mut(design, place)?.modification.operands_mut())
        }));
    }
    for (place, step) in reading(of.design) {
        if step.select.operands().into_iter().any(has_bucket) {
            let what = format!("{} reads the bucket beside: {}", asker(of, place), step.select);
            mutants.extend(of.mutant(KIND, what, |design| {
                change_all(reading_mut(design, place)?.select.operands_mut())
            }));
        }
        for (at, turn) in step.loops.numbered() {
            if let Loop::Buckets(walk) = turn {
                mutants.extend(walks(of, place, at, walk));
            }
        }
    }
    mutants
}

/// Who asks.
fn asker(of: Original<'_>, place: ReadPlace) -> &str {
    match place {
        ReadPlace::Read(read, _) => of.read_name(read),
        ReadPlace::Write(write, _) => of.write_name(write),
    }
}

fn has_bucket(operand: &Operand) -> bool {
    matches!(operand, Operand::BucketOf(..)) || operand.parts().into_iter().any(has_bucket)
}

/// Another width for all buckets of a statement.
fn change_all(operands: Vec<&mut Operand>) -> Option<()> {
    for operand in operands {
        if let Operand::BucketOf(_, width) = operand {
            *width = beside(*width)?;
        }
    }
    Some(())
}

/// A width whose buckets are other ones, in a value of the same type; there is none beside an hour.
const fn beside(width: Bucket) -> Option<Bucket> {
    match width {
        Bucket::Hour => None,
        Bucket::Day => Some(Bucket::Week),
        Bucket::Week | Bucket::Year => Some(Bucket::Month),
        Bucket::Month => Some(Bucket::Year),
        Bucket::Range(width) => Some(Bucket::Range(width.saturating_mul(2))),
    }
}

/// A walk that does not go where it must.
fn walks(of: Original<'_>, place: ReadPlace, at: LoopId, walk: &Walk) -> Vec<Mutant> {
    let name = asker(of, place);
    let change = |what: String, change: &dyn Fn(&mut Walk) -> Option<()>| {
        of.mutant(KIND, what, |design| change(walk_mut(design, place, at)?))
    };
    let wide = change(format!("{name} walks over buckets of another width"), &|walk| {
        walk.bucket = beside(walk.bucket)?;
        Some(())
    });
    let mut mutants: Vec<_> = wide.into_iter().collect();
    if walk.from != walk.to && walk.from.is_some() && walk.to.is_some() {
        mutants.extend(change(format!("{name} walks over its newest bucket only"), &|walk| {
            walk.from = walk.to.clone();
            Some(())
        }));
    }
    mutants
}

fn walk_mut(design: &mut Design, place: ReadPlace, at: LoopId) -> Option<&mut Walk> {
    match reading_mut(design, place)?.loops.at_mut(at)? {
        Loop::Buckets(walk) => Some(walk),
        _ => None,
    }
}

/// A shard that is not read, or not written.
pub(super) fn shards_unread(of: Original<'_>) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    let kind = "a shard not read";
    for (place, step) in reading(of.design) {
        let what =
            format!("{} leaves a shard of {} out", asker(of, place), of.table_name(step.table));
        let sharded = step.loops.find_id(is_sharded);
        mutants.extend(sharded.and_then(|at| {
            of.mutant(kind, what, |design| one_less(reading_mut(design, place)?.loops.at_mut(at)?))
        }));
    }
    for (place, statement) in written(of.design) {
        let (name, table) = (of.write_name(place.write), of.table_name(statement.table));
        let what = format!("{name} leaves a shard of {table} out");
        let sharded = statement.loops.find_id(is_sharded);
        mutants.extend(sharded.and_then(|at| {
            of.mutant(kind, what, |design| {
                one_less(statement_mut(design, place)?.loops.at_mut(at)?)
            })
        }));
    }
    mutants
}

fn is_sharded(turn: &Loop) -> bool {
    matches!(turn, Loop::Shards(count) if *count > 1)
}

fn one_less(turn: &mut Loop) -> Option<()> {
    let Loop::Shards(count) = turn else { return None };
    *count = count.checked_sub(1)?;
    Some(())
}
