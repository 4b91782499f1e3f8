//! Values with exactly the bytes that a column states.

use cql::types::{NativeType, Type};

use crate::rng::Rng;

/// Nanoseconds of a day: no time of day is later.
const DAY_NANOS: u64 = 86_400_000_000_000;

/// Makes values; numbered ones differ from one another.
pub(super) struct ValueMaker<'a> {
    pub(super) rng: &'a mut Rng,
}

impl ValueMaker<'_> {
    /// A value of this type in the form of the protocol. `bytes` and `items` are meant as in
    /// `ColumnLayout`; values differ by their number, and the elements
    /// of a collection have those from `first` on.
    pub(super) fn value(&mut self, ty: &Type, bytes: usize, items: usize, first: u64) -> Vec<u8> {
        match ty {
            Type::List(element, _) | Type::Set(element, _) => {
                let elements = (first..).take(items);
                frame(items, elements.map(|number| self.single(element, bytes, number)))
            }
            Type::Map(entry, _) => {
                let sizes = divide(&[&entry.0, &entry.1], bytes);
                let mut parts = Vec::new();
                for number in (first..).take(items) {
                    parts.push(self.single(&entry.0, sizes[0], number));
                    parts.push(self.single(&entry.1, sizes[1], number));
                }
                frame(items, parts)
            }
            ty => self.single(ty, bytes, first),
        }
    }

    fn single(&mut self, ty: &Type, bytes: usize, number: u64) -> Vec<u8> {
        match ty {
            Type::Native(native) => self.native(*native, bytes, number),
            Type::Tuple(_) | Type::User(..) => {
                let parts = ty.parts();
                let sizes = divide(&parts, bytes);
                let fields = parts.iter().zip(sizes);
                fields.flat_map(|(ty, bytes)| with_length(self.single(ty, bytes, number))).collect()
            }
            Type::Vector(element, dimension) => {
                let is_fixed = element.value_length_if_fixed().is_some();
                let mut all = Vec::new();
                for _ in 0..*dimension {
                    let value = self.single(element, bytes, number);
                    if !is_fixed {
                        all.extend(vint(value.len() as u64, 1));
                    }
                    all.extend(value);
                }
                all
            }
            // An inner list of ints, as a whole of so many bytes.
            Type::List(element, _) | Type::Set(element, _) => {
                let items = (bytes - 4) / 8;
                frame(items, (0..items as u64).map(|at| self.single(element, 4, number + at)))
            }
            Type::Map(..) | Type::Custom(_) => unreachable!("not drawn: {ty}"),
        }
    }

    fn native(&mut self, native: NativeType, bytes: usize, number: u64) -> Vec<u8> {
        let number = number.to_be_bytes();
        match native {
            NativeType::Boolean => vec![u8::from(self.rng.roll(50))],
            NativeType::Time => (self.rng.next() % DAY_NANOS).to_be_bytes().to_vec(),
            NativeType::Timeuuid => self.timeuuid(number),
            NativeType::Text | NativeType::Ascii => self.text(bytes, number),
            NativeType::Varint => self.varint(bytes, number),
            NativeType::Decimal => {
                [2_i32.to_be_bytes().to_vec(), self.varint(bytes - 4, number)].concat()
            }
            NativeType::Duration => [vec![2, 4], vint(2, bytes - 2)].concat(),
            other => {
                let length = constant_length(other).unwrap_or(bytes);
                self.make_bytes(length, number)
            }
        }
    }

    /// Random bytes that end in the number.
    fn make_bytes(&mut self, length: usize, number: [u8; 8]) -> Vec<u8> {
        let mut bytes: Vec<u8> = (0..length).map(|_| self.rng.next().to_be_bytes()[0]).collect();
        for (byte, digit) in bytes.iter_mut().rev().zip(number.iter().rev()) {
            *byte = *digit;
        }
        bytes
    }

    /// A version 1 UUID whose time has the number.
    fn timeuuid(&mut self, number: [u8; 8]) -> Vec<u8> {
        let mut bytes = self.make_bytes(16, number);
        bytes[..4].copy_from_slice(&number[4..]);
        bytes[6] = 0x10 | (bytes[6] & 0x0F);
        bytes[8] = 0x80 | (bytes[8] & 0x3F);
        bytes
    }

    fn text(&mut self, length: usize, number: [u8; 8]) -> Vec<u8> {
        let hexadecimal = format!("{:x}", u64::from_be_bytes(number)).into_bytes();
        let mut bytes: Vec<u8> = (0..length)
            .map(|_| b'g' + u8::try_from(self.rng.number_below(20)).expect("below 20"))
            .collect();
        for (byte, digit) in bytes.iter_mut().rev().zip(hexadecimal.iter().rev()) {
            *byte = *digit;
        }
        bytes
    }

    /// A positive number that needs all its bytes.
    fn varint(&mut self, length: usize, number: [u8; 8]) -> Vec<u8> {
        let mut bytes = self.make_bytes(length, number);
        if length > 1 {
            bytes[0] = 1 + bytes[0] % 100;
        }
        bytes
    }
}

/// The bytes of each of several values that have so many together: those of fixed length have
/// theirs, the others share the rest.
pub(super) fn divide(types: &[&Type], bytes: usize) -> Vec<usize> {
    let fixed: Vec<_> = types.iter().map(|ty| length(ty)).collect();
    let open = fixed.iter().filter(|length| length.is_none()).count();
    let rest = bytes.saturating_sub(fixed.iter().flatten().sum());
    assert!(open == 0 || rest % open == 0, "{rest} bytes for {open} values");
    fixed.into_iter().map(|length| length.unwrap_or(rest / open.max(1))).collect()
}

/// The length of every value of a type, if they have one.
pub(super) fn length(ty: &Type) -> Option<usize> {
    match ty {
        Type::Native(native) => constant_length(*native),
        ty => ty.value_length_if_fixed(),
    }
}

fn constant_length(native: NativeType) -> Option<usize> {
    match native {
        NativeType::Tinyint => Some(1),
        NativeType::Smallint => Some(2),
        NativeType::Date => Some(4),
        NativeType::Time => Some(8),
        other => other.value_length_if_fixed(),
    }
}

/// A collection: the number of its elements, then each with its length.
fn frame(items: usize, parts: impl IntoIterator<Item = Vec<u8>>) -> Vec<u8> {
    let mut all = u32::try_from(items).expect("few").to_be_bytes().to_vec();
    all.extend(parts.into_iter().flat_map(with_length));
    all
}

fn with_length(bytes: Vec<u8>) -> Vec<u8> {
    let mut all = u32::try_from(bytes.len()).expect("few").to_be_bytes().to_vec();
    all.extend(bytes);
    all
}

/// A number in the variable-length form with so many bytes, up to four; as small as they allow.
fn vint(number: u64, length: usize) -> Vec<u8> {
    let least = if length > 1 { 1_u64 << (7 * (length - 1)) } else { 0 };
    let number = number + least;
    let mut bytes = number.to_be_bytes()[8 - length..].to_vec();
    bytes[0] |= [0x00, 0x80, 0xC0, 0xE0][length - 1];
    bytes
}
