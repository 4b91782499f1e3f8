//! Operations on values.

use crate::program::{
    Arithmetic, ComparisonOperator, DataType, Expression, ExpressionKind, ScalarFunction,
};

use super::expression::{INLINE, RustExpressions, RustValue, bucket_width, order_test};
use super::types::RustTypes;
use super::writer::RustWriter;

impl RustExpressions<'_, '_> {
    /// An operation whose parts are options.
    pub(super) fn operation(&mut self, expression: &Expression) -> RustValue {
        let ty = self.scope.types.name(&expression.ty);
        let Some(call) = RustOperation::new(expression, &ty) else {
            return self.null(&expression.ty);
        };
        let parts = call.parts.into_iter();
        let mut arguments: Vec<String> = parts.map(|part| self.option(part)).collect();
        // A call of one argument is broken inside it: so that is a variable where it is long.
        if arguments.len() == 1 {
            arguments = arguments.into_iter().map(|it| self.short_argument(it)).collect();
        }
        arguments.extend(call.more);
        RustValue::option(self.call(&call.head, &arguments, call.tail))
    }

    pub(super) fn not(&mut self, part: &Expression) -> RustValue {
        let value = self.value(part);
        match value.code.as_str() {
            "false" => RustValue { code: "true".into(), is_option: false },
            "true" => RustValue { code: "false".into(), is_option: false },
            _ => {
                let value = self.shorten(RustValue::option(value.into_option())).code;
                RustValue::option(self.call("not", &[value], ""))
            }
        }
    }

    pub(super) fn compare(
        &mut self,
        operator: ComparisonOperator,
        one: &Expression,
        other: &Expression,
    ) -> RustValue {
        let arguments = [self.reference(one), self.reference(other)];
        let order = self.call("compare", &arguments, "");
        let order = if order.len() > 24 { self.bind(&order) } else { order };
        RustValue::option(format!("{order}.map(Ordering::{})", order_test(operator)))
    }

    /// The code, or a variable where it is too long for a single argument.
    pub(super) fn short_argument(&mut self, code: String) -> String {
        if code.len() > 40 { self.bind(&code) } else { code }
    }

    pub(super) fn null_test(&mut self, part: &Expression) -> RustValue {
        let value = self.value(part);
        if !value.is_option {
            return RustValue { code: "false".into(), is_option: false };
        }
        let value = self.shorten(value).code;
        RustValue { code: format!("{value}.is_none()"), is_option: false }
    }

    pub(super) fn coalesce(&mut self, ty: &DataType, parts: &[Expression]) -> RustValue {
        let mut made: Option<String> = None;
        for part in parts {
            let value = self.value(part);
            let is_option = value.is_option;
            let value = self.shorten(RustValue::option(value.into_option())).code;
            made = Some(match made {
                None => value,
                Some(before) if before.len() + value.len() > INLINE => {
                    let before = self.bind(&before);
                    let value = self.bind(&value);
                    format!("{before}.or({value})")
                }
                Some(before) => format!("{before}.or({value})"),
            });
            if !is_option {
                break;
            }
        }
        made.map_or_else(|| self.null(ty), RustValue::option)
    }

    pub(super) fn shard(&mut self, parts: &[Expression], count: u32) -> RustValue {
        let mut pairs = Vec::new();
        for part in parts {
            let value = self.option(part);
            let value = self.bind(&value);
            let ty = RustTypes::driver_type(&part.ty).unwrap_or_default();
            self.variables += 1;
            let name = format!("value{}", self.variables);
            self.out.assign(&format!("let {name}: ShardPart"), &format!("(&{value}, {ty})"));
            pairs.push(name);
        }
        self.variables += 1;
        let name = format!("value{}", self.variables);
        let parts = format!("[{}]", pairs.join(", "));
        self.out.assign(&format!("let {name}"), &parts);
        RustValue::option(format!("to_shard(&{name}, {count})"))
    }

    pub(super) fn function(
        &mut self,
        ty: &DataType,
        function: ScalarFunction,
        arguments: &[Expression],
    ) -> RustValue {
        let wanted = match function {
            ScalarFunction::Coalesce => return self.coalesce(ty, arguments),
            ScalarFunction::Greatest => Some("Ordering::Greater"),
            ScalarFunction::Least => Some("Ordering::Less"),
            _ => None,
        };
        let values: Vec<String> = arguments.iter().map(|part| self.option(part)).collect();
        if let Some(wanted) = wanted {
            let mut values = values.into_iter();
            let Some(mut best) = values.next() else { return self.null(ty) };
            for value in values {
                best = self.call("choose", &[best, value, wanted.to_owned()], "");
            }
            return RustValue::option(best);
        }
        let Some(value) = values.into_iter().next_back() else { return self.null(ty) };
        let value = self.short_argument(value);
        RustValue::option(match function {
            ScalarFunction::Lower => self.call("to_lower", &[value], ""),
            ScalarFunction::Upper => self.call("to_upper", &[value], ""),
            ScalarFunction::Trim => self.call("trim", &[value], ""),
            ScalarFunction::Absolute => self.call("absolute", &[value], "?"),
            _ => self.call("to_length", &[value], ""),
        })
    }

