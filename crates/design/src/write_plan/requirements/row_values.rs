//! Values of the row written, before and after, and the requests for those that are not known.

use std::collections::BTreeSet;

use cql::types::Type;
use model::concept::Attribute;
use model::expression::Expression;
use model::id::{AttributeId, IdList, SourceId, StepId};
use model::plan::{Operand, Precondition};
use model::workload::Column;

use crate::write_plan::impact::target::{AttributeChange, round_operand};
use crate::write_plan::impact::{ConditionTable, Impact};
use crate::write_plan::join_graph::JoinGraph;
use crate::write_plan::request::{Request, result_name};

/// Before the write, or after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WriteMoment {
    Before,
    After,
}

/// A value, which may be known to be null.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NullableValue {
    Null,
    Is(Operand),
}

impl NullableValue {
    /// The same made from the value.
    pub(super) fn map(self, make: impl FnOnce(Operand) -> Operand) -> Self {
        match self {
            Self::Null => Self::Null,
            Self::Is(operand) => Self::Is(make(operand)),
        }
    }

    /// The value; the constant null where it is null.
    pub(super) fn operand(self) -> Operand {
        match self {
            Self::Null => Operand::Literal("null".to_owned()),
            Self::Is(operand) => operand,
        }
    }
}

/// Resolves the values that a write needs, and requests the rows that provide them.
pub(super) struct RowValues<'a> {
    pub(super) impact: Impact<'a>,
    /// The table on which the write's condition is checked, if it is conditional.
    pub(super) main: Option<ConditionTable>,
    /// Reads needed first, named by their positions.
    pub(super) requests: Vec<Request>,
    /// The request that reads the row before, once it is needed.
    pub(super) row_before: Option<StepId>,
    pub(super) preconditions: Vec<Precondition>,
    /// The rows written must be read before anything else: the draft has to be restarted that way.
    pub(super) restart: bool,
}

impl<'a> RowValues<'a> {
    pub(super) fn new(mut impact: Impact<'a>) -> Self {
        let requests: Vec<Request> = impact.rows_first.take().into_iter().collect();
        let row_before = requests.ids().next();
        let required = impact.preconditions();
        let (main, preconditions, restart) = (None, Vec::new(), false);
        let mut values = Self { impact, main, requests, row_before, preconditions, restart };
        for precondition in required {
            values.require(precondition);
        }
        values
    }

    /// Adds a precondition to the plan, once.
    pub(super) fn require(&mut self, precondition: Precondition) {
        if !self.preconditions.contains(&precondition) {
            self.preconditions.push(precondition);
        }
    }

    /// An attribute of the row before the write.
    pub(super) fn value_before(&mut self, attribute: AttributeId) -> Operand {
        let slots = [&self.impact.target.known, &self.impact.target.assumed];
        let assumed = self.main.is_some();
        let stated = slots
            .iter()
            .take(1 + usize::from(assumed))
            .find_map(|slot| slot.get(attribute.index())?.clone());
        stated.unwrap_or_else(|| self.read_before(attribute))
    }

    /// An attribute of the row before the write, as it was read.
    pub(super) fn read_before(&mut self, attribute: AttributeId) -> Operand {
        let Some(entity) = self.impact.entity() else { return Operand::Literal("null".to_owned()) };
        let at = if let Some(at) = self.row_before {
            at
        } else {
            // In a loop over keys a request cannot be matched with the row of its turn, so the rows
            // must be read first and looped over instead.
            self.restart |= !self.impact.target.loops.is_empty();
            let request = self.impact.target_request(entity);
            let at = self.add_request(request);
            self.row_before = Some(at);
            at
        };
        self.request_column(at, Column { source: SourceId::new(0), attribute })
    }

    /// Adds a request; its position.
    pub(super) fn add_request(&mut self, request: Request) -> StepId {
        let at = self.requests.next_id();
        self.requests.push(request);
        at
    }

