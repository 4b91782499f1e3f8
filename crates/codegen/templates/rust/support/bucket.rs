/// The width of a bucket. Buckets of time are counted from 1970 in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// Hours.
    Hours(i64),
    /// Days.
    Days(i64),
    /// Weeks from Monday.
    Weeks(i64),
    /// Months.
    Months(i64),
    /// A range of integers.
    Range(i64),
}

/// Values that fall into buckets.
pub trait Bucketed {
    /// Milliseconds since 1970, or the number itself.
    fn to_position(&self) -> i64;
}

impl Bucketed for CqlTimestamp {
    fn to_position(&self) -> i64 {
        self.0
    }
}

impl Bucketed for CqlDate {
    fn to_position(&self) -> i64 {
        (i64::from(self.0) - EPOCH_DAY) * DAY_MILLIS
    }
}

impl Bucketed for Uuid {
    fn to_position(&self) -> i64 {
        let (high, _) = self.as_u64_pair();
        let ticks = (high >> 32) | ((high & 0xffff_0000) << 16) | ((high & 0x0fff) << 48);
        (ticks / 10_000) as i64 - GREGORIAN_MILLIS
    }
}

impl Bucketed for CqlTimeuuid {
    fn to_position(&self) -> i64 {
        Uuid::from(*self).to_position()
    }
}

macro_rules! bucket_whole_numbers {
    ($($ty:ty),*) => {
        $(impl Bucketed for $ty {
            fn to_position(&self) -> i64 {
                (*self).into()
            }
        })*
    };
}

bucket_whole_numbers!(i8, i16, i32, i64);

/// The value of a bucket's column.
pub trait BucketStart {
    /// The value of the bucket with this number.
    fn from_number(width: Width, number: i64) -> Self;
    /// The number of the bucket with this value.
    fn to_number(&self, width: Width) -> i64;
}

impl BucketStart for CqlTimestamp {
    fn from_number(width: Width, number: i64) -> Self {
        Self(width.to_start(number))
    }

    fn to_number(&self, width: Width) -> i64 {
        width.to_number(self.to_position())
    }
}

impl BucketStart for CqlDate {
    fn from_number(width: Width, number: i64) -> Self {
        to_date(width.to_start(number))
    }

    fn to_number(&self, width: Width) -> i64 {
        width.to_number(self.to_position())
    }
}

impl BucketStart for i64 {
    fn from_number(_: Width, number: i64) -> Self {
        number
    }

    fn to_number(&self, _: Width) -> i64 {
        *self
    }
}

/// The day of a time.
fn to_date(millis: i64) -> CqlDate {
    let day = millis.div_euclid(DAY_MILLIS).saturating_add(EPOCH_DAY);
    CqlDate(u32::try_from(day.max(0)).unwrap_or(u32::MAX))
}

/// The year and the month (from 0) of a day, and the day in it (from 0), in the proleptic Gregorian
/// calendar.
fn to_calendar(day: i64) -> (i64, i64, i64) {
    // Years begin in March here, so that the leap day is the last.
    let shifted = day + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5;
    let (month, next) = if month < 10 { (month + 2, 0) } else { (month - 10, 1) };
    (era * 400 + year + next, month, of_month)
}

/// The first day of a month, which is counted from January 1970.
fn to_first_day(months: i64) -> i64 {
    let (year, month) = (months.div_euclid(12).saturating_add(1970), months.rem_euclid(12));
    let (year, month) = if month < 2 { (year - 1, month + 10) } else { (year, month - 2) };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * month + 2) / 5;
    let days = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    era.saturating_mul(146_097).saturating_add(days - 719_468)
}

impl Width {
    /// The number of the bucket of a position.
    pub fn to_number(self, position: i64) -> i64 {
        let days = position.div_euclid(DAY_MILLIS);
        let (units, count) = match self {
            Self::Range(width) => (position, width),
            Self::Hours(count) => (position.div_euclid(HOUR_MILLIS), count),
            Self::Days(count) => (days, count),
            Self::Weeks(count) => ((days + DAYS_SINCE_MONDAY).div_euclid(7), count),
            Self::Months(count) => {
                let (year, month, _) = to_calendar(days);
                ((year - 1970) * 12 + month, count)
            }
        };
        units.div_euclid(count.max(1))
    }

    /// Where a bucket starts: milliseconds since 1970, or its number.
    fn to_start(self, number: i64) -> i64 {
        let days = match self {
            Self::Range(_) => return number,
            Self::Hours(count) => return number.saturating_mul(count).saturating_mul(HOUR_MILLIS),
            Self::Days(count) => number.saturating_mul(count),
            Self::Weeks(count) => {
                number.saturating_mul(count).saturating_mul(7).saturating_sub(DAYS_SINCE_MONDAY)
            }
            Self::Months(count) => to_first_day(number.saturating_mul(count)),
        };
        days.saturating_mul(DAY_MILLIS)
    }
}

