//! CREATE, ALTER and DROP TYPE.

use super::super::schema::{Effect, Keyspace, UserType, quote_name};
use super::super::statement_writer::{StatementDraft, StatementWriter, join_commas};
use super::super::types::Ty;

const FIELDS: &[&str] = &["street", "zip", "number", "city", "First", "points", "parts", "since"];

impl StatementWriter<'_> {
    fn field_type(&mut self, keyspace: &Keyspace) -> Ty {
        if self.slip("field type", 2) {
            let user = keyspace
                .types
                .first()
                .map_or(Ty::Native("counter"), |ty| Ty::User(ty.name.clone()));
            let odd = self.odd_type(keyspace);
            return self.rng.pick(&[Ty::Native("counter"), user, odd]).clone();
        }
        match self.column_type(keyspace) {
            Ty::User(name) => Ty::User(name).into_frozen(),
            other if self.rng.roll(85) => other.into_frozen(),
            other => other,
        }
    }

    /// CREATE TYPE.
    pub(super) fn create_type(&mut self) -> Option<StatementDraft> {
        let keyspace = self.pick_keyspace()?;
        let stem = self.pick_word(&["address", "point", "Money", "profile"]);
        let mut ty = UserType { name: self.fresh_name(stem), fields: vec![] };
        let count = 1 + self.rng.number_below(4);
        let mut names = FIELDS.to_vec();
        self.rng.shuffle(&mut names);
        for name in names.into_iter().take(count) {
            ty.fields.push((name.to_owned(), self.field_type(keyspace)));
        }
        if self.slip("type that exists", 3)
            && let Some(other) = keyspace.types.first()
        {
            ty.name.clone_from(&other.name);
        }
        if self.slip("type name", 1) {
            self.pick_word(&["int", "Text", "frozen", "tuple", "bitstring", "byte", "date"])
                .clone_into(&mut ty.name);
        }
        let mut parts: Vec<String> =
            ty.fields.iter().map(|(name, ty)| format!("{} {ty}", quote_name(name))).collect();
        if self.slip("field twice", 2) {
            parts.push(parts[0].clone());
        }
        let path = self.qualified_name(keyspace, &ty.name);
        let exists = if self.rng.roll(15) { "IF NOT EXISTS " } else { "" };
        let text = format!("CREATE TYPE {exists}{path} ({})", join_commas(&parts));
        Some(self.draft(text, Effect::AddType(keyspace.name.clone(), ty)))
    }

    /// ALTER TYPE.
    pub(super) fn alter_type(&mut self) -> Option<StatementDraft> {
        let keyspace = self.pick_keyspace()?;
        if keyspace.types.is_empty() {
            return self.create_type();
        }
        let ty = self.rng.pick(&keyspace.types).clone();
        let path = self.qualified_name(keyspace, &ty.name);
        let exists = if self.rng.roll(15) { "IF EXISTS " } else { "" };
        let field = self.rng.pick(&ty.fields).0.clone();
        let shown = if self.slip("field one letter off", 2) {
            self.misspell(&field)
        } else {
            field.clone()
        };
        let mut fresh = self.fresh_name("field");
        if self.slip("field that exists", 2) {
            fresh.clone_from(&self.rng.pick(&ty.fields).0);
        }
        let keyspace_name = keyspace.name.clone();
        let guard = if self.rng.roll(15) { "IF EXISTS " } else { "" };
        let (change, effect) = match self.rng.number_below(8) {
            0 if self.slip("field type changed", 6) => {
                (format!("ALTER {} TYPE text", quote_name(&shown)), Effect::None)
            }
            0..=3 if ty.fields.len() < 8 => {
                let added = self.field_type(keyspace);
                let guard = if self.rng.roll(15) { "IF NOT EXISTS " } else { "" };
                let change = format!("ADD {guard}{} {added}", quote_name(&fresh));
                (change, Effect::AddField(keyspace_name, ty.name.clone(), (fresh, added)))
            }
            _ => {
                let change =
                    format!("RENAME {guard}{} TO {}", quote_name(&shown), quote_name(&fresh));
                let effect = Effect::RenameField {
                    keyspace: keyspace_name,
                    user_type: ty.name.clone(),
                    from: field,
                    to: fresh,
                };
                (change, effect)
            }
        };
        Some(self.draft(format!("ALTER TYPE {exists}{path} {change}"), effect))
    }

    /// DROP TYPE.
    pub(super) fn drop_type(&mut self) -> Option<StatementDraft> {
        let keyspace = self.pick_keyspace()?;
        let mut name =
            keyspace.types.last().map_or_else(|| "address".to_owned(), |ty| ty.name.clone());
        if self.rng.roll(30) {
            name.push('x');
        }
        let path = self.qualified_name(keyspace, &name);
        let exists = if self.rng.roll(25) { "IF EXISTS " } else { "" };
        Some(self.draft(
            format!("DROP TYPE {exists}{path}"),
            Effect::DropType(keyspace.name.clone(), name),
        ))
    }
}
