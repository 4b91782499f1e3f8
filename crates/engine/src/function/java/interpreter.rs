//! [`Interpreter`]: runs the statements of a body and evaluates its expressions.

use std::cell::RefCell;
use std::rc::Rc;

use cql::types::Type;

use super::JavaFault;
use super::budget::Budget;
use super::classes;
use super::methods;
use super::syntax::{JavaExpression, JavaStatement};
use super::value::JavaValue;

/// The maximum number of variables, which are searched by name.
const MAX_VARIABLES: usize = 200;

/// The result of an expression.
pub(super) type Evaluation<T = JavaValue> = Result<T, JavaFault>;

/// What follows a statement.
pub(super) enum JavaFlow {
    Next,
    Break,
    Continue,
    Return(JavaValue),
}

/// A variable.
struct JavaVariable {
    name: Box<str>,
    /// The class of its declaration.
    class: Box<str>,
    value: JavaValue,
    /// The number of the parameter, from 1; `None` for a local variable.
    parameter: Option<usize>,
}

/// The state of one call.
pub(super) struct Interpreter<'a> {
    variables: Vec<JavaVariable>,
    pub(super) returns: &'a Type,
    pub(super) budget: Budget,
    parameters: Vec<(Box<str>, Type)>,
}

impl<'a> Interpreter<'a> {
    pub(super) fn new(returns: &'a Type) -> Self {
        Self { variables: Vec::new(), returns, budget: Budget::default(), parameters: Vec::new() }
    }

    pub(super) fn add_parameter(&mut self, name: &str, ty: &Type, value: JavaValue) {
        let parameter = Some(self.variables.len() + 1);
        let class = classes::class_of(ty).into();
        self.variables.push(JavaVariable { name: name.into(), class, value, parameter });
        self.parameters.push((name.into(), ty.clone()));
    }

    /// The names and types of the parameters of the function.
    pub(super) fn parameters(&self) -> &[(Box<str>, Type)] {
        &self.parameters
    }

    /// Runs a body.
    pub(super) fn run(&mut self, body: &[JavaStatement]) -> Evaluation {
        match self.run_block(body)? {
            JavaFlow::Return(value) => Ok(value),
            // A body without a result does not compile.
            _ => Err(JavaFault::Unsupported),
        }
    }

    fn step(&mut self) -> Evaluation<()> {
        self.budget.take(1)
    }

    fn run_block(&mut self, statements: &[JavaStatement]) -> Evaluation<JavaFlow> {
        let outer = self.variables.len();
        let mut flow = JavaFlow::Next;
        for statement in statements {
            flow = self.run_statement(statement)?;
            if !matches!(flow, JavaFlow::Next) {
                break;
            }
        }
        self.variables.truncate(outer);
        Ok(flow)
    }

    fn run_statement(&mut self, statement: &JavaStatement) -> Evaluation<JavaFlow> {
        self.step()?;
        match statement {
            JavaStatement::Block(statements) => return self.run_block(statements),
            JavaStatement::Declare { class, name, value } => {
                self.declare(class, name, value.as_ref())?;
            }
            JavaStatement::Expression(expression) => {
                self.evaluate(expression)?;
            }
            JavaStatement::If { condition, then, otherwise } => {
                if self.evaluate_condition(condition)? {
                    return self.run_statement(then);
                }
                if let Some(otherwise) = otherwise {
                    return self.run_statement(otherwise);
                }
            }
            JavaStatement::Loop { start, condition, updates, body } => {
                let outer = self.variables.len();
                for statement in start {
                    self.run_statement(statement)?;
                }
                let flow = self.run_loop(condition.as_ref(), updates, body)?;
                self.variables.truncate(outer);
                return Ok(flow);
            }
            JavaStatement::ForEach { class, name, values, body } => {
                return self.run_for_each((class, name), values, body);
            }
            JavaStatement::Return(value) => return Ok(JavaFlow::Return(self.evaluate(value)?)),
            JavaStatement::Throw { class, message } => {
                return Err(self.throw(class, message.as_ref())?);
            }
            JavaStatement::Break => return Ok(JavaFlow::Break),
            JavaStatement::Continue => return Ok(JavaFlow::Continue),
        }
        Ok(JavaFlow::Next)
    }

