//! Storage-attached indexes: a single column of a supported type, with supported options.

use std::collections::BTreeMap;

use cql::Span;
use cql::types::{NativeType, Type};

use super::{CLASS_NAME, TARGET};
use crate::Result;
use crate::catalog::{Column, Index, IndexClass, IndexPart, Table};
use crate::java::number;
use crate::java::order::JavaOptionMap;
use crate::refusal::{SaiReason, refuse};

const ANALYSIS: [&str; 3] = ["normalize", "case_sensitive", "ascii"];
const VECTOR: [&str; 4] =
    ["maximum_node_connections", "construction_beam_width", "similarity_function", "optimize_for"];

/// Checks one of the table's storage-attached indexes against the table and the others.
pub(super) fn check(table: &Table, index: &Index, span: Span) -> Result<()> {
    check_names(index, span)?;
    let target = index.options.get(TARGET).map_or("", |target| &**target);
    if target.contains(',') {
        return refuse(SaiReason::ManyColumns { target: target.to_string() }, span);
    }
    let Some(column) = table.column(&index.column) else {
        return refuse(SaiReason::NoColumn { target: target.to_string() }, span);
    };
    let same_target = |own: &&Index| {
        own.class == IndexClass::Sai && own.column == index.column && part(own) == part(index)
    };
    if table.indexes.iter().filter(same_target).count() > 1 {
        return refuse(SaiReason::SecondOnColumn { column: column.name.to_string() }, span);
    }
    check_analysis(column, index, span)?;
    check_vector_options(column, index, span)?;
    check_type(column, index, span)
}

/// Refuses unknown options, in the order of the small map in which the server collects them.
fn check_names(index: &Index, span: Span) -> Result<()> {
    let given = JavaOptionMap::new(
        index.options.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
    );
    let known = |name: &str| {
        [TARGET, CLASS_NAME].contains(&name) || ANALYSIS.contains(&name) || VECTOR.contains(&name)
    };
    let unknown = given.iter().filter(|(name, _)| !known(name));
    let unknown = JavaOptionMap::from_entries(
        unknown.map(|(name, value)| (name.into(), value.into())).collect(),
        2,
    );
    if unknown.is_empty() {
        return Ok(());
    }
    refuse(SaiReason::UnknownOptions { names: unknown.names() }, span)
}

/// The indexed part: plain columns and values of collections are one target in the server.
fn part(index: &Index) -> IndexPart {
    if index.part == IndexPart::Simple { IndexPart::Values } else { index.part }
}

/// The indexed types: those of a collection's elements, of entries both key and value.
fn target_types<'a>(column: &'a Column, index: &Index) -> Vec<&'a Type> {
    match &column.ty {
        ty if !ty.is_multi_cell() => vec![ty],
        Type::Map(entry, _) => match index.part {
            IndexPart::Keys => vec![&entry.0],
            IndexPart::Entries => vec![&entry.0, &entry.1],
            _ => vec![&entry.1],
        },
        Type::List(element, _) | Type::Set(element, _) => vec![element],
        ty => vec![ty],
    }
}

/// The indexed type in messages. Entries have a Java class as a type.
fn type_text(types: &[&Type]) -> String {
    if let [ty] = types {
        return ty.to_string();
    }
    let parts: Vec<_> = types.iter().map(|ty| ty.class_name()).collect();
    format!("'org.apache.cassandra.db.marshal.CompositeType({})'", parts.join(","))
}

fn check_analysis(column: &Column, index: &Index, span: Span) -> Result<()> {
    let options: BTreeMap<&str, &str> = index
        .options
        .iter()
        .map(|(name, value)| (&**name, &**value))
        .filter(|(name, _)| ANALYSIS.contains(name))
        .collect();
    if options.is_empty() {
        return Ok(());
    }
    if column.is_primary_key() {
        let options: Vec<_> =
            options.iter().map(|(name, value)| format!("'{name}': '{value}'")).collect();
        return refuse(SaiReason::AnalysisOfKey { options: options.join(", ") }, span);
    }
    let types = target_types(column, index);
    if !matches!(types.as_slice(), [Type::Native(NativeType::Text | NativeType::Ascii)]) {
        return refuse(SaiReason::NotAnalyzable { ty: type_text(&types) }, span);
    }
    let entries = options.iter().map(|(name, value)| ((*name).into(), (*value).into()));
    for (name, value) in JavaOptionMap::from_entries(entries.collect(), 16).iter() {
        if value.is_empty() {
            return refuse(SaiReason::EmptyFlag { name: name.to_string() }, span);
        }
        if !number::is_boolean(value) {
            return refuse(
                SaiReason::WrongFlag { name: name.to_string(), value: value.to_string() },
                span,
            );
        }
    }
    Ok(())
}

fn check_vector_options(column: &Column, index: &Index, span: Span) -> Result<()> {
    let [connections, beam, similarity, optimize] = VECTOR.map(|name| index.options.get(name));
    if [connections, beam, similarity, optimize].iter().all(Option::is_none) {
        return Ok(());
    }
    let types = target_types(column, index);
    if !matches!(types.as_slice(), [Type::Vector(..)]) {
        return refuse(SaiReason::NoVector { ty: type_text(&types) }, span);
    }
    for (given, what) in
        [(connections, "Maximum node connections"), (beam, "Construction beam width")]
    {
        if given.is_some() {
            return refuse(SaiReason::CustomParameter { what: what.to_string() }, span);
        }
    }
    if let Some(function) = similarity.map(|text| text.to_uppercase())
        && !matches!(function.as_str(), "EUCLIDEAN" | "DOT_PRODUCT" | "COSINE")
    {
        return refuse(SaiReason::UnknownSimilarity { function }, span);
    }
    if let Some(goal) = optimize.map(|text| text.to_uppercase())
        && !matches!(goal.as_str(), "LATENCY" | "RECALL")
    {
        return refuse(SaiReason::UnknownGoal { goal }, span);
    }
    Ok(())
}

fn check_type(column: &Column, index: &Index, span: Span) -> Result<()> {
    let types = target_types(column, index);
    if let Some(ty) = types.iter().find(|ty| !is_supported(ty)) {
        return refuse(SaiReason::UnsupportedType { ty: ty.to_string() }, span);
    }
    let [Type::Vector(element, dimension)] = types.as_slice() else { return Ok(()) };
    if **element != Type::Native(NativeType::Float) {
        return refuse(SaiReason::NoFloats, span);
    }
    let similarity = index.options.get("similarity_function");
    if *dimension == 1 && similarity.is_none_or(|function| function.eq_ignore_ascii_case("cosine"))
    {
        return refuse(SaiReason::CosineOfOneDimension, span);
    }
    Ok(())
}

/// Whether a type is supported: every native type except blob, counter and duration, and everything
/// frozen.
fn is_supported(ty: &Type) -> bool {
    match ty {
        Type::Native(NativeType::Blob | NativeType::Counter | NativeType::Duration)
        | Type::Custom(_) => false,
        _ => !ty.is_multi_cell(),
    }
}
