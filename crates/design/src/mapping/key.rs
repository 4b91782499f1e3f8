//! The primary key of a read's table, rule by rule: equality, range, order, uniqueness.

use model::dependency::Known;
use model::id::Numbered;
use model::plan::topic::KeyTopic;
use model::plan::{Derivation, Direction, Note, Reason, Role, Rule};
use model::workload::{Column, OutputValue};

use super::asked::{Asked, Equality};
use super::refuse;

/// A column of a primary key that has no name and type yet.
#[derive(Clone, Debug)]
pub(super) struct KeyColumn {
    pub(super) derivation: Derivation,
    pub(super) role: Role,
    pub(super) reasons: Vec<Reason>,
}

/// A primary key in the making.
#[derive(Debug)]
pub(super) struct Key<'a, 'b> {
    asked: &'b Asked<'a>,
    pub(super) columns: Vec<KeyColumn>,
}

impl<'a, 'b> Key<'a, 'b> {
    /// The key of a table that holds the rows of a read.
    pub(super) fn of_rows(asked: &'b Asked<'a>) -> Result<Self, Box<Note>> {
        Self::of_rows_after(asked, &[])
    }

    /// The same where these of the things given cluster first, in this order, rather than name the partition.
    pub(super) fn of_rows_after(
        asked: &'b Asked<'a>,
        clustered: &[Known],
    ) -> Result<Self, Box<Note>> {
        let mut key = Self::of_partition(asked, clustered)?;
        key.cluster_groups();
        key.cluster_ranges();
        key.cluster_order();
        key.cluster_extreme();
        key.complete()?;
        Ok(key)
    }

    /// The key of a table that holds a counter for each group: what is given (of which some clusters), then the groups.
    pub(super) fn of_groups(asked: &'b Asked<'a>, clustered: &[Known]) -> Result<Self, Box<Note>> {
        let mut key = Self::of_partition(asked, clustered)?;
        key.cluster_groups();
        Ok(key)
    }