    pub(super) fn case(
        &mut self,
        ty: &DataType,
        branches: &[(Expression, Expression)],
        otherwise: &Expression,
    ) -> RustValue {
        if branches.is_empty() {
            return RustValue::option(self.option(otherwise));
        }
        self.variables += 1;
        let name = format!("value{}", self.variables);
        let target = format!("let {name}: Option<{}>", self.scope.types.name(ty));
        self.print_case(&format!("{target} = "), branches, otherwise, ";");
        RustValue::option(name)
    }

    /// Prints the branches of a case as an expression.
    fn print_case(
        &mut self,
        before: &str,
        branches: &[(Expression, Expression)],
        otherwise: &Expression,
        after: &str,
    ) {
        let scope = self.scope;
        let Some(((when, then), rest)) = branches.split_first() else {
            let value = self.option(otherwise);
            self.out.line(value);
            return;
        };
        let when = self.option(when);
        let when = self.short_argument(when);
        let mut first = self.start_nested(scope, 1);
        let then = first.option(then);
        let is_first_plain = first.out.is_empty();
        first.out.line(&then);
        let mut last = first.start_nested(scope, 0);
        last.out = RustWriter::new(self.out.depth() + 1);
        last.print_case("", rest, otherwise, "");
        let (first, last) = (first.into_state().text, last.into_state());
        self.variables = last.variables;
        let other = last.text.trim();
        let is_plain = is_first_plain && !other.contains('\n') && !other.starts_with("if ");
        let one = format!("if {when} == Some(true) {{ {then} }} else {{ {other} }}");
        let target = before.trim_end_matches([' ', '=']);
        if is_plain && self.out.can_fit(&format!("{before}{one}{after}")) {
            self.out.line(format!("{before}{one}{after}"));
        } else if is_plain && !before.is_empty() && self.out.can_fit(&format!("    {one}{after}")) {
            self.out.assign(target, &one);
        } else {
            self.out.line(format!("{before}if {when} == Some(true) {{")).append(&first);
            if other.starts_with("if ") {
                self.out.append_after("} else ", &last.text).line_end(after);
            } else {
                self.out.line("} else {").append(&last.text).line(format!("}}{after}"));
            }
        }
    }
}

/// A call of the support file: its parts are options.
struct RustOperation<'e> {
    head: String,
    parts: Vec<&'e Expression>,
    /// Arguments after the parts.
    more: Vec<String>,
    tail: &'static str,
}

impl<'e> RustOperation<'e> {
    /// The call of an operation whose result has this type; `None` for anything else.
    fn new(expression: &'e Expression, ty: &str) -> Option<Self> {
        let plain = |head: &str, parts: Vec<&'e Expression>| Self {
            head: head.to_owned(),
            parts,
            more: Vec::new(),
            tail: "",
        };
        Some(match &expression.kind {
            ExpressionKind::Bucket(part, width) => Self {
                more: vec![bucket_width(*width)],
                ..plain(&format!("to_bucket::<_, {ty}>"), vec![part])
            },
            ExpressionKind::Prefix(part, length) => {
                Self { more: vec![length.to_string()], ..plain("to_prefix", vec![part]) }
            }
            ExpressionKind::PrefixEnd(part) => plain("to_prefix_end", vec![part]),
            ExpressionKind::Difference(one, other) => {
                Self { tail: "?", ..plain("subtract", vec![one, other]) }
            }
            ExpressionKind::Append(one, other) => plain("append", vec![one, other]),
            ExpressionKind::Remove(one, other) => plain("remove", vec![one, other]),
            ExpressionKind::OldestWins(part) => plain("oldest_wins", vec![part]),
            ExpressionKind::NewestWins(part) => plain("newest_wins", vec![part]),
            ExpressionKind::Arithmetic(operator, one, other) => {
                let head = match operator {
                    Arithmetic::Add => "add",
                    Arithmetic::Subtract => "subtract",
                    Arithmetic::Multiply => "multiply",
                };
                Self { tail: "?", ..plain(head, vec![one, other]) }
            }
            ExpressionKind::Concatenate(one, other) => plain("concatenate", vec![one, other]),
            ExpressionKind::And(one, other) => plain("and", vec![one, other]),
            ExpressionKind::Or(one, other) => plain("or", vec![one, other]),
            ExpressionKind::Round(part, digits) => {
                Self { more: vec![digits.to_string()], ..plain("round", vec![part]) }
            }
            _ => return None,
        })
    }
}
