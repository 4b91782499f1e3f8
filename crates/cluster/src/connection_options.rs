//! How to connect to a cluster: contact points, credentials, TLS.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::secret::Secret;

/// The port of the native protocol.
const DEFAULT_PORT: u16 = 9042;
/// The environment variables with the user name and the password.
const USER_VARIABLE: &str = "HELENUS_USER";
const PASSWORD_VARIABLE: &str = "HELENUS_PASSWORD";

/// How to connect to a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectionOptions {
    /// Contact points, each `host:port`.
    pub hosts: Vec<String>,
    /// The login; without one the connection is not authenticated.
    pub credentials: Option<Credentials>,
    /// The encryption; without it the connection is not encrypted.
    pub tls: Option<Tls>,
}

/// A user name and a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// The name of the role that logs in.
    pub user: String,
    /// Its password, which is never printed.
    pub password: Secret,
}

/// The TLS settings of a connection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tls {
    /// The PEM file with the CA certificates that sign the servers' certificates. Required unless
    /// the servers' certificates are not verified.
    pub authority: Option<PathBuf>,
    /// The PEM files with the client's certificate and private key.
    pub client: Option<(PathBuf, PathBuf)>,
    /// Does not verify the servers' certificates (insecure).
    pub trusts_anybody: bool,
}

impl ConnectionOptions {
    /// Parses the contact points of the command line: `host[:port][,host[:port]]`.
    pub fn from_contact_points(contact_points: &str) -> Result<Self, Error> {
        let hosts = contact_points
            .split(',')
            .map(|point| parse_contact_point(point.trim()))
            .collect::<Option<Vec<_>>>()
            .filter(|hosts| !hosts.is_empty());
        let hosts = hosts.ok_or_else(|| {
            Error::settings(format!(
                "invalid contact points '{contact_points}': expected host:port[,host:port]"
            ))
        })?;
        Ok(Self { hosts, credentials: None, tls: None })
    }

    /// The contact points, separated by commas.
    pub(crate) fn contact_points(&self) -> String {
        self.hosts.join(", ")
    }
}

/// Parses `host`, `host:port`, `[::1]:port` or `::1` into `host:port`.
fn parse_contact_point(point: &str) -> Option<String> {
    // `user:password@host` and URLs are refused rather than resolved as a host name, so that a
    // password does not end up in a DNS query.
    let is_invalid = |c: char| c.is_whitespace() || matches!(c, '@' | '/');
    if point.is_empty() || point.contains(is_invalid) {
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
    /// Reads `HELENUS_USER` and `HELENUS_PASSWORD` through `variable`; `None` if neither is set.
    pub fn from_environment(
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, Error> {
        match (variable(USER_VARIABLE), variable(PASSWORD_VARIABLE)) {
            (None, None) => Ok(None),
            (Some(user), Some(password)) => {
                Ok(Some(Self { user, password: Secret::new(password) }))
            }
            (None, Some(_)) => Err(Error::settings(format!(
                "{PASSWORD_VARIABLE} is set, but {USER_VARIABLE} is not"
            ))),
            (Some(_), None) => Err(Error::settings(format!(
                "{USER_VARIABLE} is set, but {PASSWORD_VARIABLE} is not"
            ))),
        }
    }

    /// Reads a file with the lines `user = ...` and `password = ...`, which only its owner may
    /// read.
    pub fn from_file(path: &Path) -> Result<Self, Error> {
        let shown = path.display();
        let unreadable = |error: std::io::Error| Error::unreadable_file(path, &error);
        let metadata = fs::metadata(path).map_err(unreadable)?;
        regular_file::check(&metadata).map_err(unreadable)?;
        refuse_open_file(path, &metadata)?;
        let text = regular_file::read_to_string(path).map_err(unreadable)?;
        let mut fields: [Option<&str>; 2] = [None, None];
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            // The line itself is not shown: it may hold the password.
            let malformed = || {
                Error::settings(format!(
                    "{shown}:{}: expected `user = ...` or `password = ...`",
                    number + 1
                ))
            };
            let (name, value) = line.split_once('=').ok_or_else(malformed)?;
            let slot = match name.trim() {
                "user" => 0,
                "password" => 1,
                _ => return Err(malformed()),
            };
            fields[slot] = Some(value.trim());
        }
        match fields {
            [Some(user), Some(password)] => {
                Ok(Self { user: user.to_owned(), password: Secret::new(password) })
            }
            [None, _] => Err(Error::settings(format!("{shown} has no line `user = ...`"))),
            [_, None] => Err(Error::settings(format!("{shown} has no line `password = ...`"))),
        }
    }
}

/// Refuses a password file that its group or others can access.
#[cfg(unix)]
fn refuse_open_file(path: &Path, metadata: &fs::Metadata) -> Result<(), Error> {
    use std::os::unix::fs::PermissionsExt;
    // The last two octal digits are the permissions of the group and of others.
    if metadata.permissions().mode().is_multiple_of(0o100) {
        return Ok(());
    }
    let shown = path.display();
    Err(Error::settings(format!("{shown} is accessible by other users; run chmod 600 {shown}")))
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
            |text: &str| ConnectionOptions::from_contact_points(text).map(|options| options.hosts);
        assert_eq!(hosts("a:1, b"), Ok(vec!["a:1".to_owned(), "b:9042".to_owned()]));
        assert_eq!(hosts("::1"), Ok(vec!["[::1]:9042".to_owned()]));
        assert_eq!(hosts("[::1]:9"), Ok(vec!["[::1]:9".to_owned()]));
        for wrong in ["", ",", "a:", ":1", "a:99999", "a b", "me:secret@host:1"] {
            assert!(hosts(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn credentials_are_read_from_the_environment() {
        let from = |user: Option<&str>, password: Option<&str>| {
            Credentials::from_environment(|name| {
                let value = if name == USER_VARIABLE { user } else { password };
                value.map(str::to_owned)
            })
        };
        assert_eq!(from(None, None), Ok(None));
        let credentials = from(Some("me"), Some("secret")).expect("both are set").expect("a login");
        assert_eq!(format!("{credentials:?}"), "Credentials { user: \"me\", password: *** }");
        assert!(from(Some("me"), None).is_err() && from(None, Some("secret")).is_err());
    }

    #[test]
    fn credentials_are_read_from_a_file() {
        let path = std::env::temp_dir().join(format!("helenus-credentials-{}", std::process::id()));
        let shown = path.display().to_string();
        let read = |text: &str, mode: u32| {
            fs::write(&path, text).expect("it can be written");
            allow(&path, mode);
            Credentials::from_file(&path).map_err(|error| error.message)
        };
        let good = "# mine\nuser = me\npassword = a = b\n";
        let credentials = read(good, 0o600).expect("a valid file");
        assert_eq!((credentials.user.as_str(), credentials.password.reveal()), ("me", "a = b"));
        if cfg!(unix) {
            let message = format!("{shown} is accessible by other users; run chmod 600 {shown}");
            assert_eq!(read(good, 0o640), Err(message));
        }
        // The malformed line may be the password: it is not repeated.
        let message = format!("{shown}:2: expected `user = ...` or `password = ...`");
        assert_eq!(read("user = me\nhush\n", 0o600), Err(message));
        let message = format!("{shown} has no line `password = ...`");
        assert_eq!(read("user = me\n", 0o600), Err(message));
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
