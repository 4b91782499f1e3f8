//! The texts of HELP.

/// The text of HELP without a topic.
pub(super) const OVERVIEW: &str = "
Documented shell commands:
===========================
CAPTURE  CLS          COPY  DESCRIBE  EXPAND  HISTORY  PAGING  SHOW    TRACING
CLEAR    CONSISTENCY  DESC  EXIT      HELP    LOGIN    SERIAL  SOURCE

Statements end with a semicolon and can span several lines; commands end at the end of the line.
Use HELP <command> for details. Everything else is CQL 3.4.7, as in Cassandra 5.0.
";

/// The text of HELP for a topic.
pub(crate) fn topic(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_uppercase();
    let found = TOPICS.iter().find(|(words, _)| words.split(' ').any(|known| known == word));
    found.map(|(_, text)| *text)
}

const TOPICS: [(&str, &str); 15] = [
    ("CAPTURE", "
  CAPTURE '<file>'   append query results to a file instead of showing them
  CAPTURE OFF        show query results again
  CAPTURE            show the current setting
"),
    ("CLEAR CLS", "
  CLEAR              clear the terminal
"),
    ("CONSISTENCY", "
  CONSISTENCY <level>   set the consistency level: ANY, ONE, TWO, THREE, QUORUM, ALL, LOCAL_ONE,
                        LOCAL_QUORUM, EACH_QUORUM, SERIAL, LOCAL_SERIAL, NODE_LOCAL
  CONSISTENCY           show the current level
"),
    ("COPY", "
  COPY <table> [(<column>, ...)] TO '<file>' | STDOUT [WITH <option> = <value> [AND ...]]
  COPY <table> [(<column>, ...)] FROM '<file>, ...' | STDIN [WITH <option> = <value> [AND ...]]

  Options for both directions:
    HEADER = false          whether the first line has the column names
    DELIMITER = ','         separator of values
    QUOTE = '\"'             quotation mark around values
    ESCAPE = '\\'            escape character before a quotation mark in a value
    NULL = ''               text for null
    DATETIMEFORMAT = '...'  strftime format of timestamps
    BOOLSTYLE = 'True,False', DECIMALSEP = '.', THOUSANDSSEP = ''
  TO:
    PAGESIZE = 1000, BEGINTOKEN, ENDTOKEN, MAXOUTPUTSIZE = -1, FLOATPRECISION = 5, DOUBLEPRECISION = 12
  FROM:
    SKIPROWS = 0, MAXROWS = -1, SKIPCOLS = 'a,b', TTL, MAXPARSEERRORS = -1, MAXINSERTERRORS = 1000,
    ERRFILE = ''            file for the rows that could not be imported

  Rows that cannot be imported are reported with their line numbers; the other rows are imported.
"),
    ("DESCRIBE DESC", "
  DESCRIBE KEYSPACES | TABLES | TYPES | FUNCTIONS | AGGREGATES         list the names
  DESCRIBE KEYSPACE [<name>] | TABLE <name> | INDEX <name> | MATERIALIZED VIEW <name>
         | TYPE <name> | FUNCTION <name> | AGGREGATE <name> | <name>   show the CREATE statements
  DESCRIBE [FULL] SCHEMA                                               show the whole schema
  DESCRIBE CLUSTER                                                     show name, partitioner and ranges
  ... WITH INTERNALS                                                   include ids and dropped columns
"),
    ("EXIT QUIT", "
  EXIT               exit the shell, as Ctrl-D does
"),
    ("EXPAND", "
  EXPAND ON          show each row as a list of fields
  EXPAND OFF         show rows as a table
  EXPAND             show the current setting
"),
    ("HELP ?", "
  HELP [<command>]   show the commands, or the help of one
"),
    ("HISTORY", "
  HISTORY [<n>]      show the last n entries (default 50)
"),
    ("LOGIN", "
  LOGIN <name>       not supported: the embedded engine runs without authentication
"),
    ("PAGING", "
  PAGING ON | OFF    pause after every page, or show all rows
  PAGING <n>         set the page size to n rows
  PAGING             show the current setting
"),
    ("SERIAL", "
  SERIAL CONSISTENCY [SERIAL | LOCAL_SERIAL]   set or show the consistency level of conditional writes
"),
    ("SHOW", "
  SHOW VERSION       show the versions of helenus, Cassandra and CQL
  SHOW HOST          show the cluster and the location of the data
  SHOW SESSION <id>  show a trace
"),
    ("SOURCE", "
  SOURCE '<file>'    run the statements of a file, continuing after errors
"),
    ("TRACING", "
  TRACING ON | OFF   show a trace after every statement, or not
  TRACING            show the current setting
"),
];
