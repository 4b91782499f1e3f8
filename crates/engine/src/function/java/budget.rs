//! [`Budget`]: what one call may take, in steps, memory and depth.
//!
//! Whatever a body does is bounded by it: every statement and expression is a step, and an operation
//! whose work grows with its operands takes more of them.

use std::rc::Rc;

use super::JavaFault;
use super::interpreter::Evaluation;
use super::value::JavaValue;

/// The maximum number of steps of one call, each below a microsecond.
const MAX_STEPS: usize = 1_000_000;
/// The maximum number of bytes that one call makes.
const MAX_BYTES: usize = 16 << 20;
/// The bytes of text that are read in one step.
const BYTES_PER_STEP: usize = 256;
/// The products of digits, of 64 bits each, that are computed in one step.
const PRODUCTS_PER_STEP: usize = 32;
/// The memory of an element of a collection.
const ELEMENT_BYTES: usize = 64;
/// The maximum depth of collections in collections.
const MAX_DEPTH: usize = 64;

/// What is left for one call.
#[derive(Default)]
pub(super) struct Budget {
    steps: usize,
    bytes: usize,
    depth: usize,
    /// The collections that contain others.
    containers: Vec<JavaValue>,
}

impl Budget {
    /// Counts steps.
    pub(super) fn take(&mut self, steps: usize) -> Evaluation<()> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > MAX_STEPS { Err(JavaFault::Exhausted) } else { Ok(()) }
    }

    /// Counts the work of reading values, collections without their elements.
    pub(super) fn read<'a>(
        &mut self,
        values: impl IntoIterator<Item = &'a JavaValue>,
    ) -> Evaluation<()> {
        let bytes = values.into_iter().map(JavaValue::byte_size).sum::<usize>();
        self.take(bytes / BYTES_PER_STEP)
    }

    /// Counts the work of multiplying, dividing or printing numbers of so many bytes.
    pub(super) fn multiply(&mut self, a: usize, b: usize) -> Evaluation<()> {
        self.take((a / 8).saturating_mul(b / 8) / PRODUCTS_PER_STEP)
    }

    /// Counts bytes that are made.
    pub(super) fn allocate(&mut self, bytes: usize) -> Evaluation<()> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > MAX_BYTES { Err(JavaFault::Exhausted) } else { Ok(()) }
    }

    /// Counts elements of collections that are made.
    pub(super) fn allocate_elements(&mut self, count: usize) -> Evaluation<()> {
        self.take(count / 8)?;
        self.allocate(count.saturating_mul(ELEMENT_BYTES))
    }

    /// Enters a collection that may contain others, or itself.
    pub(super) fn nest<T>(
        &mut self,
        enter: impl FnOnce(&mut Self) -> Evaluation<T>,
    ) -> Evaluation<T> {
        if self.depth == MAX_DEPTH {
            return Err(JavaFault::Exhausted);
        }
        self.depth += 1;
        let result = enter(self);
        self.depth -= 1;
        result
    }

    /// Remembers a collection that gets an element, if that may contain the collection.
    pub(super) fn hold(&mut self, container: &JavaValue, element: &JavaValue) {
        let is_container = matches!(
            element,
            JavaValue::List(_) | JavaValue::Set(_) | JavaValue::Map(_) | JavaValue::Entry(_)
        );
        if is_container {
            self.containers.push(container.clone());
        }
    }
}

impl Drop for Budget {
    /// Empties the collections one by one. Otherwise those that contain themselves would never be
    /// freed, and freeing a long chain of them would exhaust the stack.
    fn drop(&mut self) {
        for container in &self.containers {
            match container {
                JavaValue::List(elements) | JavaValue::Set(elements) => {
                    drop(Rc::clone(elements).take());
                }
                JavaValue::Map(pairs) => drop(Rc::clone(pairs).take()),
                _ => {}
            }
        }
    }
}
