/// Numbers that are added, subtracted and multiplied.
pub trait Number: Sized {
    /// The sum, if it fits.
    fn add(&self, other: &Self) -> Option<Self>;
    /// The difference, if it fits.
    fn subtract(&self, other: &Self) -> Option<Self>;
    /// The product, if it fits.
    fn multiply(&self, other: &Self) -> Option<Self>;
    /// The absolute value, if it fits.
    fn absolute(&self) -> Option<Self>;
    /// The number as a double.
    fn to_double(&self) -> f64;
}

macro_rules! count_whole_numbers {
    ($($ty:ty),*) => {
        $(impl Number for $ty {
            fn add(&self, other: &Self) -> Option<Self> {
                self.checked_add(*other)
            }

            fn subtract(&self, other: &Self) -> Option<Self> {
                self.checked_sub(*other)
            }

            fn multiply(&self, other: &Self) -> Option<Self> {
                self.checked_mul(*other)
            }

            fn absolute(&self) -> Option<Self> {
                self.checked_abs()
            }

            fn to_double(&self) -> f64 {
                *self as f64
            }
        })*
    };
}

macro_rules! count_fractions {
    ($($ty:ty),*) => {
        $(impl Number for $ty {
            fn add(&self, other: &Self) -> Option<Self> {
                Some(self + other)
            }

            fn subtract(&self, other: &Self) -> Option<Self> {
                Some(self - other)
            }

            fn multiply(&self, other: &Self) -> Option<Self> {
                Some(self * other)
            }

            fn absolute(&self) -> Option<Self> {
                Some(self.abs())
            }

            fn to_double(&self) -> f64 {
                (*self).into()
            }
        })*
    };
}

count_whole_numbers!(i8, i16, i32, i64);
count_fractions!(f32, f64);

/// A result of two numbers; null where one is null.
type Computed<T> = Result<Option<T>, OutOfRange>;

fn compute<T>(one: Option<T>, other: Option<T>, operation: fn(&T, &T) -> Option<T>) -> Computed<T> {
    let (Some(one), Some(other)) = (one, other) else { return Ok(None) };
    operation(&one, &other).map(Some).ok_or(OutOfRange)
}

/// The sum of two numbers.
pub fn add<T: Number>(one: Option<T>, other: Option<T>) -> Computed<T> {
    compute(one, other, T::add)
}

/// The difference of two numbers.
pub fn subtract<T: Number>(one: Option<T>, other: Option<T>) -> Computed<T> {
    compute(one, other, T::subtract)
}

/// The product of two numbers.
pub fn multiply<T: Number>(one: Option<T>, other: Option<T>) -> Computed<T> {
    compute(one, other, T::multiply)
}

/// The absolute value of a number.
pub fn absolute<T: Number>(value: Option<T>) -> Computed<T> {
    value.map(|value| value.absolute().ok_or(OutOfRange)).transpose()
}

/// The sum of two numbers, of which a null one does not count.
pub fn total<T: Number>(one: Option<T>, other: Option<T>) -> Computed<T> {
    match (one, other) {
        (Some(one), Some(other)) => one.add(&other).map(Some).ok_or(OutOfRange),
        (one, other) => Ok(one.or(other)),
    }
}

/// A count that is one more if something was found.
pub fn count(before: Option<i64>, is_found: bool) -> Option<i64> {
    before.map(|before| before + i64::from(is_found))
}

/// A sum divided by a count; null over no rows.
pub fn average(sum: Option<f64>, count: Option<i64>) -> Option<f64> {
    let count = count.filter(|count| *count != 0)?;
    sum.map(|sum| sum / count as f64)
}

/// A number as a double.
pub fn to_double<T: Number>(value: Option<T>) -> Option<f64> {
    value.map(|value| value.to_double())
}

/// A double as a float.
pub fn to_float(value: Option<f64>) -> Option<f32> {
    value.map(|value| value as f32)
}

/// A whole number of another width.
pub fn resize<T, U: TryFrom<T>>(value: Option<T>) -> Computed<U> {
    value.map(U::try_from).transpose().map_err(|_| OutOfRange)
}

/// A whole number of a greater width.
pub fn widen<T, U: From<T>>(value: Option<T>) -> Option<U> {
    value.map(U::from)
}

/// Two texts, one after the other.
pub fn concatenate(one: Option<String>, other: Option<String>) -> Option<String> {
    Some(one? + &other?)
}

/// Whether a text begins with another one.
pub fn starts_with(text: Option<&String>, start: Option<&String>) -> bool {
    let (Some(text), Some(start)) = (text, start) else { return false };
    text.starts_with(start.as_str())
}

/// A text in lower case.
pub fn to_lower(text: Option<String>) -> Option<String> {
    text.map(|text| text.to_lowercase())
}

/// A text in upper case.
pub fn to_upper(text: Option<String>) -> Option<String> {
    text.map(|text| text.to_uppercase())
}

/// A text without spaces at its ends.
pub fn trim(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim_matches(' ').to_owned())
}

/// A number or truth value as text.
pub fn to_text<T: fmt::Display>(value: Option<T>) -> Option<String> {
    value.map(|value| value.to_string())
}

/// The number of characters of a text.
pub fn to_length(text: Option<String>) -> Option<i32> {
    text.map(|text| i32::try_from(text.chars().count()).unwrap_or(i32::MAX))
}

/// The first characters of a text.
pub fn to_prefix(text: Option<String>, length: usize) -> Option<String> {
    text.map(|text| text.chars().take(length).collect())
}

/// The least text that is greater than every text with this prefix.
pub fn to_prefix_end(prefix: Option<String>) -> Option<String> {
    let mut characters: Vec<char> = prefix?.chars().collect();
    while let Some(last) = characters.pop() {
        // The next character that is no surrogate.
        let next = (u32::from(last) + 1..=u32::from(char::MAX)).find_map(char::from_u32);
        if let Some(next) = next {
            characters.push(next);
            return Some(characters.into_iter().collect());
        }
    }
    Some("\u{10ffff}".repeat(4))
}

const HOUR_MILLIS: i64 = 3_600_000;
const DAY_MILLIS: i64 = 24 * HOUR_MILLIS;
/// The number of 1970-01-01 among the days of CQL.
const EPOCH_DAY: i64 = 1 << 31;
/// 1970 began on a Thursday: the Monday of its week is three days before.
const DAYS_SINCE_MONDAY: i64 = 3;
/// Milliseconds between the start of the Gregorian calendar, from which time-based ids count, and
/// 1970.
const GREGORIAN_MILLIS: i64 = 12_219_292_800_000;
/// 2^52, from which write timestamps of buckets are counted.
const BUCKET_WINS: i64 = 1 << 52;

