//! PT005: features that the target version lacks.

use cql::selectable::{CellInfo, SelectableKind};
use cql::statement::index::CreateIndex;
use cql::statement::select::Select;
use cql::statement::table::{AlterTable, ColumnDefinition, CreateTable, TableChange};
use cql::statement::user_type::{AlterType, TypeChange};
use cql::type_name::{TypeName, TypeNameKind};
use cql::{Span, StatementKind};

use crate::facts::workload::{expressions, function_calls};
use crate::project::StatementOutcome;
use crate::{Check, FixKind, Location, Product, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("pt005_version_gated_syntax.md"), Check::Statement(check));

type CassandraVersion = (u8, u8);

const V4_0: CassandraVersion = (4, 0);
const V4_1: CassandraVersion = (4, 1);
const V5_0: CassandraVersion = (5, 0);

/// Functions and the versions that introduced them; some have an older name.
const FUNCTIONS: &[(&str, CassandraVersion, Option<&str>)] = &[
    ("abs", V5_0, None),
    ("collection_avg", V5_0, None),
    ("collection_count", V5_0, None),
    ("collection_max", V5_0, None),
    ("collection_min", V5_0, None),
    ("collection_sum", V5_0, None),
    ("current_date", V5_0, None),
    ("current_time", V5_0, None),
    ("current_timestamp", V5_0, None),
    ("current_timeuuid", V5_0, None),
    ("currentdate", V4_0, None),
    ("currenttime", V4_0, None),
    ("currenttimestamp", V4_0, None),
    ("currenttimeuuid", V4_0, None),
    ("exp", V5_0, None),
    ("floor", V4_1, None),
    ("log", V5_0, None),
    ("log10", V5_0, None),
    ("map_keys", V5_0, None),
    ("map_values", V5_0, None),
    ("mask_default", V5_0, None),
    ("mask_hash", V5_0, None),
    ("mask_inner", V5_0, None),
    ("mask_null", V5_0, None),
    ("mask_outer", V5_0, None),
    ("mask_replace", V5_0, None),
    ("max_timeuuid", V5_0, Some("maxTimeuuid")),
    ("min_timeuuid", V5_0, Some("minTimeuuid")),
    ("round", V5_0, None),
    ("similarity_cosine", V5_0, None),
    ("similarity_dot_product", V5_0, None),
    ("similarity_euclidean", V5_0, None),
    ("to_date", V5_0, Some("toDate")),
    ("to_timestamp", V5_0, Some("toTimestamp")),
    ("to_unix_timestamp", V5_0, Some("toUnixTimestamp")),
];

/// The features of a statement that not every version supports.
struct GatedFeature {
    span: Span,
    what: String,
    since: CassandraVersion,
    instead: Option<&'static str>,
}

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let target = project.settings.target;
    if target.product != Product::Apache || target.version >= V5_0 {
        return;
    }
    let Some(statement) = project.syntax(seen) else { return };
    if matches!(seen.outcome, StatementOutcome::Broken) {
        return;
    }
    let mut gated = collect_features(project, seen, &statement.kind);
    for name in function_calls(statement) {
        let known = FUNCTIONS.iter().find(|(known, ..)| *known == &*name.name.text);
        if let Some((known, since, instead)) = known.filter(|_| name.keyspace.is_none()) {
            let what = format!("Function {known}");
            gated.push(GatedFeature {
                span: name.name.span,
                what,
                since: *since,
                instead: *instead,
            });
        }
    }
    for one in gated.into_iter().filter(|one| one.since > target.version) {
        let place = Location { text: seen.place.text, span: one.span };
        let message = format!(
            "{} requires Cassandra {}.{} or later, but the target is {}.",
            one.what,
            one.since.0,
            one.since.1,
            target.name()
        );
        let finding = reporter.report(place, message);
        match one.instead {
            Some(older) => {
                let title = format!("use {older}");
                finding.help(title.clone()).fix(FixKind::Safe, title, place, older);
            }
            None => {
                finding.help("remove it for this target, or upgrade first");
            }
        }
    }
}

fn feature(span: Span, what: &str, since: CassandraVersion) -> GatedFeature {
    GatedFeature { span, what: what.to_owned(), since, instead: None }
}

fn collect_features(
    project: &Project<'_>,
    seen: &ReplayedStatement,
    kind: &StatementKind,
) -> Vec<GatedFeature> {
    let mut all = Vec::new();
    match kind {
        StatementKind::CreateTable(create) => collect_table(project, seen, create, &mut all),
        StatementKind::AlterTable(alter) => collect_alter_table(project, seen, alter, &mut all),
        StatementKind::CreateIndex(create) => collect_index(create, &mut all),
        StatementKind::Select(select) => collect_select(select, &mut all),
        StatementKind::CreateType(create) => {
            create.fields.iter().for_each(|(_, ty)| collect_type(ty, &mut all));
        }
        StatementKind::AlterType(alter) => collect_alter_type(alter, &mut all),
        StatementKind::AlterKeyspace(alter) if alter.if_exists => {
            all.push(feature(alter.name.span, "ALTER KEYSPACE IF EXISTS", V4_1));
        }
        StatementKind::AlterView(alter) if alter.if_exists => {
            all.push(feature(alter.name.span(), "ALTER MATERIALIZED VIEW IF EXISTS", V4_1));
        }
        StatementKind::CreateKeyspace(create) => {
            for property in &create.properties {
                let written =
                    project.text_at(Location { text: seen.place.text, span: property.span });
                if written.contains("NetworkTopologyStrategy")
                    && written.contains("replication_factor")
                {
                    all.push(feature(
                        property.span,
                        "replication_factor of NetworkTopologyStrategy",
                        V4_0,
                    ));
                }
            }
        }
        _ => {}
    }
    all
}

