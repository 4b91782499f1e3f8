//! Refusals that another rule explains better: SQL features that CQL lacks, and options of another
//! product.

use schema::refusal::{OptionReason, Reason};

use crate::location::Location;
use crate::project::{Project, ReplayedStatement};
use crate::rule::Finding;
use crate::rules::data_model::dm012_relational_syntax;
use crate::vocabulary::vendors::option_vendor;
use crate::{Product, Reporter, Severity, rules};

/// An SQL feature that CQL lacks, in a statement that cannot be parsed.
pub(crate) fn report_sql_construct(
    project: &Project<'_>,
    seen: &ReplayedStatement,
    place: Location,
) -> Option<Finding> {
    let source = project.texts.get(place.text)?.text;
    let habit = dm012_relational_syntax::find_construct(source, seen.place.span, place.span)?;
    let rule = rules::find("DM012")?;
    let mut found = Reporter { rule, settings: project.settings, findings: Vec::new() };
    found.report(Location { text: place.text, span: habit.span }, habit.message).help(habit.help);
    found.findings.pop()
}

/// An option of another product. If that product is the target, there is no finding.
pub(crate) fn report_vendor_option(
    project: &Project<'_>,
    place: Location,
    reason: &Reason,
) -> Option<Finding> {
    let Reason::Option(OptionReason::Unknown { name }) = reason else { return None };
    let vendor = option_vendor(name)?;
    let target = project.settings.target.product;
    if vendor == target {
        return None;
    }
    let of = match vendor {
        Product::Scylla => "ScyllaDB",
        Product::Keyspaces => "Amazon Keyspaces",
        Product::Dse => "DSE",
        Product::Astra => "Astra",
        Product::Apache => return None,
    };
    let (message, severity) = if target == Product::Astra {
        (format!("`{name}` is an option of {of}; Astra ignores it with a warning."), Severity::Info)
    } else {
        (format!("`{name}` is an option of {of}: {reason}."), Severity::Error)
    };
    let name = target_name(vendor);
    let help = format!("remove it, or check for the product that supports it (--target {name})");
    let rule = rules::find("TO009")?;
    let mut found = Reporter { rule, settings: project.settings, findings: Vec::new() };
    found.report(place, message).severity(severity).help(help);
    found.findings.pop()
}

fn target_name(product: Product) -> &'static str {
    match product {
        Product::Apache => "apache-5.0",
        Product::Dse => "dse",
        Product::Astra => "astra",
        Product::Scylla => "scylla",
        Product::Keyspaces => "keyspaces",
    }
}
