//! [`TableShape`]: how the rows of a table follow from the rows of one entity, the one whose rows
//! make its rows, and of those that they refer to.

use model::concept::Concept;
use model::id::{AttributeId, EntityId, IdList, SourceId};
use model::plan::{Derivation, PlannedColumn, PlannedTable};
use model::workload::{Column, Source};

/// The joins of a table, from the source whose rows make its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TableShape {
    /// The source from which all others are single rows.
    pub(super) driver: SourceId,
    /// Its entity.
    pub(super) entity: EntityId,
    /// The references to the other sources; each starts at the driver or at the end of an earlier
    /// one.
    pub(super) links: Vec<Link>,
}

/// A reference from a source to the single row of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) from: SourceId,
    pub(super) to: SourceId,
    /// The entity that is referred to.
    pub(super) entity: EntityId,
    /// The attributes that refer.
    pub(super) from_attributes: Vec<AttributeId>,
    /// The attributes that are referred to, pairwise.
    pub(super) to_attributes: Vec<AttributeId>,
    /// Where it refers to nothing, the row stays.
    pub(super) is_optional: bool,
    /// It may refer to nothing.
    pub(super) is_nullable: bool,
}

impl TableShape {
    /// The shape of a table; `None` where no source determines a single row of all others.
    pub(super) fn new(concept: &Concept, table: &PlannedTable) -> Option<Self> {
        let sources = &table.holds.sources;
        sources.ids().find_map(|driver| Self::from_driver(concept, sources, driver))
    }

    fn from_driver(concept: &Concept, sources: &[Source], driver: SourceId) -> Option<Self> {
        let entity = sources.member(driver)?.entity;
        let mut reached = vec![driver];
        let mut links = Vec::new();
        while reached.len() < sources.len() {
            let mut further = sources.ids().filter(|at| !reached.contains(at));
            let link = further.find_map(|to| {
                reached.iter().find_map(|from| find_link(concept, sources, *from, to))
            })?;
            reached.push(link.to);
            links.push(link);
        }
        Some(Self { driver, entity, links })
    }

    /// The column nearest to the driver that is joined to be equal to a column.
    pub(super) fn canonical(&self, column: Column) -> Column {
        self.links.iter().rev().fold(column, |column, link| {
            if column.source != link.to {
                return column;
            }
            let at = link.to_attributes.iter().position(|it| *it == column.attribute);
            let attribute = at.and_then(|at| link.from_attributes.get(at));
            attribute
                .map_or(column, |attribute| Column { source: link.from, attribute: *attribute })
        })
    }

    /// The columns that a derivation needs, each as near to the driver as possible.
    pub(super) fn inputs(&self, derivation: &Derivation) -> Vec<Column> {
        derivation.columns().iter().map(|column| self.canonical(*column)).collect()
    }

    /// The attribute of the driver whose value a column of the table has.
    pub(super) fn driver_attribute(&self, column: &PlannedColumn) -> Option<AttributeId> {
        let Derivation::Attribute(of) = column.derivation else { return None };
        let of = self.canonical(of);
        (of.source == self.driver).then_some(of.attribute)
    }
}

/// The reference from one source to a single row of another that is joined with it.
fn find_link(concept: &Concept, sources: &[Source], from: SourceId, to: SourceId) -> Option<Link> {
    let (first, second) = (sources.member(from)?, sources.member(to)?);
    let onward = second.join.filter(|join| join.with == from && join.to_one);
    let back = first.join.filter(|join| join.with == to && !join.to_one);
    let join = onward.or(back)?;
    let reference = concept.entities.member(first.entity)?.references.member(join.reference)?;
    Some(Link {
        from,
        to,
        entity: second.entity,
        from_attributes: reference.attributes.clone(),
        to_attributes: reference.target_attributes.clone(),
        is_optional: onward.is_some_and(|join| join.optional),
        is_nullable: reference.nullable,
    })
}