    fn of_partition(asked: &'b Asked<'a>, clustered: &[Known]) -> Result<Self, Box<Note>> {
        let mut key = Self { asked, columns: Vec::new() };
        key.lead_with_tenant()?;
        for equality in &asked.equalities {
            if !clustered.contains(&equality.known) {
                key.partition_by(*equality);
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
    pub(super) fn known(&self) -> Vec<Known> {
        self.columns.iter().filter_map(|column| known(&column.derivation)).collect()
    }

    fn add(&mut self, role: Role, derivation: Derivation, rule: Rule, text: String) {
        let reasons = vec![Reason { rule, read: self.asked.position, text }];
        self.columns.push(KeyColumn { derivation, role, reasons });
    }

    /// Adds one more reason to the column that is made from this one; whether there is such a column.
    fn explain(&mut self, of: Column, rule: Rule, text: &str) -> bool {
        let asked = self.asked;
        let same = |column: &&mut KeyColumn| {
            known(&column.derivation).is_some_and(|known| asked.is_same(known, of))
        };
        let Some(column) = self.columns.iter_mut().find(same) else { return false };
        column.reasons.push(Reason { rule, read: asked.position, text: text.to_owned() });
        true
    }

    fn lead_with_tenant(&mut self) -> Result<(), Box<Note>> {
        let Some(tenant) = &self.asked.context.concept.tenant else { return Ok(()) };
        let given = self.asked.equalities.iter().find(|equality| match equality.known {
            Known::Value(column) => self
                .asked
                .dependencies
                .members(column)
                .iter()
                .any(|member| self.asked.attribute(*member).name == *tenant),
            Known::Element(_) => false,
        });
        let Some(Equality { known: Known::Value(column), .. }) = given else {
            let read = self.asked.read.name.clone();
            return refuse(self.asked, KeyTopic::NoTenant { read, tenant: tenant.clone() });
        };
        self.add(
            Role::Partition,
            Derivation::Attribute(*column),
            Rule::Tenant,
            format!("`{tenant}` is the tenant: it leads every partition key, so that no partition mixes tenants"),
        );
        Ok(())
    }

    fn partition_by(&mut self, equality: Equality) {
        let (name, derivation) = match equality.known {
            Known::Value(column) => (self.name(column), Derivation::Attribute(column)),
            Known::Element(column) => (self.name(column), Derivation::Element(column)),
        };
        let several = self.asked.equalities.len() > 1;
        let text = match (equality.known, equality.several) {
            (Known::Element(_), _) => format!(
                "an element of `{name}` is searched by equality, so each element has a row in its own partition; \
                 an index on the collection would ask every node instead"
            ),
            (_, true) => format!(
                "`{name}` is one of a list of values, which is an equality: one partition for each value; \
                 as a clustering column all values would share one larger partition"
            ),
            (_, false) if several => format!(
                "`{name}` is given by equality, so it is in the partition key with the others; \
                 as a clustering column it would serve the same read from larger partitions"
            ),
            (_, false) => format!(
                "`{name}` is given by equality, so it names the partition; \
                 anywhere else the read would have to ask every partition"
            ),
        };
        if let Known::Value(column) = equality.known
            && self.explain(column, Rule::Equality, &text)
        {
            return;
        }
        self.add(Role::Partition, derivation, Rule::Equality, text);
    }

    fn cluster_given(&mut self, known: Known) {
        let (column, derivation) = match known {
            Known::Value(column) => (column, Derivation::Attribute(column)),
            Known::Element(column) => (column, Derivation::Element(column)),
        };
        let text = format!(
            "`{}` is given by equality and clusters, so that reads without it find their rows together; \
             in the partition key it would make partitions smaller, and these reads would need another table",
            self.name(column)
        );
        if matches!(known, Known::Value(_)) && self.explain(column, Rule::Equality, &text) {
            return;
        }
        self.add(Role::Clustering(Direction::Ascending), derivation, Rule::Equality, text);
    }

    fn partition_without_equality(&mut self) {
        if let Some(column) = self.asked.prefix {
            let name = self.name(column);
            let column = self.asked.dependencies.nearest(column);
            self.add(
                Role::Partition,
                Derivation::Prefix(column, 1),
                Rule::Constant,
                format!(
                    "`{name}` is searched by its beginning and nothing by equality, so its first character names the \
                     partition; one constant partition would hold all rows"
                ),
            );
        } else {
            self.add(
                Role::Partition,
                Derivation::Constant,
                Rule::Constant,
                "nothing is given by equality, so a constant names the one partition; without it every node would be asked"
                    .to_owned(),
            );
        }
    }

    /// GROUP BY attributes that are not given: those with a range first, then those that order, then as written.
    fn cluster_groups(&mut self) {
        let asked = self.asked;
        let same = |left: Column, right: Column| asked.dependencies.same(left, right);
        let mut groups = asked.read.group.clone();
        groups.sort_by_key(|group| {
            let ranged = asked.ranges.iter().any(|range| same(*range, *group));
            let ordered = asked.read.order.iter().position(|order| same(order.column, *group));
            (!ranged, ordered.unwrap_or(usize::MAX))
        });
        for group in groups {
            let text = format!(
                "rows are grouped by `{}`, so those of a group lie together; not in the partition key, since it is not given",
                self.name(group)
            );
            self.cluster(group, Rule::Group, &text);
        }
    }

    fn cluster_ranges(&mut self) {
        for range in self.asked.ranges.clone() {
            let text = format!(
                "`{}` is compared by range, so it clusters after everything given by equality; \
                 in the partition key it could be compared by equality only",
                self.name(range)
            );
            self.cluster(range, Rule::Inequality, &text);
        }
    }

    /// ORDER BY, but for columns that follow from those before them: they change no order.
    fn cluster_order(&mut self) {
        let asked = self.asked;
        for ordering in &asked.read.order {
            let column = asked.dependencies.nearest(ordering.column);
            let name = self.name(column);
            let follows = asked.dependencies.closure(&self.known()).has(Known::Value(column));
            let way = if ordering.descending { "descending" } else { "ascending" };
            let sorts = if self.sorts_otherwise(column) {
                format!(
                    "the result is ordered by `{name}`, {way}, among rows equal in the range; the client sorts the rest"
                )
            } else {
                format!(
                    "the result is ordered by `{name}`, {way}, and rows of a partition lie in that order; the client need not sort"
                )
            };
            if follows {
                self.explain(column, Rule::Order, &sorts);
                continue;
            }
            match &ordering.null_as {
                Some(constant)
                    if asked.nullable(column) && !asked.holds.not_null.contains(&column) =>
                {
                    let direction = direction(ordering.descending);
                    let derivation = Derivation::Coalesced(column, constant.clone());
                    let text = format!("{sorts}; null is stored as {constant}");
                    self.add(Role::Clustering(direction), derivation, Rule::Order, text);
                }
                _ => self.cluster(column, Rule::Order, &sorts),
            }
        }
    }

    /// The least or greatest value stands first in its partition (or group).
    fn cluster_extreme(&mut self) {
        let Some((column, descending)) = self.asked.extreme() else { return };
        let name = self.name(column);
        let which = if descending { "greatest" } else { "least" };
        let text = format!(
            "the {which} `{name}` is wanted, so it stands first; else every row would be read"
        );
        if self.explain(column, Rule::Order, &text) {
            return;
        }
        let derivation = Derivation::Attribute(self.asked.dependencies.nearest(column));
        self.add(Role::Clustering(direction(descending)), derivation, Rule::Order, text);
    }

    /// What is missing to tell rows apart, ascending, in the order it is declared.
    fn complete(&mut self) -> Result<(), Box<Note>> {
        let Some(missing) = self.asked.dependencies.completion(&self.known()) else {
            let keyless = self.asked.read.sources.numbered();
            let keyless = keyless
                .map(|(at, _)| self.asked.dependencies.entity(at))
                .find(|entity| entity.primary_key().is_empty());
            let name = keyless.map_or("", |entity| entity.name.as_str());
            return refuse(self.asked, KeyTopic::NoKey { entity: name.to_owned() });
        };
        let so_far = self.names();
        for known in missing {
            let (name, derivation) = match known {
                Known::Value(column) => (self.name(column), Derivation::Attribute(column)),
                Known::Element(column) => (self.name(column), Derivation::Element(column)),
            };
            self.add(
                Role::Clustering(Direction::Ascending),
                derivation,
                Rule::Key,
                format!("`{name}` completes the key: without it, rows with the same {so_far} would overwrite one another"),
            );
        }
        Ok(())
    }

    /// Adds a clustering column in the direction that the result is ordered by, or the reason to the one that is there.
    fn cluster(&mut self, column: Column, rule: Rule, text: &str) {
        if self.explain(column, rule, text) {
            return;
        }
        let same =
            |order: &&model::workload::Ordering| self.asked.dependencies.same(order.column, column);
        let ordered = self.asked.read.order.iter().find(same);
        let role = Role::Clustering(direction(ordered.is_some_and(|order| order.descending)));
        let derivation = Derivation::Attribute(self.asked.dependencies.nearest(column));
        self.add(role, derivation, rule, text.to_owned());
    }

    /// Whether a range on another column stands before this one in the order, so that the client has to sort.
    fn sorts_otherwise(&self, column: Column) -> bool {
        let same = |left: Column, right: Column| self.asked.dependencies.same(left, right);
        let ordered =
            |range: Column| self.asked.read.order.iter().any(|order| same(order.column, range));
        self.asked.ranges.iter().any(|range| !same(*range, column) && !ordered(*range))
    }

    fn name(&self, column: Column) -> String {
        self.asked.attribute(column).name.clone()
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

impl Asked<'_> {
    /// The column whose least (or, `true`, greatest) value is all that is wanted, of the whole result or of each group.
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
        let elsewhere = self.ranges.iter().any(|range| !self.dependencies.same(*range, column));
        let grouped_nulls = self.nullable(column) && !self.read.group.is_empty();
        let fits = !elsewhere && !grouped_nulls && !self.attribute(column).counter;
        fits.then_some((column, descending))
    }
}

/// What the value of a key column tells of a row.
pub(crate) fn known(derivation: &Derivation) -> Option<Known> {
    match derivation {
        Derivation::Attribute(column) => Some(Known::Value(*column)),
        Derivation::Element(column) => Some(Known::Element(*column)),
        _ => None,
    }
}

const fn direction(descending: bool) -> Direction {
    if descending { Direction::Descending } else { Direction::Ascending }
}
