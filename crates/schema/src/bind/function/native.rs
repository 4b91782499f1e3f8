//! The native functions with fixed signatures.
//!
//! The server lists overloads in an order that changes with every start; here it is the order of
//! definition.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use cql::term::ArithmeticOperator;
use cql::types::{NativeType, Type};

use super::{Function, FunctionKind, FunctionName, SYSTEM, operator_name};

use NativeType as N;

/// The numeric types.
const NUMBERS: [NativeType; 9] = [
    N::Tinyint,
    N::Smallint,
    N::Int,
    N::Bigint,
    N::Float,
    N::Double,
    N::Decimal,
    N::Varint,
    N::Counter,
];

const OPERATORS: [ArithmeticOperator; 5] = [
    ArithmeticOperator::Add,
    ArithmeticOperator::Subtract,
    ArithmeticOperator::Multiply,
    ArithmeticOperator::Divide,
    ArithmeticOperator::Modulo,
];

type OverloadMap = HashMap<Box<str>, Vec<Arc<Function>>>;

/// All overloads with that name.
pub(super) fn overloads(name: &str) -> &'static [Arc<Function>] {
    static TABLE: OnceLock<OverloadMap> = OnceLock::new();
    TABLE.get_or_init(build).get(name).map_or(&[], Vec::as_slice)
}

/// Whether a function returns the server's own kind of time-based UUIDs.
pub(super) fn has_own_timeuuid(name: &FunctionName) -> bool {
    &*name.keyspace == SYSTEM
        && matches!(
            &*name.name,
            "now"
                | "current_timeuuid"
                | "currenttimeuuid"
                | "min_timeuuid"
                | "mintimeuuid"
                | "max_timeuuid"
                | "maxtimeuuid"
        )
}

fn build() -> OverloadMap {
    let mut builder = OverloadBuilder::default();
    builder.casts();
    builder.times();
    builder.operators();
    builder.aggregates();
    builder.blobs();
    for number in [
        N::Tinyint,
        N::Smallint,
        N::Int,
        N::Float,
        N::Bigint,
        N::Double,
        N::Varint,
        N::Decimal,
        N::Counter,
    ] {
        for name in ["abs", "exp", "log", "log10", "round"] {
            builder.scalar(&[name], &[number], number);
        }
    }
    builder.table
}

#[derive(Default)]
struct OverloadBuilder {
    table: OverloadMap,
}

impl OverloadBuilder {
    /// Adds a function under its name and, if it has one, its name before 5.0.
    fn add(&mut self, names: &[&str], arguments: &[Type], returns: &Type, kind: &FunctionKind) {
        for name in names {
            let function = Function {
                name: FunctionName::system(name),
                arguments: arguments.to_vec(),
                returns: returns.clone(),
                kind: kind.clone(),
            };
            self.table.entry((*name).into()).or_default().push(Arc::new(function));
        }
    }

    fn scalar(&mut self, names: &[&str], arguments: &[NativeType], returns: NativeType) {
        let arguments: Vec<Type> = arguments.iter().map(|native| Type::Native(*native)).collect();
        self.add(names, &arguments, &returns.into(), &FunctionKind::Scalar);
    }

    fn cast(&mut self, from: NativeType, to: NativeType) {
        let name = to.name();
        let capital = name.get(..1).unwrap_or_default().to_uppercase();
        let legacy = format!("castAs{capital}{}", name.get(1..).unwrap_or_default());
        let names = [&*format!("cast_as_{name}"), &legacy];
        self.add(&names, &[from.into()], &to.into(), &FunctionKind::Cast(to));
    }

    fn casts(&mut self) {
        for from in NUMBERS {
            for to in NUMBERS.into_iter().filter(|to| *to != from && *to != N::Counter) {
                self.cast(from, to);
            }
            self.cast(from, N::Ascii);
            self.cast(from, N::Text);
        }
        self.cast(N::Ascii, N::Text);
        for from in [N::Inet, N::Boolean, N::Timeuuid, N::Timestamp, N::Date, N::Time, N::Uuid] {
            self.cast(from, N::Ascii);
            self.cast(from, N::Text);
        }
        self.cast(N::Timeuuid, N::Date);
        self.cast(N::Timeuuid, N::Timestamp);
        self.cast(N::Timestamp, N::Date);
        self.cast(N::Date, N::Timestamp);
    }

    fn times(&mut self) {
        self.scalar(&["uuid"], &[], N::Uuid);
        self.scalar(&["now"], &[], N::Timeuuid);
        self.scalar(&["current_timeuuid", "currenttimeuuid"], &[], N::Timeuuid);
        self.scalar(&["current_timestamp", "currenttimestamp"], &[], N::Timestamp);
        self.scalar(&["current_date", "currentdate"], &[], N::Date);
        self.scalar(&["current_time", "currenttime"], &[], N::Time);
        self.scalar(&["min_timeuuid", "mintimeuuid"], &[N::Timestamp], N::Timeuuid);
        self.scalar(&["max_timeuuid", "maxtimeuuid"], &[N::Timestamp], N::Timeuuid);
        for from in [N::Timeuuid, N::Timestamp] {
            self.scalar(&["to_date", "todate"], &[from], N::Date);
        }
        for from in [N::Timeuuid, N::Date] {
            self.scalar(&["to_timestamp", "totimestamp"], &[from], N::Timestamp);
        }
        for from in [N::Timeuuid, N::Timestamp, N::Date] {
            self.scalar(&["to_unix_timestamp", "tounixtimestamp"], &[from], N::Bigint);
        }
        self.scalar(&["floor"], &[N::Timestamp, N::Duration], N::Timestamp);
        self.scalar(&["floor"], &[N::Timestamp, N::Duration, N::Timestamp], N::Timestamp);
        self.scalar(&["floor"], &[N::Timeuuid, N::Duration], N::Timestamp);
        self.scalar(&["floor"], &[N::Timeuuid, N::Duration, N::Timestamp], N::Timestamp);
        self.scalar(&["floor"], &[N::Date, N::Duration], N::Date);
        self.scalar(&["floor"], &[N::Date, N::Duration, N::Date], N::Date);
        self.scalar(&["floor"], &[N::Time, N::Duration], N::Time);
    }

