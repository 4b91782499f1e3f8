//! [`JavaValue`]: the values of a function body, and their conversion from and to CQL.

use std::cell::RefCell;
use std::rc::Rc;

use cql::types::{NativeType, Type};
use cql::value::{self, Decimal, Value};
use num_bigint::BigInt;

use super::JavaFault;
use super::budget::Budget;

/// A value. Primitives and their wrappers are the same, but wrappers may be null.
#[derive(Clone, Debug)]
pub(super) enum JavaValue {
    Null,
    Boolean(bool),
    Byte(i8),
    Short(i16),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Char(char),
    Text(Rc<str>),
    BigInteger(BigInt),
    BigDecimal(Decimal),
    /// A value of a type with few methods: a UUID, a time, an address or a blob.
    Opaque(NativeType, Rc<[u8]>),
    List(Rc<RefCell<Vec<JavaValue>>>),
    Set(Rc<RefCell<Vec<JavaValue>>>),
    Map(Rc<RefCell<Vec<(JavaValue, JavaValue)>>>),
    Entry(Rc<(JavaValue, JavaValue)>),
    /// A tuple or a value of a user type.
    Record(Rc<RefCell<JavaRecord>>),
    StringBuilder(Rc<RefCell<String>>),
    /// `udfContext`
    Context,
}

/// A tuple or a value of a user type.
#[derive(Clone, Debug)]
pub(super) struct JavaRecord {
    pub(super) ty: Type,
    pub(super) parts: Vec<Option<Vec<u8>>>,
}

impl JavaRecord {
    /// A record without values.
    pub(super) fn new(ty: &Type) -> Self {
        Self { ty: ty.clone(), parts: vec![None; ty.parts().len()] }
    }
}

impl JavaValue {
    /// The Java value of CQL bytes; `None` for a type that has none here.
    pub(super) fn from_cql(ty: &Type, bytes: Option<&[u8]>) -> Option<Self> {
        let Some(bytes) = bytes else { return Some(Self::Null) };
        let parts = |ty: &Type| value::split(ty, bytes).ok();
        let shared = |values: Vec<Self>| Rc::new(RefCell::new(values));
        Some(match ty {
            Type::Native(native) => return Self::from_native(*native, bytes),
            Type::List(element, _) | Type::Set(element, _) | Type::Vector(element, _) => {
                let parts = parts(ty)?;
                let values = parts.into_iter().map(|part| Self::from_cql(element, part));
                let values = shared(values.collect::<Option<_>>()?);
                if matches!(ty, Type::Set(..)) { Self::Set(values) } else { Self::List(values) }
            }
            Type::Map(entry, _) => {
                let parts = parts(ty)?;
                let pairs = parts.as_chunks::<2>().0.iter();
                let pairs = pairs.map(|[key, value]| {
                    Some((Self::from_cql(&entry.0, *key)?, Self::from_cql(&entry.1, *value)?))
                });
                Self::Map(Rc::new(RefCell::new(pairs.collect::<Option<_>>()?)))
            }
            Type::Tuple(_) | Type::User(..) => {
                let mut record = JavaRecord::new(ty);
                for (slot, part) in record.parts.iter_mut().zip(parts(ty)?) {
                    *slot = part.map(<[u8]>::to_vec);
                }
                Self::Record(Rc::new(RefCell::new(record)))
            }
            Type::Custom(_) => return None,
        })
    }

    fn from_native(native: NativeType, bytes: &[u8]) -> Option<Self> {
        Some(match value::decode(&native.into(), bytes).ok()? {
            Value::Empty => Self::Null,
            Value::Ascii(text) | Value::Text(text) => Self::Text(text.into()),
            Value::Bigint(number) | Value::Counter(number) => Self::Long(number),
            Value::Boolean(truth) => Self::Boolean(truth),
            Value::Decimal(number) => Self::BigDecimal(number),
            Value::Double(number) => Self::Double(number),
            Value::Float(number) => Self::Float(number),
            Value::Int(number) => Self::Int(number),
            Value::Smallint(number) => Self::Short(number),
            Value::Time(nanos) => Self::Long(nanos),
            Value::Tinyint(number) => Self::Byte(number),
            Value::Varint(number) => Self::BigInteger(number),
            _ => Self::Opaque(native, bytes.into()),
        })
    }