    fn declare(
        &mut self,
        class: &str,
        name: &str,
        value: Option<&JavaExpression>,
    ) -> Evaluation<()> {
        if self.find(name).is_some() || self.variables.len() >= MAX_VARIABLES {
            return Err(JavaFault::Unsupported);
        }
        let value = match value {
            Some(expression) => {
                let value = self.evaluate(expression)?;
                classes::convert(class, value)?
            }
            None => JavaValue::Null,
        };
        let (name, class) = (name.into(), class.into());
        self.variables.push(JavaVariable { name, class, value, parameter: None });
        Ok(())
    }

    fn run_loop(
        &mut self,
        condition: Option<&JavaExpression>,
        updates: &[JavaExpression],
        body: &JavaStatement,
    ) -> Evaluation<JavaFlow> {
        loop {
            self.step()?;
            if let Some(condition) = condition
                && !self.evaluate_condition(condition)?
            {
                return Ok(JavaFlow::Next);
            }
            match self.run_statement(body)? {
                JavaFlow::Break => return Ok(JavaFlow::Next),
                JavaFlow::Return(value) => return Ok(JavaFlow::Return(value)),
                JavaFlow::Next | JavaFlow::Continue => {}
            }
            for update in updates {
                self.evaluate(update)?;
            }
        }
    }

    fn run_for_each(
        &mut self,
        (class, name): (&str, &str),
        values: &JavaExpression,
        body: &JavaStatement,
    ) -> Evaluation<JavaFlow> {
        let collection = self.evaluate(values)?;
        let elements = match &collection {
            JavaValue::List(elements) | JavaValue::Set(elements) => {
                self.budget.take(elements.borrow().len() / 8)?;
                elements.borrow().clone()
            }
            JavaValue::Null => return Err(self.null_call(values, "iterator", &[])),
            _ => return Err(JavaFault::Unsupported),
        };
        for element in elements {
            self.step()?;
            let value = classes::convert(class, element)?;
            let (name, class) = (name.into(), class.into());
            self.variables.push(JavaVariable { name, class, value, parameter: None });
            let flow = self.run_statement(body);
            self.variables.pop();
            match flow? {
                JavaFlow::Break => break,
                JavaFlow::Return(value) => return Ok(JavaFlow::Return(value)),
                JavaFlow::Next | JavaFlow::Continue => {}
            }
        }
        Ok(JavaFlow::Next)
    }

    fn throw(&mut self, class: &str, message: Option<&JavaExpression>) -> Evaluation<JavaFault> {
        let class = classes::exception_class(class).ok_or(JavaFault::Unsupported)?;
        Ok(match message {
            Some(message) => {
                let message = self.evaluate(message)?;
                JavaFault::new(class, &message.print(&mut self.budget)?)
            }
            None => JavaFault::Exception(class.to_owned()),
        })
    }

    fn find(&self, name: &str) -> Option<&JavaVariable> {
        self.variables.iter().rev().find(|variable| &*variable.name == name)
    }

    fn assign(&mut self, name: &str, value: JavaValue) -> Evaluation {
        let variable = self.variables.iter_mut().rev().find(|variable| &*variable.name == name);
        let variable = variable.ok_or(JavaFault::Unsupported)?;
        variable.value = classes::convert(&variable.class, value)?;
        Ok(variable.value.clone())
    }

    fn evaluate_condition(&mut self, expression: &JavaExpression) -> Evaluation<bool> {
        match self.evaluate(expression)? {
            JavaValue::Boolean(truth) => Ok(truth),
            JavaValue::Null => Err(self.unboxing_fault(expression)),
            _ => Err(JavaFault::Unsupported),
        }
    }

