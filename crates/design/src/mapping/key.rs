//! The primary key of a read's table, rule by rule: equality, range, order, uniqueness.

use model::dependency::{Determinant, RowKey};
use model::id::IdList;
use model::plan::topic::KeyTopic;
use model::plan::{ColumnRole, Derivation, Direction, MappingReason, MappingRule, Note};
use model::workload::{Column, OutputValue};

use super::read_shape::{Equality, ReadShape};
use super::refuse;

/// A column of a primary key that has no name and type yet.
#[derive(Clone, Debug)]
pub(super) struct KeyColumn {
    pub(super) derivation: Derivation,
    pub(super) role: ColumnRole,
    pub(super) reasons: Vec<MappingReason>,
}

/// A primary key being built.
#[derive(Debug)]
pub(super) struct KeyBuilder<'a, 'b> {
    shape: &'b ReadShape<'a>,
    pub(super) columns: Vec<KeyColumn>,
    /// The key that identifies rows, where it is not the primary one.
    row_key: Option<RowKey>,
}

impl<'a, 'b> KeyBuilder<'a, 'b> {
    /// The key of a table that holds the rows of a read.
    pub(super) fn for_rows(shape: &'b ReadShape<'a>) -> Result<Self, Box<Note>> {
        Self::for_rows_after(shape, &[], None)
    }

    /// The same with some of the columns given by equality as the first clustering columns, in this
    /// order, rather than in the partition key, and with another key of the rows than the primary
    /// one.
    pub(super) fn for_rows_after(
        shape: &'b ReadShape<'a>,
        clustered: &[Determinant],
        row_key: Option<RowKey>,
    ) -> Result<Self, Box<Note>> {
        let mut key = Self { row_key, ..Self::for_partition(shape, clustered)? };
        key.cluster_groups();
        key.cluster_lists();
        key.cluster_ranges();
        key.cluster_order();
        key.cluster_extreme();
        key.complete()?;
        Ok(key)
    }

    /// The key of a table that holds a counter for each group: what is given (partly as clustering
    /// columns), then the groups.
    pub(super) fn for_groups(
        shape: &'b ReadShape<'a>,
        clustered: &[Determinant],
    ) -> Result<Self, Box<Note>> {
        let mut key = Self::for_partition(shape, clustered)?;
        key.cluster_groups();
        Ok(key)
    }

    fn for_partition(
        shape: &'b ReadShape<'a>,
        clustered: &[Determinant],
    ) -> Result<Self, Box<Note>> {
        let mut key = Self { shape, columns: Vec::new(), row_key: None };
        key.lead_with_tenant()?;
        for equality in &shape.equalities {
            if !clustered.contains(&equality.known) {
                key.add_equality_column(*equality);
            }
        }
        if key.columns.is_empty() {
            key.partition_without_equality();
        }
        for known in clustered {
            key.cluster_given(*known);
        }
        Ok(key)
    }

    /// What the columns so far determine of a row.
    pub(super) fn determinants(&self) -> Vec<Determinant> {
        self.columns.iter().filter_map(|column| as_known(&column.derivation)).collect()
    }

    fn add(&mut self, role: ColumnRole, derivation: Derivation, rule: MappingRule, text: String) {
        let reasons = vec![MappingReason { rule, read: self.shape.position, text }];
        self.columns.push(KeyColumn { derivation, role, reasons });
    }

    /// Adds one more reason to the column that is made from this one; whether there is such a
    /// column.
    fn explain(&mut self, of: Column, rule: MappingRule, text: &str) -> bool {
        let shape = self.shape;
        let same = |column: &&mut KeyColumn| {
            as_known(&column.derivation).is_some_and(|known| shape.is_same(known, of))
        };
        let Some(column) = self.columns.iter_mut().find(same) else { return false };
        column.reasons.push(MappingReason { rule, read: shape.position, text: text.to_owned() });
        true
    }

