//! Encodings compared with the order of values: of generated values, and of values sorted by a real
//! node.

use std::cmp::Ordering;
use std::sync::Arc;

use cql::types::{Frozenness, NativeType, Type, UserType, parse_class};
use cql::value::{bytes_to_hex, compare, hex_to_bytes, validate};

use super::{encode, encode_reversed};

/// Numbers by a fixed seed.
struct ValueGenerator(u64);

impl ValueGenerator {
    fn next_below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    fn count(&mut self, bound: u64) -> usize {
        usize::try_from(self.next_below(bound)).unwrap()
    }

    /// A byte, often one of those with a special encoding.
    fn byte(&mut self) -> u8 {
        match self.next_below(3) {
            0 => u8::try_from(self.next_below(256)).unwrap(),
            _ => [0x00, 0x01, 0x02, 0x03, 0x7f, 0x80, 0xfe, 0xff][self.count(8)],
        }
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.byte()).collect()
    }

    fn ty(&mut self, depth: u64) -> Type {
        let natives = NativeType::ALL.len() as u64;
        let native = |dice: &mut Self| NativeType::ALL[dice.count(natives)].into();
        if depth == 0 {
            return native(self);
        }
        match self.next_below(8) {
            0 => Type::List(Arc::new(self.ty(depth - 1)), Frozenness::Yes),
            1 => Type::Set(Arc::new(self.ty(depth - 1)), Frozenness::Yes),
            2 => Type::Map(Arc::new((self.ty(depth - 1), self.ty(depth - 1))), Frozenness::Yes),
            3 => Type::Tuple((0..=self.next_below(4)).map(|_| self.ty(depth - 1)).collect()),
            4 => {
                let fields = (0..=self.next_below(4))
                    .map(|at| (format!("f{at}").into(), self.ty(depth - 1)));
                let fields = fields.collect();
                let user = UserType { keyspace: "k".into(), name: "u".into(), fields };
                Type::User(Arc::new(user), Frozenness::Yes)
            }
            5 => {
                let dimension = u32::try_from(1 + self.next_below(3)).unwrap();
                Type::Vector(Arc::new(self.ty(depth - 1)), dimension)
            }
            6 => {
                let class = ["LexicalUUIDType", "DateType", "CompositeType(Int32Type)"];
                parse_class(class[self.count(3)]).unwrap().ty
            }
            _ => native(self),
        }
    }

    fn value(&mut self, ty: &Type, depth: u32) -> Vec<u8> {
        if depth > 0 && self.next_below(8) == 0 {
            return Vec::new();
        }
        match ty {
            Type::Native(native) => self.native(*native),
            Type::Custom(_) => {
                let count = ty.value_length_if_fixed().unwrap_or_else(|| self.count(6));
                self.bytes(count)
            }
            Type::List(..) | Type::Set(..) | Type::Map(..) => {
                let count = u32::try_from(self.next_below(4)).unwrap();
                let mut out = count.to_be_bytes().to_vec();
                for _ in 0..count {
                    for part in ty.parts() {
                        let value = self.value(part, depth + 1);
                        append(&mut out, &value);
                    }
                }
                out
            }
            Type::Tuple(_) | Type::User(..) => {
                let mut out = Vec::new();
                let parts = ty.parts();
                let present = self.count(parts.len() as u64 + 1);
                for part in parts.into_iter().take(present) {
                    if self.next_below(3) == 0 {
                        out.extend((-1_i32).to_be_bytes());
                    } else {
                        let value = self.value(part, depth + 1);
                        append(&mut out, &value);
                    }
                }
                out
            }
            Type::Vector(element, dimension) => {
                let mut out = Vec::new();
                for _ in 0..*dimension {
                    let value = self.value(element, 0);
                    if element.value_length_if_fixed().is_none() {
                        let length = u16::try_from(value.len()).ok().filter(|n| *n < 1 << 14);
                        match length.unwrap() {
                            short @ 0..128 => out.push(u8::try_from(short).unwrap()),
                            long => out.extend((long | 1 << 15).to_be_bytes()),
                        }
                    }
                    out.extend(value);
                }
                out
            }
        }
    }

    fn native(&mut self, native: NativeType) -> Vec<u8> {
        let count = match native {
            NativeType::Tinyint | NativeType::Boolean => 1,
            NativeType::Smallint => 2,
            NativeType::Int | NativeType::Date | NativeType::Float => 4,
            NativeType::Uuid | NativeType::Timeuuid => 16,
            NativeType::Inet => [4, 16][self.count(2)],
            NativeType::Varint => {
                1 + self.count(4) + if self.next_below(20) == 0 { 110 } else { 0 }
            }
            NativeType::Decimal => return self.decimal(),
            NativeType::Ascii | NativeType::Text => {
                return (0..self.next_below(5)).map(|_| self.byte() % 4).collect();
            }
            NativeType::Blob | NativeType::Duration => self.count(5),
            _ => 8,
        };
        let mut bytes = self.bytes(count);
        if native == NativeType::Timeuuid {
            bytes[6] = bytes[6] & 0x0f | 0x10;
        }
        bytes
    }

    fn decimal(&mut self) -> Vec<u8> {
        let scale = match self.next_below(8) {
            0 => i32::MAX,
            1 => i32::MIN,
            _ => i32::try_from(self.next_below(9)).unwrap() - 4,
        };
        let mut out = scale.to_be_bytes().to_vec();
        match self.next_below(3) {
            0 => out.extend(self.bytes(5)),
            1 => out.extend([0x00, self.byte()]),
            _ => {
                let number = 10_i64.pow(u32::try_from(self.next_below(9)).unwrap())
                    * (i64::try_from(self.next_below(41)).unwrap() - 20);
                out.extend(number.to_be_bytes());
            }
        }
        out
    }
}