    pub(super) fn evaluate(&mut self, expression: &JavaExpression) -> Evaluation {
        self.step()?;
        match expression {
            JavaExpression::Literal(value) => Ok(value.clone()),
            JavaExpression::Name(name) if &**name == "udfContext" => Ok(JavaValue::Context),
            JavaExpression::Name(name) => {
                let value = self.find(name).map(|variable| variable.value.clone());
                let value = value.ok_or(JavaFault::Unsupported)?;
                if matches!(value, JavaValue::BigInteger(_) | JavaValue::BigDecimal(_)) {
                    self.budget.allocate(value.byte_size())?;
                }
                Ok(value)
            }
            JavaExpression::Field(target, name) => {
                let class = self.static_class(target).ok_or(JavaFault::Unsupported)?;
                classes::constant(class, name)
            }
            JavaExpression::Unary(operator, operand) => {
                let value = self.evaluate_operand(operand)?;
                classes::negate(operator, &value)
            }
            JavaExpression::Binary(operator, operands) => {
                self.evaluate_binary(operator, &operands.0, &operands.1)
            }
            JavaExpression::Conditional(parts) => {
                let (condition, then, otherwise) = &**parts;
                let holds = self.evaluate_condition(condition)?;
                self.evaluate(if holds { then } else { otherwise })
            }
            JavaExpression::Cast(class, operand) => {
                let value = self.evaluate(operand)?;
                if matches!(value, JavaValue::Null) && classes::is_primitive(class) {
                    return Err(self.unboxing_fault(operand));
                }
                classes::cast(class, value)
            }
            JavaExpression::Call { target, method, arguments } => {
                self.evaluate_call(target, method, arguments)
            }
            JavaExpression::New { class, arguments } => {
                let values = self.evaluate_all(arguments)?;
                match (&values[..], &arguments[..]) {
                    ([value], [argument]) if classes::is_box(class) => {
                        self.box_value(class, value, argument)
                    }
                    (values, _) => self.construct(class, values),
                }
            }
            JavaExpression::Assign { name, operator, value } => {
                let value = self.evaluate(value)?;
                let value = match operator {
                    None => value,
                    Some(operator) => {
                        let (current, class) = {
                            let variable = self.find(name).ok_or(JavaFault::Unsupported)?;
                            (variable.value.clone(), variable.class.clone())
                        };
                        let result = self.combine(operator, &current, &value)?;
                        // A compound assignment contains a cast.
                        classes::cast(&class, result)?
                    }
                };
                self.assign(name, value)
            }
            JavaExpression::Increment { name, step, is_prefix } => {
                let (before, class) = {
                    let variable = self.find(name).ok_or(JavaFault::Unsupported)?;
                    (variable.value.clone(), variable.class.clone())
                };
                let sum = classes::operate("+", &before, &JavaValue::Int(*step))?;
                let after = self.assign(name, classes::cast(&class, sum)?)?;
                Ok(if *is_prefix { after } else { before })
            }
        }
    }

    fn evaluate_all(&mut self, expressions: &[JavaExpression]) -> Evaluation<Vec<JavaValue>> {
        expressions.iter().map(|expression| self.evaluate(expression)).collect()
    }

    /// The value of an operand, which is unboxed: null fails.
    fn evaluate_operand(&mut self, expression: &JavaExpression) -> Evaluation {
        match self.evaluate(expression)? {
            JavaValue::Null => Err(self.unboxing_fault(expression)),
            value => Ok(value),
        }
    }

