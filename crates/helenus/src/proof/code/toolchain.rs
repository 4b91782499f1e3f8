//! Builds the driver program of a proof with the tools of its language.
//!
//! What a language needs besides the code (a virtual environment, node modules, compiled
//! dependencies) is kept in a cache folder, so that only the first proof waits for it.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use codegen::{GeneratedCode, Language};

/// The most characters of a tool's output that an error shows.
const OUTPUT_MAX: usize = 2_000;

/// Compiles code in a folder, where it lies already; returns the command that runs its driver.
pub(super) fn build(
    language: Language,
    code: &GeneratedCode,
    folder: &Path,
) -> Result<Command, String> {
    let cache = cache_folder(language)?;
    match language {
        Language::Python => build_python(code, folder, &cache),
        Language::Java => build_java(code, folder, &cache),
        Language::Typescript => build_typescript(folder, &cache),
        Language::Go => build_go(folder),
        Language::Rust => build_rust(code, folder, &cache),
    }
}

/// `$XDG_CACHE_HOME/helenus/LANGUAGE`, or the same below `~/.cache`.
fn cache_folder(language: Language) -> Result<PathBuf, String> {
    let base = env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cache")))
        .unwrap_or_else(env::temp_dir);
    let folder = base.join("helenus").join(language.name());
    fs::create_dir_all(&folder)
        .map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    Ok(folder)
}

/// Runs a tool to its end; an error has the last of what it printed.
fn run(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("cannot run {name}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(text);
    }
    let all = text + &String::from_utf8_lossy(&output.stderr);
    let skipped = all.chars().count().saturating_sub(OUTPUT_MAX);
    let last: String = all.chars().skip(skipped).collect();
    Err(format!("{name} failed ({}): {}", output.status, last.trim()))
}

/// The path of the generated file that ends so.
fn find_file<'c>(code: &'c GeneratedCode, end: &str) -> Result<&'c str, String> {
    let mut paths = code.files.iter().map(|file| file.path.as_str());
    paths.find(|path| path.ends_with(end)).ok_or_else(|| format!("the code has no {end}"))
}

fn build_python(code: &GeneratedCode, folder: &Path, cache: &Path) -> Result<Command, String> {
    let environment = cache.join("environment");
    let python = environment.join("bin/python");
    if !python.exists() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
    }
    let has_driver = run(Command::new(&python).args(["-c", "import cassandra"])).is_ok();
    if !has_driver {
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "cassandra-driver"]))?;
    }
    let path = find_file(code, "/proof_driver.py")?;
    let (root, module) = path.rsplit_once("src/").unwrap_or(("", path));
    let module = module.trim_end_matches(".py").replace('/', ".");
    let mut command = Command::new(python);
    command.arg("-m").arg(module).env("PYTHONPATH", folder.join(root).join("src"));
    // Two processes must give the elements of a set in one order: their pages are compared.
    command.env("PYTHONHASHSEED", "0");
    Ok(command)
}

fn build_java(code: &GeneratedCode, folder: &Path, cache: &Path) -> Result<Command, String> {
    let classpath = find_classpath(folder, cache)?;
    let sources = code.files.iter().map(|file| file.path.as_str());
    let is_java = |path: &&str| Path::new(path).extension().is_some_and(|it| it == "java");
    let sources = sources.filter(|path| is_java(path) && !path.contains("src/test/"));
    run(Command::new("javac")
        .args(["-d", "classes", "-cp", &classpath])
        .args(sources)
        .current_dir(folder))?;
    let path = find_file(code, "/ProofDriver.java")?;
    let class = path.rsplit_once("src/main/java/").map_or(path, |(_, class)| class);
    let class = class.trim_end_matches(".java").replace('/', ".");
    let mut command = Command::new("java");
    let classes = format!("{}:{classpath}", folder.join("classes").display());
    command.args(["-cp", &classes]).arg(class);
    Ok(command)
}

