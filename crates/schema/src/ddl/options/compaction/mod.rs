//! `compaction = {'class': ..., ...}`

mod leveled;
mod size_tiered;
mod time_window;
mod unified;

use std::collections::BTreeMap;

use cql::Span;

use crate::Result;
use crate::java::number;
use crate::java::order::JavaOptionMap;
use crate::refusal::{CompactionReason, NumberFormatException, refuse};

const PACKAGE: &str = "org.apache.cassandra.db.compaction.";
/// Classes that exist but are not strategies.
const OTHER_CLASSES: [&str; 4] = [
    "org.apache.cassandra.db.compaction.LeveledManifest",
    "org.apache.cassandra.db.compaction.CompactionManager",
    "java.lang.Object",
    "java.lang.String",
];

/// Parses the map: looks up the class, and gives thresholds their defaults.
pub(super) fn read(map: &JavaOptionMap, span: Span) -> Result<BTreeMap<Box<str>, Box<str>>> {
    let mut options = map.copy();
    let Some(class) = options.remove("class") else {
        return refuse(CompactionReason::NoClass, span);
    };
    let class = if class.contains('.') { class } else { format!("{PACKAGE}{class}").into() };
    let strategy = CompactionStrategy::from_class(&class);
    if strategy.is_none() {
        let class = class.to_string();
        return if OTHER_CLASSES.contains(&class.as_str()) {
            refuse(CompactionReason::NoStrategy { class }, span)
        } else {
            refuse(CompactionReason::UnknownClass { class }, span)
        };
    }
    let tombstones = options.get("provide_overlapping_tombstones").unwrap_or("NONE").to_uppercase();
    if !matches!(tombstones.as_str(), "NONE" | "ROW" | "CELL") {
        return refuse(CompactionReason::OverlappingTombstones { tombstones }, span);
    }
    let mut kept: BTreeMap<Box<str>, Box<str>> =
        options.iter().map(|(name, value)| (name.into(), value.into())).collect();
    if strategy != Some(CompactionStrategy::Unified) {
        kept.entry("min_threshold".into()).or_insert_with(|| "4".into());
        kept.entry("max_threshold".into()).or_insert_with(|| "32".into());
    }
    kept.insert("class".into(), class);
    Ok(kept)
}

/// Checks the result of [`read`].
pub(super) fn check(compaction: &BTreeMap<Box<str>, Box<str>>, span: Span) -> Result<()> {
    let Some(strategy) =
        compaction.get("class").and_then(|class| CompactionStrategy::from_class(class))
    else {
        return Ok(());
    };
    let entries = compaction.iter().filter(|(name, _)| &***name != "class");
    let given =
        JavaOptionMap::new(entries.map(|(name, value)| (name.clone(), value.clone())).collect());
    let mut options = CompactionOptions { given: &given, unknown: given.copy(), span };
    options.check_shared()?;
    match strategy {
        CompactionStrategy::SizeTiered => size_tiered::check(&mut options)?,
        CompactionStrategy::Leveled => leveled::check(&mut options)?,
        CompactionStrategy::TimeWindow => time_window::check(&mut options)?,
        CompactionStrategy::Unified => unified::check(&mut options)?,
    }
    if strategy != CompactionStrategy::Unified {
        options.mark_known(&["min_threshold", "max_threshold"]);
    }
    if !options.unknown.is_empty() {
        let (names, class) = (options.unknown.names(), strategy.simple_name());
        return refuse(CompactionReason::UnknownOptions { names, class: class.to_string() }, span);
    }
    options.check_thresholds()
}

/// The default false positive rate of Bloom filters for a strategy.
pub(super) fn default_bloom_filter(compaction: &BTreeMap<Box<str>, Box<str>>) -> f64 {
    let strategy = compaction.get("class").and_then(|class| CompactionStrategy::from_class(class));
    if strategy == Some(CompactionStrategy::Leveled) { 0.1 } else { 0.01 }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CompactionStrategy {
    SizeTiered,
    Leveled,
    TimeWindow,
    Unified,
}

impl CompactionStrategy {
    const ALL: [Self; 4] = [Self::SizeTiered, Self::Leveled, Self::TimeWindow, Self::Unified];

    fn from_class(class: &str) -> Option<Self> {
        let simple = class.strip_prefix(PACKAGE)?;
        Self::ALL.into_iter().find(|strategy| strategy.simple_name() == simple)
    }

    const fn simple_name(self) -> &'static str {
        match self {
            Self::SizeTiered => "SizeTieredCompactionStrategy",
            Self::Leveled => "LeveledCompactionStrategy",
            Self::TimeWindow => "TimeWindowCompactionStrategy",
            Self::Unified => "UnifiedCompactionStrategy",
        }
    }
}

