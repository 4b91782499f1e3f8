//! The values of bind markers: CQL literals in a directive, bytes in a request.

use cql::StatementKind;
use cql::statement::write::InsertValues;
use cql::term::{ConstantKind, Term, TermKind};
use cql::types::{NativeType, Type};
use cql::value::hex_to_bytes;
use schema::Catalog;
use schema::bind::context::{Context, Receiver};
use schema::bind::term::{BoundTerm, prepare};

use crate::protocol::{BindValue, ColumnSpec};
use crate::verdict::KEYSPACE;

/// Literals between commas, each as the type of its marker wants it. `UNSET` is no value, `(blob) 0x...` any bytes.
pub(super) fn encode(list: &str, markers: &[ColumnSpec]) -> Result<Vec<BindValue>, String> {
    if list.is_empty() {
        return Ok(Vec::new());
    }
    let text = format!("INSERT INTO t (a) VALUES ({})", list.replace("UNSET", "?"));
    let parsed = cql::parse(&text);
    let Some(statement) = parsed.statements.first() else { return Err(format!("values: {list}")) };
    let terms = match &statement.kind {
        StatementKind::Insert(insert) => match &insert.values {
            InsertValues::Columns { values, .. } => values,
            InsertValues::Json { .. } => return Err(format!("values: {list}")),
        },
        _ => return Err(format!("values: {list}")),
    };
    let catalog = Catalog::with_system_tables();
    let mut context = Context::new(&catalog, Some(KEYSPACE), statement);
    let spare = Type::from(NativeType::Int);
    let types = markers.iter().map(|marker| &marker.ty).chain(std::iter::repeat(&spare));
    terms.iter().zip(types).map(|(term, ty)| encode_one(&mut context, term, ty)).collect()
}

fn encode_one(context: &mut Context<'_>, term: &Term, ty: &Type) -> Result<BindValue, String> {
    match &term.kind {
        TermKind::Marker(_) => return Ok(BindValue::Unset),
        TermKind::Null => return Ok(BindValue::Null),
        TermKind::TypeHint(hint) => {
            if let TermKind::Constant(constant) = &hint.1.kind
                && constant.kind == ConstantKind::Hex
            {
                let bytes = hex_to_bytes(constant.text.trim_start_matches("0x"));
                return bytes.map(BindValue::Bytes).ok_or_else(|| "values: no hex".to_owned());
            }
        }
        _ => {}
    }
    let receiver = Receiver {
        keyspace: KEYSPACE.into(),
        table: "t".into(),
        name: "value".into(),
        ty: if ty.is_counter() { NativeType::Bigint.into() } else { ty.clone() },
    };
    match prepare(context, term, &receiver, None) {
        Ok(BoundTerm::Value(Some(bytes))) => Ok(BindValue::Bytes(bytes.into())),
        Ok(other) => Err(format!("values: {other:?} is no literal")),
        Err(refusal) => Err(format!("values: {}", refusal.message())),
    }
}
