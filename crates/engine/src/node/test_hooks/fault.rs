//! [`FaultRegistry`]: the errors and delays that a test has asked for.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What a fault does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// A read or write timeout.
    Timeout,
    /// A read or write failure.
    Failure,
    /// Too few replicas are alive.
    Unavailable,
    /// The server is overloaded.
    Overloaded,
    /// The server is still starting.
    Bootstrapping,
    /// An internal error of the server.
    ServerError,
    /// Only the delay.
    Slow,
}

impl FaultKind {
    /// The kinds by name.
    pub(crate) const NAMES: [(&str, Self); 7] = [
        ("timeout", Self::Timeout),
        ("failure", Self::Failure),
        ("unavailable", Self::Unavailable),
        ("overloaded", Self::Overloaded),
        ("bootstrapping", Self::Bootstrapping),
        ("server_error", Self::ServerError),
        ("slow", Self::Slow),
    ];
}

/// A class of statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatementClass {
    Select,
    Insert,
    Update,
    Delete,
    Batch,
    Truncate,
    /// A schema statement.
    Schema,
    /// INSERT, UPDATE, DELETE and batches.
    Write,
}

impl StatementClass {
    /// The classes by name.
    pub(crate) const NAMES: [(&str, Self); 8] = [
        ("select", Self::Select),
        ("insert", Self::Insert),
        ("update", Self::Update),
        ("delete", Self::Delete),
        ("batch", Self::Batch),
        ("truncate", Self::Truncate),
        ("schema", Self::Schema),
        ("write", Self::Write),
    ];

    /// Whether it is this class or one of its members.
    fn contains(self, other: Self) -> bool {
        let is_write =
            matches!(other, Self::Insert | Self::Update | Self::Delete | Self::Batch | Self::Write);
        self == other || (self == Self::Write && is_write)
    }
}

/// A fault: which statements it hits, and what it does to them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault {
    pub(crate) kind: FaultKind,
    /// All keyspaces but those of the system, if `None`.
    pub(crate) keyspace: Option<Box<str>>,
    pub(crate) table: Option<Box<str>>,
    pub(crate) statement: Option<StatementClass>,
    /// How many statements it still hits; all if `None`.
    pub(crate) count: Option<i32>,
    pub(crate) probability: f64,
    pub(crate) delay: Duration,
    /// Whether the statement takes effect before the error is returned.
    pub(crate) is_applied: bool,
    /// The fields of the error; where they are missing they follow from the statement.
    pub(crate) received: Option<i32>,
    pub(crate) required: Option<i32>,
    pub(crate) is_data_present: bool,
    pub(crate) write_type: Option<Box<str>>,
    pub(crate) message: Option<Box<str>>,
    /// How many statements it has hit.
    pub(crate) hits: i64,
}

impl Default for Fault {
    fn default() -> Self {
        Self {
            kind: FaultKind::Slow,
            keyspace: None,
            table: None,
            statement: None,
            count: None,
            probability: 1.0,
            delay: Duration::ZERO,
            is_applied: false,
            received: None,
            required: None,
            is_data_present: false,
            write_type: None,
            message: None,
            hits: 0,
        }
    }
}

/// A statement that faults may hit.
#[derive(Debug)]
pub(crate) struct FaultTarget<'a> {
    pub(crate) class: StatementClass,
    /// The keyspaces of its tables, whether each is one of the system, and the tables.
    pub(crate) tables: Vec<(&'a str, bool, &'a str)>,
}

impl Fault {
    fn can_hit(&self, target: &FaultTarget<'_>) -> bool {
        self.count.is_none_or(|count| count > 0)
            && self.statement.is_none_or(|class| class.contains(target.class))
            && target.tables.iter().any(|(keyspace, is_system, table)| {
                let in_keyspace = match &self.keyspace {
                    Some(own) => &**own == *keyspace,
                    None => !is_system,
                };
                in_keyspace && self.table.as_deref().is_none_or(|own| own == *table)
            })
    }
}

/// All faults by name.
#[derive(Debug, Default)]
pub(crate) struct FaultRegistry {
    faults: Mutex<BTreeMap<Box<str>, Fault>>,
    has_any: AtomicBool,
}