/// The options of a strategy during their check.
struct CompactionOptions<'a> {
    given: &'a JavaOptionMap,
    unknown: JavaOptionMap,
    span: Span,
}

impl CompactionOptions<'_> {
    fn get(&self, name: &str) -> Option<&str> {
        self.given.get(name)
    }

    fn mark_known(&mut self, names: &[&str]) {
        for name in names {
            self.unknown.remove(name);
        }
    }

    fn refuse<T>(&self, reason: CompactionReason) -> Result<T> {
        refuse(reason, self.span)
    }

    /// An integer option, or the error.
    fn int(&self, name: &str, default: i32) -> Result<i32> {
        self.number(name, default, number::parse_int)
    }

    fn long(&self, name: &str, default: i64) -> Result<i64> {
        self.number(name, default, number::parse_long)
    }

    fn number<T>(
        &self,
        name: &str,
        default: T,
        parse: impl Fn(&str) -> std::result::Result<T, NumberFormatException>,
    ) -> Result<T> {
        let Some(text) = self.get(name) else { return Ok(default) };
        match parse(text) {
            Ok(value) => Ok(value),
            Err(_) => self
                .refuse(CompactionReason::NoInt { text: text.to_string(), name: name.to_string() }),
        }
    }

    /// Checks the options that every strategy has.
    fn check_shared(&mut self) -> Result<()> {
        let threshold = self.number("tombstone_threshold", 0.0, number::parse_double)?;
        if threshold < 0.0 {
            return self.refuse(CompactionReason::TombstoneThreshold {
                threshold: format!("{threshold:.6}"),
            });
        }
        let interval = self.long("tombstone_compaction_interval", 0)?;
        if interval < 0 {
            return self.refuse(CompactionReason::TombstoneInterval { interval });
        }
        let wrong = |name: &str| self.get(name).filter(|text| !number::is_boolean(text));
        if let Some(text) = wrong("unchecked_tombstone_compaction") {
            return self.refuse(CompactionReason::UncheckedTombstones { text: text.to_string() });
        }
        if let Some(text) = wrong("log_all") {
            return self.refuse(CompactionReason::LogAll { text: text.to_string() });
        }
        if let Some(text) = wrong("enabled") {
            return self.refuse(CompactionReason::Enabled { text: text.to_string() });
        }
        self.mark_known(&[
            "tombstone_threshold",
            "tombstone_compaction_interval",
            "unchecked_tombstone_compaction",
            "log_all",
            "enabled",
            "only_purge_repaired_tombstones",
            "provide_overlapping_tombstones",
        ]);
        Ok(())
    }

    fn check_thresholds(&self) -> Result<()> {
        let (least, most) =
            (self.threshold("min_threshold", 4)?, self.threshold("max_threshold", 32)?);
        let (least, most) = match (least, most) {
            (Ok(least), Ok(most)) => (least, most),
            (Err(exception), _) | (_, Err(exception)) => {
                return refuse(CompactionReason::ThresholdNumber { exception }, self.span);
            }
        };
        if least <= 0 || most <= 0 {
            return self.refuse(CompactionReason::DisabledByThreshold);
        }
        if least <= 1 {
            return self.refuse(CompactionReason::MinThreshold { least });
        }
        if least > most {
            return self.refuse(CompactionReason::ThresholdOrder { least, most });
        }
        Ok(())
    }

    /// A threshold; a number that does not fit is a failure of the server, anything else an error.
    fn threshold(
        &self,
        name: &str,
        default: i32,
    ) -> Result<std::result::Result<i32, NumberFormatException>> {
        let Some(text) = self.get(name) else { return Ok(Ok(default)) };
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return self.refuse(CompactionReason::ThresholdText {
                text: text.to_string(),
                name: name.to_string(),
            });
        }
        Ok(number::parse_int(text))
    }
}