    /// Adds a column to a request; returns the operand for it.
    pub(super) fn request_column(&mut self, at: StepId, column: Column) -> Operand {
        let concept = self.impact.context.concept;
        let Some(request) = self.requests.member_mut(at) else {
            return Operand::Literal("null".to_owned());
        };
        let shape = JoinGraph { concept, sources: &request.sources };
        let column = shape.canonical(column);
        let name = result_name(shape, column);
        request.wants.insert(column);
        Operand::Row { step: at, column: name }
    }

    /// An attribute of the row at one time.
    pub(super) fn attribute(&mut self, attribute: AttributeId, when: WriteMoment) -> NullableValue {
        let after = self
            .impact
            .target
            .after
            .get(attribute.index())
            .cloned()
            .unwrap_or(AttributeChange::Same);
        let zero = || Box::new(Operand::Literal("0".to_owned()));
        match after {
            _ if when == WriteMoment::Before => NullableValue::Is(self.value_before(attribute)),
            AttributeChange::Null => NullableValue::Null,
            AttributeChange::Computed => self.compute(attribute),
            AttributeChange::To(operand) => NullableValue::Is(operand),
            AttributeChange::ToUnlessNull(operand) => {
                let before = Box::new(self.value_before(attribute));
                NullableValue::Is(Operand::Coalesce(Box::new(operand), before))
            }
            // n + v is n - (0 - v).
            AttributeChange::Plus(operand) => {
                let negative = Operand::Minus(zero(), Box::new(operand));
                let before = Box::new(self.value_before(attribute));
                self.round_sum(attribute, Operand::Minus(before, Box::new(negative)))
            }
            AttributeChange::Less(operand) => {
                let before = Box::new(self.value_before(attribute));
                self.round_sum(attribute, Operand::Minus(before, Box::new(operand)))
            }
            // Appended and removed elements are applied by a separate statement.
            AttributeChange::Same | AttributeChange::Append(_) | AttributeChange::Remove(_) => {
                NullableValue::Is(self.value_before(attribute))
            }
        }
    }

    /// A sum, with as many digits after the point as the attribute has.
    fn round_sum(&self, attribute: AttributeId, sum: Operand) -> NullableValue {
        let own = self.impact.entity().and_then(|entity| entity.attributes.member(attribute));
        NullableValue::Is(match own.and_then(Attribute::scale) {
            Some(scale) => round_operand(sum, scale),
            None => sum,
        })
    }

    /// A generated attribute after the write, computed from the others.
    fn compute(&mut self, attribute: AttributeId) -> NullableValue {
        let entity = self.impact.entity();
        let own = entity.and_then(|entity| entity.attributes.member(attribute));
        let generation = own.and_then(|own| own.generated.as_ref());
        let (Some(entity), Some(expression)) =
            (entity, generation.and_then(|generation| generation.expression.as_ref()))
        else {
            return NullableValue::Null;
        };
        let substituted = expression.substitute(&mut |input: &AttributeId| {
            let ty = entity.attributes.member(*input).map(|attribute| &attribute.ty);
            match (self.attribute(*input, WriteMoment::After), ty) {
                (NullableValue::Null, _) => Expression::Null,
                (NullableValue::Is(Operand::Literal(literal)), Some(Type::Native(native))) => {
                    Expression::Constant(literal, *native)
                }
                (NullableValue::Is(operand), _) => Expression::Column(operand),
            }
        });
        NullableValue::Is(Operand::Computed(Box::new(substituted)))
    }

    /// Requires a table to exist, without reading from it.
    pub(super) fn require_table(&mut self, wants: BTreeSet<Column>, reason: &str) {
        let Some(entity) = self.impact.entity() else { return };
        let key = entity.primary_key().iter();
        let known = key.map(|part| {
            (
                Column { source: SourceId::new(0), attribute: *part },
                Operand::Literal("null".to_owned()),
            )
        });
        let mut request =
            Request::for_entity(self.impact.target.entity, &entity.name, known.collect());
        request.wants = wants;
        request.ensures = true;
        reason.clone_into(&mut request.reason);
        self.requests.push(request);
    }
}
