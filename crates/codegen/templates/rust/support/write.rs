/// What a write came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was applied.
    Applied,
    /// A condition did not hold: nothing was changed, or it was undone.
    Refused,
    /// What it was computed from was changed by another client, and it was undone.
    Outdated,
    /// A constraint does not allow it: nothing was changed, or it was undone.
    Violation(&'static str),
    /// A condition did not hold after statements that cannot be undone.
    Interrupted,
}

/// What a write has done so far.
#[derive(Default)]
pub struct WriteState {
    applied: Vec<&'static str>,
    undo: Vec<Option<BoundText>>,
    is_done: bool,
    is_refused: bool,
}

impl WriteState {
    /// Sends a statement; whether it was applied.
    pub async fn send(
        &mut self,
        core: &Core,
        bound: BoundText,
        inverse: Option<BoundText>,
    ) -> Result<bool, AccessError> {
        let is_applied = core.execute(bound.text, &bound.cells).await?;
        if is_applied {
            self.note(bound.text.cql, inverse);
        }
        Ok(is_applied)
    }

    /// Sends a statement after which the write goes on, whether it was applied or not.
    pub async fn send_always(
        &mut self,
        core: &Core,
        bound: BoundText,
        inverse: Option<BoundText>,
    ) -> Result<(), AccessError> {
        let is_applied = self.send(core, bound, inverse).await?;
        if !is_applied {
            self.is_done = true;
            self.undo.push(None);
        }
        Ok(())
    }

    /// Notes what was done, and how it is undone.
    pub fn note(&mut self, what: &'static str, inverse: Option<BoundText>) {
        self.is_done = true;
        self.applied.push(what);
        self.undo.push(inverse);
    }

    /// Notes what another write has done that was interrupted.
    pub fn adopt(&mut self, other: Self) {
        self.applied.extend(other.applied);
    }

    /// Notes that another write was refused.
    pub fn note_refusal(&mut self) {
        self.is_refused = true;
    }

    /// Sends statements in batches.
    pub async fn send_batch(
        &mut self,
        core: &Core,
        kind: BatchType,
        bounds: Vec<BoundText>,
    ) -> Result<(), AccessError> {
        let mut part = Vec::new();
        let mut bytes = 0;
        for bound in bounds {
            let text = bound.text;
            let prepared = core.prepare(text).await?;
            let row = RawRow::new(prepared, &bound.cells).map_err(|error| text.fail(error))?;
            let size = STATEMENT_BYTES + row.0.len();
            let options = &core.options;
            let is_full =
                part.len() == options.batch_statements || bytes + size > options.batch_bytes;
            if is_full && !part.is_empty() {
                self.send_part(core, kind, std::mem::take(&mut part)).await?;
                bytes = 0;
            }
            bytes += size;
            part.push((text, row));
        }
        self.send_part(core, kind, part).await
    }

    async fn send_part(
        &mut self,
        core: &Core,
        kind: BatchType,
        part: Vec<(&'static StatementText, RawRow)>,
    ) -> Result<(), AccessError> {
        let texts: Vec<_> = part.iter().map(|(text, _)| text.cql).collect();
        if let [(text, row)] = &part[..] {
            core.execute(text, row).await?;
        } else {
            core.execute_batch(kind, part).await?;
        }
        for text in texts {
            self.note(text, None);
        }
        Ok(())
    }

    /// Undoes what was done, the last first, after which the write has this outcome.
    pub async fn undo(&mut self, core: &Core, outcome: Outcome) -> Result<Outcome, AccessError> {
        let is_undone = self.undo.iter().all(Option::is_some);
        while let Some(inverse) = self.undo.pop() {
            if let Some(inverse) = inverse {
                core.execute(inverse.text, &inverse.cells).await?;
            }
            if is_undone {
                self.applied.pop();
            }
        }
        Ok(if is_undone { outcome } else { Outcome::Interrupted })
    }

    /// The outcome of a write that ran to its end.
    pub fn finish(&self) -> Outcome {
        if self.is_refused && !self.is_done { Outcome::Refused } else { Outcome::Applied }
    }

    /// An error that ended the write: it is a partial write if something was done before.
    pub fn interrupt(&mut self, error: AccessError) -> AccessError {
        let mut applied = std::mem::take(&mut self.applied);
        if applied.is_empty() {
            return error;
        }
        let source = match error {
            AccessError::PartialWrite { applied: more, source, .. } => {
                applied.extend(more);
                source
            }
            error => Some(Box::new(error)),
        };
        AccessError::PartialWrite { query: "", applied, source }
    }

    /// Whether the write was applied; the error of any other outcome than a refusal.
    pub fn conclude(&mut self, outcome: Outcome) -> Result<bool, AccessError> {
        match outcome {
            Outcome::Applied => Ok(true),
            Outcome::Refused | Outcome::Outdated => Ok(false),
            Outcome::Violation(constraint) => {
                Err(AccessError::ConstraintViolation { query: "", constraint })
            }
            Outcome::Interrupted => {
                let applied = std::mem::take(&mut self.applied);
                Err(AccessError::PartialWrite { query: "", applied, source: None })
            }
        }
    }
}

/// Runs all turns, some of them at once; the results in the order of the turns.
pub async fn run_all<I, T, F>(
    concurrency: usize,
    turns: I,
    run: impl FnMut(I::Item) -> F,
) -> Result<Vec<T>, AccessError>
where
    I: IntoIterator,
    F: Future<Output = Result<T, AccessError>>,
{
    stream::iter(turns).map(run).buffered(concurrency.max(1)).try_collect().await
}

