//! Roles, permissions, identities and DESCRIBE.

use super::super::schema::{Effect, quote_name};
use super::super::statement_writer::{StatementDraft, StatementWriter};

impl StatementWriter<'_> {
    fn role_name(&mut self) -> String {
        self.pick_word(&["reader", "writer", "\"Admin\"", "'quoted role'", "ops"]).to_owned()
    }

    /// CREATE, ALTER and DROP ROLE and USER.
    pub(super) fn role(&mut self) -> Option<StatementDraft> {
        let name = self.role_name();
        let user = self.pick_word(&["joe", "'jane doe'"]).to_owned();
        let exists = self.pick_word(&["", "", "IF EXISTS "]);
        let absent = self.pick_word(&["", "", "IF NOT EXISTS "]);
        let options = self.role_options();
        let keyspace = self.pick_keyspace()?;
        let text = match self.rng.number_below(9) {
            0 | 1 => format!("CREATE ROLE {absent}{name}{options}"),
            2 => format!("ALTER ROLE {exists}{name}{options}"),
            3 => format!("DROP ROLE {exists}{name}"),
            4 => format!(
                "CREATE USER {absent}{user}{}",
                self.pick_word(&[
                    "",
                    " WITH PASSWORD 'x'",
                    " SUPERUSER",
                    " WITH HASHED PASSWORD 'x'"
                ])
            ),
            5 => format!(
                "ALTER USER {exists}{user}{}",
                self.pick_word(&["", " WITH PASSWORD 'x'", " NOSUPERUSER"])
            ),
            8 => format!("LIST ALL ON KEYSPACE {}", quote_name(&keyspace.name)),
            6 => format!("DROP USER {exists}{user}"),
            _ => format!(
                "LIST ROLES{}{}",
                self.pick_word(&["", " OF reader"]),
                self.pick_word(&["", " NORECURSIVE"])
            ),
        };
        Some(self.draft(text, Effect::None))
    }

    fn role_options(&mut self) -> String {
        let mut parts = Vec::new();
        for _ in 0..self.rng.number_below(3) {
            let options = [
                "PASSWORD = 'secret'",
                "LOGIN = true",
                "SUPERUSER = false",
                "OPTIONS = {'a': 'b'}",
                "ACCESS TO ALL DATACENTERS",
                "ACCESS TO DATACENTERS {'dc1'}",
                "ACCESS FROM ALL CIDRS",
                "HASHED PASSWORD = '$2a$10$JSJEMFm6GeaW9XxT5JIheuEtPvat6i7uKbnTcxX3c1wshIIsGyUtG'",
            ];
            parts.push(self.pick_word(&options).to_owned());
        }
        if self.slip("role option", 3) {
            let odd = [
                "LOGIN = 'yes'",
                "PASSWORD = 5",
                "ADMIN = true",
                "OPTIONS = 'x'",
                "ACCESS TO DATACENTERS {}",
            ];
            parts.push(self.pick_word(&odd).to_owned());
        }
        if self.slip("role option twice", 2) {
            parts.extend(["LOGIN = true".to_owned(), "LOGIN = false".to_owned()]);
        }
        if parts.is_empty() { String::new() } else { format!(" WITH {}", parts.join(" AND ")) }
    }

    /// GRANT, REVOKE, LIST and identities.
    pub(super) fn permission(&mut self) -> Option<StatementDraft> {
        let permission = self.pick_word(&[
            "ALL",
            "ALL PERMISSIONS",
            "SELECT",
            "MODIFY",
            "EXECUTE",
            "AUTHORIZE",
            "DESCRIBE",
            "UNMASK",
            "CREATE, ALTER",
        ]);
        let resource = self.resource()?;
        let role = self.role_name();
        let text = match self.rng.number_below(10) {
            0..=2 => format!("GRANT {permission} ON {resource} TO {role}"),
            3 | 4 => format!("REVOKE {permission} ON {resource} FROM {role}"),
            5 => format!("LIST {permission} ON {resource} OF {role}"),
            6 => {
                format!("LIST {permission}{}", self.pick_word(&["", " OF reader", " NORECURSIVE"]))
            }
            7 => format!("GRANT reader TO {role}"),
            8 => format!("REVOKE reader FROM {role}"),
            _ => self
                .pick_word(&[
                    "ADD IDENTITY 'spiffe://a' TO ROLE 'reader'",
                    "DROP IDENTITY IF EXISTS 'spiffe://a'",
                    "LIST USERS",
                ])
                .to_owned(),
        };
        let text =
            if self.slip("permission misspelt", 1) { text.replacen("ON ", "OF ", 1) } else { text };
        Some(self.draft(text, Effect::None))
    }

    fn resource(&mut self) -> Option<String> {
        let (keyspace, table) = self.pick_table(|_| true)?;
        let owner = if self.slip("keyspace one letter off", 2) {
            self.misspell(&keyspace.name)
        } else {
            keyspace.name.clone()
        };
        let resource = match self.rng.number_below(9) {
            0 => "ALL KEYSPACES".to_owned(),
            1 => format!("KEYSPACE {owner}"),
            2 => format!("ALL TABLES IN KEYSPACE {owner}"),
            3 => format!("ALL FUNCTIONS IN KEYSPACE {owner}"),
            4 => format!("FUNCTION {owner}.fun(int)"),
            5 => "ALL ROLES".to_owned(),
            6 => "ALL MBEANS".to_owned(),
            7 => "ROLE reader".to_owned(),
            _ => {
                let path = self.qualified_name(keyspace, &table.name);
                format!("TABLE {path}")
            }
        };
        Some(resource)
    }

    /// DESCRIBE.
    pub(super) fn describe(&mut self) -> Option<StatementDraft> {
        let (keyspace, table) = self.pick_table(|_| true)?;
        let path = self.qualified_name(keyspace, &table.name);
        let index = table.indexes.first().map_or("idx", |index| &index.name).to_owned();
        let ty = keyspace.types.first().map_or("thing", |ty| &ty.name).to_owned();
        let function =
            keyspace.functions.first().map_or("fun", |function| &function.name).to_owned();
        let name = if self.slip("keyspace one letter off", 2) {
            self.misspell(&keyspace.name)
        } else {
            keyspace.name.clone()
        };
        let text = match self.rng.number_below(16) {
            0 => "DESCRIBE KEYSPACES".to_owned(),
            1 => "DESC TABLES".to_owned(),
            2 => "DESCRIBE TYPES".to_owned(),
            3 => {
                format!("DESCRIBE {}KEYSPACE {}", self.pick_word(&["", "ONLY "]), quote_name(&name))
            }
            4 => format!("DESCRIBE TABLE {path}"),
            5 => format!("DESCRIBE INDEX {}", self.qualified_name(keyspace, &index)),
            6 => format!("DESCRIBE MATERIALIZED VIEW {path}"),
            7 => format!("DESCRIBE TYPE {}", self.qualified_name(keyspace, &ty)),
            8 => format!("DESCRIBE FUNCTION {}", self.qualified_name(keyspace, &function)),
            9 => format!("DESCRIBE AGGREGATE {}", self.qualified_name(keyspace, &function)),
            10 => format!("DESC {path}"),
            11 => format!("DESCRIBE {}", self.qualified_name(keyspace, &index)),
            12 => "DESCRIBE FUNCTIONS".to_owned(),
            13 => format!("DESCRIBE TABLE {path} WITH INTERNALS"),
            14 => "DESCRIBE KEYSPACE".to_owned(),
            _ => self
                .pick_word(&["DESCRIBE AGGREGATES", "DESCRIBE CLUSTER", "DESC SCHEMA"])
                .to_owned(),
        };
        Some(self.draft(text, Effect::None))
    }
}
