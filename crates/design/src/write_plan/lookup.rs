//! Finds the table from which the rows of a request can be read.
//!
//! A table serves a request if its join can be laid over that of the request (an embedding of join
//! graphs) without losing a row or merging two, and the known columns restrict enough of its key.

use std::collections::BTreeMap;

use model::id::{AttributeId, IdList, LoopId, SourceId, TableId};
use model::plan::{
    Bucket, BucketWalk, ColumnRole, Derivation, Loop, Operand, PlannedColumn, PlannedTable,
};
use model::workload::{Column, Predicate};

use super::join_graph::{JoinGraph, JoinHop};
use super::request::Request;
use crate::statement::ColumnValue;
use crate::{Context, volume};

/// A way to read the rows of a request from one table.
#[derive(Clone, Debug)]
pub(super) struct AccessPath {
    pub(super) table: TableId,
    /// The restrictions of the SELECT.
    pub(super) key: Vec<ColumnValue>,
    /// What the read is repeated over, the request's own loops first.
    pub(super) loops: Vec<Loop>,
    /// Requested columns that the table stores, with their names there.
    pub(super) stored: BTreeMap<Column, String>,
    /// Requested columns that the table lacks, as columns of its own sources: they could be added.
    pub(super) missing: Vec<Column>,
    /// Sort key of access paths; the smallest is the best.
    rank: (bool, bool, usize, usize, usize),
}

/// The best access path for a request; columns may be missing.
pub(super) fn best_access(
    context: Context<'_>,
    tables: &[PlannedTable],
    request: &Request,
) -> Option<AccessPath> {
    let shares_entity = |table: &PlannedTable| {
        let mut entities = table.holds.sources.iter().map(|source| source.entity);
        entities.any(|entity| request.sources.iter().any(|source| source.entity == entity))
    };
    let some = tables.enumerate_ids().filter(|(_, table)| shares_entity(table));
    let each = some.filter_map(|(at, table)| {
        let access = access(context, at, table, request)?;
        // A walk over buckets needs a table that remembers the oldest one, or it has no end.
        let remembered = || tables.iter().any(|other| other.remembers == Some(at));
        let endless = access.loops.iter().any(|turn| match turn {
            Loop::Buckets(walk) => walk.retain.is_none() && !remembered(),
            _ => false,
        });
        (!endless).then_some(access)
    });
    each.min_by_key(|access| access.rank)
}

/// A way to read the rows of a request from a table.
pub(super) fn access(
    context: Context<'_>,
    at: TableId,
    table: &PlannedTable,
    request: &Request,
) -> Option<AccessPath> {
    // A view is updated asynchronously: what a write finds there may be out of date.
    let apart = table.is_counter() || table.remembers.is_some() || table.view_of.is_some();
    if apart || table.columns.is_empty() {
        return None;
    }
    let view = RequestView {
        table,
        theirs: JoinGraph { concept: context.concept, sources: &table.holds.sources },
        request,
        ours: JoinGraph { concept: context.concept, sources: &request.sources },
    };
    let anchors = view
        .theirs
        .sources
        .ids()
        .flat_map(|theirs| view.ours.sources.ids().map(move |ours| (theirs, ours)));
    anchors
        .filter_map(|(theirs, ours)| {
            let map = view.embed(theirs, ours)?;
            view.has_all_rows(&map).then(|| view.access(context, at, &map))?
        })
        .min_by_key(|access| access.rank)
}

/// A table seen from a request.
struct RequestView<'a> {
    table: &'a PlannedTable,
    theirs: JoinGraph<'a>,
    request: &'a Request,
    ours: JoinGraph<'a>,
}

/// For each source of the table the source of the request that it is; `None` for one that only adds
/// columns.
type Embedding = Vec<Option<SourceId>>;

