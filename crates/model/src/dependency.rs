//! Functional dependencies over the join of a read's sources, and the keys of its result.
//!
//! Columns that a join makes equal are one *class* (`v.userid` and `u.userid` of videos joined to
//! their users). Every key of an entity determines all its attributes, so the row that holds a
//! reference determines the row that it refers to. [`Dependencies::closure`] is the attribute
//! closure of Armstrong's axioms, by fixpoint over the sources; joins have few of them, so the
//! simple quadratic form is fast enough.

use std::collections::BTreeSet;

use crate::concept::{Concept, Entity};
use crate::id::{AttributeId, IdList, SourceId};
use crate::workload::{Column, Source};

/// The dependencies of a join of sources.
///
/// An array whose elements make separate rows adds one more determinant: which element it is.
#[derive(Clone, Debug)]
pub struct Dependencies<'a> {
    concept: &'a Concept,
    sources: &'a [Source],
    /// Where the columns of each source begin in `classes`.
    starts: Vec<usize>,
    /// For each column the position of the one that stands for its class.
    classes: Vec<usize>,
    /// Columns that have the same value in every row.
    constants: Vec<Column>,
    /// Arrays whose elements make rows.
    elements: Vec<Column>,
}

/// What determines, or is determined: the value of a column, or which element of an array a row is
/// for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Determinant {
    /// The value of a column.
    Value(Column),
    /// The element of an array that the row is for.
    Element(Column),
}

/// A key of the entity of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowKey {
    source: SourceId,
    /// The position among its keys.
    position: usize,
}

impl<'a> Dependencies<'a> {
    /// The dependencies of a join of sources.
    pub fn new(concept: &'a Concept, sources: &'a [Source]) -> Self {
        let mut starts = Vec::with_capacity(sources.len());
        let mut columns = 0;
        for source in sources {
            starts.push(columns);
            columns += concept.entities.member(source.entity).map_or(0, |e| e.attributes.len());
        }
        let mut dependencies = Self {
            concept,
            sources,
            starts,
            classes: (0..columns).collect(),
            constants: Vec::new(),
            elements: Vec::new(),
        };
        for at in sources.ids() {
            for (left, right) in dependencies.join_pairs(at) {
                dependencies.unite(left, right);
            }
        }
        dependencies
    }

    /// Treats these columns as having one value in all rows.
    #[must_use]
    pub fn with_constants(mut self, constants: &[Column]) -> Self {
        self.constants = constants.to_vec();
        self
    }

    /// Treats each element of these arrays as a separate row.
    #[must_use]
    pub fn with_elements(mut self, elements: &[Column]) -> Self {
        self.elements = elements.to_vec();
        self
    }