fn collect_columns(columns: &[ColumnDefinition], all: &mut Vec<GatedFeature>) {
    for column in columns {
        collect_type(&column.type_name, all);
        if let Some(mask) = &column.mask {
            all.push(feature(mask.span, "MASKED WITH", V5_0));
        }
    }
}

fn collect_type(ty: &TypeName, all: &mut Vec<GatedFeature>) {
    match &ty.kind {
        TypeNameKind::Vector(..) => all.push(feature(ty.span, "Type vector", V5_0)),
        TypeNameKind::List(inner) | TypeNameKind::Set(inner) | TypeNameKind::Frozen(inner) => {
            collect_type(inner, all);
        }
        TypeNameKind::Map(inner) => {
            collect_type(&inner.0, all);
            collect_type(&inner.1, all);
        }
        TypeNameKind::Tuple(inner) => inner.iter().for_each(|one| collect_type(one, all)),
        _ => {}
    }
}

fn collect_options(
    project: &Project<'_>,
    seen: &ReplayedStatement,
    options: &[cql::property::Property],
    all: &mut Vec<GatedFeature>,
) {
    for option in options {
        let written = project.text_at(Location { text: seen.place.text, span: option.span });
        if written.contains("UnifiedCompactionStrategy") {
            all.push(feature(option.span, "UnifiedCompactionStrategy", V5_0));
        }
    }
}

fn collect_table(
    project: &Project<'_>,
    seen: &ReplayedStatement,
    create: &CreateTable,
    all: &mut Vec<GatedFeature>,
) {
    collect_columns(&create.columns, all);
    collect_options(project, seen, &create.options.properties, all);
}

fn collect_alter_table(
    project: &Project<'_>,
    seen: &ReplayedStatement,
    alter: &AlterTable,
    all: &mut Vec<GatedFeature>,
) {
    let conditional = match &alter.change {
        TableChange::Add { if_not_exists, columns } => {
            collect_columns(columns, all);
            *if_not_exists
        }
        TableChange::Drop { if_exists, .. } | TableChange::Rename { if_exists, .. } => *if_exists,
        TableChange::Mask { column, .. } => {
            all.push(feature(column.span, "MASKED WITH", V5_0));
            false
        }
        TableChange::With(options) => {
            collect_options(project, seen, options, all);
            false
        }
        _ => false,
    };
    if conditional || alter.if_exists {
        all.push(feature(alter.name.span(), "ALTER TABLE with IF EXISTS or IF NOT EXISTS", V4_1));
    }
}

fn collect_alter_type(alter: &AlterType, all: &mut Vec<GatedFeature>) {
    let conditional = match &alter.change {
        TypeChange::Add { if_not_exists, type_name, .. } => {
            collect_type(type_name, all);
            *if_not_exists
        }
        TypeChange::Rename { if_exists, .. } => *if_exists,
        TypeChange::Alter(..) => false,
    };
    if conditional || alter.if_exists {
        all.push(feature(alter.name.span(), "ALTER TYPE with IF EXISTS or IF NOT EXISTS", V4_1));
    }
}

fn collect_index(create: &CreateIndex, all: &mut Vec<GatedFeature>) {
    let Some(class) = &create.class else { return };
    let span = create.targets.first().map_or(create.table.span(), |target| target.column.span);
    if class.eq_ignore_ascii_case("sai") || class.ends_with("StorageAttachedIndex") {
        all.push(feature(span, "A storage-attached index", V5_0));
    } else if !create.custom {
        all.push(feature(span, "CREATE INDEX ... USING without CUSTOM", V5_0));
    }
}

fn collect_select(select: &Select, all: &mut Vec<GatedFeature>) {
    for ordering in select.order_by.iter().filter(|ordering| ordering.ann_of.is_some()) {
        all.push(feature(ordering.span, "Vector search", V5_0));
    }
    for one in expressions(select) {
        match &one.kind {
            SelectableKind::CellInfo(CellInfo::MaxWriteTime, _) => {
                all.push(feature(one.span, "MAXWRITETIME", V5_0));
            }
            SelectableKind::Arithmetic(..) | SelectableKind::Negate(_) => {
                all.push(feature(one.span, "Arithmetic in a SELECT", V4_0));
            }
            _ => {}
        }
    }
}
