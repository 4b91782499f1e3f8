//! Warnings about values that databases compare or sort differently from Cassandra, once all
//! statements are known.

use std::collections::{BTreeSet, HashSet};

use cql::Span;
use cql::types::{NativeType, Type};

use super::draft::ModelDraft;
use crate::concept::{Attribute, AttributeRef, Concept, ValueLimit};
use crate::id::IdList;
use crate::workload::{
    Column, Comparison, Condition, OutputValue, Predicate, Read, Workload, WriteKind,
};

/// The most columns that a warning names.
const NAMES_MAX: usize = 6;

/// Collations that compare texts by their bytes.
const BYTE_COLLATIONS: &[&str] = &["c", "posix", "ucs_basic", "c.utf8", "c.utf-8"];

/// What declarations say about comparisons, beyond the types of CQL. Columns are named by table and
/// column.
#[derive(Clone, Debug, Default)]
pub(super) struct ComparisonTraits {
    /// Texts that are compared without regard to case.
    case_insensitive: HashSet<(String, String)>,
    /// Texts that are sorted by their bytes.
    byte_order: HashSet<(String, String)>,
    /// Times that have microseconds.
    microseconds: HashSet<(String, String)>,
    /// Values that are stored as a text, and compared differently from it.
    text_forms: HashSet<(String, String)>,
    /// Collations in which different texts may be equal.
    nondeterministic: HashSet<String>,
}

impl ComparisonTraits {
    /// Records a collation that is declared with `deterministic = false`.
    pub(super) fn add_nondeterministic(&mut self, name: String) {
        self.nondeterministic.insert(name);
    }

    /// Records the collation of a column.
    pub(super) fn add_collation(&mut self, table: &str, column: &str, collation: &str) {
        let of = (table.to_owned(), column.to_owned());
        if self.nondeterministic.contains(collation) {
            self.case_insensitive.insert(of);
        } else if BYTE_COLLATIONS.contains(&collation.to_lowercase().as_str()) {
            self.byte_order.insert(of);
        }
    }

    /// Records a text that is compared without regard to case.
    pub(super) fn add_case_insensitive(&mut self, table: &str, column: &str) {
        self.case_insensitive.insert((table.to_owned(), column.to_owned()));
    }

    /// Records a value that is stored as a text, and compared differently from it.
    pub(super) fn add_text_form(&mut self, table: &str, column: &str) {
        self.text_forms.insert((table.to_owned(), column.to_owned()));
    }

    /// Records a time that has microseconds.
    pub(super) fn add_microseconds(&mut self, table: &str, column: &str) {
        self.microseconds.insert((table.to_owned(), column.to_owned()));
    }
}

/// Warns about what `PostgreSQL` compares differently.
pub(super) fn warn_differences(draft: &mut ModelDraft, concept: &Concept, workload: &Workload) {
    let help = "store and pass them in lower case, or declare them as text if case matters";
    warn_case(draft, concept, workload, "PostgreSQL", help);
    warn_order(draft, concept, workload);
    warn_times(draft, concept);
    warn_decimals(draft, concept, workload);
    warn_text_forms(draft, concept, workload);
}

/// Warns about texts that are compared without regard to case.
pub(super) fn warn_case(
    draft: &mut ModelDraft,
    concept: &Concept,
    workload: &Workload,
    database: &str,
    help: &str,
) {
    let used = collect_compared(concept, workload);
    let traits = &draft.comparisons.case_insensitive;
    let texts = select_columns(concept, used, |name, _| traits.contains(name));
    let message = format!(
        "compared and sorted without regard to case (and accents) by {database}, and by their bytes here"
    );
    warn_columns(draft, "MF270", &texts, &message, help);
}

/// Warns about texts whose order depends on the collation of the database.
fn warn_order(draft: &mut ModelDraft, concept: &Concept, workload: &Workload) {
    let mut used: BTreeSet<AttributeRef> = BTreeSet::new();
    for read in &workload.reads {
        let order = read.order.iter().map(|sorted| sorted.column);
        let extremes = read.outputs.iter().filter_map(|output| match output.value {
            OutputValue::Least(of) | OutputValue::Greatest(of) => Some(of),
            _ => None,
        });
        let columns = order.chain(extremes).chain(list_ranges(&read.conditions));
        used.extend(columns.filter_map(|column| find_attribute(read, column)));
    }
    for write in &workload.writes {
        let columns = list_ranges(write_conditions(&write.kind));
        used.extend(
            columns.map(|it| AttributeRef { entity: write.entity, attribute: it.attribute }),
        );
    }
    let traits = &draft.comparisons;
    let texts = select_columns(concept, used, |name, attribute| {
        attribute.ty == Type::Native(NativeType::Text)
            // The labels of an enum have an order of their own.
            && !matches!(attribute.limit, Some(ValueLimit::Labels(_)))
            && !traits.byte_order.contains(name)
            && !traits.case_insensitive.contains(name)
            && !traits.text_forms.contains(name)
    });
    warn_columns(
        draft,
        "MF276",
        &texts,
        "sorted by the collation of the database in PostgreSQL, and by bytes here (A, Z, a, z, \u{e4})",
        "declare COLLATE \"C\" if this is the order that is wanted, or sort by a generated column such as lower(name)",
    );
}

/// Warns about keys that hold microseconds, of which Cassandra keeps milliseconds.
fn warn_times(draft: &mut ModelDraft, concept: &Concept) {
    let traits = &draft.comparisons.microseconds;
    let times = select_columns(concept, collect_keys(concept), |name, attribute| {
        attribute.ty == Type::Native(NativeType::Timestamp) && traits.contains(name)
    });
    warn_columns(
        draft,
        "MF277",
        &times,
        "part of a key with microseconds in PostgreSQL, and with milliseconds here: rows within the same millisecond overwrite one another",
        "declare timestamp(3), or add a column to the key that tells such rows apart",
    );
}

