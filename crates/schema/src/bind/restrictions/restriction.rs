//! [`Restriction`]: the condition of one or several merged relations on a column, or on a tuple of
//! columns.

use cql::Span;

use crate::Result;
use crate::bind::function::evaluate;
use crate::bind::term::BoundTerm;

/// A restriction of a column or, by a tuple relation, of several clustering columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Restriction {
    /// The columns, as positions among the table's columns, in key order.
    pub columns: Vec<usize>,
    /// Whether it came from a tuple relation, at least in part.
    pub multi_column: bool,
    /// The operator with its operands.
    pub kind: RestrictionKind,
    /// The relation it came from; after a merge, the last one.
    pub span: Span,
}

/// The kinds of restrictions.
#[derive(Clone, Debug, PartialEq)]
pub enum RestrictionKind {
    /// `=`; also IN with a single value.
    Equal(Operand),
    /// `IN` with no value, several values or a marker.
    In(InList),
    /// `<`, `<=`, `>`, `>=`, one or both sides.
    Slice(Slice),
    /// `CONTAINS`, `CONTAINS KEY` and `map[key] = value`, any number of them.
    Contains(ContainsRestriction),
    /// `LIKE`
    Like(BoundTerm),
    /// `ORDER BY column ANN OF vector`
    Nearest(BoundTerm),
}

/// A value for one or several columns.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A term for each column; a bound of a merged slice may have fewer than the slice has columns.
    Terms(Vec<BoundTerm>),
    /// A marker that is bound to a whole tuple.
    TupleMarker(u32),
}

impl Operand {
    /// The terms; a marker for a whole tuple has none.
    pub fn terms(&self) -> &[BoundTerm] {
        if let Self::Terms(terms) = self { terms } else { &[] }
    }
}

/// The right side of an IN restriction.
#[derive(Clone, Debug, PartialEq)]
pub enum InList {
    /// The values, as written.
    Values(Vec<Operand>),
    /// A marker that is bound to the list.
    Marker(u32),
}

/// A range of values with one or two ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slice {
    /// The lower end, in the order of the type (not of the table's clustering order).
    pub start: Option<SliceBound>,
    /// The upper end.
    pub end: Option<SliceBound>,
}

impl Slice {
    /// The values of its ends.
    pub fn operands(&self) -> impl Iterator<Item = &Operand> {
        [&self.start, &self.end].into_iter().flatten().map(|bound| &bound.value)
    }
}

/// One end of a slice.
#[derive(Clone, Debug, PartialEq)]
pub struct SliceBound {
    /// The value of the bound.
    pub value: Operand,
    /// Whether the value itself belongs to the slice.
    pub inclusive: bool,
}

/// What a collection must contain, all of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContainsRestriction {
    /// Elements of a list or set, values of a map.
    pub values: Vec<BoundTerm>,
    /// Keys of a map.
    pub keys: Vec<BoundTerm>,
    /// Entries of a map.
    pub entries: Vec<(BoundTerm, BoundTerm)>,
}

impl ContainsRestriction {
    /// The number of values, keys and entries.
    pub fn len(&self) -> usize {
        self.values.len() + self.keys.len() + self.entries.len()
    }

    /// Whether it has no values, keys and entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Restriction {
    /// Evaluates the function calls among its terms, for their errors.
    pub(in crate::bind) fn check_calls(&self) -> Result<()> {
        self.terms().into_iter().try_for_each(|term| evaluate(term, self.span).map(drop))
    }

    /// Its terms, in the order written.
    pub fn terms(&self) -> Vec<&BoundTerm> {
        let operands: Vec<&Operand> = match &self.kind {
            RestrictionKind::Equal(operand) => vec![operand],
            RestrictionKind::In(InList::Values(operands)) => operands.iter().collect(),
            RestrictionKind::In(InList::Marker(_)) => Vec::new(),
            RestrictionKind::Slice(slice) => slice.operands().collect(),
            RestrictionKind::Contains(contains) => {
                let entries = contains.entries.iter().flat_map(|(key, value)| [key, value]);
                return contains.values.iter().chain(&contains.keys).chain(entries).collect();
            }
            RestrictionKind::Like(term) | RestrictionKind::Nearest(term) => return vec![term],
        };
        operands.into_iter().flat_map(Operand::terms).collect()
    }

    /// The values that it lists: that of `=`, those of IN.
    pub fn choices(&self) -> &[Operand] {
        match &self.kind {
            RestrictionKind::Equal(operand) => std::slice::from_ref(operand),
            RestrictionKind::In(InList::Values(operands)) => operands,
            _ => &[],
        }
    }

    /// Its range, if it is one.
    pub fn range(&self) -> Option<&Slice> {
        if let RestrictionKind::Slice(slice) = &self.kind { Some(slice) } else { None }
    }

    /// The first of its columns.
    pub fn first_column(&self) -> usize {
        self.columns.first().copied().unwrap_or_default()
    }

    /// The last of its columns.
    pub fn last_column(&self) -> usize {
        self.columns.last().copied().unwrap_or_default()
    }

    /// Whether it is `=`.
    pub fn is_equal(&self) -> bool {
        matches!(self.kind, RestrictionKind::Equal(_))
    }

    /// Whether it is IN.
    pub fn is_in(&self) -> bool {
        matches!(self.kind, RestrictionKind::In(_))
    }

    /// Whether it is a range.
    pub fn is_slice(&self) -> bool {
        matches!(self.kind, RestrictionKind::Slice(_))
    }

    /// Whether it is CONTAINS, CONTAINS KEY or an entry of a map.
    pub fn is_contains(&self) -> bool {
        matches!(self.kind, RestrictionKind::Contains(_))
    }

    /// Whether it is LIKE.
    pub fn is_like(&self) -> bool {
        matches!(self.kind, RestrictionKind::Like(_))
    }

    /// Whether it is an ordering by ANN.
    pub(crate) fn is_nearest(&self) -> bool {
        matches!(self.kind, RestrictionKind::Nearest(_))
    }
}
