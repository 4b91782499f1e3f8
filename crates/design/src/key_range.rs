//! The rows of a table that one DELETE covers: all rows under a prefix of its key, or a range of the
//! clustering columns after it. The write plan makes the statement, the cost counts its tombstones.

use model::id::AttributeId;
use model::plan::{Bucket, ColumnRole, Derivation, PlannedColumn, PlannedTable};
use model::workload::{Column, Comparison, Condition, Predicate};

/// What a DELETE says of the row that it deletes.
pub(crate) struct DeleteConditions<'f, 'c> {
    /// The attribute of the row that a column of the table's sources is.
    pub(crate) attribute_of: &'f dyn Fn(Column) -> Option<AttributeId>,
    /// Whether it gives the value of an attribute.
    pub(crate) is_given: &'f dyn Fn(AttributeId) -> bool,
    /// The attributes whose values it gives and that have to restrict the key.
    pub(crate) key: &'f [AttributeId],
    /// The other conditions.
    pub(crate) others: &'f [&'c Condition],
}

/// A range of a table's rows, in each partition that may have some of them.
pub(crate) struct KeyRange<'t, 'c> {
    /// The columns of the partition key with their values.
    pub(crate) partition: Vec<(&'t PlannedColumn, PartitionValue)>,
    /// The clustering columns that have one value.
    pub(crate) clustering: Vec<(&'t PlannedColumn, AttributeId)>,
    /// The names of the columns that a condition bounds, and the condition.
    pub(crate) bounds: Vec<(Vec<&'t str>, &'c Predicate)>,
}

/// The value of a column of the partition key.
pub(crate) enum PartitionValue {
    /// The only one that there is.
    Constant,
    /// That of an attribute.
    Attribute(AttributeId),
    /// The first characters of an attribute.
    Prefix(AttributeId, usize),
    /// The bucket of an attribute.
    Bucket(AttributeId, Bucket),
    /// One bucket after the other.
    EachBucket(Column, Bucket),
    /// The shard of these attributes.
    Shard(Vec<AttributeId>, u32),
    /// One shard after the other.
    EachShard(u32),
}

impl<'t, 'c> KeyRange<'t, 'c> {
    /// The range of a table's rows that a statement deletes; `None` where its conditions are no
    /// range of the table's key.
    pub(crate) fn new(table: &'t PlannedTable, delete: &DeleteConditions<'_, 'c>) -> Option<Self> {
        let partition: Option<Vec<_>> = table
            .partition_key()
            .map(|column| Some((column, delete.partition_value(&column.derivation)?)))
            .collect();
        let given = |column: &'t PlannedColumn| {
            let attribute = delete.attribute_in(column)?;
            (delete.is_given)(attribute).then_some((column, attribute))
        };
        let clustering: Vec<_> = table.clustering().map_while(given).collect();
        let open: Vec<_> = table.clustering().skip(clustering.len()).collect();
        let bounds = delete.bounds(&open)?;
        let range = Self { partition: partition?, clustering, bounds };
        let statics = table.columns.iter().any(|column| column.role == ColumnRole::Static);
        let is_partition = range.clustering.is_empty() && range.bounds.is_empty();
        let is_used = |attribute: &AttributeId| range.list_fixed().any(|fixed| fixed == *attribute);
        // Deleting a whole partition would delete static columns, which belong to another entity.
        (delete.key.iter().all(is_used) && !(statics && is_partition)).then_some(range)
    }

    /// The attributes that the key restricts by equality.
    fn list_fixed(&self) -> impl Iterator<Item = AttributeId> {
        let partition = self.partition.iter().filter_map(|(_, value)| match value {
            PartitionValue::Attribute(attribute) => Some(*attribute),
            _ => None,
        });
        partition.chain(self.clustering.iter().map(|(_, attribute)| *attribute))
    }

    /// Whether it is one row at most.
    pub(crate) fn is_row(&self, table: &PlannedTable) -> bool {
        self.clustering.len() == table.clustering().count()
    }
}

impl<'c> DeleteConditions<'_, 'c> {
    /// The attribute of the row that a column stores as it is.
    fn attribute_in(&self, column: &PlannedColumn) -> Option<AttributeId> {
        let Derivation::Attribute(of) = column.derivation else { return None };
        (self.attribute_of)(of)
    }

    /// The attribute, where the statement gives its value.
    fn find_given(&self, of: Column) -> Option<AttributeId> {
        (self.attribute_of)(of).filter(|attribute| (self.is_given)(*attribute))
    }

    /// The value of a column of the partition key.
    fn partition_value(&self, derivation: &Derivation) -> Option<PartitionValue> {
        match derivation {
            Derivation::Attribute(of) => self.find_given(*of).map(PartitionValue::Attribute),
            Derivation::Constant => Some(PartitionValue::Constant),
            Derivation::Prefix(of, length) => {
                self.find_given(*of).map(|attribute| PartitionValue::Prefix(attribute, *length))
            }
            Derivation::Bucket(of, bucket) => Some(match self.find_given(*of) {
                Some(attribute) => PartitionValue::Bucket(attribute, *bucket),
                None => PartitionValue::EachBucket(*of, *bucket),
            }),
            Derivation::Shard { of, count } => {
                let given: Option<Vec<AttributeId>> =
                    of.iter().map(|of| self.find_given(*of)).collect();
                Some(match given {
                    Some(given) => PartitionValue::Shard(given, *count),
                    None => PartitionValue::EachShard(*count),
                })
            }
            // A row whose value is null is stored under the constant, and no equality means it.
            Derivation::Coalesced(..)
            | Derivation::Element(_)
            | Derivation::Count(_)
            | Derivation::Sum(_)
            | Derivation::Oldest(_)
            | Derivation::Newest(_) => None,
        }
    }

    /// The other conditions as bounds of the clustering columns that have no value.
    fn bounds<'t>(&self, open: &[&'t PlannedColumn]) -> Option<Vec<(Vec<&'t str>, &'c Predicate)>> {
        let mut bounds = Vec::new();
        let (mut lower, mut upper) = (0, 0);
        for condition in self.others {
            let predicate = &condition.predicate;
            let (columns, comparison) = match predicate {
                Predicate::Compare { column, comparison, .. } => {
                    (std::slice::from_ref(column), *comparison)
                }
                Predicate::Row { columns, comparison, .. } => (&**columns, *comparison),
                _ => return None,
            };
            if comparison == Comparison::Equal {
                return None;
            }
            bounds.push((self.find_bound_names(columns, open)?, predicate));
            *(if is_lower(comparison) { &mut lower } else { &mut upper }) += 1;
        }
        // CQL takes one bound on either side.
        (lower <= 1 && upper <= 1).then_some(bounds)
    }

    /// The names of the columns that conditions on these columns bound: the first that are open.
    fn find_bound_names<'t>(
        &self,
        columns: &[Column],
        open: &[&'t PlannedColumn],
    ) -> Option<Vec<&'t str>> {
        let first = open.first()?.role;
        let bounded = open.get(..columns.len())?;
        // In mixed directions, a row value is no single range.
        let is_bounded = columns.iter().zip(bounded).all(|(column, open)| {
            self.attribute_in(open) == Some(column.attribute) && open.role == first
        });
        is_bounded.then(|| bounded.iter().map(|column| &*column.name).collect())
    }
}

/// Whether a comparison bounds from below.
pub(crate) const fn is_lower(comparison: Comparison) -> bool {
    matches!(comparison, Comparison::Greater | Comparison::GreaterOrEqual)
}
