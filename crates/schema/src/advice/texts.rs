//! Helps that depend on the reason alone.

use cql::value::TextForm;

use crate::refusal::{
    ConditionReason, NearestReason, OptionReason, Reason, RestrictionReason, TermReason,
    ValueReason, WriteReason,
};

/// The help for assigning an element of a set, which has no index.
const ADD_ELEMENT: &str = "add the element: s = s + {...}";

/// The help for a reason, if it has a specific one.
pub(super) fn help(reason: &Reason) -> Option<&'static str> {
    match reason {
        Reason::Restriction(reason) => restriction(reason),
        Reason::Nearest(reason) => nearest(reason),
        Reason::Write(reason) => write(reason),
        Reason::Condition(ConditionReason::ElementOfSet { .. }) => Some(ADD_ELEMENT),
        Reason::Term(TermReason::TupleTooLong { .. }) => {
            Some("write as many elements as the type has")
        }
        Reason::Format(reason) if reason.rule() == "QV027" && is_number(reason.form()) => {
            Some("use a number within the range of the type")
        }
        Reason::Value(ValueReason::NullInCollection) => {
            Some("remove the null; collections cannot contain null")
        }
        Reason::Option(OptionReason::Unknown { name }) if is_read_repair(name) => {
            Some("remove it; Cassandra 4.0 dropped this option without a replacement")
        }
        _ => None,
    }
}

fn is_number(form: Option<TextForm>) -> bool {
    form == Some(TextForm::Number)
}

fn is_read_repair(option: &str) -> bool {
    matches!(option, "read_repair_chance" | "dclocal_read_repair_chance")
}

fn restriction(reason: &RestrictionReason) -> Option<&'static str> {
    use RestrictionReason as R;
    Some(match reason {
        R::IsNotNull { .. } => "remove it; IS NOT NULL is allowed in views only",
        R::ContainsOnOthers { .. } => "use = on columns that are not collections",
        R::ContainsKeyOnOthers { .. } => "use CONTAINS; only maps have keys",
        R::NonFrozenType { .. } => "freeze the type, or move the field to a separate column",
        R::FrozenMapEntry { .. } => "compare the whole map, or declare it without frozen",
        R::EntryOperator => "compare the entry with =",
        R::ListEntries { .. } => "use CONTAINS; list elements cannot be restricted by position",
        _ => return None,
    })
}

fn nearest(reason: &NearestReason) -> Option<&'static str> {
    use NearestReason as N;
    Some(match reason {
        N::NoLimit => "add a LIMIT of up to 1000",
        N::LimitTooLarge { .. } => "lower the LIMIT to 1000",
        N::Aggregation => "select the rows and aggregate them in the application",
        N::PartitionLimit => "remove PER PARTITION LIMIT",
        N::Descending => "remove DESC; the nearest rows come first",
        N::OtherOrdering => "order by the vector column only",
        N::NotIndexed => "index the vector: CREATE INDEX ON ... USING 'sai'",
        N::OthersNotIndexed => {
            "index these columns with SAI as well, or restrict the partition key with ="
        }
        N::OnlyNearest => "order by the vector: ORDER BY ... ANN OF ... LIMIT 10",
        N::TwoOrderings | N::TwoRelations { .. } | N::NoFloats => return None,
    })
}

fn write(reason: &WriteReason) -> Option<&'static str> {
    use WriteReason as W;
    Some(match reason {
        W::ElementOfSet { .. } => ADD_ELEMENT,
        W::ElementOfPlain { .. } | W::DeleteElementOfPlain { .. } => {
            "write the whole column; it has no elements"
        }
        W::FieldOfPlain { .. } | W::DeleteFieldOfPlain { .. } => {
            "write the whole column; it has no fields"
        }
        W::DuplicateColumns => "name each column once",
        _ => return None,
    })
}