    fn evaluate_binary(
        &mut self,
        operator: &str,
        left: &JavaExpression,
        right: &JavaExpression,
    ) -> Evaluation {
        match operator {
            "&&" => {
                let both = self.evaluate_condition(left)? && self.evaluate_condition(right)?;
                return Ok(JavaValue::Boolean(both));
            }
            "||" => {
                let either = self.evaluate_condition(left)? || self.evaluate_condition(right)?;
                return Ok(JavaValue::Boolean(either));
            }
            _ => {}
        }
        let (a, b) = (self.evaluate(left)?, self.evaluate(right)?);
        let is_text = self.is_text(left) || self.is_text(right);
        if operator == "+" && is_text {
            return self.concatenate(&a, &b);
        }
        let accepts_null = matches!(operator, "==" | "!=");
        if !accepts_null {
            for (value, expression) in [(&a, left), (&b, right)] {
                if matches!(value, JavaValue::Null) {
                    return Err(self.unboxing_fault(expression));
                }
            }
        }
        self.combine(operator, &a, &b)
    }

    fn combine(&mut self, operator: &str, a: &JavaValue, b: &JavaValue) -> Evaluation {
        let is_text = matches!(a, JavaValue::Text(_)) || matches!(b, JavaValue::Text(_));
        if operator == "+" && is_text {
            return self.concatenate(a, b);
        }
        classes::operate(operator, a, b)
    }

    fn concatenate(&mut self, a: &JavaValue, b: &JavaValue) -> Evaluation {
        let text = a.print(&mut self.budget)? + &b.print(&mut self.budget)?;
        self.budget.allocate(text.len())?;
        Ok(JavaValue::Text(text.into()))
    }

    /// Whether an expression is a string by its declaration, even if it is null.
    fn is_text(&self, expression: &JavaExpression) -> bool {
        match expression {
            JavaExpression::Literal(JavaValue::Text(_)) => true,
            JavaExpression::Name(name) => self.find(name).is_some_and(|variable| {
                &*variable.class == "String" || matches!(variable.value, JavaValue::Text(_))
            }),
            JavaExpression::Binary("+", operands) => {
                self.is_text(&operands.0) || self.is_text(&operands.1)
            }
            JavaExpression::Call { method, .. } => matches!(
                &**method,
                "toString" | "getString" | "substring" | "trim" | "toUpperCase" | "toLowerCase"
            ),
            _ => false,
        }
    }