    /// The entity of a source.
    pub fn entity(&self, source: SourceId) -> &'a Entity {
        &self.concept.entities[self.sources[source].entity]
    }

    /// The source that holds the reference of a join, and the one that it refers to; `None` for the
    /// first source.
    pub fn join_ends(&self, source: SourceId) -> Option<(SourceId, SourceId)> {
        let join = self.sources[source].join?;
        Some(if join.to_one { (join.with, source) } else { (source, join.with) })
    }

    /// Whether two columns are equal in every row because a join makes them so.
    pub fn is_equal(&self, left: Column, right: Column) -> bool {
        self.class(left) == self.class(right)
    }

    /// All columns that are equal to this one in every row, itself included, in the order of the
    /// sources.
    pub fn equal_columns(&self, column: Column) -> Vec<Column> {
        let class = self.class(column);
        self.all_columns().filter(|other| self.class(*other) == class).collect()
    }

    /// The representative of the equal columns: that of a source that no other refers to, if there
    /// is one, since a write to that source has its value. Among those the first.
    pub fn canonical_column(&self, column: Column) -> Column {
        let members = self.equal_columns(column);
        members
            .iter()
            .copied()
            .find(|member| !members.iter().any(|other| self.has_path(other.source, member.source)))
            .unwrap_or(column)
    }

    /// The sources that make the rows: no other one refers to them. One row of the result for each
    /// combination of theirs.
    pub fn row_sources(&self) -> Vec<SourceId> {
        let sources = self.sources.ids();
        let targets: BTreeSet<SourceId> =
            sources.clone().filter_map(|at| Some(self.join_ends(at)?.1)).collect();
        sources.filter(|at| !targets.contains(at)).collect()
    }

    /// Everything that the known columns determine.
    pub fn closure(&self, known: &[Determinant]) -> Closure<'_> {
        let mut closure = Closure {
            dependencies: self,
            classes: BTreeSet::new(),
            elements: BTreeSet::new(),
            rows: vec![false; self.sources.len()],
        };
        for known in known {
            match *known {
                Determinant::Value(column) => _ = closure.classes.insert(self.class(column)),
                Determinant::Element(column) => _ = closure.elements.insert(column),
            }
        }
        closure.classes.extend(self.constants.iter().map(|column| self.class(*column)));
        // Each turn adds a source's row or ends, so there are at most as many as sources.
        while self.sources.ids().any(|source| closure.add_source(source)) {}
        closure
    }

    /// Whether the known columns are a key: rows that agree in them are the same row.
    pub fn is_key(&self, known: &[Determinant]) -> bool {
        self.closure(known).has_all()
    }

    /// The columns that complete the known ones to a key: the attributes of the primary keys of the
    /// sources that make the rows, in the order they are declared, without those that are known
    /// already; last the elements.
    ///
    /// `None` when an entity has no key.
    pub fn complete_key(&self, known: &[Determinant]) -> Option<Vec<Determinant>> {
        self.complete_key_by(known, None)
    }

    /// The same, with this key of a source's entity in place of its primary key.
    pub fn complete_key_by(
        &self,
        known: &[Determinant],
        other_key: Option<RowKey>,
    ) -> Option<Vec<Determinant>> {
        let mut added = Vec::new();
        let mut all = known.to_vec();
        for source in self.row_sources() {
            let entity = self.entity(source);
            if self.closure(&all).has_row(source) {
                continue;
            }
            let other = other_key.filter(|key| key.source == source);
            let other = other.and_then(|key| entity.keys.get(key.position));
            let key = other.map_or_else(|| entity.primary_key(), Vec::as_slice);
            if key.is_empty() {
                return None;
            }
            for &attribute in key {
                let column = Determinant::Value(Column { source, attribute });
                if !self.closure(&all).contains(column) {
                    added.push(column);
                    all.push(column);
                }
            }
        }
        let elements = self.elements.iter().map(|column| Determinant::Element(*column));
        added.extend(elements.filter(|element| !known.contains(element)));
        Some(added)
    }

    /// The key of a source's entity that lies within these columns, if one does.
    pub fn key_within(&self, source: SourceId, columns: &[Column]) -> Option<&'a [AttributeId]> {
        let classes: BTreeSet<usize> = columns.iter().map(|column| self.class(*column)).collect();
        let within = |key: &&Vec<AttributeId>| {
            let mut columns = key.iter().map(|&attribute| Column { source, attribute });
            !key.is_empty() && columns.all(|column| classes.contains(&self.class(column)))
        };
        self.entity(source).keys.iter().find(within).map(Vec::as_slice)
    }

    /// The keys other than primary ones that could complete a key.
    pub fn other_row_keys(&self) -> Vec<RowKey> {
        let keys = |source: SourceId| {
            let others = 1..self.entity(source).keys.len();
            others.map(move |position| RowKey { source, position })
        };
        self.row_sources().into_iter().flat_map(keys).collect()
    }

    fn class(&self, column: Column) -> usize {
        let place = self.position(column);
        self.classes.get(place).copied().unwrap_or(place)
    }

    fn position(&self, column: Column) -> usize {
        self.starts
            .get(column.source.index())
            .map_or(usize::MAX, |start| start + column.attribute.index())
    }

    fn all_columns(&self) -> impl Iterator<Item = Column> {
        self.sources.ids().flat_map(|source| {
            self.entity(source).attributes.ids().map(move |attribute| Column { source, attribute })
        })
    }

    /// Whether a source refers to another, along joins.
    fn has_path(&self, from: SourceId, to: SourceId) -> bool {
        if from == to {
            return false;
        }
        let mut reached = BTreeSet::from([from]);
        // A join tree of n sources has paths of at most n steps.
        for _ in 0..self.sources.len() {
            let ends = self.sources.ids().filter_map(|at| self.join_ends(at));
            let more: Vec<SourceId> = ends
                .filter(|(holder, target)| reached.contains(holder) && !reached.contains(target))
                .map(|(_, target)| target)
                .collect();
            if more.is_empty() {
                break;
            }
            reached.extend(more);
        }
        reached.contains(&to)
    }

    /// The pairs of columns that the join of a source makes equal.
    fn join_pairs(&self, source: SourceId) -> Vec<(Column, Column)> {
        let (Some(join), Some((holder, target))) =
            (self.sources[source].join, self.join_ends(source))
        else {
            return Vec::new();
        };
        let Some(reference) = self.entity(holder).references.get(join.reference.index()) else {
            return Vec::new();
        };
        let left =
            reference.attributes.iter().map(|&attribute| Column { source: holder, attribute });
        let right = reference.target_attributes.iter();
        left.zip(right.map(|&attribute| Column { source: target, attribute })).collect()
    }

    fn unite(&mut self, left: Column, right: Column) {
        let (left, right) = (self.class(left), self.class(right));
        let (kept, gone) = (left.min(right), left.max(right));
        for class in &mut self.classes {
            if *class == gone {
                *class = kept;
            }
        }
    }
}

