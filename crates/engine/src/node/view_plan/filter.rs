//! The WHERE clause of a view: which rows of the base table are in it. It restricts key columns
//! only; `IS NOT NULL` on other columns has no effect.

use std::cmp::Ordering;

use cql::Span;
use cql::types::Type;
use cql::value::{compare, split};
use schema::bind::context::Context;
use schema::bind::restrictions::{
    self, ContainsRestriction, InList, Operand, Restriction, RestrictionKind, SliceBound,
    StatementType, WhereClause,
};
use schema::bind::term::BoundTerm;
use schema::catalog::View;

use crate::error::Result;
use crate::function::{self, Env};
use crate::node::handle::TableHandle;
use crate::node::schema::Schema;

/// The conditions of a view on the key of a base row.
#[derive(Debug)]
pub(super) struct ViewFilter {
    restrictions: Vec<Restriction>,
    /// The types of the base table's key columns.
    types: Vec<Type>,
    partition_columns: usize,
}

impl ViewFilter {
    pub(super) fn new(
        env: &Env<'_>,
        schema: &Schema,
        base: &TableHandle,
        view: &View,
    ) -> Result<Self> {
        let table = &base.definition;
        let clause = WhereClause {
            statement: StatementType::Select,
            table,
            relations: &view.relations,
            orderings: &[],
            only_statics: false,
            allow_filtering: true,
            for_view: true,
        };
        let keyspace = Some(&*table.keyspace);
        let mut context = Context::for_schema(&schema.catalog, keyspace, Span::default());
        let analysed = restrictions::analyse(&mut context, clause)?;
        let partition = analysed.partition.columns.restrictions.into_iter();
        let mut restrictions: Vec<Restriction> =
            partition.chain(analysed.clustering.restrictions).collect();
        for term in restrictions.iter_mut().flat_map(terms) {
            *term = BoundTerm::Value(function::evaluate(term, env)?.map(Into::into));
        }
        Ok(Self {
            restrictions,
            types: table.primary_key().iter().map(|column| column.ty.clone()).collect(),
            partition_columns: table.partition_key().len(),
        })
    }

    /// Whether it restricts the partition key only.
    pub(super) fn is_partition_only(&self) -> bool {
        self.restrictions
            .iter()
            .all(|restriction| restriction.last_column() < self.partition_columns)
    }

    /// Whether the values of the first key columns satisfy it.
    pub(super) fn matches(&self, values: &[Option<&[u8]>]) -> bool {
        let known =
            self.restrictions.iter().filter(|restriction| restriction.last_column() < values.len());
        known.into_iter().all(|restriction| self.matches_restriction(restriction, values))
    }

    fn matches_restriction(&self, restriction: &Restriction, values: &[Option<&[u8]>]) -> bool {
        let columns: Option<Vec<(&Type, &[u8])>> = restriction
            .columns
            .iter()
            .map(|at| Some((self.types.get(*at)?, values.get(*at).copied().flatten()?)))
            .collect();
        let Some(columns) = columns else { return false };
        let order = |operand: &Operand| compare_operand(&columns, operand);
        let is_equal = |operand: &Operand| order(operand) == Some(Ordering::Equal);
        match &restriction.kind {
            RestrictionKind::Equal(operand) => is_equal(operand),
            RestrictionKind::In(InList::Values(operands)) => operands.iter().any(is_equal),
            RestrictionKind::Slice(slice) => {
                let inside = |bound: &Option<SliceBound>, side: Ordering| {
                    bound.as_ref().is_none_or(|bound| match order(&bound.value) {
                        Some(Ordering::Equal) => bound.inclusive,
                        other => other == Some(side),
                    })
                };
                inside(&slice.start, Ordering::Greater) && inside(&slice.end, Ordering::Less)
            }
            RestrictionKind::Contains(contains) => {
                columns.first().is_some_and(|(ty, value)| contains_all(ty, value, contains))
            }
            RestrictionKind::In(InList::Marker(_))
            | RestrictionKind::Like(_)
            | RestrictionKind::Nearest(_) => false,
        }
    }
}

/// The terms of a restriction; function calls among them are evaluated once.
fn terms(restriction: &mut Restriction) -> Vec<&mut BoundTerm> {
    let operands: Vec<&mut Operand> = match &mut restriction.kind {
        RestrictionKind::Equal(operand) => vec![operand],
        RestrictionKind::In(InList::Values(operands)) => operands.iter_mut().collect(),
        RestrictionKind::Slice(slice) => {
            let bounds = [&mut slice.start, &mut slice.end].into_iter().flatten();
            bounds.map(|bound| &mut bound.value).collect()
        }
        RestrictionKind::Contains(contains) => {
            let entries = contains.entries.iter_mut().flat_map(|(key, value)| [key, value]);
            return contains.values.iter_mut().chain(&mut contains.keys).chain(entries).collect();
        }
        _ => Vec::new(),
    };
    let mut terms = Vec::new();
    for operand in operands {
        if let Operand::Terms(own) = operand {
            terms.extend(own);
        }
    }
    terms
}

/// Compares the values of columns with an operand; `None` if it has no value.
fn compare_operand(columns: &[(&Type, &[u8])], operand: &Operand) -> Option<Ordering> {
    let terms = operand.terms();
    for ((ty, value), term) in columns.iter().zip(terms) {
        match compare(ty, value, constant_value(term)?) {
            Ordering::Equal => {}
            other => return Some(other),
        }
    }
    (!terms.is_empty()).then_some(Ordering::Equal)
}

fn constant_value(term: &BoundTerm) -> Option<&[u8]> {
    if let BoundTerm::Value(Some(value)) = term { Some(value) } else { None }
}

/// Whether a frozen collection contains everything required.
fn contains_all(ty: &Type, value: &[u8], contains: &ContainsRestriction) -> bool {
    let Ok(parts) = split(ty, value) else { return false };
    let types = ty.parts();
    let step = types.len().max(1);
    let part = |element: &[Option<&[u8]>], at: usize, wanted: &BoundTerm| -> bool {
        let component = element.get(at).copied().flatten();
        let ty = types.get(at);
        match (component, constant_value(wanted), ty) {
            (Some(component), Some(wanted), Some(ty)) => {
                compare(ty, component, wanted) == Ordering::Equal
            }
            _ => false,
        }
    };
    let elements = || parts.chunks(step);
    let last = step - 1;
    contains.values.iter().all(|value| elements().any(|element| part(element, last, value)))
        && contains.keys.iter().all(|key| elements().any(|element| part(element, 0, key)))
        && contains.entries.iter().all(|(key, value)| {
            elements().any(|element| part(element, 0, key) && part(element, last, value))
        })
}
