//! References between entities, with their fan-out.

use cql::Span;

use super::{Entity, GrowthCurve, Origin, Skew};
use crate::id::{AttributeId, EntityId};

/// A foreign key.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The attributes that refer, as positions among those of the entity that holds the reference.
    pub attributes: Vec<AttributeId>,
    /// The entity referred to.
    pub target: EntityId,
    /// The attributes referred to, pairwise with `attributes`.
    pub target_attributes: Vec<AttributeId>,
    /// Whether it may be null.
    pub nullable: bool,
    /// `ON DELETE`: what becomes of the rows that refer to a row that is deleted.
    pub on_delete: ReferenceAction,
    /// `ON UPDATE`: what becomes of the rows that refer to a row whose key changes.
    pub on_update: ReferenceAction,
    /// Rows of the entity that holds the reference, per row referred to.
    pub fan_out: FanOut,
    /// How they grow.
    pub course: FanOutCourse,
    /// Popularity of the rows referred to in reads and writes.
    pub skew: Skew,
    /// `@relation`: the verb between the two entities, as in "users post videos".
    pub relation: Option<String>,
    /// Where it stands.
    pub span: Span,
}

/// What a foreign key does with rows whose target goes or changes its key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ReferenceAction {
    /// Nothing: there must be no such rows when the statement ends.
    #[default]
    NoAction,
    /// Nothing: there must be no such rows.
    Restrict,
    /// They are deleted, or follow the key.
    Cascade,
    /// They refer to nothing.
    SetNull,
    /// Their columns get their defaults.
    SetDefault,
}

impl ReferenceAction {
    /// Whether it changes the rows that refer, rather than forbids them.
    pub const fn is_change(self) -> bool {
        matches!(self, Self::Cascade | Self::SetNull | Self::SetDefault)
    }

    /// How SQL writes it.
    pub const fn text(self) -> &'static str {
        match self {
            Self::NoAction => "NO ACTION",
            Self::Restrict => "RESTRICT",
            Self::Cascade => "CASCADE",
            Self::SetNull => "SET NULL",
            Self::SetDefault => "SET DEFAULT",
        }
    }
}

/// How many rows refer to one row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FanOut {
    /// On average.
    pub mean: f64,
    /// At the 99th percentile of the rows referred to.
    pub p99: f64,
    /// At the 99.9th percentile, where it is given; else it follows from p99 and max.
    pub p999: Option<f64>,
    /// At most.
    pub max: f64,
    /// Seconds that the figures are counted over (`3/day`: 86,400): they grow. `None`: they are
    /// totals.
    pub per: Option<f64>,
    /// Where the figures come from.
    pub origin: Origin,
}

/// The course of a fan-out that grows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FanOutCourse {
    /// Rows of today, on average, where those at dates are given.
    pub today: Option<f64>,
    /// The course of the growth.
    pub curve: GrowthCurve,
}

impl FanOutCourse {
    /// Lets an entity grow along the course; what contradicts that, with advice.
    pub(crate) fn apply_to(self, entity: &mut Entity) -> Result<(), (&'static str, &'static str)> {
        if self.curve.is_linear() || self.curve == entity.curve {
            return Ok(());
        }
        if entity.grows.origin == Origin::Given || !entity.curve.is_linear() {
            return Err(("@each and another directive both give the growth", "remove one of them"));
        }
        if self.today.is_some() && entity.retain.is_some() {
            let help = "write rates: the rows that expire are as many as those added";
            return Err(("@each gives dates, but the rows of the table expire", help));
        }
        entity.curve = self.curve;
        Ok(())
    }
}

impl Reference {
    /// Whether at most one row of `entity`, which holds the reference, refers to any row: its
    /// attributes hold a key.
    pub fn is_unique(&self, entity: &Entity) -> bool {
        let held =
            |key: &Vec<AttributeId>| key.iter().all(|column| self.attributes.contains(column));
        entity.keys.iter().any(held)
    }
}

impl FanOut {
    /// The 99.9th percentile among `parents` rows referred to: as given, else interpolated between
    /// p99 and max, linearly in the logarithm of the rarity.
    pub fn p999(&self, parents: f64) -> f64 {
        if let Some(given) = self.p999 {
            return given;
        }
        if parents <= 1_000.0 || self.p99 <= 0.0 {
            return self.max;
        }
        let share = (1.0 / (parents.log10() - 2.0)).min(1.0);
        self.p99 * (self.max / self.p99).powf(share)
    }
}
