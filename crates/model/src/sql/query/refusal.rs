//! What SQL has and a model file may not: each refused by its name, with what to write instead.

use cql::Span;

use super::resolver::Resolver;

/// Something that is refused.
pub(super) struct Refusal {
    rule: &'static str,
    /// The end of a sentence that begins with the name of the query.
    what: &'static str,
    help: &'static str,
}

impl Resolver<'_> {
    /// Refuses something by its name.
    pub(super) fn refuse(&mut self, refusal: &Refusal, span: Span) {
        let message = format!("{} {}", self.name(), refusal.what);
        self.report(refusal.rule, span, message, refusal.help);
    }
}

const fn refusal(rule: &'static str, what: &'static str, help: &'static str) -> Refusal {
    Refusal { rule, what, help }
}

pub(super) const OFFSET: Refusal = refusal(
    "MF310",
    "uses OFFSET, which reads every row that it skips",
    "page by position: give the last row seen, as in `WHERE (added_date, videoid) < (?, ?)`",
);
pub(super) const OR: Refusal = refusal(
    "MF311",
    "uses OR, which no one partition answers",
    "write a query for each side of it, or `column IN (?, ?)` where both sides test one column",
);
pub(super) const OUTER_JOIN: Refusal = refusal(
    "MF312",
    "uses an outer join",
    "join with JOIN, which leaves out rows without a partner, and read those rows with a query of their own",
);
pub(super) const DISTINCT: Refusal = refusal(
    "MF313",
    "uses DISTINCT, which reads every row to drop most of them",
    "make the distinct values a table of their own and select from it",
);
pub(super) const SUB_QUERY: Refusal = refusal(
    "MF314",
    "uses a sub-query",
    "join the tables along their reference, or read the inner query first and pass what it returns: `= ANY(?)`",
);
pub(super) const CROSS_JOIN: Refusal = refusal(
    "MF315",
    "uses a cross join",
    "join along a reference: `JOIN users u ON u.userid = v.userid`",
);
pub(super) const NATURAL_JOIN: Refusal = refusal(
    "MF315",
    "uses a natural join, whose columns change with the tables",
    "name the columns: `JOIN users u ON u.userid = v.userid`, or `JOIN users USING (userid)`",
);
pub(super) const HAVING: Refusal = refusal(
    "MF316",
    "uses HAVING",
    "return the groups and let the program drop those that it does not want",
);
pub(super) const SET_OPERATION: Refusal = refusal(
    "MF317",
    "combines queries with UNION, EXCEPT or INTERSECT",
    "write a query for each part and combine the answers in the program",
);
pub(super) const WINDOW: Refusal = refusal(
    "MF318",
    "uses a window function",
    "return the rows in order and let the program number or compare them",
);
pub(super) const WITH: Refusal = refusal(
    "MF319",
    "uses WITH",
    "write a query for each part, the later ones with `@after` the earlier ones",
);
pub(super) const NEGATION: Refusal = refusal(
    "MF320",
    "asks for what does not match, which reads everything else",
    "ask for the values that are wanted: `=`, `IN (...)`, or a range",
);
pub(super) const LIKE: Refusal = refusal(
    "MF321",
    "searches within texts",
    "search by how the text begins (`LIKE 'x%'`, `LIKE ? || '%'`), or keep the words in an array and ask `? = ANY(words)`",
);
pub(super) const LIKE_UNKNOWN: Refusal = refusal(
    "MF321",
    "does not say where the wildcards of its pattern are",
    "search by how the text begins: `LIKE ? || '%'`",
);
pub(super) const ILIKE: Refusal = refusal(
    "MF322",
    "searches without regard to case, or by a regular expression",
    "keep the text in lower case in a column of its own and search that: `LIKE ? || '%'`",
);
pub(super) const IS_NULL: Refusal = refusal(
    "MF323",
    "asks for rows where something is missing, which no key finds",
    "keep a column that says so (`status = 'open'`) and ask for that",
);
pub(super) const NULL_COMPARED: Refusal = refusal(
    "MF323",
    "compares with NULL, which is never true",
    "leave the condition out, or keep a column that says what is missing",
);
pub(super) const COMPUTED_COLUMN: Refusal = refusal(
    "MF324",
    "computes with a column in a condition",
    "keep what is computed in a column of its own and ask for that, or compute on the other side and pass a parameter: `?`",
);
pub(super) const COMPUTED_VALUE: Refusal = refusal(
    "MF324",
    "computes a value",
    "compute it in the program and pass it as a parameter: `?`",
);
pub(super) const COLUMNS_COMPARED: Refusal = refusal(
    "MF324",
    "compares two columns with one another",
    "keep the outcome in a column of its own (`late boolean`) and ask for that",
);
pub(super) const NO_COLUMN: Refusal = refusal(
    "MF324",
    "has a condition without a column",
    "leave it out, or compare a column with a value",
);
pub(super) const CONDITION: Refusal = refusal(
    "MF324",
    "has a condition that no key answers",
    "compare columns with values: `=`, `<`, `BETWEEN`, `IN (...)`, `= ANY(?)`, `LIKE 'x%'`",
);
pub(super) const JSON: Refusal =
    refusal("MF324", "looks into a json value", "keep what is searched in a column of its own");
