//! tests
use super::definitions::Definitions;
use super::verification_plan::*;
use std::path::Path;

#[test]
fn dump_plans() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut files = Vec::new();
    for folder in ["", "seeds", "reference", "stories", "published", "nose"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap().flatten() {
            if entry.path().extension().is_some_and(|it| it == "sql") {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    let (mut b, mut c, mut u, mut sk, mut irr) = (0, 0, 0, 0, 0);
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let Ok(model) = model::sql::read(&text, "m") else {
            println!("unreadable {path:?}");
            continue;
        };
        let design = design::design(&model.concept, &model.workload, &design::Options::default());
        let definitions = Definitions::from_design(&model, &design);
        let plan = VerificationPlan::new(&definitions);
        println!("== {}", path.display());
        for base in &plan.bases {
            println!(
                "  base of {}: {} {}",
                definitions.entity_name(base.entity),
                definitions.table_name(base.table.table),
                base.reason
            );
        }
        for (role, table) in plan.roles.iter().zip(&definitions.tables) {
            match role {
                TableRole::Base => {
                    b += 1;
                    println!("  {}: base", table.name)
                }
                TableRole::Copy(plan) => {
                    c += 1;
                    sk += plan.skipped.len();
                    irr += usize::from(!plan.is_reversible);
                    println!(
                        "  {}: {:?} of {} cmp {} skipped {:?} rev {} lookups {:?}",
                        table.name,
                        plan.kind,
                        definitions.table_name(plan.base.table),
                        plan.compared.len(),
                        plan.skipped,
                        plan.is_reversible,
                        plan.lookups
                            .iter()
                            .map(|it| it.as_ref().map(|it| definitions.table_name(it.table)))
                            .collect::<Vec<_>>()
                    )
                }
                TableRole::Unverified(why) => {
                    u += 1;
                    println!("  {}: NOT {why}", table.name)
                }
            }
        }
    }
    println!("bases {b} copies {c} unverified {u} skipped columns {sk} irreversible {irr}");
}
