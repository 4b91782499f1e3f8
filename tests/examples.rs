//! The model files under `examples/`, and their designs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use model::plan::Design;
use model::sql::ModelFile;

/// A model file.
#[derive(Clone)]
pub(crate) struct Example {
    /// Its path under `examples/`, without the ending.
    pub(crate) name: String,
    /// What it says.
    pub(crate) model: ModelFile,
}

/// The root of the tree.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The model files that all tests use, in order of their names.
pub(crate) fn examples() -> Vec<Example> {
    examples_in(&["", "seeds", "reference", "stories"])
}

/// The models of `examples/published`, whose keys are compared with the published ones: tests that take long use a part
/// of them.
pub(crate) fn load_published() -> Vec<Example> {
    examples_in(&["published"])
}

fn examples_in(folders: &[&str]) -> Vec<Example> {
    let folder = root().join("examples");
    let mut names: Vec<_> = folders
        .iter()
        .flat_map(|name| fs::read_dir(folder.join(name)).expect("the examples can be read"))
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "sql"))
        .map(|path| {
            let path = path.strip_prefix(&folder).expect("it is under examples").with_extension("");
            path.to_str().expect("names are text").replace('\\', "/")
        })
        .collect();
    names.sort();
    assert!(names.len() > 20, "there are {} examples", names.len());
    names.iter().map(|name| example(name)).collect()
}

/// The model file of that name, which must be without mistakes.
pub(crate) fn example(name: &str) -> Example {
    let path = root().join("examples").join(format!("{name}.sql"));
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let stem = name.rsplit('/').next().unwrap_or(name);
    match model::sql::read(&text, stem) {
        Ok(model) => Example { name: name.to_owned(), model },
        Err(mistakes) => {
            let said: Vec<_> = mistakes
                .iter()
                .map(|mistake| {
                    let before = text.get(..mistake.span.start as usize).unwrap_or_default();
                    let line = before.matches('\n').count() + 1;
                    format!("line {line}: {}: {}", mistake.rule, mistake.message)
                })
                .collect();
            panic!("{}: {}", path.display(), said.join("\n"))
        }
    }
}

/// The design of an example, made once for all tests that ask for it.
pub(crate) fn design(example: &Example, options: &design::Options) -> Design {
    type DesignCache = BTreeMap<String, Arc<OnceLock<Design>>>;
    static DESIGNS: Mutex<DesignCache> = Mutex::new(DesignCache::new());
    let key = format!("{} {options:?}", example.name);
    let made = Arc::clone(DESIGNS.lock().expect("no test panicked here").entry(key).or_default());
    let model = &example.model;
    made.get_or_init(|| design::design(&model.concept, &model.workload, options)).clone()
}
