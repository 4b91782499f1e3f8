//! The WHERE clause: which partitions, in which loops, and which of their rows.

use cql::relation::Operator;
use model::id::LoopId;
use model::plan::{
    Bucket, BucketWalk, Derivation, Loop, Operand, PlanRemark, PlannedColumn, Relation,
};
use model::workload::{Column, Comparison, Condition, Predicate, Value};

use super::columns::ReadView;
use crate::statement::ColumnValue;
use crate::volume;

/// The restrictions of a statement.
#[derive(Default)]
pub(super) struct Restrictions {
    /// The relations, in the order of the key.
    pub(super) relations: Vec<Relation>,
    /// What the statement is repeated over.
    pub(super) loops: Vec<Loop>,
    /// For each column of the partition key its name and value.
    pub(super) partition: Vec<ColumnValue>,
    /// Clustering columns fixed to one value, from the first on.
    pub(super) fixed_clustering: usize,
    /// Conditions that neither a relation nor the stored rows satisfy.
    pub(super) left_over: Vec<Condition>,
    /// Remarks on the plan.
    pub(super) remarks: Vec<PlanRemark>,
    /// The usual widths of the ranges, as far as they are stated, by the stored columns.
    pub(super) spans: Vec<(String, f64)>,
    /// Rows may be dropped because what they refer to is looked up and may be absent.
    pub(super) drops: bool,
    /// Rows are found by an index, which returns them in no order.
    pub(super) indexed: bool,
    /// For each condition of the read whether it is handled.
    pub(super) used: Vec<bool>,
    /// Columns whose bucket is that of one value of a list, and that value: a statement that asked
    /// for the whole list would return the rows of values with the same bucket again.
    bucketed: Vec<(Column, Operand)>,
}

impl Restrictions {
    /// The restrictions of a read on its table.
    pub(super) fn new(view: ReadView<'_>) -> Self {
        let mut restrictions = if let Some(index) = view.index_column() {
            Self::from_index(view, index)
        } else {
            let mut restrictions = Self::from_partition_key(view);
            restrictions.restrict_clustering(view);
            restrictions
        };
        let conditions = view.read.conditions.iter().zip(&restrictions.used);
        let open = conditions.filter(|(_, used)| !**used);
        restrictions.left_over = open.map(|(condition, _)| condition.clone()).collect();
        let spans = view.read.stated.spans.iter();
        let stored = spans
            .filter_map(|span| Some((view.find_stored(span.column)?.name.clone(), span.width)));
        restrictions.spans = stored.collect();
        restrictions
    }

    /// No restrictions beyond what the stored rows and earlier steps satisfy.
    fn from_storage(view: ReadView<'_>) -> Self {
        let conditions = &view.read.conditions;
        let mut restrictions = Self { used: vec![false; conditions.len()], ..Self::default() };
        for (at, condition) in conditions.iter().enumerate() {
            let before = view.given.and_then(|given| given.met.get(at).copied());
            restrictions.used[at] = before.unwrap_or(false) || view.is_met_by_storage(condition);
        }
        if let Some(given) = view.given {
            restrictions.loops.push(Loop::Rows(given.step));
        }
        restrictions
    }

    /// The restrictions on the partition key.
    fn from_partition_key(view: ReadView<'_>) -> Self {
        let mut restrictions = Self::from_storage(view);
        let outer_first = |column: &&PlannedColumn| match column.derivation {
            Derivation::Bucket(..) => 1,
            Derivation::Shard { .. } => 2,
            _ => 0,
        };
        // Loops nest from the values of an IN over buckets to shards; relations are in the order of
        // the key.
        let mut key: Vec<_> = view.table.partition_key().collect();
        key.sort_by_key(outer_first);
        for column in key {
            restrictions.restrict_partition(view, column);
        }
        restrictions.add_partition_relations(view);
        restrictions
    }

