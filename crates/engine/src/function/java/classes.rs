//! Classes: the conversions and operators of primitives, and static methods and constants.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;

use cql::types::{NativeType, Type};
use cql::value::{self, Decimal};
use num_bigint::BigInt;

use super::JavaFault;
use super::budget::Budget;
use super::interpreter::Evaluation;
use super::value::JavaValue;

/// The class of the values of a CQL type, as an exception prints it.
pub(super) fn class_of(ty: &Type) -> &'static str {
    match ty {
        Type::Native(native) => match native {
            NativeType::Ascii | NativeType::Text => "String",
            NativeType::Bigint | NativeType::Counter | NativeType::Time => "java.lang.Long",
            NativeType::Boolean => "java.lang.Boolean",
            NativeType::Decimal => "java.math.BigDecimal",
            NativeType::Double => "java.lang.Double",
            NativeType::Float => "java.lang.Float",
            NativeType::Int => "java.lang.Integer",
            NativeType::Smallint => "java.lang.Short",
            NativeType::Tinyint => "java.lang.Byte",
            NativeType::Varint => "java.math.BigInteger",
            NativeType::Uuid | NativeType::Timeuuid => "java.util.UUID",
            NativeType::Timestamp => "java.util.Date",
            _ => "Object",
        },
        Type::List(..) | Type::Vector(..) => "java.util.List",
        Type::Set(..) => "java.util.Set",
        Type::Map(..) => "java.util.Map",
        Type::Tuple(_) => "org.apache.cassandra.cql3.functions.types.TupleValue",
        Type::User(..) => "org.apache.cassandra.cql3.functions.types.UDTValue",
        Type::Custom(_) => "Object",
    }
}

/// The method that unboxes a wrapper.
pub(super) fn unboxing_method(class: &str) -> Option<&'static str> {
    Some(match class {
        "java.lang.Boolean" => "booleanValue",
        "java.lang.Byte" => "byteValue",
        "java.lang.Short" => "shortValue",
        "java.lang.Integer" => "intValue",
        "java.lang.Long" => "longValue",
        "java.lang.Float" => "floatValue",
        "java.lang.Double" => "doubleValue",
        _ => return None,
    })
}

/// The full names of exceptions that bodies throw.
pub(super) fn exception_class(name: &str) -> Option<&'static str> {
    Some(match name {
        "RuntimeException" => "java.lang.RuntimeException",
        "IllegalArgumentException" => "java.lang.IllegalArgumentException",
        "IllegalStateException" => "java.lang.IllegalStateException",
        "NullPointerException" => "java.lang.NullPointerException",
        "ArithmeticException" => "java.lang.ArithmeticException",
        "UnsupportedOperationException" => "java.lang.UnsupportedOperationException",
        "IndexOutOfBoundsException" => "java.lang.IndexOutOfBoundsException",
        _ => return None,
    })
}

pub(super) fn is_primitive(class: &str) -> bool {
    class.starts_with(|c: char| c.is_ascii_lowercase()) && !class.contains('.')
}

fn simple_name(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}

/// The value as a variable of a class holds it: primitives widen, nothing is narrowed.
pub(super) fn convert(class: &str, value: JavaValue) -> Evaluation {
    let is_constant = matches!(value, JavaValue::Int(_));
    match (simple_name(class), &value) {
        ("long" | "float" | "double", _) if !matches!(value, JavaValue::Null) => cast(class, value),
        // An int literal may be assigned to a narrower type.
        ("byte" | "short" | "char" | "Byte" | "Short", _) if is_constant => cast(class, value),
        ("int", JavaValue::Byte(_) | JavaValue::Short(_) | JavaValue::Char(_)) => {
            cast(class, value)
        }
        ("int" | "boolean" | "byte" | "short" | "char", JavaValue::Null) => {
            Err(JavaFault::Unsupported)
        }
        ("int" | "Integer", JavaValue::Int(_))
        | ("Long", JavaValue::Long(_))
        | ("Double", JavaValue::Double(_))
        | ("Float", JavaValue::Float(_))
        | ("boolean" | "Boolean", JavaValue::Boolean(_))
        | ("String", JavaValue::Text(_)) => Ok(value),
        (
            "int" | "Integer" | "Long" | "Double" | "Float" | "boolean" | "Boolean" | "String",
            value,
        ) if !matches!(value, JavaValue::Null) => Err(JavaFault::Unsupported),
        _ => Ok(value),
    }
}

