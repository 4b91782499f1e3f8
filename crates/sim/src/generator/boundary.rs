//! Boundary values: an empty text, 0, negative numbers, the least and the greatest of a type, far
//! dates.
//!
//! What cannot be a value of an attribute in this design is left out: Cassandra refuses an empty
//! partition key, a walk over buckets begins now and ends at the oldest bucket, and sums overflow.

use cql::types::{NativeType, Type};
use cql::value;
use model::concept::{AttributeRef, Concept};
use model::id::{AttributeId, EntityId, IdList};
use model::plan::{Design, PlannedTable};
use model::workload::{AssignmentValue, Column, OutputValue, Supply, Value, Workload, WriteKind};

/// Which boundary values an attribute may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct BoundaryLimits {
    /// The design assumes that it is not empty: alone it is the partition key of a table.
    pub(super) no_empty: bool,
    /// It must not be far from the others: it is bucketed, expires, or is added up.
    pub(super) no_extremes: bool,
}

/// The limits of all attributes, by entity and attribute.
pub(super) fn collect_limits(
    concept: &Concept,
    workload: &Workload,
    design: &Design,
) -> Vec<Vec<BoundaryLimits>> {
    let attributes = concept.entities.iter().map(|entity| entity.attributes.len());
    let mut limits: Vec<Vec<BoundaryLimits>> =
        attributes.map(|attributes| vec![BoundaryLimits::default(); attributes]).collect();
    let mut change = |of: AttributeRef, change: fn(&mut BoundaryLimits)| {
        let limits = limits.get_mut(of.entity.index());
        if let Some(limits) = limits.and_then(|limits| limits.get_mut(of.attribute.index())) {
            change(limits);
        }
    };
    for of in design.never_empty_attributes() {
        change(of, |limits| limits.no_empty = true);
    }
    for table in &design.tables {
        if let Some(of) = table.bucket().and_then(|(_, of, _)| attribute_of(table, of)) {
            change(of, |limits| limits.no_extremes = true);
        }
    }
    for (at, entity) in concept.entities.enumerate_ids() {
        for (attribute, declared) in entity.attributes.enumerate_ids() {
            if declared.counter || entity.retain.is_some() {
                change(AttributeRef { entity: at, attribute }, |limits| limits.no_extremes = true);
            }
        }
    }
    for of in collect_sums(workload).into_iter().chain(collect_client_values(workload)) {
        change(of, |limits| limits.no_extremes = true);
    }
    spread_over_generations(concept, &mut limits);
    spread_over_references(concept, &mut limits);
    limits
}

/// The attributes that a write gives a value of the client, such as the current time.
fn collect_client_values(workload: &Workload) -> Vec<AttributeRef> {
    let mut found = Vec::new();
    for write in &workload.writes {
        let values: Vec<(AttributeId, &Value)> = match &write.kind {
            WriteKind::Insert(values) => values.iter().map(|(at, value)| (*at, value)).collect(),
            WriteKind::Update(assignments, _) => assignments
                .iter()
                .filter_map(|it| match &it.value {
                    AssignmentValue::Set(value) => Some((it.attribute, value)),
                    _ => None,
                })
                .collect(),
            WriteKind::Delete(_) | WriteKind::Upsert(_) | WriteKind::Rows(_) => Vec::new(),
        };
        for (attribute, value) in values {
            let Value::Parameter(at) = value else { continue };
            let supply = write.parameters.member(*at).map(|parameter| &parameter.supply);
            if matches!(supply, Some(Supply::Client(_))) {
                found.push(AttributeRef { entity: write.entity, attribute });
            }
        }
    }
    found
}

/// What a generated column must not be, its inputs must not be either.
fn spread_over_generations(concept: &Concept, limits: &mut [Vec<BoundaryLimits>]) {
    for (entity, limits) in concept.entities.iter().zip(limits) {
        for (at, attribute) in entity.attributes.enumerate_ids() {
            let generation = attribute.generated.as_ref();
            let Some(expression) = generation.and_then(|it| it.expression.as_ref()) else {
                continue;
            };
            let Some(own) = limits.get(at.index()).copied() else { continue };
            for input in expression.columns() {
                if let Some(input) = limits.get_mut(input.index()) {
                    input.no_empty |= own.no_empty;
                    input.no_extremes |= own.no_extremes;
                }
            }
        }
    }
}

