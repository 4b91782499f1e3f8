//! The decoding of JSON values into CQL types.

use cql::types::{NativeType, Type, UserType};
use cql::value::ValueError;
use cql::{ErrorCode, Span, value};

use super::{Json, fold_names, read};
use crate::bind::term::{self, BoundTerm};

/// Why a JSON value cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// An error of the type; messages are prefixed by the column.
    Marshal(ValueError),
    /// Another error, passed on unchanged.
    Other(ErrorCode, String),
}

impl DecodeError {
    /// The error code of the protocol.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Marshal(error) => error.code(),
            Self::Other(code, _) => *code,
        }
    }
}

fn refuse<T>(text: impl Into<String>) -> Result<T, DecodeError> {
    Err(DecodeError::Marshal(ValueError::Marshal(text.into())))
}

/// Decodes a JSON value (not null); `now_ms` is the value of `'now'`.
pub fn decode(ty: &Type, json: &Json, now_ms: i64) -> Result<BoundTerm, DecodeError> {
    Decoder { now_ms }.decode(ty, json)
}

/// The context of decoding.
#[derive(Clone, Copy)]
struct Decoder {
    now_ms: i64,
}

impl Decoder {
    /// Decodes a JSON value (not null).
    fn decode(self, ty: &Type, json: &Json) -> Result<BoundTerm, DecodeError> {
        match ty {
            Type::Native(native) => self.decode_native(*native, json).map(constant),
            Type::Custom(_) => self.text(ty, "string", json).map(constant),
            _ => {
                let inner = match json {
                    Json::Text(text) => &read(text).map_err(|fault| {
                        DecodeError::Marshal(ValueError::Marshal(format!(
                            "Error decoding JSON string: {}",
                            fault.message()
                        )))
                    })?,
                    other => other,
                };
                self.decode_composite(ty, inner)
            }
        }
    }

    /// A string, parsed like a literal of the type.
    fn text(self, ty: &Type, what: &str, json: &Json) -> Result<Vec<u8>, DecodeError> {
        match json {
            Json::Text(text) => self.literal(ty, text),
            _ => refuse_type(what, json),
        }
    }

    fn literal(self, ty: &Type, text: &str) -> Result<Vec<u8>, DecodeError> {
        value::from_text(ty, text, self.now_ms).map_err(|error| match (ty, &error) {
            // The parser of durations throws a different exception than those of the other types.
            (Type::Native(NativeType::Duration), ValueError::Marshal(text)) => {
                DecodeError::Other(ErrorCode::Invalid, text.clone())
            }
            (
                _,
                ValueError::Marshal(_) | ValueError::Truncated(_) | ValueError::Unformatted(..),
            ) => DecodeError::Marshal(error),
            _ => DecodeError::Other(error.code(), error.to_string()),
        })
    }

    fn decode_native(self, native: NativeType, json: &Json) -> Result<Vec<u8>, DecodeError> {
        let ty = &Type::Native(native);
        match native {
            NativeType::Ascii => self.text(ty, "an ascii string", json),
            NativeType::Text => self.text(ty, "a UTF-8 string", json),
            NativeType::Date => self.text(ty, "a string representation of a date value", json),
            NativeType::Duration => self.text(ty, "a string representation of a duration", json),
            NativeType::Inet => self.text(ty, "a string representation of an inet value", json),
            NativeType::Time => self.text(ty, "a string representation of a time value", json),
            NativeType::Timeuuid => self.text(ty, "a string representation of a timeuuid", json),
            NativeType::Uuid => self.text(ty, "a string representation of a uuid", json),
            NativeType::Timestamp => match json {
                Json::Long(millis) => Ok(millis.to_be_bytes().into()),
                _ => self.text(
                    ty,
                    "a long or a datestring representation of a timestamp value",
                    json,
                ),
            },
            NativeType::Boolean => match json {
                Json::Boolean(value) => Ok(vec![u8::from(*value)]),
                _ => self.text(ty, "a boolean value", json),
            },
            NativeType::Int => match json {
                Json::Integer(value) => Ok(value.to_be_bytes().into()),
                _ => self.text(ty, "an int value", json),
            },
            NativeType::Bigint | NativeType::Counter => match json {
                Json::Integer(value) => Ok(i64::from(*value).to_be_bytes().into()),
                Json::Long(value) => Ok(value.to_be_bytes().into()),
                _ => self.text(ty, "a bigint value", json),
            },
            NativeType::Smallint => self.decode_small_integer(ty, "a short value", json),
            NativeType::Tinyint => self.decode_small_integer(ty, "a byte value", json),
            NativeType::Double | NativeType::Float => self.decode_float(native, json),
            NativeType::Decimal | NativeType::Varint => self.decode_big(native, json),
            NativeType::Blob => self.decode_blob(json),
        }
    }

