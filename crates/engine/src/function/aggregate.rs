//! [`Accumulator`]: the native aggregates `count`, `min`, `max`, `sum` and `avg`.

use cql::types::{NativeType, Type};
use cql::value::{self, Decimal};
use num_bigint::BigInt;
use schema::Refusal;
use schema::bind::function::{Function, FunctionKind};
use schema::catalog::Catalog;

use super::decimal::{self, Arithmetic, Rounding};
use super::number::{Number, parse_decimal, print_number};
use super::user_aggregate::UserAggregation;
use super::{Computation, failure};

/// The state of an aggregate.
#[derive(Clone, Debug)]
pub struct Accumulator {
    ty: Type,
    state: AggregateState,
}

#[derive(Clone, Debug)]
enum AggregateState {
    /// `count(*)`
    Rows(i64),
    /// The number of values that are not null.
    Values(i64),
    Least(Option<Vec<u8>>),
    Greatest(Option<Vec<u8>>),
    Sum(RunningSum),
    Average(RunningSum, i32),
    User(Box<UserAggregation>),
}

/// A sum in the arithmetic of its type.
#[derive(Clone, Debug)]
enum RunningSum {
    /// Integer sums wrap around at the end; averages do not.
    Whole(BigInt),
    Decimal(Decimal),
    Floating(KahanSum),
}

impl Accumulator {
    /// An accumulator without values. The functions of user aggregates are in the catalog.
    pub fn new(catalog: &Catalog, function: &Function) -> Result<Self, Box<Refusal>> {
        match &function.kind {
            FunctionKind::UserAggregate(aggregate) => {
                let state = UserAggregation::new(catalog, aggregate);
                let state = state.ok_or_else(|| failure::user_function(function))?;
                let state = AggregateState::User(Box::new(state));
                Ok(Self { ty: function.returns.clone(), state })
            }
            FunctionKind::Aggregate => {
                let ty = function.arguments.first().unwrap_or(&function.returns);
                Ok(Self::for_name(&function.name.name, ty))
            }
            _ => Err(failure::user_function(function)),
        }
    }

    /// The accumulator of an aggregate over values of a type.
    pub(super) fn for_name(name: &str, ty: &Type) -> Self {
        let zero = Decimal { unscaled: BigInt::default(), scale: 0 };
        let total = || match ty {
            Type::Native(NativeType::Float | NativeType::Double) => {
                RunningSum::Floating(KahanSum::default())
            }
            Type::Native(NativeType::Decimal) => RunningSum::Decimal(zero.clone()),
            _ => RunningSum::Whole(BigInt::default()),
        };
        let state = match name {
            "count" => AggregateState::Values(0),
            "min" => AggregateState::Least(None),
            "max" => AggregateState::Greatest(None),
            "sum" => AggregateState::Sum(total()),
            "avg" => AggregateState::Average(total(), 0),
            _ => AggregateState::Rows(0),
        };
        Self { ty: ty.clone(), state }
    }

    /// Adds the arguments of one row.
    pub fn add(&mut self, arguments: &[Option<&[u8]>]) -> Result<(), Box<Refusal>> {
        if let AggregateState::Rows(count) = &mut self.state {
            *count += 1;
            return Ok(());
        }
        if let AggregateState::User(aggregation) = &mut self.state {
            return aggregation.add(arguments);
        }
        let Some(bytes) = arguments.first().copied().flatten() else { return Ok(()) };
        let ty = &self.ty;
        match &mut self.state {
            AggregateState::User(_) => {}
            AggregateState::Rows(count) | AggregateState::Values(count) => *count += 1,
            AggregateState::Least(least) => {
                if least.as_ref().is_none_or(|least| value::compare(ty, least, bytes).is_gt()) {
                    *least = Some(bytes.to_vec());
                }
            }
            AggregateState::Greatest(greatest) => {
                let is_less = |greatest: &Vec<u8>| value::compare(ty, greatest, bytes).is_lt();
                if greatest.as_ref().is_none_or(is_less) {
                    *greatest = Some(bytes.to_vec());
                }
            }
            AggregateState::Sum(total) => {
                if let Some(number) = Number::read(ty, bytes) {
                    total.add(&number).map_err(failure::arithmetic)?;
                }
            }
            AggregateState::Average(total, count) => {
                if let Some(number) = Number::read(ty, bytes) {
                    *count += 1;
                    total.average(&number, *count).map_err(failure::arithmetic)?;
                }
            }
        }
        Ok(())
    }