/// `(class) value`
#[expect(clippy::cast_possible_truncation, reason = "as Java narrows")]
pub(super) fn cast(class: &str, value: JavaValue) -> Evaluation {
    // Floats are converted to narrow types by way of int.
    let whole = || match (&value, value.long()) {
        (_, Some(number)) => Some(number),
        (JavaValue::Float(number), _) => Some(*number as i64),
        (JavaValue::Double(number), _) => Some(*number as i64),
        _ => None,
    };
    let narrow = || match &value {
        JavaValue::Float(number) => Some(*number as i32),
        JavaValue::Double(number) => Some(*number as i32),
        other => other.long().map(|number| number as i32),
    };
    let number = match simple_name(class) {
        "byte" | "Byte" => narrow().map(|number| JavaValue::Byte(number as i8)),
        "short" | "Short" => narrow().map(|number| JavaValue::Short(number as i16)),
        "int" | "Integer" => narrow().map(JavaValue::Int),
        "long" | "Long" => whole().map(JavaValue::Long),
        "float" | "Float" => value.double().map(|number| match &value {
            JavaValue::Float(own) => JavaValue::Float(*own),
            _ => JavaValue::Float(number as f32),
        }),
        "double" | "Double" => value.double().map(JavaValue::Double),
        "char" => whole()
            .and_then(|number| char::from_u32(u32::from((number as i16).cast_unsigned())))
            .map(JavaValue::Char),
        _ => Some(value.clone()),
    };
    match number {
        Some(number) => Ok(number),
        None if matches!(value, JavaValue::Null) => Ok(value),
        None => Err(JavaFault::Unsupported),
    }
}

/// A unary operator.
pub(super) fn negate(operator: &str, value: &JavaValue) -> Evaluation {
    Ok(match (operator, value) {
        ("!", JavaValue::Boolean(truth)) => JavaValue::Boolean(!truth),
        ("+", _) => operate("+", &JavaValue::Int(0), value)?,
        ("-", JavaValue::Double(number)) => JavaValue::Double(-number),
        ("-", JavaValue::Float(number)) => JavaValue::Float(-number),
        ("-", _) => operate("-", &JavaValue::Int(0), value)?,
        ("~", JavaValue::Long(number)) => JavaValue::Long(!number),
        ("~", JavaValue::Int(number)) => JavaValue::Int(!number),
        _ => return Err(JavaFault::Unsupported),
    })
}