    /// The restriction on an indexed column: within the partition that the read gives, or over the
    /// whole table. The server filters by nothing else without ALLOW FILTERING.
    fn from_index(view: ReadView<'_>, index: &PlannedColumn) -> Self {
        let within = Self::from_partition_key(view);
        let given = within.partition.len() == view.table.partition_key().count();
        let inside = given && within.loops.is_empty();
        let mut restrictions = if inside { within } else { Self::from_storage(view) };
        restrictions.indexed = true;
        restrictions.partition.clear();
        let Derivation::Attribute(of) = index.derivation else { return restrictions };
        let found = view.read.conditions.iter().position(|condition| {
            matches!(condition.predicate, Predicate::Compare { column, comparison: Comparison::Equal, .. }
                if view.is_same_column(column, of))
        });
        if let Some(at) = found
            && let Predicate::Compare { value, .. } = &view.read.conditions[at].predicate
        {
            restrictions.used[at] = true;
            restrictions.relations.push(Relation::equal(&index.name, operand(value)));
        } else {
            restrictions.restrict_range(view, index, of);
        }
        let (column, within_partition) = (index.name.clone(), inside);
        restrictions.remarks.push(PlanRemark::SearchedByIndex { column, within_partition });
        restrictions
    }

    /// Whether every row that the statement returns is one of the result.
    pub(super) fn is_exact(&self) -> bool {
        self.left_over.is_empty() && !self.drops
    }

    /// Fixes one column of the partition key.
    fn restrict_partition(&mut self, view: ReadView<'_>, column: &PlannedColumn) {
        let operand = match &column.derivation {
            Derivation::Attribute(of) | Derivation::Coalesced(of, _) => {
                self.equality_operand(view, *of)
            }
            Derivation::Element(of) => self.element_operand(view, *of),
            Derivation::Bucket(of, bucket) => Some(
                self.find_value(view, *of)
                    .map(|value| Operand::BucketOf(Box::new(value), *bucket))
                    .unwrap_or_else(|| self.add_loop(Loop::Buckets(walk(view, *of, *bucket)))),
            ),
            Derivation::Shard { of, count } => {
                let values: Option<Vec<_>> =
                    of.iter().map(|column| view.equality_value(*column)).collect();
                Some(match values {
                    Some(values) => Operand::ShardOf(values, *count),
                    None => self.add_loop(Loop::Shards(*count)),
                })
            }
            Derivation::Constant => Some(Operand::Literal("0".to_owned())),
            Derivation::Prefix(of, length) => {
                self.remarks.push(PlanRemark::PrefixNeeded { column: column.name.clone() });
                prefix(view, *of, *length)
            }
            Derivation::Count(_)
            | Derivation::Sum(_)
            | Derivation::Oldest(_)
            | Derivation::Newest(_) => None,
        };
        match operand {
            Some(operand) => self.partition.push((column.name.clone(), operand)),
            None => self.remarks.push(PlanRemark::EveryPartition { column: column.name.clone() }),
        }
    }

    /// Puts the relations of the partition key into the order of the key.
    fn add_partition_relations(&mut self, view: ReadView<'_>) {
        for column in view.table.partition_key() {
            let found = self.partition.iter().find(|(name, _)| *name == column.name);
            let relation = found.map(|(name, value)| Relation::equal(name, value.clone()));
            self.relations.extend(relation);
        }
    }

    /// Adds a loop; the operand of its turn.
    fn add_loop(&mut self, turn: Loop) -> Operand {
        self.loops.push(turn);
        Operand::Turn(LoopId::new(self.loops.len() - 1))
    }

    /// The value of a column that must be equal to something.
    fn equality_operand(&mut self, view: ReadView<'_>, of: Column) -> Option<Operand> {
        for (at, condition) in view.read.conditions.iter().enumerate() {
            let found = match &condition.predicate {
                Predicate::Compare { column, comparison: Comparison::Equal, value }
                    if view.is_same_column(*column, of) =>
                {
                    operand(value)
                }
                Predicate::In { column, values } if view.is_same_column(*column, of) => {
                    self.add_loop(Loop::Values(values.clone()))
                }
                Predicate::AnyOf { column, parameter } if view.is_same_column(*column, of) => {
                    self.add_loop(Loop::Elements(Operand::Parameter(*parameter)))
                }
                _ => continue,
            };
            self.used[at] = true;
            return Some(found);
        }
        view.earlier_value(of)
    }