/// The attribute of a column of a table.
fn attribute_of(table: &PlannedTable, of: Column) -> Option<AttributeRef> {
    let entity = table.holds.sources.member(of.source)?.entity;
    Some(AttributeRef { entity, attribute: of.attribute })
}

/// The attributes that reads and writes add up.
fn collect_sums(workload: &Workload) -> Vec<AttributeRef> {
    let mut found = Vec::new();
    for read in &workload.reads {
        for output in &read.outputs {
            if let OutputValue::Sum(of) | OutputValue::Average(of) = output.value
                && let Some(source) = read.sources.member(of.source)
            {
                found.push(AttributeRef { entity: source.entity, attribute: of.attribute });
            }
        }
    }
    for write in &workload.writes {
        if let WriteKind::Update(assignments, _) = &write.kind {
            let added = assignments.iter().filter(|assignment| {
                matches!(assignment.value, AssignmentValue::Add(_) | AssignmentValue::Subtract(_))
            });
            let entity = write.entity;
            found.extend(added.map(|it| AttributeRef { entity, attribute: it.attribute }));
        }
    }
    found
}

/// The values of a referenced key are those of the references too, so the limits are shared.
fn spread_over_references(concept: &Concept, limits: &mut [Vec<BoundaryLimits>]) {
    let place = |limits: &[Vec<BoundaryLimits>], entity: EntityId, at: usize| {
        limits.get(entity.index()).and_then(|limits| limits.get(at)).copied().unwrap_or_default()
    };
    loop {
        let before = limits.to_vec();
        for (at, entity) in concept.entities.enumerate_ids() {
            for reference in &entity.references {
                for (own, target) in reference.attributes.iter().zip(&reference.target_attributes) {
                    let one = place(limits, at, own.index());
                    let other = place(limits, reference.target, target.index());
                    let both = BoundaryLimits {
                        no_empty: one.no_empty || other.no_empty,
                        no_extremes: one.no_extremes || other.no_extremes,
                    };
                    for (entity, at) in [(at, own), (reference.target, target)] {
                        let limits = limits.get_mut(entity.index());
                        if let Some(slot) = limits.and_then(|it| it.get_mut(at.index())) {
                            *slot = both;
                        }
                    }
                }
            }
        }
        if before == limits {
            return;
        }
    }
}

/// The boundary values of a type (of the elements of an array) within these limits.
pub(super) fn boundary_values(ty: &Type, limits: BoundaryLimits) -> Vec<Vec<u8>> {
    let Type::Native(native) = ty else { return Vec::new() };
    let (near, far): (&[&str], &[&str]) = match native {
        NativeType::Tinyint => (&["0", "-1"], &["-128", "127"]),
        NativeType::Smallint => (&["0", "-1"], &["-32768", "32767"]),
        NativeType::Int => (&["0", "-1"], &["-2147483648", "2147483647"]),
        NativeType::Bigint => (&["0", "-1"], &["-9223372036854775808", "9223372036854775807"]),
        NativeType::Varint | NativeType::Decimal => (&["0", "-1"], &["-999999999", "999999999"]),
        NativeType::Double | NativeType::Float => (&["0", "-0.25"], &["-1048576", "1048576"]),
        NativeType::Date => (&[], &["0001-01-01", "1969-12-31", "9999-12-31"]),
        NativeType::Timestamp => (
            &[],
            &["1970-01-01 00:00:00.000Z", "1969-12-31 23:59:59.999Z", "9999-12-31 23:59:59.999Z"],
        ),
        NativeType::Time => (&["00:00:00.000"], &["23:59:59.999"]),
        NativeType::Uuid => {
            (&[], &["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"])
        }
        NativeType::Ascii | NativeType::Text => (&[" "], &[]),
        _ => (&[], &[]),
    };
    let texts = near.iter().chain(far.iter().filter(|_| !limits.no_extremes));
    let mut values: Vec<Vec<u8>> =
        texts.filter_map(|text| value::from_text(ty, text, 0).ok()).collect();
    let may_be_empty = matches!(native, NativeType::Ascii | NativeType::Text | NativeType::Blob);
    if may_be_empty && !limits.no_empty {
        values.push(Vec::new());
    }
    values
}

/// Whether a value is a boundary value of its type.
pub(crate) fn is_boundary(ty: &Type, bytes: &[u8]) -> bool {
    boundary_values(ty, BoundaryLimits::default()).iter().any(|value| value == bytes)
}
