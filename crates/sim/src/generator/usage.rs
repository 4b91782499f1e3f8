//! How the workload and the design use each attribute.

use cql::types::{NativeType, Type};
use cql::value;
use model::concept::{AttributeRef, Concept};
use model::id::{EntityId, IdList};
use model::plan::{Bucket, Design};
use model::workload::{
    AssignmentValue, Column, Comparison, Condition, Predicate, Read, Value, Workload, Write,
    WriteKind,
};

/// How an attribute is used.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about an attribute")]
pub(super) struct AttributeUsage {
    /// It is compared for equality.
    pub(super) equality: bool,
    /// Rows are ordered, grouped or restricted by it.
    pub(super) order: bool,
    /// Constants that it is compared with or set to, in the bytes of its type (of its elements, for
    /// an array).
    pub(super) constants: Vec<Vec<u8>>,
    /// Constant prefixes that it is searched by.
    pub(super) prefixes: Vec<Vec<u8>>,
    /// The widths of the buckets made from it.
    pub(super) buckets: Vec<Bucket>,
    /// The design assumes it never to be null.
    pub(super) never_null: bool,
    /// A condition tests whether it is null.
    pub(super) null_test: bool,
}

/// The usage of every attribute, by entity and attribute.
pub(super) fn collect_usages(
    concept: &Concept,
    workload: &Workload,
    design: &Design,
) -> Vec<Vec<AttributeUsage>> {
    let attributes = concept.entities.iter().map(|entity| entity.attributes.len());
    let mut found = UsageCollector {
        concept,
        usages: attributes.map(|attributes| vec![AttributeUsage::default(); attributes]).collect(),
    };
    for read in &workload.reads {
        found.collect_read(read);
    }
    for write in &workload.writes {
        found.collect_write(write);
    }
    found.collect_buckets(design);
    found.usages
}

struct UsageCollector<'a> {
    concept: &'a Concept,
    usages: Vec<Vec<AttributeUsage>>,
}

impl UsageCollector<'_> {
    fn update(&mut self, of: AttributeRef, change: impl FnOnce(&mut AttributeUsage, &Type)) {
        let usages = self.usages.get_mut(of.entity.index());
        let usage = usages.and_then(|usages| usages.get_mut(of.attribute.index()));
        if let (Some(usage), Some(declared)) = (usage, self.concept.attribute(of)) {
            change(usage, &declared.ty);
        }
    }

    fn collect_read(&mut self, read: &Read) {
        let of = |column: Column| {
            let entity = read.sources.member(column.source)?.entity;
            Some(AttributeRef { entity, attribute: column.attribute })
        };
        for condition in &read.conditions {
            self.collect_predicate(&condition.predicate, of);
        }
        let ordered = read.order.iter().map(|ordering| ordering.column);
        for column in ordered.chain(read.group.iter().copied()) {
            if let Some(of) = of(column) {
                self.update(of, |usage, _| usage.order = true);
            }
        }
        for ordering in &read.order {
            if let (Some(of), Some(constant)) = (of(ordering.column), &ordering.null_as) {
                self.collect_constant(of, constant);
            }
        }
    }

    fn collect_write(&mut self, write: &Write) {
        let entity = write.entity;
        match &write.kind {
            WriteKind::Insert(values) => {
                for &(attribute, ref value) in values {
                    self.collect_value(AttributeRef { entity, attribute }, value);
                }
            }
            WriteKind::Update(assignments, conditions) => {
                for assignment in assignments {
                    if let AssignmentValue::Set(value)
                    | AssignmentValue::SetUnlessNull(value)
                    | AssignmentValue::Append(value)
                    | AssignmentValue::Remove(value) = &assignment.value
                    {
                        let attribute = assignment.attribute;
                        self.collect_value(AttributeRef { entity, attribute }, value);
                    }
                }
                self.collect_conditions(entity, conditions);
            }
            WriteKind::Delete(conditions) => self.collect_conditions(entity, conditions),
            // The derived writes have the values.
            WriteKind::Upsert(_) | WriteKind::Rows(_) => {}
        }
    }

    fn collect_conditions(&mut self, entity: EntityId, conditions: &[Condition]) {
        for condition in conditions {
            self.collect_predicate(&condition.predicate, |column| {
                Some(AttributeRef { entity, attribute: column.attribute })
            });
        }
    }

    fn collect_predicate(&mut self, test: &Predicate, of: impl Fn(Column) -> Option<AttributeRef>) {
        let equal = match test {
            Predicate::Compare { comparison, .. } => *comparison == Comparison::Equal,
            Predicate::In { .. } | Predicate::AnyOf { .. } | Predicate::Holds { .. } => true,
            Predicate::Row { .. }
            | Predicate::Prefix { .. }
            | Predicate::NotNull { .. }
            | Predicate::Null { .. } => false,
        };
        for column in test.columns() {
            let Some(of) = of(*column) else { continue };
            self.update(of, |usage, _| {
                usage.equality |= equal;
                usage.order |= !equal;
            });
        }
        let values: Vec<(Column, &Value)> = match test {
            Predicate::Compare { column, value, .. } | Predicate::Holds { column, value } => {
                vec![(*column, value)]
            }
            Predicate::In { column, values } => {
                values.iter().map(|value| (*column, value)).collect()
            }
            Predicate::Row { columns, values, .. } => columns.iter().copied().zip(values).collect(),
            Predicate::Prefix { column, value } => {
                if let (Some(of), Value::Literal(text)) = (of(*column), value) {
                    self.update(of, |usage, ty| {
                        usage.prefixes.extend(literal_bytes(ty, text));
                    });
                }
                return;
            }
            Predicate::AnyOf { .. } => return,
            Predicate::NotNull { column } | Predicate::Null { column } => {
                if let Some(of) = of(*column) {
                    self.update(of, |usage, _| usage.null_test = true);
                }
                return;
            }
        };
        for (column, value) in values {
            if let Some(of) = of(column) {
                self.collect_value(of, value);
            }
        }
    }

    fn collect_value(&mut self, of: AttributeRef, value: &Value) {
        if let Value::Literal(text) = value {
            self.collect_constant(of, text);
        }
    }

    fn collect_constant(&mut self, of: AttributeRef, text: &str) {
        self.update(of, |usage, ty| {
            let ty = match ty {
                Type::List(element, _) | Type::Set(element, _) => element,
                other => other,
            };
            if let Some(bytes) = literal_bytes(ty, text)
                && !usage.constants.contains(&bytes)
            {
                usage.constants.push(bytes);
            }
        });
    }

    fn collect_buckets(&mut self, design: &Design) {
        for table in &design.tables {
            let Some((_, of, bucket)) = table.bucket() else { continue };
            if let Some(source) = table.holds.sources.member(of.source) {
                let of = AttributeRef { entity: source.entity, attribute: of.attribute };
                self.update(of, |usage, _| usage.buckets.push(bucket));
            }
        }
        for of in design.never_null_attributes() {
            self.update(of, |usage, _| usage.never_null = true);
        }
    }
}

