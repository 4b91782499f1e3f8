//! The syntax tree of a function body.

use super::value::JavaValue;

/// A statement.
#[derive(Clone, Debug)]
pub(super) enum JavaStatement {
    Block(Vec<JavaStatement>),
    /// `int a = 1;`
    Declare {
        class: Box<str>,
        name: Box<str>,
        value: Option<JavaExpression>,
    },
    Expression(JavaExpression),
    If {
        condition: JavaExpression,
        then: Box<JavaStatement>,
        otherwise: Option<Box<JavaStatement>>,
    },
    /// `while` and `for`: the updates run after the body.
    Loop {
        start: Vec<JavaStatement>,
        condition: Option<JavaExpression>,
        updates: Vec<JavaExpression>,
        body: Box<JavaStatement>,
    },
    ForEach {
        class: Box<str>,
        name: Box<str>,
        values: JavaExpression,
        body: Box<JavaStatement>,
    },
    Return(JavaExpression),
    /// `throw new Class(message);`
    Throw {
        class: Box<str>,
        message: Option<JavaExpression>,
    },
    Break,
    Continue,
}

/// An expression.
#[derive(Clone, Debug)]
pub(super) enum JavaExpression {
    Literal(JavaValue),
    Name(Box<str>),
    /// `a.b` without a call: a class or one of its constants.
    Field(Box<JavaExpression>, Box<str>),
    Unary(&'static str, Box<JavaExpression>),
    Binary(&'static str, Box<(JavaExpression, JavaExpression)>),
    Conditional(Box<(JavaExpression, JavaExpression, JavaExpression)>),
    Cast(Box<str>, Box<JavaExpression>),
    Call {
        target: Box<JavaExpression>,
        method: Box<str>,
        arguments: Vec<JavaExpression>,
    },
    New {
        class: Box<str>,
        arguments: Vec<JavaExpression>,
    },
    /// `a = 1`, and `a += 1` with the operator `+`.
    Assign {
        name: Box<str>,
        operator: Option<&'static str>,
        value: Box<JavaExpression>,
    },
    /// `a++` and `++a`.
    Increment {
        name: Box<str>,
        step: i32,
        is_prefix: bool,
    },
}
