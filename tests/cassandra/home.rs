//! The folder of a node that we started: its data files, and its own tools.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A node that runs on this machine, with its folder.
#[derive(Clone, Debug)]
pub(crate) struct NodeHome {
    pub(super) folder: PathBuf,
    pub(super) jars: PathBuf,
    pub(super) java: PathBuf,
    /// For clients, for the talk between nodes, and for nodetool.
    pub(super) ports: [u16; 3],
}

impl NodeHome {
    /// The folder of the node: `conf`, `data`, `logs`.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Runs a command of nodetool, and returns what it prints. It takes a second or two, so flush
    /// whole keyspaces.
    pub(crate) fn nodetool(&self, arguments: &[&str]) -> String {
        let port = self.ports[2].to_string();
        let all = [&["-h", "127.0.0.1", "-p", &port], arguments].concat();
        self.run_tool("NodeTool", &all)
    }

    /// Ends the node at once, as a crash does.
    pub(crate) fn kill(&self) {
        let pid = fs::read_to_string(self.folder.join("pid")).expect("the id of its process");
        let ended = Command::new("kill").args(["-9", pid.trim()]).status();
        assert!(ended.is_ok_and(|status| status.success()), "{pid} was not ended");
    }

    /// Runs one of the tools that come with Cassandra, and returns what it prints.
    pub(crate) fn run_tool(&self, class: &str, arguments: &[&str]) -> String {
        let place = self.folder.display();
        let output = Command::new(&self.java)
            .arg(format!("@{place}/conf/jvm.args"))
            .arg("-Dlogback.configurationFile=logback-tools.xml")
            .arg("-cp")
            .arg(format!("{place}/conf:{}/*", self.jars.display()))
            .arg(format!("-Dcassandra.config=file://{place}/conf/cassandra.yaml"))
            .arg(format!("-Dcassandra.storagedir={place}/data"))
            .arg(format!("-Dcassandra.logdir={place}/logs"))
            .arg(format!("org.apache.cassandra.tools.{class}"))
            .args(arguments)
            .output()
            .unwrap_or_else(|e| panic!("{}: {e}", self.java.display()));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{class} {arguments:?}: {text}{errors}");
        text
    }

    /// The newest data file of a table. A compacted file replaces others, which may still be there.
    pub(crate) fn newest_data_file(&self, keyspace: &str, table: &str) -> PathBuf {
        let time = |file: &PathBuf| file.metadata().and_then(|it| it.modified()).ok();
        let files = self.data_files(keyspace, table).into_iter();
        files.max_by_key(time).unwrap_or_else(|| panic!("no file of {keyspace}.{table}"))
    }

    /// The data files of a table.
    pub(crate) fn data_files(&self, keyspace: &str, table: &str) -> Vec<PathBuf> {
        let tables = self.folder.join("data/data").join(keyspace);
        let is_table = |folder: &PathBuf| {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            name.rsplit_once('-').is_some_and(|(name, _)| name == table)
        };
        let folders = list(&tables).into_iter().filter(is_table);
        let files = folders.flat_map(|folder| list(&folder));
        files.filter(|file| file.to_string_lossy().ends_with("-Data.db")).collect()
    }
}

fn list(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}
