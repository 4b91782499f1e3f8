//! The scribe writes one statement: chance, the schema, and the slips it makes on purpose.
//!
//! A statement is written twice from the same chance: first without slips, to learn where they could happen, then with
//! one or two of those places chosen. So every slip stands in a statement that would have been right without it.

use super::schema::{Column, Effect, Keyspace, SchemaModel, Table, quote_name};
use crate::rng::Rng;

/// A statement that is written and not yet sent.
#[derive(Clone, Debug)]
pub(super) struct StatementDraft {
    pub(super) text: String,
    pub(super) effect: Effect,
    /// Only to be prepared: it has markers, or its execution would depend on data.
    pub(super) prepare: bool,
}

/// Writes one statement.
pub(super) struct StatementWriter<'w> {
    pub(super) rng: Rng,
    pub(super) world: &'w SchemaModel,
    /// Whether values may be markers.
    pub(super) markers: bool,
    /// Whether the verdict of execution would depend on data, so that only preparing can be compared.
    pub(super) depends_on_data: bool,
    /// The keyspace whose user types are meant.
    pub(super) home: Option<&'w Keyspace>,
    /// How many user types deep the value is: through a vector the server lets a type hold itself.
    pub(super) depth: usize,
    slips: Slips,
}

/// Values of user types inside one another, at most.
pub(super) const DEPTH_MAX: usize = 8;

/// Where slips could happen, and where they do.
#[derive(Default)]
struct Slips {
    seen: usize,
    chosen: Vec<usize>,
    made: Vec<&'static str>,
}

impl<'w> StatementWriter<'w> {
    /// A scribe that makes no slip.
    pub(super) fn new(rng: Rng, world: &'w SchemaModel) -> Self {
        let home = world.keyspaces.first();
        Self {
            rng,
            world,
            markers: false,
            depends_on_data: false,
            home,
            depth: 0,
            slips: Slips::default(),
        }
    }

    /// A scribe that makes as many slips, at places chosen from what a careful one has seen.
    pub(super) fn with_slips(
        careful: &StatementWriter<'w>,
        rng: Rng,
        slips: usize,
        chance: &mut Rng,
    ) -> Self {
        let mut scribe = Self::new(rng, careful.world);
        scribe.slips.chosen = (0..slips).map(|_| chance.number_below(careful.slips.seen)).collect();
        scribe
    }

    /// Whether to go wrong here. The weight says how often, against the other places of the statement.
    pub(super) fn slip(&mut self, what: &'static str, weight: usize) -> bool {
        let from = self.slips.seen;
        self.slips.seen += weight;
        let made = self.slips.chosen.iter().any(|at| (from..from + weight).contains(at));
        if made {
            self.slips.made.push(what);
        }
        made
    }

    /// The slips made.
    pub(super) fn slips_made(&self) -> &[&'static str] {
        &self.slips.made
    }

    /// A finished statement, now and then with a slip of the pen.
    pub(super) fn draft(&mut self, text: String, effect: Effect) -> StatementDraft {
        let prepare = self.markers || self.depends_on_data;
        if self.slip("typo", 1) {
            // What it does is then anybody's guess, and the picture stays as it was.
            return StatementDraft { text: self.typo(&text), effect: Effect::None, prepare };
        }
        StatementDraft { text, effect, prepare }
    }

    /// The text with one word or sign lost, doubled, or in the wrong place.
    fn typo(&mut self, text: &str) -> String {
        let mut parts: Vec<&str> = text.split_inclusive([' ', ',', '(', ')']).collect();
        let at = self.rng.number_below(parts.len());
        match self.rng.number_below(4) {
            0 => parts.insert(at, parts[at]),
            1 if at > 0 => parts.swap(at - 1, at),
            2 => {
                let mut letters: Vec<char> = text.chars().collect();
                letters.remove(self.rng.number_below(letters.len()));
                return letters.into_iter().collect();
            }
            _ => {
                parts.remove(at);
            }
        }
        parts.concat()
    }

    /// A name that is not there, one letter away from one that is.
    pub(super) fn misspell(&mut self, name: &str) -> String {
        let mut letters: Vec<char> = name.chars().collect();
        match self.rng.number_below(3) {
            0 => letters.push('s'),
            1 if letters.len() > 2 => {
                letters.pop();
            }
            _ => {
                let at = self.rng.number_below(letters.len());
                letters.insert(at, 'x');
            }
        }
        letters.into_iter().collect()
    }

    /// A name that no other thing has.
    pub(super) fn fresh_name(&mut self, stem: &str) -> String {
        format!("{stem}{}", self.world.made)
    }

    /// A keyspace, if there is one.
    pub(super) fn pick_keyspace(&mut self) -> Option<&'w Keyspace> {
        let world = self.world;
        self.home = world.keyspaces.get(self.rng.number_below(world.keyspaces.len()));
        self.home
    }

    /// A table that fits, or any, or none where there are no tables at all.
    pub(super) fn pick_table(
        &mut self,
        fits: impl Fn(&Table) -> bool,
    ) -> Option<(&'w Keyspace, &'w Table)> {
        let world = self.world;
        let all = || world.keyspaces.iter().flat_map(|k| k.tables.iter().map(move |t| (k, t)));
        let mut found: Vec<_> = all().filter(|(_, table)| fits(table)).collect();
        if self.slip("a system table", 1) {
            found =
                world.system.iter().flat_map(|k| k.tables.iter().map(move |t| (k, t))).collect();
        }
        if found.is_empty() {
            found = all().collect();
        }
        let at = self.rng.number_below(found.len());
        let chosen = found.get(at).copied()?;
        self.home = Some(chosen.0);
        Some(chosen)
    }

    /// The name of a table or another thing of a keyspace, qualified or not, and now and then wrong.
    pub(super) fn qualified_name(&mut self, keyspace: &Keyspace, name: &str) -> String {
        let mut owner = keyspace.name.clone();
        let mut name = name.to_owned();
        let implied = self.world.used.as_ref() == Some(&owner) && self.rng.roll(60);
        if self.slip("path", 1) {
            match self.rng.number_below(5) {
                0 | 1 => name = self.misspell(&name),
                2 => owner = self.misspell(&owner),
                3 => owner.clone_from(&self.rng.pick(&self.world.keyspaces).name),
                _ => return quote_name(&name),
            }
        }
        if implied {
            quote_name(&name)
        } else {
            format!("{}.{}", quote_name(&owner), quote_name(&name))
        }
    }

    /// A column's name, now and then one letter off.
    pub(super) fn column_name(&mut self, column: &Column) -> String {
        if self.slip("column one letter off", 1) {
            let name = self.misspell(&column.name);
            return quote_name(&name);
        }
        let name = quote_name(&column.name);
        // Names without quotes are folded to small letters.
        if !name.starts_with('"') && self.rng.roll(3) { name.to_uppercase() } else { name }
    }

    /// One of some words.
    pub(super) fn pick_word(&mut self, words: &[&'static str]) -> &'static str {
        self.rng.pick::<&'static str>(words)
    }

    /// A marker.
    pub(super) fn marker(&mut self) -> String {
        if self.rng.roll(70) {
            "?".to_owned()
        } else {
            format!(":{}", self.pick_word(&["a", "b", "m1", "\"M\"", "key"]))
        }
    }
}

/// The parts with commas between them.
pub(super) fn join_commas(parts: &[String]) -> String {
    parts.join(", ")
}
