//! The fields of the rows of a query.

use crate::program::{DataType, Field, Query, Stage};

/// The columns that rows of the main step have from the beginning.
pub(super) fn present_columns(query: &Query) -> Vec<String> {
    fn add(query: &Query, at: usize, depth: usize, present: &mut Vec<String>) {
        let Some(step) = query.steps.get(at).filter(|_| depth > 0) else { return };
        present.extend(step.statement.columns.iter().map(|column| column.name.clone()));
        for parent in &step.parents {
            add(query, *parent, depth - 1, present);
        }
    }
    let mut present = Vec::new();
    add(query, query.main, query.steps.len() + 1, &mut present);
    present
}

/// Fields that stages after an aggregation compute.
pub(super) fn add_later_fields(fields: &mut Vec<Field>, query: &Query) {
    let mut add = |name: &String, ty: DataType| {
        if fields.iter().all(|field| field.name != *name) {
            fields.push(Field { name: name.clone(), ty, nullable: true });
        }
    };
    for stage in &query.stages {
        match stage {
            Stage::Average { output, .. } => add(output, DataType::Double),
            Stage::RowOfZeros(names) => {
                for name in names {
                    add(name, DataType::Bigint);
                }
            }
            Stage::Exists(names) => {
                for name in names {
                    add(name, DataType::Boolean);
                }
            }
            _ => {}
        }
    }
}
