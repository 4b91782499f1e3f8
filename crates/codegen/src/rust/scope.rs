//! Where the values of an expression come from.

use super::types::{RustRecord, RustTypes};
use crate::program::DataType;

/// A parameter, as code reads it.
#[derive(Clone, Debug)]
pub(super) struct RustParameter {
    /// The code.
    pub(super) code: String,
    /// Whether it is an `Option`.
    pub(super) nullable: bool,
}

/// A step that reads.
#[derive(Clone, Debug, Default)]
pub(super) struct RustStep {
    /// Its rows.
    pub(super) record: RustRecord,
    /// The steps under whose rows they are read.
    pub(super) parents: Vec<usize>,
    /// The code of all its rows.
    pub(super) rows: String,
}

/// What a name stands for at the turn of a repetition.
#[derive(Clone, Debug)]
pub(super) enum RustTurn {
    /// A value of this type.
    Value(String, DataType),
    /// A row of this step.
    Row(String, usize),
    /// The row that is being completed.
    Current,
}

/// The context of expressions.
#[derive(Clone, Debug)]
pub(super) struct RustScope<'a> {
    pub(super) types: &'a RustTypes,
    pub(super) parameters: Vec<RustParameter>,
    pub(super) steps: Vec<RustStep>,
    pub(super) turns: Vec<RustTurn>,
    /// The name of the current row, and its record.
    pub(super) current: Option<(String, RustRecord)>,
}

impl RustScope<'_> {
    /// The code of the row of a step: an option of a reference, and the step's record.
    pub(super) fn find_row(&self, step: usize) -> Option<(String, &RustStep)> {
        for turn in self.turns.iter().rev() {
            let RustTurn::Row(name, of) = turn else { continue };
            if let Some(path) = self.find_path(*of, step, self.steps.len()) {
                return self.follow(name, *of, &path);
            }
        }
        let found = self.steps.get(step)?;
        Some((format!("{}.first()", found.rows), found))
    }

    /// The row at a position of the repetitions, and on from it.
    pub(super) fn turn_row(&self, at: usize, path: &[usize]) -> Option<(String, &RustStep)> {
        match self.turns.get(at)? {
            RustTurn::Row(name, step) => self.follow(name, *step, path),
            _ => None,
        }
    }

    fn follow(&self, name: &str, step: usize, path: &[usize]) -> Option<(String, &RustStep)> {
        let mut of = self.steps.get(step)?;
        let Some((first, rest)) = path.split_first() else {
            return Some((format!("Some(&{name})"), of));
        };
        let mut code = format!("{name}.parent{first}.as_ref()");
        of = self.steps.get(*of.parents.get(*first)?)?;
        for at in rest {
            code = format!("{code}.and_then(|row| row.parent{at}.as_ref())");
            of = self.steps.get(*of.parents.get(*at)?)?;
        }
        Some((code, of))
    }

    fn find_path(&self, from: usize, wanted: usize, depth: usize) -> Option<Vec<usize>> {
        if from == wanted {
            return Some(Vec::new());
        }
        let step = self.steps.get(from).filter(|_| depth > 0)?;
        step.parents.iter().enumerate().find_map(|(at, parent)| {
            let rest = self.find_path(*parent, wanted, depth - 1)?;
            Some([vec![at], rest].concat())
        })
    }
}
