//! Parses a function body: statements and expressions of Java without classes, arrays, lambdas and
//! exception handlers.

use super::lexer::{JavaToken, tokenize};
use super::syntax::{JavaExpression, JavaStatement};
use super::value::JavaValue;

/// The maximum depth of nested statements and expressions.
const MAX_DEPTH: usize = 60;
/// The maximum number of operators and calls of a statement, which are evaluated recursively.
const MAX_OPERATORS: usize = 200;

/// The binary operators by their precedence, from the lowest.
const PRECEDENCES: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>>", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];
const PRIMITIVES: [&str; 8] =
    ["boolean", "byte", "char", "double", "float", "int", "long", "short"];
const ASSIGNMENTS: [(&str, Option<&str>); 9] = [
    ("=", None),
    ("+=", Some("+")),
    ("-=", Some("-")),
    ("*=", Some("*")),
    ("/=", Some("/")),
    ("%=", Some("%")),
    ("&=", Some("&")),
    ("|=", Some("|")),
    ("^=", Some("^")),
];

/// The statements of a body; `None` if it has others than those of the subset.
pub(super) fn parse(body: &str) -> Option<Vec<JavaStatement>> {
    let tokens = tokenize(body)?;
    let mut parser = JavaParser { tokens: &tokens, at: 0, depth: 0, operators: 0 };
    let mut statements = Vec::new();
    while parser.at < tokens.len() {
        parser.statement(&mut statements)?;
    }
    Some(statements)
}

struct JavaParser<'a> {
    tokens: &'a [JavaToken],
    at: usize,
    depth: usize,
    operators: usize,
}

