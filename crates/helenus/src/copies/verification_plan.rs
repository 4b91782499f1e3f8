//! [`VerificationPlan`]: for each entity the table that is taken as the source of truth, and for
//! each other table how its rows follow from that one.

use model::concept::AttributeRef;
use model::id::{AttributeId, EntityId, IdList, TableId};
use model::plan::{ColumnRole, Derivation, PlannedColumn, PlannedTable};
use model::workload::Column;

use super::definitions::Definitions;
use super::entity_table::EntityTable;
use super::table_shape::{Link, TableShape};

/// What is compared with what.
#[derive(Clone, Debug)]
pub(super) struct VerificationPlan {
    /// The base of each entity that has one.
    pub(super) bases: Vec<Base>,
    /// The role of each table of the design, in its order.
    pub(super) roles: Vec<TableRole>,
}

/// The table that is taken as the source of truth about an entity.
#[derive(Clone, Debug)]
pub(super) struct Base {
    pub(super) entity: EntityId,
    pub(super) table: EntityTable,
    /// Why this one.
    pub(super) reason: String,
}

/// The role of a table.
#[derive(Clone, Debug)]
pub(super) enum TableRole {
    /// It is the source of truth, and nothing in it is a copy.
    Base,
    /// Its rows, or some of their columns, are copies.
    Copy(Box<CopyPlan>),
    /// It cannot be compared, and why.
    Unverified(String),
}

/// How the rows of a table are derived and compared.
#[derive(Clone, Debug)]
pub(super) struct CopyPlan {
    pub(super) table: TableId,
    pub(super) kind: CopyKind,
    pub(super) shape: TableShape,
    /// The table of the rows that make its rows; the table itself where only columns are copies.
    pub(super) base: EntityTable,
    /// For each link of the shape the table in which its row is looked up; `None` where nothing of
    /// it is needed.
    pub(super) lookups: Vec<Option<EntityTable>>,
    /// The positions of the columns that are compared, beside the key.
    pub(super) compared: Vec<usize>,
    /// Columns that are not compared, and why.
    pub(super) skipped: Vec<(String, String)>,
    /// Whether the row of the base is found by its key from a row of the copy; else the keys of all
    /// expected rows are collected.
    pub(super) is_reversible: bool,
}

/// What a copy holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CopyKind {
    /// Rows.
    Rows,
    /// Columns of other entities, in the base itself.
    Columns,
    /// Counts and sums over rows.
    Counters,
    /// The first and the last bucket that have rows.
    Ends,
}

impl CopyKind {
    /// What of a table is compared, in reports.
    pub(super) const fn content(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Columns => "columns",
            Self::Counters => "counters",
            Self::Ends => "bucket ends",
        }
    }
}

impl VerificationPlan {
    /// The plan for the tables of a design.
    pub(super) fn new(definitions: &Definitions) -> Self {
        let tables = definitions.tables.enumerate_ids();
        let candidates: Vec<_> =
            tables.map(|(at, table)| EntityTable::new(definitions, at, table)).collect();
        let complete: Vec<&EntityTable> =
            candidates.iter().filter_map(|candidate| candidate.as_ref().ok()).collect();
        let entities = definitions.concept.entities.ids();
        let bases: Vec<Base> =
            entities.filter_map(|entity| choose_base(definitions, &complete, entity)).collect();
        let planner =
            Planner { definitions, complete: &complete, bases: &bases, candidates: &candidates };
        let roles = definitions.tables.enumerate_ids().map(|(at, table)| planner.plan(at, table));
        let roles = roles.collect();
        Self { bases, roles }
    }

    /// The copies, those first whose rows are looked up in bases only.
    pub(super) fn copies(&self) -> Vec<&CopyPlan> {
        let mut copies: Vec<&CopyPlan> = self
            .roles
            .iter()
            .filter_map(|role| match role {
                TableRole::Copy(plan) => Some(&**plan),
                _ => None,
            })
            .collect();
        copies.sort_by_key(|plan| {
            let is_base = |at: TableId| self.bases.iter().any(|base| base.table.table == at);
            !plan.lookups.iter().flatten().all(|lookup| is_base(lookup.table))
        });
        copies
    }
}

