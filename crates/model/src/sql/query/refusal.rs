//! SQL features that model files do not support, each with what to write instead.

use cql::Span;

use super::resolver::Resolver;

/// An unsupported feature.
pub struct Refusal {
    /// The code of the message.
    pub rule: &'static str,
    /// The end of a sentence that begins with the name of the query.
    pub what: &'static str,
    /// What to write instead.
    pub help: &'static str,
}

impl Resolver<'_> {
    /// Reports an unsupported feature.
    pub(super) fn refuse(&mut self, refusal: &Refusal, span: Span) {
        let message = format!("{} {}", self.name(), refusal.what);
        self.report(refusal.rule, span, message, refusal.help);
    }
}

/// Defines each refusal as a constant, and the list of all.
macro_rules! refusals {
    ($($name:ident: $rule:literal, $what:literal, $help:literal;)*) => {
        $(pub(super) const $name: Refusal = Refusal { rule: $rule, what: $what, help: $help };)*
        /// All refusals.
        pub const REFUSALS: &[Refusal] = &[$($name),*];
    };
}

refusals! {
    OFFSET:
        "MF310",
        "uses OFFSET, which reads every row that it skips",
        "page by key: pass the last row seen, as in `WHERE (added_date, videoid) < (?, ?)`";
    OR:
        "MF311",
        "uses OR, which no single partition can serve",
        "write one query for each side, or `column IN (?, ?)` if both sides test the same column";
    OUTER_JOIN:
        "MF312",
        "uses an outer join",
        "use an inner join, which omits rows without a match, and read those rows with a separate query";
    DISTINCT_ON:
        "MF313",
        "uses DISTINCT ON, which keeps one row of each group",
        "store that row in a separate table when it changes, or return the rows and keep the first of each group in the application";
    DISTINCT_AGGREGATE:
        "MF313",
        "uses DISTINCT beside an aggregate",
        "remove DISTINCT, or the aggregate";
    SUB_QUERY:
        "MF314",
        "uses a subquery",
        "join the tables on their reference, or run the inner query first and pass its result: `= ANY(?)`";
    CROSS_JOIN:
        "MF315",
        "uses a cross join",
        "join on a reference: `JOIN users u ON u.userid = v.userid`";
    NATURAL_JOIN:
        "MF315",
        "uses a natural join, whose columns depend on the table definitions",
        "name the columns: `JOIN users u ON u.userid = v.userid`, or `JOIN users USING (userid)`";
    LEFT_MANY:
        "MF332",
        "joins many rows by LEFT JOIN",
        "write one query for the row and one for the rows that refer to it, with `@after` the first";
    LEFT_NESTED:
        "MF332",
        "joins a join by LEFT JOIN",
        "join one table after the other: `LEFT JOIN a ON ... LEFT JOIN b ON ...`";
    LEFT_CONDITION:
        "MF332",
        "has a condition beside the reference in the ON of a LEFT JOIN",
        "return the column and test it in the application";
    LEFT_IS_NULL:
        "MF332",
        "tests a nullable column of a LEFT JOIN for null, which does not tell whether there is a row",
        "test the column that refers to it, or return the column and test it in the application";
    LEFT_EXPIRES:
        "MF332",
        "joins rows by LEFT JOIN that expire before the rows that refer to them",
        "keep both for the same time (`@retain`), or read the joined row with a separate query";
    LEFT_GROUP:
        "MF332",
        "groups by a column of a LEFT JOIN, which may be null",
        "group by the column that refers to the row";
    LEFT_AGGREGATE:
        "MF332",
        "aggregates a column of a LEFT JOIN, which may be null",
        "count the column that refers to the row, or return the rows and aggregate in the application";
    HAVING:
        "MF316",
        "uses HAVING",
        "return all groups and filter them in the application";
    SET_OPERATION:
        "MF317",
        "combines queries with UNION, EXCEPT or INTERSECT",
        "write one query for each part and combine the results in the application";
    WINDOW:
        "MF318",
        "uses a window function",
        "return the rows in order and number or compare them in the application";
    WITH:
        "MF319",
        "uses WITH",
        "write one query for each part, the later ones with `@after` the earlier ones";
    NEGATION:
        "MF320",
        "uses a negated condition, which reads all other rows",
        "select the matching values: `=`, `IN (...)`, or a range";
    LIKE:
        "MF321",
        "searches within texts",
        "search by prefix (`LIKE 'x%'`, `LIKE ? || '%'`), or store the words in an array and use `? = ANY(words)`";
    LIKE_UNKNOWN:
        "MF321",
        "uses a pattern whose wildcards are not known",
        "search by prefix: `LIKE ? || '%'`";
    ILIKE:
        "MF322",
        "uses a case-insensitive search or a regular expression",
        "store the text in lower case in a separate column and search it: `LIKE ? || '%'`";
    IS_NOT_TRUE:
        "MF323",
        "selects rows where a boolean has one value or is null",
        "declare the column NOT NULL and compare it: `column = false`";
    ARRAY_IS_NULL:
        "MF323",
        "tests whether an array is null, but Cassandra stores an empty array as null",
        "store the state in a separate column and select by it";
    NULL_COMPARED:
        "MF323",
        "compares with NULL, which is never true",
        "remove the condition, or store the state in a separate column";
    COMPUTED_COLUMN:
        "MF324",
        "computes with a column in a condition",
        "store the computed value in a separate column and select by it, or compute the other side and pass it as a parameter: `?`";
    COMPUTED_VALUE:
        "MF324",
        "computes a value",
        "compute it in the application and pass it as a parameter: `?`";
    COLUMNS_COMPARED:
        "MF324",
        "compares two columns with each other",
        "store the result in a separate column (`late boolean`) and select by it";
    NO_COLUMN:
        "MF324",
        "has a condition without a column",
        "remove it, or compare a column with a value";
    CONDITION:
        "MF324",
        "has a condition that no key can serve",
        "compare columns with values: `=`, `<`, `BETWEEN`, `IN (...)`, `= ANY(?)`, `LIKE 'x%'`";
    JSON:
        "MF324",
        "searches within a json value",
        "store the searched value in a separate column";
    CONTAINS:
        "MF324",
        "compares a whole array",
        "search for one element: `? = ANY(array_column)`";
    ROWS_IN:
        "MF324",
        "searches for a list of row values",
        "search for one: `a = ? AND b = ?`, and run the query for each";
    LOCK:
        "MF325",
        "locks rows, which Cassandra does not support",
        "remove the clause and make the write conditional: `UPDATE ... WHERE id = ? AND status = 'open'`";
    CLAUSE:
        "MF326",
        "has a clause that model files do not support",
        "write SELECT columns FROM tables WHERE conditions GROUP BY key ORDER BY columns LIMIT number";
    TABLE_EXPRESSION:
        "MF326",
        "reads from something other than a table",
        "read from tables of the file, joined on their references";
    TIES:
        "MF326",
        "limits its rows by percentage or with ties",
        "use a number: `LIMIT 20`";
    COMPUTED_OUTPUT:
        "MF327",
        "returns a computed value",
        "return the columns and compute the value in the application";
    CONSTANT_OUTPUT:
        "MF327",
        "returns a constant",
        "return columns, or test whether a row exists: `SELECT EXISTS(SELECT 1 FROM ...)`";
    NOT_EXISTS:
        "MF327",
        "returns NOT EXISTS",
        "return EXISTS and negate it in the application";
    COUNT_DISTINCT:
        "MF327",
        "counts distinct values",
        "store the distinct values in a separate table and count its rows";
    AGGREGATE_FILTER:
        "MF327",
        "uses FILTER on an aggregate",
        "move the condition to WHERE and write one query for each aggregate";
    ORDER_COMPUTED:
        "MF350",
        "orders by a computed value",
        "order by a column (or by `COALESCE(column, constant)`), or sort in the application";
    ORDER_AGGREGATE:
        "MF350",
        "orders by an aggregate, which is known only after all rows are read",
        "return the groups and sort them in the application";
    GROUP_COMPUTED:
        "MF354",
        "groups by a computed value",
        "store the value in a separate column and group by it";
    INSERT_SELECT:
        "MF360",
        "inserts the result of a query",
        "insert one row with VALUES (?, ...), and run the write for each row that the query returns";
    RETURNING_QUERY:
        "MF361",
        "returns the result of a subquery",
        "return the columns of the table, and write a query of its own for the rest";
    RETURNING_AGGREGATE:
        "MF361",
        "returns an aggregate",
        "return the columns (`:many`) and aggregate the rows in the application";
    RETURNING_CONSTANT:
        "MF361",
        "returns a constant",
        "return a column: there is a row if the write changed one";
    DEFAULT:
        "MF363",
        "computes a value that it writes",
        "compute the value in the application and pass it as a parameter: `?`";
    COPIED:
        "MF363",
        "copies a value from a column",
        "read it first and pass it as a parameter: `?`";
    OTHER_TABLES:
        "MF364",
        "changes rows depending on another table",
        "read the other table first and select the rows by key: `WHERE id = ?`";
    LIMITED_WRITE:
        "MF364",
        "changes only some of the rows that it selects",
        "select the rows by key: `WHERE id = ?`";
    ARRAY_OF_PARAMETERS:
        "MF340",
        "builds an array of parameters",
        "pass the whole array as one parameter: `?`";
}
