/// What all functions use.
#[derive(Debug)]
pub struct Core {
    /// The session.
    pub session: Arc<Session>,
    /// The options.
    pub options: Options,
    prepared: Box<[OnceCell<PreparedStatement>]>,
}

/// The rows of a page, and where the next one begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Page<R> {
    /// The rows.
    pub rows: Vec<R>,
    /// The position of the next page; `None` after the last one.
    pub position: Option<String>,
}

impl<R> Page<R> {
    /// No rows.
    pub fn empty() -> Self {
        Self { rows: Vec::new(), position: None }
    }
}

impl Core {
    /// Statements are prepared when they are needed first.
    pub fn new(session: Arc<Session>, options: Options, statements: usize) -> Self {
        let prepared = (0..statements).map(|_| OnceCell::new()).collect();
        Self { session, options, prepared }
    }

    /// The time in microseconds since 1970.
    pub fn now(&self) -> i64 {
        (self.options.clock)()
    }

    async fn prepare(&self, text: &StatementText) -> Result<&PreparedStatement, AccessError> {
        let known = &self.prepared[text.at];
        match known.get() {
            Some(prepared) => Ok(prepared),
            None => Box::pin(known.get_or_try_init(|| self.prepare_first(text))).await,
        }
    }

    async fn prepare_first(&self, text: &StatementText) -> Result<PreparedStatement, AccessError> {
        let prepared = self.session.prepare(text.cql).await;
        let mut prepared = prepared.map_err(|error| text.fail(error))?;
        prepared.set_consistency(text.consistency);
        prepared.set_is_idempotent(text.idempotent);
        prepared.set_page_size(self.options.page_size.max(1));
        if self.options.request_timeout.is_some() {
            prepared.set_request_timeout(self.options.request_timeout);
        }
        Ok(prepared)
    }

    /// All rows of a statement.
    pub async fn fetch<R>(
        &self,
        text: &'static StatementText,
        values: impl SerializeRow + Sync,
    ) -> Result<Vec<R>, AccessError>
    where
        R: for<'f, 'm> DeserializeRow<'f, 'm>,
    {
        let mut rows = Vec::new();
        let mut state = Some(PagingState::start());
        while let Some(from) = state {
            state = self.fetch_rows(text, &values, from, None, &mut rows).await?;
        }
        Ok(rows)
    }

    /// The first row of a statement.
    pub async fn fetch_one<R>(
        &self,
        text: &'static StatementText,
        values: impl SerializeRow + Sync,
    ) -> Result<Option<R>, AccessError>
    where
        R: for<'f, 'm> DeserializeRow<'f, 'm>,
    {
        let mut rows = Vec::new();
        let mut state = Some(PagingState::start());
        while let Some(from) = state.filter(|_| rows.is_empty()) {
            state = self.fetch_rows(text, &values, from, None, &mut rows).await?;
        }
        Ok(rows.into_iter().next())
    }

    /// Adds the rows of a page; the state after it, if there is more.
    async fn fetch_rows<R>(
        &self,
        text: &'static StatementText,
        values: &(impl SerializeRow + Sync),
        from: PagingState,
        page_size: Option<i32>,
        rows: &mut Vec<R>,
    ) -> Result<Option<PagingState>, AccessError>
    where
        R: for<'f, 'm> DeserializeRow<'f, 'm>,
    {
        let sized;
        let mut prepared = self.prepare(text).await?;
        if let Some(page_size) = page_size {
            let mut statement = prepared.clone();
            statement.set_page_size(page_size.max(1));
            sized = statement;
            prepared = &sized;
        }
        let span = tracing::debug_span!("statement", table = text.table, cql = text.cql);
        let work = pin!(self.session.execute_single_page(prepared, values, from));
        let answer = if span.is_disabled() { work.await } else { work.instrument(span).await };
        let (answer, next) = answer.map_err(|error| text.fail(error))?;
        let answer = answer.into_rows_result().map_err(|error| text.fail(error))?;
        rows.reserve(answer.rows_num());
        for row in answer.rows::<R>().map_err(|error| text.fail(error))? {
            rows.push(row.map_err(|error| text.fail(error))?);
        }
        Ok(next.into_paging_control_flow().continue_value())
    }

    /// Sends a statement that writes; whether it was applied.
    async fn execute(
        &self,
        text: &'static StatementText,
        values: &(impl SerializeRow + Sync),
    ) -> Result<bool, AccessError> {
        let prepared = self.prepare(text).await?;
        let span = tracing::debug_span!("statement", table = text.table, cql = text.cql);
        let work = self.session.execute_unpaged(prepared, values);
        let answer = pin!(work).instrument(span).await.map_err(|error| text.fail(error))?;
        if !answer.is_rows() {
            return Ok(true);
        }
        let answer = answer.into_rows_result().map_err(|error| text.fail(error))?;
        let row = answer.maybe_first_row::<AppliedRow>().map_err(|error| text.fail(error))?;
        Ok(row.is_none_or(|row| row.0))
    }

    /// Sends a batch.
    async fn execute_batch(
        &self,
        kind: BatchType,
        part: Vec<(&'static StatementText, RawRow)>,
    ) -> Result<(), AccessError> {
        let Some(text) = part.first().map(|(text, _)| *text) else { return Ok(()) };
        let mut batch = Batch::new(kind);
        batch.set_consistency(text.consistency);
        batch.set_is_idempotent(part.iter().all(|(text, _)| text.idempotent));
        if self.options.request_timeout.is_some() {
            batch.set_request_timeout(self.options.request_timeout);
        }
        let mut values = Vec::with_capacity(part.len());
        for (text, row) in part {
            batch.append_statement(self.prepare(text).await?.clone());
            values.push(row);
        }
        let span = tracing::debug_span!("batch", table = text.table, statements = values.len());
        let work = self.session.batch(&batch, values);
        pin!(work).instrument(span).await.map_err(|error| text.fail(error))?;
        Ok(())
    }
}

/// The first column of the answer to a conditional statement.
struct AppliedRow(bool);

impl<'f, 'm> DeserializeRow<'f, 'm> for AppliedRow {
    fn type_check(_: &[ColumnSpec<'_>]) -> Result<(), TypeCheckError> {
        Ok(())
    }

    fn deserialize(mut row: ColumnIterator<'f, 'm>) -> Result<Self, DeserializationError> {
        let first = row.next().transpose()?;
        let applied = first.and_then(|column| column.slice).map(|slice| slice.as_slice() != [0]);
        Ok(Self(applied.unwrap_or(true)))
    }
}

/// Runs the body of a function, and reports it.
pub async fn observe<T>(
    name: &'static str,
    work: impl Future<Output = Result<T, AccessError>>,
) -> Result<T, AccessError> {
    let span = tracing::debug_span!("query", name);
    let work = pin!(work);
    if span.is_disabled() {
        let result = work.await.map_err(|error| error.in_query(name));
        if let Err(error) = &result {
            tracing::error!(query = name, %error, "failed");
        }
        return result;
    }
    let started = Instant::now();
    let result = work.instrument(span.clone()).await.map_err(|error| error.in_query(name));
    let micros = started.elapsed().as_micros();
    match &result {
        Ok(_) => tracing::debug!(parent: &span, query = name, micros, "done"),
        Err(error) => tracing::error!(parent: &span, query = name, micros, %error, "failed"),
    }
    result
}

