//! The methods of strings, numbers, collections and string builders.

use std::rc::Rc;

use cql::value::Decimal;

use super::JavaFault;
use super::budget::Budget;
use super::classes;
use super::interpreter::{Evaluation, Interpreter};
use super::opaque;
use super::records;
use super::value::JavaValue;
use crate::function::decimal;

/// Calls a method of a value that is not null.
pub(super) fn call(
    interpreter: &mut Interpreter<'_>,
    value: &JavaValue,
    method: &str,
    arguments: &[JavaValue],
) -> Evaluation {
    let budget = &mut interpreter.budget;
    // What is appended to is not read.
    let read = Some(value).filter(|_| method != "append");
    budget.read(read.into_iter().chain(arguments))?;
    match (method, arguments) {
        ("equals", [other]) => return Ok(JavaValue::Boolean(value.is_equal(other, budget)?)),
        ("toString", []) => {
            let text = value.print(budget)?;
            budget.allocate(text.len())?;
            return Ok(JavaValue::Text(text.into()));
        }
        _ => {}
    }
    match value {
        JavaValue::Text(text) => call_text(budget, text, method, arguments),
        JavaValue::StringBuilder(builder) => match (method, arguments) {
            ("append", [part]) => {
                let part = part.print(budget)?;
                budget.allocate(part.len())?;
                builder.borrow_mut().push_str(&part);
                Ok(value.clone())
            }
            ("length", []) => Ok(length(count_units(&builder.borrow()))),
            _ => Err(JavaFault::Unsupported),
        },
        JavaValue::BigInteger(_) | JavaValue::BigDecimal(_) => {
            call_big(budget, value, method, arguments)
        }
        JavaValue::List(_) | JavaValue::Set(_) => call_collection(budget, value, method, arguments),
        JavaValue::Map(_) => call_map(budget, value, method, arguments),
        JavaValue::Entry(entry) => match (method, arguments) {
            ("getKey", []) => Ok(entry.0.clone()),
            ("getValue", []) => Ok(entry.1.clone()),
            _ => Err(JavaFault::Unsupported),
        },
        JavaValue::Record(record) => records::call(budget, record, method, arguments),
        JavaValue::Context => records::create(interpreter, method, arguments),
        JavaValue::Opaque(native, bytes) if arguments.is_empty() => {
            opaque::call(*native, bytes, method)
        }
        _ => call_number(budget, value, method, arguments),
    }
}

/// The parameter types of a method, as an exception prints them; `None` if they are not known.
pub(super) fn signature(
    class: &str,
    method: &str,
    arguments: &[JavaValue],
) -> Option<&'static str> {
    let simple = class.rsplit('.').next()?;
    Some(match (simple, method, arguments.len()) {
        (_, _, 0) => "",
        (_, "equals", 1) | ("Set" | "List", "contains" | "add", 1) => "Object",
        ("Map", "get" | "containsKey" | "containsValue", 1) => "Object",
        ("Map", "put" | "getOrDefault", 2) => "Object, Object",
        ("List", "get", 1) | ("String", "charAt" | "substring", 1) => "int",
        ("String", "substring", 2) => "int, int",
        ("String", "contains", 1) => "java.lang.CharSequence",
        (
            "String",
            "startsWith" | "endsWith" | "concat" | "indexOf" | "split" | "compareTo"
            | "equalsIgnoreCase",
            1,
        ) => "String",
        ("BigInteger", "add" | "subtract" | "multiply" | "divide" | "compareTo", 1) => {
            "java.math.BigInteger"
        }
        ("BigDecimal", "add" | "subtract" | "multiply" | "compareTo", 1) => "java.math.BigDecimal",
        ("TupleValue" | "UDTValue", _, 1) => match arguments.first()? {
            JavaValue::Int(_) => "int",
            JavaValue::Text(_) => "String",
            _ => return None,
        },
        ("TupleValue" | "UDTValue", "getList" | "getSet", 2) => match arguments.first()? {
            JavaValue::Int(_) => "int, java.lang.Class",
            JavaValue::Text(_) => "String, java.lang.Class",
            _ => return None,
        },
        ("TupleValue" | "UDTValue", "getMap", 3) => match arguments.first()? {
            JavaValue::Int(_) => "int, java.lang.Class, java.lang.Class",
            JavaValue::Text(_) => "String, java.lang.Class, java.lang.Class",
            _ => return None,
        },
        ("UDTValue", "setInt", 2) => "String, int",
        ("UDTValue", "setLong", 2) => "String, long",
        ("UDTValue", "setDouble", 2) => "String, double",
        ("UDTValue", "setString", 2) => "String, String",
        ("TupleValue", "setInt", 2) => "int, int",
        ("TupleValue", "setString", 2) => "int, String",
        _ => return None,
    })
}

