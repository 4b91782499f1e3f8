//! The value domains of attributes, small enough that equality finds rows and orders have ties.

use cql::types::{NativeType, Type};
use cql::value;
use model::concept::{Attribute, Origin, Skew, ValueLimit};
use model::plan::Bucket;

use super::boundary::{BoundaryLimits, boundary_values};
use super::constraint::AttributeChecks;
use super::limit::fit_value;
use super::random::{Random, to_whole};
use super::time_domain::TimeDomain;
use super::usage::AttributeUsage;
use super::value::{join_parts, nth_value, time_value};
use crate::dataset::Datum;

/// The share of nulls where a column may be null.
const NULL_SHARE: f64 = 0.12;
/// The same where a condition tests it: both answers must have rows.
const TESTED_NULL_SHARE: f64 = 0.5;

/// The values of an attribute.
#[derive(Clone, Debug)]
pub(super) struct ValueDomain {
    ty: Type,
    now: i64,
    /// Values that many rows share, the most popular first; none where any value may occur.
    pool: Vec<Vec<u8>>,
    /// Their popularity: the exponent of Zipf's law.
    skew: f64,
    /// Constants of the workload.
    constants: Vec<Vec<u8>>,
    /// The domain of times, where the values are times.
    times: Option<TimeDomain>,
    /// The width of the range buckets of whole numbers.
    range: Option<u64>,
    /// The share of nulls.
    nulls: f64,
    /// The design assumes it never to be null.
    pub(super) never_null: bool,
    /// The most elements of an array or map.
    items: usize,
    /// What the type says about its values.
    limit: Option<ValueLimit>,
    /// Values at the borders of the type.
    boundaries: Vec<Vec<u8>>,
    /// Their share.
    boundary_share: f64,
}

/// The context of an attribute in its entity.
#[derive(Clone, Copy, Debug)]
pub(super) struct EntityContext {
    /// Which boundary values the attribute may have.
    pub(super) limits: BoundaryLimits,
    /// Rows that the entity is to have.
    pub(super) rows: usize,
    /// The attribute is in a key.
    pub(super) in_key: bool,
    /// It is a whole key.
    pub(super) is_key: bool,
    /// The oldest time, and now.
    pub(super) oldest: i64,
    pub(super) now: i64,
}

impl ValueDomain {
    /// The values of an attribute.
    pub(super) fn new(attribute: &Attribute, usage: &AttributeUsage, about: EntityContext) -> Self {
        let element = match &attribute.ty {
            Type::List(element, _) | Type::Set(element, _) => element.as_ref().clone(),
            other => other.clone(),
        };
        let dates = element == Type::from(NativeType::Date);
        let is_time = matches!(
            element,
            Type::Native(NativeType::Timestamp | NativeType::Date | NativeType::Timeuuid)
        );
        let range = usage.buckets.iter().find_map(|bucket| match bucket {
            Bucket::Range(width) => Some(*width),
            _ => None,
        });
        let nulls = attribute.nullable && !usage.never_null && !about.in_key && !attribute.counter;
        let skew = match attribute.skew {
            Skew::Zipf(exponent) => exponent,
            Skew::Uniform if usage.equality => 0.7,
            Skew::Uniform => 0.2,
        };
        let mut domain = Self {
            ty: attribute.ty.clone(),
            now: about.now,
            pool: Vec::new(),
            skew,
            constants: usage.constants.clone(),
            times: is_time.then(|| TimeDomain::new(&usage.buckets, dates, about.oldest, about.now)),
            range,
            nulls: match (nulls, usage.null_test) {
                (false, _) => 0.0,
                (true, false) => NULL_SHARE,
                (true, true) => TESTED_NULL_SHARE,
            },
            never_null: usage.never_null,
            items: to_whole(attribute.items.value.clamp(1.0, 3.0)) * 2,
            limit: attribute.limit.clone(),
            boundaries: boundary_values(&element, about.limits),
            boundary_share: if about.in_key { 0.03 } else { 0.08 },
        };
        domain.pool = domain.build_pool(attribute, usage, about, &element);
        domain.fit_values();
        domain
    }

    fn build_pool(
        &self,
        attribute: &Attribute,
        usage: &AttributeUsage,
        about: EntityContext,
        element: &Type,
    ) -> Vec<Vec<u8>> {
        let given = attribute.distinct.origin == Origin::Given;
        // Times are arbitrary, unless their distinct values are given.
        let any = about.is_key || (self.times.is_some() && !(given && usage.equality));
        if any {
            return Vec::new();
        }
        let share = if usage.equality || usage.order { about.rows / 6 } else { about.rows / 3 };
        let distinct = if given { to_whole(attribute.distinct.value.max(1.0)) } else { usize::MAX };
        let size = share.clamp(3, 1_000).min(distinct.max(1));
        let mut random = Random::new(0x5eed ^ attribute.name.len() as u64);
        let mut pool: Vec<Vec<u8>> = (0..size as u64)
            .map(|number| match (self.range, &self.times, element) {
                (Some(width), _, _) => range_value(element, width, number, &mut random),
                (_, Some(times), Type::Native(native)) => {
                    time_value(*native, times.draw(&mut random), number)
                }
                _ => nth_value(element, number, self.now),
            })
            .collect();
        for (number, prefix) in (0..4).flat_map(|at| usage.prefixes.iter().map(move |it| (at, it)))
        {
            let ending = nth_value(element, number, self.now);
            pool.insert(0, [prefix.as_slice(), &ending].concat());
        }
        pool.dedup();
        pool
    }

