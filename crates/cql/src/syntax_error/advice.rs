//! What to write instead of what cannot be read.

use super::offending_token::shorten;
use super::sentences;
use crate::keyword::Keyword;
use crate::spelling::suggestion;

sentences! {
    /// What to write instead.
    SyntaxAdvice {
        SplitText = "split it";
        SplitOrBind = "split it into several statements, or bind the value with `?`";
        EndStatement = "end the statement with `;`";
        EndPreviousStatement = "end the statement before it with `;`";
        CloseString = "close it with `'`, and write a quote inside a string twice: `''`";
        CloseQuotedName = "close it with `\"`";
        CloseDollarString = "close it with `$$`";
        CloseComment = "close it with `*/`";
        SpaceAfterMinus = "put a space behind the minus sign";
        QuoteNames = "names are quoted with `\"`, and need no quotes when they are plain lower-case words";
        WriteNotEqual = "write `!=`";
        WriteAnd = "write AND";
        NoConcatenation = "there is no OR and no `||` in CQL: ask twice and join the answers in the client";
        CommentSigns = "comments start with `--`, `//` or `/*`; markers are `?` or `:name`";
        MarkerSigns = "markers are `?` or `:name`; with --templates placeholders such as ${{x}} are read";
        SingleEqual = "write a single `=`";
        NotEqualInConditions = "write `!=`; only IF conditions and indexes know it";
        NoIsNull = "there is no IS NULL: an absent value cannot be searched for";
        OneRow = "an INSERT writes one row: write several";
        NoOffset = "there is no OFFSET: page by the last clustering key, or with the driver's paging state";
        OneAtATime = "name one at a time";
        NoStar = "leave out the `*`: without columns the whole row is meant";
        NoForeignKeys = "there are no foreign keys";
        NoTypeLength = "types have no length: write text, not varchar(20)";
        DoubleQuoteInString = "write a quote inside a string twice: `''`";
        BlankAfterMinus
            = "put a blank between the minus sign and the number: the sign is read as part of the number";
        NameStart = "a name starts with a letter, or is quoted with `\"`";
        NoOr = "there is no OR: use IN for one column, or ask twice and join the answers in the client";
        NoNot = "there is no NOT here: ask for the values that are wanted";
        NoJoins = "there are no joins: keep what is read together in one table";
        NoHaving = "there is no HAVING: filter groups in the client";
        NoSetOperations = "there are no set operations: ask twice and join the answers in the client";
        NoSubqueries = "there are no sub-queries: read first, then bind the values";
        TwoComparisons = "write `column >= low AND column <= high`";
        NameColumns = "name the columns: INSERT INTO t (a, b) VALUES (1, 2)";
        NoTransactions
            = "there are no transactions: a batch is applied as a whole, IF makes one write conditional";
        NoExplain = "there is no EXPLAIN in CQL";
        NoTableAliases = "tables have no aliases";
        NoNotNull = "there is no NOT NULL: only the columns of the primary key must be given";
        NoGeneratedNumbers = "there are no generated numbers: use uuid or timeuuid";
        NoDefaults = "there are no default values: write the value when inserting";
        NoUnique = "there is no UNIQUE: make it a primary key, and insert with IF NOT EXISTS";
        NoConstraints = "there are no constraints between tables";
        WriteKeyspace = "write KEYSPACE";
        NoTypeChange = "the type of a column cannot be changed: add another column";
        NoColumnWord = "leave out COLUMN";
        AddWhere = "rows are changed by their key: add WHERE with the primary key";
        RemoveComma = "remove the comma before it";
        WantedValues = "ask for the values that are wanted, or filter in the client";
        FilterInClient = "filter in the client";
        WriteColumns = "write out the columns";
        Misspelling { keyword: Box<str> } = "{}", suggestion(keyword);
        SingleQuotes { text: Box<str> } = "double quotes are for names: write '{}'", shorten(text);
        DoubleQuotes { text: Box<str> } = "single quotes are for strings: write \"{}\"", shorten(text);
        QuoteOrMark { text: Box<str> }
            = "a string needs single quotes: '{0}'; a marker a colon: :{0}", shorten(text);
        QuoteReserved { keyword: Keyword, name: Box<str> }
            = "{} is reserved; to use it as a name, quote it: \"{name}\"", keyword.text();
    }
}