/// The argument that a method takes as a primitive, so that null fails.
pub(super) fn primitive_argument(class: &str, method: &str) -> Option<usize> {
    let simple = class.rsplit('.').next()?.split('<').next()?;
    match (simple, method) {
        ("List" | "ArrayList", "get") | ("String", "charAt" | "substring") => Some(0),
        (
            "TupleValue" | "UDTValue",
            "setBool" | "setByte" | "setDouble" | "setFloat" | "setInt" | "setLong" | "setShort",
        ) => Some(1),
        _ => None,
    }
}

fn length(count: usize) -> JavaValue {
    JavaValue::Int(i32::try_from(count).unwrap_or(i32::MAX))
}

/// The length of a text in Java, which counts units of 16 bits.
fn count_units(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.encode_utf16().count() }
}

fn call_text(
    budget: &mut Budget,
    text: &Rc<str>,
    method: &str,
    arguments: &[JavaValue],
) -> Evaluation {
    let own = |text: String| Ok(JavaValue::Text(text.into()));
    match (method, arguments) {
        ("length", []) => Ok(length(count_units(text))),
        ("isEmpty", []) => Ok(JavaValue::Boolean(text.is_empty())),
        ("toUpperCase" | "toLowerCase" | "trim" | "substring", _) => {
            // At most three times as long.
            budget.allocate(text.len())?;
            change_text(text, method, arguments)
        }
        ("charAt", [JavaValue::Int(at)]) => {
            let unit = |at: usize| {
                if text.is_ascii() {
                    return text.as_bytes().get(at).map(|byte| u16::from(*byte));
                }
                text.encode_utf16().nth(at)
            };
            let found = usize::try_from(*at).ok().and_then(unit);
            found.and_then(|unit| char::from_u32(unit.into())).map(JavaValue::Char).ok_or_else(
                || {
                    let size = count_units(text);
                    let message = format!("index {at}, length {size}");
                    JavaFault::new("java.lang.StringIndexOutOfBoundsException", &message)
                },
            )
        }
        ("equalsIgnoreCase", [JavaValue::Text(other)]) => {
            Ok(JavaValue::Boolean(text.to_lowercase() == other.to_lowercase()))
        }
        ("contains", [JavaValue::Text(part)]) => Ok(JavaValue::Boolean(text.contains(&**part))),
        ("startsWith", [JavaValue::Text(part)]) => {
            Ok(JavaValue::Boolean(text.starts_with(&**part)))
        }
        ("endsWith", [JavaValue::Text(part)]) => Ok(JavaValue::Boolean(text.ends_with(&**part))),
        ("indexOf", [JavaValue::Text(part)]) => Ok(JavaValue::Int(match text.find(&**part) {
            Some(at) => {
                let before = text.get(..at).unwrap_or_default();
                i32::try_from(before.encode_utf16().count()).unwrap_or(i32::MAX)
            }
            None => -1,
        })),
        ("concat", [JavaValue::Text(other)]) => {
            budget.allocate(text.len() + other.len())?;
            own(format!("{text}{other}"))
        }
        ("replace", [JavaValue::Text(from), JavaValue::Text(to)]) => {
            let replaced = text.matches(&**from).count().saturating_mul(to.len());
            budget.allocate(text.len().saturating_add(replaced))?;
            own(text.replace(&**from, to))
        }
        ("compareTo", [JavaValue::Text(other)]) => Ok(JavaValue::Int(compare_texts(text, other))),
        ("split", [JavaValue::Text(separator)]) => split(budget, text, separator),
        _ => Err(JavaFault::Unsupported),
    }
}