fn append(out: &mut Vec<u8>, part: &[u8]) {
    out.extend(i32::try_from(part.len()).unwrap().to_be_bytes());
    out.extend(part);
}

fn encode_value(ty: &Type, value: &[u8]) -> Vec<u8> {
    let mut out = b"before".to_vec();
    encode(ty, value, &mut out);
    out.split_off(6)
}

fn check(ty: &Type, a: &[u8], b: &[u8], expected: Ordering) {
    let (left, right) = (encode_value(ty, a), encode_value(ty, b));
    let what = || {
        let hex = [a, b, &left, &right].map(bytes_to_hex);
        format!("{ty}: {} {} as {} {}", hex[0], hex[1], hex[2], hex[3])
    };
    assert_eq!(left.cmp(&right), expected, "{}", what());
    assert!(left == right || !right.starts_with(&left), "{}", what());
    let (mut left, mut right) = (Vec::new(), Vec::new());
    encode_reversed(ty, a, &mut left);
    encode_reversed(ty, b, &mut right);
    assert_eq!(left.cmp(&right), expected.reverse(), "{}", what());
}

#[test]
fn generated_values() {
    let mut dice = ValueGenerator(7_390_275_619);
    let natives = NativeType::ALL.into_iter().map(Type::Native).cycle().take(200);
    let mut types: Vec<Type> = natives.collect();
    types.extend((0..700).map(|round| dice.ty(1 + round % 3)));
    let (mut pairs, mut equal) = (0, 0);
    for ty in types {
        let mut values: Vec<_> = (0..24).map(|_| dice.value(&ty, 0)).collect();
        values.push(Vec::new());
        for a in &values {
            for b in &values {
                let order = compare(&ty, a, b);
                check(&ty, a, b, order);
                pairs += 1;
                equal += usize::from(order.is_eq() && a != b);
            }
        }
    }
    assert!(pairs > 500_000 && equal > 1_000, "{pairs} {equal}");
}

#[test]
fn sequences_sorted_by_a_node() {
    let mut checked = 0;
    for line in include_str!("../../../cql/testdata/sorted.txt").lines() {
        let Some((name, values)) = line.split_once('\t').filter(|_| !line.starts_with('#')) else {
            continue;
        };
        let ty = parse_type(name);
        let read = |hex: &str| hex_to_bytes(hex.trim_matches('-')).unwrap();
        let values: Vec<_> = values.split(' ').map(read).collect();
        for (i, a) in values.iter().enumerate() {
            for (j, b) in values.iter().enumerate() {
                check(&ty, a, b, i.cmp(&j));
                checked += 1;
            }
        }
    }
    assert!(checked > 10_000, "{checked}");
}

#[test]
fn strange_bytes() {
    let mut dice = ValueGenerator(99);
    let mut strange = 0;
    for round in 0..40_000 {
        let ty = dice.ty(round % 4);
        let count = dice.count(24);
        let (mut a, mut b) = (dice.bytes(count), dice.bytes(count));
        for byte in a.iter_mut().chain(&mut b).enumerate().filter(|(at, _)| at % 4 != 3) {
            *byte.1 &= if round % 2 == 0 { 0 } else { 0xff };
        }
        strange += usize::from(validate(&ty, &a).is_err());
        let (left, right) = (encode_value(&ty, &a), encode_value(&ty, &b));
        assert!(left == right || !right.starts_with(&left), "{ty} {a:?} {b:?}");
    }
    assert!(strange > 10_000, "{strange}");
}

/// A user type may gain a field: what is stored keeps its place.
#[test]
fn grown_user_type() {
    let user = |count: usize| {
        let names = ["a", "b", "c"].into_iter().take(count);
        let fields = names.map(|name| (name.into(), NativeType::Int.into())).collect();
        let user = UserType { keyspace: "k".into(), name: "u".into(), fields };
        Type::User(Arc::new(user), Frozenness::Yes)
    };
    let value = [0, 0, 0, 4, 0, 0, 0, 7, 0xff, 0xff, 0xff, 0xff];
    assert_eq!(encode_value(&user(2), &value), encode_value(&user(3), &value));
}

/// A type written as in CQL; `ut` is the user type of the data files.
fn parse_type(text: &str) -> Type {
    let text = text.trim();
    if let Some(native) = NativeType::from_name(text) {
        return native.into();
    }
    if text == "ut" {
        let list = Type::List(Arc::new(NativeType::Int.into()), Frozenness::Yes);
        let fields = [NativeType::Int.into(), NativeType::Text.into(), list];
        let fields = fields.into_iter().map(|ty| ("f".into(), ty)).collect();
        let user = UserType { keyspace: "k".into(), name: "ut".into(), fields };
        return Type::User(Arc::new(user), Frozenness::No);
    }
    if text.starts_with('\'') {
        return parse_class(text.trim_matches('\'')).unwrap().ty;
    }
    let (name, rest) = text.strip_suffix('>').and_then(|text| text.split_once('<')).unwrap();
    let mut depth = 0;
    let parameters = rest.split(|c| {
        depth += i32::from(c == '<') - i32::from(c == '>');
        c == ',' && depth == 0
    });
    let parameters: Vec<_> = parameters.collect();
    let first = || parse_type(parameters[0]);
    match name {
        "frozen" => first().freeze(),
        "list" => Type::List(Arc::new(first()), Frozenness::No),
        "set" => Type::Set(Arc::new(first()), Frozenness::No),
        "map" => Type::Map(Arc::new((first(), parse_type(parameters[1]))), Frozenness::No),
        "tuple" => Type::Tuple(parameters.iter().map(|text| parse_type(text).freeze()).collect()),
        _ => Type::Vector(Arc::new(first()), parameters[1].trim().parse().unwrap()),
    }
}
