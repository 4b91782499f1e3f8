//! Where a cluster is, and who asks.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::secret::Secret;

/// The port of the native protocol.
const DEFAULT_PORT: u16 = 9042;
/// The variables of the environment that name the user and the password.
const USER_VARIABLE: &str = "HELENUS_USER";
const PASSWORD_VARIABLE: &str = "HELENUS_PASSWORD";

/// Where a cluster is, and who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectionOptions {
    /// Contact points, each `host:port`.
    pub hosts: Vec<String>,
    /// Who asks.
    pub credentials: Option<Credentials>,
    /// How the connection is encrypted; not at all without.
    pub tls: Option<Tls>,
}

/// A user and a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// The user.
    pub user: String,
    /// The password.
    pub password: Secret,
}

/// How a connection is encrypted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tls {
    /// PEM: who may have signed the certificates of the servers. Must be there, unless nothing is verified.
    pub authority: Option<PathBuf>,
    /// PEM: the certificate by which the client says who it is, and its key.
    pub client: Option<(PathBuf, PathBuf)>,
    /// Nothing is verified: anybody may be at the other end.
    pub trusts_anybody: bool,
}

impl ConnectionOptions {
    /// From contact points as the command line has them: `host[:port][,host[:port]]`.
    pub fn from_contact_points(contact_points: &str) -> Result<Self, Error> {
        let hosts = contact_points
            .split(',')
            .map(|point| parse_contact_point(point.trim()))
            .collect::<Option<Vec<_>>>()
            .filter(|hosts| !hosts.is_empty());
        let hosts = hosts.ok_or_else(|| {
            Error::settings(format!("'{contact_points}' is no host:port[,host:port]"))
        })?;
        Ok(Self { hosts, credentials: None, tls: None })
    }

    /// The contact points, in a row.
    pub(crate) fn contact_points(&self) -> String {
        self.hosts.join(", ")
    }
}

/// `host:port` of `host`, `host:port`, `[::1]:port` or `::1`.
fn parse_contact_point(point: &str) -> Option<String> {
    let odd = |c: char| c.is_whitespace() || matches!(c, '@' | '/');
    if point.is_empty() || point.contains(odd) {
        return None;
    }
    if point.parse::<std::net::Ipv6Addr>().is_ok() {
        return Some(format!("[{point}]:{DEFAULT_PORT}"));
    }
    match point.rsplit_once(':') {
        Some((host, port)) if !host.is_empty() => {
            port.parse::<u16>().ok().map(|port| format!("{host}:{port}"))
        }
        Some(_) => None,
        None => Some(format!("{point}:{DEFAULT_PORT}")),
    }
}

impl Credentials {
    /// From `HELENUS_USER` and `HELENUS_PASSWORD`, as `variable` finds them; `None` where neither is set.
    pub fn from_environment(
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, Error> {
        match (variable(USER_VARIABLE), variable(PASSWORD_VARIABLE)) {
            (None, None) => Ok(None),
            (Some(user), Some(password)) => {
                Ok(Some(Self { user, password: Secret::new(password) }))
            }
            (None, Some(_)) => Err(Error::settings(format!(
                "{PASSWORD_VARIABLE} is set and {USER_VARIABLE} is not"
            ))),
            (Some(_), None) => Err(Error::settings(format!(
                "{USER_VARIABLE} is set and {PASSWORD_VARIABLE} is not"
            ))),
        }
    }

    /// From a file with the lines `user = ...` and `password = ...`, which nobody else may read.
    pub fn from_file(path: &Path) -> Result<Self, Error> {
        let shown = path.display();
        let cannot =
            |error: std::io::Error| Error::settings(format!("cannot read {shown}: {error}"));
        refuse_open_file(path, &fs::metadata(path).map_err(cannot)?)?;
        let text = fs::read_to_string(path).map_err(cannot)?;
        let mut found: [Option<&str>; 2] = [None, None];
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            // The line itself is not shown: it may hold the password.
            let wrong = || {
                Error::settings(format!(
                    "{shown}:{}: write `user = ...` or `password = ...`",
                    number + 1
                ))
            };
            let (name, value) = line.split_once('=').ok_or_else(wrong)?;
            let slot = match name.trim() {
                "user" => 0,
                "password" => 1,
                _ => return Err(wrong()),
            };
            found[slot] = Some(value.trim());
        }
        match found {
            [Some(user), Some(password)] => {
                Ok(Self { user: user.to_owned(), password: Secret::new(password) })
            }
            [None, _] => Err(Error::settings(format!("{shown} has no line `user = ...`"))),
            [_, None] => Err(Error::settings(format!("{shown} has no line `password = ...`"))),
        }
    }
}

