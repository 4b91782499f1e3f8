//! Lists, sets and maps: a count, then every element preceded by its length.

use std::cmp::Ordering;

use super::compare::compare;
use super::error::{ValueError, refuse};
use super::validate::validate;
use crate::types::Type;

/// The kind of collection, for error texts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CollectionKind {
    List,
    Set,
    Map,
}

impl CollectionKind {
    fn name(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Set => "set",
            Self::Map => "map",
        }
    }

    /// The error for bytes that end too early.
    pub(super) fn refuse_truncated<T>(self) -> Result<T, ValueError> {
        refuse(format!("Not enough bytes to read a {}", self.name()))
    }

    /// An overrun inside an element is an error of this collection.
    pub(super) fn refuse_overrun<T>(self, result: Result<T, ValueError>) -> Result<T, ValueError> {
        match result {
            Err(ValueError::OutOfBounds(_)) => self.refuse_truncated(),
            other => other,
        }
    }
}

/// Reads the elements of a collection.
pub(super) struct CollectionReader<'a> {
    kind: CollectionKind,
    rest: &'a [u8],
    /// The stated number of elements, or of pairs in a map.
    pub(super) count: i32,
}

impl<'a> CollectionReader<'a> {
    pub(super) fn new(kind: CollectionKind, bytes: &'a [u8]) -> Result<Self, ValueError> {
        match bytes.split_first_chunk() {
            Some((count, rest)) => Ok(Self { kind, rest, count: i32::from_be_bytes(*count) }),
            None => kind.refuse_truncated(),
        }
    }

    /// The next element; `None` for null.
    pub(super) fn next(&mut self) -> Result<Option<&'a [u8]>, ValueError> {
        let Some((length, rest)) = self.rest.split_first_chunk() else {
            return self.kind.refuse_truncated();
        };
        let Ok(length) = usize::try_from(i32::from_be_bytes(*length)) else {
            self.rest = rest;
            return Ok(None);
        };
        let Some((element, rest)) = rest.split_at_checked(length) else {
            return self.kind.refuse_truncated();
        };
        self.rest = rest;
        Ok(Some(element))
    }

    /// The next element, which must not be null.
    pub(super) fn next_non_null(&mut self) -> Result<&'a [u8], ValueError> {
        match self.next()? {
            Some(element) => Ok(element),
            None => refuse("Null value read when not allowed"),
        }
    }

    /// Checks that nothing follows the last element.
    pub(super) fn finish(self) -> Result<(), ValueError> {
        if self.rest.is_empty() {
            return Ok(());
        }
        refuse(format!("Unexpected extraneous bytes after {} value", self.kind.name()))
    }

    /// Refuses a negative count, which passes validation but fails decoding.
    pub(super) fn check_count(&self) -> Result<(), ValueError> {
        if self.count < 0 {
            return refuse(format!("The data cannot be deserialized as a {}", self.kind.name()));
        }
        Ok(())
    }
}

/// Validates every element; those of a map alternate between key and value.
pub(super) fn validate_collection(
    kind: CollectionKind,
    types: &[&Type],
    bytes: &[u8],
) -> Result<(), ValueError> {
    let mut elements = CollectionReader::new(kind, bytes)?;
    for _ in 0..elements.count {
        for ty in types {
            let element = elements.next_non_null()?;
            kind.refuse_overrun(validate(ty, element))?;
        }
    }
    elements.finish()
}

/// Compares element by element, then by number. Empty values come first.
pub(super) fn compare_collections(
    kind: CollectionKind,
    types: &[&Type],
    a: &[u8],
    b: &[u8],
) -> Ordering {
    let (Ok(mut left), Ok(mut right)) =
        (CollectionReader::new(kind, a), CollectionReader::new(kind, b))
    else {
        return a.len().cmp(&b.len());
    };
    for _ in 0..left.count.min(right.count) {
        for ty in types {
            let (Ok(a), Ok(b)) = (left.next(), right.next()) else { return a.cmp(b) };
            let order = compare(ty, a.unwrap_or_default(), b.unwrap_or_default());
            if order.is_ne() {
                return order;
            }
        }
    }
    left.count.cmp(&right.count)
}

/// The bytes of a collection of this many elements (or pairs), given all parts in order.
pub(super) fn pack(count: usize, parts: &[Option<Vec<u8>>]) -> Result<Vec<u8>, ValueError> {
    let mut out = length(count)?.to_vec();
    append_parts(&mut out, parts)?;
    Ok(out)
}

/// Appends every part preceded by its length, null as -1.
pub(super) fn append_parts(out: &mut Vec<u8>, parts: &[Option<Vec<u8>>]) -> Result<(), ValueError> {
    for part in parts {
        match part {
            Some(bytes) => {
                out.extend(length(bytes.len())?);
                out.extend(bytes);
            }
            None => out.extend((-1_i32).to_be_bytes()),
        }
    }
    Ok(())
}

fn length(length: usize) -> Result<[u8; 4], ValueError> {
    match i32::try_from(length) {
        Ok(length) => Ok(length.to_be_bytes()),
        Err(_) => refuse("The value is larger than 2147483647 bytes"),
    }
}