    /// The bytes of a CQL type. Only a primitive widens.
    pub(super) fn to_cql(&self, ty: &Type, widens: bool) -> Result<Option<Vec<u8>>, JavaFault> {
        let bytes = match (ty, self) {
            (_, Self::Null) => return Ok(None),
            (Type::Native(native), _) => self.to_native(*native, widens),
            (Type::List(element, _) | Type::Vector(element, _), Self::List(values))
            | (Type::Set(element, _), Self::Set(values)) => {
                let values = values.borrow();
                let mut parts = values
                    .iter()
                    .map(|value| value.to_element(element, "Collection elements"))
                    .collect::<Result<Vec<_>, _>>()?;
                if matches!(ty, Type::Set(..)) {
                    parts.sort_by(|a, b| compare_parts(element, a.as_ref(), b.as_ref()));
                    parts.dedup();
                }
                value::join(ty, &parts).ok()
            }
            (Type::Map(entry, _), Self::Map(pairs)) => {
                let pairs = pairs.borrow();
                let mut parts = pairs
                    .iter()
                    .map(|(key, value)| {
                        let key = key.to_element(&entry.0, "Map keys")?;
                        Ok((key, value.to_element(&entry.1, "Map values")?))
                    })
                    .collect::<Result<Vec<_>, JavaFault>>()?;
                parts.sort_by(|a, b| compare_parts(&entry.0, a.0.as_ref(), b.0.as_ref()));
                let parts: Vec<_> =
                    parts.into_iter().flat_map(|(key, value)| [key, value]).collect();
                value::join(ty, &parts).ok()
            }
            (Type::Tuple(_) | Type::User(..), Self::Record(record)) => {
                value::join(ty, &record.borrow().parts).ok()
            }
            _ => None,
        };
        bytes.map(Some).ok_or(JavaFault::Unsupported)
    }

    /// The bytes of an element of a collection, which cannot be null.
    fn to_element(&self, ty: &Type, what: &str) -> Result<Option<Vec<u8>>, JavaFault> {
        match self.to_cql(ty, false)? {
            None => {
                let message = format!("{what} cannot be null");
                Err(JavaFault::new("java.lang.NullPointerException", &message))
            }
            bytes => Ok(bytes),
        }
    }

    fn to_native(&self, native: NativeType, widens: bool) -> Option<Vec<u8>> {
        Some(match (native, self) {
            (NativeType::Text | NativeType::Ascii, Self::Text(text)) => text.as_bytes().to_vec(),
            (NativeType::Boolean, Self::Boolean(truth)) => vec![u8::from(*truth)],
            (NativeType::Tinyint, Self::Byte(number)) => number.to_be_bytes().to_vec(),
            (NativeType::Smallint, Self::Short(number)) => number.to_be_bytes().to_vec(),
            (NativeType::Int, Self::Int(number)) => number.to_be_bytes().to_vec(),
            (NativeType::Bigint | NativeType::Time, Self::Long(number)) => {
                number.to_be_bytes().to_vec()
            }
            (NativeType::Float, Self::Float(number)) => number.to_be_bytes().to_vec(),
            (NativeType::Double, Self::Double(number)) => number.to_be_bytes().to_vec(),
            (NativeType::Varint, Self::BigInteger(number)) => number.to_signed_bytes_be(),
            (NativeType::Decimal, Self::BigDecimal(number)) => number.to_bytes(),
            (native, Self::Opaque(own, bytes)) if native == *own => bytes.to_vec(),
            _ if widens => return self.widen(native)?.to_native(native, false),
            _ => return None,
        })
    }

    /// A primitive number as one of a greater range.
    fn widen(&self, native: NativeType) -> Option<Self> {
        let whole = self.long();
        Some(match native {
            NativeType::Int => match self {
                Self::Byte(_) | Self::Short(_) | Self::Char(_) => {
                    Self::Int(i32::try_from(whole?).ok()?)
                }
                _ => return None,
            },
            NativeType::Bigint | NativeType::Time => Self::Long(whole?),
            NativeType::Float => Self::Float(whole? as f32),
            NativeType::Double => match self {
                Self::Float(number) => Self::Double((*number).into()),
                _ => Self::Double(whole? as f64),
            },
            _ => return None,
        })
    }

    /// The value of a whole primitive number.
    pub(super) fn long(&self) -> Option<i64> {
        Some(match self {
            Self::Byte(number) => (*number).into(),
            Self::Short(number) => (*number).into(),
            Self::Int(number) => (*number).into(),
            Self::Long(number) => *number,
            Self::Char(character) => u32::from(*character).into(),
            _ => return None,
        })
    }

    /// The value of a primitive number.
    pub(super) fn double(&self) -> Option<f64> {
        match self {
            Self::Float(number) => Some((*number).into()),
            Self::Double(number) => Some(*number),
            whole => whole.long().map(|number| number as f64),
        }
    }