/// A binary operator on values that are not null, except for `==` and `!=`.
#[expect(clippy::cast_possible_truncation, reason = "as Java narrows")]
pub(super) fn operate(operator: &str, a: &JavaValue, b: &JavaValue) -> Evaluation {
    if matches!(operator, "==" | "!=") {
        return Ok(JavaValue::Boolean(compare_identity(a, b)? == (operator == "==")));
    }
    if let (JavaValue::Boolean(a), JavaValue::Boolean(b)) = (a, b) {
        return Ok(JavaValue::Boolean(match operator {
            "&" => a & b,
            "|" => a | b,
            "^" => a ^ b,
            _ => return Err(JavaFault::Unsupported),
        }));
    }
    if let (Some(x), Some(y)) = (a.long(), b.long()) {
        // The result of a shift has the type of its left operand.
        let is_shift = matches!(operator, "<<" | ">>" | ">>>");
        let is_long =
            matches!(a, JavaValue::Long(_)) || (matches!(b, JavaValue::Long(_)) && !is_shift);
        if let Some(order) = compare(operator, x.cmp(&y)) {
            return Ok(JavaValue::Boolean(order));
        }
        let result = if is_long {
            operate_long(operator, x, y)?
        } else {
            operate_int(operator, x as i32, y)?.into()
        };
        return Ok(if is_long { JavaValue::Long(result) } else { JavaValue::Int(result as i32) });
    }
    let (Some(x), Some(y)) = (a.double(), b.double()) else { return Err(JavaFault::Unsupported) };
    // Nothing is less than, equal to or greater than a value that is not a number.
    let is_comparison = matches!(operator, "<" | "<=" | ">" | ">=");
    if is_comparison {
        let holds = x.partial_cmp(&y).and_then(|order| compare(operator, order));
        return Ok(JavaValue::Boolean(holds.unwrap_or(false)));
    }
    let result = match operator {
        "+" => x + y,
        "-" => x - y,
        "*" => x * y,
        "/" => x / y,
        "%" => x % y,
        _ => return Err(JavaFault::Unsupported),
    };
    let is_double = matches!(a, JavaValue::Double(_)) || matches!(b, JavaValue::Double(_));
    Ok(if is_double { JavaValue::Double(result) } else { JavaValue::Float(result as f32) })
}

/// The result of a comparison operator; `None` for others.
fn compare(operator: &str, order: Ordering) -> Option<bool> {
    Some(match operator {
        "<" => order.is_lt(),
        "<=" => order.is_le(),
        ">" => order.is_gt(),
        ">=" => order.is_ge(),
        _ => return None,
    })
}

#[expect(clippy::cast_possible_truncation, reason = "as Java narrows")]
fn operate_int(operator: &str, a: i32, b: i64) -> Evaluation<i32> {
    let shift = (b as i32).cast_unsigned() & 31;
    Ok(match operator {
        "<<" => a.wrapping_shl(shift),
        ">>" => a.wrapping_shr(shift),
        ">>>" => (a.cast_unsigned() >> shift).cast_signed(),
        _ => operate_long(operator, a.into(), b)? as i32,
    })
}

#[expect(clippy::cast_possible_truncation, reason = "as Java narrows")]
fn operate_long(operator: &str, a: i64, b: i64) -> Evaluation<i64> {
    if matches!(operator, "/" | "%") && b == 0 {
        return Err(JavaFault::new("java.lang.ArithmeticException", "/ by zero"));
    }
    let shift = (b as i32).cast_unsigned() & 63;
    Ok(match operator {
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" => a.wrapping_div(b),
        "%" => a.wrapping_rem(b),
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        "<<" => a.wrapping_shl(shift),
        ">>" => a.wrapping_shr(shift),
        ">>>" => (a.cast_unsigned() >> shift).cast_signed(),
        _ => return Err(JavaFault::Unsupported),
    })
}

/// `a == b`: primitives by value, null by identity. Whether other objects are identical is not
/// known.
fn compare_identity(a: &JavaValue, b: &JavaValue) -> Evaluation<bool> {
    match (a, b) {
        (JavaValue::Null, JavaValue::Null) => Ok(true),
        (JavaValue::Null, _) | (_, JavaValue::Null) => Ok(false),
        (JavaValue::Boolean(a), JavaValue::Boolean(b)) => Ok(a == b),
        // Arguments are never the same object as a literal.
        (JavaValue::Text(_), JavaValue::Text(_)) => Ok(false),
        (a, b) => match (a.long(), b.long(), a.double(), b.double()) {
            (Some(a), Some(b), ..) => Ok(a == b),
            (.., Some(a), Some(b)) => Ok(a.partial_cmp(&b) == Some(Ordering::Equal)),
            _ => Err(JavaFault::Unsupported),
        },
    }
}