/// The table with the most attributes of an entity; of those, one that is found by the primary key,
/// with the fewest columns.
fn choose_base(
    definitions: &Definitions,
    complete: &[&EntityTable],
    entity: EntityId,
) -> Option<Base> {
    let own: Vec<_> = complete.iter().filter(|table| table.shape.entity == entity).collect();
    let described = definitions.concept.entities.member(entity)?;
    let primary = described.primary_key();
    let columns = |table: &EntityTable| {
        definitions.tables.member(table.table).map_or(0, |table| table.columns.len())
    };
    let by_key = |table: &EntityTable| table.is_found_by(|it| primary.contains(&it));
    let best = own.iter().min_by_key(|table| {
        let missing = described.attributes.len().saturating_sub(table.attributes.len());
        (missing, !by_key(table), table.shape.links.len(), columns(table), table.table.index())
    })?;
    let (has, of) = (best.attributes.len(), described.attributes.len());
    let mut reason = if has == of {
        format!("it has all {of} columns")
    } else {
        format!("it has the most columns, {has} of {of}")
    };
    let rivals = own.iter().filter(|it| it.attributes.len() == has).count();
    if rivals > 1 && by_key(best) {
        reason.push_str(" and is found by the primary key");
    }
    Some(Base { entity, table: (**best).clone(), reason })
}

/// What the roles of tables are decided from.
struct Planner<'a> {
    definitions: &'a Definitions,
    complete: &'a [&'a EntityTable],
    bases: &'a [Base],
    candidates: &'a [Result<EntityTable, String>],
}

impl Planner<'_> {
    fn plan(&self, at: TableId, table: &PlannedTable) -> TableRole {
        match self.plan_copy(at, table) {
            Ok(Some(plan)) => TableRole::Copy(Box::new(plan)),
            Ok(None) => TableRole::Base,
            Err(reason) => TableRole::Unverified(reason),
        }
    }

    /// The plan of a copy; `None` where it is a base without copies.
    fn plan_copy(&self, at: TableId, table: &PlannedTable) -> Result<Option<CopyPlan>, String> {
        if table.view_of.is_some() {
            return Err("it is a materialized view, which the server maintains".to_owned());
        }
        let shape = TableShape::new(&self.definitions.concept, table)
            .ok_or("its rows combine several rows of more than one table of the model")?;
        let base = self.find_base(shape.entity)?;
        let kind = kind(at, table, base)?;
        let required = self.list_inputs(table, &shape, kind);
        let others = table.columns.iter().filter(|column| !column.is_key());
        let wanted = others.flat_map(|column| shape.inputs(&column.derivation));
        let wanted: Vec<Column> =
            required.iter().map(|(column, _)| *column).chain(wanted).collect();
        let lookups: Vec<_> =
            shape.links.iter().map(|link| self.choose_lookup(link, &wanted)).collect();
        let plan = CopyPlan {
            table: at,
            kind,
            base: base.clone(),
            lookups,
            compared: Vec::new(),
            skipped: Vec::new(),
            is_reversible: is_reversible(table, &shape, base),
            shape,
        };
        for (column, purpose) in required {
            if !plan.has(column) {
                let missing = self.missing_text(&plan, table, column);
                return Err(format!("{purpose} is computed from {missing}"));
            }
        }
        Ok(self.with_columns(plan, table))
    }

    /// The base of an entity, or why there is none.
    fn find_base(&self, entity: EntityId) -> Result<&EntityTable, String> {
        if let Some(base) = self.bases.iter().find(|base| base.entity == entity) {
            return Ok(&base.table);
        }
        let tables = self.definitions.tables.iter().zip(self.candidates);
        let reasons: Vec<String> = tables
            .filter(|(table, _)| {
                let shape = TableShape::new(&self.definitions.concept, table);
                shape.is_some_and(|shape| shape.entity == entity)
            })
            .filter_map(|(table, candidate)| {
                candidate.as_ref().err().map(|reason| format!("{}: {reason}", table.name))
            })
            .collect();
        let name = self.definitions.entity_name(entity);
        Err(format!("no table holds every row of {name} ({})", reasons.join("; ")))
    }

    /// The columns without which the rows of a table cannot be derived, and what each is for.
    fn list_inputs(
        &self,
        table: &PlannedTable,
        shape: &TableShape,
        kind: CopyKind,
    ) -> Vec<(Column, String)> {
        let mut required = Vec::new();
        let is_needed =
            |column: &&PlannedColumn| column.is_key() || column.role == ColumnRole::Counter;
        for column in table.columns.iter().filter(is_needed) {
            let purpose = format!("its column {}", column.name);
            required.extend(
                shape.inputs(&column.derivation).into_iter().map(|it| (it, purpose.clone())),
            );
        }
        let holds = &table.holds;
        let filters = holds.filters.iter().flat_map(|filter| filter.predicate.columns());
        for column in filters.chain(&holds.not_null).chain(&holds.elements) {
            required.push((shape.canonical(*column), "the condition of its rows".to_owned()));
        }
        for link in shape.links.iter().filter(|link| link.is_nullable && !link.is_optional) {
            let columns =
                link.from_attributes.iter().map(|it| Column { source: link.from, attribute: *it });
            required.extend(columns.map(|column| (shape.canonical(column), "its join".to_owned())));
        }
        if kind == CopyKind::Ends
            && let Some(column) = self.definitions.bucket_column(table)
        {
            required.push((shape.canonical(column), "the bucket that it records".to_owned()));
        }
        required
    }

    /// The table in which the row that a link leads to is looked up: the one with the most of the
    /// columns that are needed. `None` where nothing is, or there is none.
    fn choose_lookup(&self, link: &Link, wanted: &[Column]) -> Option<EntityTable> {
        let needed = |attribute: &AttributeId| {
            wanted.contains(&Column { source: link.to, attribute: *attribute })
        };
        if !wanted.iter().any(|column| column.source == link.to) {
            return None;
        }
        let found = self.complete.iter().filter(|table| {
            table.shape.entity == link.entity
                && table.is_found_by(|it| link.to_attributes.contains(&it))
        });
        let is_base = |at: TableId| self.bases.iter().any(|base| base.table.table == at);
        let best = found.max_by_key(|table| {
            let held = table.attributes.keys().filter(|attribute| needed(attribute)).count();
            (held, is_base(table.table), std::cmp::Reverse(table.table.index()))
        });
        best.map(|table| (**table).clone())
    }

    /// Decides which columns are compared; `None` for a base in which nothing is a copy.
    fn with_columns(&self, mut plan: CopyPlan, table: &PlannedTable) -> Option<CopyPlan> {
        for (position, column) in table.columns.iter().enumerate().filter(|(_, it)| !it.is_key()) {
            let inputs = plan.shape.inputs(&column.derivation);
            let is_own = inputs.iter().all(|input| input.source == plan.shape.driver);
            if plan.kind == CopyKind::Columns && is_own {
                continue;
            }
            match inputs.iter().find(|input| !plan.has(**input)) {
                None => plan.compared.push(position),
                Some(input) => {
                    let reason = self.missing_text(&plan, table, *input);
                    plan.skipped.push((column.name.clone(), reason));
                }
            }
        }
        let is_copy =
            plan.kind != CopyKind::Columns || !plan.compared.is_empty() || !plan.skipped.is_empty();
        is_copy.then_some(plan)
    }

    /// `users.email, which users_by_name does not have`
    fn missing_text(&self, plan: &CopyPlan, table: &PlannedTable, column: Column) -> String {
        let source = table.holds.sources.member(column.source);
        let name = source.map_or_else(String::new, |source| {
            let (entity, attribute) = (source.entity, column.attribute);
            self.definitions.attribute_name(AttributeRef { entity, attribute })
        });
        match plan.table_of(column) {
            Some(holder) if holder.table == plan.table => {
                format!("{name}, which no other table has")
            }
            Some(holder) => {
                format!("{name}, which {} does not have", self.definitions.table_name(holder.table))
            }
            None => format!("{name}, whose row no table finds by the reference"),
        }
    }
}

