//! SV025: features that are disabled by default.

use std::collections::BTreeMap;

use cql::statement::table::TableChange;
use cql::{ErrorCode, Span, Statement, StatementKind};

use crate::project::StatementOutcome;
use crate::{
    Check, Environment, Location, Product, Project, ReplayedStatement, Reporter, RuleEntry, Target,
};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("sv025_disabled_by_default_feature.md"), Check::Project(check));

/// A feature with a switch.
struct FeatureSwitch {
    /// Its name with a verb, as the start of a message.
    subject: &'static str,
    /// The setting, without the suffix `_enabled` or the prefix `enable_`.
    switch: &'static str,
    /// The server's message.
    refusal: &'static str,
    /// The first version of Apache Cassandra in which it is disabled by default.
    off_from: (u8, u8),
    /// The position at which a statement uses it.
    used: fn(&Statement) -> Option<Span>,
}

/// The switch of materialized views.
const VIEWS: &str = "materialized_views";

const FEATURES: [FeatureSwitch; 5] = [
    FeatureSwitch {
        subject: "Materialized views are",
        switch: VIEWS,
        refusal: "Materialized views are disabled. Enable in cassandra.yaml to use.",
        off_from: (4, 0),
        used: |statement| match &statement.kind {
            StatementKind::CreateView(create) => Some(create.name.span()),
            _ => None,
        },
    },
    FeatureSwitch {
        subject: "SASI indexes are",
        switch: "sasi_indexes",
        refusal: "SASI indexes are disabled. Enable in cassandra.yaml to use.",
        off_from: (4, 0),
        used: sasi_span,
    },
    FeatureSwitch {
        subject: "User-defined functions are",
        switch: "user_defined_functions",
        refusal: "User-defined functions are disabled in cassandra.yaml - set user_defined_functions_enabled=true to enable",
        off_from: (3, 0),
        used: |statement| match &statement.kind {
            StatementKind::CreateFunction(create) => Some(create.name.span()),
            StatementKind::CreateAggregate(create) => Some(create.name.span()),
            _ => None,
        },
    },
    FeatureSwitch {
        subject: "DROP COMPACT STORAGE is",
        switch: "drop_compact_storage",
        refusal: "DROP COMPACT STORAGE is disabled. Enable in cassandra.yaml to use.",
        off_from: (4, 0),
        used: |statement| match &statement.kind {
            StatementKind::AlterTable(alter) if alter.change == TableChange::DropCompactStorage => {
                Some(alter.name.span())
            }
            _ => None,
        },
    },
    FeatureSwitch {
        subject: "Column masks are",
        switch: "dynamic_data_masking",
        refusal: "Cannot mask columns because dynamic data masking is not enabled.",
        off_from: (5, 0),
        used: mask_span,
    },
];

fn sasi_span(statement: &Statement) -> Option<Span> {
    let StatementKind::CreateIndex(create) = &statement.kind else { return None };
    let is_sasi = create.class.as_deref().is_some_and(|class| class.ends_with("SASIIndex"));
    is_sasi.then(|| create.table.span())
}

fn mask_span(statement: &Statement) -> Option<Span> {
    let columns = match &statement.kind {
        StatementKind::CreateTable(create) => &create.columns,
        StatementKind::AlterTable(alter) => match &alter.change {
            TableChange::Add { columns, .. } => columns,
            TableChange::Mask { mask, .. } => return mask.as_ref().map(|mask| mask.span),
            _ => return None,
        },
        _ => return None,
    };
    columns.iter().find_map(|column| column.mask.as_ref()).map(|mask| mask.span)
}

impl FeatureSwitch {
    /// The setting in the configuration; before 4.1 the switch had another name.
    fn server_setting(&self, server: &BTreeMap<String, String>) -> Option<bool> {
        let names = [format!("{}_enabled", self.switch), format!("enable_{}", self.switch)];
        let said = names.iter().find_map(|name| server.get(name))?;
        Some(said.trim().eq_ignore_ascii_case("true"))
    }

    fn is_off_by_default(&self, target: Target) -> bool {
        target.product == Product::Apache && target.version >= self.off_from
    }
}

/// One finding for each feature and text, since there is one switch.
fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let is_trial = project.settings.environment == Environment::Test;
    for feature in &FEATURES {
        let is_known = match feature.server_setting(&project.settings.server) {
            Some(true) => continue,
            Some(false) => true,
            // Views may well be tried out where nothing depends on them.
            None if feature.switch == VIEWS && is_trial => continue,
            None if feature.is_off_by_default(project.settings.target) => false,
            None => continue,
        };
        let mut uses =
            project.definitions().filter_map(|(_, seen)| find_use(project, feature, seen));
        let mut next = uses.next();
        while let Some(first) = next {
            let mut more = 0;
            next = uses.find(|place| {
                let is_other = place.text != first.text;
                more += usize::from(!is_other);
                is_other
            });
            report(project, feature, (first, more), is_known, reporter);
        }
    }
}

/// Where a statement uses a feature.
fn find_use(
    project: &Project<'_>,
    feature: &FeatureSwitch,
    seen: &ReplayedStatement,
) -> Option<Location> {
    // Statements that are rejected anyway need no switch; that of views is looked at before anything else.
    let is_rejected =
        matches!(seen.outcome, StatementOutcome::Refused(_) | StatementOutcome::Broken);
    if is_rejected && feature.switch != VIEWS {
        return None;
    }
    let span = (feature.used)(project.syntax(seen)?)?;
    Some(Location { text: seen.place.text, span })
}

fn report(
    project: &Project<'_>,
    feature: &FeatureSwitch,
    (first, more): (Location, usize),
    is_known: bool,
    reporter: &mut Reporter<'_>,
) {
    let message = if is_known {
        feature.refusal.to_owned()
    } else {
        let (major, minor) = project.settings.target.version;
        format!("{} disabled on a default {major}.{minor} server.", feature.subject)
    };
    let finding = reporter.report(first, message);
    if !is_known {
        finding.note(format!("the server responds: {}", feature.refusal));
    }
    if more > 0 {
        finding.note(format!("{more} more statements in this file need it"));
    }
    let switch = feature.switch;
    finding.help(format!(
        "avoid it, or enable it in cassandra.yaml on every node: {switch}_enabled: true, and in the check settings"
    ));
    finding.error = Some(ErrorCode::Invalid);
}
