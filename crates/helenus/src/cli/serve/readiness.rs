//! The ready line and the port file: how a program that started the server learns where it listens.

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;

use serde_json::json;
use wire::ProtocolVersion;

use super::ServeArguments;
use crate::atomic_file;
use crate::outcome::{Failure, Outcome};

/// How to tell that the server is ready.
pub(super) struct Readiness {
    data: Option<PathBuf>,
    port_file: Option<PathBuf>,
    json: bool,
}

/// The file with the port; removed on drop.
pub(super) struct PortFile(PathBuf);

impl Drop for PortFile {
    fn drop(&mut self) {
        // If somebody else removed it, it is gone as well.
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Readiness {
    /// Removes the port file of an earlier server, so that nobody reads its port meanwhile.
    pub(super) fn new(arguments: &ServeArguments) -> Result<Self, Failure> {
        let ServeArguments { data, port_file, json, .. } = arguments;
        if let Some(path) = port_file.as_deref().filter(|path| path.exists()) {
            regular_file::check_output(path)
                .map_err(|error| Failure::unwritable_file(path, &error))?;
            std::fs::remove_file(path).map_err(|error| {
                let message = format!("cannot remove {}: {error}", path.display());
                Failure::Stopped(Outcome::EnvironmentFailed, message)
            })?;
        }
        Ok(Self { data: data.clone(), port_file: port_file.clone(), json: *json })
    }

    /// Prints the ready line, after the port file is written.
    pub(super) fn announce(
        &self,
        address: SocketAddr,
        out: &mut dyn Write,
    ) -> Result<Option<PortFile>, Failure> {
        let written = self.port_file.as_ref().map(|path| {
            let written = atomic_file::replace(path, format!("{}\n", address.port()).as_bytes());
            written
                .map(|()| PortFile(path.clone()))
                .map_err(|error| Failure::unwritable_file(path, &error))
        });
        let port_file = written.transpose()?;
        writeln!(out, "{}", if self.json { self.object(address) } else { self.line(address) })?;
        out.flush()?;
        Ok(port_file)
    }

    fn line(&self, address: SocketAddr) -> String {
        let data = self.data.as_ref().map(|data| data.display().to_string());
        format!("listening on {address} ({})", data.as_deref().unwrap_or("in memory"))
    }

    fn object(&self, address: SocketAddr) -> String {
        let object = json!({
            "address": address.ip().to_string(),
            "port": address.port(),
            "pid": std::process::id(),
            "data": self.data.as_ref().map(|data| data.display().to_string()),
            "version": env!("CARGO_PKG_VERSION"),
            "protocolVersions": ProtocolVersion::ALL.map(ProtocolVersion::number),
        });
        object.to_string()
    }
}
