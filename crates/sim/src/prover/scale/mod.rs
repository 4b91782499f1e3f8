//! A scaled-down copy of a design, which a proof can run within seconds.
//!
//! The number of shards, the retention at which walks over buckets end and the widths of buckets
//! are parameters of the plans: a design is right for all of them or for none. Where they are so
//! large that a single read would visit thousands of partitions, smaller ones replace them, the
//! same everywhere. Different figures stay different, so that a plan that uses the wrong one is
//! found out.

mod visitor;

use std::collections::{BTreeMap, BTreeSet};

use model::concept::{Concept, DAY};
use model::id::{EntityId, IdList};
use model::plan::{Bucket, Derivation, Design, Loop, Operand};

use crate::proof::{Proof, ScaledFigure};
use crate::subject::ProofSubject;

/// More shards than this are scaled down.
const SHARDS_FEW: u32 = 8;
/// The least number of shards that large ones are scaled to, and the step between different ones.
const SHARDS_LEAST: u32 = 5;
const SHARDS_STEP: u32 = 2;
/// Wider ranges of integers than this are narrowed, to at least this width, in these steps.
const RANGE_WIDE: u64 = 10_000;
const RANGE_LEAST: u64 = 1_000;
const RANGE_STEP: usize = 700;
/// Buckets of more days than this are too long beside hours.
const LONG_BUCKET_DAYS: f64 = 100.0;
/// The buckets of the widest and of the narrowest width that a retention spans, at least.
const WIDEST_SPANNED: f64 = 5.0;
const NARROWEST_SPANNED: f64 = 20.0;

/// The copy, and what is different in it.
pub(super) struct ScaledDesign {
    concept: Concept,
    design: Design,
    figures: Vec<ScaledFigure>,
}

impl ScaledDesign {
    /// The copy of a design.
    pub(super) fn new(subject: ProofSubject<'_>) -> Self {
        let (mut concept, mut design) = (subject.concept.clone(), subject.design.clone());
        let mut figures = scale_shards(&mut design);
        figures.extend(scale_buckets(&mut design));
        figures.extend(scale_retentions(&mut concept, &mut design));
        Self { concept, design, figures }
    }

    /// The subject with the copy in place of the design.
    pub(super) fn subject<'s>(&'s self, subject: ProofSubject<'s>) -> ProofSubject<'s> {
        ProofSubject { concept: &self.concept, design: &self.design, ..subject }
    }

    /// Reports what was scaled, and drops the measures that say nothing about the design.
    pub(super) fn report(self, subject: ProofSubject<'_>, proof: &mut Proof) {
        let Self { design, figures, .. } = self;
        proof.scaled = figures;
        let reads = |read| design.reads.member(read) == subject.design.reads.member(read);
        proof.measured.retain(|measure| reads(measure.read));
        let tables = |table| design.tables.member(table) == subject.design.tables.member(table);
        proof.tables.retain(|measure| tables(measure.table));
    }
}

/// Scales the numbers of shards down.
fn scale_shards(design: &mut Design) -> Vec<ScaledFigure> {
    let mut counts = BTreeSet::new();
    for_each_shard_count(design, &mut |count| {
        counts.insert(*count);
    });
    let large = counts.into_iter().filter(|count| *count > SHARDS_FEW);
    let scaled = (SHARDS_LEAST..).step_by(SHARDS_STEP as usize);
    let scaled: BTreeMap<u32, u32> =
        large.zip(scaled).map(|(from, to)| (from, to.min(from))).collect();
    for_each_shard_count(design, &mut |count| {
        *count = scaled.get(count).copied().unwrap_or(*count);
    });
    scaled.into_iter().map(|(from, to)| ScaledFigure::Shards { from, to }).collect()
}

fn for_each_shard_count(design: &mut Design, change: &mut dyn FnMut(&mut u32)) {
    for column in design.tables.iter_mut().flat_map(|table| &mut table.columns) {
        if let Derivation::Shard { count, .. } = &mut column.derivation {
            change(count);
        }
    }
    visitor::for_each_loop(design, &mut |turn| {
        if let Loop::Shards(count) = turn {
            change(count);
        }
    });
    visitor::for_each_operand(design, &mut |operand| {
        if let Operand::ShardOf(_, count) = operand {
            change(count);
        }
    });
}

