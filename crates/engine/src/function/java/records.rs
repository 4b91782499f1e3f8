//! Tuples and values of user types: `UDTValue`, `TupleValue` and `udfContext`.

use std::cell::RefCell;
use std::rc::Rc;

use cql::types::{NativeType, Type};

use super::JavaFault;
use super::budget::Budget;
use super::interpreter::{Evaluation, Interpreter};
use super::value::{JavaRecord, JavaValue};

/// `udfContext.newReturnUDTValue()`, `udfContext.newArgTupleValue("name")` and the like.
pub(super) fn create(
    interpreter: &Interpreter<'_>,
    method: &str,
    arguments: &[JavaValue],
) -> Evaluation {
    let parameters = interpreter.parameters();
    let ty = match (method, arguments) {
        ("newReturnUDTValue" | "newReturnTupleValue", []) => Some(interpreter.returns),
        ("newArgUDTValue" | "newArgTupleValue", [JavaValue::Int(at)]) => {
            let at = usize::try_from(*at).ok();
            at.and_then(|at| parameters.get(at)).map(|(_, ty)| ty)
        }
        ("newArgUDTValue" | "newArgTupleValue", [JavaValue::Text(name)]) => {
            let found = parameters.iter().find(|(own, _)| **own == **name);
            let (_, ty) = found.ok_or_else(|| {
                illegal(&format!("Function does not declare an argument named '{name}'"))
            })?;
            Some(ty)
        }
        _ => None,
    };
    match ty {
        Some(ty @ Type::User(..)) if method.ends_with("UDTValue") => Ok(empty_record(ty)),
        Some(ty @ Type::Tuple(_)) if method.ends_with("TupleValue") => Ok(empty_record(ty)),
        _ => Err(JavaFault::Unsupported),
    }
}

fn empty_record(ty: &Type) -> JavaValue {
    JavaValue::Record(Rc::new(RefCell::new(JavaRecord::new(ty))))
}

fn illegal(message: &str) -> JavaFault {
    JavaFault::new("java.lang.IllegalArgumentException", message)
}

/// Calls a method of a record: a getter or setter of a component.
pub(super) fn call(
    budget: &mut Budget,
    record: &Rc<RefCell<JavaRecord>>,
    method: &str,
    arguments: &[JavaValue],
) -> Evaluation {
    let Some((component, rest)) = arguments.split_first() else {
        return Err(JavaFault::Unsupported);
    };
    let at = position(&record.borrow(), component)?;
    let ty = record.borrow().ty.parts().get(at).map(|ty| (*ty).clone());
    let ty = ty.ok_or(JavaFault::Unsupported)?;
    match (method, rest) {
        ("isNull", []) => {
            let record = record.borrow();
            Ok(JavaValue::Boolean(record.parts.get(at).is_none_or(Option::is_none)))
        }
        ("setToNull", []) => {
            if let Some(part) = record.borrow_mut().parts.get_mut(at) {
                *part = None;
            }
            Ok(JavaValue::Record(Rc::clone(record)))
        }
        _ if method.starts_with("get") => {
            if !has_accessor(&ty, method.trim_start_matches("get")) {
                return Err(JavaFault::Unsupported);
            }
            let record = record.borrow();
            let bytes = record.parts.get(at).and_then(Option::as_deref);
            budget.allocate(bytes.map_or(0, <[u8]>::len))?;
            match JavaValue::from_cql(&ty, bytes).ok_or(JavaFault::Unsupported)? {
                JavaValue::Null => Ok(absent_value(&ty)),
                value => Ok(value),
            }
        }
        (_, [value]) if has_accessor(&ty, method.strip_prefix("set").unwrap_or_default()) => {
            let bytes = value.to_cql(&ty, true)?;
            budget.allocate(bytes.as_ref().map_or(0, Vec::len))?;
            if let Some(part) = record.borrow_mut().parts.get_mut(at) {
                *part = bytes;
            }
            Ok(JavaValue::Record(Rc::clone(record)))
        }
        _ => Err(JavaFault::Unsupported),
    }
}

/// The position of a component that is given by its index or name.
fn position(record: &JavaRecord, component: &JavaValue) -> Evaluation<usize> {
    let found = match (component, &record.ty) {
        (JavaValue::Int(at), _) => usize::try_from(*at).ok(),
        (JavaValue::Text(name), Type::User(user, _)) => {
            let at = user.fields.iter().position(|(own, _)| own.eq_ignore_ascii_case(name));
            let unknown = || illegal(&format!("{name} is not a field defined in this UDT"));
            Some(at.ok_or_else(unknown)?)
        }
        _ => None,
    };
    found.filter(|at| *at < record.parts.len()).ok_or(JavaFault::Unsupported)
}

/// Whether `getX` and `setX` are for components of a type.
fn has_accessor(ty: &Type, suffix: &str) -> bool {
    let own = match ty {
        Type::Native(native) => match native {
            NativeType::Ascii | NativeType::Text => "String",
            NativeType::Bigint => "Long",
            NativeType::Boolean => "Bool",
            NativeType::Blob => "Bytes",
            NativeType::Decimal => "Decimal",
            NativeType::Double => "Double",
            NativeType::Float => "Float",
            NativeType::Int => "Int",
            NativeType::Smallint => "Short",
            NativeType::Timestamp => "Timestamp",
            NativeType::Tinyint => "Byte",
            NativeType::Uuid | NativeType::Timeuuid => "UUID",
            NativeType::Varint => "Varint",
            _ => return false,
        },
        Type::List(..) => "List",
        Type::Set(..) => "Set",
        Type::Map(..) => "Map",
        Type::Tuple(_) => "TupleValue",
        Type::User(..) => "UDTValue",
        _ => return false,
    };
    suffix == own
}

/// The result of a getter for a component that is null: primitives are zero, collections empty.
fn absent_value(ty: &Type) -> JavaValue {
    match ty {
        Type::Native(NativeType::Bigint) => JavaValue::Long(0),
        Type::Native(NativeType::Boolean) => JavaValue::Boolean(false),
        Type::Native(NativeType::Double) => JavaValue::Double(0.0),
        Type::Native(NativeType::Float) => JavaValue::Float(0.0),
        Type::Native(NativeType::Int) => JavaValue::Int(0),
        Type::Native(NativeType::Smallint) => JavaValue::Short(0),
        Type::Native(NativeType::Tinyint) => JavaValue::Byte(0),
        Type::List(..) => JavaValue::List(Rc::default()),
        Type::Set(..) => JavaValue::Set(Rc::default()),
        Type::Map(..) => JavaValue::Map(Rc::default()),
        _ => JavaValue::Null,
    }
}
