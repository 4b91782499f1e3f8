//! Errors of terms: constants and literals that do not fit their receiver.

use cql::types::Type;

super::family! {
    /// The errors of a term.
    TermReason {
        NamelessMarker { null: String }
            = "QV027", Server,
            "java.lang.NullPointerException: Cannot read field \"ksName\" because {null} is null";
        Constant { kind: &'static str, text: String, column: String, ty: Type }
            = "QV027", Invalid, "Invalid {kind} constant ({text}) for \"{column}\" of type {ty}";
        VectorSize { name: String, ty: String, dimension: String, given: usize }
            = "QV027", Invalid,
            "Invalid vector literal for {name} of type {ty}; expected {dimension} elements, but given {given}";
        TupleTooLong { name: String, ty: String, expected: String, given: usize }
            = "QV027", Invalid,
            "Invalid tuple literal for {name}: too many elements. Type {ty} expects {expected} but got \
            {given}";
        TupleComponent { name: String, component: String, ty: String }
            = "QV027", Invalid,
            "Invalid tuple literal for {name}: component {component} is not of type {ty}";
        FieldType { name: String, field: String, ty: String }
            = "QV027", Invalid,
            "Invalid user type literal for {name}: field {field} is not of type {ty}";
        ElementType { what: String, name: String, part: String, element: String, ty: String }
            = "QV027", Invalid,
            "Invalid {what} literal for {name}: {part} {element} is not of type {ty}";
        MarkerInside { what: String, name: String }
            = "QV027", Invalid,
            "Invalid {what} literal for {name}: bind variables are not supported inside collection literals";
        WrongLiteral { what: String, name: String, ty: String }
            = "QV027", Invalid, "Invalid {what} literal for {name} of type {ty}";
        UnexpectedArray { ty: String }
            = "QV027", Invalid,
            "Unexpected receiver type '{ty}'; only list and vector are expected";
        ClassCast { from: String, to: String }
            = "QV027", Server,
            "java.lang.ClassCastException: class {from} cannot be cast to class {to} ({from} and {to} are in \
            unnamed module of loader 'app')";
        NullCounterDelta = "CN002", Invalid, "Invalid null value for counter increment/decrement";
        TupleSize { expected: usize, given: usize, tuple: String }
            = "QV027", Invalid,
            "Expected {expected} elements in value tuple, but got {given}: {tuple}";
        CastHint { value: String, ty: String }
            = "QV027", Invalid, "Cannot cast value {value} to type {ty}";
        Assign { value: String, name: String, ty: String }
            = "QV027", Invalid, "Cannot assign value {value} to {name} of type {ty}";
    }
}