fn change_text(text: &str, method: &str, arguments: &[JavaValue]) -> Evaluation {
    let changed = match (method, arguments) {
        ("toUpperCase", []) => text.to_uppercase(),
        ("toLowerCase", []) => text.to_lowercase(),
        ("trim", []) => text.trim_matches(|c: char| c <= ' ').to_owned(),
        ("substring", [JavaValue::Int(begin)]) => {
            let end = i32::try_from(count_units(text)).unwrap_or(i32::MAX);
            substring(text, *begin, end)?
        }
        ("substring", [JavaValue::Int(begin), JavaValue::Int(end)]) => {
            substring(text, *begin, *end)?
        }
        _ => return Err(JavaFault::Unsupported),
    };
    Ok(JavaValue::Text(changed.into()))
}

fn substring(text: &str, begin: i32, end: i32) -> Evaluation<String> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let range = usize::try_from(begin).ok().zip(usize::try_from(end).ok());
    let part = range.and_then(|(begin, end)| units.get(begin..end));
    part.map(String::from_utf16_lossy).ok_or_else(|| {
        let message = format!("begin {begin}, end {end}, length {}", units.len());
        JavaFault::new("java.lang.StringIndexOutOfBoundsException", &message)
    })
}

/// The difference of the first units that differ, or of the lengths.
fn compare_texts(a: &str, b: &str) -> i32 {
    let mut pairs = a.encode_utf16().zip(b.encode_utf16());
    let lengths =
        || a.encode_utf16().count().cast_signed() - b.encode_utf16().count().cast_signed();
    match pairs.find(|(a, b)| a != b) {
        Some((a, b)) => i32::from(a) - i32::from(b),
        None => i32::try_from(lengths()).unwrap_or(0),
    }
}

/// Splits at a separator without regular expressions; empty parts at the end are dropped.
fn split(budget: &mut Budget, text: &str, separator: &str) -> Evaluation {
    let is_plain = separator
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, ' ' | ',' | ':' | ';' | '-' | '_' | '/' | '='));
    if !is_plain || separator.is_empty() {
        return Err(JavaFault::Unsupported);
    }
    budget.allocate(text.len())?;
    budget.allocate_elements(text.matches(separator).count() + 1)?;
    let mut parts: Vec<&str> = text.split(separator).collect();
    while parts.len() > 1 && parts.last().is_some_and(|part| part.is_empty()) {
        parts.pop();
    }
    let parts = parts.into_iter().map(|part| JavaValue::Text(part.into())).collect();
    Ok(JavaValue::List(Rc::new(std::cell::RefCell::new(parts))))
}

fn call_number(
    budget: &mut Budget,
    value: &JavaValue,
    method: &str,
    arguments: &[JavaValue],
) -> Evaluation {
    match (method, arguments, value) {
        ("booleanValue", [], JavaValue::Boolean(_)) => Ok(value.clone()),
        ("compareTo", [other], _) => {
            let JavaValue::Boolean(is_less) = classes::operate("<", value, other)? else {
                return Err(JavaFault::Unsupported);
            };
            let order = if is_less { -1 } else { i32::from(!value.is_equal(other, budget)?) };
            Ok(JavaValue::Int(order))
        }
        (_, [], _) if value.double().is_some() => {
            let class = method.strip_suffix("Value").ok_or(JavaFault::Unsupported)?;
            let is_number = matches!(class, "byte" | "short" | "int" | "long" | "float" | "double");
            if is_number {
                classes::cast(class, value.clone())
            } else {
                Err(JavaFault::Unsupported)
            }
        }
        _ => Err(JavaFault::Unsupported),
    }
}