    /// Replaces values that the type does not allow.
    fn fit_values(&mut self) {
        let Some(limit) = &self.limit else { return };
        self.constants.retain(|value| fit_value(limit, value.clone()) == *value);
        for values in [&mut self.pool, &mut self.boundaries] {
            let mut fitting: Vec<Vec<u8>> = Vec::new();
            for value in values.drain(..) {
                let value = fit_value(limit, value);
                if !fitting.contains(&value) {
                    fitting.push(value);
                }
            }
            *values = fitting;
        }
    }

    /// The constants of the workload.
    pub(super) fn constants(&self) -> &[Vec<u8>] {
        &self.constants
    }

    /// Restricts the values to those that meet the checks of the attribute.
    pub(super) fn restrict(&mut self, checks: &AttributeChecks<'_>) {
        self.pool.retain(|value| checks.is_met(value));
        self.constants.retain(|value| checks.is_met(value));
        let more: Vec<_> =
            checks.suggestions().into_iter().filter(|it| !self.pool.contains(it)).collect();
        self.pool.extend(more);
    }

    /// A value, or null.
    pub(super) fn draw(&self, random: &mut Random) -> Datum {
        if random.next_bool(self.nulls) { None } else { Some(self.draw_present(random)) }
    }

    /// A value that is not null.
    pub(super) fn draw_present(&self, random: &mut Random) -> Vec<u8> {
        match &self.ty {
            Type::List(..) => {
                let elements = random.next_below(self.items + 1);
                let parts: Vec<Datum> =
                    (0..elements).map(|_| Some(self.draw_element(random))).collect();
                join_parts(&self.ty, &parts)
            }
            Type::Set(..) => {
                let elements = random.next_below(self.items + 1);
                let parts = (0..elements).map(|_| self.draw_element(random)).collect();
                self.build_set(parts)
            }
            Type::Map(entry, _) => {
                let entries = 1 + random.next_below(self.items) as u64;
                let mut keys: Vec<_> =
                    (0..entries).map(|key| nth_value(&entry.0, key, self.now)).collect();
                keys.sort_by(|one, other| value::compare(&entry.0, one, other));
                keys.dedup();
                let mut parts: Vec<Datum> = Vec::new();
                for key in keys {
                    let worth = nth_value(&entry.1, random.next() % 9, self.now);
                    parts.extend([Some(key), Some(worth)]);
                }
                join_parts(&self.ty, &parts)
            }
            _ => self.draw_element(random),
        }
    }

    fn build_set(&self, mut parts: Vec<Vec<u8>>) -> Vec<u8> {
        if let Type::Set(element, _) = &self.ty {
            parts.sort_by(|one, other| value::compare(element, one, other));
        }
        parts.dedup();
        let parts: Vec<Datum> = parts.into_iter().map(Some).collect();
        join_parts(&self.ty, &parts)
    }

    /// A value of an array's elements; of the attribute itself where it is not an array.
    pub(super) fn draw_element(&self, random: &mut Random) -> Vec<u8> {
        if !self.constants.is_empty()
            && random.next_bool(0.4)
            && let Some(constant) = random.pick(&self.constants)
        {
            return constant.clone();
        }
        if !self.boundaries.is_empty()
            && random.next_bool(self.boundary_share)
            && let Some(boundary) = random.pick(&self.boundaries)
        {
            return boundary.clone();
        }
        let rank = random.next_rank(self.pool.len(), self.skew);
        match self.pool.get(rank) {
            Some(value) => value.clone(),
            None => self.draw_fresh(random),
        }
    }

    /// A time in an older bucket than those of `draw`, or an integer in a lower or higher range.
    pub(super) fn draw_older(&self, random: &mut Random) -> Option<Vec<u8>> {
        let Type::Native(native) = self.ty else { return None };
        if let Some(width) = self.range {
            let width = i64::try_from(width).ok()?;
            let bucket = random.pick(&[-2, -1, 7, 8]).copied()?;
            let inside = random.next_between(0, width.saturating_sub(1));
            let whole = width.checked_mul(bucket)?.checked_add(inside)?;
            return value::from_text(&self.ty, &whole.to_string(), 0).ok();
        }
        let millis = self.times.as_ref()?.draw_older(random)?;
        Some(time_value(native, millis, random.next()))
    }

    /// A value that is very likely new.
    pub(super) fn draw_fresh(&self, random: &mut Random) -> Vec<u8> {
        let value = self.draw_any(random);
        match &self.limit {
            Some(limit) => fit_value(limit, value),
            None => value,
        }
    }

    fn draw_any(&self, random: &mut Random) -> Vec<u8> {
        let ty = match &self.ty {
            Type::List(element, _) | Type::Set(element, _) => element,
            other => other,
        };
        match (&self.times, self.range, ty) {
            (Some(times), _, Type::Native(native)) => {
                let millis = times.draw_fresh(random);
                time_value(*native, millis, random.next())
            }
            (_, Some(width), _) => {
                let number = random.next();
                range_value(ty, width, number, random)
            }
            _ => nth_value(ty, random.next() | 1 << 62, self.now),
        }
    }
}

/// A whole number at the border of a range or inside it; every fourth range is left empty.
fn range_value(ty: &Type, width: u64, number: u64, random: &mut Random) -> Vec<u8> {
    let range = number % 6;
    let range = if range == 3 { 6 } else { range };
    let start = range.saturating_mul(width);
    let whole = match number / 6 % 3 {
        0 => start,
        1 => start.saturating_add(width.saturating_sub(1)),
        _ => start.saturating_add(random.next() % width.max(1)),
    };
    nth_value(ty, whole, 0)
}
