//! Expressions over the columns of one row: those of generated columns, of CHECK constraints and of
//! the results of reads.
//!
//! An expression is data. The client evaluates it (`evaluate`), and plans print it. Its leaves are
//! attributes, what a read returns, or the operands that take their places in a plan.

mod evaluate;
mod number;
mod scalar;
mod value_type;

pub use evaluate::evaluate;
pub use scalar::Scalar;
pub(crate) use value_type::{can_cast, is_alike};

use std::fmt;

use cql::types::NativeType;

/// An expression with leaves of a type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expression<T> {
    /// A column.
    Column(T),
    /// A constant, in CQL's spelling.
    Constant(String, NativeType),
    /// `NULL`
    Null,
    /// `left operator right`
    Binary(BinaryOperation, Box<Self>, Box<Self>),
    /// `NOT x`
    Not(Box<Self>),
    /// `x IS NULL`
    IsNull(Box<Self>),
    /// `function(x, ...)`
    Call(ScalarFunction, Vec<Self>),
    /// `CASE WHEN condition THEN value ... ELSE value END`
    Case(Vec<(Self, Self)>, Box<Self>),
    /// A value of another type.
    Cast(Box<Self>, NativeType),
    /// A decimal, rounded to so many digits after the point, halves away from zero.
    Round(Box<Self>, u32),
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperation {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `||`
    Concatenate,
    /// `=`
    Equal,
    /// `<>`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `AND`
    And,
    /// `OR`
    Or,
}

/// A function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarFunction {
    /// `lower`
    Lower,
    /// `upper`
    Upper,
    /// `length`: characters.
    Length,
    /// `trim`: spaces at both ends.
    Trim,
    /// `coalesce`
    Coalesce,
    /// `abs`
    Absolute,
    /// `greatest`: nulls do not count.
    Greatest,
    /// `least`: nulls do not count.
    Least,
}

impl BinaryOperation {
    /// How SQL writes it.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Concatenate => "||",
            Self::Equal => "=",
            Self::NotEqual => "<>",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::And => "AND",
            Self::Or => "OR",
        }
    }
}

impl ScalarFunction {
    /// Its name in SQL.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lower => "lower",
            Self::Upper => "upper",
            Self::Length => "length",
            Self::Trim => "trim",
            Self::Coalesce => "coalesce",
            Self::Absolute => "abs",
            Self::Greatest => "greatest",
            Self::Least => "least",
        }
    }
}

impl<T> Expression<T> {
    /// The expressions directly inside this one.
    pub fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Column(_) | Self::Constant(..) | Self::Null => Vec::new(),
            Self::Binary(_, left, right) => vec![left, right],
            Self::Not(of) | Self::IsNull(of) | Self::Cast(of, _) | Self::Round(of, _) => vec![of],
            Self::Call(_, arguments) => arguments.iter().collect(),
            Self::Case(branches, otherwise) => branches
                .iter()
                .flat_map(|(condition, value)| [condition, value])
                .chain([&**otherwise])
                .collect(),
        }
    }

    /// Its leaves, in the order of the text.
    pub fn columns(&self) -> Vec<&T> {
        match self {
            Self::Column(column) => vec![column],
            other => other.parts().into_iter().flat_map(Self::columns).collect(),
        }
    }

    /// Its leaves, mutably.
    pub fn columns_mut(&mut self) -> Vec<&mut T> {
        match self {
            Self::Column(column) => vec![column],
            Self::Constant(..) | Self::Null => Vec::new(),
            Self::Binary(_, left, right) => {
                let mut columns = left.columns_mut();
                columns.extend(right.columns_mut());
                columns
            }
            Self::Not(of) | Self::IsNull(of) | Self::Cast(of, _) | Self::Round(of, _) => {
                of.columns_mut()
            }
            Self::Call(_, arguments) => arguments.iter_mut().flat_map(Self::columns_mut).collect(),
            Self::Case(branches, otherwise) => branches
                .iter_mut()
                .flat_map(|(condition, value)| [condition, value])
                .chain([&mut **otherwise])
                .flat_map(Self::columns_mut)
                .collect(),
        }
    }

    /// The same expression with another one in place of each leaf.
    pub fn substitute<U>(&self, with: &mut impl FnMut(&T) -> Expression<U>) -> Expression<U> {
        let mut of = |part: &Self| Box::new(part.substitute(with));
        match self {
            Self::Column(column) => with(column),
            Self::Constant(literal, ty) => Expression::Constant(literal.clone(), *ty),
            Self::Null => Expression::Null,
            Self::Binary(operation, left, right) => {
                Expression::Binary(*operation, of(left), of(right))
            }
            Self::Not(part) => Expression::Not(of(part)),
            Self::IsNull(part) => Expression::IsNull(of(part)),
            Self::Cast(part, ty) => Expression::Cast(of(part), *ty),
            Self::Round(part, digits) => Expression::Round(of(part), *digits),
            Self::Call(function, arguments) => {
                let arguments = arguments.iter().map(|part| part.substitute(with)).collect();
                Expression::Call(*function, arguments)
            }
            Self::Case(branches, otherwise) => {
                let branches = branches
                    .iter()
                    .map(|(condition, value)| (condition.substitute(with), value.substitute(with)))
                    .collect();
                Expression::Case(branches, Box::new(otherwise.substitute(with)))
            }
        }
    }

    /// Its text, with the leaves written by `name`.
    pub fn text(&self, name: &dyn Fn(&T) -> String) -> String {
        let of = |part: &Self| part.text(name);
        match self {
            Self::Column(column) => name(column),
            Self::Constant(literal, _) => literal.clone(),
            Self::Null => "null".to_owned(),
            Self::Binary(operation, left, right) => {
                format!("({} {} {})", of(left), operation.symbol(), of(right))
            }
            Self::Not(part) => format!("(NOT {})", of(part)),
            Self::IsNull(part) => format!("({} IS NULL)", of(part)),
            // Casts follow from the types of the columns.
            Self::Cast(part, _) => of(part),
            Self::Round(part, digits) => format!("round({}, {digits})", of(part)),
            Self::Call(function, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(of).collect();
                format!("{}({})", function.name(), arguments.join(", "))
            }
            Self::Case(branches, otherwise) => {
                let branches: Vec<_> = branches
                    .iter()
                    .map(|(condition, value)| format!("WHEN {} THEN {}", of(condition), of(value)))
                    .collect();
                format!("CASE {} ELSE {} END", branches.join(" "), of(otherwise))
            }
        }
    }
}

impl fmt::Display for ScalarFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