impl RequestView<'_> {
    /// Embeds the table's join into the request's, starting with a source of each. Every requested
    /// row must then be among the table's: what the table joins beyond the request leads to a
    /// single row that always exists.
    fn embed(&self, theirs: SourceId, ours: SourceId) -> Option<Embedding> {
        let entity = |shape: &JoinGraph<'_>, at: SourceId| {
            shape.sources.member(at).map(|source| source.entity)
        };
        if entity(&self.theirs, theirs) != entity(&self.ours, ours) {
            return None;
        }
        let mut map: Embedding = vec![None; self.theirs.sources.len()];
        let mut seen = vec![false; map.len()];
        map[theirs] = Some(ours);
        seen[theirs.index()] = true;
        let mut open = vec![theirs];
        while let Some(source) = open.pop() {
            for hop in self.theirs.hops(source) {
                if seen[hop.to.index()] {
                    continue;
                }
                seen[hop.to.index()] = true;
                let like = map[source].and_then(|ours| {
                    self.ours.hops(ours).into_iter().find(|other| {
                        other.position == hop.position
                            && other.to_one == hop.to_one
                            && entity(&self.ours, other.to) == entity(&self.theirs, hop.to)
                            && !map.contains(&Some(other.to))
                    })
                });
                match like {
                    Some(other) if self.has_other_rows(&hop, &other) => return None,
                    Some(other) => map[hop.to] = Some(other.to),
                    None if hop.to_one && (hop.optional || !hop.reference.nullable) => {}
                    None => return None,
                }
                open.push(hop.to);
            }
        }
        Some(map)
    }

    /// Whether only one of table and request leaves out rows for which nothing is found, and there
    /// may be such rows.
    fn has_other_rows(&self, hop: &JoinHop<'_>, wanted: &JoinHop<'_>) -> bool {
        let is_known = |attribute: &AttributeId| {
            let column = Column { source: wanted.from, attribute: *attribute };
            let column = self.ours.canonical(column);
            self.request.known.iter().any(|(other, _)| self.ours.canonical(*other) == column)
        };
        wanted.optional != hop.optional
            && hop.reference.nullable
            && !wanted.reference.attributes.iter().all(is_known)
    }

    /// Whether the table contains all requested rows.
    fn has_all_rows(&self, map: &Embedding) -> bool {
        let holds = &self.table.holds;
        let ours = |column: Column| self.request_column(map, column);
        let filtered = holds.filters.iter().all(|filter| {
            let Some(test) = filter.predicate.map_columns(ours) else { return false };
            self.request.filters.iter().any(|other| {
                other.predicate.map_columns(|column| Some(self.ours.canonical(column))).as_ref()
                    == Some(&test)
            })
        });
        let not_null = holds.not_null.iter().all(|column| self.is_never_null(map, *column));
        let elements: Vec<_> = holds.elements.iter().map(|column| ours(*column)).collect();
        let wanted: Vec<_> = self.request.element.iter().map(|column| Some(*column)).collect();
        filtered && not_null && elements == wanted
    }

    fn is_never_null(&self, map: &Embedding, column: Column) -> bool {
        let attribute = self
            .theirs
            .entity(column.source)
            .and_then(|entity| entity.attributes.member(column.attribute));
        let is_optional = self.theirs.is_optional(column.source);
        if attribute.is_some_and(|attribute| !attribute.nullable && !is_optional) {
            return true;
        }
        let Some(ours) = self.request_column(map, column) else { return false };
        let same = |other: Column| self.ours.canonical(other) == ours;
        self.request.not_null.iter().any(|other| same(*other))
            || self.request.known.iter().any(|(other, _)| same(*other))
            || self.request.filters.iter().any(|filter| {
                !matches!(filter.predicate, Predicate::Null { .. })
                    && filter.predicate.columns().iter().copied().any(same)
            })
    }

    /// A column of the table's sources as a column of the request.
    fn request_column(&self, map: &Embedding, column: Column) -> Option<Column> {
        self.theirs.sources.ids().find_map(|source| {
            let ours = map.member(source).copied().flatten()?;
            let attribute = self.theirs.attribute_at(column, source)?;
            Some(self.ours.canonical(Column { source: ours, attribute }))
        })
    }

    /// The known value of a column of the table's sources.
    fn find_known(&self, map: &Embedding, column: Column) -> Option<(Column, Operand)> {
        let ours = self.request_column(map, column)?;
        let found =
            self.request.known.iter().find(|(other, _)| self.ours.canonical(*other) == ours);
        found.map(|(_, operand)| (ours, operand.clone()))
    }

    /// The access path, if enough of the key is known.
    fn access(&self, context: Context<'_>, at: TableId, map: &Embedding) -> Option<AccessPath> {
        let mut loops = self.request.loops.clone();
        let mut key = Vec::new();
        let mut fixed = Vec::new();
        for column in self.table.partition_key() {
            let operand = self.partition_value(context, map, column, &mut loops, &mut fixed)?;
            key.push((column.name.clone(), operand));
        }
        let mut clustered = 0;
        for column in self.table.clustering() {
            let Derivation::Attribute(of) = column.derivation else { break };
            let Some((ours, operand)) = self.find_known(map, of) else { break };
            fixed.push(ours);
            key.push((column.name.clone(), operand));
            clustered += 1;
        }
        let enough =
            self.request.enough.iter().all(|column| fixed.contains(&self.ours.canonical(*column)));
        // Without any restriction this is a scan, which must be what was requested.
        if !enough || (fixed.is_empty() && !self.request.known.is_empty()) {
            return None;
        }
        // A condition is checked on one row, found by its key alone.
        let whole = key.len() == fixed.len() && clustered == self.table.clustering().count();
        if self.request.ensures && !whole {
            return None;
        }
        let (stored, missing) = self.columns(map)?;
        let own = self.request.loops.len();
        let walks = loops[own..].iter().any(|turn| matches!(turn, Loop::Buckets(_)));
        let shards = loops[own..].iter().any(|turn| matches!(turn, Loop::Shards(_)));
        let open = self.table.clustering().count() - clustered;
        let extra = self.table.columns.len();
        let rank = (walks, shards, missing.len(), open, extra);
        Some(AccessPath { table: at, key, loops, stored, missing, rank })
    }

    /// The value of a column of the partition key; a loop where it takes several values.
    fn partition_value(
        &self,
        context: Context<'_>,
        map: &Embedding,
        column: &PlannedColumn,
        loops: &mut Vec<Loop>,
        fixed: &mut Vec<Column>,
    ) -> Option<Operand> {
        let mut turn = |turn: Loop| {
            loops.push(turn);
            Operand::Turn(LoopId::new(loops.len() - 1))
        };
        match &column.derivation {
            Derivation::Attribute(of) => {
                let (ours, operand) = self.find_known(map, *of)?;
                fixed.push(ours);
                Some(operand)
            }
            Derivation::Coalesced(of, constant) => {
                let (ours, operand) = self.find_known(map, *of)?;
                fixed.push(ours);
                Some(Operand::OrElse(Box::new(operand), constant.clone()))
            }
            Derivation::Bucket(of, bucket) => Some(match self.find_known(map, *of) {
                Some((_, operand)) => Operand::BucketOf(Box::new(operand), *bucket),
                None => turn(Loop::Buckets(self.walk(context, *of, *bucket))),
            }),
            Derivation::Shard { of, count } => {
                let values: Option<Vec<_>> = of
                    .iter()
                    .map(|of| self.find_known(map, *of).map(|(_, operand)| operand))
                    .collect();
                Some(match values {
                    Some(values) => Operand::ShardOf(values, *count),
                    None => turn(Loop::Shards(*count)),
                })
            }
            Derivation::Constant => Some(Operand::Literal("0".to_owned())),
            Derivation::Prefix(of, length) => {
                let (_, operand) = self.find_known(map, *of)?;
                Some(Operand::PrefixOf(Box::new(operand), *length))
            }
            Derivation::Element(_)
            | Derivation::Count(_)
            | Derivation::Sum(_)
            | Derivation::Oldest(_)
            | Derivation::Newest(_) => None,
        }
    }

    /// A walk over all existing buckets.
    fn walk(&self, context: Context<'_>, of: Column, bucket: Bucket) -> BucketWalk {
        BucketWalk {
            bucket,
            newest_first: true,
            from: None,
            to: None,
            // The age of rows does not tell the range of an integer.
            retain: volume::time_retention(context.concept, self.table, of)
                .filter(|_| bucket.days().is_some()),
            oldest: None,
            newest: None,
            stops_at_limit: false,
            ahead: 1,
        }
    }

    /// The requested columns: those that the table stores, and those that could be added to it.
    fn columns(&self, map: &Embedding) -> Option<(BTreeMap<Column, String>, Vec<Column>)> {
        let mut stored = BTreeMap::new();
        let mut missing = Vec::new();
        for wanted in self.request.wants.union(&self.request.distinct) {
            let wanted = self.ours.canonical(*wanted);
            match self.find_stored(map, wanted) {
                Some(column) if self.request.wants.contains(&wanted) => {
                    stored.insert(wanted, column.name.clone());
                }
                Some(_) => {}
                None => missing.push(self.table_column(map, wanted)?),
            }
        }
        if stored.is_empty() && missing.is_empty() {
            // Only the existence of rows is requested; any column will do.
            let first = self.table.columns.first()?;
            let key = self.request.distinct.first().or(self.request.wants.first());
            let ours = key
                .copied()
                .unwrap_or(Column { source: SourceId::new(0), attribute: AttributeId::new(0) });
            stored.insert(ours, first.name.clone());
        }
        Some((stored, missing))
    }

    /// The table's column that stores a column of the request; for an array whose elements are
    /// wanted that of an element.
    fn find_stored(&self, map: &Embedding, wanted: Column) -> Option<&PlannedColumn> {
        self.table.columns.iter().find(|column| match column.derivation {
            Derivation::Attribute(of) => {
                column.role != ColumnRole::Counter && self.request_column(map, of) == Some(wanted)
            }
            Derivation::Element(of) => {
                self.request.element == Some(wanted) && self.request_column(map, of) == Some(wanted)
            }
            _ => false,
        })
    }

    /// A column of the request as one of the table's sources; never one that is a counter.
    fn table_column(&self, map: &Embedding, wanted: Column) -> Option<Column> {
        map.enumerate_ids().find_map(|(source, ours)| {
            let attribute = self.ours.attribute_at(wanted, (*ours)?)?;
            let of = self.theirs.entity(source)?.attributes.member(attribute)?;
            let apart = of.counter || self.request.element.is_some();
            (!apart).then_some(Column { source, attribute })
        })
    }
}