impl<'a> JavaParser<'a> {
    fn peek(&self) -> Option<&'a JavaToken> {
        self.tokens.get(self.at)
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(JavaToken::Sign(found)) if *found == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(JavaToken::Name(found)) if &**found == word)
    }

    fn skip_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        self.at += usize::from(found);
        found
    }

    fn skip_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Option<()> {
        self.skip_sign(sign).then_some(())
    }

    fn name(&mut self) -> Option<Box<str>> {
        let Some(JavaToken::Name(name)) = self.peek() else { return None };
        self.at += 1;
        Some(name.clone())
    }

    /// Enters a nested statement or expression.
    fn nest<T>(&mut self, parse: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth == MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// Counts an operator or a call.
    fn count_operator(&mut self) -> Option<()> {
        self.operators += 1;
        (self.operators <= MAX_OPERATORS).then_some(())
    }

    fn statement(&mut self, out: &mut Vec<JavaStatement>) -> Option<()> {
        if self.skip_sign(";") {
            return Some(());
        }
        self.operators = 0;
        let statement = self.nest(|parser| {
            if parser.is_sign("{") {
                return parser.block();
            }
            if parser.skip_word("if") {
                return parser.condition();
            }
            if parser.skip_word("while") {
                return parser.while_loop();
            }
            if parser.skip_word("for") {
                return parser.for_loop();
            }
            parser.simple_statement()
        })?;
        out.push(statement);
        Some(())
    }

    /// A statement that ends with a semicolon.
    fn simple_statement(&mut self) -> Option<JavaStatement> {
        let statement = if self.skip_word("return") {
            JavaStatement::Return(self.expression()?)
        } else if self.skip_word("throw") {
            self.throw()?
        } else if self.skip_word("break") {
            JavaStatement::Break
        } else if self.skip_word("continue") {
            JavaStatement::Continue
        } else if let Some(declared) = self.try_declaration() {
            declared
        } else {
            JavaStatement::Expression(self.expression()?)
        };
        self.expect(";")?;
        Some(statement)
    }

    fn throw(&mut self) -> Option<JavaStatement> {
        let thrown = self.expression()?;
        let JavaExpression::New { class, mut arguments } = thrown else { return None };
        match arguments.len() {
            0 | 1 => Some(JavaStatement::Throw { class, message: arguments.pop() }),
            _ => None,
        }
    }

    fn block(&mut self) -> Option<JavaStatement> {
        self.expect("{")?;
        let mut statements = Vec::new();
        while !self.skip_sign("}") {
            self.peek()?;
            self.statement(&mut statements)?;
        }
        Some(JavaStatement::Block(statements))
    }

    /// One statement, or a block.
    fn body(&mut self) -> Option<Box<JavaStatement>> {
        let mut statements = Vec::new();
        self.statement(&mut statements)?;
        Some(Box::new(statements.pop().unwrap_or(JavaStatement::Block(Vec::new()))))
    }

    fn group(&mut self) -> Option<JavaExpression> {
        self.expect("(")?;
        let expression = self.expression()?;
        self.expect(")")?;
        Some(expression)
    }

    fn condition(&mut self) -> Option<JavaStatement> {
        let condition = self.group()?;
        let then = self.body()?;
        let otherwise = if self.skip_word("else") { Some(self.body()?) } else { None };
        Some(JavaStatement::If { condition, then, otherwise })
    }

    fn while_loop(&mut self) -> Option<JavaStatement> {
        let condition = Some(self.group()?);
        let body = self.body()?;
        Some(JavaStatement::Loop { start: Vec::new(), condition, updates: Vec::new(), body })
    }

    fn for_loop(&mut self) -> Option<JavaStatement> {
        self.expect("(")?;
        let before = self.at;
        if let (Some(class), Some(name)) = (self.class(), self.name())
            && self.skip_sign(":")
        {
            let values = self.expression()?;
            self.expect(")")?;
            return Some(JavaStatement::ForEach { class, name, values, body: self.body()? });
        }
        self.at = before;
        let mut start = Vec::new();
        if !self.skip_sign(";") {
            start.push(self.simple_statement()?);
        }
        let condition = if self.is_sign(";") { None } else { Some(self.expression()?) };
        self.expect(";")?;
        let mut updates = Vec::new();
        while !self.skip_sign(")") {
            updates.push(self.expression()?);
            if !self.is_sign(")") {
                self.expect(",")?;
            }
        }
        Some(JavaStatement::Loop { start, condition, updates, body: self.body()? })
    }

    /// A class or primitive type: the last part of its name, without type arguments.
    fn class(&mut self) -> Option<Box<str>> {
        let mut name = self.name()?;
        while self.skip_sign(".") {
            name = self.name()?;
        }
        if self.is_sign("<") {
            self.type_arguments()?;
        }
        (!self.is_sign("[")).then_some(name)
    }

    /// `<String, List<Integer>>`
    fn type_arguments(&mut self) -> Option<()> {
        let mut open = 0_usize;
        loop {
            match self.peek()? {
                JavaToken::Sign("<") => open += 1,
                JavaToken::Sign(">") => open = open.checked_sub(1)?,
                JavaToken::Sign(">>") => open = open.checked_sub(2)?,
                JavaToken::Sign("," | "." | "?") | JavaToken::Name(_) => {}
                _ => return None,
            }
            self.at += 1;
            if open == 0 {
                return Some(());
            }
        }
    }

    fn try_declaration(&mut self) -> Option<JavaStatement> {
        let before = self.at;
        let declared = self.declaration();
        if declared.is_none() {
            self.at = before;
        }
        declared
    }

    fn declaration(&mut self) -> Option<JavaStatement> {
        self.skip_word("final");
        let class = self.class()?;
        let name = self.name()?;
        if self.is_sign(";") {
            return Some(JavaStatement::Declare { class, name, value: None });
        }
        self.expect("=")?;
        let value = Some(self.expression()?);
        Some(JavaStatement::Declare { class, name, value })
    }

    fn expression(&mut self) -> Option<JavaExpression> {
        self.nest(|parser| {
            if let Some(JavaToken::Name(name)) = parser.peek()
                && let Some(JavaToken::Sign(sign)) = parser.tokens.get(parser.at + 1)
                && let Some((_, operator)) = ASSIGNMENTS.iter().find(|(own, _)| own == sign)
            {
                parser.at += 2;
                let value = Box::new(parser.expression()?);
                return Some(JavaExpression::Assign {
                    name: name.clone(),
                    operator: *operator,
                    value,
                });
            }
            let condition = parser.binary(0)?;
            if !parser.skip_sign("?") {
                return Some(condition);
            }
            let then = parser.expression()?;
            parser.expect(":")?;
            let otherwise = parser.expression()?;
            Some(JavaExpression::Conditional(Box::new((condition, then, otherwise))))
        })
    }

    fn binary(&mut self, level: usize) -> Option<JavaExpression> {
        let Some(operators) = PRECEDENCES.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = operators.iter().find(|operator| self.is_sign(operator)) {
            self.at += 1;
            self.count_operator()?;
            let right = self.binary(level + 1)?;
            left = JavaExpression::Binary(operator, Box::new((left, right)));
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<JavaExpression> {
        self.nest(|parser| {
            for (sign, step) in [("++", 1), ("--", -1)] {
                if parser.skip_sign(sign) {
                    let name = parser.name()?;
                    return Some(JavaExpression::Increment { name, step, is_prefix: true });
                }
            }
            for sign in ["!", "-", "+", "~"] {
                if parser.skip_sign(sign) {
                    return Some(JavaExpression::Unary(sign, Box::new(parser.unary()?)));
                }
            }
            if let Some(cast) = parser.try_cast() {
                return Some(cast);
            }
            parser.postfix()
        })
    }

    /// `(int) a`: a class in parentheses, followed by an operand.
    fn try_cast(&mut self) -> Option<JavaExpression> {
        let before = self.at;
        let cast = self.cast();
        if cast.is_none() {
            self.at = before;
        }
        cast
    }

    fn cast(&mut self) -> Option<JavaExpression> {
        self.expect("(")?;
        let class = self.class()?;
        self.expect(")")?;
        let is_primitive = PRIMITIVES.contains(&&*class);
        let starts_operand = match self.peek()? {
            JavaToken::Sign(sign) => *sign == "(" || (is_primitive && matches!(*sign, "-" | "~")),
            _ => true,
        };
        if !starts_operand {
            return None;
        }
        Some(JavaExpression::Cast(class, Box::new(self.unary()?)))
    }

    fn postfix(&mut self) -> Option<JavaExpression> {
        let mut expression = self.primary()?;
        loop {
            if self.skip_sign(".") {
                self.count_operator()?;
                let name = self.name()?;
                expression = if self.is_sign("(") {
                    let arguments = self.arguments()?;
                    JavaExpression::Call { target: Box::new(expression), method: name, arguments }
                } else {
                    JavaExpression::Field(Box::new(expression), name)
                };
                continue;
            }
            let step = match self.peek() {
                Some(JavaToken::Sign("++")) => 1,
                Some(JavaToken::Sign("--")) => -1,
                _ => return Some(expression),
            };
            self.at += 1;
            let JavaExpression::Name(name) = expression else { return None };
            return Some(JavaExpression::Increment { name, step, is_prefix: false });
        }
    }

    fn arguments(&mut self) -> Option<Vec<JavaExpression>> {
        self.expect("(")?;
        let mut arguments = Vec::new();
        while !self.skip_sign(")") {
            arguments.push(self.expression()?);
            if !self.is_sign(")") {
                self.expect(",")?;
            }
        }
        Some(arguments)
    }

    fn primary(&mut self) -> Option<JavaExpression> {
        if self.is_sign("(") {
            return self.group();
        }
        if self.skip_word("new") {
            let class = self.class()?;
            let arguments = self.arguments()?;
            return Some(JavaExpression::New { class, arguments });
        }
        let token = self.peek()?.clone();
        self.at += 1;
        Some(JavaExpression::Literal(match token {
            JavaToken::Int(number) => JavaValue::Int(number),
            JavaToken::Long(number) => JavaValue::Long(number),
            JavaToken::Float(number) => JavaValue::Float(number),
            JavaToken::Double(number) => JavaValue::Double(number),
            JavaToken::Text(text) => JavaValue::Text((*text).into()),
            JavaToken::Char(character) => JavaValue::Char(character),
            JavaToken::Name(name) => match &*name {
                "null" => JavaValue::Null,
                "true" => JavaValue::Boolean(true),
                "false" => JavaValue::Boolean(false),
                _ => return Some(JavaExpression::Name(name)),
            },
            JavaToken::Sign(_) => return None,
        }))
    }
}