/// Narrows wide ranges of integers, so that a few of them can be filled; and the widest buckets of
/// time where others are so narrow that a walk over years of them would not end soon: hours beside
/// years. Their columns keep their type.
fn scale_buckets(design: &mut Design) -> Vec<ScaledFigure> {
    let mut used = BTreeSet::new();
    for_each_width(design, &mut |width| {
        used.insert(*width);
    });
    let is_wide = |width: &Bucket| matches!(width, Bucket::Range(values) if *values > RANGE_WIDE);
    let ranges = used.iter().copied().filter(is_wide);
    let widths = (RANGE_LEAST..).step_by(RANGE_STEP).map(Bucket::Range);
    let mut scaled: BTreeMap<Bucket, Bucket> = ranges.zip(widths).collect();
    let is_hourly = used.iter().any(|width| matches!(width, Bucket::Hours(_)));
    let is_long = |width: &Bucket| width.days().is_some_and(|days| days > LONG_BUCKET_DAYS);
    if is_hourly && used.iter().any(is_long) {
        // The dates among them, each as narrow as it can be without meeting another.
        let is_date = |width: &Bucket| !matches!(width, Bucket::Hours(_) | Bucket::Range(_));
        let narrow = [Bucket::DAY, Bucket::WEEK, Bucket::MONTH, Bucket::YEAR];
        scaled.extend(used.into_iter().filter(is_date).zip(narrow));
    }
    for_each_width(design, &mut |width| {
        *width = scaled.get(width).copied().unwrap_or(*width);
    });
    let changed = scaled.into_iter().filter(|(from, to)| from != to);
    changed.map(|(from, to)| ScaledFigure::Bucket { from, to }).collect()
}

fn for_each_width(design: &mut Design, change: &mut dyn FnMut(&mut Bucket)) {
    for column in design.tables.iter_mut().flat_map(|table| &mut table.columns) {
        if let Derivation::Bucket(_, width)
        | Derivation::Oldest(width)
        | Derivation::Newest(width) = &mut column.derivation
        {
            change(width);
        }
    }
    visitor::for_each_loop(design, &mut |turn| {
        if let Loop::Buckets(walk) = turn {
            change(&mut walk.bucket);
        }
    });
    visitor::for_each_operand(design, &mut |operand| {
        if let Operand::BucketOf(_, width) = operand {
            change(width);
        }
    });
}

/// Shortens the retentions of bucketed tables to a few of their buckets.
fn scale_retentions(concept: &mut Concept, design: &mut Design) -> Vec<ScaledFigure> {
    let widths: Vec<f64> =
        design.tables.iter().filter_map(|table| Some(table.bucket()?.2.days()? * DAY)).collect();
    let (widest, narrowest) = widths
        .iter()
        .fold((0.0_f64, f64::INFINITY), |(most, least), it| (most.max(*it), least.min(*it)));
    if widths.is_empty() {
        return Vec::new();
    }
    let most = (widest * WIDEST_SPANNED).max(narrowest * NARROWEST_SPANNED);
    let mut scaled = BTreeSet::new();
    visitor::for_each_loop(design, &mut |turn| {
        if let Loop::Buckets(walk) = turn
            && let Some(retain) = walk.retain.filter(|retain| *retain > most)
        {
            scaled.insert(retain.to_bits());
            walk.retain = Some(most);
        }
    });
    for at in (0..concept.entities.len()).map(EntityId::new) {
        if let Some(entity) = concept.entities.member_mut(at)
            && let Some(retain) = entity.retain.filter(|retain| *retain > most)
        {
            scaled.insert(retain.to_bits());
            entity.retain = Some(most);
        }
    }
    let from = scaled.into_iter().map(f64::from_bits);
    from.map(|from| ScaledFigure::Retention { from, to: most }).collect()
}
