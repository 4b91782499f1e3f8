//! Functions, aggregates and triggers.

use super::super::schema::{Effect, Function, Keyspace, quote_name};
use super::super::statement_writer::{StatementDraft, StatementWriter, join_commas};
use super::super::types::Ty;

const TYPES: &[&str] = &["int", "text", "bigint", "double", "boolean"];

impl StatementWriter<'_> {
    fn function_type(&mut self, keyspace: &Keyspace) -> Ty {
        if self.slip("argument type", 2) {
            return self.odd_type(keyspace);
        }
        Ty::Native(self.pick_word(TYPES))
    }

    /// CREATE FUNCTION. Compiling one is slow, so a good one is often of a name that exists and refused for that.
    pub(super) fn create_function(&mut self) -> Option<StatementDraft> {
        let keyspace = self.pick_keyspace()?;
        let ty = self.function_type(keyspace);
        let mut names = vec!["a", "b"];
        let both = keyspace.functions.iter().all(|function| function.arguments.len() < 2);
        names.truncate(if both { 2 } else { 1 + self.rng.number_below(2) });
        let mut parts: Vec<String> = names.iter().map(|name| format!("{name} {ty}")).collect();
        if self.slip("argument twice", 1) {
            parts.push(format!("a {ty}"));
        }
        let taken = keyspace
            .functions
            .iter()
            .find(|f| !f.aggregate && f.arguments == vec![ty.clone(); names.len()]);
        let name = match taken {
            Some(other) if self.rng.roll(75) => other.name.clone(),
            _ => self.fresh_name("fun"),
        };
        let replace = if self.rng.roll(6) { "OR REPLACE " } else { "" };
        let exists = if self.rng.roll(8) || self.slip("replace if not exists", 1) {
            "IF NOT EXISTS "
        } else {
            ""
        };
        let nulls = self.pick_word(&["CALLED ON NULL INPUT", "RETURNS NULL ON NULL INPUT"]);
        let returns =
            if self.slip("return type", 2) { self.odd_type(keyspace) } else { ty.clone() };
        let language = if self.slip("language", 2) {
            self.pick_word(&["javascript", "python", "sql"])
        } else {
            "java"
        };
        let body = if self.slip("body", 1) { "return nothing;" } else { "return a;" };
        let path = self.qualified_name(keyspace, &name);
        let text = format!(
            "CREATE {replace}FUNCTION {exists}{path} ({}) {nulls} RETURNS {returns} LANGUAGE {language} AS '{body}'",
            join_commas(&parts)
        );
        let function = Function {
            name,
            arguments: vec![ty.clone(); names.len()],
            returns: ty,
            aggregate: false,
        };
        Some(self.draft(text, Effect::AddFunction(keyspace.name.clone(), function)))
    }

    /// CREATE AGGREGATE over a function of two equal arguments, if there is one.
    pub(super) fn create_aggregate(&mut self) -> Option<StatementDraft> {
        let keyspace = self.pick_keyspace()?;
        let fits = |function: &&Function| function.arguments.len() == 2 && !function.aggregate;
        let found: Vec<&Function> = keyspace.functions.iter().filter(fits).collect();
        let Some(function) = found.first() else { return self.create_function() };
        let (state, ty) = (function.name.clone(), function.returns.clone());
        let state = if self.slip("state function one letter off", 2) {
            self.misspell(&state)
        } else {
            state
        };
        let stype =
            if self.slip("state type", 2) { self.function_type(keyspace) } else { ty.clone() };
        let argument =
            if self.slip("argument type", 2) { self.function_type(keyspace) } else { ty.clone() };
        let single = keyspace
            .functions
            .iter()
            .find(|f| f.arguments.len() == 1 && f.arguments[0] == ty && !f.aggregate);
        let last = match single {
            _ if self.slip("final function", 2) => {
                format!(" FINALFUNC {}", self.pick_word(&["missing", "now", "fun"]))
            }
            Some(function) if self.rng.roll(50) => {
                format!(" FINALFUNC {}", quote_name(&function.name))
            }
            _ => String::new(),
        };
        let initial = match self.rng.number_below(5) {
            0 => String::new(),
            1 => " INITCOND null".to_owned(),
            _ => format!(" INITCOND {}", self.value(&ty)),
        };
        let name = self.fresh_name("agg");
        let name = if self.slip("aggregate that exists", 2) { state.clone() } else { name };
        let path = self.qualified_name(keyspace, &name);
        let replace = if self.rng.roll(8) { "OR REPLACE " } else { "" };
        let exists = if self.rng.roll(8) { "IF NOT EXISTS " } else { "" };
        let text = format!(
            "CREATE {replace}AGGREGATE {exists}{path} ({argument}) SFUNC {} STYPE {stype}{last}{initial}",
            quote_name(&state)
        );
        let function = Function { name, arguments: vec![ty.clone()], returns: ty, aggregate: true };
        Some(self.draft(text, Effect::AddFunction(keyspace.name.clone(), function)))
    }

    /// DROP FUNCTION and DROP AGGREGATE.
    pub(super) fn drop_function(&mut self) -> Option<StatementDraft> {
        let keyspace = self.pick_keyspace()?;
        let found = keyspace.functions.last().cloned();
        let aggregate = found.as_ref().is_some_and(|function| function.aggregate);
        let other = self.slip("function for aggregate", 2);
        let word = if aggregate == other { "FUNCTION" } else { "AGGREGATE" };
        let (name, types) =
            found.map_or_else(|| ("fun".to_owned(), vec![]), |f| (f.name, f.arguments));
        let keep = self.rng.roll(40);
        let name = if keep { self.misspell(&name) } else { name };
        let mut types: Vec<String> = types.iter().map(ToString::to_string).collect();
        if self.slip("signature", 2) {
            types.push(self.pick_word(&["int", "uuid", "list<int>", "missing"]).to_owned());
        }
        let signature =
            if self.rng.roll(50) { format!("({})", join_commas(&types)) } else { String::new() };
        let path = self.qualified_name(keyspace, &name);
        let exists = if self.rng.roll(25) { "IF EXISTS " } else { "" };
        let effect = Effect::DropFunction(keyspace.name.clone(), name);
        Some(self.draft(format!("DROP {word} {exists}{path}{signature}"), effect))
    }

    /// CREATE and DROP TRIGGER. No trigger class is installed, so none is ever made.
    pub(super) fn trigger(&mut self) -> Option<StatementDraft> {
        let any = self.slip("trigger on a view", 2);
        let (keyspace, table) = self.pick_table(|table| any || table.base.is_none())?;
        let path = self.qualified_name(keyspace, &table.name);
        let text = if self.rng.roll(50) {
            let exists = if self.rng.roll(25) { "IF NOT EXISTS " } else { "" };
            format!("CREATE TRIGGER {exists}audit ON {path} USING 'org.example.Audit'")
        } else {
            let exists = if self.rng.roll(50) { "IF EXISTS " } else { "" };
            format!("DROP TRIGGER {exists}audit ON {path}")
        };
        Some(self.draft(text, Effect::None))
    }
}
