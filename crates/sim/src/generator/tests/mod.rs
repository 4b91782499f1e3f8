//! Every example: facts within their budget, answers to every read, every write.

mod coverage;

use std::sync::atomic::AtomicBool;

use std::path::PathBuf;

use model::id::IdList;
use model::plan::Design;
use model::sql::ModelFile;

use super::*;
use crate::relational::RelationalDatabase;

/// The model files of the examples.
fn examples() -> Vec<(String, ModelFile)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let folders = [root.clone(), root.join("reference"), root.join("seeds"), root.join("stories")];
    let mut paths: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|it| it == "sql"))
        .collect();
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let file = model::sql::read(&text, &name).unwrap();
        (name, file)
    };
    paths.into_iter().map(read).collect()
}

/// An example at work: its facts on both sides.
struct ExampleFacts {
    name: String,
    file: ModelFile,
    facts: Facts,
    relational: RelationalDatabase,
}

/// All examples with their facts.
fn load_examples() -> impl Iterator<Item = ExampleFacts> {
    let settings = ProofSettings::default();
    let design = Design::default();
    examples().into_iter().map(move |(name, file)| {
        let data = generate_dataset(&file.concept, &file.workload, &design, &settings);
        let facts = Facts::new(&file.concept, &file.workload, &design, &settings, &data);
        let mut relational = RelationalDatabase::new(&file.concept, &file.workload).unwrap();
        relational.load(&data, &AtomicBool::new(false)).unwrap();
        ExampleFacts { name, file, facts, relational }
    })
}

#[test]
fn facts_are_within_their_budget_and_the_same_for_the_same_seed() {
    let design = Design::default();
    for (name, file) in examples() {
        let made = |seed| {
            let settings = ProofSettings { seed, ..ProofSettings::default() };
            generate_dataset(&file.concept, &file.workload, &design, &settings)
        };
        let first = made(1);
        assert_eq!(first, made(1), "{name}");
        assert_ne!(first, made(2), "{name}");
        let rows: usize = first.rows.iter().map(Vec::len).sum();
        assert!(rows <= 3_000, "{name}: {rows}");
        for (entity, rows) in file.concept.entities.iter().zip(&first.rows) {
            assert!(rows.len() >= 3, "{name} {}: {}", entity.name, rows.len());
        }
    }
}

#[test]
fn every_read_of_every_example_finds_rows_and_misses() {
    for mut running in load_examples() {
        let (concept, workload) = (&running.file.concept, &running.file.workload);
        let mut random = Random::new(5);
        for (at, read) in workload.reads.enumerate_ids() {
            let mut found = 0;
            for _ in 0..50 {
                let arguments =
                    draw_read_arguments(concept, workload, at, &running.facts, &mut random);
                let rows = running.relational.read(read, &arguments.values).unwrap();
                found += usize::from(!rows.is_empty());
            }
            let (name, read_name) = (&running.name, &read.name);
            assert!(found >= 15, "{name} {read_name}: {found} of 50 found rows");
            let counts = read
                .outputs
                .iter()
                .any(|it| !matches!(it.value, model::workload::OutputValue::Column(_)));
            let always = read.parameters.is_empty() || (counts && read.group.is_empty());
            assert!(always || found < 50, "{name} {read_name} always finds rows");
        }
    }
}

#[test]
fn every_write_of_every_example_runs() {
    for mut running in load_examples() {
        let (concept, workload) = (&running.file.concept, &running.file.workload);
        let mut random = Random::new(5);
        for (at, write) in workload.writes.enumerate_ids() {
            let mut changed = 0;
            for _ in 0..20 {
                let (any, facts) = (ArgumentWish::Any, &running.facts);
                let arguments =
                    draw_write_arguments(concept, workload, at, any, facts, &mut random);
                let Ok(arguments) = arguments else { continue };
                let effect = running.relational.write(write, &arguments.values).unwrap().effect;
                changed += u64::from(effect.is_change());
                running.facts.apply(concept, write, &arguments.values);
            }
            assert!(changed >= 10, "{} {}: {changed}", running.name, write.name);
        }
        for (at, entity) in concept.entities.enumerate_ids() {
            let mut here: Vec<_> = running.facts.stores[at.index()]
                .rows()
                .map(|(_, row)| null_empty_arrays(entity, row))
                .collect();
            let mut there = running.relational.rows(at).unwrap();
            here.sort();
            there.sort();
            assert!(here == there, "{} {}", running.name, entity.name);
        }
    }
}

/// A row in which arrays without elements are null.
fn null_empty_arrays(
    entity: &model::concept::Entity,
    row: &crate::dataset::Row,
) -> crate::dataset::Row {
    let pairs = entity.attributes.iter().zip(row);
    pairs
        .map(|(attribute, value)| {
            let empty =
                attribute.ty.is_collection() && change::elements(&attribute.ty, value).is_empty();
            value.clone().filter(|_| !empty)
        })
        .collect()
}
