//! How the workload and the design use each attribute.

use cql::types::{NativeType, Type};
use cql::value;
use model::concept::{AttributeRef, Concept};
use model::id::{EntityId, Numbered};
use model::plan::{Bucket, Design};
use model::workload::{
    AssignmentValue, Column, Comparison, Condition, Read, Test, Value, Workload, Write, WriteKind,
};

/// How an attribute is used.
#[derive(Clone, Debug, Default)]
pub(super) struct Usage {
    /// Rows are found by it.
    pub(super) equality: bool,
    /// Rows are ordered, grouped or restricted by it.
    pub(super) order: bool,
    /// Constants that it is compared with or set to, in the bytes of its type (of its elements, for an array).
    pub(super) constants: Vec<Vec<u8>>,
    /// Beginnings that it is searched by.
    pub(super) prefixes: Vec<Vec<u8>>,
    /// The widths of the buckets made from it.
    pub(super) buckets: Vec<Bucket>,
    /// The design takes it as never null.
    pub(super) never_null: bool,
}

/// The usage of every attribute, by entity and attribute.
pub(super) fn usages(concept: &Concept, workload: &Workload, design: &Design) -> Vec<Vec<Usage>> {
    let attributes = concept.entities.iter().map(|entity| entity.attributes.len());
    let mut found = Found {
        concept,
        usages: attributes.map(|attributes| vec![Usage::default(); attributes]).collect(),
    };
    for read in &workload.reads {
        found.read(read);
    }
    for write in &workload.writes {
        found.write(write);
    }
    found.design(design);
    found.usages
}

struct Found<'a> {
    concept: &'a Concept,
    usages: Vec<Vec<Usage>>,
}

impl Found<'_> {
    fn at(&mut self, of: AttributeRef, change: impl FnOnce(&mut Usage, &Type)) {
        let usages = self.usages.get_mut(of.entity.index());
        let usage = usages.and_then(|usages| usages.get_mut(of.attribute.index()));
        if let (Some(usage), Some(declared)) = (usage, self.concept.attribute(of)) {
            change(usage, &declared.ty);
        }
    }

    fn read(&mut self, read: &Read) {
        let of = |column: Column| {
            let entity = read.sources.at(column.source)?.entity;
            Some(AttributeRef { entity, attribute: column.attribute })
        };
        for condition in &read.conditions {
            self.test(&condition.test, of);
        }
        let ordered = read.order.iter().map(|ordering| ordering.column);
        for column in ordered.chain(read.group.iter().copied()) {
            if let Some(of) = of(column) {
                self.at(of, |usage, _| usage.order = true);
            }
        }
        for ordering in &read.order {
            if let (Some(of), Some(constant)) = (of(ordering.column), &ordering.null_as) {
                self.constant(of, constant);
            }
        }
    }

    fn write(&mut self, write: &Write) {
        let entity = write.entity;
        match &write.kind {
            WriteKind::Insert(values) => {
                for &(attribute, ref value) in values {
                    self.value(AttributeRef { entity, attribute }, value);
                }
            }
            WriteKind::Update(assignments, conditions) => {
                for assignment in assignments {
                    if let AssignmentValue::Set(value)
                    | AssignmentValue::Append(value)
                    | AssignmentValue::Remove(value) = &assignment.value
                    {
                        let attribute = assignment.attribute;
                        self.value(AttributeRef { entity, attribute }, value);
                    }
                }
                self.conditions(entity, conditions);
            }
            WriteKind::Delete(conditions) => self.conditions(entity, conditions),
        }
    }

    fn conditions(&mut self, entity: EntityId, conditions: &[Condition]) {
        for condition in conditions {
            self.test(&condition.test, |column| {
                Some(AttributeRef { entity, attribute: column.attribute })
            });
        }
    }

    fn test(&mut self, test: &Test, of: impl Fn(Column) -> Option<AttributeRef>) {
        let equal = match test {
            Test::Compare { comparison, .. } => *comparison == Comparison::Equal,
            Test::In { .. } | Test::AnyOf { .. } | Test::Holds { .. } => true,
            Test::Row { .. } | Test::Prefix { .. } | Test::NotNull { .. } => false,
        };
        for column in test.columns() {
            let Some(of) = of(*column) else { continue };
            self.at(of, |usage, _| {
                usage.equality |= equal;
                usage.order |= !equal;
            });
        }
        let values: Vec<(Column, &Value)> = match test {
            Test::Compare { column, value, .. } | Test::Holds { column, value } => {
                vec![(*column, value)]
            }
            Test::In { column, values } => values.iter().map(|value| (*column, value)).collect(),
            Test::Row { columns, values, .. } => columns.iter().copied().zip(values).collect(),
            Test::Prefix { column, value } => {
                if let (Some(of), Value::Literal(text)) = (of(*column), value) {
                    self.at(of, |usage, ty| {
                        usage.prefixes.extend(literal(ty, text));
                    });
                }
                return;
            }
            Test::AnyOf { .. } | Test::NotNull { .. } => return,
        };
        for (column, value) in values {
            if let Some(of) = of(column) {
                self.value(of, value);
            }
        }
    }

    fn value(&mut self, of: AttributeRef, value: &Value) {
        if let Value::Literal(text) = value {
            self.constant(of, text);
        }
    }

    fn constant(&mut self, of: AttributeRef, text: &str) {
        self.at(of, |usage, ty| {
            let ty = match ty {
                Type::List(element, _) | Type::Set(element, _) => element,
                other => other,
            };
            if let Some(bytes) = literal(ty, text)
                && !usage.constants.contains(&bytes)
            {
                usage.constants.push(bytes);
            }
        });
    }

    fn design(&mut self, design: &Design) {
        for table in &design.tables {
            let Some((_, of, bucket)) = table.bucket() else { continue };
            if let Some(source) = table.holds.sources.at(of.source) {
                let of = AttributeRef { entity: source.entity, attribute: of.attribute };
                self.at(of, |usage, _| usage.buckets.push(bucket));
            }
        }
        for of in design.never_null() {
            self.at(of, |usage, _| usage.never_null = true);
        }
    }
}

/// The bytes of a constant in CQL's spelling; none of collections.
pub(super) fn literal(ty: &Type, text: &str) -> Option<Vec<u8>> {
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
    use model::plan::{About, Note, NoteKind};

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
        let (kind, about) = (NoteKind::Assumption, About::Read(ReadId::new(0)));
        let note = Note { kind, about, topic: topic.into(), span: None };
        let design = Design { notes: vec![note], ..Design::default() };
        let usages = usages(&file.concept, &file.workload, &design);
        let never_null = |entity: &[Usage]| -> Vec<bool> {
            entity.iter().map(|usage| usage.never_null).collect()
        };
        assert_eq!(never_null(&usages[0]), [false, true, false]);
        assert_eq!(never_null(&usages[1]), [false, false]);
    }
}
