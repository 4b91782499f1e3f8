//! Reads the expressions of generated columns and CHECK constraints.
//!
//! Only what every client computes alike is read: arithmetic, `||`, comparisons and a few functions
//! of numbers and texts. All else is refused by name.

use cql::types::{NativeType, Type};
use sqlparser::ast::{
    Array, BinaryOperator, CaseWhen, DataType, Expr, FunctionArguments, TrimWhereField,
    UnaryOperator, Value as SqlValue,
};

use super::literal::assignment_literal;
use super::source::SqlName;
use super::types::TypeRegistry;
use crate::expression::{BinaryOperation, Expression, ScalarFunction};
use crate::id::AttributeId;

/// An expression and its type.
pub(super) type TypedExpression = (Expression<AttributeId>, NativeType);

/// The reason why an expression is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ExpressionRefusal {
    /// A part that is not supported, as the file has it.
    Unsupported(String),
    /// A column that the table does not have.
    UnknownColumn(String),
    /// An operand of the wrong type.
    WrongType(String),
}

/// Reads expressions over the columns of a table.
pub(super) struct ExpressionReader<'a> {
    pub(super) types: &'a TypeRegistry,
    /// The attribute of a name, and its type.
    pub(super) column: &'a dyn Fn(&str) -> Option<(AttributeId, Type)>,
}

type Result<T> = std::result::Result<T, ExpressionRefusal>;

