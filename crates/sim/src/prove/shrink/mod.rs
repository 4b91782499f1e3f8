//! A disagreement, made as small as it can be: fewer facts, fewer writes, run again from scratch each time.

mod sound;

pub(crate) use self::sound::is_sound;

use crate::data::{Data, Row};
use crate::proof::Disagreement;
use crate::prove::case::{self, Case, Found};
use crate::server::{Failure, Server};
use crate::subject::{Progress, Settings, Subject};
use model::id::Numbered;

/// Rows and writes that may be run again in all, beyond this many times those of the proof.
const TIMES: u64 = 20;
const AT_LEAST: u64 = 300_000;
/// What each try costs besides its rows.
const EACH: u64 = 50;

/// The search for a smaller case.
struct Search<'a, 's> {
    subject: Subject<'a>,
    settings: &'s Settings,
    server: &'s mut dyn Server,
    progress: &'s mut dyn FnMut(Progress),
    /// The smallest case so far, and what it shows.
    best: Case,
    told: Disagreement,
    /// What may still be run.
    left: u64,
    budget: u64,
}

/// The smallest case that shows the same, as it is told.
pub(crate) fn shrink(
    subject: Subject<'_>,
    settings: &Settings,
    case: Case,
    server: &mut dyn Server,
    progress: &mut dyn FnMut(Progress),
) -> Result<Disagreement, Failure> {
    let told = match case::run(subject, settings, &case, server)? {
        Found::Disagreement(told) => *told,
        // It showed in the course of the proof, and does not from scratch.
        Found::Agreement | Found::Invalid => return Ok(unrepeated(subject, &case)),
    };
    let rows: usize = case.data.rows.iter().map(Vec::len).sum();
    let budget = AT_LEAST + TIMES * (rows + case.writes.len()) as u64;
    let mut search =
        Search { subject, settings, server, progress, best: case, told, left: budget, budget };
    search.fewer_writes()?;
    search.fewer_facts()?;
    search.fewer_writes()?;
    Ok(search.told)
}

/// What is told of a disagreement that could not be repeated.
fn unrepeated(subject: Subject<'_>, case: &Case) -> Disagreement {
    let name = match &case.question {
        case::Question::Read(at, _) => subject.workload.reads.at(*at).map(|read| read.name.clone()),
        case::Question::Copies => None,
    };
    let refused = "both sides did not agree, and did when the same was run again".to_owned();
    Disagreement {
        name: name.unwrap_or_default(),
        refused: Some(refused),
        ..Disagreement::default()
    }
}

impl Search<'_, '_> {
    /// Takes a case if it shows the same.
    fn takes(&mut self, case: Case) -> Result<bool, Failure> {
        let rows: usize = case.data.rows.iter().map(Vec::len).sum();
        let cost = (rows + case.writes.len()) as u64 + EACH;
        let Some(left) = self.left.checked_sub(cost) else { return Ok(false) };
        self.left = left;
        let done = self.budget - left;
        (self.progress)(Progress { stage: "shrinking", done, of: self.budget });
        if !is_sound(self.subject.concept, &case.data.rows) {
            return Ok(false);
        }
        match case::run(self.subject, self.settings, &case, self.server)? {
            Found::Disagreement(told) if self.is_same(&told) => {
                self.best = case;
                self.told = *told;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn is_same(&self, told: &Disagreement) -> bool {
        let refusal = |told: &Disagreement| told.refused.is_some();
        refusal(told) == refusal(&self.told)
            && told.table == self.told.table
            && (told.table.is_some() || told.name == self.told.name)
    }

    fn fewer_writes(&mut self) -> Result<(), Failure> {
        let mut chunk = self.best.writes.len();
        while chunk > 0 {
            let mut at = 0;
            while at < self.best.writes.len() {
                let mut case = self.best.clone();
                let end = (at + chunk).min(case.writes.len());
                case.writes.drain(at..end);
                if !self.takes(case)? {
                    at += chunk;
                }
            }
            chunk /= 2;
        }
        Ok(())
    }

    fn fewer_facts(&mut self) -> Result<(), Failure> {
        let mut chunk = self.best.data.rows.iter().map(Vec::len).sum::<usize>();
        while chunk > 0 {
            let mut at = 0;
            while at < self.best.data.rows.iter().map(Vec::len).sum() {
                let data = without(&self.best.data, at, chunk);
                let data = sound::closed(self.subject.concept, data);
                if !self.takes(Case { data, ..self.best.clone() })? {
                    at += chunk;
                }
            }
            chunk /= 2;
        }
        Ok(())
    }
}

/// Facts without some of their rows, counted over all entities.
fn without(data: &Data, from: usize, count: usize) -> Data {
    let mut position = 0;
    let mut keep = |_: &&Row| {
        position += 1;
        position <= from || position > from + count
    };
    let rows = data.rows.iter().map(|rows| rows.iter().filter(&mut keep).cloned().collect());
    Data { rows: rows.collect() }
}