/// The methods of `BigInteger` and `BigDecimal`.
fn call_big(
    budget: &mut Budget,
    value: &JavaValue,
    method: &str,
    arguments: &[JavaValue],
) -> Evaluation {
    count_products(budget, value, arguments)?;
    let number = match (value, arguments) {
        (JavaValue::BigInteger(a), [JavaValue::BigInteger(b)]) => {
            JavaValue::BigInteger(match method {
                "add" => a + b,
                "subtract" => a - b,
                "multiply" => a * b,
                "divide" if b.sign() != num_bigint::Sign::NoSign => a / b,
                "compareTo" => return Ok(JavaValue::Int(a.cmp(b) as i32)),
                _ => return Err(JavaFault::Unsupported),
            })
        }
        (JavaValue::BigDecimal(a), [JavaValue::BigDecimal(b)]) => JavaValue::BigDecimal(
            match method {
                "add" => decimal::add_exactly(a, b),
                "subtract" => decimal::add_exactly(a, &decimal::negate(b)),
                "multiply" => decimal::multiply(a, b),
                "compareTo" => return Ok(JavaValue::Int(a.compare(b) as i32)),
                _ => return Err(JavaFault::Unsupported),
            }
            .map_err(|failure| {
                JavaFault::new("java.lang.ArithmeticException", &failure.to_string())
            })?,
        ),
        (JavaValue::BigInteger(number), []) => match method {
            "negate" => JavaValue::BigInteger(-number),
            "abs" => JavaValue::BigInteger(number.magnitude().clone().into()),
            _ => return call_primitive(value, method),
        },
        (JavaValue::BigDecimal(number), []) => match method {
            "negate" => JavaValue::BigDecimal(decimal::negate(number)),
            "abs" => JavaValue::BigDecimal(Decimal {
                unscaled: number.unscaled.magnitude().clone().into(),
                scale: number.scale,
            }),
            _ => return call_primitive(value, method),
        },
        _ => return Err(JavaFault::Unsupported),
    };
    Ok(number)
}

/// Counts the work on big numbers; those of different scales are multiplied by a power of ten.
fn count_products(
    budget: &mut Budget,
    value: &JavaValue,
    arguments: &[JavaValue],
) -> Evaluation<()> {
    let scale = |value: &JavaValue| match value {
        JavaValue::BigDecimal(number) => i64::from(number.scale),
        _ => 0,
    };
    let other = arguments.first().unwrap_or(value);
    // Five digits have at least two bytes.
    let digits = scale(value).abs_diff(scale(other));
    let power = usize::try_from(digits / 5 * 2).unwrap_or(usize::MAX);
    let size = |value: &JavaValue| value.byte_size().saturating_add(power);
    budget.multiply(size(value), size(other))
}

/// `intValue()` and the like of big numbers.
fn call_primitive(value: &JavaValue, method: &str) -> Evaluation {
    use crate::function::number::Number;
    let number = match value {
        JavaValue::BigInteger(number) => Number::Varint(number.clone()),
        JavaValue::BigDecimal(number) => Number::Decimal(number.clone()),
        _ => return Err(JavaFault::Unsupported),
    };
    Ok(match method {
        "intValue" => JavaValue::Int(number.int()),
        "longValue" => JavaValue::Long(number.long()),
        "floatValue" => JavaValue::Float(number.float()),
        "doubleValue" => JavaValue::Double(number.double()),
        _ => return Err(JavaFault::Unsupported),
    })
}