/// The columns and rows that a set of known columns determines.
#[derive(Clone, Debug)]
pub struct Closure<'a> {
    dependencies: &'a Dependencies<'a>,
    classes: BTreeSet<usize>,
    elements: BTreeSet<Column>,
    rows: Vec<bool>,
}

impl Closure<'_> {
    /// Whether this is determined.
    pub fn contains(&self, known: Determinant) -> bool {
        match known {
            Determinant::Value(column) => self.classes.contains(&self.dependencies.class(column)),
            Determinant::Element(column) => self.elements.contains(&column),
        }
    }

    /// Whether the row of a source is determined.
    pub fn has_row(&self, source: SourceId) -> bool {
        self.rows.get(source.index()).copied().unwrap_or(false)
    }

    /// Whether the rows and elements of all sources are determined.
    pub fn has_all(&self) -> bool {
        self.rows.iter().all(|row| *row)
            && self.dependencies.elements.iter().all(|element| self.elements.contains(element))
    }

    /// Adds the attributes of a source whose row is determined; whether it was not known before.
    fn add_source(&mut self, source: SourceId) -> bool {
        if self.rows[source.index()] || !(self.has_key(source) || self.is_referred_to(source)) {
            return false;
        }
        self.rows[source.index()] = true;
        let attributes = self.dependencies.entity(source).attributes.ids();
        let class = |attribute| self.dependencies.class(Column { source, attribute });
        self.classes.extend(attributes.map(class));
        true
    }

    /// Whether a key of a source's entity is known.
    fn has_key(&self, source: SourceId) -> bool {
        self.dependencies.entity(source).keys.iter().any(|key| {
            let mut key = key.iter().map(|&attribute| Column { source, attribute });
            key.len() > 0 && key.all(|column| self.contains(Determinant::Value(column)))
        })
    }

    /// Whether the attributes by which a join refers to a source are all known: they name one row
    /// of it.
    fn is_referred_to(&self, source: SourceId) -> bool {
        self.dependencies.sources.ids().any(|at| {
            let target = self.dependencies.join_ends(at).map(|(_, target)| target);
            let pairs = self.dependencies.join_pairs(at);
            target == Some(source)
                && !pairs.is_empty()
                && pairs.iter().all(|(_, column)| self.contains(Determinant::Value(*column)))
        })
    }
}

#[cfg(test)]
mod tests {
    use cql::Span;
    use cql::types::{NativeType, Type};

    use super::{Dependencies, Determinant};
    use crate::concept::{
        Attribute, Concept, Entity, FanOut, FanOutCourse, Figure, Growth, GrowthCurve, Origin,
        Reference, ReferenceAction, Skew,
    };
    use crate::id::{AttributeId, EntityId, ReferenceId, SourceId};
    use crate::workload::{Column, Join, Source};

    fn ids(positions: &[usize]) -> Vec<AttributeId> {
        positions.iter().copied().map(AttributeId::new).collect()
    }