    /// The value of a fixed column, if any; its condition remains for the column itself.
    fn find_value(&mut self, view: ReadView<'_>, of: Column) -> Option<Operand> {
        let turn = view.read.conditions.iter().find_map(|condition| match &condition.predicate {
            Predicate::In { column, values } if view.is_same_column(*column, of) => {
                Some(Loop::Values(values.clone()))
            }
            Predicate::AnyOf { column, parameter } if view.is_same_column(*column, of) => {
                Some(Loop::Elements(Operand::Parameter(*parameter)))
            }
            _ => None,
        });
        let Some(turn) = turn else { return view.equality_value(of) };
        let value = self.add_loop(turn);
        self.bucketed.push((of, value.clone()));
        Some(value)
    }

    /// The element that an array must hold.
    fn element_operand(&mut self, view: ReadView<'_>, of: Column) -> Option<Operand> {
        let found = view.read.conditions.iter().enumerate().find_map(|(at, condition)| {
            match &condition.predicate {
                Predicate::Holds { column, value } if view.is_same_column(*column, of) => {
                    Some((at, operand(value)))
                }
                _ => None,
            }
        });
        found.map(|(at, operand)| {
            self.used[at] = true;
            operand
        })
    }

    /// Restricts the clustering columns as far as the read allows.
    fn restrict_clustering(&mut self, view: ReadView<'_>) {
        let clustering: Vec<_> = view.table.clustering().collect();
        for (at, column) in clustering.iter().enumerate() {
            let of = match &column.derivation {
                Derivation::Attribute(of)
                | Derivation::Coalesced(of, _)
                | Derivation::Element(of) => *of,
                _ => return,
            };
            let element = matches!(column.derivation, Derivation::Element(_));
            if self.fix_clustering(view, column, of, element, at) {
                continue;
            }
            if !self.restrict_rows(view, &clustering[at..]) && !element {
                self.restrict_range(view, column, of);
            }
            return;
        }
    }

    /// Fixes a clustering column, if the read does.
    fn fix_clustering(
        &mut self,
        view: ReadView<'_>,
        column: &PlannedColumn,
        of: Column,
        element: bool,
        at: usize,
    ) -> bool {
        let name = &column.name;
        let bucketed = self.bucketed.iter().find(|(stored, _)| !element && *stored == of);
        let turn = bucketed.map(|(_, turn)| turn.clone());
        for (position, condition) in view.read.conditions.iter().enumerate() {
            let value = match &condition.predicate {
                Predicate::Compare { column, comparison: Comparison::Equal, value }
                    if !element && view.is_same_column(*column, of) =>
                {
                    value
                }
                Predicate::Holds { column, value }
                    if element && view.is_same_column(*column, of) =>
                {
                    value
                }
                Predicate::In { column, .. } | Predicate::AnyOf { column, .. }
                    if turn.is_some() && view.is_same_column(*column, of) =>
                {
                    self.used[position] = true;
                    let Some(turn) = turn else { return false };
                    self.fix_clustering_to(name, turn, at);
                    return true;
                }
                Predicate::In { column, values }
                    if !element && view.is_same_column(*column, of) =>
                {
                    self.used[position] = true;
                    let values = values.iter().map(operand).collect();
                    self.relations.push(Relation::In { column: name.clone(), values });
                    return true;
                }
                Predicate::AnyOf { column, parameter }
                    if !element && view.is_same_column(*column, of) =>
                {
                    self.used[position] = true;
                    let list = Operand::Parameter(*parameter);
                    self.relations.push(Relation::InList { column: name.clone(), list });
                    return true;
                }
                _ => continue,
            };
            self.used[position] = true;
            self.fix_clustering_to(name, operand(value), at);
            return true;
        }
        let given = if element { None } else { view.earlier_value(of) };
        let Some(value) = given else { return false };
        self.fix_clustering_to(name, value, at);
        true
    }

    /// Fixes the clustering column at a position to one value.
    fn fix_clustering_to(&mut self, name: &str, value: Operand, at: usize) {
        self.relations.push(Relation::equal(name, value));
        if self.fixed_clustering == at {
            self.fixed_clustering += 1;
        }
    }

