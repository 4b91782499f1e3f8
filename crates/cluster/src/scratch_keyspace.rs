//! A keyspace of our own that does not outlive its use.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::connection::Connection;
use crate::connection_options::ConnectionOptions;
use crate::error::{Error, ErrorKind};

/// How the names of our keyspaces begin; nobody else's do.
const PREFIX: &str = "helenus_proof_";
/// What is left behind for longer than this belongs to nobody who still runs.
const DAY_SECONDS: u64 = 86_400;
/// How often, and how long apart, a cluster that is gone is called again to take its keyspace away.
const DROP_RETRIES: u32 = 3;
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// A keyspace of our own on a cluster, which is dropped at the end, whatever happens in between.
#[derive(Debug)]
pub struct ScratchKeyspace {
    access: ConnectionOptions,
    connection: Option<Connection>,
    keyspace: String,
    replication: String,
    is_there: bool,
}

impl ScratchKeyspace {
    /// Connects, takes away what earlier runs left behind, and enters a keyspace of its own with this replication (a CQL
    /// map), or with one copy in the datacenter that answers.
    pub fn create(access: &ConnectionOptions, replication: Option<&str>) -> Result<Self, Error> {
        let mut connection = Connection::open(access)?;
        let now = now_seconds();
        drop_stale_keyspaces(&mut connection, now);
        let replication = match replication {
            Some(given) => given.to_owned(),
            None => single_copy_replication(&mut connection)?,
        };
        let mut scratch = Self {
            access: access.clone(),
            connection: Some(connection),
            keyspace: String::new(),
            replication,
            is_there: false,
        };
        scratch.create_keyspace(now)?;
        Ok(scratch)
    }

    /// The connection, in the keyspace.
    pub fn connection(&mut self) -> Result<&mut Connection, Error> {
        self.connection.as_mut().ok_or_else(|| Error::connection_lost("no node is connected"))
    }

    /// The name of the keyspace.
    pub fn keyspace(&self) -> &str {
        &self.keyspace
    }

    /// An empty keyspace in place of this one.
    pub fn recreate(&mut self) -> Result<(), Error> {
        self.drop_keyspace()?;
        self.create_keyspace(now_seconds())
    }

    /// Drops the keyspace. Where the connection died the cluster is called again; where nobody answers, the error says
    /// how to remove the keyspace by hand.
    pub fn finish(mut self) -> Result<(), Error> {
        self.drop_keyspace()
    }

    fn create_keyspace(&mut self, now: u64) -> Result<(), Error> {
        self.keyspace = format!("{PREFIX}{now}_{:08x}", random_suffix());
        let create =
            format!("CREATE KEYSPACE {} WITH replication = {}", self.keyspace, self.replication);
        // From here on it may be there, even if the answer does not arrive.
        self.is_there = true;
        let keyspace = self.keyspace.clone();
        let connection = self.connection()?;
        connection.run(&create, &[])?;
        connection.use_keyspace(&keyspace)
    }

    fn drop_keyspace(&mut self) -> Result<(), Error> {
        if !self.is_there {
            return Ok(());
        }
        let drop = format!("DROP KEYSPACE IF EXISTS {}", self.keyspace);
        let mut last = Error::connection_lost("no node is connected");
        for call in 0..=DROP_RETRIES {
            if call > 0 {
                self.connection = None;
                std::thread::sleep(RETRY_DELAY);
                match Connection::open(&self.access) {
                    Ok(connection) => self.connection = Some(connection),
                    Err(error) => {
                        last = error;
                        continue;
                    }
                }
            }
            let Some(connection) = &mut self.connection else { continue };
            match connection.run(&drop, &[]) {
                Ok(_) => {
                    self.is_there = false;
                    return Ok(());
                }
                Err(error) => last = error,
            }
        }
        // Told once: what cannot be removed now will not be a moment later.
        self.is_there = false;
        let message =
            format!("the keyspace {} is left behind; remove it with: {drop};", self.keyspace);
        Err(Error { message, ..last })
    }
}

impl Drop for ScratchKeyspace {
    fn drop(&mut self) {
        // Whoever wants to know how it went calls `finish`.
        let _ = self.drop_keyspace();
    }
}

/// Takes away keyspaces that runs of more than a day ago left behind. What cannot be removed is another's to remove.
fn drop_stale_keyspaces(connection: &mut Connection, now: u64) {
    let names = "SELECT keyspace_name FROM system_schema.keyspaces";
    let Ok(found) = connection.run(names, &[]) else { return };
    for name in found.rows.into_iter().filter_map(|row| row.into_iter().next().flatten()) {
        let name = String::from_utf8_lossy(&name).into_owned();
        if creation_time(&name).is_some_and(|then| then.saturating_add(DAY_SECONDS) < now) {
            let _ = connection.run(&format!("DROP KEYSPACE IF EXISTS {name}"), &[]);
        }
    }
}

/// When a keyspace was created (seconds since 1970), if it is one of ours.
pub fn creation_time(keyspace: &str) -> Option<u64> {
    let (seconds, random) = keyspace.strip_prefix(PREFIX)?.split_once('_')?;
    let is_random = random.len() == 8 && random.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_number = seconds.bytes().all(|byte| byte.is_ascii_digit());
    (is_random && is_number).then(|| seconds.parse().ok()).flatten()
}

/// One copy in the datacenter of the node that answers.
fn single_copy_replication(connection: &mut Connection) -> Result<String, Error> {
    let found = connection.run("SELECT data_center FROM system.local", &[])?;
    let name = found.rows.into_iter().flatten().flatten().next();
    let name = name.and_then(|bytes| String::from_utf8(bytes).ok()).ok_or_else(|| Error {
        kind: ErrorKind::Server,
        message: "the server does not say which datacenter it is in".to_owned(),
    })?;
    let name = name.replace('\'', "''");
    Ok(format!("{{'class': 'NetworkTopologyStrategy', '{name}': 1}}"))
}

fn now_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// A number that two runs are unlikely to share: the keys of a hasher are random.
fn random_suffix() -> u32 {
    let hash = RandomState::new().build_hasher().finish();
    u32::try_from(hash & u64::from(u32::MAX)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_are_known_by_their_names() {
        assert_eq!(creation_time("helenus_proof_1794816000_00c0ffee"), Some(1_794_816_000));
        for other in [
            "helenus_proof_1794816000",
            "helenus_proof_x_00c0ffee",
            "helenus_proof_1794816000_shop",
            "helenus_proofs_1794816000_00c0ffee",
            "killrvideo",
        ] {
            assert_eq!(creation_time(other), None, "{other}");
        }
    }

    #[test]
    fn names_fit_and_differ() {
        let name = || format!("{PREFIX}{}_{:08x}", u32::MAX, random_suffix());
        assert!(name().len() <= 48, "a keyspace's name has at most 48 letters");
        assert_ne!(name(), name());
    }
}
