//! The relational side: SQLite holds the facts and answers the SQL.