    /// Restricts several clustering columns at once, by a row value.
    fn restrict_rows(&mut self, view: ReadView<'_>, clustering: &[&PlannedColumn]) -> bool {
        for (at, condition) in view.read.conditions.iter().enumerate() {
            let Predicate::Row { columns, comparison, values } = &condition.predicate else {
                continue;
            };
            let stored: Option<Vec<_>> = columns
                .iter()
                .map(|column| view.find_stored(*column).map(|stored| &stored.name))
                .collect();
            let fits = stored.is_some_and(|names| {
                names.len() <= clustering.len()
                    && names.iter().zip(clustering).all(|(name, column)| **name == column.name)
            });
            if fits {
                self.used[at] = true;
                let names = clustering[..columns.len()].iter();
                self.relations.push(Relation::Row {
                    columns: names.map(|column| column.name.clone()).collect(),
                    operator: comparison.operator(),
                    values: values.iter().map(operand).collect(),
                });
                return true;
            }
        }
        false
    }

    /// Restricts a clustering column to a range; the server accepts one bound on each side, the
    /// client filters by others.
    fn restrict_range(&mut self, view: ReadView<'_>, column: &PlannedColumn, of: Column) {
        let bound =
            |operator, value| Relation::Column { column: column.name.clone(), operator, value };
        let (mut from, mut to) = (false, false);
        for (at, condition) in view.read.conditions.iter().enumerate() {
            match &condition.predicate {
                Predicate::Compare { column, comparison, value }
                    if view.is_same_column(*column, of) =>
                {
                    let is_given = match lower_bound_side(*comparison) {
                        Some(true) => &mut from,
                        Some(false) => &mut to,
                        None => continue,
                    };
                    if std::mem::replace(is_given, true) {
                        continue;
                    }
                    self.used[at] = true;
                    self.relations.push(bound(comparison.operator(), operand(value)));
                }
                Predicate::Prefix { column, value }
                    if view.is_same_column(*column, of) && !from && !to =>
                {
                    (from, to) = (true, true);
                    self.used[at] = true;
                    let end = Operand::AfterPrefix(Box::new(operand(value)));
                    self.relations.push(bound(Operator::Gte, operand(value)));
                    self.relations.push(bound(Operator::Lt, end));
                }
                _ => {}
            }
        }
    }
}

/// The first characters of the text searched for.
fn prefix(view: ReadView<'_>, of: Column, length: usize) -> Option<Operand> {
    let searched = view.read.conditions.iter().find_map(|condition| match &condition.predicate {
        Predicate::Prefix { column, value } if view.is_same_column(*column, of) => {
            Some(operand(value))
        }
        _ => None,
    });
    let value = searched.or_else(|| view.equality_value(of))?;
    Some(Operand::PrefixOf(Box::new(value), length))
}

/// A walk over the buckets of a column, between the bounds that the read gives.
fn walk(view: ReadView<'_>, of: Column, bucket: Bucket) -> BucketWalk {
    let bound = |lower: bool| {
        view.read.conditions.iter().find_map(|condition| match &condition.predicate {
            Predicate::Compare { column, comparison, value }
                if view.is_same_column(*column, of)
                    && lower_bound_side(*comparison) == Some(lower) =>
            {
                Some(operand(value))
            }
            Predicate::Row { columns, comparison, values }
                if columns.first().is_some_and(|column| view.is_same_column(*column, of))
                    && lower_bound_side(*comparison) == Some(lower) =>
            {
                values.first().map(operand)
            }
            _ => None,
        })
    };
    BucketWalk {
        bucket,
        newest_first: true,
        from: bound(true),
        to: bound(false),
        // The age of rows does not tell the range of an integer.
        retain: volume::time_retention(view.concept, view.table, of)
            .filter(|_| bucket.days().is_some()),
        oldest: None,
        newest: None,
        stops_at_limit: false,
        ahead: 1,
    }
}

/// A value of the workload as an operand.
pub(super) fn operand(value: &Value) -> Operand {
    match value {
        Value::Parameter(parameter) => Operand::Parameter(*parameter),
        Value::Literal(literal) => Operand::Literal(literal.clone()),
    }
}

/// Whether a comparison gives a lower bound; `None` for equality.
fn lower_bound_side(comparison: Comparison) -> Option<bool> {
    match comparison {
        Comparison::Equal => None,
        Comparison::Greater | Comparison::GreaterOrEqual => Some(true),
        Comparison::Less | Comparison::LessOrEqual => Some(false),
    }
}
