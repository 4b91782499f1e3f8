//! The workflow: the earlier step that supplies each parameter.
//!
//! A step can supply a parameter if one of its outputs is an attribute of the same class:
//! attributes that references join hold values of the same kind. The nearest predecessor wins.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use cql::types::{NativeType, Type};

use super::parameter::{ParameterUse, ParameterUseKind};
use crate::concept::{AttributeRef, Concept};
use crate::id::{IdList, OutputId, ReadId};
use crate::workload::{OutputValue, Parameter, Read, Supply, Workload};

/// More predecessors are not searched.
const STEPS_MAX: usize = 500;

/// The uses of the parameters of reads and writes.
#[derive(Default)]
pub(super) struct ParameterUses {
    pub(super) reads: Vec<Vec<Option<ParameterUse>>>,
    pub(super) writes: Vec<Vec<Option<ParameterUse>>>,
}

/// Sets the supply of each parameter.
pub(super) fn supply(concept: &Concept, workload: &mut Workload, uses: &ParameterUses) {
    let kinds = AttributeClasses::new(concept);
    let returned: Vec<ReadOutputs> =
        workload.reads.iter().map(|read| ReadOutputs::from_read(read, &kinds)).collect();
    let steps: Vec<Vec<ReadId>> = workload.reads.iter().map(|read| read.after.clone()).collect();
    for (at, read) in workload.reads.enumerate_ids_mut() {
        if read.after.is_empty() {
            continue;
        }
        let finder = SupplyFinder { concept, kinds: &kinds, returned: &returned, steps: &steps };
        let before = finder.predecessors(&read.after, Some(at));
        let step = WorkflowStep { before, itself: Some(at), uses: &uses.reads[at.index()] };
        finder.supply(&mut read.parameters, &step);
    }
    for (write, usage) in workload.writes.iter_mut().zip(&uses.writes) {
        if write.after.is_empty() {
            continue;
        }
        let finder = SupplyFinder { concept, kinds: &kinds, returned: &returned, steps: &steps };
        let before = finder.predecessors(&write.after, None);
        let step = WorkflowStep { before, itself: None, uses: usage };
        finder.supply(&mut write.parameters, &step);
    }
}

/// Attributes that references join hold values of one kind.
struct AttributeClasses {
    parents: BTreeMap<AttributeRef, AttributeRef>,
}

impl AttributeClasses {
    fn new(concept: &Concept) -> Self {
        let mut kinds = Self { parents: BTreeMap::new() };
        for (holder, entity) in concept.entities.enumerate_ids() {
            for reference in &entity.references {
                for (&own, &other) in reference.attributes.iter().zip(&reference.target_attributes)
                {
                    let own = kinds.representative(AttributeRef { entity: holder, attribute: own });
                    let other = AttributeRef { entity: reference.target, attribute: other };
                    let other = kinds.representative(other);
                    if own != other {
                        kinds.parents.insert(own, other);
                    }
                }
            }
        }
        kinds
    }

    fn representative(&self, mut place: AttributeRef) -> AttributeRef {
        while let Some(&parent) = self.parents.get(&place) {
            place = parent;
        }
        place
    }
}

/// What a read returns: the output of each attribute, and of each kind.
struct ReadOutputs {
    attributes: BTreeMap<AttributeRef, OutputId>,
    kinds: BTreeMap<AttributeRef, OutputId>,
}

impl ReadOutputs {
    fn from_read(read: &Read, kinds: &AttributeClasses) -> Self {
        let mut returned = Self { attributes: BTreeMap::new(), kinds: BTreeMap::new() };
        for (at, output) in read.outputs.enumerate_ids() {
            let (OutputValue::Column(column)
            | OutputValue::Least(column)
            | OutputValue::Greatest(column)) = output.value
            else {
                continue;
            };
            let entity = read.sources[column.source].entity;
            let place = AttributeRef { entity, attribute: column.attribute };
            returned.attributes.entry(place).or_insert(at);
            returned.kinds.entry(kinds.representative(place)).or_insert(at);
        }
        returned
    }
}

/// A read or write whose parameters are to be supplied.
struct WorkflowStep<'a> {
    /// The steps before it, the nearest first.
    before: Vec<ReadId>,
    /// Which read it is.
    itself: Option<ReadId>,
    uses: &'a [Option<ParameterUse>],
}

struct SupplyFinder<'a> {
    concept: &'a Concept,
    kinds: &'a AttributeClasses,
    returned: &'a [ReadOutputs],
    /// The steps before each read.
    steps: &'a [Vec<ReadId>],
}

impl SupplyFinder<'_> {
    /// All steps before one, the nearest first, without itself.
    fn predecessors(&self, after: &[ReadId], itself: Option<ReadId>) -> Vec<ReadId> {
        let mut seen = BTreeSet::new();
        let mut open: VecDeque<ReadId> = after.iter().copied().collect();
        let mut found = Vec::new();
        while let Some(step) = open.pop_front() {
            if seen.len() == STEPS_MAX || !seen.insert(step) {
                continue;
            }
            if Some(step) != itself {
                found.push(step);
            }
            open.extend(&self.steps[step.index()]);
        }
        found
    }

    /// Supplies the parameters of a step.
    fn supply(&self, parameters: &mut [Parameter], step: &WorkflowStep<'_>) {
        for (parameter, usage) in parameters.iter_mut().zip(step.uses) {
            if matches!(parameter.supply, Supply::Client(_)) {
                continue;
            }
            let Some(usage) = usage.filter(|usage| !self.is_new_value(*usage)) else { continue };
            // The next page begins where the last one, of the same read, ended.
            let paged = step.itself.filter(|_| usage.kind == ParameterUseKind::Range);
            let supplied = step.before.iter().copied().chain(paged).find_map(|read| {
                let output = self.find_output(read, usage.attribute)?;
                Some(Supply::Step { read, output })
            });
            parameter.supply = match supplied {
                Some(supply) => supply,
                None if is_id(&parameter.ty) && !self.is_tenant(usage) => Supply::Nobody,
                None => Supply::User,
            };
        }
    }

    /// The output of a read that has values of an attribute.
    fn find_output(&self, read: ReadId, place: AttributeRef) -> Option<OutputId> {
        let returned = &self.returned[read.index()];
        let kind = self.kinds.representative(place);
        returned.attributes.get(&place).or_else(|| returned.kinds.get(&kind)).copied()
    }

    /// Whether it is the tenant, which the application has.
    fn is_tenant(&self, usage: ParameterUse) -> bool {
        let attribute = &self.concept[usage.attribute];
        self.concept.tenant.as_ref() == Some(&attribute.name)
    }

    /// Whether it is a new value that the application generates or the user enters: a written
    /// attribute that is not a reference.
    fn is_new_value(&self, usage: ParameterUse) -> bool {
        let entity = &self.concept.entities[usage.attribute.entity];
        usage.kind == ParameterUseKind::Written
            && !entity
                .references
                .iter()
                .any(|it| it.attributes.contains(&usage.attribute.attribute))
    }
}

/// Whether a type is that of ids, which users do not enter.
fn is_id(ty: &Type) -> bool {
    match ty {
        Type::Native(native) => matches!(native, NativeType::Uuid | NativeType::Timeuuid),
        Type::List(element, _) | Type::Set(element, _) => is_id(element),
        _ => false,
    }
}