impl ExpressionReader<'_> {
    /// A condition.
    pub(super) fn read_condition(&self, expression: &Expr) -> Result<Expression<AttributeId>> {
        let (read, ty) = self.read(expression, Some(NativeType::Boolean))?;
        if ty == NativeType::Boolean { Ok(read) } else { Err(refuse_type(expression)) }
    }

    /// An expression and the type of its value.
    pub(super) fn infer(&self, expression: &Expr) -> Result<TypedExpression> {
        self.read(expression, None)
    }

    /// An expression whose value is written into a column of a type, with so many digits after the
    /// point.
    pub(super) fn read_value(
        &self,
        expression: &Expr,
        ty: &Type,
        digits: Option<u32>,
    ) -> Result<Expression<AttributeId>> {
        let Type::Native(wanted) = ty else { return Err(refuse_part(expression)) };
        let (read, from) = self.read(expression, Some(*wanted))?;
        let read = match (from, *wanted) {
            (from, wanted) if from == wanted => read,
            (from, wanted) if is_convertible(from, wanted) => {
                Expression::Cast(Box::new(read), wanted)
            }
            _ => return Err(refuse_type(expression)),
        };
        Ok(match digits {
            Some(digits) if *wanted == NativeType::Decimal => {
                Expression::Round(Box::new(read), digits)
            }
            _ => read,
        })
    }

    /// An expression; a constant takes the type that is wanted.
    fn read(&self, expression: &Expr, wanted: Option<NativeType>) -> Result<TypedExpression> {
        match expression {
            Expr::Nested(inside) => self.read(inside, wanted),
            Expr::Identifier(name) => self.read_column(&SqlName::new(name).text, expression),
            Expr::CompoundIdentifier(names) => match names.last() {
                Some(name) => self.read_column(&SqlName::new(name).text, expression),
                None => Err(refuse_part(expression)),
            },
            Expr::Value(_) | Expr::TypedString(_) => read_constant(expression, wanted),
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => {
                let inside = self.read_condition(expr)?;
                Ok((Expression::Not(Box::new(inside)), NativeType::Boolean))
            }
            Expr::UnaryOp { op: UnaryOperator::Minus, expr } => {
                if let Ok(constant) = read_constant(expression, wanted) {
                    return Ok(constant);
                }
                let (inside, ty) = self.read_number(expr)?;
                let zero = Expression::Constant("0".to_owned(), ty);
                Ok((binary(BinaryOperation::Subtract, zero, inside), ty))
            }
            Expr::BinaryOp { left, op, right } => self.read_binary(expression, left, op, right),
            Expr::IsNull(of) => self.read_null_test(of, false),
            Expr::IsNotNull(of) => self.read_null_test(of, true),
            Expr::IsTrue(of) => self.read_truth_test(of, true),
            Expr::IsFalse(of) => self.read_truth_test(of, false),
            Expr::Between { expr, negated, low, high } => {
                self.read_between(expr, *negated, (low, high))
            }
            Expr::InList { expr, list, negated } => self.read_list(expr, list, *negated),
            Expr::AnyOp { left, compare_op: BinaryOperator::Eq, right, .. } => {
                match strip_casts(right) {
                    Expr::Array(Array { elem, .. }) => self.read_list(left, elem, false),
                    _ => Err(refuse_part(expression)),
                }
            }
            Expr::Cast { expr, data_type, .. } => self.read_cast(expression, expr, data_type),
            Expr::Case { operand: None, conditions, else_result, .. } => {
                self.read_case(conditions, else_result.as_deref(), wanted)
            }
            Expr::Trim {
                expr,
                trim_where: None | Some(TrimWhereField::Both),
                trim_what: None,
                trim_characters: None,
            } => self.read_text_call(ScalarFunction::Trim, expr),
            Expr::Function(function) => {
                let name = SqlName::from_object_name(&function.name).map(|name| name.text);
                let plain = function.over.is_none() && function.filter.is_none();
                match (name, &function.args) {
                    (Some(name), FunctionArguments::List(_)) if plain => {
                        let arguments = super::query::plain_arguments(&function.args);
                        self.read_call(expression, &name, &arguments, wanted)
                    }
                    _ => Err(refuse_part(expression)),
                }
            }
            _ => Err(refuse_part(expression)),
        }
    }

    fn read_column(&self, name: &str, expression: &Expr) -> Result<TypedExpression> {
        let Some((attribute, ty)) = (self.column)(name) else {
            return Err(ExpressionRefusal::UnknownColumn(name.to_owned()));
        };
        match ty {
            // A sum of singles depends on how exactly each step is computed.
            Type::Native(NativeType::Float) => Err(refuse_part(expression)),
            Type::Native(native) => Ok((Expression::Column(attribute), native)),
            _ => Err(refuse_part(expression)),
        }
    }

    fn read_number(&self, expression: &Expr) -> Result<TypedExpression> {
        let (read, ty) = self.read(expression, None)?;
        if is_number(ty) { Ok((read, ty)) } else { Err(refuse_type(expression)) }
    }

    /// Two operands of one type; a constant takes the type of the other.
    fn read_pair(&self, left: &Expr, right: &Expr) -> Result<(TypedExpression, TypedExpression)> {
        if is_constant(left) && !is_constant(right) {
            let right = self.read(right, None)?;
            return Ok((self.read(left, Some(right.1))?, right));
        }
        let left = self.read(left, None)?;
        let right = self.read(right, Some(left.1))?;
        Ok((left, right))
    }

    fn read_binary(
        &self,
        whole: &Expr,
        left: &Expr,
        operator: &BinaryOperator,
        right: &Expr,
    ) -> Result<TypedExpression> {
        use BinaryOperation as B;
        let operation = to_operation(operator).ok_or_else(|| refuse_part(whole))?;
        match operation {
            B::And | B::Or => {
                let (left, right) = (self.read_condition(left)?, self.read_condition(right)?);
                Ok((binary(operation, left, right), NativeType::Boolean))
            }
            B::Add | B::Subtract | B::Multiply => {
                let ((left, one), (right, other)) = self.read_pair(left, right)?;
                if !is_number(one) || !is_number(other) {
                    return Err(refuse_part(whole));
                }
                Ok((binary(operation, left, right), wider(one, other)))
            }
            B::Concatenate => {
                let text = |part: &Expr| {
                    let (read, ty) = self.read(part, Some(NativeType::Text))?;
                    match ty {
                        NativeType::Text => Ok(read),
                        ty if is_whole(ty) => {
                            Ok(Expression::Cast(Box::new(read), NativeType::Text))
                        }
                        _ => Err(refuse_part(part)),
                    }
                };
                Ok((binary(operation, text(left)?, text(right)?), NativeType::Text))
            }
            _ => {
                let ((left, one), (right, other)) = self.read_pair(left, right)?;
                let equality = matches!(operation, B::Equal | B::NotEqual);
                // The order of texts depends on the collation.
                let ordered = is_number(one) || is_time(one);
                let comparable = one == other || (is_number(one) && is_number(other));
                if !comparable || !(equality || ordered) {
                    return Err(refuse_part(whole));
                }
                Ok((binary(operation, left, right), NativeType::Boolean))
            }
        }
    }

    fn read_null_test(&self, of: &Expr, negated: bool) -> Result<TypedExpression> {
        let (read, _) = self.read(of, None)?;
        let test = Expression::IsNull(Box::new(read));
        let test = if negated { Expression::Not(Box::new(test)) } else { test };
        Ok((test, NativeType::Boolean))
    }

    /// `x IS TRUE`, which is never unknown.
    fn read_truth_test(&self, of: &Expr, truth: bool) -> Result<TypedExpression> {
        let read = self.read_condition(of)?;
        let tested = if truth { read } else { Expression::Not(Box::new(read)) };
        let no = Expression::Constant("false".to_owned(), NativeType::Boolean);
        Ok((Expression::Call(ScalarFunction::Coalesce, vec![tested, no]), NativeType::Boolean))
    }

    fn read_between(
        &self,
        of: &Expr,
        negated: bool,
        (low, high): (&Expr, &Expr),
    ) -> Result<TypedExpression> {
        let at_least = self.read_binary(of, of, &BinaryOperator::GtEq, low)?.0;
        let at_most = self.read_binary(of, of, &BinaryOperator::LtEq, high)?.0;
        let both = binary(BinaryOperation::And, at_least, at_most);
        let read = if negated { Expression::Not(Box::new(both)) } else { both };
        Ok((read, NativeType::Boolean))
    }

    fn read_list(&self, of: &Expr, list: &[Expr], negated: bool) -> Result<TypedExpression> {
        let mut any = Expression::Constant("false".to_owned(), NativeType::Boolean);
        for (at, item) in list.iter().enumerate() {
            let equal = self.read_binary(of, of, &BinaryOperator::Eq, strip_casts(item))?.0;
            any = if at == 0 { equal } else { binary(BinaryOperation::Or, any, equal) };
        }
        let read = if negated { Expression::Not(Box::new(any)) } else { any };
        Ok((read, NativeType::Boolean))
    }

    fn read_cast(&self, whole: &Expr, of: &Expr, to: &DataType) -> Result<TypedExpression> {
        let Ok(cast) = self.types.resolve(to, cql::Span::default()) else {
            return Err(refuse_part(whole));
        };
        let Type::Native(to) = cast.ty else { return Err(refuse_part(whole)) };
        let (read, from) = self.read(of, Some(to))?;
        match (from, to) {
            // A cast to char(n) or varchar(n) may cut the text, one to numeric(p, s) rounds.
            (from, to) if from == to && cast.limit.is_none() => Ok((read, to)),
            (from, to) if cast.limit.is_none() && is_convertible(from, to) => {
                Ok((Expression::Cast(Box::new(read), to), to))
            }
            _ => Err(refuse_part(whole)),
        }
    }

    fn read_case(
        &self,
        conditions: &[CaseWhen],
        otherwise: Option<&Expr>,
        wanted: Option<NativeType>,
    ) -> Result<TypedExpression> {
        let (mut branches, mut common) = (Vec::new(), wanted);
        for CaseWhen { condition, result } in conditions {
            let condition = self.read_condition(condition)?;
            let (value, ty) = self.read(result, common)?;
            if common.is_some_and(|common| common != ty && value != Expression::Null) {
                return Err(refuse_type(result));
            }
            common = Some(ty);
            branches.push((condition, value));
        }
        let otherwise = match otherwise {
            None => Expression::Null,
            Some(otherwise) => {
                let (value, ty) = self.read(otherwise, common)?;
                if common.is_some_and(|common| common != ty) && value != Expression::Null {
                    return Err(refuse_type(otherwise));
                }
                value
            }
        };
        let ty = common.unwrap_or(NativeType::Text);
        Ok((Expression::Case(branches, Box::new(otherwise)), ty))
    }

    fn read_text_call(&self, function: ScalarFunction, of: &Expr) -> Result<TypedExpression> {
        let (read, ty) = self.read(of, Some(NativeType::Text))?;
        if ty != NativeType::Text {
            return Err(refuse_type(of));
        }
        let returned =
            if function == ScalarFunction::Length { NativeType::Int } else { NativeType::Text };
        Ok((Expression::Call(function, vec![read]), returned))
    }

    fn read_call(
        &self,
        whole: &Expr,
        name: &str,
        arguments: &[&Expr],
        wanted: Option<NativeType>,
    ) -> Result<TypedExpression> {
        match (name, arguments) {
            ("lower", [of]) => self.read_text_call(ScalarFunction::Lower, of),
            ("upper", [of]) => self.read_text_call(ScalarFunction::Upper, of),
            ("length" | "char_length" | "character_length", [of]) => {
                self.read_text_call(ScalarFunction::Length, of)
            }
            ("btrim", [of]) => self.read_text_call(ScalarFunction::Trim, of),
            ("abs", [of]) => {
                let (read, ty) = self.read_number(of)?;
                Ok((Expression::Call(ScalarFunction::Absolute, vec![read]), ty))
            }
            ("coalesce", [_, ..]) => {
                self.read_alternatives(ScalarFunction::Coalesce, arguments, wanted)
            }
            ("greatest", [_, ..]) => {
                self.read_alternatives(ScalarFunction::Greatest, arguments, wanted)
            }
            ("least", [_, ..]) => self.read_alternatives(ScalarFunction::Least, arguments, wanted),
            _ => Err(refuse_part(whole)),
        }
    }

    /// A function of several values of one type.
    fn read_alternatives(
        &self,
        function: ScalarFunction,
        arguments: &[&Expr],
        wanted: Option<NativeType>,
    ) -> Result<TypedExpression> {
        let known = arguments.iter().find(|argument| !is_constant(argument));
        let common = match known {
            Some(known) => Some(self.read(known, None)?.1),
            None => wanted,
        };
        let (mut read, mut ty) = (Vec::new(), common);
        for argument in arguments {
            let (value, own) = self.read(argument, ty)?;
            if ty.is_some_and(|ty| ty != own) {
                return Err(refuse_type(argument));
            }
            ty = Some(own);
            read.push(value);
        }
        let ty = ty.unwrap_or(NativeType::Text);
        let ordered = is_number(ty) || is_time(ty);
        if function != ScalarFunction::Coalesce && !ordered {
            return Err(refuse_part(arguments.first().copied().unwrap_or(&NULL)));
        }
        Ok((Expression::Call(function, read), ty))
    }
}