    fn lead_with_tenant(&mut self) -> Result<(), Box<Note>> {
        let Some(tenant) = &self.shape.context.concept.tenant else { return Ok(()) };
        let given = self.shape.equalities.iter().find(|equality| match equality.known {
            Determinant::Value(column) => self
                .shape
                .dependencies
                .equal_columns(column)
                .iter()
                .any(|member| self.shape.attribute(*member).name == *tenant),
            Determinant::Element(_) => false,
        });
        let Some(Equality { known: Determinant::Value(column), .. }) = given else {
            let read = self.shape.read.name.clone();
            return refuse(self.shape, KeyTopic::NoTenant { read, tenant: tenant.clone() });
        };
        self.add(
            ColumnRole::Partition,
            Derivation::Attribute(*column),
            MappingRule::Tenant,
            format!("`{tenant}` is the tenant: it is the first column of every partition key, so that no partition mixes tenants"),
        );
        Ok(())
    }

    fn add_equality_column(&mut self, equality: Equality) {
        let (name, derivation) = match equality.known {
            Determinant::Value(column) => (self.name(column), Derivation::Attribute(column)),
            Determinant::Element(column) => (self.name(column), Derivation::Element(column)),
        };
        let several = self.shape.equalities.len() > 1;
        let text = match (equality.known, equality.several) {
            (Determinant::Element(_), _) => format!(
                "an element of `{name}` is searched by equality, so each element has a row in its own partition; \
                 an index on the collection would query every node instead"
            ),
            (_, true) => format!(
                "`{name}` is compared with a list of values, which counts as equality: each value has its own partition; \
                 as a clustering column, it would put all values into one larger partition"
            ),
            (_, false) if several => format!(
                "`{name}` is given by equality, so it is in the partition key with the others; \
                 as a clustering column, it would serve the same read from larger partitions"
            ),
            (_, false) => format!(
                "`{name}` is given by equality, so it is the partition key; \
                 anywhere else, the read would have to query every partition"
            ),
        };
        if let Determinant::Value(column) = equality.known
            && self.explain(column, MappingRule::Equality, &text)
        {
            return;
        }
        self.add(ColumnRole::Partition, derivation, MappingRule::Equality, text);
    }

    fn cluster_given(&mut self, known: Determinant) {
        let (column, derivation) = match known {
            Determinant::Value(column) => (column, Derivation::Attribute(column)),
            Determinant::Element(column) => (column, Derivation::Element(column)),
        };
        let text = format!(
            "`{}` is given by equality and is a clustering column, so that reads without it find their rows in one partition; \
             in the partition key, it would make partitions smaller, but these reads would need another table",
            self.name(column)
        );
        if matches!(known, Determinant::Value(_))
            && self.explain(column, MappingRule::Equality, &text)
        {
            return;
        }
        self.add(
            ColumnRole::Clustering(Direction::Ascending),
            derivation,
            MappingRule::Equality,
            text,
        );
    }

    fn partition_without_equality(&mut self) {
        if let Some(column) = self.shape.prefix {
            let name = self.name(column);
            let column = self.shape.dependencies.canonical_column(column);
            self.add(
                ColumnRole::Partition,
                Derivation::Prefix(column, 1),
                MappingRule::Constant,
                format!(
                    "`{name}` is searched by prefix and no column by equality, so its first character is the partition key; \
                     a constant key would put all rows into one partition"
                ),
            );
        } else {
            self.add(
                ColumnRole::Partition,
                Derivation::Constant,
                MappingRule::Constant,
                "no column is given by equality, so the partition key is a constant; without it, every node would have to be queried"
                    .to_owned(),
            );
        }
    }

