//! Joins of facts along references, with hash indexes.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use model::concept::Concept;
use model::id::{AttributeId, EntityId, IdList};
use model::workload::{Column, Source};

use crate::dataset::{Datum, Row};

/// Rows of an entity by the values of some attributes.
type JoinIndex = HashMap<Vec<Vec<u8>>, Vec<usize>>;

/// The row of a source that a LEFT JOIN does not find: all its values are null.
static NO_ROW: Row = Row::new();

/// Indexes by entity and attributes.
type JoinIndexes = BTreeMap<(EntityId, Vec<AttributeId>), Rc<JoinIndex>>;

/// The facts, with indexes for joins.
#[derive(Debug)]
pub(crate) struct FactJoiner<'a> {
    concept: &'a Concept,
    rows: &'a [Vec<Row>],
    indexes: RefCell<JoinIndexes>,
}

/// One joined row: a row of each source.
#[derive(Debug)]
pub(crate) struct JoinRow<'f> {
    rows: Vec<&'f Row>,
}

impl<'f> JoinRow<'f> {
    /// The joined row of these rows, one for each source.
    pub(crate) fn new(rows: impl IntoIterator<Item = &'f Row>) -> Self {
        Self { rows: rows.into_iter().collect() }
    }

    /// The value of a column of the sources.
    pub(crate) fn get(&self, column: Column) -> Datum {
        self.rows.get(column.source.index())?.get(column.attribute.index())?.clone()
    }
}

impl<'a> FactJoiner<'a> {
    /// A joiner of these facts.
    pub(crate) fn new(concept: &'a Concept, rows: &'a [Vec<Row>]) -> Self {
        Self { concept, rows, indexes: RefCell::default() }
    }

    /// Calls `visit` for each joined row of the sources.
    pub(crate) fn for_each_row(&self, sources: &[Source], visit: &mut dyn FnMut(&JoinRow<'_>)) {
        self.extend_row(sources, &mut JoinRow { rows: Vec::new() }, visit);
    }

    fn extend_row<'f>(
        &'f self,
        sources: &[Source],
        joined: &mut JoinRow<'f>,
        visit: &mut dyn FnMut(&JoinRow<'_>),
    ) {
        let Some(source) = sources.get(joined.rows.len()) else {
            visit(joined);
            return;
        };
        let rows = self.rows.get(source.entity.index()).map(Vec::as_slice).unwrap_or_default();
        match self.find_lookup(sources, source, joined) {
            None => {
                for row in rows {
                    joined.rows.push(row);
                    self.extend_row(sources, joined, visit);
                    joined.rows.pop();
                }
            }
            Some((index, key)) => {
                let found = index.get(&key).into_iter().flatten().filter_map(|at| rows.get(*at));
                let mut found: Vec<&Row> = found.collect();
                if found.is_empty() && source.is_optional() {
                    found.push(&NO_ROW);
                }
                for row in found {
                    joined.rows.push(row);
                    self.extend_row(sources, joined, visit);
                    joined.rows.pop();
                }
            }
        }
    }

    /// The index and the key by which the rows of a source are found; `None` for all rows.
    fn find_lookup(
        &self,
        sources: &[Source],
        source: &Source,
        joined: &JoinRow<'_>,
    ) -> Option<(Rc<JoinIndex>, Vec<Vec<u8>>)> {
        let join = source.join?;
        let holder = if join.to_one { sources.member(join.with)?.entity } else { source.entity };
        let reference = self.concept.entities.member(holder)?.references.member(join.reference)?;
        let (theirs, mine) = if join.to_one {
            (&reference.attributes, &reference.target_attributes)
        } else {
            (&reference.target_attributes, &reference.attributes)
        };
        let with = joined.rows.get(join.with.index())?;
        let key: Option<Vec<_>> =
            theirs.iter().map(|at| with.get(at.index()).cloned().flatten()).collect();
        // A null refers to no row, and is in no index.
        let key = key.unwrap_or_default();
        Some((self.index(source.entity, mine), key))
    }

    fn index(&self, entity: EntityId, attributes: &[AttributeId]) -> Rc<JoinIndex> {
        let name = (entity, attributes.to_vec());
        if let Some(index) = self.indexes.borrow().get(&name) {
            return Rc::clone(index);
        }
        let mut index = JoinIndex::new();
        for (at, row) in self.rows.get(entity.index()).into_iter().flatten().enumerate() {
            let key: Option<Vec<_>> = attributes
                .iter()
                .map(|attribute| row.get(attribute.index()).cloned().flatten())
                .collect();
            if let Some(key) = key {
                index.entry(key).or_default().push(at);
            }
        }
        let index = Rc::new(index);
        self.indexes.borrow_mut().insert(name, Rc::clone(&index));
        index
    }
}
