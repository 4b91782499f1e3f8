//! [`ScratchKeyspace`]: a temporary keyspace for a proof, dropped at the end even if the run fails.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::connection::Connection;
use crate::connection_options::ConnectionOptions;
use crate::error::{Error, ErrorKind};

/// The prefix of the names of scratch keyspaces.
const PREFIX: &str = "helenus_proof_";
/// The age at which a scratch keyspace is stale: no run takes a day.
const DAY_SECONDS: u64 = 86_400;
/// How often, and at which interval, dropping the keyspace is retried on a new connection.
const DROP_RETRIES: u32 = 3;
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// A temporary keyspace on a cluster, dropped by [`ScratchKeyspace::finish`] or on drop.
#[derive(Debug)]
pub struct ScratchKeyspace {
    options: ConnectionOptions,
    connection: Option<Connection>,
    keyspace: String,
    replication: String,
    /// Whether the keyspace may exist and must be dropped.
    exists: bool,
}

impl ScratchKeyspace {
    /// Connects, drops stale scratch keyspaces of earlier runs, and creates and enters a new one
    /// with this replication (a CQL map), or with one replica in the datacenter of the contact
    /// point.
    pub fn create(options: &ConnectionOptions, replication: Option<&str>) -> Result<Self, Error> {
        let mut connection = Connection::open(options)?;
        let now = now_seconds();
        drop_stale_keyspaces(&mut connection, now);
        let replication = match replication {
            Some(given) => given.to_owned(),
            None => single_copy_replication(&mut connection)?,
        };
        let mut scratch = Self {
            options: options.clone(),
            connection: Some(connection),
            keyspace: String::new(),
            replication,
            exists: false,
        };
        scratch.create_keyspace(new_name(now))?;
        Ok(scratch)
    }

    /// The connection, with this keyspace in use.
    pub fn connection(&mut self) -> Result<&mut Connection, Error> {
        self.connection.as_mut().ok_or_else(|| Error::connection_lost("no node is connected"))
    }

    /// The name of the keyspace.
    pub fn keyspace(&self) -> &str {
        &self.keyspace
    }

    /// Replaces the keyspace by a new, empty one.
    pub fn replace(&mut self) -> Result<(), Error> {
        self.drop_keyspace()?;
        self.create_keyspace(new_name(now_seconds()))
    }

    /// Drops the keyspace and creates it again under the same name, for the connections that use
    /// it.
    pub fn recreate(&mut self) -> Result<(), Error> {
        self.drop_keyspace()?;
        self.create_keyspace(self.keyspace.clone())
    }

    /// Drops the keyspace, on a new connection if the old one is lost. If that fails, the error
    /// gives the statement that drops the keyspace by hand.
    pub fn finish(mut self) -> Result<(), Error> {
        self.drop_keyspace()
    }

    fn create_keyspace(&mut self, name: String) -> Result<(), Error> {
        self.keyspace = name;
        let create =
            format!("CREATE KEYSPACE {} WITH replication = {}", self.keyspace, self.replication);
        // From here on the keyspace may exist, even if the response never arrives.
        self.exists = true;
        let keyspace = self.keyspace.clone();
        let connection = self.connection()?;
        connection.run(&create, &[])?;
        connection.use_keyspace(&keyspace)
    }

    fn drop_keyspace(&mut self) -> Result<(), Error> {
        if !self.exists {
            return Ok(());
        }
        let drop = format!("DROP KEYSPACE IF EXISTS {}", self.keyspace);
        let mut last = Error::connection_lost("no node is connected");
        for attempt in 0..=DROP_RETRIES {
            if attempt > 0 {
                self.connection = None;
                std::thread::sleep(RETRY_DELAY);
                match Connection::open(&self.options) {
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
                    self.exists = false;
                    return Ok(());
                }
                Err(error) => last = error,
            }
        }
        // Reported once: `Drop` does not try again what just failed several times.
        self.exists = false;
        let message =
            format!("cannot drop the keyspace {}; drop it by hand with: {drop};", self.keyspace);
        Err(Error { message, ..last })
    }
}

impl Drop for ScratchKeyspace {
    fn drop(&mut self) {
        // Best effort; `finish` reports errors.
        let _ = self.drop_keyspace();
    }
}

/// A name that no other run uses.
fn new_name(now: u64) -> String {
    format!("{PREFIX}{now}_{:08x}", random_suffix())
}

/// Drops scratch keyspaces that are older than a day. Best effort: the role may lack the permission
/// to drop those of another role.
fn drop_stale_keyspaces(connection: &mut Connection, now: u64) {
    let query = "SELECT keyspace_name FROM system_schema.keyspaces";
    let Ok(result) = connection.run(query, &[]) else { return };
    for name in result.rows.into_iter().filter_map(|row| row.into_iter().next().flatten()) {
        let name = String::from_utf8_lossy(&name).into_owned();
        if creation_time(&name).is_some_and(|then| then.saturating_add(DAY_SECONDS) < now) {
            let _ = connection.run(&format!("DROP KEYSPACE IF EXISTS {name}"), &[]);
        }
    }
}

/// When a keyspace was created (seconds since 1970), if its name is that of a scratch keyspace.
pub fn creation_time(keyspace: &str) -> Option<u64> {
    let (seconds, random) = keyspace.strip_prefix(PREFIX)?.split_once('_')?;
    let is_random = random.len() == 8 && random.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_number = seconds.bytes().all(|byte| byte.is_ascii_digit());
    (is_random && is_number).then(|| seconds.parse().ok()).flatten()
}

/// A replication map with one replica in the datacenter of the contact point.
fn single_copy_replication(connection: &mut Connection) -> Result<String, Error> {
    let result = connection.run("SELECT data_center FROM system.local", &[])?;
    let name = result.rows.into_iter().flatten().flatten().next();
    let name = name.and_then(|bytes| String::from_utf8(bytes).ok()).ok_or_else(|| Error {
        kind: ErrorKind::Server,
        response: None,
        message: "the server returned no datacenter name from system.local".to_owned(),
    })?;
    let name = name.replace('\'', "''");
    Ok(format!("{{'class': 'NetworkTopologyStrategy', '{name}': 1}}"))
}

fn now_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// A random number, so that two runs in the same second do not share a name. `RandomState` is the
/// only source of randomness in the standard library.
fn random_suffix() -> u32 {
    let hash = RandomState::new().build_hasher().finish();
    u32::try_from(hash & u64::from(u32::MAX)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scratch_keyspaces_are_recognised_by_their_names() {
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
        assert!(name().len() <= 48, "Cassandra limits keyspace names to 48 characters");
        assert_ne!(name(), name());
    }
}