    /// The bytes of a text or number; 0 for other values.
    pub(super) fn byte_size(&self) -> usize {
        let bytes = |number: &BigInt| usize::try_from(number.bits() / 8).unwrap_or(usize::MAX);
        match self {
            Self::Text(text) => text.len(),
            Self::StringBuilder(text) => text.borrow().len(),
            Self::BigInteger(number) => bytes(number),
            Self::BigDecimal(number) => bytes(&number.unscaled),
            _ => 0,
        }
    }

    /// `String.valueOf`
    pub(super) fn print(&self, budget: &mut Budget) -> Result<String, JavaFault> {
        budget.take(1)?;
        budget.read([self])?;
        let native = |native: NativeType, bytes: &[u8]| {
            let literal = value::literal(&native.into(), Some(bytes)).unwrap_or_default();
            literal.trim_matches('\'').to_owned()
        };
        Ok(match self {
            Self::Null => "null".to_owned(),
            Self::Boolean(truth) => truth.to_string(),
            Self::Float(number) => native(NativeType::Float, &number.to_be_bytes()),
            Self::Double(number) => native(NativeType::Double, &number.to_be_bytes()),
            Self::Char(character) => character.to_string(),
            Self::Text(text) => text.to_string(),
            Self::BigInteger(_) | Self::BigDecimal(_) => {
                let size = self.byte_size();
                budget.multiply(size, size)?;
                match self {
                    Self::BigDecimal(number) => number.to_string(),
                    Self::BigInteger(number) => number.to_string(),
                    _ => String::new(),
                }
            }
            Self::Opaque(
                ty @ (NativeType::Uuid
                | NativeType::Timeuuid
                | NativeType::Duration
                | NativeType::Date),
                bytes,
            ) => native(*ty, bytes).trim_matches('\'').to_owned(),
            Self::StringBuilder(text) => text.borrow().clone(),
            Self::List(values) | Self::Set(values) => {
                let values = values.borrow();
                let texts = budget.nest(|budget| {
                    values.iter().map(|value| value.print(budget)).collect::<Result<Vec<_>, _>>()
                })?;
                let text = format!("[{}]", texts.join(", "));
                budget.allocate(text.len())?;
                text
            }
            Self::Map(pairs) => {
                let pairs = pairs.borrow();
                let texts = budget.nest(|budget| {
                    let mut print = |(key, value): &(Self, Self)| {
                        Ok(format!("{}={}", key.print(budget)?, value.print(budget)?))
                    };
                    pairs.iter().map(&mut print).collect::<Result<Vec<_>, JavaFault>>()
                })?;
                let text = format!("{{{}}}", texts.join(", "));
                budget.allocate(text.len())?;
                text
            }
            whole => whole.long().ok_or(JavaFault::Unsupported)?.to_string(),
        })
    }

    /// `a.equals(b)`
    pub(super) fn is_equal(&self, other: &Self, budget: &mut Budget) -> Result<bool, JavaFault> {
        budget.take(1)?;
        budget.read([self])?;
        Ok(match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Boolean(a), Self::Boolean(b)) => a == b,
            (Self::Byte(a), Self::Byte(b)) => a == b,
            (Self::Short(a), Self::Short(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Long(a), Self::Long(b)) => a == b,
            (Self::Float(a), Self::Float(b)) => a.to_bits() == b.to_bits(),
            (Self::Double(a), Self::Double(b)) => a.to_bits() == b.to_bits(),
            (Self::Char(a), Self::Char(b)) => a == b,
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::BigInteger(a), Self::BigInteger(b)) => a == b,
            (Self::BigDecimal(a), Self::BigDecimal(b)) => a == b,
            (Self::Opaque(a, x), Self::Opaque(b, y)) => a == b && x == y,
            (Self::List(a), Self::List(b)) => {
                let (a, b) = (a.borrow(), b.borrow());
                if a.len() != b.len() {
                    return Ok(false);
                }
                return budget.nest(|budget| {
                    for (a, b) in a.iter().zip(b.iter()) {
                        if !a.is_equal(b, budget)? {
                            return Ok(false);
                        }
                    }
                    Ok(true)
                });
            }
            // Equal by their contents, in any order.
            (Self::Set(_), Self::Set(_))
            | (Self::Map(_), Self::Map(_))
            | (Self::Entry(_), Self::Entry(_))
            | (Self::Record(_), Self::Record(_)) => return Err(JavaFault::Unsupported),
            _ => false,
        })
    }
}

fn compare_parts(ty: &Type, a: Option<&Vec<u8>>, b: Option<&Vec<u8>>) -> std::cmp::Ordering {
    match (a, b) {
        (Some(a), Some(b)) => value::compare(ty, a, b),
        (a, b) => a.is_some().cmp(&b.is_some()),
    }
}
