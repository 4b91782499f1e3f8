//! The types of the outputs of reads.

use cql::types::{NativeType, Type};
use model::concept::{Attribute, Concept};
use model::id::{IdList, OutputId};
use model::workload::{Column, OutputValue, Read};

/// The type of an output of a read.
pub(crate) fn output_type(concept: &Concept, read: &Read, output: usize) -> Type {
    let of = |column: Column| {
        let entity = concept.entities.member(read.sources.member(column.source)?.entity)?;
        entity.attributes.member(column.attribute)
    };
    let unknown = Type::from(NativeType::Blob);
    let Some(output) = read.outputs.get(output) else { return unknown };
    match output.value {
        OutputValue::Column(column)
        | OutputValue::Least(column)
        | OutputValue::Greatest(column) => of(column).map_or(unknown, attribute_type),
        OutputValue::Count(_) => NativeType::Bigint.into(),
        OutputValue::Sum(column) => of(column).map_or(unknown, |attribute| sum_type(&attribute.ty)),
        OutputValue::Average(_) => NativeType::Double.into(),
        OutputValue::Exists => NativeType::Boolean.into(),
    }
}

/// The types of what a read returns.
pub(crate) fn result_types(concept: &Concept, read: &Read) -> Vec<Type> {
    let outputs = |at: usize| output_type(concept, read, at);
    if read.computed.is_empty() {
        return (0..read.outputs.len()).map(outputs).collect();
    }
    let of = |at: &OutputId| outputs(at.index());
    read.computed.iter().map(|result| result.value.ty(&of)).collect()
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
