//! Replication strategies and their options.

use std::collections::BTreeMap;

use cql::Span;

use crate::Result;
use crate::catalog::{Catalog, Replication};
use crate::java::number;
use crate::java::order::JavaOptionMap;
use crate::refusal::{KeyspaceReason, refuse};

const PACKAGE: &str = "org.apache.cassandra.locator.";
/// The strategy without datacenters.
pub(super) const SIMPLE: &str = "org.apache.cassandra.locator.SimpleStrategy";
const NETWORK: &str = "org.apache.cassandra.locator.NetworkTopologyStrategy";
const FACTOR: &str = "replication_factor";
/// The default of `default_keyspace_rf`.
const DEFAULT_FACTOR: &str = "1";

/// Classes that exist but are not replication strategies.
const OTHER_CLASSES: [&str; 4] = [
    "org.apache.cassandra.locator.SimpleSnitch",
    "org.apache.cassandra.locator.GossipingPropertyFileSnitch",
    "java.lang.Object",
    "java.lang.String",
];

/// The replication of a statement.
pub(super) struct ReplicationRequest<'a> {
    pub(super) catalog: &'a Catalog,
    pub(super) keyspace: &'a str,
    pub(super) class: &'a str,
    pub(super) options: JavaOptionMap,
    pub(super) span: Span,
}

impl ReplicationRequest<'_> {
    /// The resulting replication; for an ALTER, options of the previous one may be kept.
    pub(super) fn resolve(mut self, previous: Option<&Replication>) -> Result<Replication> {
        let class = self.full_class()?;
        let none = BTreeMap::new();
        let previous = previous.map_or(&none, |previous| &previous.options);
        match class.as_str() {
            SIMPLE => self.resolve_simple(previous)?,
            NETWORK => self.resolve_network(previous)?,
            "org.apache.cassandra.locator.LocalStrategy" => {
                return refuse(KeyspaceReason::LocalStrategy, self.span);
            }
            _ => return self.refuse(KeyspaceReason::AbstractStrategy),
        }
        let options =
            self.options.iter().map(|(name, value)| (name.into(), value.into())).collect();
        Ok(Replication { class: class.into(), options })
    }

    /// The full name of the class, which the statement may give without its package.
    fn full_class(&self) -> Result<String> {
        let class = if self.class.contains('.') {
            self.class.to_owned()
        } else {
            format!("{PACKAGE}{}", self.class)
        };
        let is_known = matches!(
            class.strip_prefix(PACKAGE),
            Some(
                "SimpleStrategy"
                    | "NetworkTopologyStrategy"
                    | "LocalStrategy"
                    | "AbstractReplicationStrategy"
            )
        );
        if is_known {
            return Ok(class);
        }
        if class == "org.apache.cassandra.locator.OldNetworkTopologyStrategy" {
            return self.refuse(KeyspaceReason::RemovedStrategy);
        }
        if OTHER_CLASSES.contains(&class.as_str()) {
            return self.refuse(KeyspaceReason::NoStrategy { class });
        }
        self.refuse(KeyspaceReason::UnknownStrategy { class })
    }

    fn resolve_simple(&mut self, previous: &BTreeMap<Box<str>, Box<str>>) -> Result<()> {
        self.options
            .put_if_absent(FACTOR, previous.get(FACTOR).map_or(DEFAULT_FACTOR, |factor| factor));
        self.check_factor(self.options.get(FACTOR).unwrap_or_default())?;
        self.check_names(|name| name == FACTOR, "SimpleStrategy")
    }

    fn resolve_network(&mut self, previous: &BTreeMap<Box<str>, Box<str>>) -> Result<()> {
        self.expand(previous);
        for (name, factor) in self.options.iter() {
            if name.eq_ignore_ascii_case(FACTOR) {
                return self.refuse(KeyspaceReason::FactorForDatacenters);
            }
            self.check_factor(factor)?;
        }
        if self.options.is_empty() {
            return self.refuse(KeyspaceReason::NoDatacenter);
        }
        let known = &self.catalog.datacenters;
        self.check_names(|name| known.is_empty() || known.contains(name), "NetworkTopologyStrategy")
    }

    /// Expands `replication_factor` to the datacenters. A factor that is not a number ends the
    /// expansion halfway, without an error, as in the server.
    fn expand(&mut self, previous: &BTreeMap<Box<str>, Box<str>>) {
        if self.options.is_empty() {
            self.options.put_if_absent(
                FACTOR,
                previous.get(FACTOR).map_or(DEFAULT_FACTOR, |factor| factor),
            );
        }
        if let Some(factor) = self.options.remove(FACTOR) {
            for (datacenter, factor) in previous.iter().filter(|(name, _)| &***name != FACTOR) {
                self.options.put_if_absent(datacenter, factor);
            }
            let Ok(factor) = parse_factor(&factor) else { return };
            for datacenter in &self.catalog.datacenters {
                self.options.put_if_absent(datacenter, &factor.to_string());
            }
            if self.catalog.datacenters.is_empty() && factor > 0 {
                self.options.put_if_absent("datacenter1", &factor.to_string());
            }
        }
        self.options.retain(|_, factor| factor != "0");
    }

    fn check_factor(&self, factor: &str) -> Result<()> {
        match parse_factor(factor) {
            Ok(_) => Ok(()),
            Err(reason) => self.refuse(reason),
        }
    }

    fn check_names(&self, is_known: impl Fn(&str) -> bool, strategy: &str) -> Result<()> {
        match self.options.iter().find(|(name, _)| !is_known(name)) {
            None => Ok(()),
            Some((name, _)) => self.refuse(KeyspaceReason::UnknownStrategyOption {
                option: name.to_string(),
                strategy: strategy.to_string(),
                keyspace: self.keyspace.to_string(),
            }),
        }
    }

    fn refuse<T>(&self, reason: KeyspaceReason) -> Result<T> {
        refuse(reason, self.span)
    }
}

/// The number of replicas in `3` or `3/1`, or the error. Transient replicas are disabled by
/// default.
fn parse_factor(text: &str) -> std::result::Result<i32, KeyspaceReason> {
    let int = |text: &str| {
        number::parse_int(text).map_err(|exception| KeyspaceReason::FactorNumber { exception })
    };
    let (all, transient) = match text.split_once('/') {
        None => (int(text)?, 0),
        Some((all, transient)) if !transient.is_empty() && !transient.contains('/') => {
            (int(all)?, int(transient)?)
        }
        Some(_) => {
            return Err(KeyspaceReason::FactorFormat);
        }
    };
    if transient != 0 {
        return Err(KeyspaceReason::TransientReplication);
    }
    if all < 0 {
        return Err(KeyspaceReason::NegativeFactor { factor: all });
    }
    Ok(all)
}
