//! How statements are printed, and that operands stand in the order of their markers.

use cql::relation::Operator;
use cql::types::NativeType;

use super::{
    AggregateFunction, AssignmentOperator, ColumnAssignment, Delete, IfClause, Insert,
    Modification, Receiver, Relation, RowLimit, Select, SelectExpression, SelectItem, Update,
};
use crate::id::{LoopId, ParameterId};
use crate::plan::{Direction, Operand};

fn parameter(at: usize) -> Operand {
    Operand::Parameter(ParameterId::new(at))
}

fn literal(text: &str) -> Operand {
    Operand::Literal(text.to_owned())
}

fn item(expression: SelectExpression, name: &str) -> SelectItem {
    SelectItem { expression, name: name.to_owned() }
}

#[test]
fn constants_are_written_out_and_names_quoted() {
    let column = |name: &str| SelectExpression::Column(name.to_owned());
    let select = Select {
        table: "t".to_owned(),
        items: vec![item(column("a"), "a"), item(column("b"), "table")],
        relations: vec![
            Relation::equal("Day", parameter(1)),
            Relation::equal("bucket", literal("0")),
        ],
        ..Select::default()
    };
    assert_eq!(
        select.to_string(),
        "SELECT a, b AS \"table\" FROM t WHERE \"Day\" = ? AND bucket = 0"
    );
    assert_eq!(select.operands(), [&parameter(1)]);
}

#[test]
fn all_clauses_of_a_select_are_printed() {
    let sum = SelectExpression::Aggregate {
        function: AggregateFunction::Sum,
        column: "n".to_owned(),
        cast: Some(NativeType::Bigint),
    };
    let select = Select {
        table: "t".to_owned(),
        items: vec![item(SelectExpression::CountRows, "rows"), item(sum, "sum")],
        relations: vec![
            Relation::In { column: "k".to_owned(), values: vec![parameter(0), literal("'why?'")] },
            Relation::Row {
                columns: vec!["a".to_owned(), "b".to_owned()],
                operator: Operator::Gt,
                values: vec![parameter(1), parameter(2)],
            },
        ],
        group_by: vec!["k".to_owned()],
        order_by: vec![("a".to_owned(), Direction::Descending)],
        limit: Some(RowLimit::Operand(parameter(3))),
        allow_filtering: true,
    };
    let text = select.text();
    assert_eq!(
        text.cql,
        "SELECT COUNT(*) AS rows, SUM(CAST(n AS bigint)) AS sum FROM t \
         WHERE k IN (?, 'why?') AND (a, b) > (?, ?) GROUP BY k ORDER BY a DESC LIMIT ? ALLOW FILTERING"
    );
    assert_eq!(text.operands(), [0, 1, 2, 3].map(parameter).iter().collect::<Vec<_>>());
    let receivers: Vec<_> = text.markers.iter().map(|marker| marker.receiver).collect();
    let columns = ["k", "a", "b"].map(Receiver::Column);
    assert_eq!(receivers, [columns.as_slice(), &[Receiver::Limit]].concat());
    assert_eq!(
        text.with_values(["1", "2", "3", "4"]),
        "SELECT COUNT(*) AS rows, SUM(CAST(n AS bigint)) AS sum FROM t \
         WHERE k IN (1, 'why?') AND (a, b) > (2, 3) GROUP BY k ORDER BY a DESC LIMIT 4 ALLOW FILTERING"
    );
}

#[test]
fn operands_stand_in_the_order_of_their_markers() {
    let single = Operand::Single(Box::new(parameter(2)));
    let assignment = |column: &str, operator, value| ColumnAssignment {
        column: column.to_owned(),
        operator,
        value,
    };
    let mut update = Modification::Update(Update {
        table: "t".to_owned(),
        assignments: vec![
            assignment("n", AssignmentOperator::Add, parameter(0)),
            assignment("tags", AssignmentOperator::Subtract, single.clone()),
        ],
        relations: vec![Relation::equal("k", parameter(1))],
        condition: IfClause::Columns(vec![
            Relation::In { column: "s".to_owned(), values: vec![parameter(3), literal("'b'")] },
            Relation::InList { column: "s".to_owned(), list: parameter(4) },
        ]),
    });
    assert_eq!(
        update.to_string(),
        "UPDATE t SET n = n + ?, tags = tags - ? WHERE k = ? IF s IN (?, 'b') AND s IN ?"
    );
    let expected = [parameter(0), single, parameter(1), parameter(3), parameter(4)];
    assert_eq!(update.operands(), expected.iter().collect::<Vec<_>>());
    let values = update.operands_mut().into_iter().map(|operand| operand.clone());
    let markers: Vec<_> = values.filter(|value| !matches!(value, Operand::Literal(_))).collect();
    assert_eq!(markers, expected);
}

#[test]
fn conditions_and_timestamps_are_printed() {
    let insert = |condition, timestamp| {
        let values = vec![("k".to_owned(), parameter(0))];
        Modification::Insert(Insert { table: "t".to_owned(), values, condition, timestamp })
    };
    assert_eq!(
        insert(IfClause::NotExists, None).to_string(),
        "INSERT INTO t (k) VALUES (?) IF NOT EXISTS"
    );
    assert_eq!(
        insert(IfClause::Always, Some(Operand::Turn(LoopId::new(0)))).to_string(),
        "INSERT INTO t (k) VALUES (?) USING TIMESTAMP ?"
    );
    let delete = |columns: &[&str]| {
        Modification::Delete(Delete {
            table: "t".to_owned(),
            columns: columns.iter().map(|name| (*name).to_owned()).collect(),
            relations: vec![Relation::equal("k", parameter(0))],
            condition: IfClause::Exists,
        })
    };
    assert_eq!(delete(&[]).to_string(), "DELETE FROM t WHERE k = ? IF EXISTS");
    assert_eq!(delete(&["a", "b"]).to_string(), "DELETE a, b FROM t WHERE k = ? IF EXISTS");
}