    fn entity(name: &str, attributes: &[&str], keys: &[&[usize]]) -> Entity {
        let attribute = |name: &&str| Attribute {
            name: (*name).to_owned(),
            ty: Type::Native(NativeType::Text),
            nullable: false,
            default: None,
            generated: None,
            limit: None,
            counter: false,
            exact: false,
            hidden: false,
            bytes: Figure::from_assumption(32.0),
            items: Figure::from_assumption(1.0),
            items_growth: Growth::default(),
            distinct: Figure::from_assumption(1.0),
            skew: Skew::Uniform,
            span: Span::default(),
        };
        Entity {
            name: name.to_owned(),
            attributes: attributes.iter().map(attribute).collect(),
            keys: keys.iter().map(|key| ids(key)).collect(),
            references: Vec::new(),
            unique: Vec::new(),
            checks: Vec::new(),
            supertype: None,
            rows: Figure::from_assumption(1.0),
            grows: Figure::from_assumption(0.0),
            curve: GrowthCurve::default(),
            retain: None,
            span: Span::default(),
        }
    }

    fn add_reference(mut entity: Entity, attributes: &[usize], target: usize) -> Entity {
        entity.references.push(Reference {
            attributes: ids(attributes),
            target: EntityId::new(target),
            target_attributes: (0..attributes.len()).map(AttributeId::new).collect(),
            nullable: false,
            on_delete: ReferenceAction::NoAction,
            on_update: ReferenceAction::NoAction,
            fan_out: FanOut {
                mean: 1.0,
                p99: 1.0,
                max: 1.0,
                p999: None,
                per: None,
                origin: Origin::Given,
            },
            course: FanOutCourse::default(),
            skew: Skew::Uniform,
            relation: None,
            span: Span::default(),
        });
        entity
    }

    /// Users, their videos, and comments of users on videos (which have the time in their key).
    fn videos() -> Concept {
        let users = entity("users", &["userid", "email", "name"], &[&[0], &[1]]);
        let videos = entity("videos", &["videoid", "userid", "title", "tags"], &[&[0]]);
        let comments = entity("comments", &["userid", "videoid", "at", "comment"], &[&[0, 1, 2]]);
        Concept {
            keyspace: String::new(),
            replication: Vec::new(),
            nodes: 1,
            tenant: None,
            entities: vec![
                users,
                add_reference(videos, &[1], 0),
                add_reference(add_reference(comments, &[0], 0), &[1], 1),
            ],
            types: Vec::new(),
        }
    }

    fn source(entity: usize, join: Option<(usize, usize, bool)>) -> Source {
        let join = join.map(|(with, reference, to_one)| Join {
            with: SourceId::new(with),
            reference: ReferenceId::new(reference),
            to_one,
            optional: false,
        });
        Source { entity: EntityId::new(entity), alias: String::new(), join }
    }

    const fn column(source: usize, attribute: usize) -> Column {
        Column { source: SourceId::new(source), attribute: AttributeId::new(attribute) }
    }

    const fn value(source: usize, attribute: usize) -> Determinant {
        Determinant::Value(column(source, attribute))
    }

    #[test]
    fn columns_that_a_join_makes_equal_are_one() {
        let concept = videos();
        let sources = [source(0, None), source(1, Some((0, 0, false)))];
        let of = Dependencies::new(&concept, &sources);
        let (user, owner) = (column(0, 0), column(1, 1));
        assert!(of.is_equal(user, owner));
        assert_eq!(of.equal_columns(user), [user, owner]);
        assert_eq!(of.canonical_column(user), owner, "a video's insert knows it");
        assert_eq!(of.row_sources(), [SourceId::new(1)]);
    }

    #[test]
    fn the_many_side_determines_the_one_side_and_not_the_reverse() {
        let concept = videos();
        let sources = [source(1, None), source(0, Some((0, 0, true)))];
        let of = Dependencies::new(&concept, &sources);
        assert!(of.is_key(&[value(0, 0)]));
        assert!(of.closure(&[value(0, 0)]).contains(value(1, 2)), "the user's name");
        assert!(!of.is_key(&[value(1, 0)]));
        assert!(
            of.closure(&[value(1, 1)]).contains(value(0, 1)),
            "an email names the videos' owner"
        );
        assert_eq!(of.complete_key(&[value(1, 0)]), Some(vec![value(0, 0)]));
        assert_eq!(of.complete_key(&[value(0, 0)]), Some(vec![]));
    }

