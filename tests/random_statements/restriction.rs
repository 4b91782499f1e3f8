//! WHERE clauses: by key, by index, by filter, by token, and the ways in which they go wrong.

use super::schema::{Column, Index, Table, quote_name};
use super::statement_writer::{StatementWriter, join_commas};
use super::types::Ty;

/// A WHERE clause and what else the statement may do because of it.
#[derive(Default)]
pub(super) struct WhereClause {
    pub(super) relations: Vec<String>,
    pub(super) filtering: bool,
}

impl WhereClause {
    /// The clause's text, with its keyword.
    pub(super) fn text(&self) -> String {
        if self.relations.is_empty() {
            String::new()
        } else {
            format!(" WHERE {}", self.relations.join(" AND "))
        }
    }
}

impl StatementWriter<'_> {
    /// `column = value`.
    pub(super) fn equality(&mut self, column: &Column) -> String {
        let operator = if self.slip("another operator", 1) {
            self.pick_word(&["<", ">=", "!=", "LIKE", "CONTAINS", "CONTAINS KEY"])
        } else {
            "="
        };
        if self.slip("IS NOT NULL", 1) {
            return format!("{} IS NOT NULL", quote_name(&column.name));
        }
        format!("{} {operator} {}", self.column_name(column), self.value(&column.ty))
    }

    /// `column IN (...)`.
    pub(super) fn membership(&mut self, column: &Column) -> String {
        let name = self.column_name(column);
        if self.markers && self.rng.roll(30) {
            return format!("{name} IN {}", self.marker());
        }
        let count = self.rng.number_below(3) + usize::from(self.rng.roll(90));
        let values: Vec<String> = (0..count).map(|_| self.value(&column.ty)).collect();
        format!("{name} IN ({})", join_commas(&values))
    }

    fn slice(&mut self, column: &Column) -> Vec<String> {
        let name = quote_name(&column.name);
        let low = format!("{name} {} {}", self.pick_word(&[">", ">="]), self.value(&column.ty));
        if self.rng.roll(50) {
            return vec![low];
        }
        let bound = if self.slip("two lower bounds", 2) { ">" } else { "<" };
        vec![low, format!("{name} {bound} {}", self.value(&column.ty))]
    }

    /// The partition key, each by equality, the last now and then by IN.
    pub(super) fn partition_relations(&mut self, table: &Table, allow_in: bool) -> Vec<String> {
        let partition = table.partition();
        let mut relations = Vec::new();
        for (at, column) in partition.iter().enumerate() {
            if self.slip("partition column left out", 2) {
                continue;
            }
            let last = at + 1 == partition.len();
            if (allow_in && last && self.rng.roll(12)) || self.slip("IN on the partition key", 1) {
                relations.push(self.membership(column));
            } else if self.slip("slice of the partition key", 1) {
                relations.extend(self.slice(column));
            } else {
                relations.push(self.equality(column));
            }
        }
        relations
    }

    /// By key: the partition, and a prefix of the clustering columns.
    pub(super) fn key_clause(&mut self, table: &Table) -> WhereClause {
        let mut relations = self.partition_relations(table, true);
        let clustering = table.clustering();
        let depth = self.rng.number_below(clustering.len() + 1);
        if depth > 1 && self.rng.roll(25) {
            relations.push(self.tuple_relation(&clustering[..depth]));
        } else {
            for (at, column) in clustering.iter().take(depth).enumerate() {
                if self.slip("gap in the clustering columns", 3) {
                    continue;
                }
                let last = at + 1 == depth;
                if self.slip("slice before the end", 2) || (last && self.rng.roll(35)) {
                    relations.extend(self.slice(column));
                } else if (last && self.rng.roll(20)) || self.slip("IN before the end", 1) {
                    relations.push(self.membership(column));
                } else {
                    relations.push(self.equality(column));
                }
            }
        }
        self.add_mistakes(table, &mut relations);
        WhereClause { relations, filtering: false }
    }

    /// A relation on several clustering columns at once.
    fn tuple_relation(&mut self, columns: &[&Column]) -> String {
        let mut names: Vec<String> =
            columns.iter().map(|column| self.column_name(column)).collect();
        if self.slip("tuple relation out of order", 2) {
            names.reverse();
        }
        if self.slip("tuple relation twice the same", 1) {
            let first = names[0].clone();
            names.push(first);
        }
        let tuple = |scribe: &mut Self| {
            let mut values: Vec<String> =
                columns.iter().map(|column| scribe.value(&column.ty)).collect();
            if scribe.slip("tuple relation of another length", 1) {
                values.push("1".to_owned());
            }
            format!("({})", join_commas(&values))
        };
        let first = tuple(self);
        let names = join_commas(&names);
        match self.rng.number_below(4) {
            0 => format!("({names}) = {first}"),
            1 => format!("({names}) IN ({first}, {})", tuple(self)),
            _ => format!("({names}) {} {first}", self.pick_word(&[">", ">=", "<", "<="])),
        }
    }

    /// Small accidents at the level of the whole clause.
    fn add_mistakes(&mut self, table: &Table, relations: &mut Vec<String>) {
        if self.slip("one relation more", 3) {
            relations.push(self.odd_relation(table));
        }
        if !relations.is_empty() && self.slip("a relation twice", 1) {
            relations.push(relations[0].clone());
        }
        if self.slip("another bound on the same column", 1) {
            let column = self.rng.pick(&table.columns).clone();
            relations.push(format!("{} > {}", quote_name(&column.name), self.literal(&column.ty)));
        }
        if self.rng.roll(15) {
            self.rng.shuffle(relations);
        }
    }

    /// Any relation on any column.
    pub(super) fn odd_relation(&mut self, table: &Table) -> String {
        let column = self.rng.pick(&table.columns).clone();
        let name = quote_name(&column.name);
        let value = self.literal(&column.ty);
        let part = match column.ty.bare() {
            Ty::List(of) | Ty::Set(of) | Ty::Map(of, _) => self.literal(of),
            _ => "1".to_owned(),
        };
        match self.rng.number_below(12) {
            0 => format!("{name} != {value}"),
            1 => format!("{name} LIKE 'a%'"),
            2 => format!("{name} CONTAINS {part}"),
            3 => format!("{name} CONTAINS KEY {part}"),
            4 => format!("{name} IS NOT NULL"),
            5 => format!("{name}[{part}] = {value}"),
            6 => format!("{name} IN ({value}, {value})"),
            7 => format!("({name}) = ({value})"),
            8 => format!("token({name}) > 0"),
            9 => format!("{name} > {value}"),
            10 => format!("{name}[{part}] > {value}"),
            _ => format!("{name} = {value}"),
        }
    }

    /// By an index, or by whatever the table has.
    pub(super) fn index_clause(&mut self, table: &Table) -> WhereClause {
        let mut relations =
            if self.rng.roll(30) { self.partition_relations(table, false) } else { Vec::new() };
        let vectors = self.slip("a vector by value", 1);
        let is_vector = |name: &str| {
            table.column(name).is_some_and(|column| matches!(column.ty, Ty::Vector(..)))
        };
        let indexes: Vec<&Index> =
            table.indexes.iter().filter(|index| vectors || !is_vector(&index.column)).collect();
        if indexes.is_empty() {
            return self.filter_clause(table);
        }
        let index = (*self.rng.pick(&indexes)).clone();
        let Some(column) = table.column(&index.column).cloned() else {
            return self.filter_clause(table);
        };
        let name = self.column_name(&column);
        let relation = match (column.ty.bare(), index.target) {
            (Ty::Map(key, _), "keys") if column.ty.is_multicell() => {
                format!("{name} CONTAINS KEY {}", self.value(key))
            }
            (Ty::Map(key, value), "entries") if column.ty.is_multicell() => {
                format!("{name}[{}] = {}", self.value(key), self.value(value))
            }
            (Ty::List(of) | Ty::Set(of) | Ty::Map(_, of), _) if column.ty.is_multicell() => {
                format!("{name} CONTAINS {}", self.value(of))
            }
            (Ty::Native("text" | "ascii" | "varchar"), _)
                if index.class == "sasi" && self.rng.roll(60) =>
            {
                format!(
                    "{name} LIKE {}",
                    self.pick_word(&["'a%'", "'%a'", "'%a%'", "'abc'", "''", "'%'", "'%%'"])
                )
            }
            (Ty::Native(_), _) if index.class != "2i" && self.rng.roll(40) => {
                self.slice(&column).join(" AND ")
            }
            _ => self.equality(&column),
        };
        relations.push(relation);
        self.add_mistakes(table, &mut relations);
        WhereClause { relations, filtering: self.rng.roll(25) }
    }

    /// By anything, with filtering allowed.
    pub(super) fn filter_clause(&mut self, table: &Table) -> WhereClause {
        let mut relations = Vec::new();
        for _ in 0..=self.rng.number_below(2) {
            let column = self.rng.pick(&table.columns).clone();
            let relation = match column.ty.bare() {
                Ty::List(of) | Ty::Set(of) => {
                    format!("{} CONTAINS {}", quote_name(&column.name), self.value(of))
                }
                Ty::Map(key, value) => match self.rng.number_below(3) {
                    0 => format!("{} CONTAINS {}", quote_name(&column.name), self.value(value)),
                    1 => format!("{} CONTAINS KEY {}", quote_name(&column.name), self.value(key)),
                    _ if column.ty.is_multicell() => {
                        format!(
                            "{}[{}] = {}",
                            quote_name(&column.name),
                            self.value(key),
                            self.value(value)
                        )
                    }
                    _ => self.equality(&column),
                },
                _ if self.rng.roll(25) => self.slice(&column).join(" AND "),
                _ if self.rng.roll(15) => self.membership(&column),
                _ => self.equality(&column),
            };
            relations.push(relation);
        }
        self.add_mistakes(table, &mut relations);
        WhereClause { relations, filtering: !self.slip("filtering not allowed", 4) }
    }

    /// By token.
    pub(super) fn token_clause(&mut self, table: &Table) -> WhereClause {
        let mut names: Vec<String> =
            table.partition().iter().map(|column| quote_name(&column.name)).collect();
        if self.slip("token of part of the key", 2) {
            names.pop();
            if names.is_empty() {
                names.push(quote_name(&self.rng.pick(&table.columns).name));
            }
        }
        if self.slip("token with another column", 2) {
            names.push(quote_name(&self.rng.pick(&table.columns).name));
        }
        if self.slip("token out of order", 2) {
            names.reverse();
        }
        let names = join_commas(&names);
        let mut relations = vec![format!(
            "token({names}) {} {}",
            self.pick_word(&[">", ">="]),
            self.token_value(table)
        )];
        if self.rng.roll(60) {
            relations.push(format!(
                "token({names}) {} {}",
                self.pick_word(&["<", "<="]),
                self.token_value(table)
            ));
        }
        if self.slip("token and key", 2) {
            let column = (*self.rng.pick(&table.partition())).clone();
            relations.push(self.equality(&column));
        }
        self.add_mistakes(table, &mut relations);
        WhereClause { relations, filtering: false }
    }

    fn token_value(&mut self, table: &Table) -> String {
        if self.rng.roll(50) {
            return self.value(&Ty::Native("bigint"));
        }
        let mut values: Vec<String> =
            table.partition().iter().map(|column| self.value(&column.ty)).collect();
        if self.slip("token call of another length", 1) {
            values.push("1".to_owned());
        }
        format!("token({})", join_commas(&values))
    }
}