/// The bucket in which a value falls.
pub fn to_bucket<T: Bucketed, B: BucketStart>(value: Option<T>, width: Width) -> Option<B> {
    value.map(|value| B::from_number(width, width.to_number(value.to_position())))
}

/// The number of the bucket in which a value falls.
pub fn bucket_number<T: Bucketed>(value: Option<&T>, width: Width) -> Option<i64> {
    value.map(|value| width.to_number(value.to_position()))
}

/// The number of a bucket that is recorded.
pub fn recorded_number<B: BucketStart>(value: Option<B>, width: Width) -> Option<i64> {
    value.map(|value| value.to_number(width))
}

/// The number of the bucket of a time in microseconds.
pub fn bucket_at(micros: i64, before_millis: i64, width: Width) -> i64 {
    width.to_number(micros.div_euclid(1000).saturating_sub(before_millis))
}

/// The buckets from one to another; none where one is not known.
pub fn bucket_range(from: Option<i64>, to: Option<i64>) -> impl Iterator<Item = i64> {
    from.zip(to).into_iter().flat_map(|(from, to)| from..=to)
}

/// A write timestamp with which the row of an older bucket wins.
pub fn oldest_wins<T: Bucketed>(bucket: Option<T>) -> Option<i64> {
    bucket.map(|bucket| BUCKET_WINS.saturating_sub(bucket.to_position()))
}

/// A write timestamp with which the row of a newer bucket wins.
pub fn newest_wins<T: Bucketed>(bucket: Option<T>) -> Option<i64> {
    bucket.map(|bucket| BUCKET_WINS.saturating_add(bucket.to_position()))
}

/// A time as its day.
pub fn timestamp_to_date(value: Option<CqlTimestamp>) -> Option<CqlDate> {
    value.map(|value| to_date(value.0))
}

/// A duration.
pub fn to_duration(months: i32, days: i32, nanoseconds: i64) -> CqlDuration {
    CqlDuration { months, days, nanoseconds }
}

/// A value from which a shard is made, and its type.
pub type ShardPart<'v> = (&'v (dyn SerializeValue + Sync), ColumnType<'static>);

/// The shard of a key among `count`; null where a value is null.
pub fn to_shard(values: &[ShardPart<'_>], count: i64) -> Option<i32> {
    let mut parts = Vec::with_capacity(values.len());
    for (value, ty) in values {
        parts.push(to_bytes(ty, *value).ok()??);
    }
    let is_key = parts.iter().all(|part| u16::try_from(part.len()).is_ok());
    let mut key = Vec::new();
    for part in &parts {
        if is_key && parts.len() > 1 {
            key.extend((part.len() as u16).to_be_bytes());
            key.extend(part);
            key.push(0);
        } else {
            key.extend(part);
        }
    }
    i32::try_from(to_token(&key).rem_euclid(count.max(1))).ok()
}

/// The token of a partition key: Murmur3 as Cassandra computes it.
pub fn to_token(key: &[u8]) -> i64 {
    if key.is_empty() {
        return i64::MIN;
    }
    let (mut h1, mut h2) = (0_u64, 0_u64);
    let mut blocks = key.chunks_exact(16);
    for block in &mut blocks {
        let (low, high) = block.split_at(8);
        h1 ^= scramble(to_word(low), MIX1, 31, MIX2);
        h1 = h1.rotate_left(27).wrapping_add(h2).wrapping_mul(5).wrapping_add(0x52dc_e729);
        h2 ^= scramble(to_word(high), MIX2, 33, MIX1);
        h2 = h2.rotate_left(31).wrapping_add(h1).wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }
    let tail = blocks.remainder();
    let (low, high) = tail.split_at(tail.len().min(8));
    h2 ^= scramble(to_signed_word(high), MIX2, 33, MIX1);
    h1 ^= scramble(to_signed_word(low), MIX1, 31, MIX2);
    h1 ^= key.len() as u64;
    h2 ^= key.len() as u64;
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    let token = finish_hash(h1).wrapping_add(finish_hash(h2)) as i64;
    if token == i64::MIN { i64::MAX } else { token }
}

const MIX1: u64 = 0x87c3_7b91_1142_53d5;
const MIX2: u64 = 0x4cf5_ad43_2745_937f;

fn scramble(word: u64, before: u64, bits: u32, after: u64) -> u64 {
    word.wrapping_mul(before).rotate_left(bits).wrapping_mul(after)
}

fn to_word(bytes: &[u8]) -> u64 {
    bytes.iter().enumerate().fold(0, |word, (at, byte)| word | u64::from(*byte) << (8 * at))
}

/// The bytes after the last whole block: Cassandra takes them as signed numbers.
fn to_signed_word(bytes: &[u8]) -> u64 {
    let signed = bytes.iter().map(|byte| i64::from(*byte as i8) as u64);
    signed.enumerate().fold(0, |word, (at, byte)| word ^ byte << (8 * at))
}

fn finish_hash(mut hash: u64) -> u64 {
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ hash >> 33
}