    /// The class that an expression names: a path that is not a variable.
    fn static_class<'e>(&self, expression: &'e JavaExpression) -> Option<&'e str> {
        match expression {
            JavaExpression::Name(name) if self.find(name).is_none() => Some(name),
            JavaExpression::Field(package, name) => {
                self.static_class(package)?;
                Some(name)
            }
            _ => None,
        }
    }

    fn evaluate_call(
        &mut self,
        target: &JavaExpression,
        method: &str,
        arguments: &[JavaExpression],
    ) -> Evaluation {
        let is_context = matches!(target, JavaExpression::Name(name) if &**name == "udfContext");
        if let Some(class) = self.static_class(target).filter(|_| !is_context) {
            let values = self.evaluate_all(arguments)?;
            for (value, argument) in values.iter().zip(arguments) {
                if matches!(value, JavaValue::Null)
                    && classes::has_primitive_parameters(class, method)
                {
                    return Err(self.unboxing_fault(argument));
                }
            }
            return classes::call(&mut self.budget, class, method, &values);
        }
        let value = self.evaluate(target)?;
        let values = self.evaluate_all(arguments)?;
        if let JavaExpression::Name(name) = target
            && let Some(at) =
                self.find(name).and_then(|own| methods::primitive_argument(&own.class, method))
            && let (Some(JavaValue::Null), Some(argument)) = (values.get(at), arguments.get(at))
        {
            return Err(self.unboxing_fault(argument));
        }
        if matches!(value, JavaValue::Null) {
            return Err(self.null_call(target, method, &values));
        }
        methods::call(self, &value, method, &values)
    }

    /// `new Integer(1)` and the like: the value of the argument, which is a text or a primitive.
    fn box_value(
        &mut self,
        class: &str,
        value: &JavaValue,
        argument: &JavaExpression,
    ) -> Evaluation {
        let values = std::slice::from_ref(value);
        match value {
            JavaValue::Null => match argument {
                JavaExpression::Name(name)
                    if self.find(name).is_some_and(|own| own.class.ends_with("String")) =>
                {
                    classes::call(&mut self.budget, class, classes::parser(class), values)
                }
                _ => Err(self.unboxing_fault(argument)),
            },
            _ => classes::call(&mut self.budget, class, "valueOf", values),
        }
    }

    fn construct(&mut self, class: &str, arguments: &[JavaValue]) -> Evaluation {
        let elements = match arguments {
            [] => Vec::new(),
            [JavaValue::List(elements) | JavaValue::Set(elements)] => {
                self.budget.allocate_elements(elements.borrow().len())?;
                elements.borrow().clone()
            }
            [JavaValue::Int(_)] if class != "BigDecimal" => Vec::new(),
            [JavaValue::Map(pairs)] if classes::is_map(class) => {
                let pairs = pairs.borrow().clone();
                self.budget.allocate_elements(pairs.len())?;
                return Ok(JavaValue::Map(Rc::new(RefCell::new(pairs))));
            }
            [JavaValue::Text(text)] if class == "StringBuilder" => {
                self.budget.allocate(text.len())?;
                return Ok(JavaValue::StringBuilder(Rc::new(RefCell::new(text.to_string()))));
            }
            [value @ JavaValue::Text(_)] if class == "String" => return Ok(value.clone()),
            [JavaValue::Null] if class == "String" => {
                let message = "Cannot read field \"value\" because \"original\" is null";
                return Err(JavaFault::new("java.lang.NullPointerException", message));
            }
            [JavaValue::Text(text)] => return classes::parse_big(&mut self.budget, class, text),
            _ => return Err(JavaFault::Unsupported),
        };
        self.budget.allocate_elements(1)?;
        let elements = Rc::new(RefCell::new(elements));
        Ok(match class {
            "ArrayList" | "LinkedList" => JavaValue::List(elements),
            "HashSet" | "LinkedHashSet" | "TreeSet" => {
                let set = JavaValue::Set(Rc::default());
                for element in elements.borrow().iter() {
                    methods::call(self, &set, "add", std::slice::from_ref(element))?;
                }
                set
            }
            _ if classes::is_map(class) && arguments.is_empty() => JavaValue::Map(Rc::default()),
            "StringBuilder" if arguments.is_empty() => JavaValue::StringBuilder(Rc::default()),
            _ => return Err(JavaFault::Unsupported),
        })
    }

    /// The exception of a method call on null. Its text is known if a parameter is null.
    fn null_call(
        &self,
        target: &JavaExpression,
        method: &str,
        arguments: &[JavaValue],
    ) -> JavaFault {
        let JavaExpression::Name(name) = target else { return JavaFault::Unsupported };
        let Some(variable) = self.find(name) else { return JavaFault::Unsupported };
        let (Some(parameter), Some(signature)) =
            (variable.parameter, methods::signature(&variable.class, method, arguments))
        else {
            return JavaFault::Unsupported;
        };
        JavaFault::new(
            "java.lang.NullPointerException",
            &format!(
                "Cannot invoke \"{}.{method}({signature})\" because \"<parameter{parameter}>\" is null",
                variable.class
            ),
        )
    }

    /// The exception of an operation on a null wrapper.
    fn unboxing_fault(&self, expression: &JavaExpression) -> JavaFault {
        let JavaExpression::Name(name) = expression else { return JavaFault::Unsupported };
        let Some(variable) = self.find(name) else { return JavaFault::Unsupported };
        match classes::unboxing_method(&variable.class) {
            Some(method) => self.null_call(expression, method, &[]),
            None => JavaFault::Unsupported,
        }
    }
}
