//! The substitution of values in WHERE clauses.

use std::sync::Arc;

use cql::types::Type;
use cql::value::{self, TruncatedPart, ValueError};

use super::BindValue;
use super::value::{ExecutionValues, is_empty, unset_to_empty};
use crate::bind::restrictions::{
    ContainsRestriction, InList, Operand, PartitionRestrictions, Restriction, RestrictionKind,
    Restrictions, Slice, SliceBound, TokenRestriction, TokenRestrictionKind,
};
use crate::bind::select::row_filter;
use crate::bind::term::BoundTerm;
use crate::catalog::Table;
use crate::refusal::{FormatReason, ValueReason, refuse};
use crate::{Reason, Result};

/// The restrictions with values. Those in the row filter come first, as in the server.
pub(super) fn restrictions(
    values: &ExecutionValues<'_>,
    from: &Restrictions,
) -> Result<Restrictions> {
    let filtered = row_filter::expressions(from);
    let kind = |one: &Restriction| {
        let is_filtered = from.select(&filtered).any(|restriction| std::ptr::eq(restriction, one));
        RestrictionSubstitution { values, table: &from.table, restriction: one, is_filtered }.kind()
    };
    let others = from.others.map(kind)?;
    let columns = from.partition.columns.map(kind)?;
    let clustering = from.clustering.map(kind)?;
    let token = from.partition.token.as_ref().map(|token| token_restriction(values, token));
    Ok(Restrictions {
        statement: from.statement,
        table: Arc::clone(&from.table),
        partition: PartitionRestrictions { columns, token: token.transpose()? },
        clustering,
        others,
        not_null: from.not_null.clone(),
        filters: from.filters,
        uses_index: from.uses_index,
        is_key_range: from.is_key_range,
    })
}

/// A restriction whose values are substituted.
struct RestrictionSubstitution<'a> {
    values: &'a ExecutionValues<'a>,
    table: &'a Table,
    restriction: &'a Restriction,
    is_filtered: bool,
}