/// A constant of a class.
pub(super) fn constant(class: &str, name: &str) -> Evaluation {
    let small = |name: &str| match name {
        "ZERO" => Ok(0),
        "ONE" => Ok(1),
        "TEN" => Ok(10),
        _ => Err(JavaFault::Unsupported),
    };
    Ok(match (class, name) {
        // The class of elements, which their type implies here.
        (_, "class") => JavaValue::Null,
        ("Integer", "MAX_VALUE") => JavaValue::Int(i32::MAX),
        ("Integer", "MIN_VALUE") => JavaValue::Int(i32::MIN),
        ("Long", "MAX_VALUE") => JavaValue::Long(i64::MAX),
        ("Long", "MIN_VALUE") => JavaValue::Long(i64::MIN),
        ("Math", "PI") => JavaValue::Double(std::f64::consts::PI),
        ("Math", "E") => JavaValue::Double(std::f64::consts::E),
        ("Boolean", "TRUE") => JavaValue::Boolean(true),
        ("Boolean", "FALSE") => JavaValue::Boolean(false),
        ("BigInteger", name) => JavaValue::BigInteger(small(name)?.into()),
        ("BigDecimal", name) => {
            JavaValue::BigDecimal(Decimal { unscaled: small(name)?.into(), scale: 0 })
        }
        _ => return Err(JavaFault::Unsupported),
    })
}

/// `new BigInteger("1")` and `new BigDecimal("1")`
pub(super) fn parse_big(budget: &mut Budget, class: &str, text: &str) -> Evaluation {
    budget.multiply(text.len(), text.len())?;
    let parse = |native: NativeType| value::from_text(&native.into(), text, 0).ok();
    let number = match class {
        "BigInteger" => parse(NativeType::Varint)
            .map(|bytes| JavaValue::BigInteger(BigInt::from_signed_bytes_be(&bytes))),
        "BigDecimal" => parse(NativeType::Decimal)
            .and_then(|bytes| Decimal::from_bytes(&bytes))
            .map(JavaValue::BigDecimal),
        _ => None,
    };
    number.ok_or(JavaFault::Unsupported)
}

/// Whether a static method takes primitives, so that null arguments fail.
pub(super) fn has_primitive_parameters(class: &str, method: &str) -> bool {
    class == "Math"
        || (method == "valueOf" && class != "String")
        || (method == "toString" && is_box(class))
}

/// Whether a class boxes a primitive.
pub(super) fn is_box(class: &str) -> bool {
    matches!(class, "Boolean" | "Byte" | "Double" | "Float" | "Integer" | "Long" | "Short")
}

/// Whether a class is a map.
pub(super) fn is_map(class: &str) -> bool {
    matches!(class, "HashMap" | "LinkedHashMap" | "TreeMap")
}

/// The method of a box that parses a text.
pub(super) fn parser(class: &str) -> &'static str {
    match class {
        "Integer" => "parseInt",
        "Long" => "parseLong",
        _ => "valueOf",
    }
}

