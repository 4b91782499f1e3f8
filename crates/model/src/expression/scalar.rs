//! Values of expressions.

use cql::types::{NativeType, Type};
use cql::value::{self, Decimal};

use super::number::{decimal_text, trim_zeros};

/// A value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// Null.
    Null,
    /// A truth value.
    Boolean(bool),
    /// A whole number, and the type that it must fit.
    Whole(i64, NativeType),
    /// A decimal number.
    Decimal(Decimal),
    /// A binary fraction.
    Double(f64),
    /// A text.
    Text(String),
    /// A value that is only compared.
    Other(Type, Vec<u8>),
}

impl Scalar {
    /// The value of bytes of a type; null where they are not a value of it.
    pub fn from_bytes(ty: &Type, bytes: Option<&[u8]>) -> Self {
        let Some(bytes) = bytes else { return Self::Null };
        let Type::Native(native) = ty else { return Self::Other(ty.clone(), bytes.to_vec()) };
        match value::decode(ty, bytes) {
            Ok(value::Value::Boolean(truth)) => Self::Boolean(truth),
            Ok(value::Value::Tinyint(number)) => Self::Whole(number.into(), *native),
            Ok(value::Value::Smallint(number)) => Self::Whole(number.into(), *native),
            Ok(value::Value::Int(number)) => Self::Whole(number.into(), *native),
            Ok(value::Value::Bigint(number) | value::Value::Counter(number)) => {
                Self::Whole(number, NativeType::Bigint)
            }
            Ok(value::Value::Decimal(number)) => Self::Decimal(number),
            Ok(value::Value::Double(number)) => Self::Double(number),
            Ok(value::Value::Float(number)) => Self::Double(number.into()),
            Ok(value::Value::Text(text) | value::Value::Ascii(text)) => Self::Text(text),
            Ok(_) => Self::Other(ty.clone(), bytes.to_vec()),
            Err(_) => Self::Null,
        }
    }

    /// Its type; text for null.
    pub fn ty(&self) -> Type {
        Type::Native(match self {
            Self::Other(ty, _) => return ty.clone(),
            Self::Null | Self::Text(_) => NativeType::Text,
            Self::Boolean(_) => NativeType::Boolean,
            Self::Whole(_, ty) => *ty,
            Self::Decimal(_) => NativeType::Decimal,
            Self::Double(_) => NativeType::Double,
        })
    }

    /// Its bytes; `None` for null.
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        let written = match self {
            Self::Null => return None,
            Self::Other(_, bytes) => return Some(bytes.clone()),
            Self::Boolean(truth) => truth.to_string(),
            Self::Whole(number, _) => number.to_string(),
            Self::Text(text) => return Some(text.clone().into_bytes()),
            Self::Decimal(number) => return Some(trim_zeros(number.clone()).to_bytes()),
            Self::Double(number) => return Some(number.to_be_bytes().to_vec()),
        };
        value::from_text(&self.ty(), &written, 0).ok()
    }

    /// Its text form; `None` where `PostgreSQL`'s is not known.
    pub(super) fn to_text(&self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.clone()),
            Self::Whole(number, _) => Some(number.to_string()),
            Self::Boolean(truth) => Some(truth.to_string()),
            Self::Decimal(number) => Some(decimal_text(number)),
            Self::Null | Self::Double(_) | Self::Other(..) => None,
        }
    }
}
