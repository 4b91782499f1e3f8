/// A time, and values that are made from it.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    millis: i64,
    /// Ticks of 100 ns in the millisecond.
    ticks: i64,
}

impl Moment {
    /// A time in microseconds since 1970.
    pub fn new(micros: i64) -> Self {
        Self { millis: micros.div_euclid(1000), ticks: micros.rem_euclid(1000) * 10 }
    }

    /// A later time. The day of a month that is too short is its last one.
    pub fn plus(self, months: i32, days: i32, millis: i64) -> Self {
        let (day, time) = (self.millis.div_euclid(DAY_MILLIS), self.millis.rem_euclid(DAY_MILLIS));
        let (year, month, of_month) = to_calendar(day);
        let first = (year - 1970) * 12 + month + i64::from(months);
        let length = to_first_day(first + 1) - to_first_day(first);
        let day = to_first_day(first) + of_month.min(length - 1) + i64::from(days);
        let millis = day.saturating_mul(DAY_MILLIS).saturating_add(time).saturating_add(millis);
        Self { millis, ..self }
    }

    /// As `timestamp`.
    pub fn to_timestamp(self) -> CqlTimestamp {
        CqlTimestamp(self.millis)
    }

    /// As `date`.
    pub fn to_date(self) -> CqlDate {
        to_date(self.millis)
    }

    /// As `time`.
    pub fn to_time(self) -> CqlTime {
        CqlTime(self.millis.rem_euclid(DAY_MILLIS) * 1_000_000 + self.ticks * 100)
    }

    /// A new time-based id.
    pub fn to_timeuuid(self) -> CqlTimeuuid {
        let ticks = (self.millis.saturating_add(GREGORIAN_MILLIS).saturating_mul(10_000)
            + self.ticks) as u64;
        let high = (ticks << 32) | ((ticks >> 16) & 0xffff_0000) | 0x1000 | ((ticks >> 48) & 0xfff);
        let (_, random) = Uuid::new_v4().as_u64_pair();
        CqlTimeuuid::from_u64_pair(high, random)
    }
}

/// A position in the pages of a query, as text: its name, the bucket and the state of the driver.
pub fn write_position(query: &str, bucket: Option<i64>, state: Option<&[u8]>) -> String {
    let bucket = bucket.map(|bucket| bucket.to_string()).unwrap_or_default();
    let state: String =
        state.unwrap_or_default().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("1.{query}.{bucket}.{state}")
}

/// The bucket and the state of a position.
pub fn read_position(
    query: &'static str,
    position: &str,
) -> Result<(Option<i64>, PagingState), AccessError> {
    parse_position(query, position).ok_or(AccessError::InvalidPosition { query })
}

fn parse_position(query: &str, position: &str) -> Option<(Option<i64>, PagingState)> {
    let rest = position.strip_prefix("1.")?.strip_prefix(query)?.strip_prefix('.')?;
    let (bucket, state) = rest.split_once('.')?;
    let bucket = if bucket.is_empty() { None } else { Some(bucket.parse().ok()?) };
    if state.is_empty() {
        return Some((bucket, PagingState::start()));
    }
    let digits: Option<Vec<u8>> =
        state.chars().map(|digit| u8::try_from(digit.to_digit(16)?).ok()).collect();
    let bytes: Vec<u8> = digits?.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect();
    Some((bucket, PagingState::new_from_raw_bytes(bytes)))
}

impl Core {
    /// A page of a statement, and the position after it.
    pub async fn fetch_page<R>(
        &self,
        query: &'static str,
        text: &'static StatementText,
        values: impl SerializeRow + Sync,
        page_size: i32,
        position: Option<&str>,
    ) -> Result<Page<R>, AccessError>
    where
        R: for<'f, 'm> DeserializeRow<'f, 'm>,
    {
        let from = match position {
            Some(position) => read_position(query, position)?.1,
            None => PagingState::start(),
        };
        let mut rows = Vec::new();
        let next = self.fetch_rows(text, &values, from, Some(page_size), &mut rows).await?;
        let position = next.map(|next| {
            let state = next.as_bytes_slice().map(|bytes| bytes.as_ref());
            write_position(query, None, state)
        });
        Ok(Page { rows, position })
    }

    /// A part of a page: rows of a statement from a state on, and the state after them.
    pub async fn fetch_part<R>(
        &self,
        text: &'static StatementText,
        values: impl SerializeRow + Sync,
        from: PagingState,
        page_size: i32,
        rows: &mut Vec<R>,
    ) -> Result<Option<PagingState>, AccessError>
    where
        R: for<'f, 'm> DeserializeRow<'f, 'm>,
    {
        self.fetch_rows(text, &values, from, Some(page_size), rows).await
    }
}

/// The buckets of a query that is paged.
#[derive(Clone, Copy, Debug)]
pub struct BucketRange {
    /// The oldest.
    pub from: i64,
    /// The newest.
    pub to: i64,
    /// From the newest to the oldest.
    pub newest_first: bool,
}

/// A page of a query that walks over buckets. A position is that of a bucket and in it.
pub async fn page_buckets<R, F>(
    query: &'static str,
    range: BucketRange,
    page_size: i32,
    position: Option<&str>,
    read: impl Fn(i64, PagingState, i32) -> F,
) -> Result<Page<R>, AccessError>
where
    F: Future<Output = Result<(Vec<R>, Option<PagingState>), AccessError>>,
{
    let first = if range.newest_first { range.to } else { range.from };
    let (bucket, mut state) = match position {
        Some(position) => read_position(query, position)?,
        None => (Some(first), PagingState::start()),
    };
    let mut number = bucket.ok_or(AccessError::InvalidPosition { query })?;
    let mut rows = Vec::new();
    while range.from <= number && number <= range.to {
        let missing = page_size.saturating_sub(i32::try_from(rows.len()).unwrap_or(i32::MAX));
        if missing <= 0 {
            let position = Some(write_position(query, Some(number), None));
            return Ok(Page { rows, position });
        }
        let (found, next) = read(number, state, missing).await?;
        rows.extend(found);
        if let Some(next) = next {
            let state = next.as_bytes_slice().map(|bytes| bytes.as_ref());
            let position = Some(write_position(query, Some(number), state));
            return Ok(Page { rows, position });
        }
        state = PagingState::start();
        number =
            if range.newest_first { number.saturating_sub(1) } else { number.saturating_add(1) };
    }
    Ok(Page { rows, position: None })
}

