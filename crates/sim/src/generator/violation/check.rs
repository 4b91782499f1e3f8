//! Values that conditions exclude: the relational database refuses them, and so must the client.

use cql::types::{NativeType, Type};
use model::expression::{Expression, Scalar};
use model::plan::{ClientCheck, Operand, is_met};
use model::workload::{Parameter, Supply};

use super::super::usage::literal_bytes;
use super::super::value::neighbour;
use crate::dataset::Datum;

/// Changes one of the values so that a check does not hold; `false` where none was found.
pub(super) fn violate(parameters: &[Parameter], check: &ClientCheck, values: &mut [Datum]) -> bool {
    let constants = collect_constants(&check.condition);
    for part in check.condition.columns() {
        let Operand::Parameter(at) = part else { continue };
        let Some(parameter) = parameters.get(at.index()) else { continue };
        if matches!(parameter.supply, Supply::Client(_)) {
            continue;
        }
        for candidate in list_candidates(&parameter.ty, &constants) {
            let Some(place) = values.get_mut(at.index()) else { break };
            let valid = std::mem::replace(place, candidate);
            if !is_check_met(parameters, check, values) {
                return true;
            }
            if let Some(place) = values.get_mut(at.index()) {
                *place = valid;
            }
        }
    }
    false
}

fn is_check_met(parameters: &[Parameter], check: &ClientCheck, values: &[Datum]) -> bool {
    is_met(&check.condition, &mut |part: &Operand| {
        let Operand::Parameter(at) = part else { return Scalar::Null };
        let value = values.get(at.index()).and_then(Option::as_deref);
        parameters.get(at.index()).map_or(Scalar::Null, |it| Scalar::from_bytes(&it.ty, value))
    })
}

/// Values of a type that constraints often exclude, with those beside the constants of the check.
pub(super) fn list_candidates(ty: &Type, constants: &[&str]) -> Vec<Datum> {
    let Type::Native(native) = ty else { return vec![None] };
    let long = "x".repeat(40);
    let longer = "x".repeat(1_000);
    let texts: Vec<&str> = match native {
        NativeType::Text | NativeType::Ascii => vec!["no label", "", &long, &longer],
        NativeType::Smallint => vec!["-1", "0", "1", "-32768", "32767"],
        NativeType::Int => vec!["-1", "0", "1", "-2147483648", "2147483647"],
        NativeType::Bigint => vec!["-1", "0", "1", "-1000000000000", "1000000000000"],
        NativeType::Decimal => vec!["-1", "0", "0.001", "99999999.995", "100000000000"],
        NativeType::Double | NativeType::Float => vec!["-1", "0", "1000000000"],
        NativeType::Boolean => vec!["false", "true"],
        _ => Vec::new(),
    };
    let known = texts.into_iter().filter_map(|text| literal_bytes(ty, text));
    let constants = constants.iter().filter_map(|text| literal_bytes(ty, text));
    let beside = constants.flat_map(|it| [neighbour(ty, &it, true), neighbour(ty, &it, false), it]);
    [None].into_iter().chain(known.chain(beside).map(Some)).collect()
}

/// The constants of a condition.
pub(super) fn collect_constants<T>(expression: &Expression<T>) -> Vec<&str> {
    match expression {
        Expression::Constant(text, _) => vec![text.as_str()],
        other => other.parts().into_iter().flat_map(collect_constants).collect(),
    }
}
