//! `MASKED WITH f(...)`: a function whose first argument is the column, and which returns the
//! column's type.

use cql::statement::table::Mask;
use cql::types::{Assignability, Type};

use super::literal;
use crate::Result;
use crate::bind::assignment::AssignmentTestable;
use crate::bind::context::{Context, Receiver};
use crate::bind::function::{self, Call, Function, FunctionKind, SYSTEM};
use crate::bind::term::{self, BoundTerm};
use crate::catalog::ColumnMask;
use crate::refusal::{MaskReason, refuse};

/// The table of a masked column.
pub(super) struct ColumnOwner<'a> {
    pub(super) keyspace: &'a str,
    pub(super) table: &'a str,
    /// Whether the column is already a clustering column in descending order.
    pub(super) descending: bool,
}

/// The mask of a column of that type.
pub(super) fn prepare(
    cx: &Context<'_>,
    owner: &ColumnOwner<'_>,
    column: &str,
    ty: &Type,
    mask: &Mask,
) -> Result<ColumnMask> {
    let request = MaskRequest { cx, owner, column, ty, mask };
    let function = request.function()?;
    let expected = function.arguments.iter().skip(1);
    let mut arguments = Vec::with_capacity(mask.arguments.len());
    for (argument, ty) in mask.arguments.iter().zip(expected) {
        let bound = literal::prepare(cx, owner.keyspace, argument, ty)?;
        let value = if let BoundTerm::Value(value) = bound { value } else { None };
        arguments.push((ty.clone(), value));
    }
    Ok(ColumnMask {
        keyspace: function.name.keyspace.clone(),
        function: function.name.name.clone(),
        arguments,
    })
}

struct MaskRequest<'a> {
    cx: &'a Context<'a>,
    owner: &'a ColumnOwner<'a>,
    column: &'a str,
    ty: &'a Type,
    mask: &'a Mask,
}

impl MaskRequest<'_> {
    fn function(&self) -> Result<std::sync::Arc<Function>> {
        let (qualifier, name) = match &self.mask.function {
            None => (Some(SYSTEM), "mask_default"),
            Some(name) => (name.keyspace.as_ref().map(|own| &*own.text), &*name.name.text),
        };
        let column = ColumnArgument { ty: self.ty, descending: self.owner.descending };
        let terms = self.mask.arguments.iter().map(|argument| argument as &dyn AssignmentTestable);
        let arguments: Vec<&dyn AssignmentTestable> =
            std::iter::once(&column as &dyn AssignmentTestable).chain(terms).collect();
        let call = Call {
            qualifier,
            name,
            arguments: &arguments,
            keyspace: self.owner.keyspace,
            table: Some((self.owner.keyspace, self.owner.table)),
            receiver: Some(self.ty),
            descending: self.owner.descending,
            span: self.mask.span,
        };
        let Some(function) = function::resolve(self.cx, &call)? else {
            return self.refuse(MaskReason::Unknown {
                column: self.column.to_string(),
                call: self.text(),
            });
        };
        self.check(&function)?;
        Ok(function)
    }

    fn check(&self, function: &Function) -> Result<()> {
        if function.is_aggregate() {
            return self.refuse(MaskReason::Aggregate { call: self.text() });
        }
        let is_user = matches!(function.kind, FunctionKind::User(_));
        if !is_user && !function.name.name.starts_with("mask_") {
            return self.refuse(MaskReason::NotMasking { call: self.text() });
        }
        if is_user && &*function.name.keyspace != self.owner.keyspace {
            return self.refuse(MaskReason::OtherKeyspace {
                call: self.text(),
                keyspace: self.owner.keyspace.to_string(),
                table: self.owner.table.to_string(),
            });
        }
        if function.returns != *self.ty {
            return self.refuse(MaskReason::ReturnType {
                call: self.text(),
                returns: function.returns.to_string(),
                column: self.column.to_string(),
                ty: self.ty.to_string(),
            });
        }
        Ok(())
    }

    /// The call as written.
    fn text(&self) -> String {
        let arguments: Vec<_> = self.mask.arguments.iter().map(term::text).collect();
        let name = match &self.mask.function {
            None => "system.mask_default".to_owned(),
            Some(name) => match &name.keyspace {
                Some(keyspace) => format!("{}.{}", keyspace.text, name.name.text),
                None => name.name.text.to_string(),
            },
        };
        format!("{name}({})", arguments.join(", "))
    }

    fn refuse<T>(&self, reason: MaskReason) -> Result<T> {
        refuse(reason, self.mask.span)
    }
}

/// The column as an argument, of which only the type is known.
struct ColumnArgument<'a> {
    ty: &'a Type,
    descending: bool,
}

impl AssignmentTestable for ColumnArgument<'_> {
    fn test_assignment(&self, _: &Context<'_>, receiver: &Receiver) -> Result<Assignability> {
        Ok(self.ty.test_assignment(&receiver.ty))
    }

    fn compatible_type(&self, _: &Context<'_>, _: &str) -> Result<Option<Type>> {
        Ok(Some(self.ty.clone()))
    }

    fn text(&self, _: &Context<'_>, _: &str) -> String {
        let class = self.ty.class_name();
        if self.descending {
            format!("org.apache.cassandra.db.marshal.ReversedType({class})")
        } else {
            class
        }
    }
}