    #[test]
    fn completion_is_in_the_order_of_the_key_without_what_is_known() {
        let concept = videos();
        let sources =
            [source(2, None), source(0, Some((0, 0, true))), source(1, Some((0, 1, true)))];
        let of = Dependencies::new(&concept, &sources);
        assert_eq!(
            of.complete_key(&[value(1, 2)]),
            Some(vec![value(0, 0), value(0, 1), value(0, 2)]),
            "by the user's name"
        );
        assert_eq!(
            of.complete_key(&[value(1, 2), value(0, 2)]),
            Some(vec![value(0, 0), value(0, 1)]),
            "and the time"
        );
        assert_eq!(
            of.complete_key(&[value(1, 1)]),
            Some(vec![value(0, 1), value(0, 2)]),
            "an email is a key of the user, so the user is known"
        );
        assert_eq!(of.complete_key(&[value(2, 0), value(1, 0)]), Some(vec![value(0, 2)]));
    }

    #[test]
    fn two_many_sides_both_make_rows() {
        let concept = videos();
        // users u JOIN videos v ON v.userid = u.userid JOIN comments c ON c.userid = u.userid
        let sources =
            [source(0, None), source(1, Some((0, 0, false))), source(2, Some((0, 0, false)))];
        let of = Dependencies::new(&concept, &sources);
        assert_eq!(of.row_sources(), [1, 2].map(SourceId::new));
        assert_eq!(
            of.complete_key(&[value(0, 0)]),
            Some(vec![value(1, 0), value(2, 1), value(2, 2)])
        );
        assert!(!of.is_key(&[value(1, 0), value(2, 1)]));
        assert!(of.is_key(&[value(1, 0), value(2, 1), value(2, 2)]), "a video knows its user");
    }

    #[test]
    fn constants_are_known_and_elements_are_not() {
        let concept = videos();
        let sources = [source(2, None)];
        let at = column(0, 2);
        let of = Dependencies::new(&concept, &sources).with_constants(&[at]);
        assert!(of.is_key(&[value(0, 0), value(0, 1)]));
        let sources = [source(1, None)];
        let tags = column(0, 3);
        let of = Dependencies::new(&concept, &sources).with_elements(&[tags]);
        assert!(!of.is_key(&[value(0, 0)]), "a video has a row for each of its tags");
        assert!(of.is_key(&[Determinant::Element(tags), value(0, 0)]));
        assert_eq!(of.complete_key(&[Determinant::Element(tags)]), Some(vec![value(0, 0)]));
        assert_eq!(of.complete_key(&[value(0, 0)]), Some(vec![Determinant::Element(tags)]));
    }

    #[test]
    fn an_entity_that_refers_to_itself_is_two_sources() {
        let employees = entity("employees", &["id", "manager_id", "name"], &[&[0]]);
        let mut concept = videos();
        concept.entities = vec![add_reference(employees, &[1], 0)];
        let sources = [source(0, None), source(0, Some((0, 0, true)))];
        let of = Dependencies::new(&concept, &sources);
        assert_eq!(of.row_sources(), [SourceId::new(0)]);
        assert!(!of.is_equal(column(0, 0), column(1, 0)));
        assert!(of.is_key(&[value(0, 0)]));
        assert_eq!(of.complete_key(&[value(1, 2)]), Some(vec![value(0, 0)]));
    }

    #[test]
    fn without_a_key_nothing_completes() {
        let mut concept = videos();
        concept.entities[1].keys.clear();
        let sources = [source(1, None)];
        let of = Dependencies::new(&concept, &sources);
        assert_eq!(of.complete_key(&[value(0, 0)]), None);
        assert!(!of.is_key(&[value(0, 0), value(0, 1), value(0, 2), value(0, 3)]));
    }

    #[test]
    fn a_key_inside_columns_is_found_across_a_join() {
        let concept = videos();
        let sources = [source(1, None), source(0, Some((0, 0, true)))];
        let of = Dependencies::new(&concept, &sources);
        let owner = column(0, 1);
        assert_eq!(of.key_within(SourceId::new(1), &[owner]), Some(&[AttributeId::new(0)][..]));
        assert_eq!(of.key_within(SourceId::new(0), &[owner]), None);
    }
}