/// A file with a password that others may read is none.
#[cfg(unix)]
fn refuse_open_file(path: &Path, metadata: &fs::Metadata) -> Result<(), Error> {
    use std::os::unix::fs::PermissionsExt;
    // The last two digits are of the group and of everybody.
    if metadata.permissions().mode().is_multiple_of(0o100) {
        return Ok(());
    }
    let shown = path.display();
    Err(Error::settings(format!("others may read {shown}: chmod 600 {shown}")))
}

#[cfg(not(unix))]
fn refuse_open_file(_: &Path, _: &fs::Metadata) -> Result<(), Error> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contact_points() {
        let hosts =
            |text: &str| ConnectionOptions::from_contact_points(text).map(|access| access.hosts);
        assert_eq!(hosts("a:1, b"), Ok(vec!["a:1".to_owned(), "b:9042".to_owned()]));
        assert_eq!(hosts("::1"), Ok(vec!["[::1]:9042".to_owned()]));
        assert_eq!(hosts("[::1]:9"), Ok(vec!["[::1]:9".to_owned()]));
        for wrong in ["", ",", "a:", ":1", "a:99999", "a b", "me:secret@host:1"] {
            assert!(hosts(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn credentials_of_the_environment() {
        let from = |user: Option<&str>, password: Option<&str>| {
            Credentials::from_environment(|name| {
                let value = if name == USER_VARIABLE { user } else { password };
                value.map(str::to_owned)
            })
        };
        assert_eq!(from(None, None), Ok(None));
        let found = from(Some("me"), Some("secret")).expect("both are there").expect("so it is");
        assert_eq!(format!("{found:?}"), "Credentials { user: \"me\", password: *** }");
        assert!(from(Some("me"), None).is_err() && from(None, Some("secret")).is_err());
    }

    #[test]
    fn credentials_of_a_file() {
        let path = std::env::temp_dir().join(format!("helenus-credentials-{}", std::process::id()));
        let read = |text: &str, mode: u32| {
            fs::write(&path, text).expect("it can be written");
            allow(&path, mode);
            Credentials::from_file(&path).map_err(|error| error.message)
        };
        let good = "# mine\nuser = me\npassword = a = b\n";
        let found = read(good, 0o600).expect("it is right");
        assert_eq!((found.user.as_str(), found.password.reveal()), ("me", "a = b"));
        if cfg!(unix) {
            let refused = read(good, 0o640).expect_err("others may read it");
            assert!(refused.contains("chmod 600"), "{refused}");
        }
        let wrong = read("user = me\nhush\n", 0o600).expect_err("it is wrong");
        assert!(wrong.contains(":2:") && !wrong.contains("hush"), "{wrong}");
        assert!(read("user = me\n", 0o600).expect_err("it is wrong").contains("no line `password"));
        fs::remove_file(&path).expect("it can be removed");
        assert!(Credentials::from_file(&path).is_err());
    }

    #[cfg(unix)]
    fn allow(path: &Path, mode: u32) {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it is ours");
    }

    #[cfg(not(unix))]
    fn allow(_: &Path, _: u32) {}
}
