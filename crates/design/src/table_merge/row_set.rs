//! Which rows a table holds, in a form that compares equal whatever the sources are called.

use model::concept::Concept;
use model::dependency::Dependencies;
use model::id::{AttributeId, EntityId, IdList, ReferenceId, SourceId};
use model::plan::{Derivation, RowDefinition};
use model::workload::{Column, Predicate};

/// A path of references from the entity that makes the rows to another.
pub(crate) type ReferencePath = Vec<ReferenceId>;

/// The rows of a table: the entity that makes them, what each of them leads to, and which are left
/// out.
#[derive(Clone, Debug)]
pub(crate) struct RowSet {
    /// The entity that makes the rows.
    pub(crate) maker: EntityId,
    /// For each source of the table, how it is reached.
    pub(crate) paths: Vec<ReferencePath>,
    /// Those of them that may lead to no row, which leaves out none.
    optional: Vec<ReferencePath>,
    filters: Vec<PathPredicate>,
    not_null: Vec<ColumnPath>,
    elements: Vec<ColumnPath>,
}

/// The identity of a set of rows, for maps.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RowSetKey {
    maker: EntityId,
    filters: Vec<PathPredicate>,
    not_null: Vec<ColumnPath>,
    elements: Vec<ColumnPath>,
    /// The paths that do not exist for every row, or whose rows may expire earlier.
    ways: Vec<ReferencePath>,
}

/// A column of any table with the same maker.
pub(crate) type ColumnPath = (ReferencePath, AttributeId);

/// A predicate on constants, independent of the names of its sources.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PathPredicate {
    places: Vec<ColumnPath>,
    /// The predicate; its columns are given by the paths alone.
    test: Predicate,
}

impl PathPredicate {
    fn new(test: &Predicate, place: impl Fn(Column) -> Option<ColumnPath>) -> Self {
        let places = test.columns().iter().copied().filter_map(place).collect();
        let nameless = Column { source: SourceId::new(0), attribute: AttributeId::new(0) };
        let renamed = test.map_columns(|_| Some(nameless));
        Self { places, test: renamed.unwrap_or_else(|| test.clone()) }
    }
}

impl RowSet {
    /// `None` when the rows are made by several entities, or not all is reached by references from
    /// one.
    pub(crate) fn new(concept: &Concept, holds: &RowDefinition) -> Option<Self> {
        let dependencies = Dependencies::new(concept, &holds.sources);
        let [maker] = dependencies.row_sources()[..] else { return None };
        let paths = paths(&dependencies, holds, maker)?;
        let place = |column: Column| -> Option<ColumnPath> {
            let column = dependencies.canonical_column(column);
            Some((paths.get(column.source.index())?.clone(), column.attribute))
        };
        let sorted = |columns: &[Column]| {
            let mut places: Vec<ColumnPath> =
                columns.iter().filter_map(|one| place(*one)).collect();
            places.sort();
            places.dedup();
            places
        };
        let mut filters: Vec<PathPredicate> = holds
            .filters
            .iter()
            .map(|filter| PathPredicate::new(&filter.predicate, place))
            .collect();
        filters.sort();
        filters.dedup();
        let sources = holds.sources.iter().zip(&paths);
        let optional = sources.filter(|(source, _)| source.is_optional());
        let optional = optional.map(|(_, path)| path.clone()).collect();
        Some(Self {
            maker: holds.sources.member(maker)?.entity,
            not_null: sorted(&holds.not_null),
            elements: sorted(&holds.elements),
            filters,
            paths,
            optional,
        })
    }

    /// Whether both have the same rows: the same are left out, and paths that only one of them has
    /// exist for every row.
    pub(crate) fn has_same_rows(&self, other: &Self, concept: &Concept) -> bool {
        let always = |from: &Self, to: &Self| {
            from.paths
                .iter()
                .filter(|path| from.can_exclude_rows(concept, path))
                .all(|path| to.paths.contains(path) && !to.optional.contains(path))
        };
        self.maker == other.maker
            && self.filters == other.filters
            && self.not_null == other.not_null
            && self.elements == other.elements
            && always(self, other)
            && always(other, self)
    }

    /// Whether rows without what a path leads to are left out.
    fn can_exclude_rows(&self, concept: &Concept, path: &ReferencePath) -> bool {
        !self.optional.contains(path) && !is_never_null(concept, self.maker, path)
    }