    /// Adds the operators. If several overloads match exactly, the server takes any; here those
    /// with one type for both operands come first.
    fn operators(&mut self) {
        let pairs = NUMBERS.into_iter().flat_map(|left| NUMBERS.map(|right| (left, right)));
        let (equal, mixed): (Vec<_>, Vec<_>) = pairs.partition(|(left, right)| left == right);
        for (left, right) in equal.into_iter().chain(mixed) {
            for operator in OPERATORS {
                self.operator(operator, left, right, arithmetic_type(left, right));
            }
        }
        for number in NUMBERS {
            self.add(&["_negate"], &[number.into()], &number.into(), &FunctionKind::Negation);
        }
        for operator in [ArithmeticOperator::Add, ArithmeticOperator::Subtract] {
            self.operator(operator, N::Timestamp, N::Duration, N::Timestamp);
            self.operator(operator, N::Date, N::Duration, N::Date);
        }
        self.operator(ArithmeticOperator::Add, N::Text, N::Text, N::Text);
        self.operator(ArithmeticOperator::Add, N::Ascii, N::Ascii, N::Ascii);
        self.operator(ArithmeticOperator::Add, N::Ascii, N::Text, N::Text);
        self.operator(ArithmeticOperator::Add, N::Text, N::Ascii, N::Text);
    }

    fn operator(
        &mut self,
        operator: ArithmeticOperator,
        left: NativeType,
        right: NativeType,
        returns: NativeType,
    ) {
        let arguments = [left.into(), right.into()];
        let kind = FunctionKind::Operator(operator);
        self.add(&[operator_name(operator)], &arguments, &returns.into(), &kind);
    }

    fn aggregates(&mut self) {
        self.add(&["count_rows", "countRows"], &[], &N::Bigint.into(), &FunctionKind::Aggregate);
        for name in ["sum", "avg"] {
            for number in NUMBERS {
                self.add(&[name], &[number.into()], &number.into(), &FunctionKind::Aggregate);
            }
        }
        self.add(&["count"], &[N::Blob.into()], &N::Bigint.into(), &FunctionKind::Aggregate);
    }

    /// Adds the conversions between blobs and all other types, including `varchar` and the type
    /// without values.
    fn blobs(&mut self) {
        let empty = Type::Custom("org.apache.cassandra.db.marshal.EmptyType".into());
        let others = [("empty", empty), ("varchar", N::Text.into())];
        let natives = N::ALL.into_iter().filter(|native| *native != N::Blob);
        let natives = natives.map(|native| (native.name(), Type::Native(native)));
        let blob = Type::Native(N::Blob);
        for (name, ty) in natives.chain(others) {
            let (new, old) = (format!("{name}_as_blob"), format!("{name}asblob"));
            self.add(&[&new, &old], std::slice::from_ref(&ty), &blob, &FunctionKind::Scalar);
            let (new, old) = (format!("blob_as_{name}"), format!("blobas{name}"));
            self.add(&[&new, &old], std::slice::from_ref(&blob), &ty, &FunctionKind::Scalar);
        }
    }
}

/// The type of an operation on two numbers: floating if one is, and as wide as the wider one.
fn arithmetic_type(left: NativeType, right: NativeType) -> NativeType {
    let is_floating = |native| matches!(native, N::Float | N::Double | N::Decimal);
    match (is_floating(left) || is_floating(right), width(left).max(width(right))) {
        (true, 4) => N::Float,
        (true, 8) => N::Double,
        (true, _) => N::Decimal,
        (false, 1) => N::Tinyint,
        (false, 2) => N::Smallint,
        (false, 4) => N::Int,
        (false, 8) => N::Bigint,
        (false, _) => N::Varint,
    }
}

fn width(native: NativeType) -> u8 {
    match native {
        N::Tinyint => 1,
        N::Smallint => 2,
        N::Int | N::Float => 4,
        N::Bigint | N::Double | N::Counter => 8,
        _ => u8::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_widen() {
        let cases = [
            (N::Tinyint, N::Tinyint, N::Tinyint),
            (N::Tinyint, N::Float, N::Float),
            (N::Int, N::Float, N::Float),
            (N::Bigint, N::Float, N::Double),
            (N::Counter, N::Smallint, N::Bigint),
            (N::Double, N::Varint, N::Decimal),
            (N::Varint, N::Bigint, N::Varint),
            (N::Decimal, N::Tinyint, N::Decimal),
        ];
        for (left, right, expected) in cases {
            assert_eq!(arithmetic_type(left, right), expected, "{left:?} {right:?}");
            assert_eq!(arithmetic_type(right, left), expected, "{right:?} {left:?}");
        }
    }
}
