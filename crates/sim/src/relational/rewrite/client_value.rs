//! Functions and defaults in whose place the client passes a value.

use cql::types::Type;
use model::concept::ClientValue;
use model::workload::{Parameter, Supply};

/// The parameters of a statement that the client makes.
#[derive(Clone, Debug, Default)]
pub(super) struct ClientParameters {
    /// What each is, its type and its position; the first were used already.
    entries: Vec<(ClientValue, Type, usize)>,
    used: Vec<usize>,
}

impl ClientParameters {
    pub(super) fn new(parameters: &[Parameter]) -> Self {
        let entries = parameters.iter().enumerate().filter_map(|(at, parameter)| {
            let Supply::Client(value) = parameter.supply else { return None };
            Some((value, parameter.ty.clone(), at))
        });
        Self { entries: entries.collect(), used: Vec::new() }
    }

    /// The position of the parameter for the next use of a value of a type: the same for all uses
    /// of a time, else one for each.
    pub(super) fn next_position(&mut self, value: ClientValue, ty: &Type) -> Option<usize> {
        let fits = |(other, theirs, at): &&(ClientValue, Type, usize)| {
            *other == value && theirs == ty && (value.is_shared() || !self.used.contains(at))
        };
        let (_, _, at) = self.entries.iter().find(fits)?;
        self.used.push(*at);
        Some(*at)
    }
}