/// The operation of an operator; `None` where it is not supported.
pub(super) const fn to_operation(operator: &BinaryOperator) -> Option<BinaryOperation> {
    Some(match operator {
        BinaryOperator::Plus => BinaryOperation::Add,
        BinaryOperator::Minus => BinaryOperation::Subtract,
        BinaryOperator::Multiply => BinaryOperation::Multiply,
        BinaryOperator::StringConcat => BinaryOperation::Concatenate,
        BinaryOperator::Eq => BinaryOperation::Equal,
        BinaryOperator::NotEq => BinaryOperation::NotEqual,
        BinaryOperator::Lt => BinaryOperation::Less,
        BinaryOperator::LtEq => BinaryOperation::LessOrEqual,
        BinaryOperator::Gt => BinaryOperation::Greater,
        BinaryOperator::GtEq => BinaryOperation::GreaterOrEqual,
        BinaryOperator::And => BinaryOperation::And,
        BinaryOperator::Or => BinaryOperation::Or,
        _ => return None,
    })
}

const NULL: Expr = Expr::Value(sqlparser::ast::ValueWithSpan {
    value: SqlValue::Null,
    span: sqlparser::tokenizer::Span::empty(),
});

fn binary(
    operation: BinaryOperation,
    left: Expression<AttributeId>,
    right: Expression<AttributeId>,
) -> Expression<AttributeId> {
    Expression::Binary(operation, Box::new(left), Box::new(right))
}