    /// The result of the aggregate.
    pub fn finish(&self) -> Computation {
        Ok(match &self.state {
            AggregateState::User(aggregation) => return aggregation.finish(),
            AggregateState::Rows(count) | AggregateState::Values(count) => {
                Some(count.to_be_bytes().to_vec())
            }
            AggregateState::Least(value) | AggregateState::Greatest(value) => value.clone(),
            AggregateState::Sum(total) => Some(self.encode_number(match total {
                RunningSum::Whole(sum) => Number::Varint(sum.clone()),
                RunningSum::Decimal(sum) => Number::Decimal(sum.clone()),
                RunningSum::Floating(sum) => Number::Double(sum.total()),
            })),
            AggregateState::Average(total, count) => Some(self.encode_number(match total {
                RunningSum::Whole(_) if *count == 0 => Number::Varint(BigInt::default()),
                RunningSum::Whole(sum) => Number::Varint(sum / *count),
                RunningSum::Decimal(average) => Number::Decimal(average.clone()),
                RunningSum::Floating(sum) => Number::Double(sum.average(*count)),
            })),
        })
    }

    /// Encodes a number in a type; integers lose their upper bits.
    #[expect(clippy::cast_possible_truncation, reason = "as Java narrows")]
    fn encode_number(&self, number: Number) -> Vec<u8> {
        let Type::Native(native) = &self.ty else { return number.to_bytes() };
        match native {
            NativeType::Tinyint => Number::Tinyint(number.long() as i8),
            NativeType::Smallint => Number::Smallint(number.long() as i16),
            NativeType::Int => Number::Int(number.long() as i32),
            NativeType::Bigint | NativeType::Counter => Number::Bigint(number.long()),
            NativeType::Float => Number::Float(number.float()),
            _ => number,
        }
        .to_bytes()
    }
}

impl RunningSum {
    fn add(&mut self, number: &Number) -> Arithmetic<()> {
        match self {
            Self::Whole(sum) => *sum += number.big_integer(),
            Self::Decimal(sum) => {
                if let Number::Decimal(number) = number {
                    *sum = decimal::add_exactly(sum, number)?;
                }
            }
            Self::Floating(sum) => sum.add(number.double()),
        }
        Ok(())
    }

    /// Decimals keep a running average, as in the server: what a step rounds off is lost.
    fn average(&mut self, number: &Number, count: i32) -> Arithmetic<()> {
        match (self, number) {
            (Self::Decimal(average), Number::Decimal(number)) => {
                let distance = decimal::add_exactly(number, &decimal::negate(average))?;
                let count = Decimal { unscaled: count.into(), scale: 0 };
                let scale = distance.scale;
                let step = decimal::divide_to_scale(&distance, &count, scale, Rounding::HalfEven)?;
                *average = decimal::add_exactly(average, &step)?;
            }
            (Self::Floating(sum), number) => sum.add_to_average(number.double())?,
            (total, number) => total.add(number)?,
        }
        Ok(())
    }
}

/// A sum of doubles with compensation of rounding errors (Kahan summation).
#[derive(Clone, Debug, Default)]
struct KahanSum {
    sum: f64,
    lost: f64,
    plain: f64,
    /// The exact sum, once an average exceeds the range of doubles.
    beyond: Option<Decimal>,
}

impl KahanSum {
    fn add(&mut self, number: f64) {
        self.plain += number;
        let corrected = number - self.lost;
        let rounded = self.sum + corrected;
        self.lost = (rounded - self.sum) - corrected;
        self.sum = rounded;
    }

    fn add_to_average(&mut self, number: f64) -> Arithmetic<()> {
        let exact =
            |number: f64| parse_decimal(&print_number(NativeType::Double, &number.to_be_bytes()));
        if let Some(beyond) = &self.beyond {
            self.beyond = Some(decimal::add(beyond, &exact(number))?);
            return Ok(());
        }
        let before = self.sum;
        self.add(number);
        if self.sum.is_infinite() && number.is_finite() {
            self.beyond = Some(decimal::add(&exact(before), &exact(number))?);
        }
        Ok(())
    }

    fn total(&self) -> f64 {
        let total = self.sum + self.lost;
        if total.is_nan() && self.plain.is_infinite() { self.plain } else { total }
    }

    fn average(&self, count: i32) -> f64 {
        if count == 0 {
            return 0.0;
        }
        let Some(beyond) = &self.beyond else { return self.total() / f64::from(count) };
        let count = Decimal { unscaled: count.into(), scale: 0 };
        let quotient = decimal::divide_to_scale(beyond, &count, beyond.scale, Rounding::HalfEven);
        quotient.map_or(f64::NAN, |quotient| Number::Decimal(quotient).double())
    }
}