impl CopyPlan {
    /// The table from which a column of the sources is read.
    pub(super) fn table_of(&self, column: Column) -> Option<&EntityTable> {
        if column.source == self.shape.driver {
            return Some(&self.base);
        }
        let link = self.shape.links.iter().position(|link| link.to == column.source)?;
        self.lookups.get(link)?.as_ref()
    }

    /// Whether the value of a column of the sources is read.
    fn has(&self, column: Column) -> bool {
        self.table_of(column).is_some_and(|table| table.attributes.contains_key(&column.attribute))
    }
}

/// What a table holds, beside its key.
fn kind(at: TableId, table: &PlannedTable, base: &EntityTable) -> Result<CopyKind, String> {
    let counters = || table.columns.iter().filter(|column| column.role == ColumnRole::Counter);
    if let Some(own) = counters().find(|it| matches!(it.derivation, Derivation::Attribute(_))) {
        return Err(format!("{} is a counter: only its increments are known", own.name));
    }
    Ok(if counters().next().is_some() {
        CopyKind::Counters
    } else if table.remembers.is_some() {
        CopyKind::Ends
    } else if base.table == at {
        CopyKind::Columns
    } else {
        CopyKind::Rows
    })
}

/// Whether the key of the base follows from a row of the table.
fn is_reversible(table: &PlannedTable, shape: &TableShape, base: &EntityTable) -> bool {
    let known: Vec<AttributeId> =
        table.columns.iter().filter_map(|column| shape.driver_attribute(column)).collect();
    base.is_found_by(|attribute| known.contains(&attribute))
}
