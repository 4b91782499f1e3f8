//! The outermost form of an expression: a column, a value, or something computed.

use sqlparser::ast::{
    Array, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, Value as SqlValue,
};

/// The outermost form of an expression.
pub(super) enum ExpressionShape<'e> {
    /// A column: its name, with the table's before it.
    Column(&'e [Ident]),
    /// A column cast to a type.
    CastColumn,
    /// `NULL`
    Null,
    /// A parameter.
    Parameter(&'e str),
    /// A constant.
    Constant,
    /// `ARRAY[...]`
    Array(&'e [Expr]),
    /// `(a, b)`
    Row(&'e [Expr]),
    /// A query in brackets.
    Query,
    /// Something computed, from columns or without any.
    Computed {
        /// From columns.
        from_columns: bool,
    },
}

/// An expression without the brackets around it.
pub(super) fn strip_brackets(mut expression: &Expr) -> &Expr {
    while let Expr::Nested(nested) = expression {
        expression = nested;
    }
    expression
}

/// An expression without the brackets and casts around it.
pub(super) fn strip_casts(mut expression: &Expr) -> &Expr {
    while let Expr::Nested(inside) | Expr::Cast { expr: inside, .. } = expression {
        expression = inside;
    }
    expression
}

/// The outermost form of an expression. A cast of a value is ignored: its type is that of the
/// column.
pub(super) fn classify_expression(expression: &Expr) -> ExpressionShape<'_> {
    match strip_casts(expression) {
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) if is_cast(expression) => {
            ExpressionShape::CastColumn
        }
        Expr::Identifier(name) => ExpressionShape::Column(std::slice::from_ref(name)),
        Expr::CompoundIdentifier(names) => ExpressionShape::Column(names),
        Expr::Value(value) => match &value.value {
            SqlValue::Null => ExpressionShape::Null,
            SqlValue::Placeholder(placeholder) => ExpressionShape::Parameter(placeholder),
            _ => ExpressionShape::Constant,
        },
        Expr::TypedString(_) => ExpressionShape::Constant,
        Expr::UnaryOp { expr, .. } if matches!(strip_casts(expr), Expr::Value(_)) => {
            ExpressionShape::Constant
        }
        Expr::Array(Array { elem, .. }) => ExpressionShape::Array(elem),
        Expr::Tuple(parts) => ExpressionShape::Row(parts),
        Expr::Subquery(_) => ExpressionShape::Query,
        other => ExpressionShape::Computed { from_columns: has_column(other) },
    }
}

/// The column that an expression names.
pub(super) fn column_name(expression: &Expr) -> Option<&[Ident]> {
    match classify_expression(expression) {
        ExpressionShape::Column(names) => Some(names),
        _ => None,
    }
}

fn is_cast(mut expression: &Expr) -> bool {
    while let Expr::Nested(inside) = expression {
        expression = inside;
    }
    matches!(expression, Expr::Cast { .. })
}

/// Whether a computed expression names a column.
fn has_column(expression: &Expr) -> bool {
    let mut open = vec![expression];
    while let Some(next) = open.pop() {
        match next {
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => return true,
            Expr::Nested(inside)
            | Expr::Cast { expr: inside, .. }
            | Expr::UnaryOp { expr: inside, .. }
            | Expr::Extract { expr: inside, .. }
            | Expr::Ceil { expr: inside, .. }
            | Expr::Floor { expr: inside, .. }
            | Expr::Trim { expr: inside, .. }
            | Expr::Substring { expr: inside, .. }
            | Expr::Collate { expr: inside, .. }
            | Expr::AtTimeZone { timestamp: inside, .. }
            | Expr::JsonAccess { value: inside, .. }
            | Expr::CompoundFieldAccess { root: inside, .. } => open.push(inside),
            Expr::BinaryOp { left, right, .. } => open.extend([&**left, &**right]),
            Expr::Position { expr, r#in } => open.extend([&**expr, &**r#in]),
            Expr::Function(function) => open.extend(plain_arguments(&function.args)),
            Expr::Case { .. } => return true,
            _ => {}
        }
    }
    false
}

/// The plain arguments of a function.
pub(in crate::sql) fn plain_arguments(arguments: &FunctionArguments) -> Vec<&Expr> {
    let FunctionArguments::List(list) = arguments else { return Vec::new() };
    let plain = |argument| match argument {
        &FunctionArg::Unnamed(FunctionArgExpr::Expr(ref expression)) => Some(expression),
        _ => None,
    };
    list.args.iter().filter_map(plain).collect()
}