/// Warns about numbers that are equal in SQL, but different partition keys.
fn warn_decimals(draft: &mut ModelDraft, concept: &Concept, workload: &Workload) {
    let mut used = collect_keys(concept);
    for read in &workload.reads {
        let columns = list_tested(&read.conditions).chain(read.group.iter().copied());
        used.extend(columns.filter_map(|column| find_attribute(read, column)));
    }
    let numbers = select_columns(concept, used, |_, attribute| {
        attribute.ty == Type::Native(NativeType::Decimal) && attribute.limit.is_none()
    });
    warn_columns(
        draft,
        "MF278",
        &numbers,
        "numeric without a scale, and part of a key: 1.5 and 1.50 are equal in PostgreSQL, and different keys here",
        "declare numeric(p, s), to which values are rounded, or pass values without trailing zeros",
    );
}

/// Warns about values that are compared by their text here.
fn warn_text_forms(draft: &mut ModelDraft, concept: &Concept, workload: &Workload) {
    let traits = &draft.comparisons.text_forms;
    let used = collect_compared(concept, workload);
    let values = select_columns(concept, used, |name, _| traits.contains(name));
    warn_columns(
        draft,
        "MF279",
        &values,
        "compared by value in PostgreSQL, and by the stored text here",
        "compare with a generated column, or pass and store values in one form",
    );
}

/// The attributes that keys, conditions, orders and groups compare.
fn collect_compared(concept: &Concept, workload: &Workload) -> BTreeSet<AttributeRef> {
    let mut used = collect_keys(concept);
    for read in &workload.reads {
        let order = read.order.iter().map(|sorted| sorted.column);
        let columns = order.chain(list_tested(&read.conditions)).chain(read.group.iter().copied());
        used.extend(columns.filter_map(|column| find_attribute(read, column)));
    }
    for write in &workload.writes {
        let columns = list_tested(write_conditions(&write.kind));
        used.extend(
            columns.map(|it| AttributeRef { entity: write.entity, attribute: it.attribute }),
        );
    }
    used
}

/// The attributes of keys and UNIQUE constraints.
fn collect_keys(concept: &Concept) -> BTreeSet<AttributeRef> {
    let mut found = BTreeSet::new();
    for (at, entity) in concept.entities.enumerate_ids() {
        let unique = entity.unique.iter().map(|it| &it.attributes).chain(&entity.keys).flatten();
        found.extend(unique.map(|attribute| AttributeRef { entity: at, attribute: *attribute }));
    }
    found
}

/// The columns that conditions test.
fn list_tested<'c>(
    conditions: impl IntoIterator<Item = &'c Condition>,
) -> impl Iterator<Item = Column> {
    conditions.into_iter().flat_map(|it| it.predicate.columns().iter().copied())
}

/// The columns that conditions compare by order.
fn list_ranges<'c>(
    conditions: impl IntoIterator<Item = &'c Condition>,
) -> impl Iterator<Item = Column> {
    let is_range = |it: &&Condition| match &it.predicate {
        Predicate::Compare { comparison, .. } => *comparison != Comparison::Equal,
        Predicate::Row { .. } => true,
        _ => false,
    };
    list_tested(conditions.into_iter().filter(is_range))
}

/// The attribute of a column of a read.
pub(super) fn find_attribute(read: &Read, column: Column) -> Option<AttributeRef> {
    let entity = read.sources.member(column.source)?.entity;
    Some(AttributeRef { entity, attribute: column.attribute })
}

fn write_conditions(kind: &WriteKind) -> Vec<&Condition> {
    match kind {
        WriteKind::Update(_, conditions) | WriteKind::Delete(conditions) => {
            conditions.iter().collect()
        }
        WriteKind::Rows(rows) => rows.iter().flat_map(write_conditions).collect(),
        WriteKind::Insert(_) | WriteKind::Upsert(_) => Vec::new(),
    }
}

/// The columns among some attributes that a warning is about, with their places.
fn select_columns(
    concept: &Concept,
    used: BTreeSet<AttributeRef>,
    is_meant: impl Fn(&(String, String), &Attribute) -> bool,
) -> Vec<(String, Span)> {
    let columns = used.into_iter().filter_map(|of| {
        let (entity, attribute) = (&concept.entities[of.entity], &concept[of]);
        let name = (entity.name.clone(), attribute.name.clone());
        let is_meant = !attribute.hidden && is_meant(&name, attribute);
        is_meant.then(|| (format!("{}.{}", name.0, name.1), attribute.span))
    });
    columns.collect()
}

/// One warning about several columns, in the place of the first.
pub(super) fn warn_columns(
    draft: &mut ModelDraft,
    rule: &'static str,
    columns: &[(String, Span)],
    message: &str,
    help: &str,
) {
    let [(_, place), ..] = columns else { return };
    let mut names: Vec<&str> =
        columns.iter().map(|(name, _)| name.as_str()).take(NAMES_MAX).collect();
    let more = columns.len().saturating_sub(names.len());
    let last =
        if more > 0 { format!("{more} more") } else { names.pop().unwrap_or_default().to_owned() };
    let list = if names.is_empty() { last } else { format!("{} and {last}", names.join(", ")) };
    let verb = if columns.len() == 1 { "is" } else { "are" };
    draft.warn(rule, *place, format!("{list} {verb} {message}"), help);
}