fn call_collection(
    budget: &mut Budget,
    value: &JavaValue,
    method: &str,
    arguments: &[JavaValue],
) -> Evaluation {
    let (JavaValue::List(elements) | JavaValue::Set(elements)) = value else {
        return Err(JavaFault::Unsupported);
    };
    let is_list = matches!(value, JavaValue::List(_));
    match (method, arguments) {
        ("size", []) => Ok(length(elements.borrow().len())),
        ("isEmpty", []) => Ok(JavaValue::Boolean(elements.borrow().is_empty())),
        ("contains", [wanted]) => {
            Ok(JavaValue::Boolean(contains(budget, &elements.borrow(), wanted)?))
        }
        ("get", [JavaValue::Int(at)]) if is_list => {
            let elements = elements.borrow();
            let found = usize::try_from(*at).ok().and_then(|at| elements.get(at));
            found.cloned().ok_or_else(|| {
                let message = format!("Index {at} out of bounds for length {}", elements.len());
                JavaFault::new("java.lang.IndexOutOfBoundsException", &message)
            })
        }
        ("add", [element]) => {
            let is_new = is_list || !contains(budget, &elements.borrow(), element)?;
            if is_new {
                budget.allocate_elements(1)?;
                budget.hold(value, element);
                elements.borrow_mut().push(element.clone());
            }
            Ok(JavaValue::Boolean(is_new))
        }
        ("addAll", [JavaValue::List(added) | JavaValue::Set(added)]) => {
            budget.allocate_elements(added.borrow().len())?;
            let added = added.borrow().clone();
            for element in &added {
                call_collection(budget, value, "add", std::slice::from_ref(element))?;
            }
            Ok(JavaValue::Boolean(!added.is_empty()))
        }
        _ => Err(JavaFault::Unsupported),
    }
}

fn contains(budget: &mut Budget, elements: &[JavaValue], wanted: &JavaValue) -> Evaluation<bool> {
    for element in elements {
        if element.is_equal(wanted, budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The position of a key.
fn find(
    budget: &mut Budget,
    pairs: &[(JavaValue, JavaValue)],
    wanted: &JavaValue,
) -> Evaluation<Option<usize>> {
    for (at, (key, _)) in pairs.iter().enumerate() {
        if key.is_equal(wanted, budget)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

fn call_map(
    budget: &mut Budget,
    value: &JavaValue,
    method: &str,
    arguments: &[JavaValue],
) -> Evaluation {
    let JavaValue::Map(pairs) = value else { return Err(JavaFault::Unsupported) };
    if let Some(key) = arguments.first() {
        let at = find(budget, &pairs.borrow(), key)?;
        return call_entry(budget, value, at, method, arguments);
    }
    if matches!(method, "keySet" | "values" | "entrySet") {
        budget.allocate_elements(pairs.borrow().len() * 2)?;
    }
    let list = |values: Vec<JavaValue>| Rc::new(std::cell::RefCell::new(values));
    match (method, arguments) {
        ("size", []) => Ok(length(pairs.borrow().len())),
        ("isEmpty", []) => Ok(JavaValue::Boolean(pairs.borrow().is_empty())),
        ("keySet", []) => {
            Ok(JavaValue::Set(list(pairs.borrow().iter().map(|(key, _)| key.clone()).collect())))
        }
        ("values", []) => {
            Ok(JavaValue::List(list(pairs.borrow().iter().map(|(_, own)| own.clone()).collect())))
        }
        ("entrySet", []) => {
            let entries =
                pairs.borrow().iter().map(|pair| JavaValue::Entry(Rc::new(pair.clone()))).collect();
            Ok(JavaValue::Set(list(entries)))
        }
        _ => Err(JavaFault::Unsupported),
    }
}

/// The methods of maps with a key, which is at a position or absent.
fn call_entry(
    budget: &mut Budget,
    map: &JavaValue,
    at: Option<usize>,
    method: &str,
    arguments: &[JavaValue],
) -> Evaluation {
    let JavaValue::Map(pairs) = map else { return Err(JavaFault::Unsupported) };
    let found = at.and_then(|at| pairs.borrow().get(at).map(|(_, value)| value.clone()));
    match (method, arguments) {
        ("get", [_]) => Ok(found.unwrap_or(JavaValue::Null)),
        ("getOrDefault", [_, other]) => Ok(found.unwrap_or_else(|| other.clone())),
        ("containsKey", [_]) => Ok(JavaValue::Boolean(at.is_some())),
        ("put", [key, new]) => {
            budget.hold(map, key);
            budget.hold(map, new);
            let mut pairs = pairs.borrow_mut();
            if let Some((_, value)) = at.and_then(|at| pairs.get_mut(at)) {
                *value = new.clone();
            } else {
                budget.allocate_elements(2)?;
                pairs.push((key.clone(), new.clone()));
            }
            Ok(found.unwrap_or(JavaValue::Null))
        }
        _ => Err(JavaFault::Unsupported),
    }
}
