//! IF: conditions on the row as it is.

use cql::relation::{ColumnPart, Condition, ConditionTest, Conditions, InValues, Operator};
use cql::statement::write::Using;
use cql::types::Type;
use cql::{ErrorCode, Span};

use crate::bind::context::{Context, Receiver, invalid};
use crate::bind::restrictions::{existing_column, receiver};
use crate::bind::term::{
    self, BoundTerm, field_receiver, in_list_receiver, index_receiver, key_receiver, value_receiver,
};
use crate::catalog::{ColumnKind, Table};
use crate::{Refusal, Result};

/// The IF clause of a write.
#[derive(Clone, Debug)]
pub enum BoundConditions {
    /// There is none.
    None,
    /// `IF EXISTS`
    Exists,
    /// `IF NOT EXISTS`
    NotExists,
    /// `IF a = 1 AND ...`
    All(Vec<BoundCondition>),
}

/// One condition.
#[derive(Clone, Debug)]
pub struct BoundCondition {
    /// The column, as a position among the table's columns.
    pub column: usize,
    /// Which part of it is looked at.
    pub part: ConditionedPart,
    /// The comparison.
    pub test: BoundTest,
    /// Where it stands.
    pub span: Span,
}

/// The part of a column that a condition looks at.
#[derive(Clone, Debug)]
pub enum ConditionedPart {
    /// All of it.
    Whole,
    /// An element, by index or key.
    Element(BoundTerm),
    /// A field, by its position.
    Field(usize),
}

/// What a condition compares with.
#[derive(Clone, Debug)]
pub enum BoundTest {
    /// `op value`
    Compare(Operator, BoundTerm),
    /// `IN (a, b)`
    In(Vec<BoundTerm>),
    /// `IN ?`
    InMarker(u32),
}

impl BoundConditions {
    /// Whether some condition is on a column of that kind. `IF EXISTS` is on none.
    pub(super) fn are_on(&self, table: &Table, kind: ColumnKind) -> bool {
        let Self::All(conditions) = self else { return false };
        conditions.iter().any(|condition| table.columns()[condition.column].kind == kind)
    }
}

/// Binds IF.
pub(super) fn bind(
    cx: &mut Context<'_>,
    table: &Table,
    conditions: &Conditions,
    using: &Using,
) -> Result<BoundConditions> {
    let conditions = match conditions {
        Conditions::None => return Ok(BoundConditions::None),
        Conditions::Exists => return Ok(BoundConditions::Exists),
        Conditions::All(conditions) => conditions,
    };
    if let Some(timestamp) = using.timestamp() {
        return Err(custom_timestamp(timestamp.span).into());
    }
    let mut bound = Vec::with_capacity(conditions.len());
    for condition in conditions {
        bound.push(bind_one(cx, table, condition)?);
    }
    Ok(BoundConditions::All(bound))
}

/// A conditional write gets its timestamp from Paxos.
pub(super) fn custom_timestamp(span: Span) -> Refusal {
    invalid("LW004", "Cannot provide custom timestamp for conditional updates", span)
        .with_help("leave USING TIMESTAMP out: a conditional write gets its own")
}

fn bind_one(cx: &mut Context<'_>, table: &Table, condition: &Condition) -> Result<BoundCondition> {
    let column = existing_column(table, &condition.column)?;
    let definition = &table.columns()[column];
    let whole = receiver(table, definition);
    if definition.ty.is_counter() {
        return Err(
            invalid("CN004", "Conditions on counters are not supported", condition.span).into()
        );
    }
    let (part, value) = bind_part(cx, &whole, condition)?;
    let test = bind_test(cx, value.as_ref().unwrap_or(&whole), condition)?;
    if definition.is_primary_key() {
        let message = format!("PRIMARY KEY column '{}' cannot have IF conditions", definition.name);
        return Err(invalid("LW005", message, condition.span)
            .with_help("put it into WHERE; IF looks at the other columns")
            .into());
    }
    Ok(BoundCondition { column, part, test, span: condition.span })
}

