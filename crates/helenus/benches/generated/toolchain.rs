//! Builds the program of a language beside the generated packages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The models whose code is called; the packages have these names.
const MODELS: [(&str, &str); 2] =
    [("killrvideo", "examples/killrvideo.sql"), ("metrics", "examples/seeds/000_metrics.sql")];

/// The tools of a language.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Toolchain {
    Python,
    Java,
    Go,
    Typescript,
    Rust,
}

impl Toolchain {
    pub(crate) const ALL: [Self; 5] =
        [Self::Python, Self::Java, Self::Go, Self::Typescript, Self::Rust];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::Java => "java",
            Self::Go => "go",
            Self::Typescript => "typescript",
            Self::Rust => "rust",
        }
    }

    /// The first tool that is not installed.
    pub(crate) fn find_missing_tool(self) -> Option<&'static str> {
        let tools: &[&str] = match self {
            Self::Python => &["python3 --version"],
            Self::Java => &["javac --version", "mvn --version"],
            Self::Go => &["go version"],
            Self::Typescript => &["node --version", "npm --version"],
            Self::Rust => &["cargo --version"],
        };
        tools.iter().copied().find(|tool| {
            let words: Vec<&str> = tool.split(' ').collect();
            let output = Command::new(words[0]).args(&words[1..]).output();
            !output.is_ok_and(|output| output.status.success())
        })
    }

    /// Generates the packages, builds the program with them, and returns the command that runs it.
    pub(crate) fn build(self, folder: &Path) -> Command {
        let load = folder.join("load");
        copy(&sources().join(self.name()), &load);
        for (package, model) in MODELS {
            let mut helenus = Command::new(env!("CARGO_BIN_EXE_helenus"));
            helenus.arg("generate").arg(root().join(model)).args(["--lang", self.name()]);
            run(helenus.args(["--package", package, "-o"]).arg(folder.join(package)));
        }
        match self {
            Self::Python => build_python(folder, &load),
            Self::Java => build_java(folder, &load),
            Self::Go => build_go(&load),
            Self::Typescript => build_typescript(folder, &load),
            Self::Rust => build_rust(folder, &load),
        }
    }
}

fn build_python(folder: &Path, load: &Path) -> Command {
    let python = folder.join("environment/bin/python");
    if !python.exists() {
        run(Command::new("python3").args(["-m", "venv"]).arg(folder.join("environment")));
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "cassandra-driver"]));
    }
    let packages = MODELS.map(|(package, _)| folder.join(package).join("src"));
    let mut command = Command::new(python);
    command.arg(load.join("main.py")).env("PYTHONPATH", std::env::join_paths(packages).unwrap());
    command
}

fn build_java(folder: &Path, load: &Path) -> Command {
    let listed = folder.join("classpath.txt");
    if !listed.exists() {
        let output = format!("-Dmdep.outputFile={}", listed.display());
        let maven = ["-q", "-B", "dependency:build-classpath"];
        run(Command::new("mvn").args(maven).arg(output).current_dir(folder.join(MODELS[0].0)));
    }
    let classpath = fs::read_to_string(listed).unwrap();
    let mut sources = list_files(load);
    for (package, _) in MODELS {
        sources.extend(list_files(&folder.join(package).join("src/main/java")));
    }
    let classes = folder.join("classes");
    run(Command::new("javac").arg("-d").arg(&classes).args(["-cp", &classpath]).args(sources));
    let mut command = Command::new("java");
    command.args(["-cp", &format!("{}:{classpath}", classes.display()), "Main"]);
    command
}

fn build_go(load: &Path) -> Command {
    let packages = MODELS.map(|(package, _)| {
        format!("\nrequire {package} v0.0.0\nreplace {package} => ../{package}\n")
    });
    let module = format!("module load\n\ngo 1.22\n{}", packages.concat());
    fs::write(load.join("go.mod"), module).unwrap();
    run(Command::new("go").args(["build", "-mod=mod", "-o", "load"]).current_dir(load));
    Command::new(load.join("load"))
}

/// One project of the program and both packages.
fn build_typescript(folder: &Path, load: &Path) -> Command {
    let project = folder.join("project");
    copy(load, &project.join("src"));
    for (package, _) in MODELS {
        copy(&folder.join(package).join("src"), &project.join("src").join(package));
    }
    for file in ["package.json", "tsconfig.json"] {
        fs::copy(folder.join(MODELS[0].0).join(file), project.join(file)).unwrap();
    }
    if !project.join("node_modules").exists() {
        let install = ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"];
        run(Command::new("npm").args(install).current_dir(&project));
    }
    run(Command::new("node").arg("node_modules/typescript/bin/tsc").current_dir(&project));
    let mut command = Command::new("node");
    command.arg("dist/main.js").current_dir(project);
    command
}

fn build_rust(folder: &Path, load: &Path) -> Command {
    let target = folder.join("target");
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release", "--quiet", "--target-dir"]).arg(&target).current_dir(load);
    run(&mut cargo);
    Command::new(target.join("release/load"))
}

fn run(command: &mut Command) {
    let status = command.stdout(Stdio::null()).status().unwrap();
    assert!(status.success(), "{command:?} failed: {status}");
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn sources() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("benches/generated")
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    for file in list_files(from) {
        let target = to.join(file.strip_prefix(from).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(file, target).unwrap();
    }
}

fn list_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { list_files(&path) } else { vec![path] }).collect()
}