/// Calls a static method.
pub(super) fn call(
    budget: &mut Budget,
    class: &str,
    method: &str,
    arguments: &[JavaValue],
) -> Evaluation {
    budget.read(arguments)?;
    match (class, method, arguments) {
        ("Math", _, _) => call_math(method, arguments),
        ("String", "valueOf", [value]) => Ok(JavaValue::Text(print(budget, value)?)),
        ("Integer" | "Long" | "Double" | "Float" | "Boolean", "toString", [value]) => {
            Ok(JavaValue::Text(print(budget, value)?))
        }
        ("Integer", "parseInt", [JavaValue::Null]) | ("Long", "parseLong", [JavaValue::Null]) => {
            Err(JavaFault::new("java.lang.NumberFormatException", "Cannot parse null string"))
        }
        ("Integer", "parseInt" | "valueOf", [JavaValue::Text(text)]) => {
            text.parse().map(JavaValue::Int).map_err(|_| wrong_number(text))
        }
        ("Long", "parseLong" | "valueOf", [JavaValue::Text(text)]) => {
            text.parse().map(JavaValue::Long).map_err(|_| wrong_number(text))
        }
        ("Integer", "valueOf", [value @ JavaValue::Int(_)])
        | ("Boolean", "valueOf", [value @ JavaValue::Boolean(_)]) => Ok(value.clone()),
        ("Long", "valueOf", [value]) if value.long().is_some() => cast("long", value.clone()),
        ("Double" | "Float", "valueOf", [value]) if value.double().is_some() => {
            cast(class, value.clone())
        }
        ("Short", "valueOf", [value @ JavaValue::Short(_)])
        | ("Byte", "valueOf", [value @ JavaValue::Byte(_)]) => Ok(value.clone()),
        ("BigInteger", "valueOf", [value]) => {
            let number = value.long().ok_or(JavaFault::Unsupported)?;
            Ok(JavaValue::BigInteger(number.into()))
        }
        ("BigDecimal", "valueOf", [value]) => {
            if let Some(number) = value.long() {
                return Ok(JavaValue::BigDecimal(Decimal { unscaled: number.into(), scale: 0 }));
            }
            let text = value.print(budget)?;
            parse_big(budget, "BigDecimal", &text)
        }
        ("Arrays", "asList", [list @ JavaValue::List(_)]) => Ok(list.clone()),
        ("Arrays", "asList", values) => {
            budget.allocate_elements(values.len() + 1)?;
            let list = JavaValue::List(Rc::new(RefCell::new(values.to_vec())));
            for value in values {
                budget.hold(&list, value);
            }
            Ok(list)
        }
        _ => Err(JavaFault::Unsupported),
    }
}

fn print(budget: &mut Budget, value: &JavaValue) -> Evaluation<Rc<str>> {
    let text = value.print(budget)?;
    budget.allocate(text.len())?;
    Ok(text.into())
}

fn wrong_number(text: &str) -> JavaFault {
    JavaFault::new("java.lang.NumberFormatException", &format!("For input string: \"{text}\""))
}

#[expect(clippy::cast_possible_truncation, reason = "as Java narrows")]
fn call_math(method: &str, arguments: &[JavaValue]) -> Evaluation {
    if let ("max" | "min", [a, b]) = (method, arguments) {
        // The sum has the type of the result.
        let class = match operate("+", a, b)? {
            JavaValue::Int(_) => "int",
            JavaValue::Long(_) => "long",
            JavaValue::Float(_) => "float",
            _ => "double",
        };
        let JavaValue::Boolean(is_less) = operate("<", a, b)? else {
            return Err(JavaFault::Unsupported);
        };
        return cast(class, if is_less == (method == "min") { a } else { b }.clone());
    }
    if let ("abs", [value]) = (method, arguments) {
        let JavaValue::Boolean(is_negative) = operate("<", value, &JavaValue::Int(0))? else {
            return Err(JavaFault::Unsupported);
        };
        return if is_negative { negate("-", value) } else { negate("+", value) };
    }
    let numbers: Option<Vec<f64>> = arguments.iter().map(JavaValue::double).collect();
    Ok(JavaValue::Double(match (method, &numbers.ok_or(JavaFault::Unsupported)?[..]) {
        ("round", [number]) => {
            let rounded = (number + 0.5).floor();
            return Ok(match arguments {
                [JavaValue::Float(_)] => JavaValue::Int(rounded as i32),
                _ => JavaValue::Long(rounded as i64),
            });
        }
        ("sqrt", [number]) => number.sqrt(),
        ("pow", [base, exponent]) => base.powf(*exponent),
        ("log", [number]) => number.ln(),
        ("log10", [number]) => number.log10(),
        ("exp", [number]) => number.exp(),
        ("floor", [number]) => number.floor(),
        ("ceil", [number]) => number.ceil(),
        ("sin", [number]) => number.sin(),
        ("cos", [number]) => number.cos(),
        ("tan", [number]) => number.tan(),
        ("signum", [number]) if *number != 0.0 => number.signum(),
        _ => return Err(JavaFault::Unsupported),
    }))
}