    /// GROUP BY attributes that are not given: those with a range first, then those that order,
    /// then as written.
    fn cluster_groups(&mut self) {
        let shape = self.shape;
        let same = |left: Column, right: Column| shape.dependencies.is_equal(left, right);
        let mut groups = shape.read.group.clone();
        groups.sort_by_key(|group| {
            let ranged = shape.ranges.iter().any(|range| same(*range, *group));
            let ordered = shape.read.order.iter().position(|order| same(order.column, *group));
            (!ranged, ordered.unwrap_or(usize::MAX))
        });
        for group in groups {
            let text = format!(
                "rows are grouped by `{}`, so the rows of a group are stored together; it is not in the partition key, because its value is not given",
                self.name(group)
            );
            self.cluster(group, MappingRule::Group, &text);
        }
    }

    /// Lists of values come before a range: the server takes IN on a clustering column and a range
    /// of the next one, but not in the opposite order.
    fn cluster_lists(&mut self) {
        for list in self.shape.lists.clone() {
            let text = format!(
                "`{}` is compared with a list of values and orders the result first, so it is the first clustering column; \
                 after a column compared by range, it could not restrict the rows that are read",
                self.name(list)
            );
            self.cluster(list, MappingRule::Equality, &text);
        }
    }

    fn cluster_ranges(&mut self) {
        for range in self.shape.ranges.clone() {
            let text = format!(
                "`{}` is compared by range, so it is a clustering column after the columns given by equality; \
                 in the partition key, it could be compared by equality only",
                self.name(range)
            );
            self.cluster(range, MappingRule::Inequality, &text);
        }
    }

    /// ORDER BY, except columns determined by those before them: they change no order.
    fn cluster_order(&mut self) {
        let shape = self.shape;
        for ordering in &shape.read.order {
            let column = shape.dependencies.canonical_column(ordering.column);
            let name = self.name(column);
            let follows = shape
                .dependencies
                .closure(&self.determinants())
                .contains(Determinant::Value(column));
            let way = if ordering.descending { "descending" } else { "ascending" };
            let sorts = if self.has_range_before(column) {
                format!(
                    "the result is ordered by `{name}`, {way}, but only among rows with the same value of the range column; the client sorts the rest"
                )
            } else {
                format!(
                    "the result is ordered by `{name}`, {way}, and the rows of a partition are stored in that order; the client does not have to sort"
                )
            };
            if follows {
                self.explain(column, MappingRule::Order, &sorts);
                continue;
            }
            match &ordering.null_as {
                Some(constant)
                    if shape.is_nullable(column) && !shape.holds.not_null.contains(&column) =>
                {
                    let direction = direction(ordering.descending);
                    let derivation = Derivation::Coalesced(column, constant.clone());
                    let text = format!("{sorts}; null is stored as {constant}");
                    self.add(
                        ColumnRole::Clustering(direction),
                        derivation,
                        MappingRule::Order,
                        text,
                    );
                }
                _ => self.cluster(column, MappingRule::Order, &sorts),
            }
        }
    }

    /// The minimum or maximum comes first in its partition (or group).
    fn cluster_extreme(&mut self) {
        let Some((column, descending)) = self.shape.extreme() else { return };
        let name = self.name(column);
        let which = if descending { "maximum" } else { "minimum" };
        let text = format!(
            "only the {which} of `{name}` is needed, so it is stored first; otherwise every row would be read"
        );
        if self.explain(column, MappingRule::Order, &text) {
            return;
        }
        let derivation = Derivation::Attribute(self.shape.dependencies.canonical_column(column));
        self.add(
            ColumnRole::Clustering(direction(descending)),
            derivation,
            MappingRule::Order,
            text,
        );
    }

