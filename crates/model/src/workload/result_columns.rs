//! The types of what reads and writes return.

use super::{Column, ComputedOutput, Output, OutputValue, Read, Returning, Source};
use crate::concept::{Attribute, Concept};
use crate::id::{IdList, OutputId};
use cql::types::{NativeType, Type};

/// What a read or a write returns.
#[derive(Clone, Copy, Debug)]
pub struct ResultColumns<'a> {
    /// FROM.
    pub sources: &'a [Source],
    /// The outputs.
    pub outputs: &'a [Output],
    /// What is computed from the outputs; empty where they are returned as they are.
    pub computed: &'a [ComputedOutput],
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
    pub fn output_type(self, concept: &Concept, output: usize) -> Type {
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
    pub fn types(self, concept: &Concept) -> Vec<Type> {
        let outputs = |at: usize| self.output_type(concept, at);
        if self.computed.is_empty() {
            return (0..self.outputs.len()).map(outputs).collect();
        }
        let of = |at: &OutputId| outputs(at.index());
        self.computed.iter().map(|result| result.value.ty(&of)).collect()
    }

    /// The names of what is returned.
    pub fn names(self) -> Vec<&'a str> {
        if self.computed.is_empty() {
            return self.outputs.iter().map(|output| output.name.as_str()).collect();
        }
        self.computed.iter().map(|result| result.name.as_str()).collect()
    }
}

/// The type in which an attribute is returned: counters are whole numbers of eight bytes.
pub fn attribute_type(attribute: &Attribute) -> Type {
    if attribute.counter { NativeType::Bigint.into() } else { attribute.ty.clone() }
}

/// The type of a sum.
pub fn sum_type(ty: &Type) -> Type {
    match ty {
        Type::Native(NativeType::Decimal) => NativeType::Decimal.into(),
        Type::Native(NativeType::Float | NativeType::Double) => NativeType::Double.into(),
        _ => NativeType::Bigint.into(),
    }
}