    /// The same for all tables with the same rows: unlike [`RowSet::has_same_rows`], it can be
    /// looked up. A path that exists for every row is left out, unless its rows expire before those
    /// of the maker.
    pub(crate) fn key(&self, concept: &Concept) -> RowSetKey {
        let may_be_missing = |path: &&ReferencePath| {
            self.can_exclude_rows(concept, path) || can_expire_first(concept, self.maker, path)
        };
        let mut ways: Vec<ReferencePath> =
            self.paths.iter().filter(may_be_missing).cloned().collect();
        ways.sort();
        RowSetKey {
            maker: self.maker,
            filters: self.filters.clone(),
            not_null: self.not_null.clone(),
            elements: self.elements.clone(),
            ways,
        }
    }

    /// Whether both lead to the same entities.
    pub(crate) fn has_same_sources(&self, other: &Self) -> bool {
        self.paths.len() == other.paths.len()
            && self.paths.iter().all(|path| other.paths.contains(path))
    }

    /// The path of a column of a table with these rows.
    pub(crate) fn column_path(&self, column: Column) -> Option<ColumnPath> {
        Some((self.paths.get(column.source.index())?.clone(), column.attribute))
    }

    /// A derivation of a table with these rows, in the sources of a table that has those paths.
    pub(crate) fn translate(
        &self,
        derivation: &Derivation,
        to: &[ReferencePath],
    ) -> Option<Derivation> {
        let column = |column: &Column| -> Option<Column> {
            let path = self.paths.get(column.source.index())?;
            let source = to.iter().position(|other| other == path).map(SourceId::new)?;
            Some(Column { source, attribute: column.attribute })
        };
        Some(match derivation {
            Derivation::Attribute(of) => Derivation::Attribute(column(of)?),
            Derivation::Coalesced(of, null) => Derivation::Coalesced(column(of)?, null.clone()),
            Derivation::Element(of) => Derivation::Element(column(of)?),
            Derivation::Bucket(of, bucket) => Derivation::Bucket(column(of)?, *bucket),
            Derivation::Shard { of, count } => Derivation::Shard {
                of: of.iter().map(column).collect::<Option<_>>()?,
                count: *count,
            },
            Derivation::Prefix(of, length) => Derivation::Prefix(column(of)?, *length),
            Derivation::Count(Some(of)) => Derivation::Count(Some(column(of)?)),
            Derivation::Sum(of) => Derivation::Sum(column(of)?),
            Derivation::Count(None)
            | Derivation::Constant
            | Derivation::Oldest(_)
            | Derivation::Newest(_) => derivation.clone(),
        })
    }
}

/// How each source is reached from the one that makes the rows, along references.
fn paths(
    dependencies: &Dependencies<'_>,
    holds: &RowDefinition,
    maker: SourceId,
) -> Option<Vec<ReferencePath>> {
    let mut paths: Vec<Option<ReferencePath>> = vec![None; holds.sources.len()];
    *paths.get_mut(maker.index())? = Some(Vec::new());
    // Each turn reaches at least one more source, or there is one that cannot be reached.
    while paths.iter().any(Option::is_none) {
        let reached = holds.sources.ids().find_map(|at| {
            let (holder, target) = dependencies.join_ends(at)?;
            let join = holds.sources[at].join?;
            let path =
                paths[holder.index()].as_ref().filter(|_| paths[target.index()].is_none())?;
            Some((target, path.iter().copied().chain([join.reference]).collect::<ReferencePath>()))
        });
        let (target, path) = reached?;
        paths[target.index()] = Some(path);
    }
    paths.into_iter().collect()
}

/// Whether a path exists for every row: no reference along it is null.
fn is_never_null(concept: &Concept, maker: EntityId, path: &[ReferenceId]) -> bool {
    let mut entity = maker;
    path.iter().all(|reference| {
        let holder = &concept.entities[entity];
        holder.references.member(*reference).is_some_and(|reference| {
            entity = reference.target;
            let null = |at: &AttributeId| holder.attributes.member(*at).is_some_and(|a| a.nullable);
            !reference.nullable && !reference.attributes.iter().any(null)
        })
    })
}

/// Whether a row on a path may expire before the one that it starts from.
fn can_expire_first(concept: &Concept, maker: EntityId, path: &[ReferenceId]) -> bool {
    let mut entity = maker;
    let own =
        concept.entities.member(maker).and_then(|maker| maker.retain).unwrap_or(f64::INFINITY);
    path.iter().any(|reference| {
        let reference =
            concept.entities.member(entity).and_then(|one| one.references.member(*reference));
        let Some(reference) = reference else { return false };
        entity = reference.target;
        concept
            .entities
            .member(entity)
            .and_then(|target| target.retain)
            .is_some_and(|kept| kept < own)
    })
}