impl RestrictionSubstitution<'_> {
    fn kind(&self) -> Result<RestrictionKind> {
        Ok(match &self.restriction.kind {
            RestrictionKind::Equal(operand) => RestrictionKind::Equal(self.operand(operand)?),
            RestrictionKind::In(InList::Values(operands)) => {
                let operands = operands.iter().map(|operand| self.choice(operand));
                RestrictionKind::In(InList::Values(operands.collect::<Result<_>>()?))
            }
            RestrictionKind::In(InList::Marker(marker)) => {
                RestrictionKind::In(InList::Values(self.list(*marker)?))
            }
            RestrictionKind::Slice(slice) => RestrictionKind::Slice(Slice {
                start: self.slice_bound(slice.start.as_ref())?,
                end: self.slice_bound(slice.end.as_ref())?,
            }),
            RestrictionKind::Contains(contains) => {
                RestrictionKind::Contains(self.contains(contains)?)
            }
            RestrictionKind::Like(term) => RestrictionKind::Like(self.filter_term(term, "value")?),
            RestrictionKind::Nearest(term) => {
                RestrictionKind::Nearest(self.filter_term(term, "value")?)
            }
        })
    }

    fn slice_bound(&self, bound: Option<&SliceBound>) -> Result<Option<SliceBound>> {
        let Some(bound) = bound else { return Ok(None) };
        Ok(Some(SliceBound { value: self.operand(&bound.value)?, inclusive: bound.inclusive }))
    }

    fn operand(&self, operand: &Operand) -> Result<Operand> {
        match operand {
            Operand::Terms(terms) => {
                let terms = self.values.terms(terms)?;
                match terms.iter().position(|term| *term == BoundTerm::Unset) {
                    Some(at) => self.refuse_unset(at),
                    None => Ok(Operand::Terms(terms)),
                }
            }
            Operand::TupleMarker(marker) => self.tuple(*marker),
        }
    }

    /// A value of an IN. The server does not check for unset values in INs of the row filter.
    fn choice(&self, operand: &Operand) -> Result<Operand> {
        match operand {
            Operand::Terms(terms) if self.is_filtered && !self.restriction.multi_column => {
                let terms = self.values.terms(terms)?;
                Ok(Operand::Terms(terms.into_iter().map(unset_to_empty).collect()))
            }
            _ => self.operand(operand),
        }
    }

    fn refuse<T>(&self, reason: impl Into<Reason>) -> Result<T> {
        refuse(reason, self.restriction.span)
    }

    fn refuse_unset<T>(&self, at: usize) -> Result<T> {
        if self.restriction.multi_column {
            return self.refuse(ValueReason::UnsetTupleField { position: at.to_string() });
        }
        let how = if self.is_filtered { "Unsupported" } else { "Invalid" };
        self.refuse(ValueReason::UnsetColumn { how: how.to_string(), columns: self.names() })
    }

    /// The columns, as listed in messages.
    fn names(&self) -> String {
        let columns = self.restriction.columns.iter();
        let names = columns.filter_map(|column| self.table.columns().get(*column));
        names.map(|column| &*column.name).collect::<Vec<_>>().join(",")
    }

    /// A whole tuple.
    fn tuple(&self, marker: u32) -> Result<Operand> {
        let values = self.values;
        match values.raw_value(marker) {
            BindValue::Unset => self.refuse(ValueReason::UnsetTuple { columns: self.names() }),
            BindValue::Null => Err(values.failure(self.null_tuple()).into()),
            BindValue::Bytes(bytes) => self.components(values.ty(marker), bytes),
        }
    }

    fn null_tuple(&self) -> ValueReason {
        if self.restriction.is_slice() {
            ValueReason::NullSliceTuple
        } else {
            ValueReason::NullTuple
        }
    }

    /// The components of a tuple value.
    fn components(&self, ty: Option<&Type>, bytes: &[u8]) -> Result<Operand> {
        let Some(ty @ Type::Tuple(types)) = ty else { return Ok(Operand::Terms(Vec::new())) };
        let values = self.values;
        let parts = value::split(ty, bytes).map_err(|error| {
            // Here the server does not distinguish a missing length from a missing part.
            let error = match error {
                ValueError::Truncated(part) => {
                    ValueError::Truncated(TruncatedPart { in_length: false, ..part })
                }
                other => other,
            };
            Box::new(values.marshal_failure(&error))
        })?;
        let used: usize = parts.iter().map(|part| 4 + part.map_or(0, <[u8]>::len)).sum();
        if used < bytes.len() {
            let text = format!("Expected {} values for {ty} column, but got more", types.len());
            return Err(values.marshal_failure(&ValueError::Marshal(text)).into());
        }
        for (ty, part) in types.iter().zip(&parts) {
            let wrong = part.and_then(|bytes| value::validate(ty, bytes).err());
            if let Some(error) = wrong {
                return self.refuse(FormatReason::Value(error));
            }
        }
        let term = |part: Option<&[u8]>| BoundTerm::Value(part.map(Into::into));
        Ok(Operand::Terms(parts.into_iter().map(term).collect()))
    }

    /// `IN ?`
    fn list(&self, marker: u32) -> Result<Vec<Operand>> {
        let several = self.restriction.multi_column;
        let names = self.names();
        let bytes = match self.values.marker(marker)? {
            BoundTerm::Value(Some(bytes)) => bytes,
            BoundTerm::Unset if several => {
                return self.refuse(ValueReason::UnsetIn { columns: names });
            }
            BoundTerm::Unset => {
                return self.refuse(ValueReason::UnsetInColumn { columns: names });
            }
            _ if several => return self.refuse(ValueReason::NullIn),
            _ => return self.refuse(ValueReason::NullColumn { columns: names }),
        };
        let Some(ty @ Type::List(element, _)) = self.values.ty(marker) else {
            return Ok(Vec::new());
        };
        let parts = value::split(ty, &bytes).unwrap_or_default();
        let component = |part: Option<&[u8]>| match part {
            Some(tuple) if several => self.components(Some(element), tuple),
            None if several => Err(self.values.failure(ValueReason::NullTupleInList).into()),
            part => Ok(Operand::Terms(vec![BoundTerm::Value(part.map(Into::into))])),
        };
        parts.into_iter().map(component).collect()
    }

    fn contains(&self, from: &ContainsRestriction) -> Result<ContainsRestriction> {
        let all = |terms: &[BoundTerm]| {
            terms.iter().map(|term| self.filter_term(term, "value")).collect::<Result<_>>()
        };
        let entry = |(key, value): &(BoundTerm, BoundTerm)| {
            Ok((self.filter_term(key, "map key")?, self.filter_term(value, "map value")?))
        };
        Ok(ContainsRestriction {
            values: all(&from.values)?,
            keys: all(&from.keys)?,
            entries: from.entries.iter().map(entry).collect::<Result<_>>()?,
        })
    }

    fn filter_term(&self, term: &BoundTerm, what: &str) -> Result<BoundTerm> {
        match self.values.term(term)? {
            BoundTerm::Unset => self
                .refuse(ValueReason::UnsetPart { what: what.to_string(), columns: self.names() }),
            term => Ok(term),
        }
    }
}

/// A token restriction. An empty value cannot be decoded as a token.
fn token_restriction(
    values: &ExecutionValues<'_>,
    from: &TokenRestriction,
) -> Result<TokenRestriction> {
    let term = |term: &BoundTerm| match unset_to_empty(values.term(term)?) {
        term if is_empty(&term) => Err(values.failure(ValueReason::OutOfBounds).into()),
        term => Ok(term),
    };
    let bound = |bound: &Option<SliceBound>| -> Result<Option<SliceBound>> {
        let Some(SliceBound { value: Operand::Terms(terms), inclusive }) = bound else {
            return Ok(bound.clone());
        };
        let terms = terms.iter().map(term).collect::<Result<_>>()?;
        Ok(Some(SliceBound { value: Operand::Terms(terms), inclusive: *inclusive }))
    };
    let kind = match &from.kind {
        TokenRestrictionKind::Equal(value) => TokenRestrictionKind::Equal(term(value)?),
        TokenRestrictionKind::Slice(slice) => TokenRestrictionKind::Slice(Slice {
            start: bound(&slice.start)?,
            end: bound(&slice.end)?,
        }),
    };
    Ok(TokenRestriction { kind, span: from.span })
}
