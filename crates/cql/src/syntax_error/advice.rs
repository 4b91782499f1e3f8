//! [`SyntaxAdvice`]: the helps of syntax errors.

use super::offending_token::shorten;
use crate::keyword::Keyword;
use crate::sentences;
use crate::spelling::suggestion;

sentences! {
    /// What to write instead.
    SyntaxAdvice {
        SplitText = "split the text into several files";
        SplitOrBind = "split it into several statements, or bind the value with `?`";
        EndStatement = "end the statement with `;`";
        EndPreviousStatement = "end the statement before it with `;`";
        CloseString = "close it with `'`, and write a quote inside a string twice: `''`";
        CloseQuotedName = "close it with `\"`";
        CloseDollarString = "close it with `$$`";
        CloseComment = "close it with `*/`";
        SpaceAfterMinus = "add a space after the minus sign";
        QuoteNames = "quote names with `\"`; plain lower-case names need no quotes";
        WriteNotEqual = "write `!=`";
        WriteAnd = "write AND";
        NoConcatenation = "run two queries and combine the results in the client; CQL has no OR and no `||`";
        CommentSigns = "start comments with `--`, `//` or `/*`; write markers as `?` or `:name`";
        MarkerSigns = "write markers as `?` or `:name`; use --templates to accept placeholders such as ${{x}} are read";
        SingleEqual = "write a single `=`";
        NotEqualInConditions = "write `!=`, which only IF conditions and indexes support";
        NoIsNull = "CQL has no IS NULL: rows cannot be selected by an absent value";
        OneRow = "write one INSERT for each row; an INSERT writes one row";
        NoOffset = "page by the last clustering key or with the driver's paging state; CQL has no OFFSET";
        OneAtATime = "write one statement for each";
        NoStar = "remove the `*`; without a column list the whole row is deleted";
        NoForeignKeys = "remove it; CQL has no foreign keys";
        NoTypeLength = "remove the length: write text, not varchar(20)";
        DoubleQuoteInString = "write a quote inside a string twice: `''`";
        BlankAfterMinus
            = "add a space between the minus sign and the number; the sign is parsed as part of the number";
        NameStart = "start the name with a letter, or quote it with `\"`";
        NoOr = "use IN for one column, or run two queries and combine the results in the client; CQL has no OR";
        NoNot = "select the matching values instead; NOT is not supported here";
        NoJoins = "store data that is read together in one table; CQL has no joins";
        NoHaving = "filter the groups in the client; CQL has no HAVING";
        NoSetOperations = "run two queries and combine the results in the client; CQL has no set operations";
        NoSubqueries = "run the inner query first, then bind its values; CQL has no sub-queries";
        TwoComparisons = "write `column >= low AND column <= high`";
        NameColumns = "name the columns: INSERT INTO t (a, b) VALUES (1, 2)";
        NoTransactions
            = "use a batch to apply writes together, or IF for a conditional write; CQL has no transactions";
        NoExplain = "remove it; CQL has no EXPLAIN";
        NoTableAliases = "remove the alias; tables have no aliases in CQL";
        NoNotNull = "remove it; CQL has no NOT NULL, and only primary key columns are mandatory";
        NoGeneratedNumbers = "use uuid or timeuuid; CQL has no generated numbers";
        NoDefaults = "write the value in each INSERT; CQL has no default values";
        NoUnique = "make it a primary key and insert with IF NOT EXISTS; CQL has no UNIQUE";
        NoConstraints = "remove it; CQL has no constraints between tables";
        WriteKeyspace = "write KEYSPACE";
        NoTypeChange = "add a new column; the type of a column cannot be changed";
        NoColumnWord = "remove COLUMN";
        AddWhere = "add WHERE with the primary key of the row";
        RemoveComma = "remove the comma before it";
        WantedValues = "select the matching values, or filter in the client";
        FilterInClient = "filter in the client";
        WriteColumns = "list the columns explicitly";
        Misspelling { keyword: Box<str> } = "{}", suggestion(keyword);
        SingleQuotes { text: Box<str> } = "use single quotes for strings: write '{}'", shorten(text);
        DoubleQuotes { text: Box<str> } = "use double quotes for names: write \"{}\"", shorten(text);
        QuoteOrMark { text: Box<str> }
            = "write a string with single quotes: '{0}', or a marker with a colon: :{0}", shorten(text);
        QuoteReserved { keyword: Keyword, name: Box<str> }
            = "{} is reserved; to use it as a name, quote it: \"{name}\"", keyword.text();
    }
}
