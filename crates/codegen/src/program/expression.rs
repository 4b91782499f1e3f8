//! Values and conditions that the client computes.

use serde::{Deserialize, Serialize};

use super::{BucketWidth, ConstantValue, DataType};

/// A value that the client computes. Unless something else is said, it is null where a part of it
/// is null.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expression {
    /// Its type.
    pub ty: DataType,
    /// How it is computed.
    pub kind: ExpressionKind,
}

/// How a value is computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExpressionKind {
    /// The parameter at this position.
    Parameter(usize),
    /// The value of a repetition at this turn: its position among those of the statement.
    Turn(usize),
    /// A column of a row; null where there is no such row.
    Column {
        /// The row.
        row: RowReference,
        /// The name of the column.
        name: String,
    },
    /// A constant.
    Constant(ConstantValue),
    /// The bucket in which a value (a time, a date, a time-based id, an integer) falls: the start of
    /// the bucket in UTC as `timestamp` (hours) or `date`; the quotient, rounded down, as `bigint`.
    Bucket(Box<Expression>, BucketWidth),
    /// The Murmur3 token of the values, serialised by CQL and composed as a partition key (a single
    /// value stands alone; else each one has its length in two bytes before it and a zero byte after
    /// it), modulo the count, never negative. Null where one is null.
    Shard(Vec<Expression>, u32),
    /// The first characters (code points) of a text.
    Prefix(Box<Expression>, usize),
    /// The least text that is greater than every text with this prefix: its last character (code
    /// point) is replaced by the next one that is no surrogate; a greatest one is dropped before. For
    /// an empty prefix U+10FFFF four times.
    PrefixEnd(Box<Expression>),
    /// A list or set of this one element; null where the element is null.
    Singleton(Box<Expression>),
    /// The first that is not null.
    Coalesce(Vec<Expression>),
    /// The difference of two numbers.
    Difference(Box<Expression>, Box<Expression>),
    /// An array with an element at its end; a null array is empty before. A null element is left
    /// out.
    Append(Box<Expression>, Box<Expression>),
    /// An array without the elements that equal a value; a null array stays null or empty.
    Remove(Box<Expression>, Box<Expression>),
    /// A write timestamp with which the row of an older bucket wins: 2^52 minus the start of the
    /// bucket in milliseconds (minus its number, for a range of integers).
    OldestWins(Box<Expression>),
    /// 2^52 plus the number of the bucket.
    NewestWins(Box<Expression>),
    /// The same value in the type of this expression: whole numbers of another width, a number as
    /// decimal or double, a counter as bigint, a text as ascii, a timestamp as date.
    Convert(Box<Expression>),
    /// `+`, `-`, `*` on two values of the type of this expression. A whole number that does not fit
    /// its type is an error.
    Arithmetic(Arithmetic, Box<Expression>, Box<Expression>),
    /// Two texts, one after the other.
    Concatenate(Box<Expression>, Box<Expression>),
    /// A comparison of two values of one type: null where one of them is null.
    Compare(ComparisonOperator, Box<Expression>, Box<Expression>),
    /// SQL's AND of three truth values.
    And(Box<Expression>, Box<Expression>),
    /// SQL's OR.
    Or(Box<Expression>, Box<Expression>),
    /// SQL's NOT: null of null.
    Not(Box<Expression>),
    /// Whether it is null: never null itself.
    IsNull(Box<Expression>),
    /// A function. All arguments of `Coalesce`, `Greatest` and `Least` have the type of this
    /// expression.
    Call(ScalarFunction, Vec<Expression>),
    /// The value of the first condition that is true, else the last value.
    Case(Vec<(Expression, Expression)>, Box<Expression>),
    /// A decimal, rounded to so many digits after the point, halves away from zero.
    Round(Box<Expression>, u32),
}

/// A row that an expression uses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowReference {
    /// The first row that a step returned.
    First(usize),
    /// The row of the repetition over rows at this position, or, for each further number, the row
    /// at that position of `Fetch::parents` under which the row before was read.
    Turn(usize, Vec<usize>),
    /// The row of the query that is being completed ([`super::Query::row`]).
    Current,
}

/// An operator of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
}

/// A comparison. Texts are compared by code points (the bytes of UTF-8), ids by their bytes,
/// time-based ids by time first, then bytes; NaN is greater than all other numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum ComparisonOperator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// A function of SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScalarFunction {
    /// `lower`
    Lower,
    /// `upper`
    Upper,
    /// `length`: code points, as `int`.
    Length,
    /// `trim`: spaces at both ends.
    Trim,
    /// `coalesce`: the first argument that is not null.
    Coalesce,
    /// `abs`
    Absolute,
    /// `greatest`: nulls do not count.
    Greatest,
    /// `least`: nulls do not count.
    Least,
}

/// A condition that the client tests: true or false, never unknown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// The value is not null.
    NotNull(Expression),
    /// The value is null.
    Null(Expression),
    /// The comparison holds; it does not where a value is null.
    Compares(Expression, ComparisonOperator, Expression),
    /// The values differ: null equals null and differs from all else.
    Differ(Expression, Expression),
    /// The array holds the element; it does not where either is null.
    Holds(Expression, Expression),
    /// The value equals one of the others; it does not where it is null.
    In(Expression, Vec<Expression>),
    /// The first of the pairs whose values differ compares so, or all are equal and the operator
    /// includes equality; false where a value up to there is null.
    RowCompares(Vec<(Expression, Expression)>, ComparisonOperator),
    /// The text begins with the other; it does not where one is null.
    StartsWith(Expression, Expression),
    /// The truth value is true or null, and can be computed (a number out of range is not met).
    IsMet(Expression),
    /// The other does not hold.
    Not(Box<Condition>),
    /// At least one of them holds.
    Any(Vec<Condition>),
    /// All of them hold.
    All(Vec<Condition>),
}