impl FaultRegistry {
    /// Whether there are faults, at the cost of one load.
    pub(crate) fn has_any(&self) -> bool {
        self.has_any.load(Ordering::Relaxed)
    }

    fn faults(&self) -> MutexGuard<'_, BTreeMap<Box<str>, Fault>> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All faults.
    pub(crate) fn list(&self) -> BTreeMap<Box<str>, Fault> {
        self.faults().clone()
    }

    /// Adds a fault or changes the one with that name.
    pub(crate) fn change<E>(
        &self,
        name: &str,
        change: impl FnOnce(&mut Fault) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut faults = self.faults();
        let mut fault = faults.get(name).cloned().unwrap_or_default();
        change(&mut fault)?;
        faults.insert(name.into(), fault);
        self.has_any.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Removes a fault.
    pub(crate) fn remove(&self, name: &str) {
        let mut faults = self.faults();
        faults.remove(name);
        self.has_any.store(!faults.is_empty(), Ordering::Relaxed);
    }

    /// Removes all faults.
    pub(crate) fn clear(&self) {
        self.faults().clear();
        self.has_any.store(false, Ordering::Relaxed);
    }

    /// The fault that hits a statement, with the delays of all that do; `draw` returns a random
    /// number from 0 to 1.
    pub(crate) fn hit(
        &self,
        target: &FaultTarget<'_>,
        mut draw: impl FnMut() -> f64,
    ) -> Option<Fault> {
        let mut hit: Option<Fault> = None;
        for fault in self.faults().values_mut().filter(|fault| fault.can_hit(target)) {
            if fault.probability < 1.0 && draw() >= fault.probability {
                continue;
            }
            fault.hits = fault.hits.saturating_add(1);
            fault.count = fault.count.map(|count| count - 1);
            let delay = hit.as_ref().map_or(Duration::ZERO, |hit| hit.delay);
            hit = Some(Fault { delay: fault.delay.saturating_add(delay), ..fault.clone() });
            if fault.kind != FaultKind::Slow {
                break;
            }
        }
        hit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(class: StatementClass, keyspace: &'static str) -> FaultTarget<'static> {
        FaultTarget { class, tables: vec![(keyspace, keyspace == "system", "t")] }
    }

    fn registry(faults: &[(&str, Fault)]) -> FaultRegistry {
        let registry = FaultRegistry::default();
        for (name, fault) in faults {
            registry
                .change(name, |own| {
                    own.clone_from(fault);
                    Ok::<(), ()>(())
                })
                .unwrap();
        }
        registry
    }

    #[test]
    fn a_fault_hits_the_chosen_statements_as_often_as_it_says() {
        let fault = Fault {
            kind: FaultKind::Timeout,
            statement: Some(StatementClass::Write),
            count: Some(2),
            ..Fault::default()
        };
        let registry = registry(&[("a", fault)]);
        let hits = |class, keyspace| registry.hit(&target(class, keyspace), || 0.0).is_some();
        assert!(!hits(StatementClass::Select, "ks"));
        assert!(!hits(StatementClass::Insert, "system"), "the system is left alone");
        assert!(hits(StatementClass::Insert, "ks"));
        assert!(hits(StatementClass::Batch, "ks"));
        assert!(!hits(StatementClass::Update, "ks"), "only two");
        assert_eq!(registry.list()["a"].hits, 2);
    }

    #[test]
    fn delays_add_up_until_an_error() {
        let slow = |millis| Fault { delay: Duration::from_millis(millis), ..Fault::default() };
        let error = Fault { kind: FaultKind::Overloaded, ..Fault::default() };
        let registry = registry(&[("a", slow(1)), ("b", slow(2)), ("c", error), ("d", slow(4))]);
        let hit = registry.hit(&target(StatementClass::Select, "ks"), || 0.0).unwrap();
        assert_eq!((hit.kind, hit.delay), (FaultKind::Overloaded, Duration::from_millis(3)));
        registry.clear();
        assert!(!registry.has_any());
    }

    #[test]
    fn probabilities_are_drawn() {
        let registry = registry(&[("a", Fault { probability: 0.3, ..Fault::default() })]);
        let select = target(StatementClass::Select, "ks");
        assert!(registry.hit(&select, || 0.29).is_some());
        assert!(registry.hit(&select, || 0.3).is_none());
    }
}