/// The bytes of a CQL literal; `None` for collections.
pub(super) fn literal_bytes(ty: &Type, text: &str) -> Option<Vec<u8>> {
    let plain = match text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        Some(inside) => inside.replace("''", "'"),
        None => text.to_owned(),
    };
    let plain = match ty {
        Type::Native(NativeType::Blob) => plain.strip_prefix("0x").unwrap_or(&plain),
        Type::Native(_) => &plain,
        _ => return None,
    };
    value::from_text(ty, plain, 0).ok()
}

#[cfg(test)]
mod tests {
    use model::concept::AttributeRef;
    use model::id::ReadId;
    use model::id::{AttributeId, EntityId};
    use model::plan::topic::{NullTopic, NullUse};
    use model::plan::{Note, NoteKind, NoteSubject};

    use super::*;

    #[test]
    fn only_what_the_design_takes_as_never_null_is() {
        let text = "
            CREATE TABLE readings (id uuid PRIMARY KEY, grade int, place text);
            CREATE TABLE others (id uuid PRIMARY KEY, grade int);
            -- name: Graded :many
            SELECT id FROM readings WHERE place = ? ORDER BY grade;";
        let file = model::sql::read(text, "t").unwrap();
        let topic = NullTopic::NeverNull {
            read: "Graded".to_owned(),
            name: "grade".to_owned(),
            attribute: AttributeRef { entity: EntityId::new(0), attribute: AttributeId::new(1) },
            by: NullUse::Order,
        };
        let (kind, about) = (NoteKind::Assumption, NoteSubject::Read(ReadId::new(0)));
        let note = Note { kind, about, topic: topic.into(), span: None };
        let design = Design { notes: vec![note], ..Design::default() };
        let usages = collect_usages(&file.concept, &file.workload, &design);
        let never_null = |entity: &[AttributeUsage]| -> Vec<bool> {
            entity.iter().map(|usage| usage.never_null).collect()
        };
        assert_eq!(never_null(&usages[0]), [false, true, false]);
        assert_eq!(never_null(&usages[1]), [false, false]);
    }
}
