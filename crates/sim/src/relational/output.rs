//! The types of what reads and writes return.

use cql::types::{NativeType, Type};
use model::concept::{Attribute, Concept};
use model::id::{IdList, OutputId};
use model::workload::{Column, ComputedOutput, Output, OutputValue, Read, Returning, Source};

/// What a read or a write returns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResultColumns<'a> {
    pub(crate) sources: &'a [Source],
    pub(crate) outputs: &'a [Output],
    /// What is computed from the outputs; empty where they are returned as they are.
    pub(crate) computed: &'a [ComputedOutput],
}

impl<'a> From<&'a Read> for ResultColumns<'a> {
    fn from(read: &'a Read) -> Self {
        Self { sources: &read.sources, outputs: &read.outputs, computed: &read.computed }
    }
}

impl<'a> From<&'a Returning> for ResultColumns<'a> {
    fn from(returning: &'a Returning) -> Self {
        let sources = std::slice::from_ref(&returning.source);
        Self { sources, outputs: &returning.outputs, computed: &returning.computed }
    }
}

impl<'a> ResultColumns<'a> {
    /// The type of an output.
    pub(crate) fn output_type(self, concept: &Concept, output: usize) -> Type {
        let of = |column: Column| {
            let entity = concept.entities.member(self.sources.member(column.source)?.entity)?;
            entity.attributes.member(column.attribute)
        };
        let unknown = Type::from(NativeType::Blob);
        let Some(output) = self.outputs.get(output) else { return unknown };
        match output.value {
            OutputValue::Column(column)
            | OutputValue::Least(column)
            | OutputValue::Greatest(column) => of(column).map_or(unknown, attribute_type),
            OutputValue::Count(_) => NativeType::Bigint.into(),
            OutputValue::Sum(column) => {
                of(column).map_or(unknown, |attribute| sum_type(&attribute.ty))
            }
            OutputValue::Average(_) => NativeType::Double.into(),
            OutputValue::Exists => NativeType::Boolean.into(),
        }
    }

    /// The types of what is returned.
    pub(crate) fn types(self, concept: &Concept) -> Vec<Type> {
        let outputs = |at: usize| self.output_type(concept, at);
        if self.computed.is_empty() {
            return (0..self.outputs.len()).map(outputs).collect();
        }
        let of = |at: &OutputId| outputs(at.index());
        self.computed.iter().map(|result| result.value.ty(&of)).collect()
    }

    /// The names of what is returned.
    pub(crate) fn names(self) -> Vec<&'a str> {
        if self.computed.is_empty() {
            return self.outputs.iter().map(|output| output.name.as_str()).collect();
        }
        self.computed.iter().map(|result| result.name.as_str()).collect()
    }
}

/// The type in which an attribute is returned: counters are whole numbers of eight bytes.
pub(super) fn attribute_type(attribute: &Attribute) -> Type {
    if attribute.counter { NativeType::Bigint.into() } else { attribute.ty.clone() }
}

/// The type of a sum.
pub(super) fn sum_type(ty: &Type) -> Type {
    match ty {
        Type::Native(NativeType::Decimal) => NativeType::Decimal.into(),
        Type::Native(NativeType::Float | NativeType::Double) => NativeType::Double.into(),
        _ => NativeType::Bigint.into(),
    }
}
