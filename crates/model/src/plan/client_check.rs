//! What the client checks before a write: the constraints of the model that speak of the values
//! written alone.

use cql::types::Type;

use super::Operand;
use crate::concept::{AttributeRef, Check, Concept, Constraint, Entity};
use crate::expression::{Expression, Scalar, evaluate};
use crate::id::{AttributeId, IdList};
use crate::workload::{AssignmentValue, DerivedPart, Supply, Value, Write, WriteKind};

/// A condition on the values of a write. The client sends nothing where it is false: the relational
/// database would refuse the write.
#[derive(Clone, Debug, PartialEq)]
pub struct ClientCheck {
    /// The condition, as the file has it, or as its types say.
    pub sql: String,
    /// The condition over the values of the write.
    pub condition: Expression<Operand>,
    /// The constraint that it checks.
    pub constraint: Constraint,
}

impl ClientCheck {
    /// Whether it only says that a value is not null.
    pub const fn is_not_null(&self) -> bool {
        matches!(self.constraint, Constraint::NotNull(_))
    }
}

/// The checks of a write of the file. A derived write has none: those of the write that runs it
/// come first.
pub fn list_client_checks(concept: &Concept, write: &Write) -> Vec<ClientCheck> {
    let Some(entity) = concept.entities.member(write.entity).filter(|_| write.is_stated()) else {
        return Vec::new();
    };
    let mut checks = Vec::new();
    for kind in list_parts(&write.kind) {
        let values = WrittenValues { entity, kind };
        for (at, attribute) in entity.attributes.enumerate_ids() {
            if !attribute.nullable && attribute.generated.is_none() {
                let of = AttributeRef { entity: write.entity, attribute: at };
                checks.extend(values.not_null_check(of, &attribute.name));
            }
        }
        for (at, check) in entity.checks.iter().enumerate() {
            checks.extend(values.bind(Constraint::Check(write.entity, at), check));
        }
    }
    let is_given = |at: &Operand| match at {
        Operand::Parameter(at) => {
            let supply = write.parameters.member(*at).map(|it| &it.supply);
            !matches!(supply, Some(Supply::Client(_)))
        }
        _ => true,
    };
    checks.retain(|check| {
        let columns = check.condition.columns();
        columns.is_empty() || columns.into_iter().any(is_given)
    });
    let mut seen: Vec<ClientCheck> = Vec::new();
    for check in checks {
        if !seen.contains(&check) {
            seen.push(check);
        }
    }
    seen
}

/// Whether the values that a write gives decide a constraint: it needs no value of the row before.
pub fn is_checked_by_client(entity: &Entity, write: &Write, check: &Check) -> bool {
    // The values of `DO UPDATE` and of rows that refer are not looked at before.
    let is_part_checked =
        !matches!(write.derived, Some(DerivedPart::ExistingRow | DerivedPart::Referring { .. }));
    is_part_checked
        && list_parts(&write.kind).into_iter().all(|kind| {
            let values = WrittenValues { entity, kind };
            let Some(expression) = &check.expression else { return false };
            expression.columns().into_iter().all(|at| values.find(*at).is_some())
        })
}

/// The writes of single rows that give all values: of an upsert the row that is inserted.
fn list_parts(kind: &WriteKind) -> Vec<&WriteKind> {
    match kind {
        WriteKind::Rows(rows) => rows.iter().collect(),
        other => vec![other],
    }
}

/// What a write gives an attribute.
enum GivenValue<'a> {
    Null,
    Value(&'a Value),
}

/// The values that a write of one row gives.
struct WrittenValues<'a> {
    entity: &'a Entity,
    kind: &'a WriteKind,
}