/// A constant of the wanted type, or of its own.
fn read_constant(expression: &Expr, wanted: Option<NativeType>) -> Result<TypedExpression> {
    let stripped = strip_casts(expression);
    if let Expr::Value(value) = stripped
        && value.value == SqlValue::Null
    {
        return Ok((Expression::Null, wanted.unwrap_or(NativeType::Text)));
    }
    let own = match stripped {
        Expr::Value(value) => match &value.value {
            SqlValue::Number(number, _) if number.contains(['.', 'e', 'E']) => NativeType::Decimal,
            SqlValue::Number(..) => NativeType::Int,
            SqlValue::Boolean(_) => NativeType::Boolean,
            _ => wanted.unwrap_or(NativeType::Text),
        },
        Expr::UnaryOp { expr, .. } => match strip_casts(expr) {
            Expr::Value(value) => match &value.value {
                SqlValue::Number(number, _) if number.contains(['.', 'e', 'E']) => {
                    NativeType::Decimal
                }
                SqlValue::Number(..) => NativeType::Int,
                _ => return Err(refuse_part(expression)),
            },
            _ => return Err(refuse_part(expression)),
        },
        _ => wanted.unwrap_or(NativeType::Text),
    };
    // A number takes the type of the other side only where that is a number and loses nothing.
    let ty = match wanted {
        Some(wanted) if is_number(own) && is_number(wanted) => wider(own, wanted),
        Some(wanted) if !is_number(own) && own != NativeType::Boolean => wanted,
        _ => own,
    };
    for ty in [ty, NativeType::Bigint] {
        if let Some(literal) = assignment_literal(stripped, &Type::Native(ty)) {
            return Ok((Expression::Constant(literal, ty), ty));
        }
        if own != NativeType::Int {
            break;
        }
    }
    Err(refuse_type(expression))
}

