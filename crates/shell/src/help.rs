//! What HELP prints.

/// HELP alone.
pub(super) const OVERVIEW: &str = "
Documented shell commands:
===========================
CAPTURE  CLS          COPY  DESCRIBE  EXPAND  HISTORY  PAGING  SHOW    TRACING
CLEAR    CONSISTENCY  DESC  EXIT      HELP    LOGIN    SERIAL  SOURCE

Statements end with a semicolon and may take several lines; commands end with their line.
HELP <command> tells more. Everything else is CQL 3.4.7, as Cassandra 5.0 speaks it.
";

/// HELP with a word.
pub(crate) fn topic(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_uppercase();
    let found = TOPICS.iter().find(|(words, _)| words.split(' ').any(|known| known == word));
    found.map(|(_, text)| *text)
}

const TOPICS: [(&str, &str); 15] = [
    ("CAPTURE", "
  CAPTURE '<file>'   append what statements answer to a file, in place of showing it
  CAPTURE OFF        show it again
  CAPTURE            tell which it is
"),
    ("CLEAR CLS", "
  CLEAR              clear the terminal
"),
    ("CONSISTENCY", "
  CONSISTENCY <level>   the level of the statements that follow: ANY, ONE, TWO, THREE, QUORUM, ALL, LOCAL_ONE,
                        LOCAL_QUORUM, EACH_QUORUM, SERIAL, LOCAL_SERIAL, NODE_LOCAL
  CONSISTENCY           tell which it is
"),
    ("COPY", "
  COPY <table> [(<column>, ...)] TO '<file>' | STDOUT [WITH <option> = <value> [AND ...]]
  COPY <table> [(<column>, ...)] FROM '<file>, ...' | STDIN [WITH <option> = <value> [AND ...]]

  Both ways:
    HEADER = false          the first line has the names of the columns
    DELIMITER = ','         what stands between values
    QUOTE = '\"'             what stands around values
    ESCAPE = '\\'            what stands before a quote that is part of a value
    NULL = ''               what stands for null
    DATETIMEFORMAT = '...'  how timestamps are written, as strftime has it
    BOOLSTYLE = 'True,False', DECIMALSEP = '.', THOUSANDSSEP = ''
  TO:
    PAGESIZE = 1000, BEGINTOKEN, ENDTOKEN, MAXOUTPUTSIZE = -1, FLOATPRECISION = 5, DOUBLEPRECISION = 12
  FROM:
    SKIPROWS = 0, MAXROWS = -1, SKIPCOLS = 'a,b', TTL, MAXPARSEERRORS = -1, MAXINSERTERRORS = 1000,
    ERRFILE = ''            a file for the lines that could not be read

  Lines that cannot be read are told with their numbers, and the others go in.
"),
    ("DESCRIBE DESC", "
  DESCRIBE KEYSPACES | TABLES | TYPES | FUNCTIONS | AGGREGATES         the names of all
  DESCRIBE KEYSPACE [<name>] | TABLE <name> | INDEX <name> | MATERIALIZED VIEW <name>
         | TYPE <name> | FUNCTION <name> | AGGREGATE <name> | <name>   the statements that make it
  DESCRIBE [FULL] SCHEMA                                               the statements that make everything
  DESCRIBE CLUSTER                                                     what the cluster is
  ... WITH INTERNALS                                                   with ids and dropped columns
"),
    ("EXIT QUIT", "
  EXIT               leave the shell (so does Ctrl-D)
"),
    ("EXPAND", "
  EXPAND ON          a list of fields for each row
  EXPAND OFF         a table
  EXPAND             tell which it is
"),
    ("HELP ?", "
  HELP [<command>]   this
"),
    ("HISTORY", "
  HISTORY [<n>]      the last statements, 50 of them or as many as you say
"),
    ("LOGIN", "
  LOGIN <name>       for servers that ask who you are; this shell has the data to itself
"),
    ("PAGING", "
  PAGING ON | OFF    wait after every page, or show everything
  PAGING <n>         pages of so many rows
  PAGING             tell which it is
"),
    ("SERIAL", "
  SERIAL CONSISTENCY [SERIAL | LOCAL_SERIAL]   the level of conditions, or tell which it is
"),
    ("SHOW", "
  SHOW VERSION       what runs
  SHOW HOST          where the data is
  SHOW SESSION <id>  a trace
"),
    ("SOURCE", "
  SOURCE '<file>'    run the statements of a file; errors do not end it
"),
    ("TRACING", "
  TRACING ON | OFF   tell how statements were carried out, or do not
  TRACING            tell which it is
"),
];