/// The jars that the code needs. Maven takes seconds to find them: they are remembered for the same
/// dependencies, as long as they are there.
fn find_classpath(folder: &Path, cache: &Path) -> Result<String, String> {
    let read = |path: &Path| {
        fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
    };
    let project = read(&folder.join("pom.xml"))?;
    let wanted = project.split_once("<dependencies>").map_or("", |(_, dependencies)| dependencies);
    let (known, listed) = (cache.join("dependencies.xml"), cache.join("classpath.txt"));
    if read(&known).is_ok_and(|known| known == wanted) {
        let classpath = read(&listed).unwrap_or_default();
        if env::split_paths(&classpath).all(|jar| jar.exists()) {
            return Ok(classpath);
        }
    }
    let file = "classpath.txt";
    run(Command::new("mvn")
        .args(["-q", "-B", "dependency:build-classpath", &format!("-Dmdep.outputFile={file}")])
        .current_dir(folder))?;
    let classpath = read(&folder.join(file))?.trim().to_owned();
    fs::write(&listed, &classpath)
        .and_then(|()| fs::write(&known, wanted))
        .map_err(|error| format!("cannot write to {}: {error}", cache.display()))?;
    Ok(classpath)
}

fn build_typescript(folder: &Path, cache: &Path) -> Result<Command, String> {
    let file = "package.json";
    let wanted = fs::read(folder.join(file)).map_err(|error| format!("{file}: {error}"))?;
    if fs::read(cache.join(file)).ok().as_ref() != Some(&wanted) {
        fs::write(cache.join(file), &wanted).map_err(|error| format!("{file}: {error}"))?;
        let install = ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"];
        if let Err(error) = run(Command::new("npm").args(install).current_dir(cache)) {
            // The next proof must try again.
            let _ = fs::remove_file(cache.join(file));
            return Err(error);
        }
    }
    link(&cache.join("node_modules"), &folder.join("node_modules"))?;
    run(Command::new("node").arg("node_modules/typescript/bin/tsc").current_dir(folder))?;
    let mut command = Command::new("node");
    command.arg("dist/proofDriver.js");
    Ok(command)
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) -> Result<(), String> {
    std::os::unix::fs::symlink(from, to)
        .map_err(|error| format!("cannot link {}: {error}", to.display()))
}

#[cfg(not(unix))]
fn link(_: &Path, to: &Path) -> Result<(), String> {
    Err(format!("cannot link {} on this system", to.display()))
}

fn build_go(folder: &Path) -> Result<Command, String> {
    let build = ["build", "-mod=mod", "-o", "proofdriver", "./cmd/proofdriver"];
    run(Command::new("go").args(build).current_dir(folder))?;
    Ok(Command::new(folder.join("proofdriver")))
}

/// The programs of all proofs are built in one folder of the cache, with the same versions of the same
/// dependencies: these are compiled once.
fn build_rust(code: &GeneratedCode, folder: &Path, cache: &Path) -> Result<Command, String> {
    let (target, versions) = (cache.join("target"), "Cargo.lock");
    // Until the program has left the folder, another proof must not put its own there.
    let lock = File::create(cache.join("build.lock"));
    let lock = lock.and_then(|file| file.lock().map(|()| file));
    let lock = lock.map_err(|error| format!("cannot lock {}: {error}", cache.display()))?;
    // There are none before the first proof.
    let _ = fs::copy(cache.join(versions), folder.join(versions));
    let cargo = |arguments: &[&str]| {
        run(Command::new("cargo")
            .args(arguments)
            .arg("--quiet")
            .arg("--target-dir")
            .arg(&target)
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "false")
            .current_dir(folder))
    };
    cargo(&["build", "--bin", "proof_driver"])?;
    let program = folder.join("proof_driver");
    fs::copy(target.join("debug/proof_driver"), &program)
        .and_then(|_| fs::copy(folder.join(versions), cache.join(versions)))
        .map_err(|error| format!("cannot copy the program: {error}"))?;
    // The next proof cannot use what was compiled of this program.
    cargo(&["clean", "--package", find_package(code)?])?;
    drop(lock);
    Ok(Command::new(program))
}

/// The name of the package of a program in Rust.
fn find_package(code: &GeneratedCode) -> Result<&str, String> {
    let manifest = code.files.iter().find(|file| file.path == "Cargo.toml");
    let mut lines = manifest.iter().flat_map(|file| file.text.lines());
    let name = lines.find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
    name.ok_or_else(|| "the code has no package".to_owned())
}