fn strip_casts(mut expression: &Expr) -> &Expr {
    while let Expr::Nested(inside) | Expr::Cast { expr: inside, .. } = expression {
        expression = inside;
    }
    expression
}

fn is_constant(expression: &Expr) -> bool {
    match strip_casts(expression) {
        Expr::Value(_) | Expr::TypedString(_) => true,
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => is_constant(expr),
        _ => false,
    }
}

const fn is_whole(ty: NativeType) -> bool {
    matches!(ty, NativeType::Smallint | NativeType::Int | NativeType::Bigint)
}

const fn is_number(ty: NativeType) -> bool {
    is_whole(ty) || matches!(ty, NativeType::Decimal | NativeType::Double)
}

const fn is_time(ty: NativeType) -> bool {
    matches!(ty, NativeType::Date | NativeType::Time | NativeType::Timestamp)
}

/// The type of a computation with two numbers.
fn wider(one: NativeType, other: NativeType) -> NativeType {
    let rank = |ty: NativeType| match ty {
        NativeType::Smallint => 0,
        NativeType::Int => 1,
        NativeType::Bigint => 2,
        NativeType::Decimal => 3,
        _ => 4,
    };
    if rank(one) >= rank(other) { one } else { other }
}

/// Whether a value of one type becomes one of another, exactly or with an error.
fn is_convertible(from: NativeType, to: NativeType) -> bool {
    match to {
        NativeType::Decimal => is_whole(from),
        NativeType::Double => is_number(from),
        NativeType::Text => is_whole(from),
        to if is_whole(to) => is_whole(from),
        _ => false,
    }
}

fn refuse_part(expression: &Expr) -> ExpressionRefusal {
    ExpressionRefusal::Unsupported(expression.to_string())
}

fn refuse_type(expression: &Expr) -> ExpressionRefusal {
    ExpressionRefusal::WrongType(expression.to_string())
}