pub(super) const CONTAINS: Refusal =
    refusal("MF324", "compares a whole array", "ask for one element: `? = ANY(array_column)`");
pub(super) const ROWS_IN: Refusal = refusal(
    "MF324",
    "looks for a list of row values",
    "look for one: `a = ? AND b = ?`, and run the query for each",
);
pub(super) const LOCK: Refusal = refusal(
    "MF325",
    "locks rows, which Cassandra cannot",
    "leave it out and make the write conditional: `UPDATE ... WHERE id = ? AND status = 'open'`",
);
pub(super) const CLAUSE: Refusal = refusal(
    "MF326",
    "has a clause that model files do not know",
    "write SELECT columns FROM tables WHERE conditions GROUP BY key ORDER BY columns LIMIT number",
);
pub(super) const TABLE_EXPRESSION: Refusal = refusal(
    "MF326",
    "reads from something that is no table",
    "read from tables of the file, joined along their references",
);
pub(super) const TIES: Refusal =
    refusal("MF326", "limits its rows by share or with ties", "give a number: `LIMIT 20`");
pub(super) const COMPUTED_OUTPUT: Refusal =
    refusal("MF327", "returns something computed", "return the columns and compute in the program");
pub(super) const CONSTANT_OUTPUT: Refusal = refusal(
    "MF327",
    "returns a constant",
    "return columns, or ask whether there is a row: `SELECT EXISTS(SELECT 1 FROM ...)`",
);
pub(super) const NOT_EXISTS: Refusal =
    refusal("MF327", "returns NOT EXISTS", "return EXISTS and negate it in the program");
pub(super) const COUNT_DISTINCT: Refusal = refusal(
    "MF327",
    "counts distinct values",
    "make the distinct values a table of their own and count its rows",
);
pub(super) const AGGREGATE_FILTER: Refusal = refusal(
    "MF327",
    "restricts an aggregate",
    "put the condition into WHERE and write a query for each",
);
pub(super) const ORDER_COMPUTED: Refusal = refusal(
    "MF350",
    "orders by something computed",
    "order by a column (or by `COALESCE(column, constant)`), or sort in the program",
);
pub(super) const ORDER_AGGREGATE: Refusal = refusal(
    "MF350",
    "orders by an aggregate, which is known only when all rows are read",
    "return the groups and sort them in the program",
);
pub(super) const GROUP_COMPUTED: Refusal = refusal(
    "MF354",
    "groups by something computed",
    "keep what it groups by in a column of its own",
);
pub(super) const GROUP_WITHOUT_AGGREGATE: Refusal = refusal(
    "MF354",
    "groups without an aggregate, which is DISTINCT by another name",
    "return COUNT(*) or another aggregate, or make the distinct values a table of their own",
);
pub(super) const SEVERAL_ROWS: Refusal =
    refusal("MF360", "inserts several rows", "insert one row, and run the write for each");
pub(super) const INSERT_SELECT: Refusal = refusal(
    "MF360",
    "inserts what a query returns",
    "insert one row with VALUES (?, ...), and run the write for each row that the query returns",
);
pub(super) const RETURNING: Refusal = refusal(
    "MF361",
    "uses RETURNING, which Cassandra cannot",
    "leave it out: the program knows what it writes, if it makes the ids (uuid) and the times itself",
);
pub(super) const DEFAULT: Refusal = refusal(
    "MF363",
    "leaves a value to the database, which makes none",
    "make the value in the program and pass it as a parameter: `?`",
);
pub(super) const COPIED: Refusal = refusal(
    "MF363",
    "copies a value from a column",
    "read it first and pass it as a parameter: `?`",
);
pub(super) const OTHER_TABLES: Refusal = refusal(
    "MF364",
    "changes rows by what another table holds",
    "read the other table first and name the rows by their key: `WHERE id = ?`",
);
pub(super) const LIMITED_WRITE: Refusal = refusal(
    "MF364",
    "changes only some of the rows it names",
    "name the rows by their key: `WHERE id = ?`",
);
pub(super) const ARRAY_OF_PARAMETERS: Refusal =
    refusal("MF340", "builds an array of parameters", "pass the whole array as one parameter: `?`");
