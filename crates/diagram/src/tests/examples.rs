//! The pictures of all example models.

use std::fs;
use std::path::{Path, PathBuf};

use super::super::{Level, chebotko, data_flow, entities, workflow};
use super::find_defects;
use design::Options;

/// All model files of the examples.
fn models() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the examples can be listed").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "sql") {
                found.push(path);
            }
        }
    }
    assert!(found.len() > 30, "only {} examples", found.len());
    found.sort();
    found
}

#[test]
fn examples_are_drawn_well() {
    for path in models() {
        let name = path.display().to_string();
        let text = fs::read_to_string(&path).expect("an example can be read");
        let file = model::sql::read(&text, "example").expect("an example is right");
        for rules_only in [false, true] {
            let options = Options { rules_only, ..Options::default() };
            let design = design::design(&file.concept, &file.workload, &options);
            let flow = data_flow(&file.concept, &file.workload, &design);
            assert_eq!(find_defects(&flow), [""; 0], "{name}");
            for level in [Level::Logical, Level::Physical] {
                let picture = chebotko(&file.concept, &file.workload, &design, level);
                assert_eq!(find_defects(&picture), [""; 0], "{name}");
            }
        }
        for picture in [
            entities(&file.concept, &file.workload),
            entities(&file.concept, &file.workload).leave_out_unused(),
            workflow(&file.concept, &file.workload),
        ] {
            assert_eq!(find_defects(&picture), [""; 0], "{name}");
        }
    }
}
