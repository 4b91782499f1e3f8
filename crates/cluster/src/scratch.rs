//! A keyspace of our own that does not outlive its use.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::access::Access;
use crate::connection::Connection;
use crate::error::{Error, Kind};

/// How the names of our keyspaces begin; nobody else's do.
const PREFIX: &str = "helenus_proof_";
/// What is left behind for longer than this belongs to nobody who still runs.
const DAY: u64 = 86_400;
/// How often, and how long apart, a cluster that is gone is called again to take its keyspace away.
const CALLS: u32 = 3;
const BETWEEN_CALLS: Duration = Duration::from_secs(1);

/// A keyspace of our own on a cluster, which is dropped at the end, whatever happens in between.
#[derive(Debug)]
pub struct Scratch {
    access: Access,
    connection: Option<Connection>,
    keyspace: String,
    replication: String,
    is_there: bool,
}

impl Scratch {
    /// Connects, takes away what earlier runs left behind, and enters a keyspace of its own with this replication (a CQL
    /// map), or with one copy in the datacenter that answers.
    pub fn create(access: &Access, replication: Option<&str>) -> Result<Self, Error> {
        let mut connection = Connection::open(access)?;
        let now = seconds_now();
        sweep(&mut connection, now);
        let replication = match replication {
            Some(given) => given.to_owned(),
            None => one_copy(&mut connection)?,
        };
        let mut scratch = Self {
            access: access.clone(),
            connection: Some(connection),
            keyspace: String::new(),
            replication,
            is_there: false,
        };
        scratch.make(now)?;
        Ok(scratch)
    }

    /// The connection, in the keyspace.
    pub fn connection(&mut self) -> Result<&mut Connection, Error> {
        self.connection.as_mut().ok_or_else(|| Error::lost("no node is connected"))
    }

    /// The name of the keyspace.
    pub fn keyspace(&self) -> &str {
        &self.keyspace
    }

    /// An empty keyspace in place of this one.
    pub fn renew(&mut self) -> Result<(), Error> {
        self.remove()?;
        self.make(seconds_now())
    }

    /// Drops the keyspace. Where the connection died the cluster is called again; where nobody answers, the error says
    /// how to remove the keyspace by hand.
    pub fn finish(mut self) -> Result<(), Error> {
        self.remove()
    }

    fn make(&mut self, now: u64) -> Result<(), Error> {
        self.keyspace = format!("{PREFIX}{now}_{:08x}", random());
        let create =
            format!("CREATE KEYSPACE {} WITH replication = {}", self.keyspace, self.replication);
        // From here on it may be there, even if the answer does not arrive.
        self.is_there = true;
        let keyspace = self.keyspace.clone();
        let connection = self.connection()?;
        connection.run(&create, &[])?;
        connection.enter(&keyspace)
    }

    fn remove(&mut self) -> Result<(), Error> {
        if !self.is_there {
            return Ok(());
        }
        let drop = format!("DROP KEYSPACE IF EXISTS {}", self.keyspace);
        let mut last = Error::lost("no node is connected");
        for call in 0..=CALLS {
            if call > 0 {
                self.connection = None;
                std::thread::sleep(BETWEEN_CALLS);
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

impl Drop for Scratch {
    fn drop(&mut self) {
        // Whoever wants to know how it went calls `finish`.
        let _ = self.remove();
    }
}

/// Takes away keyspaces that runs of more than a day ago left behind. What cannot be removed is another's to remove.
fn sweep(connection: &mut Connection, now: u64) {
    let names = "SELECT keyspace_name FROM system_schema.keyspaces";
    let Ok(found) = connection.run(names, &[]) else { return };
    for name in found.rows.into_iter().filter_map(|row| row.into_iter().next().flatten()) {
        let name = String::from_utf8_lossy(&name).into_owned();
        if created_at(&name).is_some_and(|then| then.saturating_add(DAY) < now) {
            let _ = connection.run(&format!("DROP KEYSPACE IF EXISTS {name}"), &[]);
        }
    }
}

/// When a keyspace was created (seconds since 1970), if it is one of ours.
pub fn created_at(keyspace: &str) -> Option<u64> {
    let (seconds, random) = keyspace.strip_prefix(PREFIX)?.split_once('_')?;
    let is_random = random.len() == 8 && random.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_number = seconds.bytes().all(|byte| byte.is_ascii_digit());
    (is_random && is_number).then(|| seconds.parse().ok()).flatten()
}

/// One copy in the datacenter of the node that answers.
fn one_copy(connection: &mut Connection) -> Result<String, Error> {
    let found = connection.run("SELECT data_center FROM system.local", &[])?;
    let name = found.rows.into_iter().flatten().flatten().next();
    let name = name.and_then(|bytes| String::from_utf8(bytes).ok()).ok_or_else(|| Error {
        kind: Kind::Server,
        message: "the server does not say which datacenter it is in".to_owned(),
    })?;
    let name = name.replace('\'', "''");
    Ok(format!("{{'class': 'NetworkTopologyStrategy', '{name}': 1}}"))
}

fn seconds_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// A number that two runs are unlikely to share: the keys of a hasher are random.
fn random() -> u32 {
    let hash = RandomState::new().build_hasher().finish();
    u32::try_from(hash & u64::from(u32::MAX)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_are_known_by_their_names() {
        assert_eq!(created_at("helenus_proof_1794816000_00c0ffee"), Some(1_794_816_000));
        for other in [
            "helenus_proof_1794816000",
            "helenus_proof_x_00c0ffee",
            "helenus_proof_1794816000_shop",
            "helenus_proofs_1794816000_00c0ffee",
            "killrvideo",
        ] {
            assert_eq!(created_at(other), None, "{other}");
        }
    }

    #[test]
    fn names_fit_and_differ() {
        let name = || format!("{PREFIX}{}_{:08x}", u32::MAX, random());
        assert!(name().len() <= 48, "a keyspace's name has at most 48 letters");
        assert_ne!(name(), name());
    }
}
