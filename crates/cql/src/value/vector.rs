//! Vectors: a fixed number of elements. Elements of a fixed length are stored without a length,
//! others after their length.

use std::cmp::Ordering;

use super::compare::compare;
use super::error::{ValueError, refuse};
use super::validate::validate;
use super::vint;
use crate::types::Type;

/// Reads the elements of a vector.
struct VectorReader<'a> {
    bytes: &'a [u8],
    at: usize,
    fixed: Option<usize>,
}

impl<'a> VectorReader<'a> {
    fn new(element: &Type, bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, fixed: element.value_length_if_fixed() }
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn next(&mut self) -> Result<&'a [u8], ValueError> {
        let rest = self.rest();
        let (length, prefix) = match self.fixed {
            Some(length) => (length, 0),
            None => self.length(rest)?,
        };
        let rest = rest.get(prefix..).unwrap_or_default();
        let Some(element) = rest.get(..length) else {
            let text = format!("Attempted to read {length}, but the size is {}", rest.len());
            return Err(ValueError::OutOfBounds(text));
        };
        self.at += prefix + length;
        Ok(element)
    }

    /// The length of the next element, and of the integer that states it. The server reads a
    /// truncated integer as -1, and assumes that every integer has its shortest form.
    fn length(&self, rest: &[u8]) -> Result<(usize, usize), ValueError> {
        let negative = |size: i64| {
            ValueError::Failure(format!(
                "java.lang.AssertionError: Invalidate data at offset {}; saw size of {size} but only >= 0 is expected",
                self.at
            ))
        };
        let (length, _) = vint::read_unsigned(rest).ok_or_else(|| negative(-1))?;
        let prefix = vint::compute_unsigned_size(length);
        let signed = length.cast_signed();
        match i32::try_from(signed) {
            Ok(size) => {
                usize::try_from(size).map(|size| (size, prefix)).map_err(|_| negative(signed))
            }
            Err(_) => Err(ValueError::Failure(format!(
                "org.apache.cassandra.utils.vint.VIntCoding$VIntOutOfRangeException: {signed} is out of range for a 32-bit integer"
            ))),
        }
    }
}

/// Validates every element.
pub(super) fn validate_vector(
    ty: &Type,
    element: &Type,
    dimension: u32,
    bytes: &[u8],
) -> Result<(), ValueError> {
    if bytes.is_empty() {
        return refuse("Invalid empty vector value");
    }
    let mut elements = VectorReader::new(element, bytes);
    if ty.value_length_if_fixed().is_some_and(|length| bytes.len() < length) {
        return refuse(format!("Not enough bytes to read a {ty}"));
    }
    for _ in 0..dimension {
        if elements.rest().is_empty() && elements.fixed.is_none() {
            return refuse(format!("Not enough bytes to read a {ty}"));
        }
        validate(element, elements.next()?)?;
    }
    match elements.rest().len() {
        0 => Ok(()),
        left => refuse(format!("Unexpected {left} extraneous bytes after {ty} value")),
    }
}

/// The elements of validated bytes.
pub(super) fn split<'a>(
    element: &Type,
    dimension: u32,
    bytes: &'a [u8],
) -> Result<Vec<&'a [u8]>, ValueError> {
    let mut elements = VectorReader::new(element, bytes);
    (0..dimension).map(|_| elements.next()).collect()
}

/// Compares element by element.
pub(super) fn compare_vectors(element: &Type, dimension: u32, a: &[u8], b: &[u8]) -> Ordering {
    let (mut left, mut right) = (VectorReader::new(element, a), VectorReader::new(element, b));
    for _ in 0..dimension {
        let (Ok(x), Ok(y)) = (left.next(), right.next()) else { return a.cmp(b) };
        let order = compare(element, x, y);
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}

/// The bytes of a vector of these elements.
pub(super) fn pack(element: &Type, elements: &[Vec<u8>]) -> Vec<u8> {
    let mut out = Vec::new();
    for bytes in elements {
        if element.value_length_if_fixed().is_none() {
            vint::write_unsigned(&mut out, bytes.len() as u64);
        }
        out.extend(bytes);
    }
    out
}