/// The part that is looked at, and what its values go into unless it is the whole column.
fn bind_part(
    cx: &mut Context<'_>,
    whole: &Receiver,
    condition: &Condition,
) -> Result<(ConditionedPart, Option<Receiver>)> {
    match &condition.part {
        ColumnPart::Whole => {
            check_duration(&whole.ty, condition)?;
            Ok((ConditionedPart::Whole, None))
        }
        ColumnPart::Element(key) => {
            let refuse = |what: &str| {
                let message =
                    format!("Invalid element access syntax for {what} column {}", whole.name);
                Err(invalid("QV025", message, condition.span).into())
            };
            let of_key = match &whole.ty {
                Type::List(..) => Some(index_receiver(whole)),
                Type::Map(..) => key_receiver(whole),
                Type::Set(..) => return refuse("set"),
                _ => None,
            };
            let (Some(of_key), Some(of_value)) = (of_key, value_receiver(whole)) else {
                return refuse("non-collection");
            };
            check_duration(&of_value.ty, condition)?;
            let key = term::prepare(cx, key, &of_key, None)?;
            Ok((ConditionedPart::Element(key), Some(of_value)))
        }
        ColumnPart::Field(field) => {
            let Type::User(user, _) = &whole.ty else {
                return Err(no_user_type(whole, condition).into());
            };
            let found =
                user.position(&field.text).and_then(|at| Some((at, field_receiver(whole, at)?)));
            let Some((position, of_value)) = found else {
                let message = format!("Unknown field {} for column {}", field.text, whole.name);
                return Err(invalid("QV027", message, field.span).into());
            };
            check_duration(&of_value.ty, condition)?;
            Ok((ConditionedPart::Field(position), Some(of_value)))
        }
    }
}

/// The server does not look before it casts.
fn no_user_type(column: &Receiver, condition: &Condition) -> Refusal {
    let class = column.ty.class_name();
    let class = class.split('(').find(|class| !class.ends_with("FrozenType")).unwrap_or(&class);
    let user = "org.apache.cassandra.db.marshal.UserType";
    let message = format!(
        "java.lang.ClassCastException: class {class} cannot be cast to class {user} ({class} and {user} are in unnamed \
         module of loader 'app')"
    );
    Refusal::text("QV025", ErrorCode::Server, message, condition.span)
        .with_help(format!("`{}` is no user type and has no fields", column.name))
}

/// Durations have no order.
fn check_duration(ty: &Type, condition: &Condition) -> Result<()> {
    let ConditionTest::Compare(operator, _) = &condition.test else { return Ok(()) };
    let is_slice = matches!(operator, Operator::Lt | Operator::Lte | Operator::Gt | Operator::Gte);
    if !is_slice || !ty.references_duration() {
        return Ok(());
    }
    let message = match ty {
        Type::List(..) | Type::Set(..) | Type::Map(..) => {
            "Slice conditions are not supported on collections containing durations".to_owned()
        }
        Type::Tuple(_) => {
            "Slice conditions are not supported on tuples containing durations".to_owned()
        }
        Type::User(..) => {
            "Slice conditions are not supported on UDTs containing durations".to_owned()
        }
        _ => format!("Slice conditions ( {} ) are not supported on durations", operator.text()),
    };
    Err(invalid("QV020", message, condition.span).into())
}

fn bind_test(cx: &mut Context<'_>, value: &Receiver, condition: &Condition) -> Result<BoundTest> {
    let refuse = |message: String| Err(invalid("QV020", message, condition.span).into());
    let (operator, term) = match &condition.test {
        ConditionTest::In(InValues::List(terms)) => {
            let mut values = Vec::with_capacity(terms.len());
            for term in terms {
                values.push(term::prepare(cx, term, value, None)?);
            }
            return Ok(BoundTest::In(values));
        }
        ConditionTest::In(InValues::Marker(marker, _)) => {
            cx.add_marker(marker.index, &in_list_receiver(value), None);
            return Ok(BoundTest::InMarker(marker.index));
        }
        ConditionTest::Compare(operator, term) => (*operator, term),
    };
    let element = match (operator, &value.ty) {
        (Operator::ContainsKey, Type::Map(..)) => key_receiver(value),
        (Operator::ContainsKey, _) => {
            return refuse(format!("Cannot use CONTAINS KEY on non-map column {}", value.name));
        }
        (Operator::Contains, ty) if ty.is_collection() => value_receiver(value),
        (Operator::Contains, _) => {
            return refuse(format!("Cannot use CONTAINS on non-collection column {}", value.name));
        }
        _ => None,
    };
    Ok(BoundTest::Compare(
        operator,
        term::prepare(cx, term, element.as_ref().unwrap_or(value), None)?,
    ))
}