    /// A smallint or tinyint: a number is printed and parsed again as a literal of the type.
    fn decode_small_integer(
        self,
        ty: &Type,
        what: &str,
        json: &Json,
    ) -> Result<Vec<u8>, DecodeError> {
        if is_number(json) {
            self.literal(ty, &json.to_string())
        } else {
            self.text(ty, what, json)
        }
    }

    fn decode_float(self, native: NativeType, json: &Json) -> Result<Vec<u8>, DecodeError> {
        let double = match json {
            Json::Double(value) => *value,
            json if is_number(json) => json.to_string().parse().unwrap_or(f64::NAN),
            _ => return self.text(&native.into(), &format!("a {} value", native.name()), json),
        };
        if native == NativeType::Double {
            return Ok(double.to_be_bytes().into());
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "Java narrows doubles to floats in the same way"
        )]
        let float = double as f32;
        Ok(float.to_be_bytes().into())
    }

    fn decode_big(self, native: NativeType, json: &Json) -> Result<Vec<u8>, DecodeError> {
        let text = json.to_string();
        let refused = || {
            let name = native.name();
            DecodeError::Marshal(ValueError::Marshal(format!(
                "Value '{text}' is not a valid representation of a {name} value"
            )))
        };
        // An empty text is an empty decimal, but not an integer.
        if text.is_empty() && native == NativeType::Varint {
            return Err(refused());
        }
        self.literal(&native.into(), &text).map_err(|_| refused())
    }

    fn decode_blob(self, json: &Json) -> Result<Vec<u8>, DecodeError> {
        let why = match json {
            Json::Text(text) => match text.strip_prefix("0x") {
                None => format!("String representation of blob is missing 0x prefix: {text}"),
                Some(digits) => match self.literal(&NativeType::Blob.into(), digits) {
                    Ok(bytes) => return Ok(bytes),
                    Err(DecodeError::Marshal(why)) => why.to_string(),
                    Err(DecodeError::Other(_, why)) => why,
                },
            },
            other => cast_failure(other),
        };
        refuse(format!("Value '{json}' is not a valid blob representation: {why}"))
    }

    fn decode_composite(self, ty: &Type, json: &Json) -> Result<BoundTerm, DecodeError> {
        match (ty, json) {
            // Only the string "null" gets here.
            (_, Json::Null) => {
                let message = "java.lang.NullPointerException: Cannot invoke \"Object.getClass()\" because \"parsed\" is \
                               null";
                Err(DecodeError::Other(ErrorCode::Server, message.to_owned()))
            }
            (Type::List(element, _), Json::List(values)) => {
                Ok(pack(ty, self.elements(element, values, "list")?))
            }
            (Type::List(..), _) => refuse_type("a list", json),
            (Type::Set(element, _), Json::List(values)) => {
                Ok(pack(ty, self.elements(element, values, "set")?))
            }
            (Type::Set(..), _) => refuse_type("a list (representing a set)", json),
            (Type::Vector(element, dimension), Json::List(values)) => {
                if u32::try_from(values.len()).ok() != Some(*dimension) {
                    let given = values.len();
                    return refuse(format!(
                        "List had incorrect size: expected {dimension} but given {given}; {json}"
                    ));
                }
                Ok(pack(ty, self.elements(element, values, "list")?))
            }
            (Type::Vector(..), _) => refuse_type("a list", json),
            (Type::Map(entry, _), Json::Object(members)) => {
                self.decode_map(ty, &entry.0, &entry.1, members)
            }
            (Type::Tuple(types), Json::List(values)) => self.decode_tuple(ty, types, values, json),
            (Type::Tuple(_), _) => refuse_type("a list representation of a tuple", json),
            (Type::User(user, _), Json::Object(members)) => self.decode_user(ty, user, members),
            _ => refuse_type("a map", json),
        }
    }

    fn elements(
        self,
        ty: &Type,
        values: &[Json],
        kind: &str,
    ) -> Result<Vec<BoundTerm>, DecodeError> {
        let decode_element = |value: &Json| match value {
            Json::Null => refuse(format!("Invalid null element in {kind}")),
            value => self.decode(ty, value),
        };
        values.iter().map(decode_element).collect()
    }

    fn decode_map(
        self,
        ty: &Type,
        keys: &Type,
        values: &Type,
        members: &[(Box<str>, Json)],
    ) -> Result<BoundTerm, DecodeError> {
        let decode_member = |(name, value): &(Box<str>, Json)| match value {
            Json::Null => refuse("Invalid null value in map"),
            value => {
                Ok((self.decode(keys, &Json::Text(name.clone()))?, self.decode(values, value)?))
            }
        };
        let entries = members.iter().map(decode_member).collect::<Result<_, _>>()?;
        term::pack_map(ty, entries, Span::default())
            .map_err(|refusal| DecodeError::Other(ErrorCode::Invalid, refusal.message()))
    }

    fn decode_tuple(
        self,
        ty: &Type,
        types: &[Type],
        values: &[Json],
        json: &Json,
    ) -> Result<BoundTerm, DecodeError> {
        let size = types.len();
        if values.len() > size {
            return refuse(format!("Tuple contains extra items (expected {size}): {json}"));
        }
        if values.len() < size {
            return refuse(format!("Tuple is missing items (expected {size}): {json}"));
        }
        let parts = types.iter().zip(values).map(|(ty, value)| self.part(ty, Some(value)));
        Ok(pack(ty, parts.collect::<Result<_, _>>()?))
    }

    fn part(self, ty: &Type, value: Option<&Json>) -> Result<BoundTerm, DecodeError> {
        match value {
            None | Some(Json::Null) => Ok(BoundTerm::NULL),
            Some(value) => self.decode(ty, value),
        }
    }

    fn decode_user(
        self,
        ty: &Type,
        user: &UserType,
        members: &[(Box<str>, Json)],
    ) -> Result<BoundTerm, DecodeError> {
        let members = fold_names(members.to_vec());
        let find =
            |field: &str| members.iter().find(|(name, _)| &**name == field).map(|(_, value)| value);
        let parts = user.fields.iter().map(|(name, ty)| self.part(ty, find(name)));
        let parts = parts.collect::<Result<_, _>>()?;
        match members.iter().find(|(name, _)| user.position(name).is_none()) {
            Some((name, _)) => refuse(format!(
                "Unknown field '{name}' in value of user defined type {}",
                user.name
            )),
            None => Ok(pack(ty, parts)),
        }
    }
}

fn constant(bytes: Vec<u8>) -> BoundTerm {
    BoundTerm::Value(Some(bytes.into()))
}

fn refuse_type<T>(what: &str, json: &Json) -> Result<T, DecodeError> {
    refuse(format!("Expected {what}, but got a {}: {json}", json.class()))
}

fn is_number(json: &Json) -> bool {
    matches!(json, Json::Integer(_) | Json::Long(_) | Json::Big(_) | Json::Double(_))
}

/// Java's text for a value that is not a string.
fn cast_failure(json: &Json) -> String {
    let package = match json {
        Json::Big(_) => "java.math",
        Json::List(_) | Json::Object(_) => "java.util",
        _ => "java.lang",
    };
    let class = format!("{package}.{}", json.class());
    let string = "java.lang.String";
    format!(
        "class {class} cannot be cast to class {string} ({class} and {string} are in module java.base of loader \
         'bootstrap')"
    )
}

/// A vector with an empty number in it has no encoding, and is refused only at execution.
fn pack(ty: &Type, elements: Vec<BoundTerm>) -> BoundTerm {
    let packed = term::pack_collection(ty, elements.clone(), Span::default());
    packed.unwrap_or_else(|_| BoundTerm::Collection { ty: ty.clone(), elements })
}
