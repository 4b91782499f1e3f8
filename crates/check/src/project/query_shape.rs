//! What SELECTs ask of a table by their text: also those that the server refuses, which tell most about a key that does not fit.

use cql::relation::{Operator, RelationKind};
use cql::statement::select::Select;
use schema::catalog::Table;

use super::{Project, ReplayedStatement, TableFacts};

/// What a SELECT asks for, as positions among the columns of its table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct QueryShape {
    /// Columns fixed to one value.
    pub(crate) equal: Vec<usize>,
    /// Columns with a list of values.
    pub(crate) listed: Vec<usize>,
    /// Columns with a range.
    pub(crate) ranged: Vec<usize>,
    /// Columns with any other condition: CONTAINS, LIKE, elements, tokens.
    pub(crate) otherwise: Vec<usize>,
    /// ORDER BY: the columns, and whether the largest come first.
    pub(crate) order: Vec<(usize, bool)>,
}

/// A SELECT of a table, whatever became of it.
#[derive(Debug)]
pub(crate) struct TableQuery<'p> {
    /// The statement.
    pub(crate) seen: &'p ReplayedStatement,
    /// Its text.
    pub(crate) select: &'p Select,
    /// What it asks for.
    pub(crate) shape: &'p QueryShape,
}

impl QueryShape {
    /// Whether a column has one value or a list of them.
    pub(crate) fn is_fixed(&self, column: usize) -> bool {
        self.equal.contains(&column) || self.listed.contains(&column)
    }

    /// Whether the partitions are named: every column of the partition key has a value or a list of them.
    pub(crate) fn has_partition_key(&self, table: &Table) -> bool {
        (0..table.partition_key().len()).all(|column| self.is_fixed(column))
    }

    /// Whether a column is looked at in any way.
    pub(crate) fn is_used(&self, column: usize) -> bool {
        self.is_fixed(column)
            || self.ranged.contains(&column)
            || self.otherwise.contains(&column)
            || self.order.iter().any(|(ordered, _)| *ordered == column)
    }

    /// Whether there is any condition.
    pub(crate) fn has_predicates(&self) -> bool {
        let all = [&self.equal, &self.listed, &self.ranged, &self.otherwise];
        all.iter().any(|columns| !columns.is_empty())
    }
}

impl TableFacts {
    /// The SELECTs that ask for it, refused ones included, in the order of the texts.
    pub(crate) fn queries<'p>(
        &'p self,
        project: &'p Project<'_>,
    ) -> impl Iterator<Item = TableQuery<'p>> {
        let shapes = self.cached.shapes.get_or_init(|| {
            let selects =
                self.queries.iter().filter_map(|at| project.select(project.statements.get(*at)?));
            selects.map(|select| query_shape(&self.table, select)).collect()
        });
        self.queries.iter().zip(shapes).filter_map(|(at, shape)| {
            let seen = project.statements.get(*at)?;
            Some(TableQuery { seen, select: project.select(seen)?, shape })
        })
    }
}

/// What a SELECT asks of a table. Names of columns that it does not have are left out.
pub(crate) fn query_shape(table: &Table, select: &Select) -> QueryShape {
    let mut shape = QueryShape::default();
    for relation in &select.relations {
        let list = match &relation.kind {
            RelationKind::Column(_, operator, _) | RelationKind::Tuple(_, operator, _) => {
                shape.columns_for(*operator)
            }
            RelationKind::In { negated: false, .. } | RelationKind::TupleIn(..) => {
                &mut shape.listed
            }
            RelationKind::Between(..) => &mut shape.ranged,
            RelationKind::Element(..)
            | RelationKind::In { .. }
            | RelationKind::IsNotNull(_)
            | RelationKind::Token(..)
            | RelationKind::CustomIndex(..) => &mut shape.otherwise,
        };
        let names = relation.kind.columns();
        for position in names.iter().filter_map(|name| table.column_index(&name.text)) {
            if !list.contains(&position) {
                list.push(position);
            }
        }
    }
    let ordered = select.order_by.iter().filter(|ordering| ordering.ann_of.is_none());
    shape.order = ordered
        .filter_map(|one| Some((table.column_index(&one.column.text)?, one.descending)))
        .collect();
    shape
}

impl QueryShape {
    fn columns_for(&mut self, operator: Operator) -> &mut Vec<usize> {
        match operator {
            Operator::Eq => &mut self.equal,
            Operator::Lt | Operator::Lte | Operator::Gt | Operator::Gte => &mut self.ranged,
            Operator::Neq | Operator::Contains | Operator::ContainsKey | Operator::Like => {
                &mut self.otherwise
            }
        }
    }
}