    /// What is missing to make the key unique, ascending, in the order of declaration.
    fn complete(&mut self) -> Result<(), Box<Note>> {
        let known = self.determinants();
        let missing = self.shape.dependencies.complete_key_by(&known, self.row_key);
        let Some(missing) = missing else {
            let keyless = self.shape.read.sources.enumerate_ids();
            let keyless = keyless
                .map(|(at, _)| self.shape.dependencies.entity(at))
                .find(|entity| entity.primary_key().is_empty());
            let name = keyless.map_or("", |entity| entity.name.as_str());
            return refuse(self.shape, KeyTopic::NoKey { entity: name.to_owned() });
        };
        let so_far = self.names();
        let unique = if self.row_key.is_some() { " by what is unique in the model" } else { "" };
        for known in missing {
            let (name, derivation) = match known {
                Determinant::Value(column) => (self.name(column), Derivation::Attribute(column)),
                Determinant::Element(column) => (self.name(column), Derivation::Element(column)),
            };
            self.add(
                ColumnRole::Clustering(Direction::Ascending),
                derivation,
                MappingRule::Key,
                format!("`{name}` completes the key{unique}: without it, rows with the same {so_far} would overwrite one another"),
            );
        }
        Ok(())
    }

    /// Adds a clustering column in the direction of the result's order, or a reason to an existing
    /// one.
    fn cluster(&mut self, column: Column, rule: MappingRule, text: &str) {
        if self.explain(column, rule, text) {
            return;
        }
        let same = |order: &&model::workload::SortColumn| {
            self.shape.dependencies.is_equal(order.column, column)
        };
        let ordered = self.shape.read.order.iter().find(same);
        let role = ColumnRole::Clustering(direction(ordered.is_some_and(|order| order.descending)));
        let derivation = Derivation::Attribute(self.shape.dependencies.canonical_column(column));
        self.add(role, derivation, rule, text.to_owned());
    }

    /// Whether a range on another column comes before this one, so that the client has to sort.
    fn has_range_before(&self, column: Column) -> bool {
        let same = |left: Column, right: Column| self.shape.dependencies.is_equal(left, right);
        let ordered =
            |range: Column| self.shape.read.order.iter().any(|order| same(order.column, range));
        self.shape.ranges.iter().any(|range| !same(*range, column) && !ordered(*range))
    }

    fn name(&self, column: Column) -> String {
        self.shape.attribute(column).name.clone()
    }

    /// The names of what the columns so far are made from, for a sentence.
    fn names(&self) -> String {
        let names = self.columns.iter().filter_map(|column| match &column.derivation {
            Derivation::Attribute(of) | Derivation::Element(of) | Derivation::Coalesced(of, _) => {
                Some(format!("`{}`", self.name(*of)))
            }
            _ => None,
        });
        let names: Vec<String> = names.collect();
        match names.split_last() {
            None => "partition".to_owned(),
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
        }
    }
}

impl ReadShape<'_> {
    /// The column whose minimum (or, `true`, maximum) is all that is returned, of the whole result
    /// or of each group.
    pub(super) fn extreme(&self) -> Option<(Column, bool)> {
        let mut found: Option<(Column, bool)> = None;
        for output in &self.read.outputs {
            let (column, descending) = match output.value {
                OutputValue::Least(column) => (column, false),
                OutputValue::Greatest(column) => (column, true),
                OutputValue::Column(column) if self.read.group.contains(&column) => continue,
                _ => return None,
            };
            match found {
                None => found = Some((column, descending)),
                Some((other, _)) if other != column => return None,
                Some((_, before)) => found = Some((column, before && descending)),
            }
        }
        let (column, descending) = found?;
        let elsewhere = self.ranges.iter().any(|range| !self.dependencies.is_equal(*range, column));
        let grouped_nulls = self.is_nullable(column) && !self.read.group.is_empty();
        let fits = !elsewhere && !grouped_nulls && !self.attribute(column).counter;
        fits.then_some((column, descending))
    }
}

/// What a key column determines of a row.
pub(crate) fn as_known(derivation: &Derivation) -> Option<Determinant> {
    match derivation {
        Derivation::Attribute(column) => Some(Determinant::Value(*column)),
        Derivation::Element(column) => Some(Determinant::Element(*column)),
        _ => None,
    }
}

const fn direction(descending: bool) -> Direction {
    if descending { Direction::Descending } else { Direction::Ascending }
}