impl WrittenValues<'_> {
    /// The value of an attribute after the write; `None` where it depends on the row before.
    fn find(&self, at: AttributeId) -> Option<Expression<Operand>> {
        let attribute = self.entity.attributes.member(at)?;
        if let Some(generation) = &attribute.generated {
            let expression = generation.expression.as_ref()?;
            let mut is_known = true;
            let value = expression.substitute(&mut |input: &AttributeId| {
                let value = self
                    .entity
                    .attributes
                    .member(*input)
                    .and_then(|it| it.generated.is_none().then(|| self.find(*input)).flatten());
                is_known &= value.is_some();
                value.unwrap_or(Expression::Null)
            });
            return is_known.then_some(value);
        }
        let value = self.find_written(at)?;
        let Type::Native(native) = attribute.ty else { return None };
        let value = match value {
            GivenValue::Null => Expression::Null,
            GivenValue::Value(Value::Literal(text)) if text.eq_ignore_ascii_case("null") => {
                Expression::Null
            }
            GivenValue::Value(Value::Literal(text)) => Expression::Constant(text.clone(), native),
            GivenValue::Value(Value::Parameter(parameter)) => {
                Expression::Column(Operand::Parameter(*parameter))
            }
        };
        Some(match attribute.scale() {
            Some(scale) if value != Expression::Null => Expression::Round(Box::new(value), scale),
            _ => value,
        })
    }

    /// What is written into an attribute, and null for one that an INSERT omits; `None` where it
    /// depends on the row before.
    fn find_written(&self, at: AttributeId) -> Option<GivenValue<'_>> {
        match self.kind {
            WriteKind::Insert(values) => Some(find_value(values, at)),
            WriteKind::Upsert(upsert) => Some(find_value(&upsert.values, at)),
            WriteKind::Update(assignments, _) => {
                let assignment = assignments.iter().find(|it| it.attribute == at)?;
                match &assignment.value {
                    AssignmentValue::Set(value) => Some(GivenValue::Value(value)),
                    AssignmentValue::Null => Some(GivenValue::Null),
                    AssignmentValue::SetUnlessNull(_)
                    | AssignmentValue::Add(_)
                    | AssignmentValue::Subtract(_)
                    | AssignmentValue::Append(_)
                    | AssignmentValue::Remove(_) => None,
                }
            }
            WriteKind::Delete(_) | WriteKind::Rows(_) => None,
        }
    }

    /// That a parameter is not null whose value the attribute gets, or which is added to it.
    fn not_null_check(&self, of: AttributeRef, name: &str) -> Option<ClientCheck> {
        let Value::Parameter(parameter) = self.find_input(of.attribute)? else { return None };
        let given = Expression::Column(Operand::Parameter(*parameter));
        let condition = Expression::Not(Box::new(Expression::IsNull(Box::new(given))));
        let constraint = Constraint::NotNull(of);
        Some(ClientCheck { sql: format!("{name} IS NOT NULL"), condition, constraint })
    }

    /// The value of the statement without which the attribute would be null.
    fn find_input(&self, at: AttributeId) -> Option<&Value> {
        if let WriteKind::Update(assignments, _) = self.kind {
            let assignment = assignments.iter().find(|it| it.attribute == at)?;
            if let AssignmentValue::Add(value) | AssignmentValue::Subtract(value) =
                &assignment.value
            {
                return Some(value);
            }
        }
        match self.find_written(at)? {
            GivenValue::Null => None,
            GivenValue::Value(value) => Some(value),
        }
    }

    /// A constraint over the values given; `None` where it needs others, or always holds.
    fn bind(&self, constraint: Constraint, check: &Check) -> Option<ClientCheck> {
        let expression = check.expression.as_ref()?;
        let values: Option<Vec<_>> =
            expression.columns().into_iter().map(|at| self.find(*at)).collect();
        let mut values = values?.into_iter();
        let condition = expression.substitute(&mut |_| values.next().unwrap_or(Expression::Null));
        let is_constant = condition.columns().is_empty();
        if is_constant && is_met(&condition, &mut |_| Scalar::Null) {
            return None;
        }
        Some(ClientCheck { sql: check.sql.clone(), condition, constraint })
    }
}

fn find_value(values: &[(AttributeId, Value)], at: AttributeId) -> GivenValue<'_> {
    let found = values.iter().find(|(attribute, _)| *attribute == at);
    found.map_or(GivenValue::Null, |(_, value)| GivenValue::Value(value))
}

/// Whether a constraint is met: it is not false, and can be computed.
pub fn is_met<T>(condition: &Expression<T>, leaf: &mut dyn FnMut(&T) -> Scalar) -> bool {
    matches!(evaluate(condition, leaf), Some(Scalar::Boolean(true) | Scalar::Null))
}
