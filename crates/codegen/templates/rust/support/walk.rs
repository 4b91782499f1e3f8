/// How a walk over buckets goes.
#[derive(Clone, Copy, Debug)]
pub struct Walk {
    /// From the newest to the oldest.
    pub newest_first: bool,
    /// The rows after which it stops; `None`: it visits all buckets.
    pub limit: Option<usize>,
    /// Buckets that are asked at once where it may stop.
    pub ahead: usize,
    /// Statements in flight at once.
    pub concurrency: usize,
}

/// Walks over the buckets from `from` (where it is not known, down to the oldest one) to `to`.
/// The rows of each bucket are appended to the streams of the same position.
pub async fn walk_buckets<R, F>(
    walk: Walk,
    from: Option<i64>,
    to: i64,
    oldest: impl Future<Output = Result<Option<i64>, AccessError>>,
    read: impl Fn(i64) -> F,
) -> Result<Vec<Vec<R>>, AccessError>
where
    F: Future<Output = Result<Vec<Vec<R>>, AccessError>>,
{
    let mut streams: Vec<Vec<R>> = Vec::new();
    let (mut from, mut to) = (from, to);
    if from.is_none() && walk.newest_first && walk.limit.is_some() {
        // The newest bucket may have enough rows: the oldest is asked for only if it has not.
        append_streams(&mut streams, read(to).await?);
        if has_enough(&streams, walk.limit) {
            return Ok(streams);
        }
        to = to.saturating_sub(1);
    }
    if from.is_none() {
        from = oldest.await?;
    }
    let Some(mut from) = from else { return Ok(streams) };
    let most = match walk.limit {
        Some(_) => i64::try_from(walk.ahead.max(1)).unwrap_or(i64::MAX),
        None => i64::MAX,
    };
    while from <= to {
        let count = to.saturating_sub(from).saturating_add(1).min(most);
        let part = (0..count).map(|at| if walk.newest_first { to - at } else { from + at });
        for found in run_all(walk.concurrency, part, &read).await? {
            append_streams(&mut streams, found);
        }
        if has_enough(&streams, walk.limit) {
            break;
        }
        if walk.newest_first {
            to = to.saturating_sub(count);
        } else {
            from = from.saturating_add(count);
        }
    }
    Ok(streams)
}

fn has_enough<R>(streams: &[Vec<R>], limit: Option<usize>) -> bool {
    limit.is_some_and(|limit| streams.iter().map(Vec::len).sum::<usize>() >= limit)
}

fn append_streams<R>(streams: &mut Vec<Vec<R>>, next: Vec<Vec<R>>) {
    for (at, stream) in next.into_iter().enumerate() {
        match streams.get_mut(at) {
            Some(before) => before.extend(stream),
            None => streams.push(stream),
        }
    }
}

/// All rows of the streams, one stream after the other.
pub fn join_streams<R>(streams: Vec<Vec<R>>) -> Vec<R> {
    let mut streams = streams.into_iter();
    let mut all = streams.next().unwrap_or_default();
    for stream in streams {
        all.extend(stream);
    }
    all
}

/// Merges sorted streams. Of equal rows, that of the first stream comes first.
pub fn merge_streams<R>(streams: Vec<Vec<R>>, order: impl Fn(&R, &R) -> Ordering) -> Vec<R> {
    let mut streams: Vec<_> = streams.into_iter().map(|it| it.into_iter().peekable()).collect();
    let mut all = Vec::new();
    loop {
        let mut least: Option<usize> = None;
        for at in 0..streams.len() {
            let (before, after) = streams.split_at_mut(at);
            let Some(head) = after.first_mut().and_then(|stream| stream.peek()) else { continue };
            let best = least.and_then(|least| before.get_mut(least)).and_then(|it| it.peek());
            if best.is_none_or(|best| order(head, best).is_lt()) {
                least = Some(at);
            }
        }
        let next = least.and_then(|least| streams.get_mut(least)).and_then(Iterator::next);
        let Some(next) = next else { return all };
        all.push(next);
    }
}

/// Values that are not null, each once.
pub fn distinct<T: CqlOrder + Clone>(values: impl IntoIterator<Item = Option<T>>) -> Vec<T> {
    let mut seen = BTreeSet::new();
    let values = values.into_iter().flatten();
    values.filter(|value| seen.insert(Ordered(value.clone()))).collect()
}

/// A value in the order of CQL.
struct Ordered<T>(T);

impl<T: CqlOrder> PartialEq for Ordered<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0.compare(&other.0).is_eq()
    }
}

impl<T: CqlOrder> Eq for Ordered<T> {}

impl<T: CqlOrder> PartialOrd for Ordered<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: CqlOrder> Ord for Ordered<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.compare(&other.0)
    }
}

/// Rows by groups, in the order of the first row of each group.
pub struct Groups<K, R> {
    positions: BTreeMap<Ordered<K>, usize>,
    groups: Vec<Vec<R>>,
}

impl<K: CqlOrder, R> Groups<K, R> {
    /// No groups.
    pub fn new() -> Self {
        Self { positions: BTreeMap::new(), groups: Vec::new() }
    }

    /// Adds a row to the group of this key.
    pub fn add(&mut self, key: K, row: R) {
        let next = self.groups.len();
        let at = *self.positions.entry(Ordered(key)).or_insert(next);
        match self.groups.get_mut(at) {
            Some(group) => group.push(row),
            None => self.groups.push(vec![row]),
        }
    }

    /// The rows of each group.
    pub fn into_rows(self) -> Vec<Vec<R>> {
        self.groups
    }
}

impl<K: CqlOrder, R> Default for Groups<K, R> {
    fn default() -> Self {
        Self::new()
    }
}

/// LIMIT, where it is a parameter.
pub fn to_limit(rows: impl Into<i64>) -> Option<usize> {
    usize::try_from(rows.into()).ok()
}

/// A value that must not be null.
pub fn require<T>(value: Option<T>, column: &'static str) -> Result<T, AccessError> {
    value.ok_or(AccessError::UnexpectedNull { query: "", column })
}

